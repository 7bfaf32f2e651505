"""Reads Datalog that others wrote, in Soufflé's words, in CozoScript, or in bddbddb's, into our own trees. For known bugs and users' programs.

What is not understood to the last word stays text: a program that is half read would be judged by a meaning that it does not have.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from gainsay.core.tree import transform, walk
from gainsay.families.datalog import dialects, ir, legal
from gainsay.families.datalog.ops import AGGREGATES, COMPARE, FUNCTORS, OPPOSITE, TESTS
from gainsay.families.datalog.semantics import variables

DIRECTIVES = "decl|type|output|printsize|pragma|plan|input|limitsize|comp|init|functor|include|override|symbol_type|number_type|once"
TOKEN = r"""\s+|{comment}|(\d+\.\d+(?:[eE][+-]?\d+)?|0[xb][0-9a-fA-F]+|\d+u?|{word}|"(?:[^"\\\n]|\\.)*"|'[^'\\\n]*'|{sign}|[<>!=]=|.)"""
SOUFFLE = re.compile(
    TOKEN.format(comment=r"//[^\n]*|/\*.*?\*/", word=rf"choice-domain|[A-Za-z_?][\w?]*|\.(?:{DIRECTIVES})\b", sign=":-|<:"), re.DOTALL
)
COZO = re.compile(TOKEN.format(comment=r"\#[^\n]*|/\*.*?\*/", word=r"[A-Za-z_]\w*", sign=r":=|<-|<~|\+\+|&&|\|\|"), re.DOTALL)
DOMAIN = re.compile(r"\s*[A-Z]\w*\s+\d+\s*(?:/|\n)")
BINDING = {"bor": 1, "bxor": 2, "band": 3, "+": 4, "-": 4, "++": 4, "*": 5, "/": 5, "%": 5}
ALIASES = {"add": "+", "sub": "-", "mul": "*", "minus": "-", "++": "concat"}  # Cozo's other names
NESTED = ("min", "max", "cat", "concat", "+", "*")  # functors that take any number of arguments
RELATIONS = {"eq": "=", "neq": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
MARKS = ("inline", "no_inline", "magic", "no_magic", "brie", "btree", "btree_delete", "eqrel", "overridable")
NUMERIC = ("number", "unsigned", "float")
PRIMITIVE = (*NUMERIC, "symbol")
WIDEST = 63  # our muz dialect has vectors of six bits


class Unreadable(Exception):
    """A text that goes beyond what this reader knows."""


FAILED = (Unreadable, RecursionError, KeyError, IndexError, ValueError, TypeError, AttributeError, OverflowError, StopIteration)


class Draft(NamedTuple):
    """A program as it was read: a number that may be of any type, a functor and a column of no declared type have no type yet."""

    dialect: str
    rels: Sequence[ir.Rel]
    facts: Sequence[ir.Atom]
    rules: Sequence[ir.Rule | ir.Subsumes]
    outputs: Sequence[str]
    types: Sequence[ir.TypeDef] = ()
    pragmas: Sequence[str] = ()


def word_of(spelled: str) -> str:
    return re.sub(r"[{}(),\s]|(?<=\{)\d", "", spelled)


def functor_words(dialect: str) -> dict[tuple[str, int], list[str]]:
    """A word and its number of arguments: the functors it may stand for."""
    found: dict[tuple[str, int], list[str]] = defaultdict(list)
    for name, functor in FUNCTORS.items():
        if dialect in functor.spelled:
            found[word_of(functor.spelled[dialect]), len(functor.args)].append(name)
    return dict(found)


def test_words(dialect: str) -> dict[str, tuple[str, list[int]]]:
    """A word: the test it stands for, and the place of each of its arguments in ours."""
    found = {}
    for name, test in TESTS.items():
        if dialect in test.spelled:
            places = re.findall(r"\{(\d?)\}", test.spelled[dialect])
            found[word_of(test.spelled[dialect])] = (name, [int(p) if p else i for i, p in enumerate(places)])
    return found


# --- texts -------------------------------------------------------------------------------------------------------------------------


class Reader:
    """Terms and bodies, which are nearly the same everywhere."""

    dialect = ""
    brackets = ("(", ")")
    reserved = frozenset({"nil", "autoinc", "as", "ord", "range", "mean", "false"})

    def __init__(self, text: str, token: re.Pattern[str]) -> None:
        self.tokens = [t for t in token.findall(text) if t]
        self.at = 0
        self.taken = 0
        self.tests = test_words(self.dialect)
        self.functors = functor_words(self.dialect)
        self.aside: list[ir.Aggregate] = []  # aggregates met inside the terms of the conjunction that is being read
        self.rels: dict[str, ir.Rel] = {}
        self.facts: list[ir.Atom] = []
        self.rules: list[ir.Rule | ir.Subsumes] = []

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def take(self) -> str:
        self.at += 1
        return self.peek(-1)

    def accept(self, token: str) -> bool:
        found = self.peek() == token
        self.at += found
        return found

    def expect(self, token: str) -> None:
        if self.take() != token:
            raise Unreadable(f"{self.peek(-1)!r} where {token!r} was expected")

    def name(self) -> str:
        if not re.fullmatch(r"[A-Za-z_?][\w?]*", self.peek()) or self.peek() in self.reserved:
            raise Unreadable(f"{self.peek()!r} is no name")
        return self.take()

    def listed(self, item: Callable[[], Any], start: str, end: str) -> tuple[Any, ...]:
        self.expect(start)
        found: list[Any] = []
        while self.peek() != end:
            found.append(item())
            if self.peek() != end:
                self.expect(",")
        self.expect(end)
        return tuple(found)

    def fresh(self) -> str:
        self.taken += 1
        name = f"x{self.taken}"
        return name if name not in self.tokens else self.fresh()

    def expression(self, floor: int = 0) -> Any:
        left = self.operand()
        while BINDING.get(self.peek(), 0) > floor:
            sign = self.take()
            left = self.call(sign, (left, self.expression(BINDING[sign])))
        return left

    def operand(self) -> Any:
        token = self.peek()
        if self.accept("-"):
            inner = self.operand()
            is_number = isinstance(inner, ir.Const) and isinstance(inner.value, (int, float))
            return ir.Const(-inner.value, inner.type) if is_number else self.call("-", (inner,))
        if token[:1].isdigit():
            return number(self.take())
        if len(token) > 1 and token[0] in "\"'":
            if "\\" in token:
                raise Unreadable("an escape")  # engines differ in what they make of it
            return ir.Const(self.take()[1:-1], "symbol")
        if self.accept("("):
            inner = self.expression()
            self.expect(")")
            return inner
        if self.accept("_"):
            return ir.Wild()
        return self.special() or self.named()

    def special(self) -> Any:
        """What only one dialect has."""
        return None

    def named(self) -> Any:
        name = self.name()
        return self.call(name, self.listed(self.expression, "(", ")")) if self.peek() == "(" else ir.Var(name)

    def call(self, word: str, args: Sequence[Any]) -> Any:
        word = ALIASES.get(word, word)
        if word in NESTED and len(args) > 2:
            return self.call(word, (self.call(word, args[:-1]), args[-1]))
        if (word, len(args)) not in self.functors:
            raise Unreadable(f"{word} is not a functor that we know")
        return ir.Call(word, tuple(args))

    def atom(self) -> ir.Atom:
        return ir.Atom(self.name(), self.listed(self.expression, *self.brackets))

    def is_atom(self) -> bool:
        return self.peek(1) == self.brackets[0] and (self.peek() in self.rels or self.brackets[0] == "[")

    def conjunction(self) -> tuple[Any, ...]:
        outer, self.aside = self.aside, []
        found = list(self.disjunct())
        while self.accept(","):
            found += self.disjunct()
        found += self.aside
        self.aside = outer
        return tuple(found)

    def disjunct(self) -> Sequence[Any]:
        return self.literal()

    def body(self) -> tuple[Any, ...]:
        return self.conjunction()

    def literal(self) -> Sequence[Any]:
        if self.accept("!") or self.accept("not"):
            (found,) = self.literal()
            return [denied(found)]
        if self.is_atom():
            return [self.atom()]
        if self.peek(1) == "(" and self.peek() in self.tests:
            name, places = self.tests[self.take()]
            args = self.listed(self.expression, "(", ")")
            if len(args) != len(places) or (name == "match" and not (isinstance(args[0], ir.Const) and str(args[0].value).isalnum())):
                raise Unreadable(name)  # other patterns mean more than equality
            return [ir.Holds(name, tuple(args[places.index(i)] for i in range(len(args))))]
        if self.peek(1) == "(" and self.peek() in RELATIONS and self.brackets[0] == "[":
            op = RELATIONS[self.take()]
            left, right = self.listed(self.expression, "(", ")")
            return [ir.Compare(op, left, right)]
        return self.grouped() if self.peek() == "(" else self.comparison()

    def grouped(self) -> Sequence[Any]:
        """(a + b) < c, or a body in parentheses: only the end tells."""
        at, aside, count = self.at, self.aside, len(self.aside)
        try:
            return self.comparison()
        except Unreadable:
            self.at, self.aside = at, aside
            del aside[count:]
        self.expect("(")
        found = self.body()
        self.expect(")")
        return found

    def comparison(self) -> Sequence[Any]:
        left = self.expression()
        op = self.take()
        op = "=" if op == "==" else op
        if op not in COMPARE:
            raise Unreadable(f"{op!r} is no comparison")
        right = self.expression()
        if isinstance(left, ir.Wild) or isinstance(right, ir.Wild):
            raise Unreadable("a comparison with anything")
        for one, other in ((left, right), (right, left)):
            # x = count : { ... } is the aggregate's own form; anywhere else it gets a variable of its own.
            if op == "=" and isinstance(one, ir.Var) and isinstance(other, ir.Var) and self.aside and self.aside[-1].var == one.name:
                self.aside[-1] = msgspec.structs.replace(self.aside[-1], var=other.name)
                return []
        return [ir.Compare(op, left, right)]


def number(token: str) -> ir.Const:
    if token.startswith(("0x", "0b")):
        return ir.Const(int(token, 0), "")
    if "." in token:
        return ir.Const(float(token), "float")
    return ir.Const(int(token.rstrip("u")), "unsigned" if token.endswith("u") else "")


def denied(literal: Any) -> Any:
    if isinstance(literal, ir.Atom):
        return ir.Not(literal)
    if isinstance(literal, ir.Holds) and not literal.fn.startswith("!"):
        return ir.Holds(f"!{literal.fn}", literal.args)
    if isinstance(literal, ir.Compare):
        return ir.Compare(OPPOSITE[literal.op], literal.left, literal.right)
    raise Unreadable("a negation of a negation")


class SouffleReader(Reader):
    dialect = "souffle"

    def __init__(self, text: str) -> None:
        super().__init__(text, SOUFFLE)
        self.types: dict[str, ir.TypeDef] = {}
        self.aliases: dict[str, str] = {}
        self.outputs: list[str] = []
        self.pragmas: list[str] = []
        self.choices: dict[str, list[str]] = {}

    def special(self) -> Any:
        if self.peek() == "[":
            return ir.Record(self.listed(self.expression, "[", "]"))
        if self.peek() not in AGGREGATES or self.peek(1) == "(":
            return None
        fn, target = self.take(), None
        value = None if self.peek() == ":" else self.expression()
        self.expect(":")
        outer, self.aside = self.aside, []
        if self.accept("{"):
            body = self.body()
            self.expect("}")
        else:
            body = (self.atom(),)
        self.aside = outer
        if value is not None and fn != "count":
            target = value if isinstance(value, ir.Var) else ir.Var(self.fresh())
            body = body if target is value else (*body, ir.Compare("=", target, value))
        self.aside.append(ir.Aggregate(self.fresh(), fn, target, body))
        return ir.Var(self.aside[-1].var)

    def body(self) -> tuple[Any, ...]:
        arms = [self.conjunction()]
        while self.accept(";"):
            arms.append(self.conjunction())
        return arms[0] if len(arms) == 1 else (ir.Either(tuple(arms)),)

    def literal(self) -> Sequence[Any]:
        return [] if self.accept("true") else super().literal()

    def kind(self) -> str:
        name = self.name()
        return self.aliases.get(name, name)

    def column(self) -> tuple[str, str]:
        name = self.name()
        self.expect(":")
        return name, self.kind()

    def type(self) -> None:
        name = self.name()
        if self.accept("<:"):
            self.types[name] = ir.TypeDef(name, self.kind())
        elif not self.accept("="):
            self.types[name] = ir.TypeDef(name, "symbol")
        elif self.peek() == "[":
            self.types[name] = ir.TypeDef(name, "", tuple(kind for _, kind in self.listed(self.column, "[", "]")))
        else:
            self.aliases[name] = self.kind()

    def settled(self, kind: ir.TypeDef) -> ir.TypeDef:
        """A subtype straight of its base, which is all that our trees can say."""
        base = kind.base
        for _ in self.types:
            base = self.types[base].base if base in self.types else base
        if not kind.fields and base not in PRIMITIVE:
            raise Unreadable(f"{kind.name} has no simple base")
        return ir.TypeDef(kind.name, base, kind.fields)

    def decl(self) -> None:
        names = [self.name()]
        while self.accept(","):
            names.append(self.name())
        columns = self.listed(self.column, "(", ")")
        order = [name for name, _ in columns]
        marks: list[str] = []
        choice: list[tuple[int, ...]] = []
        while self.peek() in (*MARKS, "output", "printsize", "choice-domain"):
            mark = self.take()
            if mark in ("output", "printsize"):
                self.outputs += names
            elif mark in MARKS:
                marks.append(mark)
            else:
                choice.append(self.key(order))
                while self.accept(","):
                    choice.append(self.key(order))
        for name in names:
            self.rels[name] = ir.Rel(name, tuple(kind for _, kind in columns), tuple(marks), tuple(choice))

    def key(self, order: list[str]) -> tuple[int, ...]:
        return tuple(order.index(n) for n in (self.listed(self.name, "(", ")") if self.peek() == "(" else (self.name(),)))

    def output(self) -> None:
        self.outputs.append(self.name())
        while self.accept(","):
            self.outputs.append(self.name())
        if self.accept("("):
            while self.take() not in (")", ""):
                pass

    def pragma(self) -> None:
        texts = [self.take()]
        if self.peek().startswith('"'):
            texts.append(self.take())
        self.pragmas.append(" ".join(texts))

    def plan(self) -> tuple[tuple[int, ...], ...]:
        orders: list[tuple[int, ...]] = []
        while not orders or self.accept(","):
            self.expect(str(len(orders)))
            self.expect(":")
            orders.append(self.listed(lambda: int(self.take()), "(", ")"))
        return tuple(orders)

    def clause(self) -> None:
        self.aside = []
        heads = [self.atom()]
        if self.accept("<="):
            return self.subsumption(heads[0], self.atom())
        while self.accept(","):
            heads.append(self.atom())
        head_aside = tuple(self.aside)
        body = (self.body() if self.accept(":-") else ()) + head_aside
        self.expect(".")
        plan = self.plan() if self.accept(".plan") else ()
        for head in heads:
            is_fact = not body and not any(isinstance(n, (ir.Var, ir.Call, ir.Wild)) for _, n in walk(head.args))
            self.facts += [head] if is_fact else []
            self.rules += [] if is_fact else [ir.Rule(0, head, body, plan)]
        return None

    def subsumption(self, less: ir.Atom, more: ir.Atom) -> None:
        self.expect(":-")
        body = self.body()
        self.expect(".")
        terms: Sequence[Any] = [ir.Var(self.fresh()) if isinstance(a, ir.Wild) else a for a in less.args + more.args]
        if less.rel != more.rel or not all(isinstance(t, ir.Var) for t in terms) or not all(isinstance(c, ir.Compare) for c in body):
            raise Unreadable("a subsumption with more than comparisons")
        self.rules.append(ir.Subsumes(0, less.rel, tuple(terms[: len(less.args)]), tuple(terms[len(less.args) :]), body))

    def read(self) -> Draft:
        steps = {".type": self.type, ".decl": self.decl, ".output": self.output, ".printsize": self.output, ".pragma": self.pragma}
        # Relations and types may be declared after their use: declarations are read first.
        for first in (".type", ".decl"):
            for at in [i for i, t in enumerate(self.tokens) if t == first]:
                self.at = at + 1
                steps[first]()
        self.outputs, self.at = [], 0
        while self.at < len(self.tokens):
            steps[self.take()]() if self.peek() in steps else self.clause()
        if not {kind for rel in self.rels.values() for kind in rel.types} <= {*PRIMITIVE, *self.types}:
            raise Unreadable("a column of an unknown type")
        types = list(map(self.settled, self.types.values()))
        subsumed = {r.rel for r in self.rules if isinstance(r, ir.Subsumes)}
        # The renderer adds this mark by itself.
        rels = [
            msgspec.structs.replace(r, marks=tuple(m for m in r.marks if m != "btree_delete")) if r.name in subsumed else r
            for r in self.rels.values()
        ]
        return Draft(self.dialect, rels, self.facts, self.rules, list(dict.fromkeys(self.outputs)), types, self.pragmas)


class MuzReader(SouffleReader):
    """bddbddb's files, which muZ reads too: a domain's size, then facts and rules over it, here with '/' for the end of a line."""

    dialect = "muz"

    def read(self) -> Draft:
        while re.fullmatch(r"[A-Z]\w*", self.peek()) and self.peek(1).isdigit():
            self.at += 2
            self.accept("/")
        self.tokens = [t for t in self.tokens[self.at :] if t != "/"]
        self.at = 0
        for at, token in enumerate(self.tokens):
            if self.peek(at + 1) == "(":
                self.rels.setdefault(token, ir.Rel(token, ()))
        while self.at < len(self.tokens):
            self.clause()
        atoms = [n for _, n in walk((*self.facts, *self.rules)) if isinstance(n, ir.Atom)]
        rels = [ir.Rel(name, ("number",) * next(len(a.args) for a in atoms if a.rel == name)) for name in self.rels]
        heads = [r.head.rel for r in self.rules if isinstance(r, ir.Rule)]
        return squeezed(Draft(self.dialect, rels, self.facts, self.rules, heads[-1:]))


def squeezed(draft: Draft) -> Draft:
    """Constants that are too large for our vectors, in the same order, from zero on: without arithmetic nothing else matters."""
    held: list[Any] = sorted({n.value for _, n in walk((*draft.facts, *draft.rules)) if isinstance(n, ir.Const)})
    if len(held) > WIDEST + 1 or (held and held[0] < 0):
        raise Unreadable("more constants than a domain of ours holds")
    if not held or held[-1] <= WIDEST:
        return draft
    ranks = {value: rank for rank, value in enumerate(held)}
    facts, rules = transform((tuple(draft.facts), tuple(draft.rules)), lambda n: ir.Const(ranks[n.value], n.type) if isinstance(n, ir.Const) else n)
    return draft._replace(facts=facts, rules=rules)


class CozoReader(Reader):
    dialect = "cozo"
    brackets = ("[", "]")
    reserved = frozenset({"true", "false", "in", "or", "not"})

    def __init__(self, text: str) -> None:
        super().__init__(text, COZO)

    def special(self) -> Any:
        return ir.Const(None, "any") if self.accept("null") else None

    def disjunct(self) -> Sequence[Any]:
        arms = [tuple(self.literal())]
        while self.accept("or"):
            arms.append(tuple(self.literal()))
        return arms[0] if len(arms) == 1 else [ir.Either(tuple(arms))]

    def column(self) -> Any:
        name = self.name()
        if not self.accept("("):
            return ir.Var(name)
        if name not in AGGREGATES:
            raise Unreadable(f"the aggregate {name}")
        folded = ir.Fold(name, ir.Var(self.name()))
        self.expect(")")
        return folded

    def rule(self) -> None:
        name = "?" if self.accept("?") else self.name()
        columns = self.listed(self.column, "[", "]")
        if self.accept("<-"):
            rows = self.listed(lambda: self.listed(self.expression, "[", "]"), "[", "]")
            if any(len(row) != len(columns or rows[0]) or not all(isinstance(v, ir.Const) for v in row) for row in rows):
                raise Unreadable("rows that are not plain")
            self.facts += [ir.Atom(name, row) for row in rows]
            columns = columns or rows[0]
        else:
            self.expect(":=")
            self.rules.append(ir.Rule(0, ir.Atom(name, columns), self.body()))
        if len(self.rels.setdefault(name, ir.Rel(name, ("",) * len(columns))).types) != len(columns):
            raise Unreadable(f"{name} has several widths")

    def read(self) -> Draft:
        while self.at < len(self.tokens):
            if not self.accept(";"):
                self.rule()
        asked = [r for r in self.rules if isinstance(r, ir.Rule) and r.head.rel == "?"]
        if len(asked) == 1 and self.passed_on(asked[0]):
            output = asked[0].body[0].rel  # type: ignore[union-attr] # passed_on looked at it
            del self.rels["?"]
            return Draft(self.dialect, list(self.rels.values()), self.facts, [r for r in self.rules if r is not asked[0]], [output])
        output = "out" if "out" not in self.rels else self.fresh()
        self.rels[output] = ir.Rel(output, self.rels.pop("?").types)
        facts, rules = transform(
            (tuple(self.facts), tuple(self.rules)), lambda n: ir.Atom(output, n.args) if isinstance(n, ir.Atom) and n.rel == "?" else n
        )
        return Draft(self.dialect, list(self.rels.values()), facts, rules, [output])

    def passed_on(self, rule: ir.Rule) -> bool:
        """?[a, b] := r[a, b]"""
        names = {a.name for a in rule.head.args if isinstance(a, ir.Var)}
        return len(rule.body) == 1 and isinstance(rule.body[0], ir.Atom) and rule.body[0].args == rule.head.args and len(names) == len(rule.head.args)


# --- types -------------------------------------------------------------------------------------------------------------------------


def nested(body: Iterable[Any]) -> Iterator[Any]:
    """All literals, those inside of disjunctions and aggregates too; a negated atom as an atom."""
    for literal in body:
        if isinstance(literal, ir.Either):
            for arm in literal.arms:
                yield from nested(arm)
            continue
        if isinstance(literal, ir.Aggregate):
            yield from nested(literal.body)
        yield literal.atom if isinstance(literal, ir.Not) else literal


class Typist:
    """Finds the types of variables and of columns that were declared without, then says every term with its type.

    A variable gives all its places one type, as legal.py wants it. Where they hold several it is 'any', unless a function needs one.
    """

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.functors, self.tests = functor_words(draft.dialect), test_words(draft.dialect)
        self.bases = {t.name: t.base for t in draft.types if t.base}
        self.fields = {t.name: t.fields for t in draft.types if t.fields}
        self.is_declared = not any("" in rel.types for rel in draft.rels)
        self.held: dict[Any, set[str]] = defaultdict(set)
        self.wanted: dict[Any, set[str]] = defaultdict(set)
        self.links: list[tuple[Any, Any]] = []
        self.vars: Mapping[str, str] = {}
        self.is_guessing = False
        self.count = 0

    # Kinds.
    def one(self, place: Any) -> str:
        held = self.held[place]
        if len(held) < 2:
            return next(iter(held), "")
        return next(iter(self.wanted[place])) if len(self.wanted[place]) == 1 and "any" not in held else "any"

    def kind(self, term: Any) -> str:
        if isinstance(term, ir.Var):
            return self.vars.get(term.name, "")
        if isinstance(term, ir.Const):
            return term.type or ("number" if self.is_guessing else "")
        if not isinstance(term, ir.Call):
            return ""
        results = [FUNCTORS[n].result for n in self.fitting(term)]
        return results[0] if results and (self.is_guessing or len(set(results)) == 1) else ""

    def fitting(self, call: ir.Call) -> list[str]:
        given = ["" if isinstance(a, ir.Const) and not a.type else self.kind(a) for a in call.args]
        return [
            name
            for name in self.functors[call.fn, len(call.args)]
            if all(g in ("", kind) for g, kind in zip(given, FUNCTORS[name].args, strict=True))
        ]

    def infer(self) -> None:
        for rel in self.draft.rels:
            for i, kind in enumerate(rel.types):
                if kind:
                    self.held[rel.name, i].add(self.bases.get(kind, kind))
        if not self.is_declared:
            for fact in self.draft.facts:
                for i, value in enumerate(fact.args):
                    self.held[fact.rel, i].add(value.type or "number")  # type: ignore[union-attr] # a constant
        rules = [(n, r) for n, r in enumerate(self.draft.rules) if isinstance(r, ir.Rule)]
        for n, rule in rules:
            self.link(n, rule)
        for self.is_guessing in (False, True):
            before = -1
            while before != sum(map(len, self.held.values())):
                before = sum(map(len, self.held.values()))
                for n, rule in rules:
                    self.deduce(n, rule)
                for one, other in self.links:
                    for table in (self.held, self.wanted):
                        table[one] |= table[other]
                        table[other] |= table[one]

    def link(self, n: int, rule: ir.Rule) -> None:
        for literal in (*nested(rule.body), rule.head):
            if isinstance(literal, ir.Atom):
                for i, arg in enumerate(literal.args):
                    self.put(n, (literal.rel, i), arg)
            elif isinstance(literal, ir.Compare) and isinstance(literal.left, ir.Var) and isinstance(literal.right, ir.Var):
                self.links.append(((n, literal.left.name), (n, literal.right.name)))
        for _, call in walk(rule):
            if isinstance(call, ir.Call):
                for i, arg in enumerate(call.args):
                    kinds = {FUNCTORS[f].args[i] for f in self.functors[call.fn, len(call.args)]}
                    if isinstance(arg, ir.Var) and len(kinds) == 1:
                        self.wanted[n, arg.name] |= kinds

    def put(self, n: int, column: tuple[str, int], arg: Any) -> None:
        if isinstance(arg, ir.Var) or (isinstance(arg, ir.Fold) and arg.fn in ("min", "max")):
            self.links.append((column, (n, arg.name if isinstance(arg, ir.Var) else arg.arg.name)))
        elif isinstance(arg, ir.Fold):
            self.held[column].add("number" if arg.fn == "count" else "float")  # Cozo's sums are floats
        elif isinstance(arg, ir.Const) and not self.is_declared:
            self.held[column].add(arg.type or "number")
        elif isinstance(arg, ir.Record):
            for kind, field in zip(self.fields.get(next(iter(self.held[column]), ""), ()), arg.args, strict=False):
                if isinstance(field, ir.Var):
                    self.held[n, field.name].add(self.bases.get(kind, kind))

    def deduce(self, n: int, rule: ir.Rule) -> None:
        self.enter(n)
        for literal in nested(rule.body):
            if isinstance(literal, ir.Aggregate):
                self.held[n, literal.var] |= {"number"} if literal.target is None else self.held[n, literal.target.name]
            elif isinstance(literal, ir.Compare) and literal.op == "=":
                for one, other in ((literal.left, literal.right), (literal.right, literal.left)):
                    if isinstance(one, ir.Var) and not isinstance(other, ir.Var):
                        kind = self.kind(other)
                        # A declared type makes a number what it is, not the other way round.
                        if kind and not (self.is_declared and self.held[n, one.name]):
                            self.held[n, one.name].add(kind)

    def enter(self, n: int) -> None:
        self.vars = {place[1]: self.one(place) for place in list(self.held) if place[0] == n}

    # Terms and literals with their types.
    def term(self, node: Any, want: str) -> Any:
        want = self.bases.get(want, want)
        if isinstance(node, ir.Const) and not node.type and isinstance(node.value, int):
            # Cozo tells 0 from 0.0 (its issue 122): there a number stays as it was written.
            return ir.Const(float(node.value) if want == "float" and self.is_declared else node.value, want if want in NUMERIC else "number")
        if isinstance(node, ir.Record):
            if len(self.fields.get(want, ())) != len(node.args):
                raise Unreadable(f"{want} is no such record")
            return ir.Record(tuple(self.term(a, k) for a, k in zip(node.args, self.fields[want], strict=True)))
        if not isinstance(node, ir.Call):
            return node
        names = self.fitting(node)
        if not names:
            raise Unreadable(f"{node.fn} has arguments of other types")
        name = next((n for n in names if FUNCTORS[n].result == want), names[0])
        return ir.Call(name, tuple(self.term(a, k) for a, k in zip(node.args, FUNCTORS[name].args, strict=True)))

    def atom(self, atom: ir.Atom, key: int = 0) -> ir.Atom:
        kinds = next((r.types for r in self.draft.rels if r.name == atom.rel), ())
        if len(kinds) != len(atom.args):
            raise Unreadable(f"{atom.rel} has another width")
        return ir.Atom(
            atom.rel, tuple(self.term(a, k or self.one((atom.rel, i))) for i, (a, k) in enumerate(zip(atom.args, kinds, strict=True))), key
        )

    def literal(self, node: Any, is_inside: bool = False) -> Any:
        if isinstance(node, ir.Atom):
            self.count += not is_inside
            return self.atom(node, 0 if is_inside else self.count)
        if isinstance(node, ir.Not):
            return ir.Not(self.atom(node.atom))
        if isinstance(node, ir.Compare):
            return self.compare(node)
        if isinstance(node, ir.Holds):
            kinds = TESTS[node.fn.removeprefix("!")].args
            return ir.Holds(node.fn, tuple(self.term(a, k) for a, k in zip(node.args, kinds, strict=True)))
        if isinstance(node, ir.Either):
            return ir.Either(tuple(tuple(self.literal(lit, is_inside) for lit in arm) for arm in node.arms))
        return msgspec.structs.replace(node, body=tuple(self.literal(lit, True) for lit in node.body))

    def compare(self, node: ir.Compare) -> ir.Compare:
        given = [self.kind(side) for side in (node.left, node.right) if not (isinstance(side, ir.Const) and not side.type)]
        want = next((k for k in given if k), "number")
        if want == "unsigned" and not variables(node):
            raise Unreadable("unsigned constants alone")  # as they are written out, nothing would say that they are unsigned
        return ir.Compare(node.op, self.term(node.left, want), self.term(node.right, want))

    def rule(self, n: int, rule: ir.Rule | ir.Subsumes) -> ir.Rule | ir.Subsumes:
        self.enter(n)
        self.count = 0
        if isinstance(rule, ir.Subsumes):
            kinds = next(r.types for r in self.draft.rels if r.name == rule.rel)
            self.vars = {v.name: self.bases.get(k, k) for side in (rule.less, rule.more) for v, k in zip(side, kinds, strict=True)}
            return ir.Subsumes(n + 1, rule.rel, rule.less, rule.more, tuple(map(self.compare, rule.body)))
        return ir.Rule(n + 1, self.atom(rule.head), tuple(self.literal(lit) for lit in rule.body), rule.plan)

    def typed(self) -> tuple[ir.Scene, list[ir.Rules]]:
        self.infer()
        draft = self.draft
        rules = tuple(self.rule(n, rule) for n, rule in enumerate(draft.rules))
        rels = [msgspec.structs.replace(r, types=tuple(k or self.one((r.name, i)) or "any" for i, k in enumerate(r.types))) for r in draft.rels]
        ruled = {r.rel if isinstance(r, ir.Subsumes) else r.head.rel for r in rules}
        facts = tuple(ir.Fact(f.rel, tuple(map(value, self.atom(f).args))) for f in draft.facts)
        scene = ir.Scene(tuple(r for r in rels if r.name not in ruled), facts, tuple(draft.types))
        own = tuple(r for r in rels if r.name in ruled)
        return scene, [ir.Rules(own, rules, output, tuple(draft.pragmas)) for output in draft.outputs]


def value(term: Any) -> Any:
    return tuple(value(a) for a in term.args) if isinstance(term, ir.Record) else term.value


# --- programs ----------------------------------------------------------------------------------------------------------------------


def drafted(text: str) -> Draft:
    if re.search(r"^\s*\.decl\b", text, re.MULTILINE):
        return SouffleReader(text).read()
    if DOMAIN.match(text):
        return MuzReader(text).read()
    if re.search(r"\?\s*\[[^\]]*\]\s*(:=|<-)", text):
        return CozoReader(text).read()
    raise Unreadable("a dialect that we do not know")


def known(setup: Sequence[str], query: str) -> tuple[ir.Scene, list[ir.Rules | ir.RawProgram]]:
    """A known bug as a scene and a question for each relation that it puts out; what can't be read is one question, as it is."""
    try:
        draft = drafted("\n".join([*setup, query]))
        scene, questions = Typist(draft).typed()
        for rules in questions:
            # It must be possible to say what was read, and to evaluate it, whether it has one meaning or not.
            dialects.find(draft.dialect).text(ir.program(scene, rules))
            legal.meaning(ir.program(scene, rules))
        if questions:
            return scene, [*questions]
    except FAILED:
        pass  # a text that others wrote may hold anything
    return ir.Scene(()), [ir.RawProgram(query)]

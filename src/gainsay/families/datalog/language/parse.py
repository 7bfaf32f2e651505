"""Reads Datalog that others wrote, in Soufflé's words, in CozoScript, or in bddbddb's, into our own trees.
For known bugs and users' programs.

What is not understood to the last word stays text: a program that is half read would be judged by a meaning that it
does not have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from gainsay.core.tree import transform, walk
from gainsay.families.datalog.language import dialects, ir
from gainsay.families.datalog.language.inferred import PRIMITIVE, Draft, TypeInference, Unreadable
from gainsay.families.datalog.language.ops import AGGREGATES
from gainsay.families.datalog.language.reader import Reader
from gainsay.families.datalog.meaning import legal

DIRECTIVES = (
    "decl|type|output|printsize|pragma|plan|input|limitsize|comp|init|functor|include|override"
    "|symbol_type|number_type|once"
)
TOKEN = (
    r"""\s+|{comment}|(\d+\.\d+(?:[eE][+-]?\d+)?|0[xb][0-9a-fA-F]+|\d+u?|{word}|"""
    r""""(?:[^"\\\n]|\\.)*"|'[^'\\\n]*'|{sign}|[<>!=]=|.)"""
)
SOUFFLE = re.compile(
    TOKEN.format(
        comment=r"//[^\n]*|/\*.*?\*/", word=rf"choice-domain|[A-Za-z_?][\w?]*|\.(?:{DIRECTIVES})\b", sign=":-|<:"
    ),
    re.DOTALL,
)
COZO = re.compile(
    TOKEN.format(comment=r"\#[^\n]*|/\*.*?\*/", word=r"[A-Za-z_]\w*", sign=r":=|<-|<~|\+\+|&&|\|\|"), re.DOTALL
)
DOMAIN = re.compile(r"\s*[A-Z]\w*\s+\d+\s*(?:/|\n)")
MARKS = ("inline", "no_inline", "magic", "no_magic", "brie", "btree", "btree_delete", "eqrel", "overridable")
WIDEST = 63  # our muz dialect has vectors of six bits
FAILED = (
    Unreadable,
    RecursionError,
    KeyError,
    IndexError,
    ValueError,
    TypeError,
    AttributeError,
    OverflowError,
    StopIteration,
)


class SouffleReader(Reader):
    """Reads Soufflé's Datalog."""

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
        if value is not None and not AGGREGATES[fn].counts:
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
        """.decl name(column:type, ...) marks; the word was read."""
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
        return tuple(
            order.index(n) for n in (self.listed(self.name, "(", ")") if self.peek() == "(" else (self.name(),))
        )

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
        """A fact, a rule with one head or several, or a subsumption."""
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
        """less <= more :- comparisons."""
        self.expect(":-")
        body = self.body()
        self.expect(".")
        terms: Sequence[Any] = [ir.Var(self.fresh()) if isinstance(a, ir.Wild) else a for a in less.args + more.args]
        if (
            less.rel != more.rel
            or not all(isinstance(t, ir.Var) for t in terms)
            or not all(isinstance(c, ir.Compare) for c in body)
        ):
            raise Unreadable("a subsumption with more than comparisons")
        self.rules.append(
            ir.Subsumes(0, less.rel, tuple(terms[: len(less.args)]), tuple(terms[len(less.args) :]), body)
        )

    def read(self) -> Draft:
        """The whole program: declarations first, since they may stand behind their use."""
        steps = {
            ".type": self.type,
            ".decl": self.decl,
            ".output": self.output,
            ".printsize": self.output,
            ".pragma": self.pragma,
        }
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
            msgspec.structs.replace(r, marks=tuple(m for m in r.marks if m != "btree_delete"))
            if r.name in subsumed
            else r
            for r in self.rels.values()
        ]
        return Draft(self.dialect, rels, self.facts, self.rules, list(dict.fromkeys(self.outputs)), types, self.pragmas)


class MuzReader(SouffleReader):
    """bddbddb's files, which muZ reads too: a domain's size, then facts and rules over it, here with '/' for the end of
    a line."""

    dialect = "muz"

    def read(self) -> Draft:
        """The whole program, whose relations are not declared."""
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
    """Constants that are too large for our vectors, in the same order, from zero on: without arithmetic nothing else
    matters."""
    held: list[Any] = sorted({n.value for _, n in walk((*draft.facts, *draft.rules)) if isinstance(n, ir.Const)})
    if len(held) > WIDEST + 1 or (held and held[0] < 0):
        raise Unreadable("more constants than a domain of ours holds")
    if not held or held[-1] <= WIDEST:
        return draft
    ranks = {value: rank for rank, value in enumerate(held)}
    facts, rules = transform(
        (tuple(draft.facts), tuple(draft.rules)),
        lambda n: ir.Const(ranks[n.value], n.type) if isinstance(n, ir.Const) else n,
    )
    return draft._replace(facts=facts, rules=rules)


class CozoReader(Reader):
    """Reads CozoScript."""

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
        """name[columns] <- rows, or name[columns] := body"""
        name = "?" if self.accept("?") else self.name()
        columns = self.listed(self.column, "[", "]")
        if self.accept("<-"):
            rows = self.listed(lambda: self.listed(self.expression, "[", "]"), "[", "]")
            if any(
                len(row) != len(columns or rows[0]) or not all(isinstance(v, ir.Const) for v in row) for row in rows
            ):
                raise Unreadable("rows that are not plain")
            self.facts += [ir.Atom(name, row) for row in rows]
            columns = columns or rows[0]
        else:
            self.expect(":=")
            self.rules.append(ir.Rule(0, ir.Atom(name, columns), self.body()))
        if len(self.rels.setdefault(name, ir.Rel(name, ("",) * len(columns))).types) != len(columns):
            raise Unreadable(f"{name} has several widths")

    def read(self) -> Draft:
        """The whole query: what ? asks for is the output."""
        while self.at < len(self.tokens):
            if not self.accept(";"):
                self.rule()
        asked = [r for r in self.rules if isinstance(r, ir.Rule) and r.head.rel == "?"]
        if len(asked) == 1 and self.passed_on(asked[0]):
            output = asked[0].body[0].rel  # type: ignore[union-attr] # passed_on looked at it
            del self.rels["?"]
            return Draft(
                self.dialect,
                list(self.rels.values()),
                self.facts,
                [r for r in self.rules if r is not asked[0]],
                [output],
            )
        output = "out" if "out" not in self.rels else self.fresh()
        self.rels[output] = ir.Rel(output, self.rels.pop("?").types)
        facts, rules = transform(
            (tuple(self.facts), tuple(self.rules)),
            lambda n: ir.Atom(output, n.args) if isinstance(n, ir.Atom) and n.rel == "?" else n,
        )
        return Draft(self.dialect, list(self.rels.values()), facts, rules, [output])

    def passed_on(self, rule: ir.Rule) -> bool:
        """?[a, b] := r[a, b]"""
        names = {a.name for a in rule.head.args if isinstance(a, ir.Var)}
        return (
            len(rule.body) == 1
            and isinstance(rule.body[0], ir.Atom)
            and rule.body[0].args == rule.head.args
            and len(names) == len(rule.head.args)
        )


# --- programs ---------------------------------------------------------------------------------------------------------


def drafted(text: str) -> Draft:
    if re.search(r"^\s*\.decl\b", text, re.MULTILINE):
        return SouffleReader(text).read()
    if DOMAIN.match(text):
        return MuzReader(text).read()
    if re.search(r"\?\s*\[[^\]]*\]\s*(:=|<-)", text):
        return CozoReader(text).read()
    raise Unreadable("a dialect that we do not know")


def known(setup: Sequence[str], query: str) -> tuple[ir.Scene, list[ir.Rules | ir.RawProgram]]:
    """A known bug as a scene and a question for each relation that it puts out; what can't be read is one question, as
    it is."""
    try:
        draft = drafted("\n".join([*setup, query]))
        scene, questions = TypeInference(draft).typed()
        for rules in questions:
            # It must be possible to say what was read, and to evaluate it, whether it has one meaning or not.
            dialects.find(draft.dialect).text(ir.program(scene, rules))
            legal.meaning(ir.program(scene, rules))
        if questions:
            return scene, [*questions]
    except FAILED:
        pass  # a text that others wrote may hold anything
    return ir.Scene(()), [ir.RawProgram(query)]

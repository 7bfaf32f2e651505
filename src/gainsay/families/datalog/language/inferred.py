"""Gives types to a program that was read without: to variables, constants, functors, and columns that nobody
declared."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from gainsay.core.tree import walk
from gainsay.families.datalog.language import dialects, ir
from gainsay.families.datalog.language.binding import variables
from gainsay.families.datalog.language.ops import AGGREGATES, FUNCTORS, TESTS

NUMERIC = ("number", "unsigned", "float")
PRIMITIVE = (*NUMERIC, "symbol")


class Unreadable(Exception):
    """A text that goes beyond what this reader knows."""


class Draft(NamedTuple):
    """A program as it was read: a number that may be of any type, a functor and a column of no declared type have no
    type yet."""

    dialect: str
    rels: Sequence[ir.Rel]
    facts: Sequence[ir.Atom]
    rules: Sequence[ir.Rule | ir.Subsumes]
    outputs: Sequence[str]
    types: Sequence[ir.TypeDef] = ()
    pragmas: Sequence[str] = ()


def word_of(spelled: str) -> str:
    return re.sub(r"[{}(),\s]|(?<=\{)\d", "", spelled)


def functor_words(words: Mapping[str, str]) -> dict[tuple[str, int], list[str]]:
    """A word and its number of arguments: the functors it may stand for."""
    found: dict[tuple[str, int], list[str]] = defaultdict(list)
    for name, functor in FUNCTORS.items():
        if name in words:
            found[word_of(words[name]), len(functor.args)].append(name)
    return dict(found)


def test_words(words: Mapping[str, str]) -> dict[str, tuple[str, list[int]]]:
    """A word: the test it stands for, and the place of each of its arguments in ours."""
    found = {}
    for name in TESTS:
        if name in words:
            places = re.findall(r"\{(\d?)\}", words[name])
            found[word_of(words[name])] = (name, [int(p) if p else i for i, p in enumerate(places)])
    return found


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


class TypeInference:
    """Finds the types of variables and of columns that were declared without, then says every term with its type.

    A variable gives all its places one type, as legal.py wants it. Where they hold several it is 'any', unless a
    function needs one."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        words = dialects.find(draft.dialect).words
        self.functors, self.tests = functor_words(words), test_words(words)
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
        """Work out which types each column and each variable holds."""
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
        """Note which columns and variables of a rule have one type."""
        for literal in (*nested(rule.body), rule.head):
            if isinstance(literal, ir.Atom):
                for i, arg in enumerate(literal.args):
                    self.put(n, (literal.rel, i), arg)
            elif (
                isinstance(literal, ir.Compare)
                and isinstance(literal.left, ir.Var)
                and isinstance(literal.right, ir.Var)
            ):
                self.links.append(((n, literal.left.name), (n, literal.right.name)))
        for _, call in walk(rule):
            if isinstance(call, ir.Call):
                for i, arg in enumerate(call.args):
                    kinds = {FUNCTORS[f].args[i] for f in self.functors[call.fn, len(call.args)]}
                    if isinstance(arg, ir.Var) and len(kinds) == 1:
                        self.wanted[n, arg.name] |= kinds

    def put(self, n: int, column: tuple[str, int], arg: Any) -> None:
        """Note what an argument says of its column."""
        if isinstance(arg, ir.Var) or (isinstance(arg, ir.Fold) and AGGREGATES[arg.fn].chooses):
            self.links.append((column, (n, arg.name if isinstance(arg, ir.Var) else arg.arg.name)))
        elif isinstance(arg, ir.Fold):
            self.held[column].add("number" if AGGREGATES[arg.fn].counts else "float")  # Cozo's sums are floats
        elif isinstance(arg, ir.Const) and not self.is_declared:
            self.held[column].add(arg.type or "number")
        elif isinstance(arg, ir.Record):
            for kind, field in zip(self.fields.get(next(iter(self.held[column]), ""), ()), arg.args, strict=False):
                if isinstance(field, ir.Var):
                    self.held[n, field.name].add(self.bases.get(kind, kind))

    def deduce(self, n: int, rule: ir.Rule) -> None:
        """Note the types of variables that a rule computes."""
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
        """A term with its constants typed, where this type is wanted."""
        want = self.bases.get(want, want)
        if isinstance(node, ir.Const) and not node.type and isinstance(node.value, int):
            # Cozo tells 0 from 0.0 (its issue 122): there a number stays as it was written.
            return ir.Const(
                float(node.value) if want == "float" and self.is_declared else node.value,
                want if want in NUMERIC else "number",
            )
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
        """An atom with its constants typed by their columns."""
        kinds = next((r.types for r in self.draft.rels if r.name == atom.rel), ())
        if len(kinds) != len(atom.args):
            raise Unreadable(f"{atom.rel} has another width")
        return ir.Atom(
            atom.rel,
            tuple(
                self.term(a, k or self.one((atom.rel, i)))
                for i, (a, k) in enumerate(zip(atom.args, kinds, strict=True))
            ),
            key,
        )

    def literal(self, node: Any, is_inside: bool = False) -> Any:
        """A literal with its constants typed; atoms that are not nested get keys."""
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
        given = [
            self.kind(side) for side in (node.left, node.right) if not (isinstance(side, ir.Const) and not side.type)
        ]
        want = next((k for k in given if k), "number")
        if want == "unsigned" and not variables(node):
            # As they are written out, nothing would say that they are unsigned
            raise Unreadable("unsigned constants alone")
        return ir.Compare(node.op, self.term(node.left, want), self.term(node.right, want))

    def rule(self, n: int, rule: ir.Rule | ir.Subsumes) -> ir.Rule | ir.Subsumes:
        """A rule with its constants typed."""
        self.enter(n)
        self.count = 0
        if isinstance(rule, ir.Subsumes):
            kinds = next(r.types for r in self.draft.rels if r.name == rule.rel)
            self.vars = {
                v.name: self.bases.get(k, k)
                for side in (rule.less, rule.more)
                for v, k in zip(side, kinds, strict=True)
            }
            return ir.Subsumes(n + 1, rule.rel, rule.less, rule.more, tuple(map(self.compare, rule.body)))
        return ir.Rule(n + 1, self.atom(rule.head), tuple(self.literal(lit) for lit in rule.body), rule.plan)

    def typed(self) -> tuple[ir.Scene, list[ir.Rules]]:
        """The scene, and the rules for each output, with all types."""
        self.infer()
        draft = self.draft
        rules = tuple(self.rule(n, rule) for n, rule in enumerate(draft.rules))
        rels = [
            msgspec.structs.replace(r, types=tuple(k or self.one((r.name, i)) or "any" for i, k in enumerate(r.types)))
            for r in draft.rels
        ]
        ruled = {r.rel if isinstance(r, ir.Subsumes) else r.head.rel for r in rules}
        facts = tuple(ir.Fact(f.rel, tuple(map(value, self.atom(f).args))) for f in draft.facts)
        scene = ir.Scene(tuple(r for r in rels if r.name not in ruled), facts, tuple(draft.types))
        own = tuple(r for r in rels if r.name in ruled)
        return scene, [ir.Rules(own, rules, output, tuple(draft.pragmas)) for output in draft.outputs]


def value(term: Any) -> Any:
    return tuple(value(a) for a in term.args) if isinstance(term, ir.Record) else term.value

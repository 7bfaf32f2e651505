"""Whether a program means one thing to everybody: declared, typed, safe, stratified, and with no value on which engines
may differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gainsay.core.tree import walk
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.language.binding import Unsafe, order
from gainsay.families.datalog.language.ops import AGGREGATES, COMPARISONS, FUNCTORS, TESTS, Undefined
from gainsay.families.datalog.meaning.rulecode import Limits, TooBig
from gainsay.families.datalog.meaning.semantics import Evaluation, Tables, Unstratified, literals

ILL = (Unsafe, Unstratified, TooBig, Undefined)


class IllTyped(Exception):
    """An argument has not the type of its place."""


class Typing:
    """The types of one rule's variables."""

    def __init__(self, rels: Mapping[str, Sequence[str]], types: Mapping[str, ir.TypeDef]) -> None:
        self.rels = rels
        self.types = types
        self.vars: dict[str, str] = {}

    def base(self, kind: str) -> str:
        found = self.types.get(kind)
        return found.base if found is not None and found.base else kind

    def is_below(self, kind: str, wanted: str) -> bool:
        return kind == wanted or self.base(kind) == wanted

    def atom(self, atom: ir.Atom, is_head: bool = False) -> None:
        kinds = self.rels.get(atom.rel)
        if kinds is None or len(kinds) != len(atom.args):
            raise IllTyped(atom.rel)
        for arg, kind in zip(atom.args, kinds, strict=True):
            self.place(arg, kind, is_head)

    def place(self, term: Any, kind: str, is_head: bool = False) -> None:
        """Note that a term stands where this type is wanted; raise where that can't be."""
        if isinstance(term, ir.Var):
            known = self.vars.setdefault(term.name, kind)
            if not (known == kind or (is_head and self.is_below(known, kind))):
                raise IllTyped(f"{term.name}: {known} and {kind}")
        elif isinstance(term, ir.Record):
            fields = self.types[kind].fields if kind in self.types else ()
            if len(fields) != len(term.args):
                raise IllTyped(kind)
            for arg, field in zip(term.args, fields, strict=True):
                self.place(arg, field, is_head)
        elif isinstance(term, ir.Const):
            if self.base(kind) != self.base(term.type) and kind != "any":
                raise IllTyped(f"{term.value} is no {kind}")
        elif isinstance(term, ir.Call):
            if not self.is_below(self.call(term), self.base(kind)):
                raise IllTyped(term.fn)
        elif isinstance(term, ir.Fold):
            if not is_head or term.arg.name not in self.vars:
                raise IllTyped("an aggregate outside of a head")
            if not AGGREGATES[term.fn].counts and self.vars[term.arg.name] not in ("number", "unsigned", "float"):
                raise IllTyped(f"{term.fn} of a text")
        elif is_head:
            raise IllTyped("a wildcard in a head")

    def call(self, term: ir.Call) -> str:
        functor = FUNCTORS[term.fn]
        if len(term.args) != len(functor.args):
            raise IllTyped(term.fn)
        if functor.by_constants and not (isinstance(term.args[1], ir.Const) and term.args[1].value):
            raise IllTyped("a division that may be by zero")
        for arg, kind in zip(term.args, functor.args, strict=True):
            self.place(arg, kind)
        return functor.result

    def kind(self, term: Any) -> str:
        if isinstance(term, ir.Var):
            return self.vars.get(term.name, "")
        return term.type if isinstance(term, ir.Const) else self.call(term) if isinstance(term, ir.Call) else ""

    def literal(self, literal: Any) -> None:
        """Note the types of what stands in a literal."""
        if isinstance(literal, ir.Atom):
            self.atom(literal)
        elif isinstance(literal, ir.Not):
            self.atom(literal.atom)
        elif isinstance(literal, ir.Holds):
            for arg, kind in zip(literal.args, TESTS[literal.fn.removeprefix("!")].args, strict=True):
                self.place(arg, kind)
        elif isinstance(literal, ir.Compare):
            self.compare(literal)
        elif isinstance(literal, ir.Aggregate):
            self.aggregate(literal)
        elif isinstance(literal, ir.Either):
            if not literal.arms or not all(literal.arms):
                raise IllTyped("an empty arm")

    def compare(self, literal: ir.Compare) -> None:
        """Both sides have one type; a variable gets that of the other side."""
        left, right = self.kind(literal.left), self.kind(literal.right)
        for term, other in ((literal.left, right), (literal.right, left)):
            if isinstance(term, ir.Record) and other and literal.op in ("=", "!="):
                self.place(term, other)  # a record has the type of its other side
                return
        for term, other in ((literal.left, right), (literal.right, left)):
            if isinstance(term, ir.Var) and other:
                self.vars.setdefault(term.name, other)
        left, right = self.kind(literal.left), self.kind(literal.right)
        if self.base(left) != self.base(right) and "any" not in (left, right):
            raise IllTyped(f"{left} and {right}")
        if COMPARISONS[literal.op].is_order and "any" in (left, right):
            raise IllTyped("an order of anything")

    def aggregate(self, literal: ir.Aggregate) -> None:
        """Its variables are its own; its result is a number."""
        before = dict(self.vars)
        for inner in literal.body:
            self.literal(inner)
        kind = self.vars.get(literal.target.name, "") if literal.target is not None else "number"
        if kind not in ("number", "unsigned", "float"):
            raise IllTyped("an aggregate of a text")
        self.vars = {**before, literal.var: kind}


def check_types(program: ir.Program) -> None:
    """Raise IllTyped unless facts and rules fit the declared types."""
    rels = {r.name: r.types for r in (*program.rels, *program.seeded)}
    types = {t.name: t for t in program.types}
    for fact in program.facts:
        if len(rels.get(fact.rel, ())) != len(fact.values) or fact.rel not in rels:
            raise IllTyped(fact.rel)
    for rule in program.rules:
        if isinstance(rule, ir.Subsumes):
            if len(rels.get(rule.rel, ())) != len(rule.less) or len(rule.less) != len(rule.more) or not rule.body:
                raise IllTyped(rule.rel)
            continue
        typing = Typing(rels, types)
        # Atoms first: they say what a variable is; then what is computed from them.
        flat = list(literals(rule.body))
        for literal in sorted(
            flat, key=lambda lit: (not isinstance(lit, ir.Atom), isinstance(lit, (ir.Holds, ir.Not)))
        ):
            typing.literal(literal)
        for literal in rule.body:
            if isinstance(literal, ir.Either):
                typing.literal(literal)
        typing.atom(rule.head, is_head=True)
        order(rule.body)


def has_wild(nodes: Any) -> bool:
    return any(isinstance(n, ir.Wild) for _, n in walk(nodes))


def all_variables(atoms: Sequence[ir.Atom]) -> bool:
    return all(isinstance(a, ir.Var) for atom in atoms for a in atom.args)


def check_marks(program: ir.Program) -> None:
    """What Soufflé's manual forbids, so that a refusal is not taken for a bug: inlined recursion, plans of rules that
    are not recursive."""
    seen: set[str] = set()
    for name in (r.name for r in (*program.rels, *program.seeded)):
        if name in seen:
            raise IllTyped(f"{name} twice")
        seen.add(name)
    inlined = {r.name for r in program.rels if "inline" in r.marks and r.name != program.output}
    for rule in program.rules:
        if not isinstance(rule, ir.Rule):
            continue
        if inlined:
            check_inline(rule, inlined)
        atoms = [lit for lit in rule.body if isinstance(lit, ir.Atom)]
        if rule.plan and (
            len({(a.rel, a.args) for a in atoms}) < len(atoms)
            or len(atoms) < len(rule.body)
            or not all_variables(atoms)
        ):
            raise IllTyped("a plan of atoms of which some may go")
        if rule.plan and (
            sorted(rule.plan[0]) != list(range(1, len(atoms) + 1)) or not any(a.rel == rule.head.rel for a in atoms)
        ):
            raise IllTyped("a plan that does not fit")
        if any(isinstance(a, ir.Fold) for a in rule.head.args):
            # Wildcards make it unclear over what an aggregate ranges; so does a second rule.
            if (
                has_wild(rule.body)
                or sum(isinstance(r, ir.Rule) and r.head.rel == rule.head.rel for r in program.rules) > 1
            ):
                raise IllTyped("an ambiguous aggregate")
            if not any(isinstance(a, ir.Var) for a in rule.head.args):
                raise IllTyped("an aggregate over everything")
        for literal in rule.body:
            if isinstance(literal, ir.Aggregate) and has_wild(literal.body):
                raise IllTyped("an ambiguous aggregate")


def check_inline(rule: ir.Rule, inlined: set[str]) -> None:
    """An inlined relation is not recursive, negated, aggregated over, or a mere fact."""
    if rule.head.rel in inlined and (
        not rule.body or any(isinstance(n, ir.Atom) and n.rel == rule.head.rel for _, n in walk(rule.body))
    ):
        raise IllTyped("an inlined recursion")
    is_grouped = any(isinstance(a, ir.Fold) for a in rule.head.args)
    for literal in literals(rule.body):
        hidden = isinstance(literal, (ir.Not, ir.Aggregate)) or is_grouped
        if hidden and any(isinstance(n, ir.Atom) and n.rel in inlined for _, n in walk(literal)):
            raise IllTyped("an inlined relation that is negated or aggregated over")


def meaning(
    program: ir.Program, given: Sequence[ir.Fact] = (), limits: Limits | None = None, unstratified: bool = False
) -> Tables | None:
    """The tables of a program that is legal; None for any other."""
    try:
        check_types(program)
        check_marks(program)
        if program.output not in {r.name for r in (*program.rels, *program.seeded)}:
            return None
        return Evaluation((*program.rels, *program.seeded), (*program.facts, *given), limits, unstratified).run(
            program.rules
        )
    except (*ILL, IllTyped, KeyError, ValueError, TypeError):
        return None


def evaluated(program: ir.Program, given: Sequence[ir.Fact] = ()) -> Tables | None:
    """The tables of a program that is known to be declared and typed; None where it has no one meaning."""
    try:
        return Evaluation((*program.rels, *program.seeded), (*program.facts, *given)).run(program.rules)
    except (*ILL, KeyError, ValueError, TypeError):
        return None


def rules_of(recipe: Any) -> Iterator[ir.Rules]:
    """The rules of a recipe: it is some, or has some."""
    for _, node in walk(recipe):
        if isinstance(node, ir.Rules):
            yield node
            return


def is_legal(scene: ir.Scene, recipe: Any) -> bool:
    """Whether a recipe's program has one right answer."""
    rules, unstratified = next(rules_of(recipe), None), "unstratified" in recipe.detours
    return rules is None or meaning(ir.program(scene, rules), scene.known, unstratified=unstratified) is not None

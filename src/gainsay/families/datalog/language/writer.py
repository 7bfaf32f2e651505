"""What most dialects share: the common spelling of terms, literals and rules, and rewrites for dialects that lack a
form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from gainsay.core.tree import transform
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.language.binding import patterns, variables
from gainsay.families.datalog.language.ops import AGGREGATES, COMPARISONS, FUNCTORS, TESTS

ORDER = frozenset(f"compare:{name}" for name, row in COMPARISONS.items() if row.is_order)
CORE = frozenset(
    {
        *("negation", "recursion", "wildcard", "constant", "negated wildcard", "negated all"),
        *(f"compare:{name}" for name, row in COMPARISONS.items() if not row.is_order),
    }
)


class Dialect:
    """The common spelling, which is nearly everybody's: head(x, y) :- body, !negated(x)."""

    name: ClassVar[str] = ""
    types: ClassVar[tuple[str, ...]] = ("number", "symbol")
    features: ClassVar[frozenset[str]] = CORE | ORDER
    marks: ClassVar[tuple[str, ...]] = ()
    pragmas: ClassVar[tuple[str, ...]] = ()
    lowest: ClassVar[int] = -3
    largest: ClassVar[int] = 1 << 20
    most_rules: ClassVar[int] = 1000  # of a program that `rules` grows by default
    # Tuples that a rule may join when all that it reads is put in its place
    most_unfolded: ClassVar[float] = float("inf")
    # What it does to a program that a whole number and the same as a float are different tuples, where they are
    mixed: ClassVar[str] = ""
    is_overloaded: ClassVar[bool] = False  # its functors are told apart by the types of their arguments
    functor_above: ClassVar[float] = 0.97  # an atom's argument is computed where a draw is above this
    sum_type: ClassVar[str] = ""  # of a sum in a head, where it is not that of the column
    comment: ClassVar[str] = "//"
    implies: ClassVar[str] = " :- "
    negation: ClassVar[str] = "!"
    brackets: ClassVar[tuple[str, str]] = ("(", ")")
    stop: ClassVar[str] = "."
    seed_files: ClassVar[tuple[str, ...]] = ()  # how the names of files end whose programs can be built on
    # How functors, tests and, with a ! before the name, their opposites are spelled, where ops.py does not know it
    spelled: ClassVar[Mapping[str, str]] = {}

    def __init__(self) -> None:
        self._spell: dict[type, Callable[[Any], str]] = {
            ir.Var: lambda n: self.var(n.name),
            ir.Const: lambda n: self.value(n.value, n.type),
            ir.Wild: lambda n: "_",
            ir.Call: self.call,
            ir.Record: lambda n: "[" + ", ".join(map(self.term, n.args)) + "]",
            ir.Atom: self.atom,
            ir.Not: lambda n: self.negation + self.atom(n.atom),
            ir.Compare: self.compare,
            ir.Holds: self.holds,
            ir.Either: self.either,
            ir.Aggregate: self.aggregate,
            ir.Rule: self.rule,
        }

    @cached_property
    def words(self) -> Mapping[str, str]:
        """By functor and test, or a test with a ! before its name: how it is spelled; not here: it can't be said."""
        found = {name: row.spelled[self.name] for name, row in FUNCTORS.items() if self.name in row.spelled}
        found |= {name: row.spelled[self.name] for name, row in TESTS.items() if self.name in row.spelled}
        found |= {f"!{name}": row.denied[self.name] for name, row in TESTS.items() if self.name in row.denied}
        return {**found, **self.spelled}

    @cached_property
    def folds(self) -> tuple[str, ...]:
        """The aggregates that it has in heads."""
        return tuple(name for name, row in AGGREGATES.items() if self.name in row.in_heads)

    @cached_property
    def aggregates(self) -> tuple[str, ...]:
        """The aggregates that it has in bodies."""
        return tuple(name for name, row in AGGREGATES.items() if self.name in row.in_bodies)

    # Words.
    def var(self, name: str) -> str:
        return name

    def value(self, value: Any, kind: str) -> str:
        if value.__class__ is str:
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        if value.__class__ is tuple:
            return "[" + ", ".join(self.value(v, "") for v in value) + "]"
        return str(value)

    def term(self, node: Any) -> str:
        return self._spell[node.__class__](node)

    def call(self, node: ir.Call) -> str:
        return self.words[node.fn].format(*map(self.term, node.args))

    def arguments(self, args: Sequence[Any]) -> str:
        return self.brackets[0] + ", ".join([self._spell[a.__class__](a) for a in args]) + self.brackets[1]

    def atom(self, node: ir.Atom) -> str:
        return node.rel + self.arguments(node.args)

    def compare(self, node: ir.Compare) -> str:
        return f"{self.term(node.left)} {node.op} {self.term(node.right)}"

    def holds(self, node: ir.Holds) -> str:
        return self.words[node.fn].format(*map(self.term, node.args))

    def either(self, node: ir.Either) -> str:
        return "(" + " ; ".join(", ".join(map(self.term, arm)) for arm in node.arms) + ")"

    def aggregate(self, node: ir.Aggregate) -> str:
        raise NotImplementedError

    def body(self, literals: Sequence[Any]) -> str:
        return ", ".join([self._spell[lit.__class__](lit) for lit in literals])

    def rule(self, node: ir.Rule) -> str:
        if not node.body:
            return self.atom(node.head) + self.stop
        return self.atom(node.head) + self.implies + self.body(node.body) + self.stop

    def fact(self, node: ir.Fact, types: Sequence[str]) -> str:
        return (
            node.rel
            + self.brackets[0]
            + ", ".join([self.value(v, t) for v, t in zip(node.values, types, strict=True)])
            + self.brackets[1]
            + self.stop
        )

    def text(self, node: Any) -> str:
        if isinstance(node, ir.RawProgram):
            return node.text
        return self.program(node)

    def program(self, node: ir.Program) -> str:
        raise NotImplementedError

    def seed(self, text: str) -> tuple[str, Sequence[ir.Rel]]:
        """What can be used of a program of somebody else's: the text that is kept, and the relations to build on."""
        raise NotImplementedError


def split_fold(rule: ir.Rule) -> ir.Rule:
    """A head aggregate as one in the body: h(g, sum(v)) :- b(g, v)  becomes  h(g, v_) :- b(g, v2), v_ = sum v : { b(g,
    v) }."""
    folds = [a for a in rule.head.args if isinstance(a, ir.Fold)]
    if not folds:
        return rule
    groups = {n for a in rule.head.args if not isinstance(a, ir.Fold) for n in variables(a)}
    inner = sorted(set(variables(rule.body)) - groups)
    renamed = transform(rule.body, lambda n: ir.Var(n.name + "_") if isinstance(n, ir.Var) and n.name in inner else n)
    head, extra = [], []
    for position, arg in enumerate(rule.head.args):
        if not isinstance(arg, ir.Fold):
            head.append(arg)
            continue
        head.append(ir.Var(f"agg{position}"))
        extra.append(ir.Aggregate(f"agg{position}", arg.fn, None if AGGREGATES[arg.fn].counts else arg.arg, rule.body))
    return ir.Rule(rule.key, ir.Atom(rule.head.rel, tuple(head)), (*renamed, *extra))


def tests(body: Sequence[Any]) -> list[Any]:
    """Cozo's '==' where both sides are bound by something else: '=' binds."""
    binding = set()
    for literal in body:
        if isinstance(literal, ir.Atom):
            binding |= patterns(literal.args)
    made = []
    for literal in body:
        if isinstance(literal, ir.Compare) and literal.op == "=":
            if set(variables(literal)) <= binding:
                literal = ir.Compare("==", literal.left, literal.right)
            else:
                binding |= set(variables(literal.left))
                if isinstance(literal.right, ir.Var) and literal.right.name not in binding:
                    binding.add(literal.right.name)
        elif isinstance(literal, ir.Either):
            literal = ir.Either(tuple(tuple(tests_arm(arm, binding)) for arm in literal.arms))
        made.append(literal)
    return made


def tests_arm(arm: Sequence[Any], binding: set[str]) -> list[Any]:
    inside = binding | {n for lit in arm if isinstance(lit, ir.Atom) for n in patterns(lit.args)}
    return [
        ir.Compare("==", lit.left, lit.right)
        if isinstance(lit, ir.Compare) and lit.op == "=" and set(variables(lit)) <= inside
        else lit
        for lit in arm
    ]


def lifted(literal: Any, number: int) -> list[Any]:
    """An atom whose functor arguments are bound by equations before it, for dialects without functors in atoms."""
    atom = literal.atom if isinstance(literal, ir.Not) else literal
    if not isinstance(atom, ir.Atom) or not any(isinstance(a, ir.Call) for a in atom.args):
        return [literal]
    before: list[Any] = []
    args: list[ir.Term] = []
    for position, arg in enumerate(atom.args):
        if isinstance(arg, ir.Call):
            name = ir.Var(f"f{number}_{position}")
            before.append(ir.Compare("=", name, arg))
            args.append(name)
        else:
            args.append(arg)
    made = ir.Atom(atom.rel, tuple(args), atom.key)
    return [*before, ir.Not(made) if isinstance(literal, ir.Not) else made]

"""Datalog as typed trees.
Rules and atoms carry keys, so that a rewrite still finds its place after a reducer has cut around it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Union

from gainsay.core.tree import Node

Value = Union[int, float, str, None, tuple[Union[int, float, str, None], ...]]


# --- terms ------------------------------------------------------------------------------------------------------------


class Var(Node, frozen=True):
    """A variable."""

    sort: ClassVar[str] = "term"
    keep: ClassVar[frozenset[str]] = frozenset({"name"})
    refers: ClassVar[Mapping[str, str]] = {"name": "variable"}
    name: str


class Const(Node, frozen=True):
    """A constant, with its type."""

    sort: ClassVar[str] = "term"
    value: int | float | str | None
    type: str = "number"


class Wild(Node, frozen=True):
    """_: anything."""

    sort: ClassVar[str] = "term"


class Call(Node, frozen=True):
    """A functor of ops.FUNCTORS."""

    sort: ClassVar[str] = "term"
    keep: ClassVar[frozenset[str]] = frozenset({"fn", "args"})
    fn: str
    args: tuple[Term, ...]


class Record(Node, frozen=True):
    """Soufflé's [a, b]: builds a record in a head, takes one apart in a body."""

    sort: ClassVar[str] = "term"
    keep: ClassVar[frozenset[str]] = frozenset({"args"})
    args: tuple[Term, ...]


class Fold(Node, frozen=True):
    """An aggregate in a head: over the distinct bindings of the body's variables, grouped by the other arguments."""

    keep: ClassVar[frozenset[str]] = frozenset({"fn"})
    fn: str
    arg: Var


Term = Union[Var, Const, Wild, Call, Record, Fold]


# --- literals ---------------------------------------------------------------------------------------------------------


class Atom(Node, frozen=True):
    """A relation of some terms. `key` names it within its rule."""

    keep: ClassVar[frozenset[str]] = frozenset({"rel", "args", "key"})
    refers: ClassVar[Mapping[str, str]] = {"rel": "relation"}
    places: ClassVar[tuple[str, ...]] = ("args",)
    rel: str
    args: tuple[Term, ...]
    key: int = 0


class Not(Node, frozen=True):
    """A negated atom."""

    atom: Atom


class Compare(Node, frozen=True):
    """`=` may bind its left side, a variable; the others only test."""

    keep: ClassVar[frozenset[str]] = frozenset({"op"})
    op: str
    left: Term
    right: Term


class Holds(Node, frozen=True):
    """A test of ops.TESTS: contains(x, y), str_includes(x, y)."""

    keep: ClassVar[frozenset[str]] = frozenset({"fn", "args"})
    fn: str
    args: tuple[Term, ...]


class Either(Node, frozen=True):
    """A disjunction; every arm binds the variables that are used outside."""

    arms: tuple[tuple[Literal, ...], ...]


class Aggregate(Node, frozen=True):
    """An aggregate in a body: var = fn target : { body }.
    Variables that the rest of the rule binds are fixed inside."""

    keep: ClassVar[frozenset[str]] = frozenset({"fn", "var", "target"})
    binds: ClassVar[Mapping[str, str]] = {"var": "variable"}
    var: str
    fn: str
    target: Var | None
    body: tuple[Literal, ...]


Literal = Union[Atom, Not, Compare, Holds, Either, Aggregate]


# --- programs ---------------------------------------------------------------------------------------------------------


class Rule(Node, frozen=True):
    """head :- body. `key` names it within its program, and stays when others are cut."""

    keep: ClassVar[frozenset[str]] = frozenset({"head", "key"})
    key: int
    head: Atom
    body: tuple[Literal, ...] = ()
    plan: tuple[tuple[int, ...], ...] = ()  # Soufflé's .plan, one order of the atoms for each version


class Subsumes(Node, frozen=True):
    """Soufflé's r(x...) <= r(y...) :- conditions: a tuple that is dominated is dropped."""

    keep: ClassVar[frozenset[str]] = frozenset({"rel", "less", "more", "key"})
    refers: ClassVar[Mapping[str, str]] = {"rel": "relation"}
    places: ClassVar[tuple[str, ...]] = ("less", "more")
    key: int
    rel: str
    less: tuple[Var, ...]
    more: tuple[Var, ...]
    body: tuple[Compare, ...] = ()


class Rel(Node, frozen=True):
    """A relation with the types of its columns, and how it is stored or treated."""

    keep: ClassVar[frozenset[str]] = frozenset({"name", "types"})
    binds: ClassVar[Mapping[str, str]] = {"name": "relation"}
    places: ClassVar[tuple[str, ...]] = ("types",)
    name: str
    types: tuple[str, ...]
    marks: tuple[str, ...] = ()
    choice: tuple[tuple[int, ...], ...] = ()


class Fact(Node, frozen=True):
    """A tuple of a relation."""

    keep: ClassVar[frozenset[str]] = frozenset({"rel", "values"})
    refers: ClassVar[Mapping[str, str]] = {"rel": "relation"}
    places: ClassVar[tuple[str, ...]] = ("values",)
    rel: str
    values: tuple[Value, ...]


class TypeDef(Node, frozen=True):
    """A subtype of `base`, or a record of `fields`."""

    keep: ClassVar[frozenset[str]] = frozenset({"name", "base", "fields"})
    name: str
    base: str = ""
    fields: tuple[str, ...] = ()


class Scene(Node, frozen=True):
    """What programs build on: input relations with their facts, and perhaps somebody's program, kept as it is."""

    keep: ClassVar[frozenset[str]] = frozenset({"seed", "seeded", "known"})
    rels: tuple[Rel, ...]
    facts: tuple[Fact, ...] = ()
    types: tuple[TypeDef, ...] = ()
    seed: str = ""  # the text of the seed program
    seeded: tuple[Rel, ...] = ()  # the relations that it defines
    known: tuple[Fact, ...] = ()  # what they held when the scene was grown


class Rules(Node, frozen=True):
    """What is drawn on a scene: rules, the relations they define, and the one that is asked for."""

    keep: ClassVar[frozenset[str]] = frozenset({"output"})
    refers: ClassVar[Mapping[str, str]] = {"output": "relation"}
    rels: tuple[Rel, ...]
    rules: tuple[Rule | Subsumes, ...]
    output: str
    pragmas: tuple[str, ...] = ()


class Program(Node, frozen=True):
    """A question: everything that an engine needs to know to give the tuples of `output`."""

    refers: ClassVar[Mapping[str, str]] = {"output": "relation"}
    types: tuple[TypeDef, ...]
    rels: tuple[Rel, ...]
    facts: tuple[Fact, ...]
    rules: tuple[Rule | Subsumes, ...]
    output: str
    pragmas: tuple[str, ...] = ()
    seed: str = ""
    seeded: tuple[Rel, ...] = ()


class RawProgram(Node, frozen=True):
    """A program that we could not read, in its engine's own words."""

    keep: ClassVar[frozenset[str]] = frozenset({"text"})
    text: str


def program(scene: Scene, rules: Rules, output: str = "") -> Program:
    """The question for rules on a scene: it carries the whole scene."""
    return Program(
        scene.types,
        scene.rels + rules.rels,
        scene.facts,
        rules.rules,
        output or rules.output,
        rules.pragmas,
        scene.seed,
        scene.seeded,
    )

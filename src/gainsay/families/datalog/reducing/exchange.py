"""What a title names: a program with one thing exchanged for another of its kind, or without a mark. Where that is as
wrong, the thing is not the cause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from gainsay.core.tree import put, walk
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.language.ops import AGGREGATES, FUNCTORS, group
from gainsay.families.datalog.meaning import legal
from gainsay.families.datalog.reducing import shape

replace = msgspec.structs.replace
Pair = tuple[ir.Scene, Any]
FEW = 4  # functors that are tried in a functor's place
MERE = frozenset({"constant", "wildcard", "join", "equality"})  # what is in nearly every program
NAMED = ("functor ", "test ", "aggregate ", "pragma ")  # what a title names besides the bucket, where it is needed


def exchanges(scene: ir.Scene, recipe: Any, dialect: str) -> Iterator[tuple[str, Any, Pair]]:
    """The exchanges after which something still follows: that nothing is wrong else says nothing."""
    is_empty = not has_rows(scene, recipe)
    return (new for new in candidates(scene, recipe, dialect) if is_empty or has_rows(*new[2]))


def has_rows(scene: ir.Scene, recipe: Any) -> bool:
    rules = next(legal.rules_of(recipe), None)
    tables = legal.meaning(ir.program(scene, rules), scene.known) if rules is not None else None
    return tables is not None and rules is not None and bool(tables[rules.output])


def candidates(scene: ir.Scene, recipe: Any, dialect: str) -> Iterator[tuple[str, Any, Pair]]:
    """What could be named, where it stands, and a program without it."""
    for path, node in walk(recipe):
        for name, new in exchanged(node, dialect):
            yield name, path, (scene, put(recipe, path, new))
    for path, node in walk(scene):
        for name, new in unmarked(node):
            yield name, ("scene", *path), (put(scene, path, new), recipe)


def exchanged(node: Any, dialect: str) -> Iterator[tuple[str, Any]]:
    """Another functor, aggregate or comparison in a node's place; a relation or a program without a mark."""
    if isinstance(node, ir.Call):
        yield from ((f"functor {group(node.fn)}", replace(node, fn=other)) for other in alike(node.fn, dialect)[:FEW])
    elif isinstance(node, ir.Fold) or (isinstance(node, ir.Aggregate) and node.target is not None):
        yield from ((f"aggregate {node.fn}", replace(node, fn=fn)) for fn in AGGREGATES if fn != node.fn)
    elif isinstance(node, ir.Compare) and node.op != "=":
        others = ["!="] if node.op != "!=" else ["<", ">"]
        yield from ((next(iter(shape.of_node(node))), replace(node, op=op)) for op in others)
    elif isinstance(node, ir.Rules):
        for number, pragma in enumerate(node.pragmas):
            rest = (*node.pragmas[:number], *node.pragmas[number + 1 :])
            yield f"pragma {pragma.split()[-1].strip(chr(34))}", replace(node, pragmas=rest)
    yield from unmarked(node)


def unmarked(node: Any) -> Iterator[tuple[str, Any]]:
    """A relation without one of its marks; a rule without a plan."""
    if isinstance(node, ir.Rel):
        yield from ((mark, replace(node, marks=tuple(m for m in node.marks if m != mark))) for mark in node.marks)
    elif isinstance(node, ir.Rule) and node.plan:
        yield "plan", replace(node, plan=())


def alike(fn: str, dialect: str) -> list[str]:
    """Functors of the same types that the dialect spells."""
    own = FUNCTORS[fn]
    return [
        other
        for other, row in FUNCTORS.items()
        if (row.args, row.result) == (own.args, own.result)
        and group(other) != group(fn)
        and dialect in row.spelled
        and not row.is_partial
        and not row.by_constants
    ]


def titled(named: frozenset[str], spared: frozenset[str], needed: frozenset[str]) -> frozenset[str]:
    """What a title names: of the bucket or the shape what can't be exchanged, and the functions and pragmas that are
    needed; of a function that can be exchanged its kind."""
    more = frozenset(name for name in needed if name.startswith(NAMED))
    kinds = frozenset(name.partition(" ")[0] for name in named & spared if name.startswith(NAMED))
    left = (named - spared - {"seed"}) | more
    left -= {name.partition(" ")[0] for name in left if name.startswith(NAMED)}
    left = frozenset(name for name in left if not name.startswith("by ")) | kinds
    return left - MERE or left or named

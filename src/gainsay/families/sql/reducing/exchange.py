"""What a title names: a case with one operator or aggregate exchanged for another of its kind. Where that is as wrong,
it is not the cause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from gainsay.core.tree import put, walk
from gainsay.families.sql.language import ir
from gainsay.families.sql.language.dialect import SqlDialect
from gainsay.families.sql.reducing import shape

Pair = tuple[ir.Scene, Any]
FEW = 4  # operators that are tried in an operator's place
MERE = frozenset({"comparison", "and/or", "not"})  # what stands around nearly everything
CLASSED = frozenset(member for _, members in shape.CLASSES for member in members)


def exchanges(scene: ir.Scene, recipe: Any, dialect: SqlDialect) -> Iterator[tuple[str, Any, Pair]]:
    """What could be named, where it stands, and a case without it."""
    whole = (scene, recipe)
    for path, node in walk(whole):
        for name, new in exchanged(node, dialect):
            yield name, path, put(whole, path, new)


def exchanged(node: Any, dialect: SqlDialect) -> Iterator[tuple[str, Any]]:
    """Another operator or aggregate in a node's place."""
    if isinstance(node, ir.Op):
        name = shape.group(node.op)
        yield from ((name, ir.Op(other, node.args)) for other in alike(node.op, dialect)[:FEW])
    elif isinstance(node, ir.Agg) and node.arg is not None:
        others = [fn for fn, row in dialect.aggregates.items() if row.is_common and fn != node.fn]
        yield from ((shape.summary(node.fn), msgspec.structs.replace(node, fn=fn)) for fn in others)


def alike(op: str, dialect: SqlDialect) -> list[str]:
    """Operators of other groups that take and give the same."""
    rows = dialect.operators
    if op not in rows:
        return []
    own = rows[op]
    return [
        other
        for other, row in rows.items()
        if row.weight and (row.args, row.result) == (own.args, own.result) and shape.group(other) != shape.group(op)
    ]


def titled(named: frozenset[str], spared: frozenset[str], needed: frozenset[str]) -> frozenset[str]:
    """What a title names: what can't be exchanged; the functions where the bucket just says that there are some; of
    aggregates that can be exchanged that they are some."""
    left = named - spared - MERE
    functions = frozenset(name for name in needed - CLASSED if not name.startswith(shape.AGGREGATE))
    if functions:
        left = left - {"function"} | functions if "function" in left else left
    if any(name.startswith(shape.AGGREGATE) for name in named & spared):
        left |= {shape.AGGREGATE.strip()}
    return left or named

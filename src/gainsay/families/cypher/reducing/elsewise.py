"""The same said with something else, for `exchange`: a test of a property in a pattern or in WHERE, a condition or a
column, a truth value or a comparison, a loop or two nodes in a circle. What can be said otherwise is not the cause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from gainsay.core.family import EVERYWHERE
from gainsay.core.tree import Path, put, transform, walk
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.reducing import details, forms, shape

replace = msgspec.structs.replace
Pair = tuple[ir.Scene, Any]
TEXTS = {0: "", 1: "a"}
KEYED, WHERE, NO_STEP = "property in a pattern", "where", "walk of no step"
CONDITION = "condition"  # of which it does not matter where it stands
ORDER, BOUND_LABEL = "order and cut", "label on a bound node"


def elsewise(scene: ir.Scene, recipe: Any) -> Iterator[tuple[str, Any, Pair]]:
    """What could be named, where it stands, and a case that says it with something else."""
    for path, node in walk(recipe):
        for name, below, new in said(node):
            yield name, (*path, *below), (scene, put(recipe, path, new))
        for name, graph, new in walked(scene, node):
            yield name, path, (graph, put(recipe, path, new))
    numbered = {n.value for _, n in walk(recipe) if isinstance(n, ir.Lit) and n.kind == "int" and n.value is not None}
    if numbered and numbered <= TEXTS.keys():
        yield from ((details.ZERO, path, (scene, transform(recipe, text))) for path in details.zeros(recipe))
    yield from ((shape.LOOP, number, pair) for number, pair in forms.circled(scene, recipe))
    yield from (("undirected", EVERYWHERE, pair) for pair in forms.directed(scene, recipe))


def said(node: Any) -> Iterator[tuple[str, Path, Any]]:
    """A node that says the same, or shows what another one tests; and where in it that stands."""
    if isinstance(node, ir.Match):
        yield from ((KEYED, below, new) for below, new in forms.tested_last(node))
    elif isinstance(node, ir.Single):
        at = ("clauses", len(node.clauses) - 2)
        for clauses in forms.shown(node.clauses):
            yield from ((name, at, ir.Single(clauses)) for name in (WHERE, CONDITION))
            yield WHERE, at, ir.Single(chosen(clauses))
        yield from ((ORDER, (), ir.Single(new)) for new in unordered(node.clauses))
        yield from ((BOUND_LABEL, (), ir.Single(new)) for new in forms.labelled_first(node.clauses))
    elif isinstance(node, (ir.With, ir.Return)):
        for i, item in enumerate(node.items):
            if isinstance(item.expr, ir.Op) and len(item.expr.args) > 1:
                new = replace(node, items=apart(node.items, i, item.expr.args))
                yield shape.group(item.expr.op), ("items", i, "expr"), new
    elif isinstance(node, ir.Op) and shape.group(node.op) not in shape.COMMON:
        yield from ((shape.group(node.op), (), ir.Op("IS NULL", (arg,))) for arg in node.args[:1])


def chosen(clauses: tuple[Any, ...]) -> tuple[Any, ...]:
    """A test of the last column: RETURN ..., c AS x2 -> RETURN ..., CASE WHEN c THEN true END AS x2"""
    *before, last = clauses
    *items, tested = last.items
    case = ir.Case((ir.When(tested.expr, ir.TRUE),))
    return (*before, replace(last, items=(*items, replace(tested, expr=case))))


def unordered(clauses: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Columns that are carried on in the place of an order: RETURN e AS x ORDER BY x -> WITH e AS x RETURN x AS x"""
    last = clauses[-1]
    if isinstance(last, ir.Return) and last.order and last.skip is None and last.limit is None:
        carried = tuple(ir.Item(ir.Var(item.name), item.name) for item in last.items)
        yield (*clauses[:-1], ir.With(last.items, last.distinct), ir.Return(carried))


def apart(items: tuple[ir.Item, ...], i: int, args: tuple[ir.Expr, ...]) -> tuple[ir.Item, ...]:
    """What an operator takes, in a column each: RETURN coalesce(a, b) AS x -> RETURN a AS x2, b AS x3"""
    columns = map(ir.Item, args, forms.unused(items, len(args)))
    return (*items[:i], *columns, *items[i + 1 :])


def walked(scene: ir.Scene, node: Any) -> Iterator[tuple[str, ir.Scene, Any]]:
    """A walk of a step more in the place of one of no step, also where there are loops: *0..1 -> *1..2"""
    if isinstance(node, ir.RelPat) and node.length[:1] == (0,):
        longer = replace(node, length=tuple(steps + 1 for steps in node.length))
        yield NO_STEP, scene, longer
        yield from ((NO_STEP, graph, longer) for graph in forms.with_loop(scene, node.types))


def text(node: Any) -> Any:
    """A text in the place of 0 or 1: 0 IN [null] -> '' IN [null]"""
    if isinstance(node, ir.Lit) and node.kind == "int":
        return replace(node, kind="str", value=None if node.value is None else TEXTS[int(str(node.value))])
    return node

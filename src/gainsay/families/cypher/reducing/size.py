"""How simple a case is, and what is simpler: reduction ends because each accepted step makes the size smaller."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from gainsay.core.tree import Node, walk
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.ops import AGGREGATES, plainer
from gainsay.families.cypher.reducing import shape
from gainsay.families.cypher.reducing.normal import disorder

replace = msgspec.structs.replace
# No null: a null where there was none leads to another bug more often than to the same one.
SIMPLEST = (
    ir.Lit("int", 1),
    ir.Lit("int", 0),
    ir.TRUE,
    ir.FALSE,
    ir.Lit("str", ""),
    ir.Lit("str", "a"),
    ir.Lit("float", 0.0),
    ir.ListOf(),
)
# In the place of a larger one, where a bug needs a number below 0 or above 1
NUMBERS = (ir.Lit("int", 2), ir.Lit("int", -1))


def simplest(node: Any) -> Sequence[Any]:
    if isinstance(node, ir.Lit):
        listed = [v for v in (*SIMPLEST, *NUMBERS) if isinstance(v, ir.Lit) and v.kind == node.kind]
        return tuple(v for v in listed if cost(v) < cost(node))
    if isinstance(node, ir.Op):
        return (*SIMPLEST, *(replace(node, op=name) for name in plainer(node.op)[:1]))
    return SIMPLEST if isinstance(node, Node) and node.sort == "expr" else ()


def cost(value: ir.Lit) -> int:
    odd = value.kind in ("int", "float") and value.value not in (0, 1)  # plainer than another number as short
    return ("int", "bool", "str", "float", "null").index(value.kind) * 4 + len(str(value.value)) + odd


def size(scene: ir.Scene, recipe: Any) -> tuple[int, ...]:
    """Smaller is simpler: elements and clauses, then nodes, then what stands in them.
    Each accepted step makes this smaller."""
    schema = scene.schema
    listed = len(schema.labels) + len(schema.types) + len(schema.node_keys) + len(schema.edge_keys)
    kept: list[Any] = [*scene.vertices, *scene.edges]
    props = sum(len(x.props) for x in kept) + sum(len(v.labels) for v in scene.vertices)
    nodes = [n for _, n in walk(recipe) if isinstance(n, Node)]
    clauses = sum(n.sort == "clause" for n in nodes)
    more = sum(isinstance(n, ir.Op) + 4 * (isinstance(n, ir.Case) and n.operand is not None) for n in nodes)
    price = 6 * len(recipe.detours) + sum(PRICES[n.__class__](n) for n in nodes if n.__class__ in PRICES)
    price += sum(cost(p.value) if isinstance(p.value, ir.Lit) else 20 for x in kept for p in x.props)
    price += sum(i.is_late for i in scene.indexes)
    return elements(scene) + 2 * clauses + oddity(scene, recipe), len(nodes) + more + props + listed, price


def elements(scene: ir.Scene) -> int:
    """How much of a graph there is. A loop is odder than two nodes in a circle, what is made later than what is made at
    once."""
    loops = sum(e.source == e.target for e in scene.edges)
    later = len(scene.changes) + len(scene.indexes)
    return len(scene.vertices) + len(scene.edges) + 3 * loops + 2 * later + len(scene.raw)


def of_relationship(node: ir.RelPat) -> int:
    length = 8 + sum(node.length) if node.length else 0
    direction = {"-": 4, "<-": 1}.get(node.direction, 0)
    return 2 * bool(node.var) + 3 * len(node.types) + length + direction


def of_projection(node: ir.With | ir.Return) -> int:
    cut = (node.skip is not None) + (node.limit is not None)
    return disorder(node.items) + 4 * node.distinct + 4 * len(node.order) + 3 * cut


# By class of node: how far it is from the plainest of its kind.
PRICES: Mapping[type, Callable[[Any], int]] = {
    ir.Lit: cost,
    ir.ListOf: lambda n: 12,
    ir.Op: lambda n: 4 + 2 * len(plainer(n.op)),
    ir.Prop: lambda n: n.key != "id",  # which every element has
    ir.Match: lambda n: 6 * n.optional,
    ir.RelPat: of_relationship,
    ir.NodePat: lambda n: 2 * bool(n.var) + 3 * len(n.labels) + 2 * n.is_any,
    ir.Agg: lambda n: 3 + 3 * n.distinct + len(plainer(n.fn, AGGREGATES)),
    ir.With: of_projection,
    ir.Return: of_projection,
    ir.SubQuery: lambda n: n.kind == "count",
    ir.Quantified: lambda n: 1,
    ir.Path: lambda n: 3 * bool(n.var),
}


# Rows may come from nodes; a list may be asked whether it is empty; and what is said of a node is said at once:
# (n:A)-[]->(n:B) -> (n:A:B)-[]->(n)
WEIGHTS = {"unwind": 4, "quantifier": 5, "label on a bound node": 5}


def patterns(recipe: Any) -> list[Any]:
    return [node for _, node in walk(recipe) if isinstance(node, (ir.NodePat, ir.RelPat))]


def oddity(scene: ir.Scene, recipe: Any) -> int:
    """What a title would name weighs more than a node and a clause: if a case shows without it, it was not the
    cause."""
    found = shape.shape(scene, recipe) - shape.COMMON - shape.LITERALS - shape.GRAPH
    # What a clause can test as well is odder in a subquery
    tested = sum(isinstance(node, ir.SubQuery) and node.where is not None for _, node in walk(recipe))
    # A test may stand in WHERE as well as in a pattern
    tested += sum(2 * len(node.props) for node in patterns(recipe))
    return tested + sum(WEIGHTS.get(feature, 2 if feature in shape.WEAK else 4) for feature in found)

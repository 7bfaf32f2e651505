"""How simple a case is, and what is simpler: reduction ends because each accepted step makes the size smaller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from gainsay.core.tree import Node, walk
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.ops import plainer
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


def simplest(node: Any) -> Sequence[Any]:
    if isinstance(node, ir.Lit):
        return tuple(v for v in SIMPLEST if isinstance(v, ir.Lit) and v.kind == node.kind and cost(v) < cost(node))
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
    loops = sum(e.source == e.target for e in scene.edges)
    elements = (
        len(scene.vertices)
        + len(scene.edges)
        + 2 * loops
        + 2 * len(scene.changes)
        + 2 * len(scene.indexes)
        + len(scene.raw)
    )
    listed_elements: list[Any] = [*scene.vertices, *scene.edges]
    props = sum(len(x.props) + len(getattr(x, "labels", ())) for x in listed_elements)
    clauses = nodes = 0
    price = 6 * len(recipe.detours)
    for _, node in walk(recipe):
        if not isinstance(node, Node):
            continue
        nodes += 1
        if node.sort == "clause":
            clauses += 1
        if isinstance(node, ir.Lit):
            price += cost(node)
        elif isinstance(node, ir.ListOf):
            price += 12
        elif isinstance(node, ir.Op):
            nodes += 1
            price += 4 + 2 * len(plainer(node.op))
        elif isinstance(node, ir.Prop):
            price += node.key != "id"  # which every element has
        elif isinstance(node, ir.Match):
            price += 6 * node.optional
        elif isinstance(node, ir.RelPat):
            price += (
                2 * bool(node.var)
                + 3 * len(node.types)
                + (8 + sum(node.length) if node.length else 0)
                + 4 * (node.direction == "-")
                + (node.direction == "<-")
            )
        elif isinstance(node, ir.NodePat):
            price += 2 * bool(node.var) + 3 * len(node.labels) + 2 * node.is_any
        elif isinstance(node, ir.Agg):
            price += 3 + 3 * node.distinct + {"count": 0, "min": 1}.get(node.fn, 2)
        elif isinstance(node, (ir.With, ir.Return)):
            price += (
                disorder(node.items)
                + 4 * node.distinct
                + 4 * len(node.order)
                + 3 * (node.skip is not None)
                + 3 * (node.limit is not None)
            )
        elif isinstance(node, ir.Case):
            nodes += 4 * (node.operand is not None)
        elif isinstance(node, ir.SubQuery):
            price += node.kind == "count"
        elif isinstance(node, ir.Quantified):
            price += 1
        elif isinstance(node, ir.Path):
            price += 3 * bool(node.var)
    for element in listed_elements:
        price += sum(cost(p.value) if isinstance(p.value, ir.Lit) else 20 for p in element.props)
    price += sum(1 for i in scene.indexes if i.is_late)
    return elements + 2 * clauses + oddity(scene, recipe), nodes + props + listed, price


def oddity(scene: ir.Scene, recipe: Any) -> int:
    """What a title would name weighs more than a node and a clause: if a case shows without it, it was not the
    cause."""
    found = shape.shape(scene, recipe) - shape.COMMON - shape.LITERALS - shape.GRAPH
    return sum(2 if feature in shape.WEAK else 4 for feature in found)

"""What a title names: a case with one thing exchanged for another of its kind. Where that is as wrong, the thing is not
the cause; where it is right, the thing belongs to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from gainsay.core.tree import put, transform, walk
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.ops import OPS
from gainsay.families.cypher.language.scopes import has_aggregate
from gainsay.families.cypher.meaning.scene_cache import Profile, SceneCache
from gainsay.families.cypher.reducing import shape

replace = msgspec.structs.replace
Pair = tuple[ir.Scene, Any]
AGGREGATES = ("count", "min", "max", "sum", "collect")
FEW = 4  # operators that are tried in an operator's place
ONE = ir.Lit("int", 1)
CONSTANT = "constant"
BOOLEAN = "boolean literal"
ALL = "all"
NO_STEP = "walk of no step"
PARTS = "several patterns"
NULL, MAP, KEYED, WHERE = "null", "map lookup", "property in a pattern", "where"
# What stands around nearly everything, and what a title that names the second need not name
MERE = frozenset({"match", "comparison", "and/or/not"})
IMPLIED = {
    "bound node": {"label on a bound node", "bound edge", shape.CYCLE},
    "case": {"case in a case"},
    "edge": {
        shape.CYCLE, shape.LOOP, shape.PARALLEL, "variable length", "undirected", "bound edge", "pattern comprehension",
        "subquery pattern", "subquery exists", "subquery count",
    },
    WHERE: {shape.TWO, shape.OUTER},
    shape.LOOP: {shape.CYCLE},  # which is a cycle of one edge
}  # fmt: skip
FRAME = frozenset({"optional match", "variable length"})  # what a clause with several patterns is named with


def telling(scene: ir.Scene, recipe: Any, profile: Profile) -> Iterator[tuple[str, Any, Pair]]:
    """The exchanges after which something is still to be answered: that nothing is wrong else says nothing."""

    def has_rows(graph: ir.Scene, asked: Any) -> bool:
        return isinstance(asked.subject, ir.Query) and bool(SceneCache(graph).rows(asked.subject, profile))

    is_empty = not has_rows(scene, recipe)
    return (new for new in exchanges(scene, recipe) if is_empty or has_rows(*new[2]))


def exchanges(scene: ir.Scene, recipe: Any) -> Iterator[tuple[str, Any, Pair]]:
    """What could be named, where it stands, and a case without it."""
    for path, node in walk(recipe):
        for name, new in exchanged(node):
            yield name, path, (scene, put(recipe, path, new))
        if isinstance(node, ir.Single):
            yield from ((shape.CYCLE, i, (scene, put(recipe, path, new))) for i, new in enumerate(opened(node)))
            yield from ((CONSTANT, path, (scene, put(recipe, path, new))) for new in varied(node))
    if sum(is_boolean(node) for _, node in walk(recipe)) > 1:  # of two that are compared, one can't be exchanged alone
        yield BOOLEAN, ALL, (scene, transform(recipe, lambda n: ONE if is_boolean(n) else n))
    for number, edge in enumerate(scene.edges):
        twins = [e for e in scene.edges if (e.source, e.target) == (edge.source, edge.target)]
        name = shape.LOOP if edge.source == edge.target else shape.PARALLEL if len(twins) > 1 else ""
        if name:
            yield from ((name, number, (elsewhere(scene, number, end), recipe)) for end in ("target", "source"))


def exchanged(node: Any) -> Iterator[tuple[str, Any]]:
    """Another operator, aggregate, literal or length in a node's place."""
    if isinstance(node, ir.Op):
        name = shape.group(node.op)
        yield from ((name, ir.Op(other, node.args)) for other in alike(node.op, len(node.args))[:FEW])
    elif isinstance(node, ir.Agg) and node.arg is not None:
        others = [fn for fn in AGGREGATES if fn != node.fn]
        yield from ((f"aggregate {node.fn}", replace(node, fn=fn)) for fn in others)
    elif isinstance(node, ir.Lit):
        yield from usual(node)
    elif isinstance(node, ir.RelPat) and node.length[:1] == (0,):
        yield NO_STEP, replace(node, length=(1, *node.length[1:]))
    elif isinstance(node, ir.Prop) and isinstance(node.base, ir.MapOf):
        yield from ((MAP, entry.value) for entry in node.base.entries if entry.key == node.key)
    elif isinstance(node, (ir.Match, ir.With)) and node.where is not None:
        yield WHERE, replace(node, where=None)
    if isinstance(node, (ir.NodePat, ir.RelPat)) and node.props:
        yield KEYED, replace(node, props=())


def alike(op: str, arity: int) -> list[str]:
    """Operators of other groups that take and give the same."""
    taken = set(OPS[op].signatures)
    listed = [other for other, row in OPS.items() if row.weight and shape.group(other) != shape.group(op)]
    return [other for other in listed if taken & {s for s in OPS[other].signatures if len(s[0]) == arity}]


def usual(node: ir.Lit) -> Iterator[tuple[str, ir.Lit]]:
    """Another literal in the place of an odd one."""
    if is_boolean(node):
        yield BOOLEAN, ONE
    elif node.kind == "str" and node.value == "":
        yield shape.EMPTY, ir.Lit("str", "a")
    elif node.kind == "float":
        yield shape.REAL, ONE
    elif node == ir.NULL:
        yield NULL, ONE


def is_boolean(node: Any) -> bool:
    return isinstance(node, ir.Lit) and node.kind == "bool"


def opened(single: ir.Single) -> Iterator[ir.Single]:
    """Patterns that close no cycle: MATCH (n)-[]->(n) -> MATCH (n)-[]->(), or MATCH (n)-[]->(m) MATCH (n)-[]->(m) ->
    MATCH (n)-[]->(m) MATCH (n)-[]->()"""
    if any(map(shape.is_closed, shape.in_a_row(single))):
        for path, node in walk(single):
            if isinstance(node, ir.NodePat) and node.var:
                yield put(single, path, replace(node, var=""))


def varied(single: ir.Single) -> Iterator[ir.Single]:
    """What differs from row to row in the place of a constant that tells rows apart: MATCH () WITH DISTINCT 1 AS x ->
    MATCH (n) WITH DISTINCT n.id AS x, MATCH () RETURN 1 AS x, count(*) AS y -> MATCH (n) RETURN n.id AS x, count(*) AS
    y"""
    first = single.clauses[0]
    node = first.patterns[0].start if isinstance(first, ir.Match) else None
    if node is None:
        return
    named = put(first, ("patterns", 0, "start"), replace(node, var=node.var or "other"))
    for i, clause in enumerate(single.clauses):
        if isinstance(clause, (ir.With, ir.Return)) and is_grouping(clause):
            for j, item in enumerate(clause.items):
                if isinstance(item.expr, ir.Lit):
                    shown = replace(item, expr=ir.Prop(ir.Var(node.var or "other"), "id"))
                    new = replace(clause, items=(*clause.items[:j], shown, *clause.items[j + 1 :]))
                    yield ir.Single((named, *single.clauses[1:i], new, *single.clauses[i + 1 :]))


def is_grouping(clause: ir.With | ir.Return) -> bool:
    """Whether a clause makes one row of several."""
    return clause.distinct or any(has_aggregate(item.expr) for item in clause.items)


def elsewhere(scene: ir.Scene, number: int, end: str) -> ir.Scene:
    """An edge goes to a node of its own, or comes from one."""
    edge = scene.edges[number]
    node = next(v for v in scene.vertices if v.id == getattr(edge, end))
    free = 1 + max([*(v.id for v in scene.vertices), *(e.id for e in scene.edges)])
    turned = (*scene.edges[:number], replace(edge, **{end: free}), *scene.edges[number + 1 :])
    return replace(scene, edges=turned, vertices=(*scene.vertices, replace(node, id=free, props=())))


def titled(recipe: Any, named: frozenset[str], spared: frozenset[str], needed: frozenset[str]) -> frozenset[str]:
    """What a title names: of the bucket or the shape what can't be exchanged, and what else is needed; of aggregates
    that can be exchanged that they are some."""
    left = named - spared - {"match"}
    left = (left - MERE or left) | (needed - shape.COMMON)
    left = frozenset(f for f in left if not f.startswith("rewrite: "))
    if any(name.startswith("aggregate ") for name in named & spared - left):
        left |= {"aggregate"} if not any(name.startswith("aggregate ") for name in left) else set()
    left -= {name for name, others in IMPLIED.items() if left & others}
    if left <= FRAME | {"edge", "bound node", KEYED} and any(
        isinstance(n, ir.Match) and len(n.patterns) > 1 for _, n in walk(recipe)
    ):
        left = left & FRAME | {PARTS}
    return left or named

"""What decides and is no operator: a number, how long a path is, what has no name or several labels, which rows are
cut off. Each is told with a case without it, for `exchange`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from gainsay.core.tree import Path, at, put, walk
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.reducing import shape

replace = msgspec.structs.replace
Pair = tuple[ir.Scene, Any]
NAMES = tuple(f"v{n}" for n in range(200))
NUMBER = ir.Lit("int", 0)
ZERO, NEGATIVE = "zero", "negative number"
UNNAMED, LONG = "unnamed node", "path of several edges"
EITHER, BOTH = "any of several labels", "node with several labels"
LIMIT, SKIP = "limit", "skip"
NOTHING, EMPTY_GRAPH = "no match", "empty graph"


def details(scene: ir.Scene, recipe: Any) -> Iterator[tuple[str, Any, Pair]]:
    """What could be named, where it stands, and a case without it."""
    numbers = set(zeros(recipe))
    for path, node in walk(recipe):
        for name, new in without(node) if node != NUMBER or path in numbers else ():
            yield name, path, (scene, put(recipe, path, new))
    yield from ((UNNAMED, path, (scene, new)) for path, new in named(recipe))
    yield from ((BOTH, number, (graph, recipe)) for number, graph in single_labelled(scene))
    yield from ((name, 0, pair) for name, pair in peopled(scene, recipe))


def zeros(recipe: Any) -> Iterator[Path]:
    """Where a 0 stands, but for the number of an element that is looked for: n.id = 0"""
    for path, node in walk(recipe):
        if node == NUMBER:
            around = at(recipe, path[:-2]) if path[-2:-1] == ("args",) else None
            if not (isinstance(around, ir.Op) and any(isinstance(a, ir.Prop) and a.key == "id" for a in around.args)):
                yield path


def without(node: Any) -> Iterator[tuple[str, Any]]:
    """A node with something plainer in it."""
    if isinstance(node, ir.Lit) and node.kind == "int" and isinstance(node.value, int):
        if node.value == 0:
            yield from ((ZERO, ir.Lit("int", n)) for n in (1, 2, 5))
        elif node.value < 0 and shape.LARGE not in shape.odd_literal(node):
            yield NEGATIVE, ir.Lit("int", -node.value)
    elif isinstance(node, ir.Path) and len(node.hops) > 1 and not node.var:
        yield LONG, replace(node, hops=node.hops[:-1])
        yield LONG, ir.Path(node.hops[0].node, node.hops[1:])
    elif isinstance(node, ir.NodePat) and node.is_any and len(node.labels) > 1:
        yield EITHER, replace(node, is_any=False)
    elif isinstance(node, (ir.With, ir.Return)):
        yield from ((LIMIT, replace(node, limit=None)) for _ in range(node.limit is not None))
        yield from ((SKIP, replace(node, skip=None)) for _ in range(node.skip is not None))


def narrower(query: ir.Query) -> Iterator[ir.Query]:
    """A column less in all parts: RETURN 1 AS x, 2 AS y UNION RETURN 3 AS x, 4 AS y -> RETURN 1 AS x UNION RETURN 3
    AS x"""
    lasts = [part.clauses[-1] for part in query.parts]
    widths = {len(last.items) for last in lasts if isinstance(last, ir.Return)}
    for gone in range(max(widths)) if len(widths) == 1 and widths != {1} else ():
        new = query
        for i, last in enumerate(lasts):
            if isinstance(last, ir.Return):
                items = (*last.items[:gone], *last.items[gone + 1 :])
                new = put(new, ("parts", i, "clauses", len(query.parts[i].clauses) - 1, "items"), items)
        yield new


def named(recipe: Any) -> Iterator[tuple[Any, Any]]:
    """All nodes of a query part named: MATCH (), ()-[]->() -> MATCH (v0), (v1)-[]->(v2)"""
    taken = {node.var for _, node in walk(recipe) if isinstance(node, ir.NodePat)}
    for path, single in walk(recipe):
        if isinstance(single, ir.Single):
            free = iter([name for name in NAMES if name not in taken])
            new = single
            for below, node in walk(single):
                if isinstance(node, ir.NodePat) and not node.var:
                    new = put(new, below, replace(node, var=next(free)))
            if new is not single:
                yield path, put(recipe, path, new)


def single_labelled(scene: ir.Scene) -> Iterator[tuple[int, ir.Scene]]:
    """A node with one of its labels alone."""
    for i, vertex in enumerate(scene.vertices):
        for label in vertex.labels if len(vertex.labels) > 1 else ():
            yield i, put(scene, ("vertices", i, "labels"), (label,))


def peopled(scene: ir.Scene, recipe: Any) -> Iterator[tuple[str, Pair]]:
    """A graph with a node in the place of an empty one; of which no pattern needs to take notice, where it is
    the rows that are missing: MATCH () RETURN sum(0) -> MATCH () WHERE false RETURN sum(0)"""
    if scene.vertices or not any(isinstance(node, ir.NodePat) for _, node in walk(recipe)):
        return
    graph = replace(scene, vertices=(ir.Vertex(0, scene.schema.labels[:1]),))
    yield NOTHING, (graph, recipe)
    for path, node in walk(recipe):
        if isinstance(node, ir.Match) and node.where is None:
            yield EMPTY_GRAPH, (graph, put(recipe, (*path, "where"), ir.FALSE))
    yield EMPTY_GRAPH, (graph, recipe)

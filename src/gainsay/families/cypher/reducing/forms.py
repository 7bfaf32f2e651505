"""Plainer forms of what can be said in two: the reducer prefers them, and a title does not name what they are without.
Of one cause that shows in both, there is then one finding."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import msgspec

from gainsay.core.tree import Path as TreePath
from gainsay.core.tree import put, transform, walk
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.scopes import has_aggregate
from gainsay.families.cypher.reducing.contexts import ALIASES, NODE, OTHERS, bound_by, is_part

replace = msgspec.structs.replace
Pair = tuple[ir.Scene, Any]


def forms(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """A case in each plainer form."""
    for path, node in walk(recipe):
        if isinstance(node, ir.Match):
            yield from ((scene, put(recipe, path, new)) for _, new in tested_last(node))
        elif isinstance(node, ir.Single):
            yield from ((scene, put(recipe, path, ir.Single(new))) for new in labelled_first(node.clauses))
            yield from ((scene, put(recipe, path, ir.Single(new))) for new in shown(node.clauses))
        elif isinstance(node, (ir.Quantified, ir.Op)):
            yield from ((scene, put(recipe, path, new)) for new in plainly(node))
    yield from (pair for _, pair in circled(scene, recipe))
    yield from directed(scene, recipe)


def tested_last(match: ir.Match) -> Iterator[tuple[TreePath, ir.Match]]:
    """What a pattern says of properties, in WHERE: MATCH (n {k: 1}) -> MATCH (n) WHERE n.k = 1"""
    taken = bound_by(match)
    for path, node in walk(match.patterns):
        if (
            isinstance(node, (ir.NodePat, ir.RelPat))
            and node.props
            and not (isinstance(node, ir.RelPat) and node.length)
        ):
            var = node.var or next(name for name in (NODE, *OTHERS) if name not in taken)
            where = match.where
            for entry in node.props:
                test = ir.Op("=", (ir.Prop(ir.Var(var), entry.key), entry.value))
                where = ir.Op("AND", (where, test)) if where is not None else test
            bare = put(match, ("patterns", *path), replace(node, var=var, props=()))
            yield ("patterns", *path), replace(bare, where=where)


def shown(clauses: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """What the last condition gives, or a part of it, beside the columns: MATCH (n) WHERE c RETURN n.id AS x -> MATCH
    (n) RETURN n.id AS x, c AS x2"""
    *before, last = clauses
    tested = before[-1] if before else None
    if not isinstance(tested, (ir.Match, ir.With)) or tested.where is None or not isinstance(last, ir.Return):
        return
    if not last.distinct and not any(has_aggregate(item.expr) for item in last.items):
        name = unused(last.items, 1)[0]
        for part in dict.fromkeys(n for path, n in walk(tested.where) if not path or is_part(n)):
            column = ir.Item(part, name)
            yield (*before[:-1], replace(tested, where=None), replace(last, items=(*last.items, column)))


def unused(items: tuple[ir.Item, ...], count: int) -> list[str]:
    """Names for more columns."""
    taken = {item.name for item in items}
    return [name for name in ALIASES if name not in taken][:count]


def labelled_first(clauses: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """What is said of a node where it is first named, over clauses that are planned as one: MATCH (n) MATCH (n:A) ->
    MATCH (n:A) MATCH (n)"""
    in_a_row = tuple(itertools.takewhile(lambda c: isinstance(c, ir.Match) and not c.optional, clauses))
    firsts: dict[str, tuple[TreePath, ir.NodePat]] = {}
    for path, node in walk(in_a_row):
        if isinstance(node, ir.NodePat) and node.var and not node.is_any:
            place, first = firsts.setdefault(node.var, (path, node))
            if node.labels and place != path:
                bare = put(clauses, path, replace(node, labels=()))
                yield put(bare, place, replace(first, labels=(*first.labels, *node.labels)))


def plainly(node: ir.Quantified | ir.Op) -> Iterator[Any]:
    """Of what asks about a list, whether it is empty; of what chooses, a CASE: any(y IN l WHERE c) -> isEmpty(l),
    coalesce(a, b) -> CASE WHEN true THEN a END"""
    if isinstance(node, ir.Quantified):
        yield ir.Op("isEmpty", (node.source,))
    elif node.op == "coalesce":
        yield from (ir.Case((ir.When(ir.TRUE, arg),)) for arg in node.args)


def circled(scene: ir.Scene, recipe: Any) -> Iterator[tuple[int, Pair]]:
    """Two nodes alike in the place of one with a loop, and walks that come back to where they began:
    (n)-[]->(n) -> (n)-[]->(m)-[]->(n), *0..2 -> *0..4"""

    def longer(node: Any) -> Any:
        is_cut = isinstance(node, ir.RelPat) and len(node.length) == 2
        return replace(node, length=(node.length[0], 2 * node.length[1])) if is_cut else node

    for i, edge in enumerate(scene.edges):
        if edge.source == edge.target and not scene.changes:
            node = next(v for v in scene.vertices if v.id == edge.source)
            free = free_id(scene)
            there, back = replace(edge, target=free), replace(edge, id=free + 1, source=free)
            edges = (*scene.edges[:i], there, *scene.edges[i + 1 :], back)
            graph = replace(scene, vertices=(*scene.vertices, replace(node, id=free)), edges=edges)
            yield from ((i, (graph, new)) for new in dict.fromkeys((recipe, transform(recipe, longer))))


def directed(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """Edges both ways in the place of a walk in any direction: ()-[*]-() -> ()-[*]->()"""

    def change(node: Any) -> Any:
        return replace(node, direction="->") if isinstance(node, ir.RelPat) and node.direction == "-" else node

    new, free = transform(recipe, change), free_id(scene)
    if new != recipe and not scene.changes:
        backs = (
            replace(e, id=free + i, source=e.target, target=e.source)
            for i, e in enumerate(scene.edges)
            if e.source != e.target
        )
        yield replace(scene, edges=(*scene.edges, *backs)), new


def with_loop(scene: ir.Scene, types: tuple[str, ...]) -> Iterator[ir.Scene]:
    """A graph with an edge more, from a node to itself."""
    for vertex in scene.vertices if scene.schema.types else ():
        loop = ir.Edge(free_id(scene), vertex.id, vertex.id, (*types, *scene.schema.types)[0])
        yield replace(scene, edges=(*scene.edges, loop))


def free_id(scene: ir.Scene) -> int:
    return 1 + max((x.id for some in (scene.vertices, scene.edges) for x in some), default=-1)

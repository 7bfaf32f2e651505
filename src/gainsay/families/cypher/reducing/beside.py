"""Questions beside one, asked to hear how the engine breaks over them: with a node named or not, with less said of one,
on a graph that is not empty, or on one that is, with another form of what is done for each element of a list.

A reduced case has nothing that its cause does not need. So where a part of it breaks the engine in other words, or the
same question does on another graph, the words are another cause's only by chance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from gainsay.core.tree import put, walk
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.meaning.scene_cache import Profile, SceneCache
from gainsay.families.cypher.reducing import kin, shrink

replace = msgspec.structs.replace
Pair = tuple[ir.Scene, Any]
NAMES = tuple(f"v{n}" for n in range(200))


def beside(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """Beside a question that broke the engine."""
    yield from ((scene, new) for new in by_lists(recipe))
    yield from peopled(scene, recipe)
    if scene.vertices or scene.edges:
        yield replace(scene, vertices=(), edges=(), changes=()), recipe
    yield from ((scene, new) for new in named(recipe))
    yield from ((scene, new) for new in with_less(recipe))
    for path, single in shrink.singles(recipe):
        yield from ((scene, put(recipe, path, ir.Single(new))) for new in kin.carried(single.clauses))


def alike(scene: ir.Scene, recipe: Any, profile: Profile) -> Iterator[Pair]:
    """Beside a question that was answered wrongly: only what has the same right answer."""
    cache = SceneCache(scene)
    rows = cache.rows(recipe.subject, profile) if isinstance(recipe.subject, ir.Query) else None
    for new in (*named(recipe), *with_less(recipe)):
        if rows is not None and cache.rows(new.subject, profile) == rows:
            yield scene, new


def peopled(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """A graph of one node in the place of an empty one: some engines look at a plan only where it may give rows."""
    if not scene.vertices:
        labels = [n.labels[:1] for _, n in walk(recipe) if isinstance(n, ir.NodePat) and n.labels]
        for some in dict.fromkeys((*labels, *((label,) for label in scene.schema.labels), ())):
            schema = replace(scene.schema, labels=tuple(dict.fromkeys((*scene.schema.labels, *some))))
            yield replace(scene, schema=schema, vertices=(ir.Vertex(0, some),)), recipe


def by_lists(recipe: Any) -> Iterator[Any]:
    """The plainest condition that does something for each element of a list, in the place of another one: WHERE 0 <
    reduce(x = 1, y IN [] | x) -> WHERE [x IN []] = []"""
    for path, node in walk(recipe):
        if isinstance(node, (ir.Match, ir.With)) and node.where is not None:
            forms = [n for _, n in walk(node.where) if isinstance(n, (ir.Quantified, ir.Reduce))]
            if forms:
                yield put(recipe, (*path, "where"), EACH)


def named(recipe: Any) -> Iterator[Any]:
    """()-[]->() -> (v0)-[]->(), ()-[v0]->(), ..., (v0)-[v1]->(v2); and the other way round, where a name is not used"""
    patterns = [(path, node) for path, node in walk(recipe) if isinstance(node, (ir.NodePat, ir.RelPat))]
    used = [n.name for _, n in walk(recipe) if isinstance(n, ir.Var)] + [n.var for _, n in patterns]
    free = iter([name for name in NAMES if name not in used])
    every, first = recipe, next(free)
    for path, node in patterns:
        if not node.var:
            yield put(recipe, path, replace(node, var=first))
            every = put(every, path, replace(node, var=next(free)))
        elif used.count(node.var) == 1:
            yield put(recipe, path, replace(node, var=""))
    if every is not recipe:
        yield every


def with_less(recipe: Any) -> Iterator[Any]:
    """A label, a type, a property or a condition left out. No condition where there is a WITH *, which may then do
    nothing and break for that alone."""
    is_bare = any(isinstance(node, ir.With) and not node.items for _, node in walk(recipe))
    for path, node in walk(recipe):
        fields = [f for f in FIELDS.get(node.__class__, ()) if not (is_bare and f == "where")]
        for name in (field for field in fields if getattr(node, field)):
            yield put(recipe, (*path, name), () if isinstance(getattr(node, name), tuple) else None)


EACH = ir.Op("=", (ir.Comprehension("each", ir.ListOf()), ir.ListOf()))
FIELDS: dict[type, tuple[str, ...]] = {
    ir.NodePat: ("labels", "props"),
    ir.RelPat: ("types", "props"),
    ir.Match: ("where",),
    ir.With: ("where",),
}

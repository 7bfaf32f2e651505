"""Questions next to one: in another context, in other words, with a plainer function. Where one of two such neighbours
breaks an engine and the other is answered wrongly, or both break it in different words, they have one cause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from gainsay.core.tree import put, walk
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.ops import plainer
from gainsay.families.cypher.reducing import contexts, normal, shrink

replace = msgspec.structs.replace


def kin(scene: ir.Scene, recipe: Any) -> Iterator[Any]:
    """Recipes that differ from one in a function, a context or a form; nothing of what was asked is left out."""
    for path, node in walk(recipe):
        yield from (put(recipe, path, new) for new in exchanged(node))
    yield from (new for _, new in contexts.smallest_contexts(scene, recipe) if not is_bare(new))
    yield from (new for _, new in normal.normal_forms(scene, recipe))
    for path, single in shrink.singles(recipe):
        yield from (put(recipe, path, ir.Single(new)) for new in carried(single.clauses))
        yield from (put(recipe, path, ir.Single(new)) for new in outer(single.clauses))
        if is_mere_source(single):
            yield put(recipe, path, ir.Single(single.clauses[1:]))


def carried(clauses: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """WITH in the place of an UNWIND whose values are not used: MATCH (n) UNWIND n.l AS x RETURN n.k -> MATCH (n) WITH
    n RETURN n.k"""
    for i, clause in enumerate(clauses[1:], 1):
        used = {n.name for _, n in walk(clauses[i + 1 :]) if isinstance(n, ir.Var)}
        kept = sorted(used & {name for c in clauses[:i] for name in contexts.bound_by(c)})
        if isinstance(clause, ir.Unwind) and clause.var not in used and kept:
            items = tuple(ir.Item(ir.Var(name), name) for name in kept)
            yield (*clauses[:i], ir.With(items), *clauses[i + 1 :])
            yield (*clauses[:i], ir.With((), star=True), *clauses[i + 1 :])


def outer(clauses: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Whether there are nodes or not, and which: MATCH (n) ... RETURN 1 AS x -> OPTIONAL MATCH (n) ... RETURN n.id AS
    x"""
    first, last = clauses[0], clauses[-1]
    if isinstance(first, ir.Match) and not first.optional and len(clauses) > 2 and isinstance(last, ir.Return):
        around = (replace(first, optional=True), *clauses[1:-1])
        yield (*around, last)
        for name in sorted({n.var for _, n in walk(first.patterns) if isinstance(n, ir.NodePat) and n.var}):
            shown = ir.Item(ir.Prop(ir.Var(name), "id"), last.items[0].name)
            yield (*around, replace(last, items=(shown,)))


def is_bare(recipe: Any) -> bool:
    """Whether nothing is returned but a property: of most questions it is a part."""
    return isinstance(recipe.subject.parts[0].clauses[-1].items[0].expr, ir.Prop)


def is_mere_source(single: ir.Single) -> bool:
    """Whether a query's first clause gives it rows and nothing of them is used: MATCH () WITH 1 AS x RETURN 1 AS y"""
    first, *rest = single.clauses
    used = {n.name for _, n in walk(tuple(rest)) if isinstance(n, ir.Var)}
    patterns = {n.var for c in rest for _, n in walk(c) if isinstance(n, (ir.NodePat, ir.RelPat))}
    return bool(rest) and not contexts.bound_by(first) & (used | patterns)


def exchanged(node: Any) -> Iterator[Any]:
    """collect(n.k) -> count(*), min(n.k); n.k <= 1 -> n.k = 1"""
    if isinstance(node, ir.Agg):
        yield from (new for new in shrink.smaller_aggregate(node) if isinstance(new, ir.Agg))
    elif isinstance(node, ir.Op):
        yield from (ir.Op(name, node.args) for name in plainer(node.op))

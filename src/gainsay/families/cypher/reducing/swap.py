"""Two cases with each other's graphs or last clauses: where a question is wrong on the other's graph as well, or what
it returns is wrong behind the other's clauses, what tells the two apart may be that alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from gainsay.core.tree import Node, walk
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.scopes import free
from gainsay.families.cypher.reducing import contexts, shape

replace = msgspec.structs.replace
Pair = tuple[ir.Scene, Any]


def swapped(scene: ir.Scene, recipe: Any, other_scene: ir.Scene, other: Any) -> Iterator[Pair]:
    """Each question on the other's graph where both have the same clauses; else what is returned behind the other's
    clauses. Only where one has nothing but mere surroundings besides the other.

    That a question is wrong on two graphs says nothing of another question; so what differs must be what could have
    been left out on another graph."""
    one, two = (shape.bucket(shape.shape(s, r)) for s, r in ((scene, recipe), (other_scene, other)))
    if not (shape.absorbs(one, two) or shape.absorbs(two, one)):
        return
    if clauses(recipe) == clauses(other):
        yield other_scene, recipe
        yield scene, other
    elif one < two:
        yield from returned(scene, recipe, other_scene, other)
    elif two < one:
        yield from returned(other_scene, other, scene, recipe)


def returned(scene: ir.Scene, recipe: Any, around_scene: ir.Scene, around: Any) -> Iterator[Pair]:
    """What one question returns behind the clauses of one with more around it: MATCH (n) RETURN sign(n.k) AS x and
    OPTIONAL MATCH (n) RETURN sign(n.id) AS x -> OPTIONAL MATCH (n) RETURN sign(n.k) AS x"""
    inner, outer = contexts.asked(recipe), contexts.asked(around)
    if inner is None or outer is None or len(inner.parts) + len(outer.parts) > 2:
        return
    before, last = outer.parts[0].clauses[:-1], inner.parts[0].clauses[-1]
    used = {name for item in last.items for name in free(item.expr)} if isinstance(last, ir.Return) else set()
    if used and used <= {name for clause in before for name in contexts.bound_by(clause)}:
        schema = around_scene.schema
        known = {key.name for key in schema.node_keys}
        keys = (*schema.node_keys, *(key for key in scene.schema.node_keys if key.name not in known))
        widened = replace(around_scene, schema=replace(schema, node_keys=keys))
        yield widened, recipe.with_subject(contexts.single(*before, last))


def clauses(recipe: Any) -> list[str]:
    """The clauses of a recipe's queries, in their order."""
    return [
        node.__class__.__name__ + " optional" * (isinstance(node, ir.Match) and node.optional)
        for _, node in walk(recipe)
        if isinstance(node, Node) and node.sort == "clause"
    ]

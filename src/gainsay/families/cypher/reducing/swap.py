"""Two cases with each other's graphs: where a question is wrong on the other's graph as well, what tells the two apart
may be the graph alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gainsay.core.tree import walk
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.reducing import shape


def swapped(scene: ir.Scene, recipe: Any, other_scene: ir.Scene, other: Any) -> Iterator[tuple[ir.Scene, Any]]:
    """Each question on the other's graph: only where both have the same clauses, and one has nothing but mere
    surroundings besides the other.

    That a question is wrong on two graphs says nothing of another question; so what differs must be what could have
    been left out on another graph."""
    one, two = (shape.bucket(shape.shape(s, r)) for s, r in ((scene, recipe), (other_scene, other)))
    if clauses(recipe) == clauses(other) and (shape.absorbs(one, two) or shape.absorbs(two, one)):
        yield other_scene, recipe
        yield scene, other


def clauses(recipe: Any) -> list[str]:
    """The clauses of a recipe's queries, in their order."""
    return [
        node.__class__.__name__ + " optional" * getattr(node, "optional", False)
        for _, node in walk(recipe)
        if getattr(node, "sort", "") == "clause"
    ]

"""Two findings of one cause: each asked in the way of the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gainsay.core.tree import put
from gainsay.families.smt.language.ir import Scene
from gainsay.families.smt.reducing import shape
from gainsay.families.smt.reducing.exchange import asked, instances

Pair = tuple[Scene, Any]


def swaps(scene: Scene, recipe: Any, other_scene: Scene, other: Any) -> Iterator[Pair]:
    """Each of two cases asked in the way of the other: where it is as wrong, the way did not tell the two apart."""
    one, two = (shape.bucket(shape.shape(s, r)) for s, r in ((scene, recipe), (other_scene, other)))
    if shape.absorbs(one, two) or shape.absorbs(two, one):
        yield from in_the_way_of(scene, recipe, other)
        yield from in_the_way_of(other_scene, other, recipe)


def in_the_way_of(scene: Scene, recipe: Any, other: Any) -> Iterator[Pair]:
    (path, mine), (_, theirs) = next(instances(recipe), ((), None)), next(instances(other), ((), None))
    if mine is not None and theirs is not None and (mine.mode, mine.tactic) != (theirs.mode, theirs.tactic):
        yield scene, put(recipe, path, asked(mine, theirs.mode, theirs.tactic))

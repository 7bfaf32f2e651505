"""Two findings of one cause: each program on the other's facts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gainsay.families.datalog.language import ir
from gainsay.families.datalog.reducing import shape

Pair = tuple[ir.Scene, Any]


def swaps(scene: ir.Scene, recipe: Any, other_scene: ir.Scene, other: Any) -> Iterator[Pair]:
    """Each program on the other's facts: where it is wrong there as well, the facts did not tell the two apart. Only
    where one has nothing but mere surroundings besides the other, and both read the same relations."""
    one, two = (shape.bucket(shape.shape(s, r)) for s, r in ((scene, recipe), (other_scene, other)))
    if not (shape.absorbs(one, two) or shape.absorbs(two, one)):
        return
    if {(r.name, r.types) for r in scene.rels} == {(r.name, r.types) for r in other_scene.rels}:
        yield other_scene, recipe
        yield scene, other

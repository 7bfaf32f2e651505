"""A case with parts of another in the place of its own: where that is wrong too, these parts were not what told the two
apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gainsay.core.tree import transform
from gainsay.families.sql.language import ir
from gainsay.families.sql.language.schema import relations
from gainsay.families.sql.reducing import shape


def is_telling(scene: ir.Scene, recipe: Any, other_scene: ir.Scene, other: Any) -> bool:
    """Whether anything but the conditions differs: if not, each is wrong in the other's place just because that makes
    it the other case."""
    if recipe.tested == other.tested:
        return True
    return any(r.tested is None for r in (recipe, other)) or surroundings(scene, recipe) != surroundings(
        other_scene, other
    )


def surroundings(scene: ir.Scene, recipe: Any) -> frozenset[str]:
    """What a case is made of but for its condition."""
    return shape.shape(scene, recipe.with_tested(ir.NULL))


def columns(scene: ir.Scene, query: ir.Select) -> list[list[ir.Col]]:
    """The columns of each relation that a query reads, in its order."""
    known = {r.name: [a.name for a in r.attributes] for r in relations(scene)}
    known |= {c.name: [column.name for column in c.columns] for c in query.ctes}
    return [
        [
            ir.Col(j.alias or j.rel, name)
            for name in ([c.name for c in j.columns] if j.is_made else known.get(j.rel, ()))
        ]
        for j in query.source
    ]


def swapped(scene: ir.Scene, recipe: Any, other_scene: ir.Scene, other: Any) -> Any:
    """A recipe on its own scene with the other's condition, relations and columns matched by their places.
    None where that can't be."""
    theirs = other.tested
    if (
        recipe.tested is None
        or theirs is None
        or not isinstance(recipe.subject, ir.Select)
        or not isinstance(other.subject, ir.Select)
    ):
        return None
    mine = [listed for listed in columns(scene, recipe.subject) if listed]
    match: dict[tuple[str, str], ir.Col] = {}
    for place, listed in enumerate(columns(other_scene, other.subject)):
        for number, column in enumerate(listed):
            if mine:
                row = mine[min(place, len(mine) - 1)]
                match[column.rel, column.name] = row[min(number, len(row) - 1)]
    made = transform(theirs, lambda node: match.get((node.rel, node.name), node) if isinstance(node, ir.Col) else node)
    return recipe.with_tested(made)


def swaps(scene: ir.Scene, recipe: Any, other_scene: ir.Scene, other: Any) -> Iterator[tuple[ir.Scene, Any]]:
    """A case with the other's condition; and with the other's tables and rows too, which that condition is made for."""
    moved = onto(scene, other_scene)
    for place in (scene, moved) if moved != scene else (scene,):
        made = swapped(place, recipe, other_scene, other)
        if made is not None:
            yield place, made


def onto(scene: ir.Scene, other: ir.Scene) -> ir.Scene:
    """The views and indexes of a scene over the tables of another."""
    above = (ir.CreateView, ir.CreateIndex)
    kept = [s for s in scene.statements if isinstance(s, above)]
    return ir.Scene((*(s for s in other.statements if not isinstance(s, above)), *kept))

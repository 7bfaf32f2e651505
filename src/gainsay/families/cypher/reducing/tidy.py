"""Readable names for a reduced case: nodes a, b, c; relationships r, s; values x, y; columns as few letters; elements
numbered from 0."""

from __future__ import annotations

from typing import Any

import msgspec

from gainsay.core.tree import transform, walk
from gainsay.families.cypher.language import ir

replace = msgspec.structs.replace
LETTERS = {"node": "nmabcdeghij", "rel": "rstuvw", "path": "pq", "value": "xyzabcde"}


def tidy(scene: ir.Scene, recipe: Any) -> tuple[ir.Scene, Any]:
    """New names for variables, and numbers for elements, in the order in which they come."""
    return renumbered(scene, recipe)[0], renamed(recipe)


def renumbered(scene: ir.Scene, recipe: Any) -> tuple[ir.Scene, Any]:
    """Elements 0, 1, ...: only if no query speaks of their numbers."""
    if any(isinstance(n, ir.Prop) and n.key == "id" for _, n in walk(recipe)):
        return scene, recipe
    listed = [*(v.id for v in scene.vertices), *(e.id for e in scene.edges)]
    new = {old: i for i, old in enumerate(listed)}
    if len(new) < len(listed):
        return scene, recipe
    return (
        replace(
            scene,
            vertices=tuple(replace(v, id=new[v.id]) for v in scene.vertices),
            edges=tuple(replace(e, id=new[e.id], source=new[e.source], target=new[e.target]) for e in scene.edges),
            changes=tuple(replace(c, id=new[c.id]) for c in scene.changes),
        ),
        recipe,
    )


def renamed(recipe: Any) -> Any:
    kinds: dict[str, str] = {}
    for _, n in walk(recipe):
        if isinstance(n, ir.NodePat):
            kinds.setdefault(n.var, "node")
        elif isinstance(n, ir.RelPat):
            kinds.setdefault(n.var, "rel")
        elif isinstance(n, ir.Path):
            kinds.setdefault(n.var, "path")
        elif isinstance(n, (ir.Unwind, ir.Comprehension, ir.Quantified, ir.Reduce)):
            kinds.setdefault(n.var, "value")
            if isinstance(n, ir.Reduce):
                kinds.setdefault(n.total, "value")
        elif isinstance(n, ir.Item):
            kinds.setdefault(n.name, "value")
    kinds.pop("", None)
    used: set[str] = set()
    names: dict[str, str] = {}
    for old, kind in kinds.items():
        choices = [*LETTERS[kind], *(f"{LETTERS[kind][0]}{i}" for i in range(200))]
        names[old] = next(c for c in choices if c not in used)
        used.add(names[old])

    def change(n: Any) -> Any:
        updates = {
            f: names[getattr(n, f)]
            for f in ("var", "total", "name")
            if getattr(n, f, "") in names and f in n.__struct_fields__
        }
        if (
            isinstance(
                n,
                (
                    ir.Var,
                    ir.Item,
                    ir.NodePat,
                    ir.RelPat,
                    ir.Path,
                    ir.Unwind,
                    ir.Comprehension,
                    ir.Quantified,
                    ir.Reduce,
                ),
            )
            and updates
        ):
            return replace(n, **updates)
        return n

    return transform(recipe, change)

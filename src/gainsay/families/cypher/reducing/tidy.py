"""Readable names for a reduced case: nodes a, b, c; relationships r, s; values x, y; columns as few letters; elements
numbered from 0."""

from __future__ import annotations

from typing import Any

import msgspec

from gainsay.core import names
from gainsay.core.tree import Node, walk
from gainsay.families.cypher.language import ir

replace = msgspec.structs.replace
LETTERS: dict[type, str] = {ir.NodePat: "nmabcdeghij", ir.RelPat: "rstuvw", ir.Path: "pq"}
VALUES = "xyzabcde"


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
    """Variables with readable names, by what they stand for."""
    found: dict[str, str] = {}
    for _, node in walk(recipe):
        if isinstance(node, Node):
            for field in (f for f, kind in node.binds.items() if kind == "variable"):
                found.setdefault(getattr(node, field), LETTERS.get(node.__class__, VALUES))
    found.pop("", None)
    taken: set[str] = set()
    new: dict[str, str] = {}
    for old, letters in found.items():
        new[old] = next(names.fresh(letters, taken))
        taken.add(new[old])
    return names.renamed(recipe, names.by("variable", new))

"""Readable names for a reduced case: nodes a, b, c; relationships r, s; values x, y; columns as few letters; elements
numbered from 0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from gainsay.core import names
from gainsay.core.tree import Node, transform, walk
from gainsay.families.cypher.language import ir

replace = msgspec.structs.replace
LETTERS: dict[type, str] = {ir.NodePat: "nmabcdeghij", ir.RelPat: "rstuvw", ir.Path: "pq"}
VALUES = "xyzabcde"


def tidy(scene: ir.Scene, recipe: Any) -> tuple[ir.Scene, Any]:
    """New names for variables, and numbers for elements, in the order in which they come."""
    numbered, asked = renumbered(scene, recipe)
    return numbered, renamed(asked)


def renumbered(scene: ir.Scene, recipe: Any) -> tuple[ir.Scene, Any]:
    """Elements 0, 1, ...: only if a query does no more with their numbers than show them, or look for one."""
    told = sum(isinstance(n, ir.Prop) and n.key == "id" for _, n in walk(recipe))
    plain = [n for _, n in walk(recipe) if is_looked_for(n) or (isinstance(n, ir.Item) and is_number(n.expr))]
    if told > len(plain):
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
        transform(recipe, lambda node: looked_for(node, new) if is_looked_for(node) else node),
    )


def is_number(expr: Any) -> bool:
    return isinstance(expr, ir.Prop) and expr.key == "id"


def is_looked_for(node: Any) -> bool:
    """n.id = 5"""
    return isinstance(node, ir.Op) and node.op == "=" and is_number(node.args[0]) and isinstance(node.args[1], ir.Lit)


def looked_for(test: ir.Op, new: Mapping[int, int]) -> ir.Op:
    """A test for an element's number, with its new number; nobody's stays nobody's."""
    tested, number = test.args
    found = new.get(number.value) if isinstance(number, ir.Lit) and isinstance(number.value, int) else None
    return ir.Op("=", (tested, ir.Lit("int", len(new) if found is None else found)))


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

"""Readable names: x, y, z for constants, f, g, h for functions, in the order in which they are met."""

from __future__ import annotations

from typing import Any

import msgspec

from gainsay.families.smt.language import scripts
from gainsay.families.smt.language.ir import Scene
from gainsay.families.smt.meaning import legal
from gainsay.families.smt.reducing import shrink

CONSTANTS = ("x", "y", "z", "u", "v", "w")
FUNCTIONS = ("f", "g", "h")


def tidy(scene: Scene, recipe: Any) -> tuple[Scene, Any]:
    found = legal.instance_of(recipe)
    if scene.pool or scene.defs or (found is not None and found[1].picks):
        return scene, recipe
    used = [d for d in scene.decls if d.name in scripts.symbols(shrink.terms_of(recipe))]
    taken = {n for d in scene.datatypes for c, fields in d[1] for n in (d[0], c, *(s for s, _ in fields))}
    free = {
        False: [n for n in (*CONSTANTS, *(f"x{i}" for i in range(1, 200))) if n not in taken],
        True: [*FUNCTIONS, *(f"f{i}" for i in range(1, 50))],
    }
    names = {d.name: free[bool(d.args)].pop(0) for d in used}
    decls = tuple(msgspec.structs.replace(d, name=names[d.name]) for d in used)
    model = tuple(msgspec.structs.replace(b, name=names[b.name]) for b in scene.model if b.name in names)
    return msgspec.structs.replace(scene, decls=decls, model=model), shrink.everywhere(
        recipe, shrink.renaming_of(names)
    )

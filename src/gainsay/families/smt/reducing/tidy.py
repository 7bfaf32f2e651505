"""Readable names: x, y, z for constants, f, g, h for functions, in the order in which they are met."""

from __future__ import annotations

from typing import Any

import msgspec

from gainsay.core import names
from gainsay.families.smt.language import scripts
from gainsay.families.smt.language.ir import Scene
from gainsay.families.smt.meaning import legal, types
from gainsay.families.smt.reducing import shrink

CONSTANTS, FUNCTIONS = "xyzuvw", "fgh"
replace = msgspec.structs.replace


def tidy(scene: Scene, recipe: Any) -> tuple[Scene, Any]:
    """A case with readable names and only the declarations that it uses."""
    found = legal.instance_of(recipe)
    if scene.pool or scene.defs or (found is not None and found[1].picks):
        return scene, recipe
    terms = shrink.terms_of(recipe)
    used = [d for d in scene.decls if d.name in scripts.symbols(terms)]
    taken = {n for d in scene.datatypes for c, fields in d[1] for n in (d[0], c, *(s for s, _ in fields))}
    taken |= names.scoped(types.postorder(terms), "symbol")
    free = {False: names.fresh(CONSTANTS, taken), True: names.fresh(FUNCTIONS, taken)}
    new = {d.name: next(free[bool(d.args)]) for d in used}
    kept = replace(scene, decls=tuple(used), model=tuple(b for b in scene.model if b.name in new))
    readable = names.by("symbol", new)
    return names.renamed(kept, readable), names.renamed_shared(recipe, readable)

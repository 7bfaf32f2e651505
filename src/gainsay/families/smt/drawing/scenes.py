"""Scenes: STORM's pools, from a seed or from formulas of our own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gainsay.core.draw import Draw
from gainsay.families.smt.drawing import fragments, vocabulary
from gainsay.families.smt.drawing.expressions import Grower
from gainsay.families.smt.drawing.lexicon import Lexicon
from gainsay.families.smt.language import logics
from gainsay.families.smt.language.ir import Scene, Term
from gainsay.families.smt.meaning.scene_cache import bound
from gainsay.families.smt.meaning.semantics import Datatypes, Evaluation


def table_of(datatypes: Datatypes) -> tuple[tuple[str, tuple[tuple[str, tuple[tuple[str, str], ...]], ...]], ...]:
    return tuple(
        (sort, tuple((name, tuple(fields)) for name, fields in constructors.items()))
        for sort, constructors in datatypes.items()
    )


def grow(draw: Draw, lexicon: Lexicon) -> Scene:
    """A scene without a seed: a vocabulary, a model of it, and random formulas as what is fragmented."""
    name = lexicon.draw_logic(draw)
    found = vocabulary.draw_vocabulary(draw, name, lexicon.has)
    used = logics.theories(found.sorts, any(d.args for d in found.decls), bool(found.datatypes))
    grower = Grower(draw, logics.find(name, used), found.decls, found.sorts, found.datatypes, lexicon.has)
    sizes = [draw.between(1, lexicon.fuel + 1) for _ in range(draw.between(8, 24))] + [
        draw.between(1, 2) for _ in range(draw.between(16, 48))
    ]
    formulas = [grower.formula(size) for size in sizes]
    evaluation = Evaluation(found.model, found.datatypes)
    known, _ = fragments.valued(formulas, evaluation, lexicon.d_max)
    return assembled(
        draw, lexicon, Scene(name, found.decls, found.prelude, table_of(found.datatypes)), found.model, known
    )


def assembled(draw: Draw, lexicon: Lexicon, base: Scene, model: Any, known: Sequence[tuple[Term, bool, int]]) -> Scene:
    """A scene with both pools."""
    datatypes = {sort: dict(constructors) for sort, constructors in base.datatypes}
    defs, pool = fragments.pooled(known, [d.name for d in base.decls])
    nc = lexicon.nc or fragments.nc_of(len(pool))
    return Scene(
        base.logic, base.decls, base.prelude, base.datatypes,
        tuple(bound(d, model[d.name], datatypes) for d in base.decls if d.name in model),
        defs, pool, fragments.constructed(draw, pool, nc, lexicon.d_max) if pool else (), base.seed, base.valued_by,
        "resident" in lexicon.modes_of(base),
    )  # fmt: skip

"""Draws questions: assertions on a scene, with its model or without one."""

from __future__ import annotations

from gainsay.core.draw import Draw
from gainsay.families.smt.drawing.expressions import Grower
from gainsay.families.smt.drawing.lexicon import Lexicon
from gainsay.families.smt.language.ir import Instance, Scene, Term


def query(draw: Draw, scene: Scene, lexicon: Lexicon) -> Instance:
    """Assertions of which nobody knows whether they can be met: some true under the scene's model, some not."""
    grower = lexicon.grower(draw, scene)
    known = lexicon.scene_cache(scene).evaluation
    terms = []
    for _ in range(draw.pick((1, 1, 2, 3))):
        term = formula(draw, scene, lexicon, grower)
        terms.append(Term("not", (term,)) if draw.coin(0.6) and known.is_true(term) is False else term)
    return Instance((), tuple(terms), is_loose=True)


def formula(draw: Draw, scene: Scene, lexicon: Lexicon, grower: Grower) -> Term:
    """A random formula; of a seed's scene also one of its own predicates."""
    known = lexicon.scene_cache(scene).formulas
    return draw.pick(known) if known and draw.coin(0.6) else grower.formula(max(1, lexicon.fuel - 2 + draw.below(4)))

"""Terms rewritten under a model: each keeps its value there, so the instance stays satisfiable, and the solver's
rewriters are reached, which shuffling Boolean structure can't do."""

from __future__ import annotations

from typing import Any, ClassVar

from gainsay.core.draw import Draw
from gainsay.core.model import Seats
from gainsay.core.oracle import Conversation, Oracle
from gainsay.families.smt.drawing import queries, rewrites
from gainsay.families.smt.drawing.expressions import Grower
from gainsay.families.smt.language.ir import Instance, Scene, Term
from gainsay.families.smt.meaning.scene_cache import SceneCache
from gainsay.oracles import smt_storm


class Terms(Oracle):
    """Asks for what stays satisfiable: terms rewritten under a known model."""

    name: ClassVar[str] = "terms"
    family = "smt"
    recipe_type = Instance
    turns: ClassVar[int] = 4
    about: ClassVar[str] = "terms rewritten into others of the same value under a known model: unsat is wrong"

    def draw(self, draw: Draw, scene: Scene, seats: Seats) -> Instance:
        lexicon = seats.lexicon
        cache = lexicon.scene_cache(scene)
        grower = lexicon.grower(draw, scene)
        terms = []
        for _ in range(draw.pick((1, 1, 2, 3, 4))):
            term = queries.formula(draw, scene, lexicon, grower)
            if draw.coin(0.6):
                _, term = rewrites.propose(draw, term, grower, lexicon.has, draw.between(1, 3))
                term = swapped(draw, cache, grower, term)
            truth = cache.evaluation.is_true(term)
            if truth is not None:
                terms.append(term if truth else Term("not", (term,)))
        return Instance(
            (), tuple(terms), (), "resident" if draw.coin(0.4) and "resident" in lexicon.modes_of(scene) else "one-shot"
        )

    def converse(self, scene: Scene, recipe: Instance, seats: Seats) -> Conversation:
        return smt_storm.asked(scene, recipe, seats, "same values")

    def recall(self, question: Any) -> Instance | None:
        return question if isinstance(question, Instance) and not question.is_loose else None


def swapped(draw: Draw, cache: SceneCache, grower: Grower, term: Term) -> Term:
    """Put another term of the same value in a subterm's place: the value is this model's, not every model's."""
    path = draw.pick(rewrites.places(term))
    place = rewrites.at(term, path)
    if place is None or place.sort == "RegLan" or grower.logic.is_difference:
        return term
    other = grower.term(place.sort, 2)
    known = cache.evaluation
    if place.sort == "Bool":
        return rewrites.put(
            term, path, other if known.is_true(place) == known.is_true(other) else Term("not", (other,))
        )
    condition = grower.term("Bool", 2)
    truth = known.is_true(condition)
    if truth is None:
        return term
    return rewrites.put(
        term, path, Term("ite", (condition, place, other) if truth else (condition, other, place), place.sort)
    )

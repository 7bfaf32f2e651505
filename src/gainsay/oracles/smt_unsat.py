"""Unsatisfiable by construction: a formula and the negation of an equivalent one. `sat` is a solution soundness bug."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from gainsay.core import oracle as port
from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import Seats, Step
from gainsay.core.oracle import Conversation, Oracle
from gainsay.families.smt.drawing import queries, rewrites
from gainsay.families.smt.drawing.rewrites import Rewrite
from gainsay.families.smt.language import scripts
from gainsay.families.smt.language.ir import Instance, Scene, Term
from gainsay.families.smt.meaning.scene_cache import cache_of

WHY = "The instance asserts a formula and the negation of an equivalent one ({rules}), so nothing satisfies it."

VARIANTS = 12  # of each assertion of a known bug


class Recipe(port.Recipe, frozen=True):
    """A formula, rewrites that keep its value in every model, and assertions beside it."""

    formula: Term
    rewrites: tuple[Rewrite, ...] = ()
    beside: tuple[Term, ...] = ()
    # Asserted as one formula, p xor p'. In folders it has its first name, which is too near to the hook is_alone.
    is_joined: bool = msgspec.field(default=False, name="is_one")


class UnsatByConstruction(Oracle):
    """Asks for what can't be satisfied: a formula and the negation of an equivalent one."""

    name: ClassVar[str] = "unsat-by-construction"
    family = "smt"
    recipe_type = Recipe
    turns: ClassVar[int] = 2
    about: ClassVar[str] = "a formula and the negation of an equivalent one: sat is wrong"

    def draw(self, draw: Draw, scene: Scene, seats: Seats) -> Recipe:
        lexicon = seats.lexicon
        grower = lexicon.grower(draw, scene)
        formula = queries.formula(draw, scene, lexicon, grower)
        found, _ = rewrites.propose(draw, formula, grower, lexicon.has, draw.between(1, 5))
        beside = tuple(grower.formula(1) for _ in range(draw.below(2)))
        return Recipe(formula, found, beside, draw.coin(0.3))

    def converse(self, scene: Scene, recipe: Recipe, seats: Seats) -> Conversation:
        cache = cache_of(seats, scene)
        other: Term | None = recipe.formula
        for rewrite in recipe.rewrites:
            other = rewrites.apply(other, rewrite) if other is not None else None
        if other is None or cache.evaluation.is_true(other) != cache.evaluation.is_true(recipe.formula):
            return
        pair = (Term("xor", (recipe.formula, other)),) if recipe.is_joined else (recipe.formula, Term("not", (other,)))
        terms = (*recipe.beside, *pair)
        text = scripts.one_shot(cache, [scripts.assertion(t) for t in terms], terms, scripts.check(seats.seats[0]))
        yield Step("instance", text)
        rules = ", ".join(dict.fromkeys(r.rule for r in recipe.rewrites)) or "the same one"
        yield scripts.must_be("unsat", "unsat by construction", "instance", 1, WHY.format(rules=rules))
        if "(as const" not in text and scripts.is_decidable(cache, seats):
            yield scripts.must_decide("instance")

    def recall(self, question: Any) -> Recipe | None:
        if not isinstance(question, Instance) or len(question.asserts) != 1:
            return None
        return Recipe(question.asserts[0])

    def variants(self, scene: Scene, question: Any, seats: Seats) -> list[Recipe]:
        """Each assertion of a question that somebody else wrote, under several rewrites."""
        found = []
        for n, term in enumerate(question.asserts if isinstance(question, Instance) else ()):
            for k in range(VARIANTS):
                draw = Draw(seed_for("variant", n, k))
                made, _ = rewrites.propose(
                    draw, term, cache_of(seats, scene).grower(draw, seats.lexicon.has), seats.lexicon.has, 1 + k % 4
                )
                found.append(Recipe(term, made, (), k % 2 == 1))
        return found

"""Models: a solver that says sat must give a model under which the formula is true, by our own evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from gainsay.core.answer import Decision
from gainsay.core.claim import Claim, Fold, Relation, Side
from gainsay.core.draw import Draw
from gainsay.core.model import Seats, Step
from gainsay.core.oracle import Conversation, Oracle
from gainsay.families.smt.drawing import queries
from gainsay.families.smt.language import scripts, writer
from gainsay.families.smt.language.ir import Instance, Scene
from gainsay.families.smt.meaning import models
from gainsay.families.smt.meaning.scene_cache import cache_of

GROUND = "under its model"
RIGHT = "A model makes every assertion true."
WRONG = "Under the model that the solver gives, {text} is false."
WRONG_GROUND = "Nothing in the formula is unknown, and by its definitions {text} is false."


class Model(Oracle):
    """Evaluates the model that a solver gives for its `sat`."""

    name: ClassVar[str] = "model"
    family = "smt"
    recipe_type = Instance
    turns: ClassVar[int] = 2
    about: ClassVar[str] = (
        "the model that comes with sat makes the formula true, by our own evaluation (wrong sat, invalid model)"
    )

    def draw(self, draw: Draw, scene: Scene, seats: Seats) -> Instance:
        return queries.query(draw, scene, seats.lexicon)

    def converse(self, scene: Scene, recipe: Instance, seats: Seats) -> Conversation:
        cache = cache_of(seats, scene)
        if not recipe.asserts:
            return
        command = scripts.check(seats.seats[0], recipe.tactic)
        options = ["(set-option :produce-models true)"]
        text = scripts.one_shot(
            cache, [scripts.assertion(t) for t in recipe.asserts], recipe.asserts, f"{command}\n(get-model)", options
        )
        answer = yield Step("instance", text)
        if not isinstance(answer, Decision) or answer.verdict != "sat" or not answer.model:
            return
        values = models.truths(cache, answer.model, recipe.asserts)
        wrong = next((t for t, v in zip(recipe.asserts, values, strict=True) if v is False), None)
        if wrong is not None:
            ground = models.grounded(cache, answer.model, recipe.asserts, command)
            again = (yield Step(GROUND, ground)) if ground else None
            if isinstance(again, Decision) and again.verdict == "sat":
                # The solver stands by its model: then it is wrong on a formula without unknowns.
                yield scripts.must_be("unsat", "ground value", GROUND, 1, WRONG_GROUND.format(text=writer.text(wrong)))
                return
        truth = "false" if wrong is not None else "unknown" if None in values else "true"
        why = RIGHT if wrong is None else WRONG.format(text=writer.text(wrong))
        yield Claim(
            "valid model",
            Side(("instance",), Fold.MODEL, ((truth,),)),
            Relation.SATISFIES,
            Side(value=(("true",),)),
            why,
        )

    def evidence(self, labels: Sequence[str], claim: Claim) -> list[str]:
        return [GROUND] if claim.label == "ground value" else ["instance"]

    def recall(self, question: Any) -> Instance | None:
        return (
            Instance((), question.asserts, (), "one-shot", question.tactic, True)
            if isinstance(question, Instance)
            else None
        )

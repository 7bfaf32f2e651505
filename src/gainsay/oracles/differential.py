"""Differential testing: the same question to two or more targets must get the same answer, where their profiles say so.

One implementation for every family: the family draws the question from what all seats have and mean alike.
"""

from __future__ import annotations

from typing import Any, ClassVar

from gainsay.core import registry, values
from gainsay.core.claim import Claim, Relation, Side
from gainsay.core.draw import Draw
from gainsay.core.model import Seats, Step
from gainsay.core.ports import Conversation
from gainsay.core.tree import Node
from gainsay.families.sql import ir

WHY = "Both targets take this statement and none of their documented differences is about it, so their answers must agree: one of them is wrong."


class Recipe(Node, frozen=True):
    """A question, and the rule by which answers are compared."""

    question: ir.Select | ir.Compound | ir.RawQuery
    rule: str = values.EXACT


class Differential:
    name: ClassVar[str] = "differential"
    scene_kind: ClassVar[str] = "database"
    min_seats: ClassVar[int] = 2
    recipe_type: ClassVar[Any] = Recipe
    about: ClassVar[str] = "the same question to two or more engines, versions or configurations"

    def __init__(self, family: str) -> None:
        self.family = family

    def draw(self, draw: Draw, scene: Any, seats: Seats) -> Recipe:
        question, rule = registry.family(self.family).question(draw, scene, seats)
        return Recipe(question, rule)

    def converse(self, scene: Any, recipe: Recipe, seats: Seats) -> Conversation:
        labels = [f"on {seat.target}" for seat in seats]
        for seat, label in enumerate(labels):
            yield Step(label, recipe.question, seat)
        for label in labels[1:]:
            yield Claim("same answers", Side((labels[0],)), Relation.SAME_BAG, Side((label,)), WHY, recipe.rule)

    def recall(self, question: Any) -> Recipe:
        return Recipe(question)


def sql() -> Differential:
    return Differential("sql")

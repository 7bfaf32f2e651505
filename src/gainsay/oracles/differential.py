"""Differential testing: the same question to two or more targets must get the same answer, where their profiles say so.

One implementation for every family: the family draws the question from what all seats have and mean alike.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Generic, TypeVar, cast

from gainsay.core import oracle as port
from gainsay.core import registry, values
from gainsay.core.answer import Answer, Rows
from gainsay.core.claim import Claim, Fold, Relation, Side
from gainsay.core.draw import Draw
from gainsay.core.model import Restated, Seats, Step
from gainsay.core.oracle import Conversation, Oracle
from gainsay.oracles.sql_reference import settled

WHY = (
    "Both targets take this statement and none of their documented differences is about it, so their answers must "
    "agree: one of them is wrong."
)


Q = TypeVar("Q")


class Recipe(port.Recipe, Generic[Q], frozen=True):
    """A question of the family's own type, and the rule by which answers are compared."""

    subject_field: ClassVar[str] = "question"
    question: Q
    rule: str = values.EXACT

    @property
    def shared_question(self) -> Q:
        return self.question


class Differential(Oracle):
    """Compares what several targets answer to one question."""

    name: ClassVar[str] = "differential"
    min_seats: ClassVar[int] = 2
    about: ClassVar[str] = "the same question to two or more engines, versions or configurations"

    @functools.cached_property
    def recipe_type(self) -> Any:
        return cast(Any, Recipe)[registry.family(self.family).question_type]

    def draw(self, draw: Draw, scene: Any, seats: Seats) -> Recipe[Any]:
        question, rule = registry.family(self.family).question(draw, scene, seats)
        return Recipe(question, rule)

    def converse(self, scene: Any, recipe: Recipe[Any], seats: Seats) -> Conversation:
        labels = [f"on {seat.target}" for seat in seats]
        family = registry.family(self.family)
        relation = family.same
        fold = Fold.VERDICT if relation is Relation.SAME_DECISION else Fold.ROWS
        answers = []
        for seat, label in enumerate(labels):
            answers.append((yield Step(label, family.asked_by(scene, recipe.question, seats.seats[seat]), seat)))
        if any(is_other(a, answers[0]) for a in answers) and not family.means_one(scene, recipe.question, seats):
            return  # each may be right by its own manual
        for label in labels[1:]:
            yield Claim("same answers", Side((labels[0],), fold), relation, Side((label,), fold), WHY, recipe.rule)

    def recall(self, question: Any) -> Recipe[Any]:
        return Recipe(question)


def is_other(one: Answer, other: Answer) -> bool:
    """Whether two answers are rows, and not the same ones in the same order."""
    return isinstance(one, Rows) and isinstance(other, Rows) and one.rows != other.rows


class OfSQL(Differential):
    """For the SQL family."""

    family = "sql"

    def restated(
        self, scene: Any, recipe: Any, seats: Seats, asked: Mapping[str, Any], answers: Mapping[str, Answer]
    ) -> Iterator[Restated]:
        """The target whose answer our own semantics calls wrong."""
        numbers = {f"on {seat.target}": number for number, seat in enumerate(seats)}
        return settled(scene, seats, asked, answers, numbers)


class OfDatalog(Differential):
    """For the Datalog family."""

    family = "datalog"


class OfCypher(Differential):
    """For the Cypher family."""

    family = "cypher"


class OfSMT(Differential):
    """For the SMT family."""

    family = "smt"

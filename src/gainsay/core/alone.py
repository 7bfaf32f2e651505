"""One question by itself: what a death or an internal error is reduced to.
No hunt draws it, and it claims nothing: an engine must just not break."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar, cast

from gainsay.core import oracle as port
from gainsay.core import registry
from gainsay.core.draw import Draw
from gainsay.core.model import Restated, Seats, Step
from gainsay.core.oracle import Conversation, Oracle

Q = TypeVar("Q")


class Recipe(port.Recipe, Generic[Q], frozen=True):
    """A question of the family's own type, and the seat that broke over it."""

    keep: ClassVar[frozenset[str]] = frozenset({"seat"})
    subject_field: ClassVar[str] = "question"
    question: Q
    seat: int = 0

    @property
    def shared_question(self) -> Q:
        return self.question


class Alone(Oracle):
    """Asks one question of a case that broke an engine: it must answer or refuse."""

    name: ClassVar[str] = registry.ALONE
    label: ClassVar[str] = "question"
    about: ClassVar[str] = "one question that an engine must answer or refuse"

    def __init__(self, family: str) -> None:
        self.family = family
        self.recipe_type = cast(Any, Recipe)[registry.family(family).question_type]

    def draw(self, draw: Draw, scene: Any, seats: Seats) -> None:
        return None

    def put(self, scene: Any, node: Any, seat: int, how: str) -> Restated | None:
        """What a seat was asked when it broke, as a case of this oracle; None where the family can't make a question of
        it."""
        posed = registry.family(self.family).posed(scene, node)
        return Restated(self.name, posed[0], Recipe(posed[1], seat), how) if posed is not None else None

    def converse(self, scene: Any, recipe: Recipe[Any], seats: Seats) -> Conversation:
        asked = registry.family(self.family).asked_by(scene, recipe.question, seats.seats[recipe.seat])
        yield Step(self.label, asked, recipe.seat)

"""The port of an oracle: what it draws, how it converses, and what it may tell besides."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

import msgspec

from gainsay.core.answer import Answer
from gainsay.core.claim import Claim
from gainsay.core.draw import Draw
from gainsay.core.model import Restated, Seat, Seats, Step
from gainsay.core.tree import Node

Conversation = Generator[Step | Claim, Answer, None]


class Recipe(Node, frozen=True):
    """What an oracle drew: all that its conversation needs, as a tree that a reducer can shrink.

    It says itself what a reducer and a shape must know of it: what it is about, under which condition, and how it asks.
    """

    subject_field: ClassVar[str] = ""  # the field that holds the query or question it is about
    condition_field: ClassVar[str] = ""  # the field that holds the condition, where that stands beside the query
    is_one_question: ClassVar[bool] = False  # its subject is all that is asked, and may become any other question

    @property
    def subject(self) -> Any:
        """The query or question that it is about; None where it is about something else."""
        return getattr(self, self.subject_field) if self.subject_field else None

    def with_subject(self, subject: Any) -> Self:
        """The same about another query or question."""
        return msgspec.structs.replace(self, **{self.subject_field: subject})

    @property
    def tested(self) -> Any:
        """The condition that it is about; None where there is none."""
        return getattr(self, self.condition_field) if self.condition_field else None

    def with_tested(self, condition: Any) -> Self:
        """The same under another condition."""
        return msgspec.structs.replace(self, **{self.condition_field: condition})

    @property
    def detours(self) -> tuple[str, ...]:
        """The ways in which it asks, but for the plainest one."""
        return ()

    @property
    def features(self) -> frozenset[str]:
        """What its way of asking adds to the shape of a case."""
        return frozenset()

    @property
    def title_words(self) -> frozenset[str]:
        """What a title says besides; it is no part of the shape."""
        return frozenset()

    def conversation(self) -> Conversation | None:
        """What it says, where that depends on neither scene nor seats: a family may hold it with its own evaluator.
        None elsewhere."""
        return None

    def without_clause(self, index: int) -> Self:
        """The same for a query that has lost a clause."""
        return self

    def by(self, detour: str) -> Self:
        """The same, asked in another way; itself where it has no such way."""
        return self

    @property
    def is_self_checked(self) -> bool:
        """Whether its oracle itself claims nothing of a question that has several right answers."""
        return False

    @property
    def is_alone(self) -> bool:
        """Whether its conversation changes what others are asked about: then it is held by itself."""
        return False

    @property
    def shared_question(self) -> Any:
        """The question that several targets are asked, where it is about one; None where one target is asked
        several."""
        return None


class Nothing(Recipe, frozen=True):
    """The recipe of a case in which loading the scene is all that is done."""


NOTHING = Nothing()


class Oracle(ABC):
    """Draws a recipe (the only random part), then converses: yields steps, gets answers, yields claims.
    Pure, but for draw."""

    name: ClassVar[str]  # as in the registry, behind its family's
    family: str  # whose scenes it draws on
    recipe_type: Any  # what its recipes are read back as: a subclass of Recipe, or several
    about: ClassVar[str]  # one line for 'gainsay oracles'
    min_seats: ClassVar[int] = 1  # how many targets it asks together
    is_by_meaning: ClassVar[bool] = False  # it compares with our own semantics, and so tells which answer is wrong
    turns: ClassVar[int] = 1  # how often it has its turn where others have one
    settings: ClassVar[Mapping[str, str]] = {}  # --set oracle.key=value: key -> what it means

    @abstractmethod
    def draw(self, draw: Draw, scene: Any, seats: Seats) -> Any:
        """A recipe for a scene; None where there is nothing to ask."""

    @abstractmethod
    def converse(self, scene: Any, recipe: Any, seats: Seats) -> Conversation:
        """Ask and claim. The same recipe and answers give the same words."""

    def applies(self, seat: Seat) -> bool:
        """Whether it can come to a claim about such a target. Where not, it asks nothing there unless it is named."""
        return True

    def recall(self, question: Any) -> Any:
        """A recipe for a question that somebody else wrote; None where it does not apply."""
        return None

    def variants(self, scene: Any, question: Any, seats: Seats) -> Sequence[Any]:
        """All recipes for a question that somebody else wrote: one for each mode."""
        found = self.recall(question)
        return [] if found is None else [found]

    def fixed_recipes(self, scene: Any, seats: Seats) -> Sequence[Any]:
        """Recipes that come before the first one that is drawn."""
        return ()

    def explain(self, scene: Any, recipe: Any, seats: Seats) -> str:
        """Why a reduced claim must hold, where more can be said than the claim's own `why`."""
        return ""

    def evidence(self, labels: Sequence[str], claim: Claim) -> Sequence[str]:
        """Of the steps of a conversation, those that a report shows."""
        return labels

    def restated(
        self, scene: Any, recipe: Any, seats: Seats, asked: Mapping[str, Any], answers: Mapping[str, Answer]
    ) -> Iterator[Restated]:
        """Claims about one of the questions that were asked, of which one may tell which answer is wrong."""
        return iter(())

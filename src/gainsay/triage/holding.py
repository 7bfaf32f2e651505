"""Cases that are held again on the players of one group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

from gainsay.campaign import config, conversation
from gainsay.campaign.reasons import loosely, words_of
from gainsay.campaign.seating import Player
from gainsay.core import registry
from gainsay.core.model import Case, Seats

Before = tuple[tuple[int, str], ...]  # texts that are asked first, each of a seat


class Holding:
    """The players of a group, and its seats; used in a `with`, which ends the players."""

    def __init__(self, group: config.Group, players: Sequence[Player], seats: Seats | None = None) -> None:
        self.group, self.players = group, players
        self.seats = seats or Seats(group.seats)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for player in self.players:
            player.close()

    def all(self, case: Case, before: Before = ()) -> list[conversation.Contradiction]:
        """All that goes wrong with a case."""
        return conversation.hold(case, self.players, self.seats, before) or []

    def same(self, case: Case, before: Before = ()) -> conversation.Contradiction | None:
        """What a case was kept for, if that goes wrong again."""
        return next((found for found in self.all(case, before) if found.label == case.claim), None)

    def is_legal(self, case: Case) -> bool:
        return registry.family(case.family).is_legal(case.scene, case.recipe, self.seats)

    def words(self, found: conversation.Contradiction, detail: str) -> str:
        return words_in(self.group, found, detail)

    def loose_words(self, found: conversation.Contradiction, detail: str) -> str:
        """The same without what the engine calls something, nor where its parser stumbled."""
        return loosely(detail, registry.engine(self.group.seats[found.seat].target.engine).name_marks)


def words_in(group: config.Group, found: conversation.Contradiction, detail: str) -> str:
    """What names the bug in an error text of the engine that broke."""
    return words_of(detail, registry.engine(group.seats[found.seat].target.engine).name_marks)


def shortest(before: Before, still: Callable[[Before], bool]) -> Before:
    """Drop earlier texts, halves first, as long as the contradiction stays."""
    size = len(before) // 2
    while size:
        start = 0
        while start < len(before):
            rest = before[:start] + before[start + size :]
            if still(rest):
                before = rest
            else:
                start += size
        size //= 2
    return before

"""Holds a case on the siblings of its target: the releases on which a contradiction shows are its span, which tells
causes apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from gainsay.campaign.config import Group
from gainsay.campaign.conversation import Contradiction
from gainsay.campaign.seating import HostedPlayer, Player
from gainsay.campaign.siblings import OWN, UNASKABLE, name_of, target_of
from gainsay.core import registry
from gainsay.core.claim import lines
from gainsay.core.model import Case, Seats, Target
from gainsay.errors import EnvironmentProblem
from gainsay.triage.again import held

HARD_S = 5.0


def hosted(target: Target) -> Player:
    return HostedPlayer(target, hard_s=HARD_S)


class Siblings:
    """The siblings of a group's only seat, each in a process of its own that stays for the next case.
    `start` makes a player for the name of one."""

    def __init__(self, group: Group, start: Callable[[str], Player] | None = None) -> None:
        self._group = group
        self._start = start or (lambda name: hosted(target_of(group.seats[0], name, group.installed)))
        self._players: dict[str, Player] = {}
        self._lost: set[str] = set()
        self._facts: dict[str, tuple[tuple[str, str], ...]] = {}  # what each documents, where cases are judged by that
        self._own = name_of(group.seats[0].target, group.seats[0].version)

    def span(self, case: Case, like: Contradiction | None = None) -> dict[str, str]:
        """Where a case shows its contradiction, as it does on its own target.
        `like`: another wrong answer than this may have another cause."""
        return {name: OWN if name == self._own else self._state(case, name, like) for name in self._group.siblings}

    def holds(self, case: Case, wanted: Mapping[str, str]) -> bool:
        """Whether a case shows on just those of some siblings on which it is wanted to."""
        return all(self._state(case, v) == state for v, state in wanted.items())

    def _state(self, case: Case, version: str, like: Contradiction | None = None) -> str:
        if version in self._lost:
            return UNASKABLE
        try:
            player = self._player(version)
            outcome = held(case, [player], seats=self._seats(case, version))
        except EnvironmentProblem:
            self._lost.add(version)
            return UNASKABLE
        if outcome.hit is not None and like is not None and said(outcome.hit) != said(like):
            return UNASKABLE
        return outcome.state

    def _player(self, version: str) -> Player:
        if version not in self._players:
            player = self._players[version] = self._start(version)
            if registry.family(self._group.family).judges_by_profile and isinstance(player, HostedPlayer):
                _, _, facts = player.describe()
                self._facts[version] = tuple((name, value) for name, (value, _) in sorted(facts.items()))
        return self._players[version]

    def _seats(self, case: Case, version: str) -> Seats:
        """The case's seats, with what the sibling itself documents: another build may mean something else."""
        facts = self._facts.get(version)
        named = (msgspec.structs.replace(seat, facts=facts) for seat in case.seats) if facts is not None else case.seats
        return Seats(tuple(named))

    def close(self) -> None:
        for player in self._players.values():
            player.close()
        self._players = {}


def said(shown: Contradiction) -> list[str]:
    """The answer that a claim is about, in any order."""
    return sorted(lines(shown.claim, shown.claim.left, shown.answers)) if shown.claim is not None else []

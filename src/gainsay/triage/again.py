"""Holds a case again, perhaps on another release or another engine: the contradiction shows there, it is gone, or
nothing can be told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from gainsay.campaign import conversation, describing
from gainsay.campaign.conversation import Contradiction
from gainsay.campaign.events import Finding, read_case
from gainsay.campaign.seating import HARD_S, HostedPlayer, Player
from gainsay.campaign.siblings import GONE, SHOWS, UNASKABLE
from gainsay.core import registry
from gainsay.core.answer import Answer, Refused
from gainsay.core.claim import Verdict
from gainsay.core.model import Case, Seat, Seats, Target, kind_of
from gainsay.errors import EnvironmentProblem, UsageError

LOGIC_S = min(10.0, HARD_S)  # of CPU time for a question that is not there to take long
NO_WORDS = "its dialect has no words for a part of the case"
REFUSED = "a statement is refused there"
UNANSWERED = "its questions are not answered there"


class Outcome(NamedTuple):
    """Whether a contradiction shows (`hit`, as it was met), is gone or can't be asked for (`why`)."""

    state: str
    why: str = ""
    hit: Contradiction | None = None


def held(
    case: Case, players: Sequence[Player], before: Sequence[tuple[int, str]] = (), seats: Seats | None = None
) -> Outcome:
    """Hold a case on these players. That it is gone is said only where its claim was decided and nothing else broke."""
    verdicts: list[Verdict] = []
    try:
        found = conversation.hold(case, players, seats or Seats(case.seats), before, verdicts)
    except (KeyError, NotImplementedError, ValueError):
        return Outcome(UNASKABLE, NO_WORDS)
    if found is None:
        return Outcome(UNASKABLE, REFUSED)
    hit = next((c for c in found if c.label == case.claim), None)
    if hit is not None:
        return Outcome(SHOWS, hit=hit)
    if found:
        return Outcome(UNASKABLE, f"it goes wrong in another way there ({found[0].label})")
    if kind_of(case.claim) == "logic" and Verdict.HOLDS not in verdicts:
        return Outcome(UNASKABLE, UNANSWERED)
    return Outcome(GONE)


class Guarded(HostedPlayer):
    """A target in a process of its own, to which nothing is sent that touches files or loads code: a case may be
    somebody else's text."""

    def __init__(self, target: Target, hard_s: float) -> None:
        super().__init__(target, hard_s=hard_s)
        self._family = registry.family(registry.engine(target.engine).family)

    def ask(self, text: str) -> Answer:
        touched = self._family.reaches_out(text)
        return Refused("unsent", f"it was not sent: {touched}") if touched else super().ask(text)


def seated_on(case: Case, target: Target, number: int = 0) -> Case:
    """A case with one of its seats on another target, as that is: its version, and what it documents."""
    if case.family != registry.engine(target.engine).family:
        raise UsageError(f"{target} is not of the family {case.family}.")
    return with_seat(case, describing.describe(target), number)


def with_seat(case: Case, seat: Seat, number: int) -> Case:
    """A case with another seat in the place of one of its own."""
    seat = msgspec.structs.replace(seat, index=number)
    return msgspec.structs.replace(case, seats=(*case.seats[:number], seat, *case.seats[number + 1 :]))


def patience(finding: Finding) -> float:
    """CPU time for one question of a finding."""
    return HARD_S if finding.kind == "hang" else LOGIC_S


def alone(finding: Finding, case: Case) -> Outcome:
    """Hold a finding's case in fresh processes."""
    players = [Guarded(seat.target, patience(finding)) for seat in case.seats]
    try:
        for player in players:
            player.describe()
        return held(case, players, finding.before)
    finally:
        for player in players:
            player.close()


def asked(finding: Finding, target: Target) -> Outcome:
    """The same with the seat that is taken for the wrong one on another target. One that can't be started can't be
    asked."""
    try:
        return alone(finding, seated_on(case_of(finding), target, finding.seat))
    except EnvironmentProblem as error:
        return Outcome(UNASKABLE, str(error).rstrip("."))


class Asker:
    """One target, on which many findings are asked one after the other, in one process while it lives."""

    def __init__(self, target: Target) -> None:
        self._player = Guarded(target, LOGIC_S)
        self.seat = describing.seat_of(self._player, target)

    def ask(self, finding: Finding) -> Outcome:
        """What a finding comes to here. Only the target is asked that was named: a case of several is somebody else's
        word for what else to start."""
        case = case_of(finding)
        if case.family != registry.engine(self.seat.target.engine).family:
            return Outcome(UNASKABLE, f"it is of the family {case.family}")
        if len(case.seats) > 1:
            return Outcome(UNASKABLE, "it compares several targets: 'gainsay replay' starts them")
        self._player.hard_s = patience(finding)
        try:
            return held(with_seat(case, self.seat, 0), [self._player], finding.before)
        except EnvironmentProblem as error:
            return Outcome(UNASKABLE, str(error).rstrip("."))

    def close(self) -> None:
        self._player.close()


def case_of(finding: Finding) -> Case:
    """A finding's case. One that was edited is told, not guessed at."""
    try:
        return read_case(finding.case)
    except (msgspec.ValidationError, KeyError) as error:
        raise UsageError(
            f"The case in {finding.id}/finding.json can't be read ({error}). Was it edited? Hunt again with seed "
            f"{finding.seed}."
        ) from None

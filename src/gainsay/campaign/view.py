"""What a screen may know of a hunt while it runs: read-only, and looked up when it is asked for."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from gainsay.campaign.config import Group
from gainsay.campaign.events import QUIET, Counts, Finding
from gainsay.campaign.leasing import Limits
from gainsay.campaign.recorder import Moment
from gainsay.core.model import CaseName

if TYPE_CHECKING:
    from gainsay.campaign.supervisor import Supervisor


class Working(NamedTuple):
    """What a worker does. Without a moment it is starting."""

    number: int
    group: str
    moment: Moment
    is_starting: bool


class View:
    """A hunt as it is now."""

    def __init__(self, supervisor: Supervisor) -> None:
        self._of = supervisor

    @property
    def targets(self) -> Sequence[str]:
        return self._of.campaign.targets

    @property
    def groups(self) -> Sequence[Group]:
        return self._of.campaign.groups

    @property
    def limits(self) -> Limits:
        return self._of.limits

    @property
    def counts(self) -> Counts:
        return self._of.ledger.counts

    @property
    def held(self) -> Mapping[tuple[str, str], int]:
        """Conversations that came to a claim, by group and oracle."""
        return self._of.ledger.held

    @property
    def findings(self) -> list[Finding]:
        """Those that are neither muted nor flaky."""
        return [f for f in self._of.ledger.findings.values() if f.status not in (*QUIET, "flaky")]

    @property
    def raw_total(self) -> int:
        return self._of.ledger.raw_total

    @property
    def waiting(self) -> int:
        """Contradictions that nobody has looked at."""
        return self._of.ledger.waiting()

    @property
    def is_settling(self) -> bool:
        """Whether the hunt is over, and what was found is looked at."""
        return self._of.is_settling

    @property
    def is_interrupted(self) -> bool:
        return self._of.is_interrupted

    @property
    def is_patient(self) -> bool:
        """Whether all that waits will be looked at, however long that takes."""
        return self._of.is_patient

    @property
    def left_s(self) -> float:
        """How much longer this phase may take."""
        return self._of.left_s

    @property
    def job(self) -> CaseName | None:
        """The contradiction that is looked at."""
        raw = self._of.jobs.raw
        return raw.name if raw is not None else None

    @property
    def job_s(self) -> float:
        """For how long it has been looked at."""
        return time.monotonic() - self._of.jobs.begun

    @property
    def busy(self) -> set[str]:
        """The groups that somebody is with."""
        return {slot.group.key for slot in self._of.slots if slot.child and slot.group}

    @property
    def workers(self) -> list[Working]:
        """What each worker does: its flight recorder tells."""
        found = []
        for slot in self._of.slots:
            if slot.child and slot.group:
                moment = slot.recorder.read()
                found.append(Working(slot.number, slot.group.key, moment, not (slot.lease and moment.sequence)))
        return found

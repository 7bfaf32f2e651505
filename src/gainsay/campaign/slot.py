"""A worker's place, and what is left of its episodes when it has gone."""

from __future__ import annotations

import time
from pathlib import Path

from gainsay.campaign import events
from gainsay.campaign.config import Group, turns
from gainsay.campaign.episode import BLOCK
from gainsay.campaign.process import Begin, Child
from gainsay.campaign.recorder import Recorder
from gainsay.campaign.seating import Room


class Slot:
    """A worker's place: its process, its recorder, what it was leased."""

    def __init__(self, number: int, folder: Path, begin: Begin = Child) -> None:
        self.number = number
        self._begin = begin
        self.recorder_path = folder / f"recorder-{number}"
        self.log = folder / f"worker-{number}.log"
        self.recorder = Recorder(self.recorder_path)
        self.child: Child | None = None
        self.group: Group | None = None
        self.since = 0.0
        self.lease: dict[int, events.Stint] = {}
        self.is_ready = False
        self.reached = (-1, 0)
        self.sequence = -1
        self.stuck_cpu = 0.0
        self.stuck_at = 0.0

    def start(self, group: Group, room: Room) -> Child:
        """Start a worker for a group."""
        if self.group != group:
            self.since = time.monotonic()
        self.group = group
        self.is_ready = False
        self.reached = (-1, 0)
        self.sequence = -1
        self.stuck_at = time.monotonic()
        self.stuck_cpu = 0.0
        self.child = self._begin("gainsay.campaign.worker", room, self.log)
        return self.child

    def empty(self) -> None:
        """Have no worker any more, and nothing that one was leased."""
        self.lease = {}
        self.child = None
        self.is_ready = False

    def overstepped(self, child: Child, memory: int, hard_s: float) -> str:
        """What its worker does too much of: it uses too much memory, or works on one question too long (`hang`).
        Empty: all is well."""
        if child.memory() > memory:
            return "memory"
        now = time.monotonic()
        sequence = self.recorder.sequence()
        if sequence != self.sequence:
            self.sequence, self.stuck_at, self.stuck_cpu = sequence, now, -1.0
            return ""
        if now - self.stuck_at < min(2.0, hard_s):
            return ""
        spent = child.cpu()
        if self.stuck_cpu < 0:
            self.stuck_cpu = spent
        elif self.lease and (spent - self.stuck_cpu > hard_s or now - self.stuck_at > 12 * hard_s):
            return "hang"
        return ""


def whose(group: Group, check: int) -> str:
    """The oracle that a check belongs to."""
    order = turns(group)
    return order[check % len(order)]


def behind(stint: events.Stint, check: int, reached: tuple[int, int] = (-1, 0)) -> events.Stint:
    """What is left of an episode after a death: its block again, without the check that did it.
    `reached`: what the dead worker had told."""
    start = max(stint.start, check - check % BLOCK)
    has_told = reached[0] == stint.episode and reached[1] > stint.start
    uncounted = start - reached[1] if has_told else stint.uncounted + start - stint.start
    return events.Stint(stint.episode, stint.checks, start, max(0, uncounted), (*stint.skip, check))


def untold(stint: events.Stint, reached: tuple[int, int]) -> events.Stint:
    """What is left of an episode of which a worker that is gone had told a part."""
    episode, check = reached
    return (
        events.Stint(episode, stint.checks, check, 0, stint.skip)
        if stint.episode == episode and check > stint.start
        else stint
    )

"""A worker process: runs leased episodes of one group, sends raw contradictions at once and counters four times a
second."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Any

import msgspec

from gainsay.campaign import config, events
from gainsay.campaign.episode import Stage, calm
from gainsay.campaign.recorder import IDLE, Recorder
from gainsay.campaign.seating import HostedPlayer, LocalPlayer, Player
from gainsay.core.engine import Gone
from gainsay.core.model import Seats
from gainsay.errors import EnvironmentProblem


class Setup(msgspec.Struct):
    """What a worker is told at its start."""

    seed: int
    group: config.Group
    settings: dict[str, str]
    recorder: str
    memory: int


def players(group: config.Group, memory: int) -> list[Player]:
    """One target: in this process, which was started in its room. Several: a host each."""
    if len(group.seats) == 1:
        return [LocalPlayer(group.seats[0])]
    return [HostedPlayer(s.target, memory) for s in group.seats]


class Worker:
    """Owns the pipe to the supervisor."""

    def __init__(self, source: int, sink: int) -> None:
        self._source = os.fdopen(source, "rb")
        self._sink = sink
        self._done: list[int] = []
        self._partial: dict[int, int] = {}
        self._sent = time.monotonic()
        self._before = 0.0  # CPU time of hosts and engines at the last report
        self.setup = msgspec.json.decode(self._source.readline(), type=Setup)

    def send(self, event: Any) -> None:
        data = events.encode(event)
        while data:
            data = data[os.write(self._sink, data) :]

    def report(self, stage: Stage, seated: list[Player]) -> None:
        """Send what was counted since the last report."""
        counts = stage.counts
        counts.engine_s += self._outside_spent(seated)
        told: dict[str, Any] = {
            "refusals": stage.refusals, "undecided": stage.undecided, "held": stage.held, "idle": stage.idle,
            "samples": stage.samples, "drawn": stage.drawn
        }  # fmt: skip
        self.send(
            events.Progress(stage.group.key, counts, tuple(self._done), self._partial, reached=stage.reached, **told)
        )
        for trouble in stage.troubles.values():
            self.send(trouble)
        stage.counts = events.Counts()
        for each in (*told.values(), stage.troubles):
            each.clear()
        self._done, self._partial = [], {}
        self._sent = time.monotonic()

    def _outside_spent(self, seated: list[Player]) -> float:
        """CPU time of hosts and of the engines' own processes since the last report."""
        total = sum(p.spent_s() or 0.0 for p in seated)
        spent, self._before = max(0.0, total - self._before), total
        return spent

    def run(self) -> None:
        """Run what is leased until the pipe ends."""
        setup = self.setup
        recorder = Recorder(Path(setup.recorder))
        seats: Seats = config.seats_of(setup.group, setup.settings)
        seated = players(setup.group, setup.memory)
        stage = Stage(setup.group, seats, seated, setup.seed, recorder, self.send)
        stage.beat = lambda: self._beat(stage, seated)
        calm()
        self.send(events.Ready())
        try:
            for line in self._source:
                self._work(stage, seated, events.DECODER.decode(line))
        finally:
            stage.close()
            for player in seated:
                player.close()  # hosts are waited for, so that their CPU time is counted

    def _beat(self, stage: Stage, seated: list[Player]) -> None:
        if time.monotonic() - self._sent > 0.25:
            self.report(stage, seated)

    def _work(self, stage: Stage, seated: list[Player], lease: events.Lease) -> None:
        for stint in lease.episodes:
            number, checks = stint.episode, stint.checks
            try:
                stage.run(number, checks, stint.start, stint.uncounted, stint.skip, lease.shunned)
            except (EnvironmentProblem, Gone) as error:  # nothing can be asked any more: the episode stays undone
                self.report(stage, seated)
                self.send(events.Gone(str(error)))
                return
            except Exception:  # the worker's boundary: a mistake of ours ends one episode, not the hunt
                self.send(events.Trouble(f"{stage.group.key}, episode {number}", traceback.format_exc()))
            stage.recorder.at(number, checks, IDLE)
            if checks == config.checks_per_episode(stage.group.family):
                self._done.append(number)
            else:
                self._partial[number] = checks
            self._beat(stage, seated)
        self.report(stage, seated)
        self.send(events.Ready())


def end(*_: object) -> None:
    sys.exit(0)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, end)
    Worker(int(sys.argv[1]), int(sys.argv[2])).run()

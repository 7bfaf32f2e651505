"""Measures one oracle on one target in this process: the worker's own loop, without pipes, on CPU time."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec

from gainsay.campaign import config, events
from gainsay.campaign.episode import Stage, calm
from gainsay.campaign.recorder import Recorder
from gainsay.campaign.seating import LocalPlayer
from gainsay.limits import proportional, queued_s, spent_s, tree

LOOK_S = 0.5
SAMPLE = 7  # one question in eight is timed: steadier than in a hunt, and still cheap


class TimedPlayer(LocalPlayer):
    """Counts this thread's time in the engine: what the engine's own threads do meanwhile (a Java compiler, say) is not
    ours."""

    inside_s = 0.0

    def reset(self) -> None:
        begun = time.thread_time()
        super().reset()
        self.inside_s += time.thread_time() - begun
        inner = self.ask

        def ask(text: str) -> Any:
            begun = time.thread_time()
            answer = inner(text)
            self.inside_s += time.thread_time() - begun
            return answer

        self.ask = ask


def memory() -> int:
    """What the engine's own processes have in use, in bytes; where it has none, this process, with the engine in it."""
    mine = os.getpid()
    return sum(proportional(pid) for pid in tree(mine) if pid != mine) or proportional(mine)


class Clock:
    """How much of a core we and the engine use together: the rest of the time both wait for something else.
    When they were ready, and others had the cores, does not count."""

    def __init__(self) -> None:
        self._begun = self._looked = time.monotonic()
        self._known, self._queued = queued_s(os.getpid()), 0.0

    def look(self) -> None:
        """See how long threads waited for a core, now and then: those that end take it with them."""
        if time.monotonic() - self._looked > LOOK_S:
            found = queued_s(os.getpid())
            self._queued += sum(waited - self._known.get(thread, 0.0) for thread, waited in found.items())
            self._known, self._looked = found, time.monotonic()

    def use(self, spent: float) -> float:
        self._looked = 0.0
        self.look()
        return spent / max(spent, time.monotonic() - self._begun - self._queued)


def measure(
    group: config.Group, settings: dict[str, str], seconds: float, seed: int = 1, is_threaded: bool = False
) -> dict[str, Any]:
    """Checks per CPU-second, and the ratio of our time to the engine's. Scenes are built as in a hunt."""
    with tempfile.TemporaryDirectory() as room:
        recorder = Recorder(Path(room) / "recorder")
        player = TimedPlayer(group.seats[0]) if is_threaded else LocalPlayer(group.seats[0])
        stage = Stage(group, config.seats_of(group, settings), [player], seed, recorder, lambda raw: None)

        def outside_s() -> float:
            """What the engine's own processes have spent; they may live on, so that nobody has waited for them."""
            return player.spent_s() or 0.0

        def all_s() -> float:
            return time.process_time() + outside_s() if player.spent_s() is not None else spent_s()

        stage.sample = SAMPLE
        checks = config.checks_per_episode(group.family)
        stage.run(0, checks)  # warm
        if stage.counts.engine_s > 0.03:
            # A slow engine: timing each question costs nothing in comparison, and few would be sampled
            stage.sample = 0
        calm()
        stage.counts = type(stage.counts)()
        begun, outside = all_s(), outside_s()
        mine, inside, clock = time.thread_time(), player.inside_s, Clock()
        number = 1
        while all_s() - begun < seconds:
            stage.run(number, checks)
            clock.look()
            number += 1
        spent = all_s() - begun
        core, held = clock.use(spent), memory()
        ours = time.thread_time() - mine - player.inside_s + inside
        if player.spent_s() is not None:
            stage.counts.engine_s = outside_s() - outside
        recorder.close()
        player.close()
    return figures(stage.counts, spent, core, held, ours if is_threaded else spent - stage.counts.engine_s)


def figures(c: events.Counts, spent: float, core: float, held: int, ours: float) -> dict[str, Any]:
    """What was counted in some CPU time, as rates and shares."""
    return {
        "rate": c.checks / spent,
        "ratio": (spent - c.engine_s) / c.engine_s,
        "valid": 1 - c.refused / c.asks,
        "nonempty": c.nonempty / max(1, c.answered),
        "checks": c.checks,
        "instances": c.answered,
        "cpu_s": spent,
        "engine_s": c.engine_s,
        "core": core,
        "memory": held,
        "share": ours / spent,
    }


if __name__ == "__main__":
    job = json.loads(sys.stdin.buffer.read())
    found = measure(
        msgspec.convert(job["group"], config.Group),
        job["settings"],
        job["seconds"],
        job.get("seed", 1),
        job.get("threaded", False),
    )
    print(json.dumps(found))  # noqa: T201 # its output is its result

"""Measures one oracle on one target in this process: the worker's own loop, without pipes, on CPU time."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec

from gainsay.campaign import config
from gainsay.campaign.episode import Stage, calm, children_s
from gainsay.campaign.recorder import Recorder
from gainsay.campaign.seating import LocalPlayer


def spent_s() -> float:
    """CPU time of this process and of the engine processes that it waited for."""
    return time.process_time() + children_s()


def measure(group: config.Group, mix: str, seconds: float) -> dict[str, Any]:
    """Checks per CPU-second, and the ratio of our time to the engine's. Scenes are built as in a hunt."""
    with tempfile.TemporaryDirectory() as room:
        recorder = Recorder(Path(room) / "recorder")
        stage = Stage(group, config.seats_of(group, {"mix": mix}), [LocalPlayer(group.seats[0])], 1, recorder, lambda raw: None)
        begun = spent_s()
        checks = config.checks_per_episode(group.family)
        stage.run(0, checks)  # warm
        if spent_s() - begun > 0.03:
            stage.sample = 0  # a slow engine: timing each question costs nothing in comparison, and few would be sampled
        calm()
        stage.counts = type(stage.counts)()
        begun = spent_s()
        number = 1
        while spent_s() - begun < seconds:
            stage.run(number, checks)
            number += 1
        spent = spent_s() - begun
        recorder.close()
    c = stage.counts
    return {
        "rate": c.checks / spent,
        "ratio": (spent - c.engine_s) / c.engine_s,
        "valid": 1 - c.refused / c.asks,
        "nonempty": c.nonempty / max(1, c.answered),
        "checks": c.checks,
        "cpu_s": spent,
        "engine_s": c.engine_s,
    }


if __name__ == "__main__":
    job = json.loads(sys.stdin.buffer.read())
    print(json.dumps(measure(msgspec.convert(job["group"], config.Group), job["mix"], job["seconds"])))  # noqa: T201 # its output is its result

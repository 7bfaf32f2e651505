"""A measurement in a process of its own, in the room of its target: what one cell of a benchmark's table is made of."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import msgspec

from gainsay.campaign import seating
from gainsay.core.model import Target
from gainsay.errors import GainsayError


class Killed(GainsayError):
    """The engine, or whatever else, killed the process that measured it."""


def measured(module: str, job: Mapping[str, Any], target: Target) -> dict[str, Any]:
    """What a module says in its last line of a job that it is given."""
    ended = subprocess.run(
        [sys.executable, "-m", module],
        input=msgspec.json.encode(job),
        env=seating.room(target).environment(),
        capture_output=True,
        check=False,
    )
    if ended.returncode:
        failed = Killed if ended.returncode < 0 else GainsayError
        raise failed(f"The measurement on {target} failed: {ended.stderr.decode()[-300:]}")
    found: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return found

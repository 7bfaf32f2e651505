"""`gainsay bench speed`: checks per CPU-second, our own share of the time, memory, and the way to the first check."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec

from gainsay.campaign import config, describing, events, journal
from gainsay.cli import bench_cell, parsing
from gainsay.cli.looking import out_console, table
from gainsay.core import registry
from gainsay.core.model import Seat, Target
from gainsay.errors import GainsayError, UsageError
from gainsay.limits import cpu_seconds

POLL_S = 0.01
COLUMNS = (
    "target",
    "mix",
    "oracle",
    "checks per CPU-second",
    "our share",
    "of a core",
    "valid",
    "not empty",
    "memory",
    "first check after (CPU)",
)
SEEDS = 6  # an engine may die of what is drawn: then it is measured on other draws


def measured(
    seat: Seat, family: str, oracle: str, settings: dict[str, str], seconds: float, seed: int = 1
) -> dict[str, Any]:
    """Measure one oracle on one target in a process of its own; on other draws where the engine dies of these."""
    group = config.Group(str(seat.target), family, (seat,), (oracle,))
    job = {
        "group": msgspec.to_builtins(group),
        "settings": settings,
        "seconds": seconds,
        "seed": seed,
        "threaded": registry.family(family).is_threaded,
    }
    try:
        found = bench_cell.measured("gainsay.campaign.speed", job, seat.target)
    except bench_cell.Killed:
        if seed >= SEEDS:
            raise
        return measured(seat, family, oracle, settings, seconds, seed + 1)
    return {"target": seat.name, "oracle": oracle, **found}


def first_check(target: Target, oracle: str) -> dict[str, float]:
    """Wall and CPU time from the start of a hunt to its first check, with what was probed of the target at hand."""
    with tempfile.TemporaryDirectory() as room:
        words = ["hunt", str(target), "--oracle", oracle, "--for", "1h", "--workers", "1", "--out", f"{room}/out"]
        begun = time.monotonic()
        hunt = subprocess.Popen(
            [sys.executable, "-m", "gainsay.cli.main", *words], cwd=room, stdout=subprocess.DEVNULL, stderr=-1
        )
        try:
            while not has_checked(Path(room) / "out" / "journal.jsonl"):
                if hunt.poll() is not None:
                    said = hunt.stderr.read().decode() if hunt.stderr else ""
                    raise GainsayError(f"A hunt on {target} ended without a check: {said[-300:]}")
                time.sleep(POLL_S)
            return {"wall_s": time.monotonic() - begun, "cpu_s": cpu_seconds(hunt.pid)}
        finally:
            hunt.terminate()
            hunt.communicate()


def has_checked(path: Path) -> bool:
    """Whether the journal of a hunt tells of a check."""
    return path.exists() and any(isinstance(e, events.Progress) and e.counts.checks for e in journal.read(path))


def chosen(family: str, wanted: list[str]) -> list[str]:
    """The oracles that are measured: those that need one target, or of them those that were named."""
    known = [name for name in registry.oracles(family) if registry.oracle(family, name).min_seats == 1]
    for name in wanted:
        if name not in known:
            raise UsageError(f"There is no oracle {name!r} of one target for {family}. There are: {', '.join(known)}.")
    return wanted or known


def speed(arguments: argparse.Namespace) -> int:
    """Checks per CPU-second and our own share, for each target, mix and oracle, each in a process of its own."""
    seconds = parsing.duration(arguments.for_s, "--for")
    targets = [Target.parse(t) for t in arguments.on] or describing.embedded()
    plan = [(t, chosen(registry.engine(t.engine).family, arguments.oracle)) for t in targets]
    rows = []
    for target, oracles in plan:
        seat = describing.seated(target, {})
        family = registry.engine(target.engine).family
        begun = first_check(target, oracles[0])
        for mix in ("small", "full") if "mix" in registry.family(family).settings else ("",):
            for oracle in oracles:
                found = measured(seat, family, oracle, {"mix": mix} if mix else {}, seconds)
                rows.append({"mix": mix, "first_check": begun, **found})
    if arguments.json:
        print(json.dumps(rows))
        return 0
    shown = table(*COLUMNS)
    for r in rows:
        shown.add_row(
            r["target"],
            r["mix"],
            r["oracle"],
            f"{r['rate']:,.0f}",
            *(f"{100 * r[key]:.1f} %" for key in ("share", "core", "valid", "nonempty")),
            f"{r['memory'] >> 20:,} MB",
            f"{r['first_check']['wall_s']:.1f} s ({r['first_check']['cpu_s']:.1f} s)",
        )
    out_console().print(shown)
    return 0

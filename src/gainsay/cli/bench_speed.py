"""`gainsay bench speed`: checks per CPU-second, and our own share of the time."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from typing import Any

import msgspec

from gainsay.campaign import config, describing, seating
from gainsay.cli import parsing
from gainsay.cli.looking import out_console, table
from gainsay.core import registry
from gainsay.core.model import Seat, Target
from gainsay.errors import GainsayError

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
    result = subprocess.run(
        [sys.executable, "-m", "gainsay.campaign.speed"],
        input=msgspec.json.encode(job),
        env=seating.room(seat.target).environment(),
        capture_output=True,
        check=False,
    )
    if result.returncode < 0 and seed < SEEDS:
        return measured(seat, family, oracle, settings, seconds, seed + 1)
    if result.returncode != 0:
        raise GainsayError(f"The measurement on {seat.target} failed: {result.stderr.decode()[-300:]}")
    found: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
    return {"target": seat.name, "oracle": oracle, **found}


def speed(arguments: argparse.Namespace) -> int:
    """Checks per CPU-second and our own share, for each target, mix and oracle, each in a process of its own."""
    seconds = parsing.duration(arguments.for_s, "--for")
    targets = [Target.parse(t) for t in arguments.on] or describing.embedded()
    rows = []
    for target in targets:
        seat = describing.seated(target, {})
        family = registry.engine(target.engine).family
        for mix in ("small", "full") if "mix" in registry.family(family).settings else ("",):
            for oracle in registry.oracles(family):
                if registry.oracle(family, oracle).min_seats == 1:
                    rows.append({"mix": mix, **measured(seat, family, oracle, {"mix": mix} if mix else {}, seconds)})
    if arguments.json:
        print(json.dumps(rows))
        return 0
    shown = table("target", "mix", "oracle", "checks per CPU-second", "our time / engine's", "valid", "not empty")
    for r in rows:
        shown.add_row(
            r["target"],
            r["mix"],
            r["oracle"],
            f"{r['rate']:,.0f}",
            f"{r['ratio']:.2f}",
            f"{100 * r['valid']:.1f} %",
            f"{100 * r['nonempty']:.1f} %",
        )
    out_console().print(shown)
    return 0

"""`gainsay bisect`: which release broke it, which one mended it; or which commit of a checkout."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import msgspec
from rich.console import Console

from gainsay.campaign import events, rungs
from gainsay.campaign.interval import Interval, Tried
from gainsay.campaign.journal import Journal
from gainsay.cli import bisecting_commits, passwords
from gainsay.cli.looking import chosen
from gainsay.core import registry
from gainsay.core.model import Target
from gainsay.errors import EnvironmentProblem, UsageError
from gainsay.report import folder, machine
from gainsay.triage import bisecting
from gainsay.triage.bisecting import Search


def bisect(arguments: argparse.Namespace) -> int:
    """0: told; 2: it does not show on any release that can be asked."""
    out, finding = chosen(arguments)
    commits = (arguments.repo, arguments.build, arguments.good, arguments.bad)
    if any(commits):
        return bisecting_commits.bisect(finding, arguments)
    on = passwords.unlocked(Target.parse(arguments.on)) if arguments.on else None
    target = bisecting.target_of(finding, on)
    if registry.engine(target.engine).family != finding.family:
        raise UsageError(f"{target} is not of the family {finding.family}.")
    ordered = rungs.listed(registry.engine(target.engine), arguments.first or "", arguments.last or "")
    begun = time.monotonic()
    search = Search(finding, target, ordered, lambda tried: None if arguments.json else tell(tried))
    try:
        interval = search.run(finding.version)
    except KeyboardInterrupt:
        keep(finding, search.interval(), out, is_own=on is None)
        shown(finding, search.interval(), time.monotonic() - begun, arguments.json)
        raise
    keep(finding, interval, out, is_own=on is None)
    shown(finding, interval, time.monotonic() - begun, arguments.json)
    if not interval.introduced:
        raise EnvironmentProblem(nowhere(finding, interval))
    return 0


def tell(tried: Tried) -> None:
    """One release, as soon as it is known."""
    why = f": {tried.why}" if tried.why else ""
    Console(highlight=False, soft_wrap=True).print(f"  {tried.version:12} {tried.told()}{why}", markup=False)


def nowhere(finding: events.Finding, interval: Interval) -> str:
    """Why no interval can be told."""
    asked = ", ".join(f"{t.version} ({t.told()})" for t in interval.tried)
    return (
        f"{finding.id} does not show on the releases next to {finding.version}: {asked}. It was met on another build; "
        f"'gainsay replay {finding.id}' asks that one again, --from and --to search elsewhere."
    )


def keep(finding: events.Finding, interval: Interval, out: Path, is_own: bool) -> None:
    """Make the interval a part of the finding, unless another engine or configuration was asked."""
    if not is_own or not interval.introduced:
        return
    folder.write(msgspec.structs.replace(finding, interval=interval), out)
    journal = Journal(out / "journal.jsonl")
    try:
        journal.append(events.Bisected(finding.id, interval), sync=True)
    finally:
        journal.close()


def shown(finding: events.Finding, interval: Interval, wall_s: float, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"id": finding.id, **machine.spanned(interval), "wall_s": round(wall_s, 2)}))
    elif interval.introduced:
        told = f"{finding.id}: {interval.told()}."
        tried = f"{len(interval.tried)} of {interval.releases} releases of {interval.engine} tried in {wall_s:.0f} s."
        print(f"{told}\n{tried}")

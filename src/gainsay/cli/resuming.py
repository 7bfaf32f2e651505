"""Where a hunt goes, and whether it goes on with an earlier one."""

from __future__ import annotations

import argparse
from pathlib import Path

from gainsay.campaign import config, planning, probing
from gainsay.campaign.request import Request
from gainsay.cli import folders
from gainsay.core.model import Seat, Target
from gainsay.errors import JournalError, UsageError


class Conflict(UsageError):
    """A folder that holds another hunt than the one that was asked for."""


def place_of(arguments: argparse.Namespace, request: Request) -> tuple[Path, bool]:
    """Where a hunt goes, and whether that is for us to say: where the same was hunted last, else into a new folder."""
    given = folders.said(arguments)
    if given is not None and ((given / folders.MARK).exists() or not folders.hunts(given)):
        before = config.saved(given)
        if before is not None and request.differs(before):
            raise conflict(given, before, request.differs(before))
        return given, False
    root = given or folders.HUNTS
    for hunt in folders.hunts(root):
        if hunt != root and is_again(request, hunt):
            return hunt, True
    return folders.following(root, request.name()), True


def is_again(request: Request, hunt: Path) -> bool:
    try:
        before = config.saved(hunt)
    except JournalError:
        return False  # nobody asked for that one
    return before is not None and request.is_again(before)


def conflict(out: Path, before: config.Campaign, what: str) -> Conflict:
    held = f"{out} holds a hunt on {', '.join(before.targets)} with seed {before.seed}"
    return Conflict(f"{held}, and this one has another {what}. Use another --out for another hunt.")


def known_seats(before: config.Campaign | None) -> dict[str, Seat]:
    return {str(s.target): s for g in before.groups for s in g.seats} if before else {}


def resumed(
    request: Request,
    before: config.Campaign,
    out: Path,
    checks: int,
    settings: dict[str, str],
    tell: probing.Tell,
) -> config.Campaign:
    """The campaign that goes on from an earlier run."""
    chosen = list(request.targets) or [Target.parse(t) for t in before.targets if before.is_whole]
    wanted = planning.plan(
        chosen,
        request.oracles or before.oracles,
        before.seed,
        settings or before.settings,
        checks,
        known_seats(before),
        explicit=bool(request.targets) or before.explicit,
        tell=tell,
    )
    kept, planned = ([(g.key, g.oracles, [s.version for s in g.seats]) for g in c.groups] for c in (before, wanted))
    if (
        planned != kept if before.is_whole else not all(g in planned for g in kept)
    ) or wanted.settings != before.settings:
        raise conflict(out, before, "version" if {k for k, _, _ in kept} <= {k for k, _, _ in planned} else "target")
    return wanted

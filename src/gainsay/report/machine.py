"""Results for programs: the JSON object of a hunt, and finding.json."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from gainsay.campaign import seating
from gainsay.campaign.config import Campaign
from gainsay.campaign.events import Finding, read_case
from gainsay.campaign.interval import Interval
from gainsay.campaign.ledger import Ledger
from gainsay.core import registry
from gainsay.errors import JournalError, UsageError, near
from gainsay.report.repro import blamed_seat, met_by


def summary(
    campaign: Campaign, ledger: Ledger, out: Path, wall_s: float, cpu_s: float, triage_s: float
) -> dict[str, Any]:
    """The object that `hunt --json` ends with. Its keys are a contract."""
    counts = ledger.counts
    return {
        "seed": campaign.seed,
        "targets": list(campaign.targets),
        "oracles": sorted({o for g in campaign.groups for o in g.oracles}),
        "checks": counts.checks,
        "asks": counts.asks,
        "valid": round(1 - counts.refused / counts.asks, 4) if counts.asks else 1.0,
        "nonempty": round(counts.nonempty / counts.answered, 4) if counts.answered else 0.0,
        "undecidable": counts.undecidable,
        "void": counts.void,
        "shunned": counts.shunned,
        "never_applied": [
            {"targets": group, "oracle": oracle, "conversations": n}
            for (group, oracle), n in ledger.never_applied().items()
        ],
        "findings": [brief(f, out) for f in ledger.shown()],
        "wall_s": round(wall_s, 2),
        "cpu_s": round(cpu_s, 2),
        "triage_s": round(triage_s, 2),
        "engine_s": round(counts.engine_s, 2),
        "scenes": counts.scenes,
        "raw": ledger.raw_total,
        "refusals": dict(ledger.refusals.most_common(5)),
        "undecided": dict(ledger.undecided.most_common(5)),
    }


def brief(finding: Finding, out: Path) -> dict[str, Any]:
    names = ("id", "engine", "version", "kind", "status", "count", "signature", "proof")
    return {
        **{n: getattr(finding, n) for n in names},
        "title": finding.called(),
        "oracle": met_by(finding),
        "path": str(out / "findings" / finding.id),
        "release": release_in(finding),
        "interval": None if finding.interval is None else spanned(finding.interval),
    }


def spanned(interval: Interval) -> dict[str, Any]:
    """Between which releases a finding came and went."""
    return {
        "engine": interval.engine,
        "before": interval.before,
        "introduced": interval.introduced,
        "last": interval.last,
        "fixed": interval.fixed,
        "still_there_in_newest": bool(interval.last) and not interval.fixed,
        "complete": interval.is_whole,
        "releases": interval.releases,
        "tried": [{"release": t.version, "answer": t.told(), "why": t.why} for t in interval.tried],
    }


def release_in(finding: Finding) -> str:
    """What stands before the command that runs a reproducer: the variable with which it finds the release on which a
    finding was met, if that is not the installed one."""
    target = blamed_seat(finding).target
    if not target.version or target.options:
        return ""
    folder = seating.room(target).folder
    return f"{registry.engine(target.engine).release_variable(folder)} " if folder and Path(folder).exists() else ""


def read_finding(folder: Path) -> Finding:
    """A finding from its folder. One that was edited is told, not guessed at."""
    path = folder / "finding.json"
    try:
        finding = msgspec.json.decode(path.read_bytes(), type=Finding)
        read_case(finding.case)
        if finding.id != folder.name:
            raise ValueError(f"its id is {finding.id!r}")
        return finding
    except FileNotFoundError:
        raise JournalError(
            f"{path} is missing. 'gainsay report {folder.parent.parent} --format md' shows what the journal knows."
        ) from None
    except OSError as error:
        raise JournalError(f"{path} can't be read: {error.strerror}.") from None
    except (msgspec.DecodeError, ValueError, KeyError, TypeError) as error:
        raise JournalError(
            f"{path} is not what was written there ({error}), or another version of gainsay "
            "wrote it. Hunt again with the same seed to get it back."
        ) from None


class Names(msgspec.Struct):
    """Of a finding.json, the other ids."""

    aliases: tuple[str, ...] = ()


def aliases(folder: Path) -> tuple[str, ...]:
    """The ids of findings that went into the bucket of this one. A folder that can't be read has none."""
    try:
        return msgspec.json.decode((folder / "finding.json").read_bytes(), type=Names).aliases
    except (OSError, msgspec.DecodeError):
        return ()


def is_same(one: str, other: str) -> bool:
    """Whether two ids end in the same signature: then they name one bucket, whichever oracle met it first."""
    ends = [re.search(r"-([0-9a-f]{8})$", name) for name in (one, other)]
    return all(ends) and len({end[1] for end in ends if end}) == 1


def find(hunts: Sequence[Path], name: str) -> Path:
    """The folder of a finding, by its ID, a part of it that is enough, or the ID of another in its bucket: in the first
    of the hunts that has it."""
    folders = [folder for hunt in hunts for folder in sorted((hunt / "findings").glob("*"))]
    names = list(dict.fromkeys(folder.name for folder in folders))
    matching = [name] if name in names else [n for n in names if name and name in n]
    if len(matching) == 1:
        return next(folder for folder in folders if folder.name == matching[0])
    where = hunts[0] if len(hunts) == 1 else f"the hunts in {hunts[0].parent}"
    if matching:
        raise UsageError(f"{name!r} is a part of several findings: {', '.join(matching[:6])}. Give more of it.")
    called = [folder for folder in folders if is_same(name, folder.name) or name in aliases(folder)]
    if called:
        return called[0]
    if not names:
        raise UsageError(f"There are no findings in {where}. Name the folder of a hunt with --out.")
    raise UsageError(f"There is no finding {name!r} in {where}.{near(name, names)}")

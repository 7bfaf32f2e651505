"""`gainsay bench known FILE`: which oracles see known bugs, on releases that have them."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from gainsay.campaign import conversation, describing, seating
from gainsay.cli.looking import out_console, table
from gainsay.core import registry
from gainsay.core.model import Case, Seat, Seats, Target
from gainsay.engines import releases
from gainsay.errors import EnvironmentProblem, JournalError, UsageError


class Known(msgspec.Struct):
    """A known bug, as data (one schema for all families)."""

    id: str
    engine: str
    query: str
    setup: list[str] = []
    actual: Any = ""
    expected: Any = ""
    wrong: list[str] = []
    right: list[str] = []
    note: str = ""


def read(path: Path) -> list[Known]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[Known])
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}.") from None
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise JournalError(f"{path} is not a file of known bugs ({error}).") from None


def versions(bug: Known) -> list[str]:
    """The releases that are known to be wrong, latest first. SQLite's are given as the first and the last one."""
    if any(text.startswith("every release") for text in bug.wrong):
        return []
    return [v for text in reversed(bug.wrong) for v in re.findall(r"\d+(?:\.\d+)+", text)]


def is_wrong(bug: Known, version: str) -> bool:
    listed = sorted(map(releases.numbers, versions(bug)))
    return bool(listed) and listed[0] <= releases.numbers(version) <= listed[-1]


def at_hand(bug: Known, given: list[Seat], tried: dict[str, Seat | None]) -> Seat | None:
    """A target that shows the bug: one that was named, one in the cache, or one that a wheel brings."""
    for seat in given:
        # A bug without numbered releases was seen on a build: any build that was named will do.
        if registry.engine(seat.target.engine).dialect == registry.engine(bug.engine).dialect and (
            is_wrong(bug, seat.version) or not versions(bug)
        ):
            return seat
    if not versions(bug):
        return installed(bug.engine, tried)
    patience = "?time=10" if "time" in registry.engine(bug.engine).options else ""
    for version in versions(bug):
        here = installed(bug.engine, tried)
        if here is not None and here.version.startswith(f"{version}."):
            return here  # a build of that release
        name = f"{bug.engine}@{version}{patience}"
        if name not in tried:
            try:
                tried[name] = describing.describe(Target.parse(name))
            except EnvironmentProblem:
                tried[name] = None
        if tried[name] is not None:
            return tried[name]
    return None


def installed(engine: str, tried: dict[str, Seat | None]) -> Seat | None:
    if engine not in tried:
        try:
            tried[engine] = describing.describe(Target(engine))
        except EnvironmentProblem:
            tried[engine] = None
    return tried[engine]


def reference(bug: Known, tried: dict[str, Seat | None], seat: Seat) -> Seat | None:
    """A release in which the bug is gone, for comparison: the first right one at hand, else the installed one; never
    the seat's own build."""
    for version in [v for text in bug.right for v in re.findall(r"\d+(?:\.\d+)+", text)] + [""]:
        name = f"{bug.engine}@{version}" if version else bug.engine
        if name not in tried:
            try:
                tried[name] = describing.describe(Target.parse(name))
            except EnvironmentProblem:
                tried[name] = None
        other = tried[name]
        if (
            other is not None
            and not is_wrong(bug, other.version)
            and (other.version, other.build) != (seat.version, seat.build)
        ):
            return other
    return None


def verdicts(bug: Known, seat: Seat, other: Seat | None) -> Iterator[tuple[str, str]]:
    """Each oracle of the family, and what it says on this bug."""
    family_name = registry.engine(bug.engine).family
    family = registry.family(family_name)
    scene, questions, _ = family.parse(bug.setup, bug.query, seat.dialect)
    asked = [q for q in questions if isinstance(q, family.question_type)]
    drawing = Seats((seat,))
    drawing.lexicon = family.prepare(drawing, {})
    for name in registry.oracles(family_name):
        oracle = registry.oracle(family_name, name)
        recipes = [r for q in asked for r in oracle.variants(scene, q, drawing)]
        if not recipes or (oracle.min_seats > 1 and other is None):
            yield name, "-"
            continue
        seats = (
            (seat, msgspec.structs.replace(other, index=1)) if oracle.min_seats > 1 and other is not None else (seat,)
        )
        players: list[Any] = [seating.HostedPlayer(s.target, hard_s=10.0) for s in seats]
        try:
            said = []
            for recipe in recipes:
                said.append(verdict(Case(family_name, name, scene, recipe, seats, ""), players, Seats(seats)))
                if said[-1] == "sees it":
                    break
            yield name, next((s for s in ("sees it", "blind", "refused") if s in said), "-")
        finally:
            for player in players:
                player.close()


def verdict(case: Case, players: list[Any], seats: Seats) -> str:
    found = conversation.hold(case, players, seats)
    return "refused" if found is None else "sees it" if found else "blind"


def known(arguments: argparse.Namespace) -> int:
    """Put each bug of a file to every oracle that applies, where a release is at hand that has it."""
    if not arguments.file:
        raise UsageError("Name a file of known bugs: gainsay bench known FILE.")
    path = Path(arguments.file)
    bugs = read(path)
    engines = {b.engine for b in bugs} - set(registry.table("gainsay.engines"))
    if engines == {b.engine for b in bugs}:
        raise UsageError(f"{path} is about {', '.join(sorted(engines))}, which gainsay does not have (yet).")
    given = [describing.describe(Target.parse(t)) for t in arguments.on]
    tried: dict[str, Seat | None] = {}
    rows = []
    for number, bug in enumerate(bugs, 1):
        print(f"{number} of {len(bugs)}: {bug.id}", file=sys.stderr, flush=True)
        row: dict[str, Any] = {"id": bug.id, "wrong": " to ".join(bug.wrong), "on": "", "oracles": {}}
        seat = at_hand(bug, given, tried) if bug.engine not in engines else None
        if seat is not None:
            row["on"] = str(seat.version)
            row["oracles"] = dict(verdicts(bug, seat, reference(bug, tried, seat)))
        rows.append(row)
    if arguments.json:
        print(json.dumps(rows))
        return 0
    show(rows, [b for b in bugs if b.engine not in engines])
    return 0


def show(rows: list[dict[str, Any]], ours: list[Known]) -> None:
    """A table of who sees which bug. `ours` are those of engines that gainsay has."""
    names = list(dict.fromkeys(n for r in rows for n in r["oracles"]))
    shown = table("bug", "wrong in", "run on", *names)
    for r in rows:
        shown.add_row(r["id"], r["wrong"], r["on"] or "not at hand", *(r["oracles"].get(n, "") for n in names))
    console = out_console()
    console.print(shown)
    run = [r for r in rows if r["on"]]
    seen = [r for r in run if any(v.startswith("sees") for v in r["oracles"].values())]
    each = ", ".join(f"{n} {sum(r['oracles'].get(n, '').startswith('sees') for r in run)}" for n in names)
    console.print(
        f"{len(rows)} bugs, {len(run)} run where a wrong release is at hand, {len(seen)} seen by some oracle ({each}).",
        highlight=False,
    )
    if len(run) < len(rows):
        for remedy in filter(None, {registry.engine(b.engine).old_releases: 0 for b in ours}):
            console.print(f"Releases without a wheel: {remedy}.", highlight=False)

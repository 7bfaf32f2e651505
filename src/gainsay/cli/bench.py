"""`gainsay bench speed` and `gainsay bench known FILE`: what the product itself is worth, measured in CPU time."""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from gainsay.campaign import config, conversation, seating
from gainsay.cli import bench_causes, bench_cypher, bench_datalog, bench_smt, folders, parsing
from gainsay.cli.looking import out_console, table
from gainsay.core import registry
from gainsay.core.model import Case, Seat, Seats, Target
from gainsay.engines import releases
from gainsay.errors import EnvironmentProblem, GainsayError, JournalError, UsageError


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
    reported_by: str = ""


def bench(arguments: argparse.Namespace) -> int:
    for name in arguments.on if arguments.what in ("datalog", "smt") else ():
        if arguments.what != seating.check(Target.parse(name)).family:
            raise UsageError(
                f"{name} is not of the family that 'bench {arguments.what}' measures. 'gainsay engines' lists families."
            )
    if arguments.what == "speed":
        if arguments.file:
            raise UsageError("'bench speed' takes no file. Did you mean 'bench known FILE'?")
        return speed(arguments)
    if arguments.what == "datalog":
        if arguments.file:
            raise UsageError("'bench datalog' takes no file. Did you mean 'bench known FILE'?")
        return datalog(arguments)
    if arguments.what == "smt":
        return smt(arguments)
    if arguments.what == "cypher":
        return cypher(arguments)
    if arguments.what == "reduction":
        return reduction(arguments)
    if arguments.what == "causes":
        return causes(arguments)
    if not arguments.file:
        raise UsageError("Name a file of known bugs: gainsay bench known FILE.")
    return known(arguments)


# --- speed ------------------------------------------------------------------------------------------------------------


def speed(arguments: argparse.Namespace) -> int:
    """Checks per CPU-second and our own share, for each target, mix and oracle, each in a process of its own."""
    seconds = parsing.duration(arguments.for_s, "--for")
    targets = [Target.parse(t) for t in arguments.on] or config.embedded()
    rows = []
    for target in targets:
        seat = config.seated(target, {})
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


SEEDS = 6  # an engine may die of what is drawn: then it is measured on other draws


def measured(
    seat: Seat, family: str, oracle: str, settings: dict[str, str], seconds: float, seed: int = 1
) -> dict[str, Any]:
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


def datalog(arguments: argparse.Namespace) -> int:
    """DEOPT's Figures 10 and 6, on Cozo and, where it is, Soufflé."""
    seconds = parsing.duration(arguments.for_s, "--for")
    told = Console(stderr=True)
    rows = []
    for row in bench_datalog.rows(arguments.on, seconds):
        told.print(f"measured {row['target']} with {row['rules']} rules", highlight=False)
        rows.append(row)
    if arguments.json:
        print(json.dumps(rows))
        return 0
    shown = table(
        "target",
        "rules",
        "incremental, non-empty a CPU-minute",
        "compared on the way, incremental / random",
        "random, non-empty",
        "random, valid",
        "ratio",
        "references' share",
        "whole / reference",
    )
    for r in rows:
        one, two = r["incremental"]["nonempty"], r["random"]["nonempty"]
        ratio = f"{one / two:.1f}" if two else "random has none"
        share = f"{100 * r['reference_share']:.0f} %"
        checked = (r["incremental"]["checked"], r["random"]["checked"])
        numbers = (
            f"{one:,.0f}",
            f"{checked[0]:,.0f} / {checked[1]:,.0f}",
            f"{two:,.1f}",
            f"{r['random']['valid']:,.1f} of {r['random']['cases']:,.0f}",
        )
        shown.add_row(r["target"], str(r["rules"]), *numbers, ratio, share, f"{r['whole_per_reference']:.1f}")
    out_console().print(shown)
    return 0


def smt(arguments: argparse.Namespace) -> int:
    """STORM's rates: instances that are made, and instances that are asked, one-shot and on resident definitions."""
    if arguments.file:
        raise UsageError("'bench smt' takes no file. Did you mean 'bench known FILE'?")
    seconds = parsing.duration(arguments.for_s, "--for")
    made = bench_smt.generated(seconds)
    rows = []
    for target in [Target.parse(t) for t in arguments.on or ("z3", "yices")]:
        seat = config.seated(target, {})
        for logic in bench_smt.LOGICS:
            if f"logic:{logic}" in seat.refused:
                continue
            for mode in ("one-shot", "resident"):
                settings = {"logics": logic, "storm.mode": mode, "storm.a_max": bench_smt.A_MAX}
                rows.append({"logic": logic, "mode": mode, **measured(seat, "smt", "storm", settings, seconds)})
    if arguments.json:
        print(json.dumps({"generated": made, "asked": rows}))
        return 0
    shown = table("logic", "instances made a CPU-second", "bytes each")
    for m in made:
        shown.add_row(m["logic"], f"{m['rate']:,.0f}", f"{m['bytes']:,.0f}")
    out_console().print(shown)
    shown = table("target", "logic", "mode", "instances asked a CPU-second", "our time / solver's", "valid", "decided")
    for r in rows:
        shares = (f"{100 * r['valid']:.1f} %", f"{100 * r['nonempty']:.1f} %")
        shown.add_row(
            r["target"], r["logic"], r["mode"], f"{r['instances'] / r['cpu_s']:,.0f}", f"{r['ratio']:.2f}", *shares
        )
    out_console().print(shown)
    return 0


def cypher(arguments: argparse.Namespace) -> int:
    """GDsmith's ablation on real engines, our own side's speed and share, and `partition` against `reference`."""
    if arguments.file:
        raise UsageError("'bench cypher' takes no file. Did you mean 'bench known FILE'?")
    seconds = parsing.duration(arguments.for_s, "--for")
    names = arguments.on or ["kuzu", "ladybug", "arcadedb"]
    for name in names:
        if seating.check(Target.parse(name)).family != "cypher":
            raise UsageError(
                f"{name} is no graph engine: 'bench cypher' measures on those. 'gainsay engines' lists them."
            )
    made = bench_cypher.generated(seconds)
    shares = [share for share in (tried(n, seconds) for n in names) if share is not None]
    hunts = list(bench_cypher.hunts(names, arguments.for_s))
    if arguments.json:
        print(json.dumps({"generated": made, "shares": shares, "hunts": hunts}))
        return 0
    console = out_console()
    shown = table("queries of up to", "drawn and evaluated a CPU-second", "not empty")
    for m in made:
        shown.add_row(f"{m['clauses']} clauses", f"{m['rate']:,.0f}", f"{100 * m['nonempty']:.1f} %")
    console.print(shown)
    shown = table("target", "queries a CPU-second", "our share of the CPU", "valid", "not empty")
    for s in shares:
        shown.add_row(
            s["target"],
            f"{s['rate']:,.0f}",
            f"{100 * s['share']:.1f} %",
            f"{100 * s['valid']:.1f} %",
            f"{100 * s['nonempty']:.1f} %",
        )
    console.print(shown)
    shown = table("target", "oracle", "led by", "checks", "not empty", "contradictions", "findings")
    for h in hunts:
        shown.add_row(
            h["target"],
            h["oracle"],
            h["led by"],
            f"{h['checks']:,}",
            f"{100 * h['nonempty']:.1f} %",
            f"{h['raw']:,}",
            str(h["findings"]),
        )
    console.print(shown)
    return 0


def tried(name: str, seconds: float) -> dict[str, Any] | None:
    """Our share on a target; None where it dies of whatever is drawn."""
    seat = bench_cypher.tame(config.seated(Target.parse(name), {}))
    try:
        return measured(seat, "cypher", "reference", {"matrix": "off"}, seconds)
    except GainsayError as error:
        Console(stderr=True).print(str(error), highlight=False, markup=False)
        return None


def reduction(arguments: argparse.Namespace) -> int:
    """STORM's Table 2.4 on the findings of a hunt: as met, by Algorithm 2, by ddSMT, by us."""
    arguments.dir = arguments.file
    out = folders.said(arguments)
    if out is None or len(arguments.on) != 1:
        raise UsageError(
            "Name the folder of a hunt and a release that has the bugs fixed: gainsay bench reduction DIR --on "
            "z3@4.8.9."
        )
    rows = []
    told = Console(stderr=True)
    for row in bench_smt.reductions(
        (folders.hunts(out) or [out])[0], Target.parse(arguments.on[0]), parsing.duration(arguments.for_s, "--for")
    ):
        told.print(f"reduced {row['id']}", highlight=False)
        rows.append(row)
    if arguments.json:
        print(json.dumps(rows))
        return 0
    if not rows:
        print(f"{out} has no finding of an unsat for a satisfiable instance: that is what these minimisers are for.")
        return 0
    shown = table("finding", "as met", "Algorithm 2", "ddSMT", "gainsay", "the fixed release says")
    for r in rows:
        shown.add_row(r["id"], *(bench_smt.sized(r[k]) for k in ("met", "algorithm2", "ddsmt", "ours")), r["fixed"])
    console = out_console()
    console.print(shown)
    console.print(
        "Sizes: bytes / assertions / depth of the deepest formula. A dash: could not be minimised.", highlight=False
    )
    return 0


def causes(arguments: argparse.Namespace) -> int:
    """Causes that a hunt met and reported, told apart by the releases on which they show."""
    if not arguments.file or len(arguments.on) < 2:
        told = "gainsay bench causes DIR --on sqlite@3.26.0 --on sqlite@3.28.0 --on sqlite@3.29.0"
        raise UsageError(f"Name the folder of a hunt and releases around its own, oldest first: {told}.")
    ladder = [Target.parse(text) for text in arguments.on]
    for target in ladder:
        config.describe(target)  # a release that is not there is told now
    result = bench_causes.measured(
        Path(arguments.file), ladder, lambda text: Console(stderr=True).print(text, highlight=False)
    )
    if arguments.json:
        print(json.dumps(result))
        return 0
    shown = table("wrong from", "to", "contradictions", "findings")
    for row in result["rows"]:
        shown.add_row(
            row["from"],
            row["to"],
            str(row["met"]),
            " ".join(row["ids"]) or ("(two causes at once)" if row["is_union"] else "none"),
        )
    console = out_console()
    console.print(shown)
    console.print(
        f"{result['raw']} contradictions met {result['causes_met']} causes, {result['causes_reported']} of them are "
        "reported; "
        f"{result['ids']} findings, {result['ids_per_cause']:.2f} a cause.",
        highlight=False,
    )
    return 0


# --- known bugs -------------------------------------------------------------------------------------------------------


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
                tried[name] = config.describe(Target.parse(name))
            except EnvironmentProblem:
                tried[name] = None
        if tried[name] is not None:
            return tried[name]
    return None


def installed(engine: str, tried: dict[str, Seat | None]) -> Seat | None:
    if engine not in tried:
        try:
            tried[engine] = config.describe(Target(engine))
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
                tried[name] = config.describe(Target.parse(name))
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
    scene, questions = family.parse(bug.setup, bug.query)
    drawing = Seats((seat,))
    drawing.lexicon = family.prepare(drawing, {})
    for name in registry.oracles(family_name):
        oracle = registry.oracle(family_name, name)
        recipes = [r for q in questions for r in oracle.variants(scene, q, drawing)]
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
    path = Path(arguments.file)
    bugs = read(path)
    engines = {b.engine for b in bugs} - set(registry.table("gainsay.engines"))
    if engines == {b.engine for b in bugs}:
        raise UsageError(f"{path} is about {', '.join(sorted(engines))}, which gainsay does not have (yet).")
    given = [config.describe(Target.parse(t)) for t in arguments.on]
    tried: dict[str, Seat | None] = {}
    rows = []
    for bug in bugs:
        row: dict[str, Any] = {"id": bug.id, "wrong": " to ".join(bug.wrong), "on": "", "oracles": {}}
        seat = at_hand(bug, given, tried) if bug.engine not in engines else None
        if seat is not None:
            row["on"] = str(seat.version)
            row["oracles"] = dict(verdicts(bug, seat, reference(bug, tried, seat)))
        rows.append(row)
    if arguments.json:
        print(json.dumps(rows))
        return 0
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
        f"{len(bugs)} bugs, {len(run)} run where a wrong release is at hand, {len(seen)} seen by some oracle ({each}).",
        highlight=False,
    )
    if len(run) < len(bugs):
        for remedy in filter(
            None, {registry.engine(b.engine).old_releases: 0 for b in bugs if b.engine not in engines}
        ):
            console.print(f"Releases without a wheel: {remedy}.", highlight=False)
    return 0

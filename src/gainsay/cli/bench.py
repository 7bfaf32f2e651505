"""`gainsay bench`: what the product itself is worth, measured in CPU time, and shown as tables."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from rich.console import Console

from gainsay.campaign import describing, seating
from gainsay.cli import bench_causes, bench_cypher, bench_datalog, bench_smt, bench_sql, folders, parsing
from gainsay.cli.bench_known import known
from gainsay.cli.bench_speed import measured, speed
from gainsay.cli.looking import out_console, table
from gainsay.core.model import Target
from gainsay.core.wording import counted
from gainsay.errors import GainsayError, UsageError


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
    seconds = parsing.duration(arguments.for_s, "--for")
    made = bench_smt.generated(seconds)
    rows = []
    for target in [Target.parse(t) for t in arguments.on or ("z3", "yices")]:
        seat = describing.seated(target, {})
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


def sql(arguments: argparse.Namespace) -> int:
    """What is drawn, taken and given a meaning, and how often engines differ from our own semantics."""
    seconds = parsing.duration(arguments.for_s, "--for")
    seed = parsing.number(arguments.seed, "--seed", least=0)
    found = [bench_sql.measured(Target.parse(name), seconds, seed) for name in arguments.on or ("apsw", "duckdb")]
    if arguments.json:
        print(json.dumps(found))
        return 0
    console = out_console()
    shown = table(
        "target", "scenes", "stored otherwise", "queries drawn", "taken", "with a meaning", "not empty", "differing"
    )
    for row in found:
        shown.add_row(row["target"], f"{row['scenes']:,}", *(f"{row[word]:,}" for word in bench_sql.WORDS))
    console.print(shown)
    for row in found:
        shown = table(row["target"], "", "drawn", "taken", "with a meaning")
        for part in row["parts"]:
            told = "" if part["told"] is None else shared(part["told"], part["drawn"])
            shown.add_row(part["kind"], part["name"], f"{part['drawn']:,}", shared(part["taken"], part["drawn"]), told)
        console.print(shown)
        for text in row["queries"]:
            console.print(f"{row['target']} differs: {text}", highlight=False, markup=False, soft_wrap=True)
    return 0


def shared(count: int, whole: int) -> str:
    return f"{100 * count / whole:.0f} %"


def tried(name: str, seconds: float) -> dict[str, Any] | None:
    """Our share on a target; None where it dies of whatever is drawn."""
    seat = bench_cypher.tame(describing.seated(Target.parse(name), {}))
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
        describing.describe(target)  # a release that is not there is told now
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
        f"{counted(result['ids'], 'finding')}, {result['ids_per_cause']:.2f} a cause."
        + (f" {result['untold']} do not show again on the hunt's own release." if result["untold"] else ""),
        highlight=False,
    )
    return 0


COMMANDS = {
    "speed": speed,
    "known": known,
    "datalog": datalog,
    "smt": smt,
    "cypher": cypher,
    "sql": sql,
    "reduction": reduction,
    "causes": causes,
}
WITHOUT_FILE = ("speed", "datalog", "smt", "cypher", "sql")
OF_A_FAMILY = ("datalog", "smt", "sql")  # named as the family that they measure


def bench(arguments: argparse.Namespace) -> int:
    """Measure what was named, once its options are known to suit it."""
    for name in arguments.on if arguments.what in OF_A_FAMILY else ():
        if arguments.what != seating.check(Target.parse(name)).family:
            raise UsageError(
                f"{name} is not of the family that 'bench {arguments.what}' measures. 'gainsay engines' lists families."
            )
    if arguments.file and arguments.what in WITHOUT_FILE:
        raise UsageError(f"'bench {arguments.what}' takes no file. Did you mean 'bench known FILE'?")
    return COMMANDS[arguments.what](arguments)

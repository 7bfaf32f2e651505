"""`gainsay tailor run`: from the command line to recipes."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from gainsay import __version__
from gainsay.cli import folders
from gainsay.cli.tailor_options import analyzer_of, extras_of, limits_of, memory_of, plan_of, sources_of, workers_of
from gainsay.cli.tailor_screen import Screen, stopping
from gainsay.tailor import record, search
from gainsay.tailor.evaluate import Score
from gainsay.tailor.tailoring import Found, Result, Workshop


def tailor(arguments: argparse.Namespace) -> int:
    if arguments.action == "bench":
        from gainsay.cli import bench_tailor

        return bench_tailor.bench(arguments)
    if arguments.action == "run":
        return run(arguments)
    from gainsay.cli import tailor_recipes

    return {"check": tailor_recipes.check, "show": tailor_recipes.show}[arguments.action](arguments)


def run(arguments: argparse.Namespace) -> int:
    """`tailor run`: search for recipes, and write those that were found."""
    analyzer = analyzer_of(arguments.analyzer)
    workers = workers_of(arguments)
    plan = plan_of(arguments, analyzer, workers)
    limits = limits_of(arguments, ["10s"])
    memory = memory_of(arguments)
    sources = sources_of(arguments.files)
    more = extras_of(arguments)
    out, output = Path(arguments.out), Path(arguments.output)
    before = record.earlier(output, analyzer, analyzer.version())
    with folders.owned(out, "runs.jsonl", "tailor run"):
        shop = Workshop(analyzer, out, workers)
        console = Console(stderr=arguments.json)
        with Screen(console, shop, arguments.json) as screen, stopping(shop):
            codes = [shop.prepare(source) for source in sources]  # a Ctrl-C here ends all: there is nothing to keep
            for code in codes:
                screen.prepared(code)
            begun = time.monotonic()
            results = shop.tailor(codes, limits, memory, plan, more, screen)
        shop.cache.close()
    kept = [r for r in results if r.is_whole or any(f.best.is_finished for f in r.found)]
    if kept:
        record.write(output, record.merged(before, booked(kept, shop, plan, memory, output)))
    return report(arguments, console, results, shop, plan, output, time.monotonic() - begun, len(codes))


def booked(results: Sequence[Result], shop: Workshop, plan: search.Plan, memory: int, output: Path) -> record.Book:
    """What was found, as a recipe file keeps it."""
    files = {}
    for result in results:
        entries = [
            record.Entry(
                found.limit_s,
                memory,
                list(found.best.tuning.ingredients),
                found.best.count,
                round(found.best.cpu_s, 3),
                found.default.count if found.default.is_finished else None,
                found.note,
                found.gains,
                record.ids_of(result.code, found.best.proved),
            )
            for found in result.found
        ]
        files[record.key_of(result.code.source, output)] = record.Unit(
            len(result.code.properties), result.code.digest, entries
        )
    analyzer = shop.analyzer
    options = record.portable(analyzer)
    return record.Book(
        record.FORMAT,
        __version__,
        analyzer.name,
        shop.version,
        options,
        plan.algorithm,
        plan.budget.iterations,
        plan.seed,
        files,
    )


def report(
    arguments: argparse.Namespace,
    console: Console,
    results: Sequence[Result],
    shop: Workshop,
    plan: search.Plan,
    output: Path,
    wall_s: float,
    files: int,
) -> int:
    """The last lines, and the exit code: a contradiction of the analyzer is a finding."""
    tally = shop.tally
    is_whole = all(r.is_whole for r in results) and len(results) == files and not shop.stop.is_set()
    clashes = sum(len(r.clashes) for r in results)
    if not arguments.json:
        ended = "" if is_whole else "Stopped early: the best so far is kept. "
        console.print(
            f"{ended}{tally.tunings} recipes in {wall_s:.0f} s: {tally.runs} runs ({tally.analyzer_s:.0f} CPU-s), "
            f"{tally.known} known already, "
            f"{tally.timeouts} over the limit, {tally.cut} ended when they could not win, {tally.spared} not run for "
            "being above one that was, "
            f"{tally.failures} failed. Seed {plan.seed}.",
            highlight=False,
            soft_wrap=True,
        )
        if results:
            console.print(
                f"Recipes are in {output}. Next: gainsay tailor show {output}", highlight=False, soft_wrap=True
            )
    else:
        print(json.dumps(summary(results, shop, plan, str(output), wall_s, is_whole)))
    return 1 if clashes else 0


def summary(
    results: Sequence[Result], shop: Workshop, plan: search.Plan, output: str, wall_s: float, is_whole: bool
) -> dict[str, Any]:
    """The run as one JSON object."""
    tally = shop.tally
    return {
        "analyzer": shop.analyzer.name,
        "version": shop.version,
        "algorithm": plan.algorithm,
        "iterations": plan.budget.iterations,
        "seed": plan.seed,
        "files": [concluded(result, found) for result in results for found in result.found],
        "recipes": tally.tunings,
        "runs": tally.runs,
        "known": tally.known,
        "timeouts": tally.timeouts,
        "cut": tally.cut,
        "spared": tally.spared,
        "failed": tally.failures,
        "analyzer_s": round(tally.analyzer_s, 3),
        "own_s": round(shop.own_s, 3),
        "wall_s": round(wall_s, 3),
        "is_whole": is_whole,
        "output": output,
    }


def concluded(result: Result, found: Found) -> dict[str, Any]:
    """One file under one limit: the recipe that won, what it is compared with, and all that was tried."""
    return {
        "file": result.code.source,
        "limit_s": found.limit_s,
        "assertions": len(result.code.properties),
        "proved": found.best.count,
        "cpu_s": round(found.best.cpu_s, 3),
        "recipe": [str(i) for i in found.best.tuning.ingredients],
        "default_proved": found.default.count if found.default.is_finished else None,
        "default_cpu_s": round(found.default.cpu_s, 3),
        "ladder": [
            {"rung": label, "proved": s.count if s.is_finished else None, "cpu_s": round(s.cpu_s, 3)}
            for label, s in result.ladder
        ],
        "front": [
            {
                "proved": s.count,
                "cpu_s": round(s.cpu_s, 3),
                "recipe": [str(i) for i in s.tuning.ingredients],
            }
            for s in result.front
        ],
        "tried": [told(s) for s in found.tried],
        "note": found.note,
        "gains": msgspec.to_builtins(found.gains),
        "contradictions": [
            {
                "property": str(result.code.properties[c.index]),
                "proved_by": str(c.proved_by),
                "refuted_by": str(c.refuted_by),
            }
            for c in result.clashes
        ],
    }


def told(score: Score) -> dict[str, Any]:
    recipe = [str(i) for i in score.tuning.ingredients]
    return {
        "recipe": recipe,
        "status": score.status,
        "proved": score.count if score.is_finished else None,
        "cpu_s": round(score.cpu_s, 3),
    }

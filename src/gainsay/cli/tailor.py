"""`gainsay tailor`: its options, its screen, and `tailor run`, from the command line to recipes."""

from __future__ import annotations

import argparse
import json
import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.text import Text

from gainsay import __version__
from gainsay.cli import folders, parsing
from gainsay.core import registry
from gainsay.core.model import Target
from gainsay.errors import UsageError
from gainsay.report.terminal import Panel
from gainsay.tailor import record, search
from gainsay.tailor.analyzer import Analyzer, Code
from gainsay.tailor.draws import Odds
from gainsay.tailor.evaluate import Score
from gainsay.tailor.tailoring import Extras, Found, Result, Watch, Workshop

OUT = "gainsay-tailor-out"
OUTPUT = "tailor.json"
RETUNE = 5.0  # percent of the recorded proofs


def declare(tailor: Any, parser_class: Any) -> None:
    """The four commands and their options."""
    actions = tailor.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=parser_class)
    run = actions.add_parser(
        "run",
        help="find recipes for files",
        description="Find the recipe that proves most within a limit.",
        allow_abbrev=False,
    )
    run.add_argument(
        "files", nargs="+", metavar="FILE", help="a C file (eva, clam), a .smt2 file or a folder of them (z3)"
    )
    run.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="TIME",
        help="CPU time of the whole recipe; may be given several times",
    )
    run.add_argument("--output", default=OUTPUT, metavar="FILE", help=f"the recipe file (default {OUTPUT})")
    tuning(run)

    check = actions.add_parser("check", help="for CI: is as much proved as was recorded?", allow_abbrev=False)
    check.add_argument("recipes", metavar="RECIPES", help="a recipe file, such as tailor.json")
    check.add_argument("files", nargs="+", metavar="FILE", help="files that the recipe file has recipes for")
    check.add_argument("--limit", action="append", default=[], metavar="TIME", help="only recipes for this limit")
    check.add_argument(
        "--analyzer",
        metavar="NAME?KEY=VALUE",
        help="options that a recipe file may not have, such as 'clam?bin=FOLDER'",
    )
    check.add_argument(
        "--any-version", action="store_true", help="also if the installed analyzer is of another version"
    )
    check.add_argument(
        "--retune",
        nargs="?",
        const=str(RETUNE),
        metavar="PERCENT",
        help=f"search again where more was lost (default {RETUNE:g})",
    )
    check.add_argument(
        "--workers", metavar="N", help="runs at once, where it searches again (default: half of the cores)"
    )
    check.add_argument("--out", default=OUT, metavar="DIR", help=f"where outcomes are kept (default ./{OUT})")
    check.add_argument("--json", action="store_true", help="end with one JSON object on the last line")

    show = actions.add_parser(
        "show", help="recipes, what each setting bought, and the analyzer's command", allow_abbrev=False
    )
    show.add_argument("recipes", metavar="RECIPES")
    show.add_argument("--json", action="store_true")

    bench = actions.add_parser("bench", help="the thesis's experiments on your code", allow_abbrev=False)
    bench.add_argument("dir", metavar="DIR", help="a folder of files to tune to")
    bench.add_argument(
        "--limit", action="append", default=[], metavar="TIME", help="may be given several times (default 3s and 12s)"
    )
    bench.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="PART",
        help="only this one: rq1, doubled (iterations), rq2, rq3, rq4, guard",
    )
    bench.add_argument("--versions", metavar="DIR", help="later versions of files for rq4, as DIR/NAME/VERSION/FILE")
    bench.add_argument("--output", metavar="DIR", help="where tables and plots go (default: in --out)")
    tuning(bench)


def tuning(parser: Any) -> None:
    """Options of every command that searches."""
    parser.add_argument(
        "--analyzer", default="eva", metavar="NAME[?KEY=VALUE&...]", help="eva, clam or z3 (default eva)"
    )
    parser.add_argument(
        "--memory", default="2G", metavar="SIZE", help="memory of a run; more costs infinity (default 2G)"
    )
    parser.add_argument("--algorithm", default="dars", choices=search.ALGORITHMS, help="default dars")
    parser.add_argument("--iterations", metavar="N", help="i_dom * l_max (l_max + 1) / 2 + i_set (default 40)")
    parser.add_argument("--i-dom", metavar="N", help="recipes for each ingredient of a length (default 5)")
    parser.add_argument("--i-set", metavar="N", help="recipes with other settings (default 10)")
    parser.add_argument("--l-max", metavar="N", help="ingredients in a recipe (default 3)")
    parser.add_argument(
        "--order", choices=search.ORDERS, help="what is searched first (default: as it suits the analyzer)"
    )
    parser.add_argument("--p-add", metavar="P", help="probability of ADD in Algorithm 7 (default 0.2)")
    parser.add_argument("--p-gt", metavar="P", help="of a more precise domain (default 0.5)")
    parser.add_argument("--p-lt", metavar="P", help="of a less precise domain (default 0.3)")
    parser.add_argument("--hc-steps", metavar="N", help="steps of hill climbing before it starts again (default 10)")
    parser.add_argument("--no-ladder", action="store_true", help="do not try the designer's own levels first")
    parser.add_argument("--no-union", action="store_true", help="do not unite complementary runs")
    parser.add_argument(
        "--functions",
        default="8",
        metavar="N",
        help="recipes with settings for single functions (default 8, 0 for none)",
    )
    parser.add_argument("--seed", default="0", metavar="N", help="names the random choices (default 0)")
    parser.add_argument("--workers", metavar="N", help="runs at once (default: half of the cores)")
    parser.add_argument(
        "--out", default=OUT, metavar="DIR", help=f"where outcomes are kept; the same folder goes on (default ./{OUT})"
    )
    parser.add_argument("--json", action="store_true", help="end with one JSON object on the last line")


# --- reading the command line -----------------------------------------------------------------------------------------


def analyzer_of(text: str) -> Analyzer:
    target = Target.parse(text)
    if target.version or target.configs:
        raise UsageError(
            f"--analyzer {text}: the installed one is used, so write a name and options only, such as 'eva?main=start'."
        )
    made: Analyzer = registry.analyzer(target.engine)(dict(target.options))
    return made


def probability(text: str | None, name: str, default: float) -> float:
    try:
        value = default if text is None else float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise UsageError(f"{name} {text}: write a probability from 0 to 1.")
    return value


def budget_of(arguments: argparse.Namespace) -> search.Budget:
    """i_dom, i_set and l_max. If the iterations are given too, they must be what these come to."""
    most = 100_000
    iterations = parsing.number(arguments.iterations, "--iterations", most=most)
    l_max = parsing.number(arguments.l_max, "--l-max", most=20) or 3
    i_dom = parsing.number(arguments.i_dom, "--i-dom", least=0, most=most)
    i_set = parsing.number(arguments.i_set, "--i-set", least=0, most=most)
    if arguments.i_dom is None and arguments.i_set is None:
        return search.Budget.of(iterations, l_max) if iterations else search.Budget(l_max=l_max)
    triangle = l_max * (l_max + 1) // 2
    if arguments.i_dom is None:
        i_dom = max(0, iterations - i_set) // triangle if iterations else 5
    if arguments.i_set is None:
        i_set = max(0, iterations - i_dom * triangle) if iterations else 10
    found = search.Budget(i_dom, i_set, l_max)
    if iterations and found.iterations != iterations:
        raise UsageError(
            f"--iterations {iterations}, but i_dom*l_max*(l_max+1)/2 + i_set is {i_dom}*{l_max}*{l_max + 1}/2 + "
            f"{i_set} = {found.iterations}. "
            f"Leave out --iterations, or one of --i-dom and --i-set."
        )
    return found


def plan_of(arguments: argparse.Namespace, analyzer: Analyzer, workers: int) -> search.Plan:
    odds = Odds(
        probability(arguments.p_add, "--p-add", 0.2),
        probability(arguments.p_gt, "--p-gt", 0.5),
        probability(arguments.p_lt, "--p-lt", 0.3),
        parsing.number(arguments.hc_steps, "--hc-steps") or 10,
    )
    if odds.gt + odds.lt > 1:
        raise UsageError(f"--p-gt {odds.gt:g} and --p-lt {odds.lt:g} are more than 1 together.")
    seed = parsing.number(arguments.seed, "--seed", least=0)
    return search.Plan(
        arguments.algorithm, budget_of(arguments), odds, arguments.order or analyzer.order, seed, workers
    )


def workers_of(arguments: argparse.Namespace) -> int:
    return parsing.number(arguments.workers, "--workers", most=256) or max(1, (os.cpu_count() or 2) // 2)


def limits_of(arguments: argparse.Namespace, default: Sequence[str]) -> list[float]:
    found = [parsing.duration(text, "--limit") for text in arguments.limit or default]
    if max(found, default=0) > record.MOST_S:
        raise UsageError(f"--limit {max(found):g}s: it must be {record.MOST_S:g}s or less.")
    return found


def memory_of(arguments: argparse.Namespace) -> int:
    found = parsing.size(arguments.memory, "--memory")
    if found > record.MOST_MEMORY:
        raise UsageError(f"--memory {arguments.memory}: no machine has that much.")
    return found


def sources_of(names: Sequence[str]) -> list[Path]:
    found = {Path(name).resolve(): Path(name) for name in reversed(names)}
    for path in reversed(found.values()):
        if not path.exists():
            raise UsageError(f"There is no file {path}.")
        if not path.is_file() and not path.is_dir():
            raise UsageError(f"{path} is neither a file nor a folder.")
    return list(reversed(found.values()))


# --- the screen -------------------------------------------------------------------------------------------------------


class Screen(Panel, Watch):
    """One line for each file that is being tuned on a terminal; in a pipe, a line every five seconds."""

    def __init__(self, console: Console, shop: Workshop, is_quiet: bool) -> None:
        super().__init__(console, is_quiet)
        self.shop = shop
        self._lines: dict[str, str] = {}
        self._last = time.monotonic()

    def prepared(self, code: Code) -> None:
        self.say(f"{code.source}: {len(code.properties)} assertions.")

    def scored(self, code: Code, limit_s: float, score: Score, best: Score | None) -> None:
        tally = self.shop.tally
        top = f"best {best.count}/{best.total} in {best.cpu_s:.2f} s" if best else "nothing finished yet"
        self._lines[code.source] = f"{code.source}, limit {limit_s:g}s: {top}"
        summary = (
            f"{tally.tunings} recipes, {tally.timeouts} time-outs, {tally.failures} failed, {tally.runs} runs, "
            f"{tally.known} known already"
        )
        if self._live is not None:
            self._live.update(Text("\n".join([*self._lines.values(), summary])))
        elif time.monotonic() - self._last > 5:
            self._last = time.monotonic()
            self.say(f"  {self._lines[code.source]}; {summary}")

    def done(self, result: Result) -> None:
        self._lines.pop(result.code.source, None)
        for found in result.found:
            self.say(concluded(result, found))
        if len(result.front) > 1:
            self.say(f"  Any limit: {', '.join(f'{s.count} in {s.cpu_s:.2f} s' for s in result.front)}.")
        for line in contradictions(result, self.shop.analyzer):
            self.say(line)


def concluded(result: Result, found: Found) -> str:
    """One file under one limit, in a few lines."""
    total = len(result.code.properties)
    where = f"{result.code.source}, limit {found.limit_s:g}s"
    if found.note:
        return f"{where}: {found.note}."
    default = (
        f"{found.default.count} in {found.default.cpu_s:.2f} s"
        if found.default.is_finished
        else f"none ({found.default.status})"
    )
    return (
        f"{where}: {found.best.count} of {total} proved in {found.best.cpu_s:.2f} s; by default {default}.\n  "
        f"{found.best.tuning}"
    )


def contradictions(result: Result, analyzer: Analyzer) -> Iterator[str]:
    for clash in result.clashes:
        at = result.code.properties[clash.index]
        yield (
            f"! {result.code.source}: {at}: proved by [{clash.proved_by}], refuted by [{clash.refuted_by}]. "
            f"{analyzer.doubt}"
        )


@contextmanager
def stopping(shop: Workshop) -> Iterator[None]:
    """The first Ctrl-C ends the search and keeps the best so far, the second one ends all."""

    def stop(*_: object) -> None:
        if shop.stop.is_set():
            raise KeyboardInterrupt
        shop.stop.set()

    earlier = {s: signal.signal(s, stop) for s in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in earlier.items():
            signal.signal(number, handler)


# --- the commands -----------------------------------------------------------------------------------------------------


def tailor(arguments: argparse.Namespace) -> int:
    if arguments.action == "bench":
        from gainsay.cli import bench_tailor

        return bench_tailor.bench(arguments)
    if arguments.action == "run":
        return run(arguments)
    from gainsay.cli import tailor_recipes

    return {"check": tailor_recipes.check, "show": tailor_recipes.show}[arguments.action](arguments)


def run(arguments: argparse.Namespace) -> int:
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


def extras_of(arguments: argparse.Namespace) -> Extras:
    functions = parsing.number(arguments.functions, "--functions", least=0)
    return Extras(not arguments.no_ladder, not arguments.no_union, functions)


def booked(results: Sequence[Result], shop: Workshop, plan: search.Plan, memory: int, output: Path) -> record.Book:
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
    tally = shop.tally
    files = []
    for result in results:
        for found in result.found:
            files.append(
                {
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
            )
    return {
        "analyzer": shop.analyzer.name,
        "version": shop.version,
        "algorithm": plan.algorithm,
        "iterations": plan.budget.iterations,
        "seed": plan.seed,
        "files": files,
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


def told(score: Score) -> dict[str, Any]:
    recipe = [str(i) for i in score.tuning.ingredients]
    return {
        "recipe": recipe,
        "status": score.status,
        "proved": score.count if score.is_finished else None,
        "cpu_s": round(score.cpu_s, 3),
    }

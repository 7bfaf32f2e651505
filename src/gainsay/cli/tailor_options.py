"""The options of `gainsay tailor`, and what a command line asks for."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gainsay.cli import parsing
from gainsay.core import registry
from gainsay.core.model import Target
from gainsay.core.tailor_analyzer import TailorAnalyzer
from gainsay.errors import UsageError
from gainsay.tailor import record, search
from gainsay.tailor.draws import Odds
from gainsay.tailor.tailoring import Extras

OUT = "gainsay-tailor-out"
OUTPUT = "tailor.json"
RETUNE = 5.0  # percent of the recorded proofs


def declare(tailor: Any, parser_class: Any) -> None:
    """The four commands and their options."""
    actions = tailor.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=parser_class)
    _declare_run(actions)
    _declare_check(actions)
    _declare_show(actions)
    _declare_bench(actions)


def _declare_run(actions: Any) -> None:
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


def _declare_check(actions: Any) -> None:
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


def _declare_show(actions: Any) -> None:
    show = actions.add_parser(
        "show", help="recipes, what each setting bought, and the analyzer's command", allow_abbrev=False
    )
    show.add_argument("recipes", metavar="RECIPES")
    show.add_argument("--json", action="store_true")


def _declare_bench(actions: Any) -> None:
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


def analyzer_of(text: str) -> TailorAnalyzer:
    target = Target.parse(text)
    if target.version or target.configs:
        raise UsageError(
            f"--analyzer {text}: the installed one is used, so write a name and options only, such as 'eva?main=start'."
        )
    return registry.tailor_analyzer(target.engine)(dict(target.options))


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


def plan_of(arguments: argparse.Namespace, analyzer: TailorAnalyzer, workers: int) -> search.Plan:
    """How to search: the algorithm, its budget and its odds."""
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


def extras_of(arguments: argparse.Namespace) -> Extras:
    functions = parsing.number(arguments.functions, "--functions", least=0)
    return Extras(not arguments.no_ladder, not arguments.no_union, functions)

"""The options of `gainsay split`, and what a command line asks for."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

import msgspec

from gainsay.cli import parsing
from gainsay.core import registry
from gainsay.core.model import Target
from gainsay.core.split_analyzer import SplitAnalyzer
from gainsay.errors import UsageError
from gainsay.split import running, sizing
from gainsay.split.analyzers.command import Command

OUT = "gainsay-split-out"
OUTPUT = "report.sarif"
CUTS = ("splitmerge", "sizelimiting", "overlap", "auto")
MOST_MEMORY = 16 << 30  # the thesis's bound for one part


def declare(split: Any, parser_class: Any) -> None:
    """The three commands and their options."""
    actions = split.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=parser_class)

    def action(name: str, text: str) -> Any:
        made = actions.add_parser(name, help=text, description=f"{text[:1].upper()}{text[1:]}.", allow_abbrev=False)
        made.add_argument("dir", metavar="DIR", help="the code base")
        return made

    plan = action("plan", "show the parts and what they cost")
    plan.add_argument(
        "--strategy", default="auto", choices=[*CUTS, "none", "all"], help="'all' prints a table of all (default auto)"
    )
    plan.add_argument("--analyzer", metavar="NAME", help="for whom; 'auto' then tries it on a few parts")
    cutting(plan, is_swept=True)
    running_options(plan)

    run = action("run", "analyze the parts and merge their findings")
    run.add_argument("--strategy", default="auto", choices=[*CUTS, "none"], help="default auto")
    run.add_argument("--output", default=OUTPUT, metavar="FILE", help=f"the merged report (default {OUTPUT})")
    run.add_argument(
        "--union", action="store_true", help="all findings count, as in the thesis, not only those from a file's home"
    )
    compare = action("compare", "the whole run against split runs: findings kept, lost, spurious, time, memory")
    names = ", ".join(name for name in registry.table("gainsay.split_analyzers") if name != "cmd")
    for each in (run, compare):
        each.add_argument(
            "--analyzer", required=True, metavar="NAME[?KEY=VALUE&...]", help=f"{names}, or cmd:'TOOL ARGUMENTS'"
        )
        cutting(each)
        running_options(each)


def cutting(parser: Any, is_swept: bool = False) -> None:
    """Options of how code is cut. `is_swept`: each may be given several times."""
    often = {"action": "append", "default": []} if is_swept else {}
    more = "; may be given several times" if is_swept else ""
    parser.add_argument(
        "--size",
        metavar="S",
        help=f"most of a part: files, lines or seconds, as in 500, 20000lines, 60s (default 500){more}",
        **often,
    )
    parser.add_argument("--k", metavar="N", help=f"radius of a file's neighbourhood (default 2){more}", **often)
    parser.add_argument(
        "--p",
        metavar="P",
        help=f"share of the most connected files that all pieces of a neighbourhood get (default 0.1){more}",
        **often,
    )
    parser.add_argument(
        "--edges", metavar="COMMAND", help="prints the dependencies: lines of two files with a tab between them"
    )
    parser.add_argument(
        "--suffix", action="append", default=[], metavar=".EXT", help="files that are code; may be given several times"
    )
    parser.add_argument(
        "--no-stubs", action="store_true", help="nothing instead of signature stubs beyond a part's border"
    )


def running_options(parser: Any) -> None:
    """Options of how parts are run."""
    parser.add_argument("--workers", metavar="N", help="parts at once (default: one per core)")
    parser.add_argument("--limit", default="10m", metavar="TIME", help="CPU time of a part (default 10m)")
    parser.add_argument(
        "--memory", metavar="SIZE", help="memory of a part (default: what is free for each worker, at most 16G)"
    )
    parser.add_argument(
        "--cluster",
        default="",
        metavar="ADDRESS",
        help="a Dask scheduler, such as tcp://HOST:8786 (default: processes here)",
    )
    parser.add_argument(
        "--out", default=OUT, metavar="DIR", help=f"what became of each part; the same folder goes on (default ./{OUT})"
    )
    parser.add_argument("--json", action="store_true", help="end with one JSON object on the last line")


def analyzer_of(text: str) -> SplitAnalyzer:
    """The analyzer that --analyzer names, with its options."""
    if text.startswith("cmd:"):
        return Command.of(text.removeprefix("cmd:"))
    target = Target.parse(text)
    if target.configs:
        raise UsageError(
            f"--analyzer {text}: write a name, perhaps a version, and options, such as 'mypy@2.4.1?args=--strict'."
        )
    options = {**dict(target.options), **({"version": target.version} if target.version else {})}
    return registry.split_analyzer(target.engine)(options)


def share(text: str | None) -> float:
    try:
        value = 0.1 if text is None else float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1:
        raise UsageError(f"--p {text}: write a share from 0 to less than 1, such as --p 0.1.")
    return value


def free_memory() -> int:
    for line in Path("/proc/meminfo").read_text("ascii").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) << 10
    return MOST_MEMORY


class Request(msgspec.Struct, frozen=True):
    """The command line, read."""

    folder: Path
    analyzer: SplitAnalyzer | None
    size: sizing.Size
    k: int
    p: float
    workers: int
    allowed: running.Allowed
    has_stubs: bool


def request_of(arguments: argparse.Namespace, size: str | None, k: str | None, p: str | None) -> Request:
    """Read the command line, with one combination of the options that may be given several times."""
    analyzer = analyzer_of(arguments.analyzer) if arguments.analyzer else None
    workers = parsing.number(arguments.workers, "--workers", most=1024) or os.cpu_count() or 1
    memory = (
        parsing.size(arguments.memory, "--memory")
        if arguments.memory
        else min(MOST_MEMORY, int(0.9 * free_memory()) // workers)
    )
    radius = 2 if k is None else parsing.number(k, "--k", most=1000)
    limit_s = parsing.duration(arguments.limit, "--limit")
    bound = sizing.parse(size or "500")
    return Request(
        Path(arguments.dir),
        analyzer,
        bound,
        radius,
        share(p),
        workers,
        running.Allowed(limit_s, memory),
        not arguments.no_stubs,
    )

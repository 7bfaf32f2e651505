"""`gainsay split`: its options, its screen, and its three commands."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.text import Text

from gainsay.cli import folders, parsing, split_tables
from gainsay.core import registry
from gainsay.core.model import Target
from gainsay.errors import EnvironmentProblem, UsageError
from gainsay.report.terminal import Panel
from gainsay.split import auto, comparing, crew, ledger, running, sarif, sizing, strategies
from gainsay.split import code as codes
from gainsay.split import plan as planning
from gainsay.split.analyzer import Analyzer
from gainsay.split.graphs import command as by_command
from gainsay.split.graphs import python
from gainsay.split.laying import Layout
from gainsay.split.plan import Plan
from gainsay.split.strategies import Bounds, Graph

OUT = "gainsay-split-out"
OUTPUT = "report.sarif"
CUTS = ("splitmerge", "sizelimiting", "overlap", "auto")
MOST_MEMORY = 16 << 30  # the thesis's bound for one part
SHOWN = 10  # of what is told by name


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


# --- reading the command line -----------------------------------------------------------------------------------------


def analyzer_of(text: str) -> Analyzer:
    if text.startswith("cmd:"):
        made: Analyzer = registry.split_analyzer("cmd").of(text.removeprefix("cmd:"))
        return made
    target = Target.parse(text)
    if target.configs:
        raise UsageError(
            f"--analyzer {text}: write a name, perhaps a version, and options, such as 'mypy@2.4.1?args=--strict'."
        )
    options = {**dict(target.options), **({"version": target.version} if target.version else {})}
    made = registry.split_analyzer(target.engine)(options)
    return made


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
    analyzer: Analyzer | None
    size: sizing.Size
    k: int
    p: float
    workers: int
    allowed: running.Allowed
    has_stubs: bool


def request_of(arguments: argparse.Namespace, size: str | None, k: str | None, p: str | None) -> Request:
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


# --- code, graph, plan ------------------------------------------------------------------------------------------------


class Survey(msgspec.Struct, frozen=True):
    """The code base as it is cut: files, dependencies and whether they are known at all, bytes, and the CPU time that
    the dependencies took."""

    code: codes.Code
    graph: Graph
    is_known: bool
    sizes: list[int]
    graph_s: float


def survey(arguments: argparse.Namespace, analyzer: Analyzer | None) -> Survey:
    for suffix in arguments.suffix:
        if not suffix.startswith("."):
            raise UsageError(f"--suffix {suffix}: write it with its dot, such as --suffix .{suffix}")
    suffixes = tuple(arguments.suffix) or (analyzer.suffixes if analyzer else default_suffixes(Path(arguments.dir)))
    code = codes.gather(Path(arguments.dir), suffixes)
    begun = os.times()
    is_known = True
    if arguments.edges:
        found = by_command.dependencies(code.folder, code.names, arguments.edges)
    elif ".class" in suffixes:
        from gainsay.split.graphs import java

        found = java.dependencies(code.folder, code.names)
    elif any(name.endswith((".py", ".pyi")) for name in code.names):
        found = python.dependencies(code.folder, code.names, code.prefix)
    else:
        found, is_known = {name: set() for name in code.names}, False
    ended = os.times()
    spent = sum(b - a for a, b in zip(begun[:4], ended[:4], strict=True))
    return Survey(code, Graph.of(found), is_known, sizing.bytes_of(code), spent)


def default_suffixes(folder: Path) -> tuple[str, ...]:
    """Python, or Java classes where there is no Python."""
    names = list(codes.walk(folder)) if folder.is_dir() else []
    return (
        (".class",)
        if not any(n.endswith(".py") for n in names) and any(n.endswith(".class") for n in names)
        else (".py",)
    )


def decided(
    request: Request, found: Survey, runner: running.Runner | None, strategy: str, screen: Screen
) -> tuple[Plan, list[int], str]:
    """The plan, the files' weights, and why: by the user's word, or by trying."""
    graph = found.graph
    is_per_file = request.analyzer is not None and request.analyzer.is_per_file
    cost, tried = None, list[planning.Part]()
    wanted = request.size.amount if request.size.unit == "files" else len(graph.names)
    start = Bounds(int(wanted), request.k, request.p)
    if runner is not None and (strategy == "auto" or request.size.unit == "seconds"):
        tried = auto.probes(graph, start, is_per_file)
        if tried:
            screen.say("Trying a few parts:")
        screen.noun = "probe"
        cost = auto.costing(runner, tried, found.sizes, request.allowed)
        screen.noun = "part"
    if request.size.unit == "seconds" and cost is None:
        raise UsageError(
            f"--size {request.size}: name an analyzer that finishes, because seconds are measured on a few parts."
        )
    weights, bound = sizing.weights_of(found.code, request.size, cost.time if cost else None)
    bounds = Bounds(bound, request.k, request.p)
    reason = f"--strategy {strategy}"
    if strategy == "auto" and runner is None:
        fits = sum(weights) <= bound
        strategy = "none" if fits else "overlap"
        reason = (
            f"no analyzer is named, so by size alone: {len(graph.names)} files, and a part has at most {request.size}"
        )
    elif strategy == "auto" and request.size.unit == "files":
        decision = auto.decide(
            graph, found.sizes, bounds, cost, is_per_file, request.workers, request.allowed, len(tried) > 1
        )
        strategy, bounds, reason = decision.strategy, decision.bounds, decision.reason
    elif strategy == "auto":
        strategy = "none" if sum(weights) <= bound else "sizelimiting" if is_per_file else "overlap"
        reason = f"a part has at most {request.size}"
    return planning.make(graph, strategy, bounds, weights), weights, reason


# --- the screen -------------------------------------------------------------------------------------------------------


class Screen(Panel):
    """Each part as it ends; on a terminal also how many wait and run.
    Nothing of it is on standard output when that is for JSON."""

    def __init__(self, is_quiet: bool) -> None:
        super().__init__(Console(stderr=is_quiet), is_quiet)
        self._ended = 0
        self.noun = "part"

    def warn(self, text: str) -> None:
        """What the user must know, also where standard output is for JSON."""
        self.console.print(f"! {text}", highlight=False, markup=False, soft_wrap=True)

    def watch(self, done: running.Done | None, waiting: int, handed_out: Sequence[str]) -> None:
        if done is not None:
            self._ended += 1
            self.say(f"  {self.noun} {told(done)}")
        if self._live is not None:
            self._live.update(
                Text(
                    f"{counted(self._ended, 'part')} done, {waiting} waiting, handed out: "
                    f"{', '.join(handed_out[:SHOWN])}"
                )
            )


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def told(done: running.Done) -> str:
    outcome = done.outcome
    size = f"{done.label}: {counted(done.part.files.bit_count(), 'file')}, {done.part.homes.bit_count()} at home"
    spent = f"{outcome.cpu_s:.1f} s, {outcome.memory >> 20} MB"
    known = " (known)" if done.is_known else ""
    if outcome.is_ok:
        remark = f" (! {outcome.said})" if outcome.said else ""
        return f"{size}: {counted(len(outcome.findings), 'finding')}, {spent}{known}{remark}"
    why = " ".join(outcome.said.split())[:200]
    return (
        f"{size}: {outcome.status} after "
        f"{spent}{f': {why}' if why else ''}{'; halved' if done.is_halved else ''}{known}"
    )


# --- the commands -----------------------------------------------------------------------------------------------------


def split(arguments: argparse.Namespace) -> int:
    earlier = signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that nothing is left behind
    try:
        return {"plan": plan, "run": run, "compare": compare}[arguments.action](arguments)
    except KeyboardInterrupt:
        if Path(arguments.out, ledger.FILE).exists():
            print(
                f"Parts that are done are kept in {arguments.out}: run the same command again to go on.",
                file=sys.stderr,
            )
        raise
    finally:
        signal.signal(signal.SIGTERM, earlier)


@contextmanager
def at_work(arguments: argparse.Namespace, request: Request, found: Survey, screen: Screen) -> Iterator[Any]:
    """A runner for each layout, on one crew and one ledger."""
    assert request.analyzer is not None
    request.analyzer.extras()
    if not arguments.cluster:
        screen.say(f"Analyzer: {request.analyzer.title}")
        if not request.analyzer.is_installed:
            screen.say("  It is installed now, on its first use, into an environment of its own ...")
        request.analyzer.install()
    needed = request.workers * request.allowed.memory
    if arguments.memory and not arguments.cluster and needed > free_memory():
        screen.warn(
            f"{request.workers} workers with up to {request.allowed.memory / (1 << 30):.1f} GiB each may need "
            f"{needed / (1 << 30):.1f} GiB, "
            f"and {free_memory() / (1 << 30):.1f} GiB are free. Lower --workers or --memory."
        )
    out = Path(arguments.out)
    with folders.owned(out, ledger.FILE, "split run"):
        book = ledger.Ledger(out)
        try:
            with crew.hired(request.workers, arguments.cluster) as hands, screen:
                fitted = on(request, hands, bool(arguments.cluster), bool(arguments.memory))
                yield (lambda layout: running.Runner(layout, book, hands, screen.watch)), fitted
        finally:
            book.close()


def on(request: Request, hands: crew.Crew, is_cluster: bool, is_said: bool) -> Request:
    """The same with the cluster's workers and memory, where it is not ours."""
    if not is_cluster:
        return request
    memory = request.allowed.memory if is_said else min(MOST_MEMORY, hands.memory or MOST_MEMORY)
    return msgspec.structs.replace(
        request, workers=hands.wanted, allowed=running.Allowed(request.allowed.limit_s, memory)
    )


def beginning(found: Survey, screen: Screen) -> None:
    code, graph = found.code, found.graph
    screen.say(
        f"{code.folder}: {counted(len(code.names), 'file')}, {graph.edges} dependencies ({found.graph_s:.1f} s)."
    )
    for text in code.left_out[:SHOWN]:
        screen.warn(f"Left out: {text}.")
    if len(code.left_out) > SHOWN:
        screen.warn(f"Left out: {len(code.left_out) - SHOWN} more.")
    if not found.is_known:
        screen.warn(
            "Dependencies are not known, so that no part is sure to hold what its files need. Name a command that "
            "prints them with --edges."
        )


def plan(arguments: argparse.Namespace) -> int:
    screen = Screen(arguments.json)
    swept = [(s, k, p) for s in arguments.size or [None] for k in arguments.k or [None] for p in arguments.p or [None]]
    requests = [request_of(arguments, *each) for each in swept]
    found = survey(arguments, requests[0].analyzer)
    beginning(found, screen)
    names = [n for n in strategies.STRATEGIES if n != "none"] if arguments.strategy == "all" else [arguments.strategy]
    rows: list[split_tables.Planned] = []

    def each(make_runner: Any) -> None:
        for request in requests:
            for name in names:
                runner = None
                if make_runner and request.analyzer:
                    runner = make_runner(Layout(found.code, found.graph, request.analyzer, request.has_stubs))
                made, weights, reason = decided(request, found, runner, name, screen)
                rows.append(
                    split_tables.Planned(made, planning.costs(made, found.graph, weights), request.size, reason)
                )

    if requests[0].analyzer is not None and (
        arguments.strategy == "auto" or any(r.size.unit == "seconds" for r in requests)
    ):
        with at_work(arguments, requests[0], found, screen) as (make_runner, _):
            each(make_runner)
    else:
        each(None)
    if arguments.json:
        print(json.dumps(split_tables.planned_json(found.graph, rows, found.graph_s)))
    else:
        split_tables.planned(screen.console, rows, is_table=len(rows) > 1, graph=found.graph)
    return 0


def run(arguments: argparse.Namespace) -> int:
    request = request_of(arguments, arguments.size, arguments.k, arguments.p)
    analyzer = request.analyzer
    assert analyzer is not None
    output = Path(arguments.output)
    if output.is_dir() or not output.resolve().parent.is_dir():
        raise UsageError(f"--output {output} can't be written. Name a file in a folder that is there.")
    screen = Screen(arguments.json)
    begun = time.monotonic()
    found = survey(arguments, analyzer)
    beginning(found, screen)
    layout = Layout(found.code, found.graph, analyzer, request.has_stubs)
    with at_work(arguments, request, found, screen) as (make_runner, request):
        runner = make_runner(layout)
        made, weights, reason = decided(request, found, runner, arguments.strategy, screen)
        if arguments.union:
            made = msgspec.structs.replace(made, parts=tuple(planning.Part(p.files, p.files) for p in made.parts))
        screen.say(f"{made.strategy}: {reason}. {counted(sum(bool(p.homes) for p in made.parts), 'part')}:")
        done = runner.run(made, weights, request.allowed)
    merged = running.merge(done, layout, request.k, is_union=arguments.union, is_known=found.is_known)
    summary = split_tables.summary(analyzer, made, done, merged, reason, found.graph_s, time.monotonic() - begun)
    root = f"{found.code.folder.resolve().as_uri()}/"
    report = sarif.write(
        analyzer.label, root, merged.found, merged.grades, split_tables.failures(merged), found.code.left_out, summary
    )
    write(output, json.dumps(report, indent=1) + "\n")
    if arguments.json:
        print(
            json.dumps(
                {
                    **summary,
                    "output": str(output),
                    "failures": split_tables.failures(merged),
                    "left_out": list(found.code.left_out),
                }
            )
        )
    else:
        split_tables.concluded(screen.console, summary, merged, output)
    return 2 if merged.failures else 1 if merged.found else 0


def write(path: Path, text: str) -> None:
    fresh = path.with_name(f"{path.name}.new")
    try:
        fresh.write_text(text, "utf-8")
        fresh.replace(path)
    except OSError as error:
        raise EnvironmentProblem(
            f"{path} can't be written: {error.strerror}. Choose another file with --output."
        ) from None


def compare(arguments: argparse.Namespace) -> int:
    request = request_of(arguments, arguments.size, arguments.k, arguments.p)
    analyzer = request.analyzer
    assert analyzer is not None
    screen = Screen(arguments.json)
    found = survey(arguments, analyzer)
    beginning(found, screen)

    def layouts(has_stubs: bool) -> Layout:
        assert analyzer is not None
        return Layout(found.code, found.graph, analyzer, has_stubs and request.has_stubs)

    with at_work(arguments, request, found, screen) as (make_runner, request):
        runner = make_runner(layouts(True))
        cut, weights, _ = decided(request, found, runner, "sizelimiting", screen)
        # It runs alone
        whole = running.Allowed(comparing.FOREVER_S, max(request.allowed.memory, int(0.9 * free_memory())))
        result = comparing.compare(
            make_runner, layouts, cut.bounds, weights, found.sizes, (whole, request.allowed), screen.say
        )
    if arguments.json:
        print(json.dumps(msgspec.to_builtins(result)))
    else:
        split_tables.compared(screen.console, result, request.allowed)
    return 0 if result.has_whole else 2

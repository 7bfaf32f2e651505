"""`gainsay split`: its three commands, from the command line to a report."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from gainsay.cli import folders, split_tables
from gainsay.cli.split_options import MOST_MEMORY, Request, free_memory, request_of
from gainsay.cli.split_screen import SHOWN, Screen
from gainsay.cli.split_survey import Survey, decided, survey
from gainsay.core.wording import counted
from gainsay.errors import EnvironmentProblem, UsageError
from gainsay.split import comparing, crew, ledger, running, sarif, strategies
from gainsay.split import plan as planning
from gainsay.split.laying import Layout


def split(arguments: argparse.Namespace) -> int:
    """`gainsay split`: its exit code. An interrupted run says that it can go on."""
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
    """Tell what was found, what is left out, and whether dependencies are known."""
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
    """`split plan`: how the code would be cut, for each combination of options."""
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
    """`split run`: cut, analyze, merge, and write one report."""
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
    """`split compare`: what splitting loses and gains against the whole run."""
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
        split_tables.show_comparison(screen.console, result, request.allowed)
    return 0 if result.has_whole else 2

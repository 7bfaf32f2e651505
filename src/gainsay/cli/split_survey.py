"""The code base as `gainsay split` finds it, and how it is cut: by the user's word, or by trying."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import msgspec

from gainsay.cli.split_options import Request
from gainsay.cli.split_screen import Screen
from gainsay.core.split_analyzer import SplitAnalyzer
from gainsay.errors import UsageError
from gainsay.split import auto, running, sizing
from gainsay.split import code as codes
from gainsay.split import plan as planning
from gainsay.split.graphs import command as by_command
from gainsay.split.graphs import python
from gainsay.split.plan import Plan
from gainsay.split.strategies import Bounds, Graph


class Survey(msgspec.Struct, frozen=True):
    """The code base as it is cut: files, dependencies and whether they are known at all, bytes, and the CPU time that
    the dependencies took."""

    code: codes.Code
    graph: Graph
    is_known: bool
    sizes: list[int]
    graph_s: float


def survey(arguments: argparse.Namespace, analyzer: SplitAnalyzer | None) -> Survey:
    """Gather the files, and find out who depends on whom by what suits the language."""
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

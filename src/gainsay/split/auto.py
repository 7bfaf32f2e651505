"""Decides whether to cut at all, how, and how small: a few parts are tried, time and memory are fitted against size,
and the reason is said."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence

import msgspec

from gainsay.split import plan as planning
from gainsay.split.plan import Part, Plan
from gainsay.split.running import Allowed, Runner
from gainsay.split.sizing import Fit, Sample, fit
from gainsay.split.strategies import Bounds, Graph, members

SHARES = (32, 16, 8)  # a probe has one 32nd of the files, and so on
LEAST = 4  # files in a probe
MARGIN = 0.8  # of the limits, because a fit is a guess


class Decision(msgspec.Struct, frozen=True):
    """Whether and how to cut, and why."""

    strategy: str
    bounds: Bounds
    reason: str


class Costing(msgspec.Struct, frozen=True):
    """What an analyzer costs, as far as the probes tell."""

    time: Fit
    memory: Fit
    samples: tuple[Sample, ...]

    def told(self) -> str:
        return ", ".join(f"{s.cpu_s:.1f} s and {s.memory >> 20} MB for {s.bytes >> 10} KiB" for s in self.samples)


def probes(graph: Graph, bounds: Bounds, is_per_file: bool) -> list[Part]:
    """Parts of three sizes, made as the real ones would be.
    The middle one of each plan: the first is the densest. None for a few files."""
    found: list[Part] = []
    if len(graph.names) < 2 * LEAST:
        return found
    for share in SHARES:
        count = min(max(LEAST, len(graph.names) // share), bounds.size)
        cut = planning.make(
            graph,
            "sizelimiting" if is_per_file else "overlap",
            Bounds(count, bounds.k, bounds.p),
            [1] * len(graph.names),
        )
        part = cut.parts[len(cut.parts) // 2]
        if part not in found:
            found.append(part)
    return found


def costing(runner: Runner, parts: Sequence[Part], sizes: Sequence[int], allowed: Allowed) -> Costing | None:
    """Run the probes. None if fewer than two finished: nothing can be fitted then."""
    done = runner.run(Plan("probe", Bounds(), tuple(parts), 0, 0.0), [1] * len(sizes), allowed, is_halving=False)
    samples = tuple(
        Sample(sum(sizes[n] for n in members(d.part.files)), d.outcome.cpu_s, d.outcome.memory)
        for d in done
        if d.outcome.is_ok
    )
    if len({s.bytes for s in samples}) < 2:
        return None
    time = fit([(s.bytes, s.cpu_s) for s in samples])
    return Costing(time, fit([(s.bytes, float(s.memory)) for s in samples], (1.0,)), samples)


def decide(
    graph: Graph,
    sizes: Sequence[int],
    bounds: Bounds,
    cost: Costing | None,
    is_per_file: bool,
    workers: int,
    allowed: Allowed,
    is_tried: bool = True,
) -> Decision:
    """Not to cut, SIZELIMITING, or SPLITMERGE by overlap, with a bound that fits.
    `is_tried`: parts of several sizes were run."""
    files, whole = len(graph.names), sum(sizes)
    if files < 2 * LEAST:
        return Decision("none", bounds, f"{files} files are too few to cut")
    if cost is None:
        strategy = "none" if files <= bounds.size else "sizelimiting" if is_per_file else "overlap"
        why = "the probes did not finish" if is_tried else "there are too few files to try parts of several sizes"
        return Decision(
            strategy, bounds, f"{why}, so by size alone: {files} files, and a part has at most {bounds.size}"
        )
    alone_s, alone_memory = cost.time.at(whole), cost.memory.at(whole)
    most = min(cost.time.most(MARGIN * allowed.limit_s), cost.memory.most(MARGIN * allowed.memory))  # bytes
    fits = alone_s <= MARGIN * allowed.limit_s and alone_memory <= MARGIN * allowed.memory
    expected = f"the whole would take about {alone_s:.0f} s and {alone_memory / (1 << 20):.0f} MB"
    room = max(1, math.floor(files * most / whole)) if most < whole else files
    if is_per_file:
        size = min(bounds.size, room, math.ceil(files / workers))
        cut = Bounds(size, bounds.k, bounds.p)
        what = "each file is looked at alone, so dependencies do not matter"
        strategy = "sizelimiting"
    else:
        cut = Bounds(min(bounds.size, room), bounds.k, bounds.p)
        what = "files are looked at together, so each part gets what its files need"
        strategy = "overlap"
    plan = planning.make(graph, strategy, cut, [1] * files)
    span = makespan([cost.time.at(sum(sizes[n] for n in members(part.files))) for part in plan.parts], workers)
    if fits and (len(plan.parts) == 1 or span >= MARGIN * alone_s):
        return Decision(
            "none",
            bounds,
            f"{expected}, which fits; cut in {len(plan.parts)} on {workers} workers it would take about {span:.0f} s",
        )
    over = "" if fits else ", which is too much"
    return Decision(
        strategy, cut, f"{expected}{over}; {what}: {len(plan.parts)} parts, about {span:.0f} s on {workers} workers"
    )


def makespan(times: Sequence[float], workers: int) -> float:
    """When the last worker is done, if each takes the longest part that is left."""
    ends = [0.0] * max(1, workers)
    for time in sorted(times, reverse=True):
        heapq.heapreplace(ends, ends[0] + time)
    return max(ends)

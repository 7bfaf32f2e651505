"""The thesis's experiment on the user's code: the whole run against each way of cutting, with the columns of its Tables
6.2 and 6.3."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from gainsay.split import plan as planning
from gainsay.split.laying import Layout
from gainsay.split.plan import Part, Plan
from gainsay.split.running import Allowed, Done, Merged, Runner, merge, summed
from gainsay.split.strategies import Bounds, members

FOREVER_S = 24 * 3600.0  # NoSplit-UT of the thesis
Place = tuple[str, int, str]


class Way(msgspec.Struct, frozen=True):
    """A way of cutting: the strategy, whether all findings count as in the thesis or only those from home, and
    stubs."""

    label: str
    strategy: str
    is_union: bool
    has_stubs: bool
    is_about_stubs: bool = False  # told only of analyzers that read them


WAYS = (
    Way("no split", "none", True, False),
    Way("sizelimiting", "sizelimiting", True, False),
    Way("splitmerge (thesis: all findings)", "splitmerge", True, False),
    Way("splitmerge", "splitmerge", False, True),
    Way("overlap, without stubs", "overlap", False, False, True),
    Way("overlap", "overlap", False, True),
)


class Row(msgspec.Struct, frozen=True):
    """Findings are told apart by file, line and rule.
    Times are CPU-seconds, memory is in bytes, rates are of the parts that were run."""

    way: str
    found: int
    kept: int
    lost: int
    spurious: int
    latency_s: float
    total_s: float
    memory: int
    parts: int
    total_size: int  # bytes of all parts
    timeouts: int
    crashes: int
    runs: int
    is_within: bool  # every part ended within the limits


class Comparison(msgspec.Struct, frozen=True):
    """`has_whole` says whether there is a whole run to compare with."""

    rows: tuple[Row, ...]
    has_whole: bool
    lost: dict[str, list[Place]]  # by way
    spurious: dict[str, list[Place]]
    failures: dict[str, list[str]]


Say = Callable[[str], None]


def compare(
    make_runner: Callable[[Layout], Runner],
    layouts: Callable[[bool], Layout],
    bounds: Bounds,
    weights: Sequence[int],
    sizes: Sequence[int],
    limits: tuple[Allowed, Allowed],
    say: Say,
) -> Comparison:
    """Run the whole code base, then each way of splitting it, and set their findings side by side."""
    rows, lost, spurious, failures = [], {}, {}, {}
    base: set[Place] = set()
    for way in WAYS:
        layout = layouts(way.has_stubs)
        if way.is_about_stubs and not layout.analyzer.takes_stubs:
            continue
        plan = planning.make(layout.graph, way.strategy, bounds, weights)
        if way.is_union:
            plan = msgspec.structs.replace(plan, parts=tuple(Part(p.files, p.files) for p in plan.parts))
        whole, allowed = limits
        done = make_runner(layout).run(
            plan, weights, whole if way.strategy == "none" else allowed, is_halving=way.strategy != "none"
        )
        merged = merge(done, layout, bounds.k, is_union=way.is_union)
        places = {f.place for f in merged.found}
        if way.strategy == "none":
            base = places
        lost[way.label], spurious[way.label] = sorted(base - places), sorted(places - base)
        failures[way.label] = [f"part {label}: {why}" for label, why, _ in merged.failures]
        rows.append(row(way, plan, done, merged, places, base, sizes, allowed))
        say(f"{way.label}: {len(places)} findings, {len(lost[way.label])} lost, {len(spurious[way.label])} spurious")
    return Comparison(tuple(rows), not failures[WAYS[0].label], lost, spurious, failures)


def row(
    way: Way,
    plan: Plan,
    done: Sequence[Done],
    merged: Merged,
    places: set[Place],
    base: set[Place],
    sizes: Sequence[int],
    allowed: Allowed,
) -> Row:
    """One way of splitting in figures, against the findings of the whole run."""
    latency, total, memory = summed(done)
    volume = sum(sizes[n] for part in plan.parts for n in members(part.files))
    status = [d.outcome.status for d in done]
    late = sum(s in ("timeout", "hang") for s in status)
    return Row(
        way.label,
        len(places),
        len(places & base),
        len(base - places),
        len(places - base),
        latency,
        total,
        memory,
        len(plan.parts),
        volume,
        late,
        sum(s in ("crash", "memory") for s in status),
        len(status),
        latency <= allowed.limit_s and memory <= allowed.memory and all(s == "ok" for s in status),
    )

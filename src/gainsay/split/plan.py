"""A plan: the parts, which part is the home of each file, and what the cut costs.

A finding counts only from the home of its file: the part that holds the file with its whole neighbourhood. Elsewhere
the file is there for the sake of others, without what it needs itself, and what is said of it there is noise. Where a
neighbourhood was itself cut, the home is the part that holds most of it, and the file's grade is incomplete."""

from __future__ import annotations

import time
from collections.abc import Sequence

import msgspec

from gainsay.split import strategies
from gainsay.split.strategies import Bits, Bounds, Graph, members, weigh


class Part(msgspec.Struct, frozen=True):
    """A set of files that is analyzed together, and those of them whose findings count."""

    files: Bits
    homes: Bits


class Plan(msgspec.Struct, frozen=True):
    """The parts of a code base, and which files have all they need at home."""

    strategy: str
    bounds: Bounds
    parts: tuple[Part, ...]
    complete: Bits  # files whose home holds their whole neighbourhood
    cpu_s: float  # for planning, without the graph


class Costs(msgspec.Struct, frozen=True):
    """What a cut costs: how often a file is copied on average, dependencies that no part holds, files with a whole
    neighbourhood."""

    parts: int
    largest: int
    total: int  # sum of the parts' weights
    redundancy: float
    edges_lost: int
    edges: int
    complete: int
    files: int


def make(graph: Graph, strategy: str, bounds: Bounds, weights: Sequence[int]) -> Plan:
    """Cut a code base by a strategy, and give each file a home."""
    begun = time.process_time()
    parts = strategies.STRATEGIES[strategy](graph, bounds, weights)
    around = strategies.neighbourhoods(graph, bounds.k)
    homes = homes_of(parts, around, strategies.neighbourhoods(graph, bounds.k + 1))
    complete = strategies.bits(n for n, part in enumerate(homes) if not around[n] & ~parts[part])
    at_home = [0] * len(parts)
    for n, part in enumerate(homes):
        at_home[part] |= 1 << n
    # A part that is nobody's home adds nothing. The thesis's own strategies are left as they are, to be measured as
    # they are.
    found = [Part(files, home) for files, home in zip(parts, at_home, strict=True) if home or strategy != "overlap"]
    return Plan(strategy, bounds, tuple(found), complete, time.process_time() - begun)


def homes_of(parts: Sequence[Bits], around: Sequence[Bits], wider: Sequence[Bits]) -> list[int]:
    """For each file the part that lacks least of its neighbourhood, then least of the next wider one; the first of
    those."""
    holding: list[list[int]] = [[] for _ in around]
    for number, part in enumerate(parts):
        for n in members(part):
            holding[n].append(number)
    return [
        min(
            holding[n],
            key=lambda part: ((around[n] & ~parts[part]).bit_count(), (wider[n] & ~parts[part]).bit_count(), part),
        )
        for n in range(len(around))
    ]


def costs(plan: Plan, graph: Graph, weights: Sequence[int]) -> Costs:
    """What a plan costs: sizes, copies, dependencies that are cut."""
    kept = [0] * len(graph.names)
    for part in plan.parts:
        for n in members(part.files):
            kept[n] |= graph.uses[n] & part.files
    sizes = [weigh(part.files, weights) for part in plan.parts]
    copies = sum(part.files.bit_count() for part in plan.parts)
    lost = graph.edges - sum(some.bit_count() for some in kept)
    files = len(graph.names)
    return Costs(
        len(sizes), max(sizes), sum(sizes), copies / files, lost, graph.edges, plan.complete.bit_count(), files
    )


def halves(part: Part, graph: Graph, bounds: Bounds, weights: Sequence[int]) -> list[Part]:
    """Two smaller parts for the same homes, for a part that did not fit.
    For one home, one part: first with what it uses directly, then the file alone. A file alone can't be halved: nothing
    comes back.

    Each half takes what its homes need of the part. Where that is still most of it, the rest is cut as in Algorithm 9.
    """
    order = list(members(part.homes))
    if len(order) < 2:
        smaller = [(part.homes | graph.uses[order[0]]) & part.files, part.homes]
        return [Part(files, part.homes) for files in smaller if files != part.files][:1]
    around = strategies.neighbourhoods(graph, bounds.k)
    middle = len(order) // 2
    room = max(1, weigh(part.files, weights) * 2 // 3)
    found = []
    for some in (order[:middle], order[middle:]):
        homes = strategies.bits(iter(some))
        needed = homes
        for n in some:
            needed |= around[n] & part.files
        found.append(Part(trimmed(needed, homes, graph, room, weights), homes))
    return found


def trimmed(files: Bits, homes: Bits, graph: Graph, room: int, weights: Sequence[int]) -> Bits:
    """At most so much, the homes first and then what most of the others use."""
    if weigh(files, weights) <= room:
        return files
    used = {n: sum(graph.uses[m] >> n & 1 for m in members(files)) for n in members(files & ~homes)}
    kept, left = homes, room - weigh(homes, weights)
    for n in sorted(used, key=lambda n: (-used[n], n)):
        if weights[n] <= left:
            kept |= 1 << n
            left -= weights[n]
    return kept

"""How files become parts: SIZELIMITING, SPLITMERGE (Algorithms 8 to 10 of the thesis) and packing by overlap.
Pure, and the same every time.

A set of files is an int, one bit for each file. Files are numbered by name, so that the lowest bit is the first in the
alphabet and all ties are broken alphabetically. Every file has a weight; with weight 1 the bound S is a number of
files, as in the thesis."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

Bits = int


class Graph(msgspec.Struct, frozen=True):
    """Files by name in order, and for each the set of those that it depends on."""

    names: tuple[str, ...]
    uses: tuple[Bits, ...]

    @classmethod
    def of(cls, dependencies: Mapping[str, set[str]]) -> Graph:
        """From {name: names}. What is not a key, and a file itself, is left out."""
        names = sorted(dependencies)
        number = {name: n for n, name in enumerate(names)}
        uses = [bits(number[d] for d in dependencies[name] if d in number and d != name) for name in names]
        return cls(tuple(names), tuple(uses))

    @property
    def edges(self) -> int:
        return sum(used.bit_count() for used in self.uses)

    def named(self, some: Bits) -> list[str]:
        return [self.names[n] for n in members(some)]


class Bounds(msgspec.Struct, frozen=True):
    """The thesis's parameters: the most that a part may weigh, the radius of a neighbourhood, the share of files that
    go into every subset."""

    size: int = 500
    k: int = 2
    p: float = 0.1


def bits(numbers: Iterator[int]) -> Bits:
    found = 0
    for n in numbers:
        found |= 1 << n
    return found


def members(some: Bits) -> Iterator[int]:
    while some:
        low = some & -some
        yield low.bit_length() - 1
        some ^= low


def weigh(some: Bits, weights: Sequence[int]) -> int:
    return sum(weights[n] for n in members(some))


# --- Algorithm 8 ------------------------------------------------------------------------------------------------------


def neighbourhoods(graph: Graph, k: int) -> list[Bits]:
    """For each file, itself and what it depends on up to distance k (VERTICESWITHINDISTANCE)."""
    reached = [used | 1 << n for n, used in enumerate(graph.uses)] if k else [1 << n for n in range(len(graph.uses))]
    edge = list(reached)
    for _ in range(1, k):
        fresh = []
        for n, seen in enumerate(reached):
            grown = seen
            for m in members(seen & ~(1 << n)):
                grown |= edge[m]
            fresh.append(grown)
        if fresh == reached:
            break
        reached = fresh
    return reached


# --- Algorithm 9 ------------------------------------------------------------------------------------------------------


class Connections:
    """The k-augmented graph, in which degrees are counted.
    Who depends on a file is worked out when it is first needed."""

    def __init__(self, around: Sequence[Bits]) -> None:
        self._out = [some & ~(1 << n) for n, some in enumerate(around)]
        self._in: list[Bits] = []

    def degree(self, n: int, within: Bits) -> int:
        if not self._in:
            self._in = [0] * len(self._out)
            for m, some in enumerate(self._out):
                for used in members(some):
                    self._in[used] |= 1 << m
        return (self._out[n] & within).bit_count() + (self._in[n] & within).bit_count()


def subsets(some: Bits, bounds: Bounds, weights: Sequence[int], links: Connections) -> list[Bits]:
    """SPLIT: the most connected files go into every subset, the rest are divided evenly.

    The printed formula gives three subsets where the thesis's own example has two; the number is rounded up instead,
    and the corner case is that of a share p that leaves no room."""
    order = sorted(members(some), key=lambda n: (-links.degree(n, some), n))
    wanted = math.floor(bounds.p * len(order))
    top = within(order[:wanted], weights, bounds.size, order[wanted:])
    if top is None:  # the chosen share is too large for this bound
        room = sum(weights[n] for n in order) / len(order)
        wanted = math.floor(bounds.p * bounds.size / max(1.0, room))
        top = within(order[:wanted], weights, bounds.size, order[wanted:]) or []
    rest = order[len(top) :]
    core, used = bits(iter(top)), sum(weights[n] for n in top)
    count = math.ceil(sum(weights[n] for n in rest) / (bounds.size - used))
    return [core | some for some in evenly(rest, count, bounds.size - used, weights)]


def within(top: Sequence[int], weights: Sequence[int], size: int, rest: Sequence[int]) -> list[int] | None:
    """The files for every subset, unless they leave no room for the heaviest of the others."""
    heaviest = max((weights[n] for n in rest), default=0)
    return list(top) if sum(weights[n] for n in top) + heaviest <= size else None


def evenly(order: Sequence[int], count: int, room: int, weights: Sequence[int]) -> list[Bits]:
    """Cut into `count` runs of about the same weight, more if one would not fit."""
    found: list[Bits] = []
    left = sum(weights[n] for n in order)
    run, held = 0, 0
    for n in order:
        share = left / max(1, count - len(found))
        if held and (held + weights[n] > room or held + weights[n] / 2 > share):
            found.append(run)
            left -= held
            run, held = 0, 0
        run |= 1 << n
        held += weights[n]
    return [*found, run] if run else found


# --- Algorithm 10 -----------------------------------------------------------------------------------------------------


def without_subsumed(parts: Sequence[Bits]) -> list[Bits]:
    """Drop parts that lie within another one. Largest first, ties by their first files."""
    holding: dict[int, Bits] = {}  # file -> the kept parts that have it, as bits
    kept: list[Bits] = []
    for part in sorted(set(parts), key=large_first):
        common = -1
        for n in members(part):
            common &= holding.get(n, 0)
            if not common:
                break
        if common and kept:
            continue
        for n in members(part):
            holding[n] = holding.get(n, 0) | 1 << len(kept)
        kept.append(part)
    return kept


def alphabetical(part: Bits) -> tuple[int, ...]:
    return tuple(members(part))


def large_first(part: Bits) -> tuple[int, tuple[int, ...]]:
    return -part.bit_count(), alphabetical(part)


def next_fit(parts: Sequence[Bits], size: int, weights: Sequence[int]) -> list[Bits]:
    """NEXTFIT: ascending by size; a part joins the open one while the sum of their sizes is within the bound."""
    done: list[Bits] = []
    held, held_weight = 0, 0
    for part in sorted(parts, key=lambda r: (weigh(r, weights), alphabetical(r))):
        weight = weigh(part, weights)
        if held_weight + weight <= size:
            held |= part
            held_weight = weigh(held, weights)
        else:
            done.append(held)
            held, held_weight = part, weight
    return [part for part in (*done, held) if part]


# --- beyond the thesis ------------------------------------------------------------------------------------------------


def by_overlap(parts: Sequence[Bits], size: int, weights: Sequence[int]) -> list[Bits]:
    """Pack by the size of the union, and take next what adds least for its size: next fit counts shared files twice.

    What each remaining part would add is kept up to date file by file, so that a step costs what changed and one look
    at all of them."""
    order = sorted(parts, key=lambda r: (-weigh(r, weights), alphabetical(r)))
    whole = [weigh(r, weights) for r in order]
    holders: dict[int, list[int]] = {}
    for number, part in enumerate(order):
        for n in members(part):
            holders.setdefault(n, []).append(number)
    left = dict.fromkeys(range(len(order)))
    done: list[Bits] = []
    while left:
        added = list(whole)
        held, room = 0, size
        chosen: int | None = next(iter(left))
        while chosen is not None:
            for n in members(order[chosen] & ~held):
                for number in holders[n]:
                    added[number] -= weights[n]
            held |= order[chosen]
            room = size - weigh(held, weights)
            for number in [number for number in left if not added[number]]:
                del left[number]
            chosen = min((n for n in left if added[n] <= room), key=lambda n: added[n] / whole[n], default=None)
        done.append(held)
    return done


# --- strategies -------------------------------------------------------------------------------------------------------


def none(graph: Graph, bounds: Bounds, weights: Sequence[int]) -> list[Bits]:
    """All in one part."""
    return [(1 << len(graph.names)) - 1]


def size_limiting(graph: Graph, bounds: Bounds, weights: Sequence[int]) -> list[Bits]:
    """SIZELIMITING: names in order, cut where the bound is reached."""
    done, held, held_weight = [], 0, 0
    for n in range(len(graph.names)):
        if held and held_weight + weights[n] > bounds.size:
            done.append(held)
            held, held_weight = 0, 0
        held |= 1 << n
        held_weight += weights[n]
    return [*done, held] if held else done


def pieces(graph: Graph, bounds: Bounds, weights: Sequence[int]) -> list[Bits]:
    """Algorithms 8 and 9, and the first loop of 10: neighbourhoods within the bound, none inside another."""
    around = neighbourhoods(graph, bounds.k)
    links = Connections(around)
    found: list[Bits] = []
    for part in dict.fromkeys(around):
        found += [part] if weigh(part, weights) <= bounds.size else subsets(part, bounds, weights, links)
    return without_subsumed(found)


def split_merge(graph: Graph, bounds: Bounds, weights: Sequence[int]) -> list[Bits]:
    """SPLITMERGE as in the thesis."""
    return next_fit(pieces(graph, bounds, weights), bounds.size, weights)


def overlap(graph: Graph, bounds: Bounds, weights: Sequence[int]) -> list[Bits]:
    """SPLITMERGE with packing by overlap instead of next fit."""
    return by_overlap(pieces(graph, bounds, weights), bounds.size, weights)


Strategy = Callable[[Graph, Bounds, Sequence[int]], list[Bits]]
STRATEGIES: Mapping[str, Strategy] = {
    "none": none,
    "sizelimiting": size_limiting,
    "splitmerge": split_merge,
    "overlap": overlap,
}

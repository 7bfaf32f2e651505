"""Domains ordered by precision (Figure 5.3 of the thesis): what is above, below, beside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations


class Poset:
    """A finite partial order, given by its steps: name -> the names that are immediately more precise."""

    def __init__(self, steps: Mapping[str, Iterable[str]]) -> None:
        names = set(steps) | {name for above in steps.values() for name in above}
        self.names: tuple[str, ...] = tuple(sorted(names))
        self._up = {name: tuple(sorted(steps.get(name, ()))) for name in self.names}
        self._down = {name: tuple(n for n in self.names if name in self._up[n]) for name in self.names}
        self._above: dict[str, frozenset[str]] = {}
        for name in self.names:
            self._reach(name, ())

    def _reach(self, name: str, path: tuple[str, ...]) -> frozenset[str]:
        if name in path:
            raise ValueError(f"{name} is above itself")
        if name not in self._above:
            found = {above for step in self._up[name] for above in (step, *self._reach(step, (*path, name)))}
            self._above[name] = frozenset(found)
        return self._above[name]

    def is_below(self, less: str, more: str) -> bool:
        return more in self._above[less]

    def is_comparable(self, one: str, other: str) -> bool:
        return one == other or self.is_below(one, other) or self.is_below(other, one)

    def greater(self, name: str) -> tuple[str, ...]:
        """POSETGREATERTHAN: immediately more precise."""
        return self._up[name]

    def less(self, name: str) -> tuple[str, ...]:
        """POSETLESSTHAN: immediately less precise."""
        return self._down[name]

    def incomparable(self, names: Sequence[str]) -> list[str]:
        """All that is comparable to none of these."""
        return [n for n in self.names if not any(self.is_comparable(n, m) for m in names)]

    def least_incomparable(self, names: Sequence[str]) -> list[str]:
        """RANDOMPOSETLEASTINCOMPARABLE, before the draw: of the incomparable ones those with nothing incomparable below
        them."""
        beside = self.incomparable(names)
        return [n for n in beside if not any(self.is_below(m, n) for m in beside)]

    def is_compatible(self, names: Sequence[str]) -> bool:
        """POSETCOMPATIBLE: no two are comparable."""
        return not any(self.is_comparable(a, b) for a, b in combinations(names, 2))

    def comparable_to(self, name: str) -> list[str]:
        """All others that are above or below."""
        return [n for n in self.names if n != name and self.is_comparable(n, name)]

    @property
    def greatest(self) -> list[str]:
        """With nothing above them."""
        return [n for n in self.names if not self._up[n]]


def subsets(parts: Sequence[str], bottom: str) -> Poset:
    """The lattice of all subsets, for an analyzer that runs several domains as one product.
    `bottom` is always on: a set is spelled "bottom+a+b"."""
    steps: dict[str, list[str]] = {}
    for size in range(len(parts) + 1):
        for chosen in combinations(sorted(parts), size):
            rest = [p for p in parts if p not in chosen]
            steps[spelled(bottom, chosen)] = [spelled(bottom, (*chosen, p)) for p in rest]
    return Poset(steps)


def spelled(bottom: str, parts: Iterable[str]) -> str:
    return "+".join((bottom, *sorted(parts)))

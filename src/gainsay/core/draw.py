"""Randomness as a value that is passed down: the same seed gives the same choices on every machine and every Python."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


def seed_for(*parts: object) -> int:
    """Name a stream of choices, as in seed_for(campaign, "scene", 7). Stable across processes, unlike hash()."""
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=8).digest(), "little")


class Draw:
    """Deterministic choices, built on Random.random() only: its sequence is promised to stay the same."""

    __slots__ = ("unit",)

    def __init__(self, seed: int) -> None:
        self.unit = Random(seed).random

    def below(self, n: int) -> int:
        return int(self.unit() * n)

    def between(self, low: int, high: int) -> int:
        """An integer from low to high, both included."""
        return low + int(self.unit() * (high - low + 1))

    def coin(self, p: float = 0.5) -> bool:
        return self.unit() < p

    def pick(self, items: Sequence[T]) -> T:
        return items[int(self.unit() * len(items))]

    def sample(self, items: Sequence[T], n: int) -> list[T]:
        """n different items, in drawn order (fewer if there are fewer)."""
        rest = list(items)
        return [rest.pop(int(self.unit() * len(rest))) for _ in range(min(n, len(rest)))]

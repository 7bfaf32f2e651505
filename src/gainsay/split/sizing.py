"""What a part weighs, and what it will cost: sizes in files, lines or seconds, and the fit of time and memory against
size."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from gainsay.errors import UsageError
from gainsay.split.code import Code, lines_of

POWERS = (1.0, 1.25, 1.5, 1.75, 2.0)
UNITS = {"": "files", "files": "files", "lines": "lines", "s": "seconds", "m": "seconds", "h": "seconds"}
SECONDS = {"s": 1, "m": 60, "h": 3600}


class Size(msgspec.Struct, frozen=True):
    """The bound S as the user said it."""

    amount: float
    unit: str  # files, lines or seconds

    def __str__(self) -> str:
        return f"{self.amount:g} {'s' if self.unit == 'seconds' else self.unit}"

    def told(self, weight: int, bound: int) -> str:
        """A part's weight in the user's unit.
        Of seconds, the bound is in milliseconds and leaves out what the analyzer needs to start."""
        return f"{self.amount - (bound - weight) / 1000:.1f} s" if self.unit == "seconds" else str(weight)


def parse(text: str) -> Size:
    """Read a size: files, lines or seconds."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", text.strip().lower())
    if (
        match is None
        or match[2] not in UNITS
        or float(match[1]) <= 0
        or (UNITS[match[2]] != "seconds" and "." in match[1])
    ):
        raise UsageError(
            f"--size {text}: write a number of files, lines or seconds, such as --size 500, --size 20000lines or "
            "--size 60s."
        )
    return Size(float(match[1]) * SECONDS.get(match[2], 1), UNITS[match[2]])


class Sample(msgspec.Struct, frozen=True):
    """A part that was analyzed to see what it costs."""

    bytes: int
    cpu_s: float
    memory: int


class Fit(msgspec.Struct, frozen=True):
    """value = base + slope * bytes ** power."""

    base: float
    slope: float
    power: float

    def at(self, amount: float) -> float:
        return float(self.base + self.slope * amount**self.power)

    def most(self, value: float) -> float:
        """The amount at which a value is reached."""
        if value <= self.base:
            return 0.0
        return float("inf") if self.slope <= 0 else ((value - self.base) / self.slope) ** (1 / self.power)


def fit(points: Sequence[tuple[float, float]], powers: Sequence[float] = POWERS) -> Fit:
    """Least squares for each power; a higher one only where it is clearly better, as three points are few.
    Neither base nor slope is negative."""
    best, error = Fit(max(y for _, y in points), 0.0, 1.0), float("inf")
    for power in powers:
        made = line([(x**power, y) for x, y in points], power)
        off = sum((made.at(x) - y) ** 2 for x, y in points)
        if off < 0.5 * error:
            best, error = made, off
    return best


def line(points: Sequence[tuple[float, float]], power: float) -> Fit:
    """The straight line through points of size and cost; a flat one where cost does not grow."""
    n = len(points)
    mean_x, mean_y = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread else 0.0
    if slope <= 0:
        return Fit(mean_y, 0.0, power)
    base = mean_y - slope * mean_x
    return (
        Fit(base, slope, power)
        if base >= 0
        else Fit(0.0, sum(x * y for x, y in points) / sum(x * x for x, _ in points), power)
    )


def bytes_of(code: Code) -> list[int]:
    return [max(1, (code.folder / name).stat().st_size) for name in code.names]


def weights_of(code: Code, size: Size, time: Fit | None) -> tuple[list[int], int]:
    """The weight of each file, and the bound in the same unit. Seconds are milliseconds here, and need a fit."""
    if size.unit == "files":
        return [1] * len(code.names), int(size.amount)
    if size.unit == "lines":
        found, bound = lines_of(code), int(size.amount)
    else:
        assert time is not None
        sizes = bytes_of(code)
        whole = sum(sizes)
        rate = (time.at(whole) - time.base) / whole  # a line through both ends: cautious where time grows faster
        found = [max(1, round(1000 * rate * b)) for b in sizes]
        bound = int(1000 * (size.amount - time.base))
        if bound <= 0:
            raise UsageError(f"--size {size}: the analyzer needs {time.base:.1f} s for nothing at all. Write more.")
    heavy = max(range(len(found)), key=lambda n: (found[n], -n))
    if found[heavy] > bound:
        needs = (
            f"{found[heavy]} lines"
            if size.unit == "lines"
            else f"about {found[heavy] / 1000:.1f} s besides {time.base if time else 0:.1f} s to start"
        )
        raise UsageError(f"--size {size}: {code.names[heavy]} alone has {needs}. Write at least that much.")
    return found, bound

"""What aggregates make of values; their table is in language/ops.
What depends on the order in which an engine adds or keeps values is undetermined."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from gainsay.families.cypher.meaning.values import Failed, Undetermined, check_one_kind, distinct, kind, rank, real

Meaning = Callable[[list[Any]], Any]


def total(values: list[Any]) -> int | float:
    """The sum, if every order of adding gives the same."""
    if any(kind(v) != "number" for v in values):
        raise Failed("the sum of values that are no numbers")
    if all(v.__class__ is int for v in values):
        if sum(map(abs, values)) >= 1 << 53:  # some engines add in floats
            raise Undetermined("int64 overflow")
        return int(sum(values))
    exact = [Fraction(v) for v in values]
    unit = max(f.denominator for f in exact)
    if sum(abs(f) for f in exact) * unit >= 2**53:
        raise Undetermined("a sum of floats that depends on their order")
    return real(float(sum(exact)))


def average(values: list[Any]) -> float:
    exact = Fraction(total(values)) / len(values)
    if exact != Fraction(float(exact)):
        raise Undetermined("an average that is rounded")
    return float(exact)


def extreme(choose: Callable[..., Any]) -> Meaning:
    """min or max, where no two kinds of value meet and no two equal numbers differ."""

    def meaning(values: list[Any]) -> Any:
        if any(v.__class__ not in (int, float, str, bool) for v in values):
            raise Undetermined("the least or greatest of values that are no scalars")
        check_one_kind(values, "the least or greatest of values of different kinds")
        found = choose(values, key=rank)
        if any(v == found and v.__class__ is not found.__class__ for v in values):
            raise Undetermined("which of two equal numbers is kept")
        return found

    return meaning


def applied(meaning: Meaning, values: list[Any], is_distinct: bool) -> Any:
    kept = [v for v in values if v is not None]
    return meaning(distinct(kept) if is_distinct else kept)

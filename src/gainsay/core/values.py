"""When two answers are the same: multisets of rows, exact types, and the stated float rules.

Rules. Types count: 1, 1.0, TRUE and '1' differ (`exact`), except where two engines with other types are compared
(`number`: 1, 1.0 and TRUE are one value). NaN equals NaN, -0.0 equals 0.0. `close` floats are the same if they differ
by less than 1e-9 of the larger (or of 1): for sums, whose order of addition is the engine's choice. `group` is for
representatives of a group of equal values: numbers by value, text without case and trailing spaces. `graph`: 1 and 1.0
are one value, TRUE is not, floats have 12 digits; `graph bags`: and lists have no order."""

from __future__ import annotations

import datetime
import decimal
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

NUMERIC = (int, float, decimal.Decimal)
EXACT, NUMBER, CLOSE, GROUP = "exact", "number", "close", "group"
GRAPH, GRAPH_BAGS = "graph", "graph bags"
GRAPHS = (GRAPH, GRAPH_BAGS)


def key(value: Any, rule: str = EXACT) -> tuple[str, Any]:
    """A hashable stand-in: two values are the same under `rule` if and only if their keys are equal."""
    cls = value.__class__
    if value is None:
        return ("null", None)
    if rule in GRAPHS:
        return graph_key(value, rule)
    if cls is str:
        return ("text", value.rstrip(" ").lower() if rule == GROUP else value)
    if cls is bool:
        return ("bool", value) if rule == EXACT else number(value)
    if cls is int:
        return ("int", value) if rule == EXACT else number(value)
    if cls is float:
        if value != value:
            return ("nan", None)
        return ("real", value + 0.0) if rule == EXACT else number(value)
    if cls in (bytes, bytearray, memoryview):
        return ("blob", bytes(value))
    if isinstance(value, decimal.Decimal):
        return ("decimal", value) if rule == EXACT else number(value)
    if isinstance(value, (list, tuple)):
        return ("list", tuple(key(v, rule) for v in value))
    if isinstance(value, dict):
        return ("struct", tuple((str(k), key(v, rule)) for k, v in value.items()))
    if isinstance(value, (datetime.date, datetime.time, datetime.timedelta)):
        return (cls.__name__, value.isoformat() if hasattr(value, "isoformat") else str(value))
    return (cls.__name__, str(value))


def graph_key(value: Any, rule: str) -> tuple[str, Any]:
    """What two values of a graph engine must share to be the same: lists, maps, and numbers to twelve digits."""
    if isinstance(value, (list, tuple)):
        parts = [key(v, rule) for v in value]
        return ("list", tuple(sorted(parts, key=repr) if rule == GRAPH_BAGS else parts))
    if isinstance(value, dict):
        return ("struct", tuple(sorted((str(k), key(v, rule)) for k, v in value.items())))
    if isinstance(value, float) and value == value and abs(value) != float("inf"):
        return number(float(f"{value:.12g}"))
    if isinstance(value, bool) or not isinstance(value, (int, decimal.Decimal)):
        return key(value)
    return number(value)


def number(value: Any) -> tuple[str, Any]:
    if isinstance(value, float) and value.is_integer():
        return ("number", int(value))
    if isinstance(value, decimal.Decimal):
        return ("number", int(value) if value == value.to_integral_value() else float(value))
    return ("number", int(value) if isinstance(value, bool) else value)


def row_key(row: Sequence[Any], rule: str = EXACT) -> tuple[Any, ...]:
    return tuple([key(v, rule) for v in row])


def bag(rows: Iterable[Sequence[Any]], rule: str = EXACT) -> Counter[Any]:
    return Counter([row_key(r, rule) for r in rows])


def mixed(left: Iterable[Sequence[Any]], right: Iterable[Sequence[Any]]) -> tuple[Any, Any] | None:
    """Two values of rows that differ in nothing but the type of a number: 1 and 1.0.
    None where the difference is another one."""
    ours, theirs = ({row_key(row): row for row in rows} for rows in (left, right))
    partners = {row_key(row, NUMBER): row for exact, row in theirs.items() if exact not in ours}
    for exact, row in ours.items():
        other = partners.get(row_key(row, NUMBER)) if exact not in theirs else None
        if other is not None:
            return next((one, two) for one, two in zip(row, other, strict=True) if key(one) != key(two))
    return None


def close(left: Any, right: Any) -> bool:
    """The float rule for sums."""
    if not (isinstance(left, NUMERIC) and isinstance(right, NUMERIC)):
        return key(left) == key(right)
    if left != left or right != right:
        return bool(left != left and right != right)
    if left == right:
        return True
    one, two = float(left), float(right)
    return abs(one - two) <= 1e-9 * max(1.0, abs(one), abs(two))


TYPED = (EXACT, *GRAPHS)  # True is not 1


def same_bag(left: list[Any], right: list[Any], rule: str = EXACT) -> bool:
    # The common case first: same rows in the same order. repr() tells 1 from 1.0 and from True, at C speed.
    if left == right and (not left or rule not in TYPED or repr(left) == repr(right)):
        return True
    if len(left) != len(right):
        return False
    if rule == CLOSE:
        pairs = zip(sorted(left, key=ranks), sorted(right, key=ranks), strict=True)
        return all(len(a) == len(b) and all(map(close, a, b)) for a, b in pairs)
    return bag(left, rule) == bag(right, rule)


ORDER = {"null": 0, "bool": 1, "int": 1, "real": 1, "decimal": 1, "text": 2, "blob": 3}


def rank(value: Any) -> tuple[int, Any]:
    """Sort key in SQL's usual order (NULL, numbers, text by bytes, blobs), for MIN and MAX over several answers."""
    kind, comparable = key(value)
    if kind == "nan":
        return (1, float("inf"))
    if kind == "text":
        comparable = comparable.encode("utf-8", "surrogatepass")
    if kind not in ORDER:
        return (4, (kind, repr(comparable)))  # a date and a list have no order of their own
    return (ORDER[kind], comparable)


def ranks(row: Sequence[Any]) -> tuple[Any, ...]:
    return tuple([rank(v) for v in row])


def is_well(answer: Any, expected: list[Any]) -> bool:
    """Whether an engine gave the known answer to a canary; solvers' decisions have rows too."""
    rows = getattr(answer, "rows", None)
    return rows is not None and same_bag(rows, expected, NUMBER)

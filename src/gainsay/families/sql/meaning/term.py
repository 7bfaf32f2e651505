"""A compiled expression: a function of a row, and what is known of its values before any row is looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Row = tuple[Any, ...]
Value = Callable[[Row], Any]


class Term:
    """An expression that was compiled.

    `affinity`, `collation` (its column's), `explicit` (that a COLLATE in it says) are SQLite's. `type` is the type of a
    value where values have types that are known before. `boolean`: it is the word TRUE or FALSE.
    `is_folded`: the parser of SQLite may make it that word."""

    __slots__ = ("affinity", "boolean", "collation", "explicit", "is_folded", "of", "type")

    def __init__(self, of: Value, affinity: str = "", collation: str = "", explicit: str = "", type: str = "") -> None:
        self.of = of
        self.affinity = affinity
        self.collation = collation
        self.explicit = explicit
        self.type = type
        self.boolean: bool | None = None
        self.is_folded = False


Meaning = Callable[[Sequence[Term]], Term]


def constant(value: Any, type: str = "") -> Term:
    return Term(lambda row: value, type=type)

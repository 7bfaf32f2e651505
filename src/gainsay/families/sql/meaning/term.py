"""A compiled expression: a function of a row, and what is known of its values before any row is looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gainsay.families.sql.language import ir
    from gainsay.families.sql.meaning.system import TypeSystem

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

    def at(self, place: int) -> Term:
        """Its values, where they stand at a place of a row."""
        return Term(itemgetter(place), self.affinity, self.collation, self.explicit, self.type)


Meaning = Callable[[Sequence[Term]], Term]
# What an aggregate is, once it is known what of: a function of those values of its operand that are not NULL
Summary = Callable[["TypeSystem", "ir.Agg", Term], Callable[[list[Any]], Any]]


def of_values(function: Callable[[list[Any]], Any]) -> Summary:
    """An aggregate that is a function of its values, whatever their types are."""
    return lambda system, node, operand: function


def constant(value: Any, type: str = "") -> Term:
    return Term(lambda row: value, type=type)

"""Which columns are in reach of an expression, and the layout of the rows that it is asked for.

A row has the columns of the queries around, outermost first, then those of the query itself, relation by relation, then
places that are reserved for what is computed of several rows: aggregates, window functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from gainsay.families.sql.meaning.rows import Relation
from gainsay.families.sql.meaning.storage import Undetermined
from gainsay.families.sql.meaning.system import UNKNOWN, Attribute
from gainsay.families.sql.meaning.term import Term

ROWIDS = ("rowid", "oid", "_rowid_")
Placed = tuple[Term, tuple[int, ...]]  # a column, and the places of what it is read from


class Slot(NamedTuple):
    """What was computed before, and its place in a row."""

    term: Term
    place: int


Totals = Mapping[Any, Slot]  # by aggregate, window function or key


class Scope:
    """The columns in reach: those of the query itself behind those of the queries around it, in one row."""

    def __init__(self, around: Scope | None = None) -> None:
        self.around = around
        self.start: int = around.width if around is not None else 0
        self.width: int = self.start
        self.is_correlated = False  # whether anything of the queries around was used
        self.used: list[int] = []  # the places of the columns that were looked for, one after the other
        self.read: tuple[Any, ...] = ()  # what its columns are of, by name and identity
        self._places: dict[tuple[str, str], Placed] = {}
        self._names: dict[str, list[Placed]] = {}
        self._twice: set[tuple[str, str]] = set()  # names that two columns of one relation have
        self._listed: list[tuple[str, Attribute]] = []

    def add(self, name: str, columns: Sequence[Attribute], number: int | None = None) -> None:
        """Put columns behind those that are there. `number`: the place of the one that is the rows' number."""
        first = self.width
        self.read = (*self.read, name, id(columns))
        for column in columns:
            term = Term(itemgetter(self.width), column.affinity, column.collation, "", column.type)
            placed = term, (self.width,)
            if self._places.setdefault((name, column.name), placed) is not placed:
                self._twice.add((name, column.name))
            self._names.setdefault(column.name, []).append(placed)
            self._listed.append((name, column))
            self.width += 1
        for other in ROWIDS if number is not None else ():
            place = first + (number or 0)
            self._places.setdefault((name, other), (Term(itemgetter(place), "integer", "BINARY"), (place,)))

    def take(self, other: Scope) -> None:
        """Put the columns of another scope of the same query behind the own ones."""
        self.is_correlated |= other.is_correlated
        for name, column in other._listed:
            self.add(name, (column,))

    def find(self, rel: str, name: str) -> Term:
        """The column of a name, of this query or of one around it."""
        if (rel, name) in self._twice:
            raise Undetermined(f"which of two columns {rel}.{name}")
        found = self._places.get((rel, name))
        named = () if rel or found is not None else self._names.get(name, ())
        if len(named) == 1:
            found = named[0]
        if found is not None:
            if found[0].type == UNKNOWN:
                raise Undetermined("a column of a type without meaning")
            self.used += found[1]
            return found[0]
        if named or self.around is None:
            raise Undetermined(f"the column {rel}.{name}")
        self.is_correlated = True
        return self.around.find(rel, name)

    def reserve(self, computed: Sequence[tuple[Any, Term]]) -> Totals:
        """Leave a place behind the columns for each of these, which are computed of several rows. `computed`: the node,
        and a term of which the same is known."""
        found = {}
        for node, like in computed:
            found[node] = Slot(like.at(self.width), self.width)
            self.width += 1
        return found

    def own(self, name: str) -> list[Term]:
        """The columns of that name of the query itself."""
        return [term for term, _ in self.named(name)]

    def named(self, name: str) -> list[Placed]:
        """The same, with their places."""
        return self._names.get(name, [])

    def merge(self, name: str, term: Term, places: tuple[int, ...]) -> None:
        """What a name without a relation is of from here on, where a join made columns one."""
        self._names[name] = [(term, places)]


NOWHERE = Scope()
Known = Mapping[str, Relation]  # what CTEs name
NOTHING: Known = MappingProxyType({})
NO_TOTALS: Totals = MappingProxyType({})

"""GROUP BY and aggregates: the groups of a query's rows, and what is computed of each.

A group is a list of rows. Each row has the query's columns, then the values of the aggregates, and, where there are
several sets of keys, the keys, which are NULL in a set without them. What is no aggregate must have one value for all
rows of a group."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from gainsay.families.sql.meaning.rows import Fetch, Rows
from gainsay.families.sql.meaning.storage import Undetermined
from gainsay.families.sql.meaning.system import TypeSystem
from gainsay.families.sql.meaning.term import Row, Term, Value


class Grouping(NamedTuple):
    """How a query's rows become groups."""

    system: TypeSystem
    fetch: Fetch
    keys: Sequence[Term]
    word: str  # ROLLUP, CUBE or GROUPING SETS; nothing: there is one set, of all keys
    missing: Row  # the query's own columns of a group without rows
    totals: Sequence[Callable[[Rows], Any]]  # the aggregates
    extreme: Callable[[Rows, Row], Rows] | None  # the rows that columns beside one MIN or MAX are of
    having: Value | None

    def groups(self, around: Row) -> list[Rows]:
        """The groups that are shown, for a row of the query around."""
        rows = self.fetch(around)
        if self.word and not rows:
            raise Undetermined("sets of groups of nothing")
        sets = key_sets(self.word, len(self.keys))
        found = [self._whole(group, used, around) for used in sets for group in self._parted(rows, used)]
        return [group for group in found if self._is_shown(group)]

    def _parted(self, rows: Rows, used: Sequence[int]) -> list[Rows]:
        """The rows by some of the keys; all together, if by none."""
        if not used:
            return [rows]
        key, found = self.system.key, dict[Any, Rows]()
        for each in rows:
            found.setdefault(tuple([key(self.keys[n].of(each), self.keys[n]) for n in used]), []).append(each)
        return list(found.values())

    def _whole(self, rows: Rows, used: Sequence[int], around: Row) -> Rows:
        """The rows of a group with all that they have. A group without rows has one, in which the columns are NULL."""
        values = tuple([total(rows) for total in self.totals])
        if self.extreme is not None:
            rows = self.extreme(rows, values)
        whole = [each + values for each in rows] or [around + self.missing + values]
        if not self.word:
            return whole
        return [row + tuple([k.of(row) if n in used else None for n, k in enumerate(self.keys)]) for row in whole]

    def _is_shown(self, group: Rows) -> bool | None:
        having = self.having
        return having is None or self.system.truth(self.only([having(row) for row in group]))

    def only(self, values: list[Any]) -> Any:
        """The one value that all rows of a group have."""
        first = values[0]
        for other in values:
            if not self.system.is_identical(first, other):
                raise Undetermined("which row of a group is shown")
        return first


def key_sets(word: str, number: int) -> list[tuple[int, ...]]:
    """The keys that each set of groups is by."""
    if word == "ROLLUP":
        return [tuple(range(n)) for n in range(number, -1, -1)]
    if word == "CUBE":
        return [used for n in range(number + 1) for used in itertools.combinations(range(number), n)]
    return [*((n,) for n in range(number)), ()] if word else [tuple(range(number))]

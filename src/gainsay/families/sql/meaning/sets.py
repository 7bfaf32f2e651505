"""Rows without doubles, set operators, the first row for each key, and what a step adds until there is nothing new.

Of two equal rows either may be shown; where they differ to the eye, nobody can tell which."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gainsay.families.sql.meaning import ordering
from gainsay.families.sql.meaning.ordering import SortKey
from gainsay.families.sql.meaning.rows import MOST, Fetch, Rows
from gainsay.families.sql.meaning.storage import TooBig, Undetermined
from gainsay.families.sql.meaning.system import TypeSystem
from gainsay.families.sql.meaning.term import Row, Term

STEPS = 60  # of a recursive CTE
Columns = Sequence[Term]


def key_of(system: TypeSystem, row: Row, columns: Columns) -> Any:
    """What equal rows share."""
    return tuple([system.key(value, column) for value, column in zip(row, columns, strict=True)])


def check_alike(system: TypeSystem, one: Row, other: Row) -> None:
    """Raise where two equal rows can be told apart."""
    if one is not other and not all(map(system.is_identical, one, other)):
        raise Undetermined("which of two equal rows is shown")


def without_doubles(system: TypeSystem, rows: Rows, columns: Columns) -> Rows:
    """Each row once."""
    found: dict[Any, Row] = {}
    for each in rows:
        check_alike(system, found.setdefault(key_of(system, each, columns), each), each)
    return list(found.values())


def distinct(system: TypeSystem, fetch: Fetch, columns: Columns) -> Fetch:
    """The same of rows that are not there yet."""
    return lambda row: without_doubles(system, fetch(row), columns)


def combined(system: TypeSystem, op: str, one: Fetch, other: Fetch, columns: Columns) -> Fetch:
    """UNION, INTERSECT, EXCEPT, and UNION ALL, of two queries."""
    if op == "UNION ALL":
        return lambda row: one(row) + other(row)
    if op not in ("UNION", "INTERSECT", "EXCEPT"):
        raise Undetermined(op)

    def run(row: Row) -> Rows:
        left, right = one(row), other(row)
        if op == "UNION":
            return without_doubles(system, left + right, columns)
        theirs = {key_of(system, each, columns) for each in right}
        found: dict[Any, Row] = {}
        for each in left:
            key = key_of(system, each, columns)
            if (key in theirs) == (op == "INTERSECT"):
                check_alike(system, found.setdefault(key, each), each)
        if op == "INTERSECT":
            for each in right:
                check_alike(system, found.get(key_of(system, each, columns), each), each)
        return list(found.values())

    return run


def repeated(
    system: TypeSystem, begun: Rows, again: Callable[[Rows], Rows], columns: Columns, is_distinct: bool
) -> Rows:
    """These rows, and what a step makes of those of the step before, as long as it gives new ones."""
    rows = without_doubles(system, begun, columns) if is_distinct else begun
    seen = {key_of(system, each, columns): each for each in rows}
    found: Rows = []
    for _ in range(STEPS):
        found += rows
        if not rows:
            return found
        rows = again(rows)
        if len(found) + len(rows) > MOST:
            raise TooBig
        if is_distinct:
            rows = new(system, without_doubles(system, rows, columns), seen, columns)
    raise TooBig


def new(system: TypeSystem, rows: Rows, seen: dict[Any, Row], columns: Columns) -> Rows:
    """Those rows that were not seen before; now they are."""
    fresh = []
    for row in rows:
        key = key_of(system, row, columns)
        if key in seen:
            check_alike(system, seen[key], row)
        else:
            seen[key] = row
            fresh.append(row)
    return fresh


def first_of(system: TypeSystem, fetch: Fetch, order: list[SortKey], keys: Sequence[tuple[int, Term]]) -> Fetch:
    """DISTINCT ON: of the rows with the same keys the first one in an order that begins with these keys. `keys`: their
    places and columns."""

    def run(row: Row) -> Rows:
        found: dict[Any, Row] = {}
        for group in ordering.groups(system, fetch(row), order):
            own: dict[Any, Rows] = {}
            for each in group:
                own.setdefault(tuple([system.key(each[place], term) for place, term in keys]), []).append(each)
            for key, rows in own.items():
                if key not in found:
                    for other in rows:
                        check_alike(system, rows[0], other)
                    found[key] = rows[0]
        return list(found.values())

    return run

"""What a subquery is in an expression: EXISTS, IN, a comparison with ANY or ALL of its rows, or its one value."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from gainsay.families.sql.language import ir
from gainsay.families.sql.meaning.rows import Fetch
from gainsay.families.sql.meaning.storage import Undetermined
from gainsay.families.sql.meaning.system import TypeSystem
from gainsay.families.sql.meaning.term import Row, Term


def value(system: TypeSystem, truth: bool) -> Any:
    """TRUE or FALSE, as a value."""
    return system.literal(ir.TRUE if truth else ir.FALSE).of(())


def exists(system: TypeSystem, rows: Fetch) -> Term:
    """EXISTS (q)"""
    true, false = value(system, True), value(system, False)
    return Term(lambda row: true if rows(row) else false)


def among(system: TypeSystem, left: Sequence[Term], columns: Sequence[Term], rows: Fetch, is_in: bool) -> Term:
    """x IN (q), x NOT IN (q)"""
    test, here, gone = system.in_rows(left, columns), value(system, is_in), value(system, not is_in)

    def of(row: Row) -> Any:
        is_open = False
        for other in rows(row):
            found = test(row, other)
            if found:
                return here
            is_open |= found is None
        return None if is_open else gone

    return Term(of, type="bool")


def quantified(system: TypeSystem, kind: str, left: Sequence[Term], rows: Fetch) -> Term:
    """x < ANY (q), x < ALL (q): the comparison with each row, together by OR or by AND."""
    name, _, word = kind.partition(" ")
    meaning = system.meanings.get(name)
    if meaning is None or len(left) != 1 or word not in ("any", "all") or left[0].collation:
        raise Undetermined(kind)
    of, ends, truth = left[0].of, word == "any", system.truth
    decided, left_over = value(system, ends), value(system, not ends)
    compared = meaning((Term(itemgetter(0)), Term(itemgetter(1)))).of

    def result(row: Row) -> Any:
        one, is_open = of(row), False
        for (other,) in rows(row):
            found = truth(compared((one, other)))
            if found is ends:
                return decided
            is_open |= found is None
        return None if is_open else left_over

    return Term(result, type="bool")


def scalar(columns: Sequence[Term], rows: Fetch) -> Term:
    """(q): the value of its one row and column, or NULL."""
    if len(columns) != 1:
        raise Undetermined("a scalar subquery of several columns")
    (only,) = columns
    if only.affinity or only.collation or only.explicit:
        raise Undetermined("the affinity of a scalar subquery")

    def of(row: Row) -> Any:
        found = rows(row)
        if len(found) > 1:
            raise Undetermined("which row of a scalar subquery")
        return found[0][0] if found else None

    return Term(of, type=only.type)

"""ORDER BY, LIMIT and OFFSET: rows in order, and those that stay.

Rows that are equal in all keys may come in any order. So a cut between two of them is `Undetermined`, unless nobody
could tell them apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from gainsay.core.tree import walk
from gainsay.families.sql.language import ir
from gainsay.families.sql.meaning.storage import Undetermined
from gainsay.families.sql.meaning.system import TypeSystem
from gainsay.families.sql.meaning.term import Row, Term

Rows = list[Row]
Key = tuple[int, Any]  # whether it is NULL, and what it is ordered by


class SortKey(NamedTuple):
    """A key of an order: what stands where in a row, and which way it goes."""

    term: Term
    is_descending: bool
    has_nulls_first: bool | None  # None: nobody says


def sort_key(system: TypeSystem, node: ir.Order, term: Term) -> SortKey:
    """A key, by what is said of it and by what an engine does where nothing is."""
    is_first = node.nulls == "FIRST" if node.nulls else system.has_nulls_first(node.desc)
    return SortKey(term, node.desc, is_first)


def ranker(system: TypeSystem, key: SortKey) -> Callable[[Row], Key]:
    """What rows are sorted by for one key; a NULL stands at an end."""
    of, term = key.term.of, key.term
    null = (0 if key.has_nulls_first != key.is_descending else 2, 0)

    def rank(row: Row) -> Key:
        value = of(row)
        if value is not None:
            return 1, system.sort_rank(value, term)
        if key.has_nulls_first is None:
            raise Undetermined("where NULL comes in an order")
        return null

    return rank


def groups(system: TypeSystem, rows: Rows, keys: Sequence[SortKey]) -> list[Rows]:
    """Rows in order; those that are equal in all keys stand together."""
    if not keys:
        return [rows] if rows else []
    rankers = [ranker(system, key) for key in keys]
    ranked = [(row, [rank(row) for rank in rankers]) for row in rows]
    for place in reversed(range(len(keys))):
        ranked.sort(key=lambda pair: pair[1][place], reverse=keys[place].is_descending)
    found: list[Rows] = []
    last: list[Key] | None = None
    for row, ranks in ranked:
        if ranks == last:
            found[-1].append(row)
        else:
            found.append([row])
            last = ranks
    return found


def are_alike(system: TypeSystem, rows: Rows, width: int) -> bool:
    """Whether nobody could tell rows apart by their first columns."""
    first = rows[0][:width]
    return all(all(map(system.is_identical, first, row[:width])) for row in rows[1:])


def cut(system: TypeSystem, found: list[Rows], start: int, most: int | None, width: int) -> Rows:
    """Of rows in groups, those from `start` on, `most` at the most. `width`: so many columns are shown."""
    end = None if most is None else start + most
    kept: Rows = []
    place = 0
    for group in found:
        after = place + len(group)
        first, last = max(start - place, 0), len(group) if end is None else min(max(end - place, 0), len(group))
        if 0 < last - first < len(group) and not are_alike(system, group, width):
            raise Undetermined("which of rows that are equal in an order are kept")
        kept += group[first:last] if first < last else []
        place = after
    return kept


def number(node: ir.Expr | None) -> int | None:
    """The number of a LIMIT or OFFSET, which is a literal here."""
    if node is None:
        return None
    if not isinstance(node, ir.Lit) or node.kind != "int" or node.text.startswith("-"):
        raise Undetermined("a LIMIT that is no number")
    return node.number


def place_of(node: ir.Order, items: Sequence[ir.Item]) -> int | None:
    """The place of the item that a key is: by its number, its name, or as the same expression."""
    expr = node.expr
    if isinstance(expr, ir.Lit) and expr.kind == "int":
        place = expr.number - 1
        if not 0 <= place < len(items):
            raise Undetermined("an ORDER BY of an item that is not there")
        return place
    for place, item in enumerate(items):
        if item == expr or (isinstance(item, ir.As) and (item.expr == expr or expr == ir.Col("", item.name))):
            return place
    if not any(isinstance(n, (ir.Col, ir.Agg)) for _, n in walk(expr)):
        raise Undetermined("an order by a constant, which a parser may take for the place of an item")
    return None

"""What is made of rows: joined, kept, shown. Each function takes compiled parts and gives a function of the row around.

Where there are many rows, an expression is asked once for the same values of the columns that it uses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from gainsay.families.sql.meaning.storage import TooBig, Undetermined
from gainsay.families.sql.meaning.system import Attribute
from gainsay.families.sql.meaning.term import Row, Value

MOST = 1000  # rows that are made before a join's condition is asked
FEW = 12  # rows for which an expression is simply asked for each of them
NARROW = 3  # columns of which the same values often come again
Rows = list[Row]
Fetch = Callable[[Row], Rows]
Groups = Callable[[Row], list[Rows]]  # the groups of a query, for a row of the query around it
OUTER = frozenset({"LEFT JOIN", "RIGHT JOIN", "FULL JOIN"})
INNER = frozenset({"", ",", "JOIN", "CROSS JOIN", "STRAIGHT_JOIN"})
LATERAL = frozenset({"", ",", "JOIN", "CROSS JOIN", "LEFT JOIN"})


class Relation(NamedTuple):
    """Columns, and the rows for a row of the query around it."""

    columns: tuple[Attribute, ...]
    fetch: Fetch
    is_correlated: bool = False
    number: int | None = None  # the place of the column that `rowid` is another name of


class Used(NamedTuple):
    """An expression, and the places of the query's own columns that it uses. Those of a query around have the same
    values for all rows that are made for one row of it."""

    of: Value
    places: tuple[int, ...]

    @property
    def is_column(self) -> bool:
        return self.of.__class__ is itemgetter and len(self.places) == 1


def remembered(used: Used) -> Value:
    """The same function, asked once for the same values. They are told apart by identity, since 1 and 1.0 are equal;
    each is kept with what it gave, so that its identity stays its own."""
    of, places = used
    known: dict[Any, tuple[Any, Any]] = {}
    if len(places) == 1:
        only = places[0]

        def of_one(row: Row) -> Any:
            cell = row[only]
            found = known.get(id(cell))
            if found is None:
                found = known[id(cell)] = of(row), cell
            return found[0]

        return of_one

    def value(row: Row) -> Any:
        cells = [row[place] for place in places]
        key = tuple(map(id, cells))
        found = known.get(key)
        if found is None:
            found = known[key] = of(row), cells
        return found[0]

    return value


def asked(used: Used, number: int) -> Value:
    """The function to ask for so many rows."""
    return used.of if number <= FEW or len(used.places) > NARROW or used.is_column else remembered(used)


def once(run: Fetch) -> Fetch:
    """The same rows whatever the row around is: made when they are first asked for."""
    made: list[Rows] = []

    def fetch(row: Row) -> Rows:
        if not made:
            made.append(run(row))
        return made[0]

    return fetch


def kept(fetch: Fetch, test: Used) -> Fetch:
    """The rows for which a test is true."""

    def run(row: Row) -> Rows:
        rows = fetch(row)
        is_true = asked(test, len(rows))
        return [each for each in rows if is_true(each)]

    return run


def of_rows(fetch: Fetch, values: Sequence[Used]) -> Fetch:
    """What is shown of each row."""
    if all(value.is_column for value in values) and len(values) > 1:
        shown = itemgetter(*[value.places[0] for value in values])
        return lambda row: list(map(shown, fetch(row)))

    def run(row: Row) -> Rows:
        rows = fetch(row)
        parts = [asked(value, len(rows)) for value in values]
        return [tuple([of(each) for of in parts]) for each in rows]

    return run


def of_groups(groups: Groups, values: Sequence[Used], only: Callable[[list[Any]], Any]) -> Fetch:
    """What is shown of each group."""
    return lambda row: [tuple([only([used.of(each) for each in rows]) for used in values]) for rows in groups(row)]


def product(chains: Sequence[Fetch], start: int) -> Fetch:
    """Every row of one chain with every row of the others."""

    def fetch(row: Row) -> Rows:
        rows = chains[0](row)
        for chain in chains[1:]:
            others = chain(row)
            if len(rows) * len(others) > MOST:
                raise TooBig
            rows = [one + other[start:] for one in rows for other in others]
        return rows

    return fetch


def step(kind: str, relation: Relation, on: Used | None, before: int, start: int) -> Callable[[Rows, Row], Rows]:
    """How one more relation is joined. `before`: how many columns stand before it."""
    if kind not in INNER and kind not in OUTER:
        raise Undetermined(kind)
    fetch, is_left, is_right = relation.fetch, kind in ("LEFT JOIN", "FULL JOIN"), kind in ("RIGHT JOIN", "FULL JOIN")
    missing = (None,) * len(relation.columns)

    def joined(rows: Rows, around: Row) -> Rows:
        others = fetch(around)
        if len(rows) * len(others) > MOST:
            raise TooBig
        fits = None if on is None else asked(on, len(rows) * len(others))
        if not is_left and not is_right:
            pairs = [one + other for one in rows for other in others]
            return pairs if fits is None else [pair for pair in pairs if fits(pair)]
        result: Rows = []
        used: set[int] = set()
        for one in rows:
            is_alone = True
            for place, other in enumerate(others):
                pair = one + other
                if fits is None or fits(pair):
                    result.append(pair)
                    used.add(place)
                    is_alone = False
            if is_alone and is_left:
                result.append(one + missing)
        if is_right:
            alone = around[:start] + (None,) * before
            result += [alone + other for place, other in enumerate(others) if place not in used]
        return result

    return joined


def lateral(kind: str, relation: Relation, on: Used | None, before: int, start: int) -> Callable[[Rows, Row], Rows]:
    """How a query is joined that sees what stands before it: its rows are made for each row."""
    if kind not in LATERAL:
        raise Undetermined(f"a lateral {kind}")
    missing, is_left, fetch = (None,) * len(relation.columns), kind == "LEFT JOIN", relation.fetch

    def joined(rows: Rows, around: Row) -> Rows:
        result: Rows = []
        for one in rows:
            pairs = [one + other for other in fetch(one)]
            fit = pairs if on is None else [pair for pair in pairs if on.of(pair)]
            result += fit or ([one + missing] if is_left else [])
            if len(result) > MOST:
                raise TooBig
        return result

    return joined

"""THE table of functions of several rows: an aggregate or a window function is one row.

It says what the function takes and gives, how it is called, where it is drawn, on what it depends that a query must say
(an order, whole numbers), what it means, and what a reducer and a shape need to know of it. A dialect is such a table
merged over another one, as with operators (ops.py). What the type systems make of the shared rows they add themselves:
SUM is another one in SQLite than in PostgreSQL.

A signature is 'operand classes -> result class', with the letters of ops.py. Two classes are particular: `place` is a
literal from 1 on, `step` one from 0 on. An aggregate has one operand; one that joins texts has what stands between them
besides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from gainsay.families.sql.language.ops import DATES, NUMBERS
from gainsay.families.sql.meaning import windows
from gainsay.families.sql.meaning.term import Summary, of_values

PLACE, STEP = "place", "step"
LAST = 99
SCOPES: Mapping[str, tuple[str, ...]] = {"N": NUMBERS, "D": DATES, "U": ("int", "text", "bool")}
LETTERS = ("T", *SCOPES)


class Aggregate(NamedTuple):
    """A row of the table: an aggregate, which may be a window function too, or a window function only. Rows are named
    by their keys."""

    args: tuple[str, ...]
    result: str
    word: str = ""  # how it is called; nothing: as it is named
    is_aggregate: bool = True
    # Its places in the list that an aggregate is drawn from, and in that of window functions: once for each of them,
    # rows of one place as they stand in the table. None: it is read, and not drawn
    drawn: tuple[int, ...] = ()
    over: tuple[int, ...] = ()
    is_common: bool = False  # all engines have it, and it is drawn without a semantics of ours too
    is_distinct: bool = False  # it is drawn with DISTINCT
    exact: bool = False  # it looks only at NULL or not: without an operand it counts rows
    is_sum: bool = False  # its last digits depend on the order of addition
    is_extreme: bool = False  # it gives one of its values: which one of equal ones nobody says
    is_joined: bool = False  # it joins texts, in an order that must be said
    looks_at: str = windows.FRAME  # what a window function sees of a row's partition
    optional: int = 0  # so many of its last operands may lack
    group: str = ""  # what it is called in a shape; nothing: its own name
    price: int = 3  # how far it is from the plainest window function
    meaning: Summary | None = None  # of an aggregate, where the dialect has a semantics
    sight: windows.Sight | None = None  # the meaning of a window function, which is the same everywhere

    @property
    def is_alike(self) -> bool:
        """Whether it gives peers the same, whichever of them comes first."""
        return self.is_summing or self.looks_at == windows.PEERS

    @property
    def is_summing(self) -> bool:
        """Whether a window makes one value of all rows of a frame."""
        return self.is_aggregate and not self.is_joined

    @property
    def is_framed(self) -> bool:
        """Whether a frame changes what it gives."""
        return self.looks_at == windows.FRAME and not self.is_joined

    @property
    def is_of_operand(self) -> bool:
        """Whether its result is of its operand's class."""
        return self.result in LETTERS

    def is_for(self, cls: str) -> bool:
        """Whether its first operand may be of this class."""
        first = self.args[0] if self.args else "T"
        return first in ("T", PLACE) or cls == "any" or cls in SCOPES.get(first, (first,))

    def result_of(self, cls: str) -> str:
        """The class of its result, of an operand of this one."""
        return cls if self.is_of_operand else self.result


Table = Mapping[str, Aggregate]
UNKNOWN = Aggregate(("T",), "T", is_aggregate=False, looks_at=windows.ROW)  # one that a user wrote and no table has


def aggregate(signature: str, drawn: tuple[int, ...] = (LAST,), **more: Any) -> Aggregate:
    """A row of an aggregate; it is a window function too where `over` says so."""
    args, _, result = signature.partition("->")
    return Aggregate(tuple(args.split()), result.strip(), drawn=drawn, **more)


def window(signature: str, sight: windows.Sight, over: tuple[int, ...] = (LAST,), **more: Any) -> Aggregate:
    """A row of a function that needs a window."""
    args, _, result = signature.partition("->")
    return Aggregate(tuple(args.split()), result.strip(), is_aggregate=False, over=over, sight=sight, **more)


AGGREGATES: Table = {
    "count": aggregate(
        "T -> int", (0, 4), over=(0, 1), is_common=True, is_distinct=True, exact=True, price=0, meaning=of_values(len)
    ),
    "min": aggregate("T -> T", (1,), over=(3,), is_common=True, is_extreme=True),
    "max": aggregate("T -> T", (2,), over=(4,), is_common=True, is_extreme=True),
    "sum": aggregate("N -> N", (3,), over=(2,), is_common=True, is_distinct=True, is_sum=True),
    "rank": window("-> int", windows.rank, looks_at=windows.PEERS, price=2),
    "dense_rank": window("-> int", windows.dense_rank, looks_at=windows.PEERS),
    "row_number": window("-> int", windows.row_number, looks_at=windows.ROW, price=1),
    "lag": window("T step T -> T", windows.shifted(-1), looks_at=windows.ROW, optional=2),
    "lead": window("T step T -> T", windows.shifted(1), looks_at=windows.ROW, optional=2),
    "first_value": window("T -> T", windows.first),
    "last_value": window("T -> T", windows.last),
    "nth_value": window("T place -> T", windows.nth),
    "ntile": window("place -> int", windows.ntile, looks_at=windows.ROW),
    "percent_rank": window("-> real", windows.percent_rank, (), looks_at=windows.PEERS),
    "cume_dist": window("-> real", windows.cume_dist, (), looks_at=windows.PEERS),
    "avg": aggregate("N -> real", over=(LAST,), is_sum=True),
    "total": aggregate("N -> real", over=(LAST,), is_sum=True),
    "group_concat": aggregate("text -> text", is_joined=True),
    "string_agg": aggregate("text -> text", is_joined=True),
}
# Those that give one of their values
EXTREMES = tuple(name for name, row in AGGREGATES.items() if row.is_extreme)


def drawn_from(table: Table, is_window: bool) -> tuple[str, ...]:
    """The names that an aggregate, or a window function, is drawn from."""
    placed = [(place, name) for name, row in table.items() for place in (row.over if is_window else row.drawn)]
    return tuple(name for _, name in sorted(placed, key=lambda each: each[0]))

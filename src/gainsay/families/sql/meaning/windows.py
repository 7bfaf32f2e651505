"""Window functions: a value for each row, of the rows of its partition in order.

Rows that are equal in a window's order are peers. Which of two peers comes first is nobody's say, so what looks at
single rows is `Undetermined` where peers can be told apart; what looks at whole groups of peers is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from gainsay.families.sql.language import ir
from gainsay.families.sql.meaning import ordering
from gainsay.families.sql.meaning.ordering import Rows
from gainsay.families.sql.meaning.storage import Undetermined
from gainsay.families.sql.meaning.system import TypeSystem
from gainsay.families.sql.meaning.term import Row, Term, Value

# What a window function looks at: the rows of a frame, single rows, or groups of peers only
FRAME, ROW, PEERS = "frame", "row", "peers"
WHOLE = ir.Frame("ROWS", "UNBOUNDED PRECEDING", "UNBOUNDED FOLLOWING")
UP_TO_HERE = ir.Frame("RANGE", "UNBOUNDED PRECEDING", "CURRENT ROW")


class Partition(NamedTuple):
    """The rows of a partition in order, and the place of the group of peers that each one is in."""

    rows: Rows
    peers: list[tuple[int, int]]  # the first row of each group, and the one behind its last
    group: list[int]  # of each row


class Window:
    """A window function that was compiled. `run` gives a value for each row."""

    def __init__(self, system: TypeSystem, node: ir.Over, terms: Callable[[Any], Term]) -> None:
        self.system = system
        self.node = node
        self.args = [terms(a) for a in node.args]
        self.keys = [terms(p) for p in node.partition]
        self.order = [ordering.sort_key(system, o, terms(o.expr)) for o in node.order]
        self.where: Value | None = terms(node.where).of if node.where is not None else None
        self.frame = node.frame or (UP_TO_HERE if node.order else WHOLE)
        self.is_one_of_several = False  # of windows that look at single rows, each in an order of its own
        row = system.aggregates.get(node.fn)
        if row is None or row.is_joined:
            raise Undetermined(f"the window function {node.fn}")
        self.function = row
        if row.is_aggregate:
            arg = self.args[0] if self.args else None
            self._aggregate = system.aggregate(ir.Agg(node.fn, node.args[0] if node.args else None), arg)
        elif node.where is not None:
            raise Undetermined("FILTER of what is no aggregate")
        is_own = not row.is_aggregate and row.is_of_operand and self.args
        self.type = self.args[0].type if is_own else ""  # of its values, where that is known

    def run(self, rows: Rows) -> list[Any]:
        """A value for each of the rows."""
        found: list[Any] = [None] * len(rows)
        parted: dict[Any, Rows] = {}
        for number, row in enumerate(rows):
            key = tuple([self.system.key(k.of(row), k) for k in self.keys])
            parted.setdefault(key, []).append((*row, number))  # by which equal rows are told apart
        for part in parted.values():
            partition = self._sorted(part)
            for row, value in zip(partition.rows, self._values(partition), strict=True):
                found[row[-1]] = value
        return found

    def _sorted(self, rows: Rows) -> Partition:
        groups = ordering.groups(self.system, rows, self.order)
        if self.is_by_row() and not all(self._are_alike(g) for g in groups):
            raise Undetermined("which of two peers comes first")
        peers: list[tuple[int, int]] = []
        for group in groups:
            start = peers[-1][1] if peers else 0
            peers.append((start, start + len(group)))
        return Partition(
            [row for group in groups for row in group], peers, [n for n, group in enumerate(groups) for _ in group]
        )

    def _are_alike(self, peers: Rows) -> bool:
        """Whether nobody can tell peers apart. Another window may: what it gives them stands beside."""
        if len(peers) < 2 or self.is_one_of_several:
            return len(peers) < 2
        return ordering.are_alike(self.system, peers, len(peers[0]) - 1)

    def is_by_row(self) -> bool:
        """Whether it matters which of two peers comes first."""
        if not self.function.is_aggregate:
            return self.function.looks_at != PEERS
        return self.frame.unit == "ROWS" and (self.frame.start, self.frame.end) != (WHOLE.start, WHOLE.end)

    def _values(self, part: Partition) -> list[Any]:
        sight = self.function.sight
        if sight is None:
            return self._aggregates(part)
        return [sight(self, part, place) for place in range(len(part.rows))]

    def _aggregates(self, part: Partition) -> list[Any]:
        rows, system, where = part.rows, self.system, self.where
        kept = [True] * len(rows) if where is None else [bool(system.truth(where(row))) for row in rows]
        values: list[Any] = [self.args[0].of(row) for row in rows] if self.args else list(rows)
        if self.function.is_sum:
            # An engine may take a row out of a sum again: what is lost of one that left its frame stays lost
            self._aggregate([v for v, is_kept in zip(values, kept, strict=True) if is_kept])
        return [self._aggregate([values[n] for n in self.framed(part, place) if kept[n]]) for place in range(len(rows))]

    # --- frames -------------------------------------------------------------------------------------------------------

    def framed(self, part: Partition, place: int) -> list[int]:
        """The places of the rows of a row's frame, in order."""
        start, end = self._bound(part, place, self.frame.start, 0), self._bound(part, place, self.frame.end, 1)
        found = range(max(start, 0), min(end, len(part.rows)))
        exclude = self.frame.exclude
        if not exclude or exclude == "NO OTHERS":
            return list(found)
        first, last = part.peers[part.group[place]]
        gone = {
            "CURRENT ROW": {place},
            "GROUP": set(range(first, last)),
            "TIES": set(range(first, last)) - {place},
        }[exclude]
        return [n for n in found if n not in gone]

    def _bound(self, part: Partition, place: int, text: str, is_end: int) -> int:
        """Where a frame begins, or the place behind its last row."""
        if text == "UNBOUNDED PRECEDING":
            return 0
        if text == "UNBOUNDED FOLLOWING":
            return len(part.rows)
        count, _, word = text.partition(" ")
        by = 0 if text == "CURRENT ROW" else int(count) if word == "FOLLOWING" else -int(count)
        if self.frame.unit == "ROWS":
            return place + by + is_end
        if self.frame.unit == "RANGE" and text != "CURRENT ROW":
            return self._by_value(part, place, by, is_end)
        group = part.group[place] + by
        if group < 0:
            return 0
        return part.peers[group][is_end] if group < len(part.peers) else len(part.rows)

    def _by_value(self, part: Partition, place: int, by: int, is_end: int) -> int:
        """RANGE with a distance: of one key, which must be a number. A NULL has its peers for a frame."""
        if len(self.order) != 1:
            raise Undetermined("RANGE of several keys")
        key = self.order[0]
        value = key.term.of(part.rows[place])
        if value is None:
            return part.peers[part.group[place]][is_end]
        values = [key.term.of(row) for row in part.rows]
        if any(v is not None and v.__class__ is not int for v in values) or any(abs(v or 0) > 2**31 for v in values):
            raise Undetermined("RANGE of what is no small whole number")
        bound = value - by if key.is_descending else value + by
        places = [n for n, v in enumerate(values) if v is not None]
        if is_end:
            fit = [n for n in places if (values[n] >= bound if key.is_descending else values[n] <= bound)]
            return fit[-1] + 1 if fit else places[0]
        fit = [n for n in places if (values[n] <= bound if key.is_descending else values[n] >= bound)]
        return fit[0] if fit else places[-1] + 1

    def argument(self, number: int, row: Row) -> Any:
        return self.args[number].of(row)


# --- what functions give a row, by its place in its partition ---------------------------------------------------------

Sight = Callable[[Window, Partition, int], Any]


def row_number(window: Window, part: Partition, place: int) -> int:
    return place + 1


def rank(window: Window, part: Partition, place: int) -> int:
    return part.peers[part.group[place]][0] + 1


def dense_rank(window: Window, part: Partition, place: int) -> int:
    return part.group[place] + 1


def shifted(by: int) -> Sight:
    """LAG and LEAD: x, so many rows away, and else a default."""

    def function(window: Window, part: Partition, place: int) -> Any:
        args, row = window.args, part.rows[place]
        steps = args[1].of(row) if len(args) > 1 else 1
        if steps.__class__ is not int or steps < 0:
            raise Undetermined("LAG by what is no number")
        other = place + by * steps
        if 0 <= other < len(part.rows):
            return args[0].of(part.rows[other])
        return args[2].of(row) if len(args) > 2 else None

    return function


def nth(window: Window, part: Partition, place: int) -> Any:
    wanted = window.argument(1, part.rows[place])
    if wanted.__class__ is not int or wanted < 1:
        raise Undetermined("NTH_VALUE of no place")
    found = window.framed(part, place)
    return window.argument(0, part.rows[found[wanted - 1]]) if wanted <= len(found) else None


def first(window: Window, part: Partition, place: int) -> Any:
    found = window.framed(part, place)
    return window.argument(0, part.rows[found[0]]) if found else None


def last(window: Window, part: Partition, place: int) -> Any:
    found = window.framed(part, place)
    return window.argument(0, part.rows[found[-1]]) if found else None


def ntile(window: Window, part: Partition, place: int) -> int:
    """So many buckets, the larger ones first."""
    buckets = window.argument(0, part.rows[place])
    if buckets.__class__ is not int or buckets < 1:
        raise Undetermined("NTILE of no buckets")
    size, more = divmod(len(part.rows), buckets)
    large = more * (size + 1)
    return int(place // (size + 1) + 1 if place < large else more + (place - large) // size + 1)


def percent_rank(window: Window, part: Partition, place: int) -> float:
    return part.peers[part.group[place]][0] / (len(part.rows) - 1) if len(part.rows) > 1 else 0.0


def cume_dist(window: Window, part: Partition, place: int) -> float:
    return part.peers[part.group[place]][1] / len(part.rows)

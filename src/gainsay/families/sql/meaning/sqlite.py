"""SQLite's type system: any value may stand anywhere, and columns have affinities and collating sequences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gainsay.families.sql.language import ir
from gainsay.families.sql.meaning import loose
from gainsay.families.sql.meaning import storage as s
from gainsay.families.sql.meaning.storage import FOLDS, Fold, Undetermined, order
from gainsay.families.sql.meaning.system import Attribute, TypeSystem, Violated, is_key, itself, joined_in_order
from gainsay.families.sql.meaning.term import Meaning, Row, Summary, Term, of_values

if TYPE_CHECKING:
    from gainsay.families.sql.language.aggregates import Aggregate

STRICT = {"INT": (int,), "INTEGER": (int,), "REAL": (float,), "TEXT": (str,), "BLOB": (bytes,)}


class Loose(TypeSystem):
    """SQLite's values and how they are compared, grouped and summed up."""

    ignored = frozenset({"UNIQUE", "NOT NULL", "CHECK"})
    is_comma_weak = False
    has_row_of_extreme = True
    unsaid = s.UNSAID
    # "Careful developers will not make any assumptions about whether or not foreign keys are enabled by default"
    checks_foreign_keys = None

    def __init__(
        self, meanings: Mapping[str, Meaning], aggregates: Mapping[str, Aggregate], facts: Mapping[str, str]
    ) -> None:
        super().__init__({**meanings, **loose.patterns(facts.get("like-blob", ""))}, aggregates)

    def read(self, node: ir.Lit) -> Term:
        return read(node)

    truth = staticmethod(s.truth)  # called for every row: one call less
    is_identical = staticmethod(s.is_identical)

    def attribute(self, column: ir.Column) -> Attribute:
        return Attribute(column.name, s.affinity_of(column.type), column.collate or "BINARY")

    def in_trigger(self, column: Attribute) -> Attribute:
        """Whether NEW.c has the affinity of c is not said, and it has none."""
        return column._replace(affinity="?") if column.affinity not in ("", "blob") else column

    def storing(self, column: ir.Column) -> Callable[[Any], Any]:
        return s.STORED.get(s.affinity_of(column.type), itself)

    def is_needed(self, table: ir.CreateTable, column: ir.Column) -> bool:
        """A primary key may be NULL, but for STRICT and WITHOUT ROWID tables."""
        return column.not_null or (is_key(table, column) and (table.strict or table.without_rowid))

    def numbered(self, table: ir.CreateTable) -> int | None:
        """An INTEGER PRIMARY KEY is the row's number, but for a descending one ("ROWIDs and the INTEGER PRIMARY KEY" in
        the page on CREATE TABLE)."""
        for place, column in enumerate(table.columns):
            if column.primary and column.type.upper() == "INTEGER" and not (table.without_rowid or column.desc):
                return place
        return None

    def check(self, table: ir.CreateTable, row: Row) -> None:
        number = self.numbered(table)
        if number is not None and row[number].__class__ is not int:
            raise Violated("type")
        for value, column in zip(row, table.columns, strict=True) if table.strict else ():
            if value is not None and value.__class__ not in STRICT.get(column.type.upper(), (value.__class__,)):
                raise Violated("type")

    def sort_rank(self, value: Any, term: Term) -> Any:
        """Numbers, then text by its collating sequence, then BLOBs."""
        return s.RANKS[value.__class__], s.group_key(value, fold(term))

    def has_nulls_first(self, is_descending: bool) -> bool:
        return not is_descending  # NULLs are smaller than any other value

    def key(self, value: Any, term: Term) -> Any:
        return s.group_key(value, fold(term)) if value.__class__ is str else value

    def check_operand(self, row: Aggregate, operand: Term) -> None:
        """Values are compared by a collating sequence, which must be known; texts that are joined by that of their
        order."""
        if not row.is_joined:
            fold(operand)

    def in_rows(self, left: Sequence[Term], right: Sequence[Term]) -> Callable[[Row, Row], Any]:
        """x IN (SELECT y): compared as x = y."""
        pairs = [pair(one, other, place) for place, (one, other) in enumerate(zip(left, right, strict=True))]

        def test(row: Row, other: Row) -> Any:
            result: Any = 1
            for each in pairs:
                found = each(row, other)
                if found == 0:
                    return 0
                result = None if found is None else result
            return result

        return test

    def joined(self, one: Term, other: Term) -> Term:
        """A column of a compound query: its collating sequence is that of the two as operands of =. Of which arm its
        affinity is, is not said."""
        affinity = one.affinity if one.affinity == other.affinity else "?"
        both = (one.collation, other.collation)
        collation = "?" if s.UNSAID in both and not {*both} <= {s.UNSAID, "", "BINARY"} else both[0] or both[1]
        return Term(one.of, affinity, collation, one.explicit or other.explicit)

    def merged(self, way: str, one: Term, other: Term) -> Term:
        """Whether such a column has an affinity and a collating sequence is not said where it may be of either side."""
        found = super().merged(way, one, other)
        return found if found is one else Term(found.of, "?", "?")


def fold(term: Term) -> Fold | None:
    collation = term.explicit or term.collation
    if collation not in FOLDS:
        raise Undetermined(f"the collating sequence {collation}")
    return FOLDS[collation]


def pair(one: Term, other: Term, place: int) -> Callable[[Row, Row], Any]:
    """Whether an operand and a column of a subquery's row are equal."""
    by = loose.fold_of((one, other))
    left, right = loose.matched(one, Term(lambda row: row[place], other.affinity))

    def test(row: Row, found: Row) -> Any:
        mine, theirs = left(row), right(found)
        return None if mine is None or theirs is None else 1 if order(mine, theirs, by) == 0 else 0

    return test


def read(node: ir.Lit) -> Term:
    """A literal's value."""
    kind, text = node.kind, node.text
    value: Any
    if kind == "null":
        value = None
    elif kind == "bool":
        value = 1 if text == "TRUE" else 0
    elif kind == "int":
        value = s.signed(node.number) if text[:2] in ("0x", "0X") else s.settled(node.number)
    elif kind == "real" and text.startswith("CAST("):
        return real(float(text[5:].split()[0]))
    elif kind == "real":
        value = float(text)
    elif kind == "text":
        value = text[1:-1].replace("''", "'")
    elif kind == "blob":
        value = bytes.fromhex(text[2:-1])
    else:
        raise Undetermined(f"a literal of kind {kind}")
    term = Term(lambda row: value)
    term.boolean = bool(value) if kind == "bool" else None
    return term


def real(value: float) -> Term:
    """CAST(1 AS DOUBLE)"""
    return Term(lambda row: value, "real")


def extreme(wanted: int) -> Summary:
    """MIN or MAX."""

    def summary(system: TypeSystem, node: ir.Agg, operand: Term) -> Callable[[list[Any]], Any]:
        by = fold(operand)

        def function(values: list[Any]) -> Any:
            found = None
            for value in values:
                placed = wanted if found is None else order(value, found, by)
                if placed == 0 and not s.is_identical(value, found):
                    raise Undetermined("which of two equal values is the extreme one")
                found = value if placed == wanted else found
            return found

        return function

    return summary


def total(values: list[Any]) -> Any:
    """SUM: an integer if all are. The order in which reals are added is the engine's."""
    if not values:
        return None
    numbers = [summand(v) for v in values]
    found = sum(numbers)
    if all(n.__class__ is int for n in numbers):
        if sum(abs(n) for n in numbers) > s.GREATEST:
            raise Undetermined("an error: integer overflow")
        return found
    if found != found or sum(map(abs, numbers)) > 1e15:
        raise Undetermined("a sum that loses digits")
    return float(found)


def summand(value: Any) -> int | float:
    """What SUM makes of a value: text that is no whole number counts as a real."""
    if value.__class__ is str:
        number, is_all = s.scanned(value)
        return number if is_all else float(number)
    return float(s.number_of(value)) if value.__class__ is bytes else s.number_of(value)


def joined(system: TypeSystem, node: ir.Agg, operand: Term) -> Callable[[list[Any]], Any]:
    """GROUP_CONCAT: the texts of its values, with something between them."""
    between = "," if node.between is None else s.text_of(system.literal(node.between).of(()))
    values = joined_in_order(system, node, operand)
    return lambda given: None if (found := values(given)) is None else between.join(map(s.text_of, found))


AGGREGATES: Mapping[str, Summary] = {
    "min": extreme(-1), "max": extreme(1), "sum": of_values(total),
    "avg": of_values(lambda values: float(total(values)) / len(values) if values else None),
    "total": of_values(lambda values: float(total(values) or 0)), "group_concat": joined, "string_agg": joined,
}  # fmt: skip

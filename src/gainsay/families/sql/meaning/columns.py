"""The type system of engines whose columns have types: DuckDB, PostgreSQL."""

from __future__ import annotations

import ast
import datetime
import re
import struct
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from gainsay.families.sql.language import ir
from gainsay.families.sql.meaning.storage import Undetermined
from gainsay.families.sql.meaning.system import UNKNOWN, Attribute, TypeSystem, itself, joined_in_order
from gainsay.families.sql.meaning.term import Meaning, Row, Summary, Term, of_values
from gainsay.families.sql.meaning.typed import by_facts, rank, ranked_text, ranks, to_decimal

if TYPE_CHECKING:
    from gainsay.families.sql.language.aggregates import Aggregate

# What a column of a type holds; columns of other types are not looked at
CLASSES: Mapping[str, type] = {
    **dict.fromkeys(("INTEGER", "BIGINT", "SMALLINT", "TINYINT", "HUGEINT", "small"), int),
    **dict.fromkeys(("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"), int),
    **dict.fromkeys(("DECIMAL(6, 2)", "DECIMAL(18, 3)", "NUMERIC(6, 2)", "NUMERIC"), Decimal),
    "DOUBLE": float, "DOUBLE PRECISION": float, "FLOAT": float, "BOOLEAN": bool,
    "VARCHAR": str, "VARCHAR(9)": str, "TEXT": str,
    "DATE": datetime.date, "TIMESTAMP": datetime.datetime, "INTEGER[]": list, "STRUCT(a INTEGER, b VARCHAR)": dict,
}  # fmt: skip
# Words in settings of DuckDB and PostgreSQL that change what a query means
CHANGING = (
    "null_order", "default_order", "default_collation", "integer_division", "scalar_subquery", "ieee_floating",
    "implicit_casting", "timezone", "time zone", "calendar", "search_path", "set schema", "datestyle",
    "extra_float_digits", "transform_null_equals", "array_nulls", "order_by_non_integer",
)  # fmt: skip
DIGITS = re.compile(r"\((\d+), (\d+)\)")
CAST = re.compile(r"CAST\((.*) AS [^()]+(?:\([\d, ]+\))?\)|(.*?)::[\w ]+(?:\([\w, ]+\))?(?:\[\])?")
# Operators that ask which of two texts comes first
BINARY = ("C", "POSIX")  # collations that compare as there were none
REAL_RESULTS = ("+", "-", "*", "/", "sqrt", "+ int real")  # operators whose result has the width of their operands
ORDERING = (
    "<", "<=", ">", ">=", "between", "not between", "greatest", "least", "row <", "row <=", "row >", "row >=",
)  # fmt: skip


class Typed(TypeSystem):
    """Values that have types, and what is the same for DuckDB and PostgreSQL."""

    is_row_by_row = False

    def __init__(
        self, meanings: Mapping[str, Meaning], aggregates: Mapping[str, Aggregate], facts: Mapping[str, str]
    ) -> None:
        self._nulls = facts.get("null-order")
        self._is_text_ordered = facts.get("text-order") == "by code point"
        told = {**meanings, **{n: meaning for n, meaning in by_facts(facts).items() if n in meanings}}
        told |= {n: self._of_width(told[n]) for n in REAL_RESULTS if n in told}
        self._has_singles = False  # whether a column holds reals of 32 bits
        changed = {} if self._is_text_ordered else {n: ranked_text(told[n]) for n in ORDERING if n in told}
        super().__init__({**told, **changed}, aggregates)

    def _of_width(self, meaning: Meaning) -> Meaning:
        """A meaning whose result is a real of its operands' width: where columns hold reals of 32 bits, only what fits
        into these is known."""

        def guarded(args: Sequence[Term]) -> Term:
            term = meaning(args)
            if not self._has_singles:
                return term
            of = term.of
            return Term(lambda row: single(of(row)), term.affinity, term.collation, term.explicit, term.type)

        return guarded

    def read(self, node: ir.Lit) -> Term:
        try:
            value = None if node.kind == "null" else written(node.kind, node.text)
        except (ValueError, SyntaxError, ArithmeticError):
            raise Undetermined(f"the literal {node.text}") from None
        return Term(lambda row: value)

    def check_setting(self, text: str) -> None:
        super().check_setting(text)
        if any(word in text.lower() for word in CHANGING):
            raise Undetermined("a setting that changes what queries mean")

    def truth(self, value: Any) -> bool | None:
        if value is None or value.__class__ is bool:
            return value
        raise Undetermined("a condition that is no boolean")

    def key(self, value: Any, term: Term) -> Any:
        if term.collation or term.explicit:
            raise Undetermined("a collation")
        return None if value is None else frozen(value)

    def sort_rank(self, value: Any, term: Term) -> Any:
        if term.collation or term.explicit or (value.__class__ is str and not self._is_text_ordered):
            raise Undetermined("which text comes first")
        return rank(value)

    def has_nulls_first(self, is_descending: bool) -> bool | None:
        return None if self._nulls is None else self._nulls == "first" or (self._nulls == "large" and is_descending)

    def is_identical(self, one: Any, other: Any) -> bool:
        return one.__class__ is other.__class__ and repr(one) == repr(other)

    def attribute(self, column: ir.Column) -> Attribute:
        self._has_singles |= column.type == "FLOAT"
        collation = "" if column.collate in BINARY else column.collate
        return Attribute(column.name, "", collation, column.type if column.type in CLASSES else UNKNOWN)

    def generated(self, attribute: Attribute, term: Term) -> Attribute:
        """Whether it has the collation of what it is computed of is not said."""
        return attribute._replace(collation=attribute.collation or term.explicit or term.collation)

    def storing(self, column: ir.Column) -> Callable[[Any], Any]:
        cls = CLASSES.get(column.type)
        if cls is None:
            return itself
        digits = DIGITS.search(column.type) if cls is Decimal else None
        scaled = to_decimal(int(digits[1]), int(digits[2])) if digits is not None else None

        def store(value: Any) -> Any:
            if value is not None and value.__class__ is not cls:
                if cls not in (float, Decimal) or value.__class__ not in (int, Decimal):
                    raise Undetermined("a value of another type")
                value = cls(value)
            if column.type == "FLOAT":
                single(value)
            if scaled is not None and value is not None and scaled(value) is None:
                raise Undetermined("an error: out of range")
            return value

        return store

    def in_rows(self, left: Sequence[Term], right: Sequence[Term]) -> Callable[[Row, Row], Any]:
        if len(left) > 1 or any(t.collation for t in (*left, *right)):
            raise Undetermined("an IN of rows or of collated text")
        of = left[0].of

        def test(row: Row, other: Row) -> Any:
            value = of(row)
            if value is None or other[0] is None:
                return None
            mine, theirs = ranks(value, other[0])
            return bool(mine == theirs)

        return test

    def joined(self, one: Term, other: Term) -> Term:
        return Term(one.of, "", one.collation or other.collation, "", one.type if one.type == other.type else "")

    def check_operand(self, row: Aggregate, operand: Term) -> None:
        if operand.collation or operand.explicit:
            raise Undetermined("an aggregate of collated text")


class TypedText(Typed):
    """PostgreSQL's: its protocol gives dates, times and lists as text."""

    def shown(self, value: Any) -> Any:
        if value.__class__ in (datetime.date, datetime.datetime):
            return str(value)
        if value.__class__ is list:
            raise Undetermined("a list as text")
        return value


def single(value: Any) -> Any:
    """A value that is the same as a real of 32 bits, if it is one."""
    if value.__class__ is float and (abs(value) > 1e30 or struct.unpack("f", struct.pack("f", value))[0] != value):
        raise Undetermined("a real that loses digits")
    return value


def total(values: list[Any]) -> Any:
    """SUM; the order in which reals are added is the engine's."""
    if not values:
        return None
    if any(v.__class__ is float and (v != v or abs(v) > 1e15) for v in values):
        raise Undetermined("a sum that loses digits")
    return sum(values[1:], values[0])


def average(values: list[Any]) -> Any:
    """AVG: a double."""
    if not values:
        return None
    if any(v.__class__ not in (int, float) or abs(v) > 2**53 for v in values):
        raise Undetermined("a mean that loses digits")
    return float(total(values)) / len(values)


def summed(value: Any, type: str) -> Any:
    """PostgreSQL's SUM: a bigint of integers, a numeric of bigints; of a value's own type otherwise."""
    if value.__class__ is not int or type in ("INTEGER", "SMALLINT", "small"):
        return value
    if type == "BIGINT":
        return Decimal(value)
    raise Undetermined("the type of a sum")


def digits_of(system: TypeSystem, node: ir.Agg, operand: Term) -> Callable[[list[Any]], Any]:
    """PostgreSQL's SUM, whose type is that of its operand or a wider one."""
    return lambda values: summed(total(values), operand.type)


def extreme(function: Callable[..., Any]) -> Summary:
    """MIN or MAX."""

    def summary(system: TypeSystem, node: ir.Agg, operand: Term) -> Callable[[list[Any]], Any]:
        def of(values: list[Any]) -> Any:
            found = function(values, key=lambda value: system.sort_rank(value, operand), default=None)
            if any(rank(v) == rank(found) and repr(v) != repr(found) for v in values):
                raise Undetermined("which of two equal values is the extreme one")
            return found

        return of

    return summary


def joined(system: TypeSystem, node: ir.Agg, operand: Term) -> Callable[[list[Any]], Any]:
    """STRING_AGG: its texts, with something between them."""
    if node.between is None or operand.type not in ("VARCHAR", "TEXT"):
        raise Undetermined("a text of what is none")
    between, values = str(system.literal(node.between).of(())), joined_in_order(system, node, operand)
    return lambda given: None if (found := values(given)) is None else between.join(found)


SHARED: Mapping[str, Summary] = {
    "min": extreme(min), "max": extreme(max), "group_concat": joined, "string_agg": joined,
}  # fmt: skip
DUCKDB: Mapping[str, Summary] = {**SHARED, "sum": of_values(total), "avg": of_values(average)}
# How many digits a mean has is not said
POSTGRESQL: Mapping[str, Summary] = {**SHARED, "sum": digits_of}


def frozen(value: Any) -> Any:
    """A value that can be a key."""
    if value.__class__ is list:
        return tuple(map(frozen, value))
    if value.__class__ is dict:
        return tuple((k, frozen(v)) for k, v in value.items())
    return ("nan",) if value != value else value


def written(kind: str, text: str) -> Any:
    """The value of a literal that is not NULL."""
    cast = CAST.fullmatch(text)
    plain = text if cast is None else (cast[1] or cast[2])
    if kind == "bool":
        return plain == "TRUE"
    if kind == "int":
        return int(plain)
    if kind == "dec":
        return Decimal(plain)
    if kind == "real":
        return float(plain.strip("'"))
    if kind == "text":
        return plain[1:-1].replace("''", "'")
    if kind == "date":
        return datetime.date.fromisoformat(plain.split("'")[1])
    if kind == "timestamp":
        return datetime.datetime.fromisoformat(plain.split("'")[1])
    if kind in ("list", "struct"):
        plain = "[]" if plain == "'{}'" else plain.removeprefix("ARRAY")
        return ast.literal_eval(re.sub(r"NULL(::\w+)?", "None", plain))
    raise Undetermined(f"a literal of kind {kind}")

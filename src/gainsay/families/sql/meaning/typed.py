"""What operators and functions mean where columns have types (DuckDB, PostgreSQL): one for each row of the table.

Operands have the classes that the row's signature says. Integers have no width here: where a result does not fit, an
engine refuses, and nothing is claimed of a refusal. Where manuals differ or are silent: `Undetermined`."""

from __future__ import annotations

import datetime
import hashlib
import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from gainsay.families.sql.meaning.patterns import like
from gainsay.families.sql.meaning.storage import Undetermined
from gainsay.families.sql.meaning.term import Meaning, Term

# --- comparison -------------------------------------------------------------------------------------------------------


def rank(value: Any) -> Any:
    """What values of one class are ordered by. NaN is the greatest number, and equal to itself."""
    if value.__class__ is float:
        return (1, 0.0) if value != value else (0, value)
    if value.__class__ in (list, dict):
        parts: list[Any] = list(value.values()) if isinstance(value, dict) else list(value)
        if any(part is None for part in parts):
            raise Undetermined("NULL in a list or struct that is compared")
        return [rank(part) for part in parts]
    return value


def ranks(one: Any, other: Any) -> tuple[Any, Any]:
    """What two values that are not NULL are compared by. Of an integer and a real, the integer is cast."""
    if one.__class__ is other.__class__:
        return rank(one), rank(other)
    classes = {one.__class__, other.__class__}
    if classes == {int, float}:
        if max(abs(v) for v in (one, other) if v.__class__ is int) > SINGLE:
            raise Undetermined("an integer that loses digits as a real")
        return rank(float(one)), rank(float(other))
    if classes == {int, Decimal}:
        return one, other
    raise Undetermined("values of several types")


SINGLE = 2**24  # integers up to here are reals of any width


def collated(args: Sequence[Term]) -> None:
    """How collations of several operands come together is not the same everywhere."""
    if any(a.collation or a.explicit for a in args):
        raise Undetermined("a collation")


def ranked_text(meaning: Meaning) -> Meaning:
    """A meaning that asks for an order, where it is not known which of two texts comes first."""

    def guarded(term: Term) -> Term:
        def of(row: Any) -> Any:
            value = term.of(row)
            if value.__class__ is str:
                raise Undetermined("which text comes first")
            return value

        return Term(of, term.affinity, term.collation, term.explicit, term.type)

    return lambda args: meaning([guarded(a) for a in args])


def collation_of(args: Sequence[Term]) -> str:
    """The collation that a result may have of its operands."""
    return next((a.explicit or a.collation for a in args if a.explicit or a.collation), "")


def comparison(test: Callable[[Any, Any], bool]) -> Meaning:
    """A comparison; NULL where a side is NULL."""

    def meaning(args: Sequence[Term]) -> Term:
        collated(args)
        left, right = args[0].of, args[1].of

        def of(row: Any) -> Any:
            one, other = left(row), right(row)
            return None if one is None or other is None else test(*ranks(one, other))

        return Term(of)

    return meaning


def distinct(is_same: bool) -> Meaning:
    """IS [NOT] DISTINCT FROM: NULL is a value like others."""

    def meaning(args: Sequence[Term]) -> Term:
        collated(args)
        left, right = args[0].of, args[1].of

        def of(row: Any) -> Any:
            one, other = left(row), right(row)
            if one is None or other is None:
                return (one is other) == is_same
            left_rank, right_rank = ranks(one, other)
            return (left_rank == right_rank) == is_same

        return Term(of)

    return meaning


TESTS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "<>": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
EQUAL = comparison(operator.eq)

# --- truth ------------------------------------------------------------------------------------------------------------


def both(args: Sequence[Term]) -> Term:
    """AND, of three values."""
    left, right = args[0].of, args[1].of

    def of(row: Any) -> Any:
        one = left(row)
        if one is False:
            return False
        other = right(row)
        return False if other is False else None if one is None or other is None else True

    return Term(of)


def either(args: Sequence[Term]) -> Term:
    """OR, of three values."""
    left, right = args[0].of, args[1].of

    def of(row: Any) -> Any:
        one = left(row)
        if one:
            return True
        other = right(row)
        return True if other else None if one is None or other is None else False

    return Term(of)


def negated(meaning: Meaning) -> Meaning:
    """The opposite of a meaning; NULL stays NULL."""

    def opposite(args: Sequence[Term]) -> Term:
        of = meaning(args).of

        def value(row: Any) -> Any:
            found = of(row)
            return None if found is None else not found

        return Term(value)

    return opposite


def truth_test(wanted: bool, is_so: bool) -> Meaning:
    return seen(lambda value: (condition(value) is wanted) == is_so)


def condition(value: Any) -> bool | None:
    """A value as a condition: an integer is cast."""
    if value is None or value.__class__ is bool:
        found: bool | None = value
        return found
    if value.__class__ is int:
        return bool(value)
    raise Undetermined("a condition that is no boolean")


# --- functions of values ----------------------------------------------------------------------------------------------


def seen(function: Callable[..., Any]) -> Meaning:
    """A function that sees NULLs."""

    def meaning(args: Sequence[Term]) -> Term:
        parts = [a.of for a in args]
        return Term(lambda row: function(*[of(row) for of in parts]), "", collation_of(args))

    return meaning


def strict(function: Callable[..., Any]) -> Meaning:
    """A function that is NULL where an operand is."""

    def meaning(args: Sequence[Term]) -> Term:
        parts = [a.of for a in args]

        def of(row: Any) -> Any:
            values = [part(row) for part in parts]
            return None if None in values else function(*values)

        return Term(of, "", collation_of(args))

    return meaning


def bits(function: Callable[..., int]) -> Meaning:
    """A strict function of the bits of whole numbers. A sum of them may be numeric, which has no bits."""

    def of_whole(*values: Any) -> int:
        if any(value.__class__ is not int for value in values):
            raise Undetermined("bits of what is no integer")
        return function(*values)

    return strict(of_whole)


def on_text(function: Callable[..., Any]) -> Meaning:
    """A strict function of text that knows no collation."""

    def meaning(args: Sequence[Term]) -> Term:
        collated(args)
        return strict(function)(args)

    return meaning


def itself(args: Sequence[Term]) -> Term:
    return args[0]


def coalesce(args: Sequence[Term]) -> Term:
    left, right = args[0].of, args[1].of

    def of(row: Any) -> Any:
        value = left(row)
        return right(row) if value is None else value

    return Term(of, "", collation_of(args))


def nullif(args: Sequence[Term]) -> Term:
    same, first = EQUAL(args).of, args[0].of
    return Term(lambda row: None if same(row) else first(row), "", collation_of(args))


def choice(args: Sequence[Term]) -> Term:
    """CASE WHEN, IF."""
    if len(args) > 3:
        return choice((*args[:2], choice(args[2:])))
    test, then, other = (a.of for a in args)
    return Term(lambda row: then(row) if test(row) else other(row), "", collation_of(args))


def choice_of(args: Sequence[Term]) -> Term:
    """CASE x WHEN y THEN ..."""
    if len(args) > 4:
        args = (*args[:3], choice_of((args[0], *args[3:])))
    same, then, other = EQUAL(args[:2]).of, args[2].of, args[3].of
    return Term(lambda row: then(row) if same(row) else other(row), "", collation_of(args))


def between(args: Sequence[Term]) -> Term:
    """x >= y AND x <= z."""
    return both((comparison(operator.ge)((args[0], args[1])), comparison(operator.le)((args[0], args[2]))))


def among(args: Sequence[Term]) -> Term:
    """x IN (a, b): x = a OR x = b."""
    found = EQUAL((args[0], args[1]))
    for other in args[2:]:
        found = either((found, EQUAL((args[0], other))))
    return found


def rows(test: Callable[[Any, Any], bool], nulls: str = "") -> Meaning:
    """A comparison of rows of two. `nulls`: what NULL in one means, as the fact `row-null` says it."""
    is_same = test in (operator.eq, operator.ne)

    def of(a: Any, b: Any, c: Any, d: Any) -> Any:
        for one, other in ((a, c), (b, d)) if None in (a, b, c, d) else ():
            if nulls != "NULL unless decided":
                raise Undetermined("NULL in a row that is compared")
            # The first pair that is NULL or differs decides; for = and <> any pair that differs
            if one is None or other is None:
                if is_same and None not in (b, d) and rank(b) != rank(d):
                    return test(0, 1)
                return None
            if rank(one) != rank(other):
                return test(rank(one), rank(other))
        return test((rank(a), rank(b)), (rank(c), rank(d)))

    def meaning(args: Sequence[Term]) -> Term:
        collated(args)
        return seen(of)(args)

    return meaning


def extreme(function: Callable[..., Any], nulls: str = "", has_decimals: bool = True) -> Meaning:
    """GREATEST and LEAST. `nulls`: what becomes of NULLs, as the fact `greatest-null` says it; `has_decimals`: whether
    they take decimals as they are."""

    def of(one: Any, other: Any) -> Any:
        if one is None or other is None:
            if nulls != "ignored":
                raise Undetermined("GREATEST of NULL")
            return other if one is None else one
        if not has_decimals and (isinstance(one, Decimal) or isinstance(other, Decimal)):
            raise Undetermined("what GREATEST makes of decimals")
        if rank(one) == rank(other) and repr(one) != repr(other):
            raise Undetermined("which of two equal values")
        return function(one, other, key=rank)

    def meaning(args: Sequence[Term]) -> Term:
        collated(args)
        return seen(of)(args)

    return meaning


TRUNCATED = "integers truncate, by zero is NULL"  # DuckDB's first releases


def by_facts(facts: Mapping[str, str]) -> dict[str, Meaning]:
    """The operators whose meaning is a matter of facts."""
    nulls = facts.get("row-null", "")
    of_nulls, has_decimals = facts.get("greatest-null", ""), facts.get("greatest-decimal", "decimal") == "decimal"
    extremes = {n: extreme(f, of_nulls, has_decimals) for n, f in (("greatest", max), ("least", min))}
    division = {"/": strict(of_reals)} if facts.get("division") == TRUNCATED else {}
    return {**{f"row {name}": rows(test, nulls) for name, test in TESTS.items()}, **extremes, **division}


# --- numbers ----------------------------------------------------------------------------------------------------------


def finite(value: Any) -> Any:
    """A real that is a number: engines differ on whether anything else is an error."""
    if value.__class__ is float and not math.isfinite(value):
        raise Undetermined("a real that is no number")
    return value


def arithmetic(function: Callable[[Any, Any], Any]) -> Meaning:
    return strict(lambda one, other: finite(function(one, other)))


def quotient(one: Any, other: Any) -> Any:
    """The division of reals."""
    if other == 0:
        raise Undetermined("a division by zero")
    return finite(float(one) / float(other))


def of_reals(one: Any, other: Any) -> Any:
    """Division where that of integers cuts off, and the type of the result is another than ours."""
    if isinstance(one, int) and isinstance(other, int):
        raise Undetermined("a division of integers that cuts off")
    return quotient(one, other)


def divide(one: Any, other: Any) -> Any:
    """PostgreSQL's: that of integers cuts off."""
    if other == 0:
        return None
    if one.__class__ is int:
        found = abs(one) // abs(other)
        return found if (one < 0) == (other < 0) else -found
    if one.__class__ is Decimal:
        raise Undetermined("how many digits a quotient has")
    return finite(one / other)


def remainder(one: int, other: int) -> Any:
    if other == 0:
        raise Undetermined("a remainder by zero")
    found = abs(one) % abs(other)
    return -found if one < 0 else found


def remainder_or_null(one: int, other: int) -> Any:
    return None if other == 0 else remainder(one, other)


def rounded(value: Any) -> Any:
    """To a whole number; which way from the middle is not the same everywhere."""
    finite(value)
    if abs(value) % 1 == Decimal("0.5") or abs(value) > 2**52:
        raise Undetermined("the middle between two numbers")
    return type(value)(round(value))


def to_integer(least: int, greatest: int, is_tried: bool) -> Callable[[Any], Any]:
    """CAST to an integer type; where it does not fit, NULL if it is a TRY_CAST, else an error."""

    def cast(value: Any) -> Any:
        if value.__class__ is str:
            value = number_in(value)
            if value is None:
                return None
        if value.__class__ in (float, Decimal):
            value = int(rounded(value))
        if value.__class__ is bool:
            return int(value)
        if value.__class__ is not int:
            raise Undetermined("a cast to an integer")
        if not least <= value <= greatest:
            if is_tried:
                return None
            raise Undetermined("an error: out of range")
        return value

    return cast


def number_in(text: str) -> Any:
    """The integer that a text is; None if it is none at all."""
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    if any(c.isdigit() for c in text) or text.strip() != text or text.lower() in ("inf", "nan", "infinity"):
        raise Undetermined("a text with digits in it")
    return None


def to_real(value: Any) -> Any:
    if value.__class__ is str:
        found = number_in(value)
        return None if found is None else float(found)
    if value.__class__ not in (int, float, Decimal):
        raise Undetermined("a cast to a real")
    return float(value)


def to_decimal(digits: int | None, scale: int) -> Callable[[Any], Any]:
    """CAST to a decimal of so many digits, `scale` of them behind the point; None: of any number."""

    def cast(value: Any) -> Any:
        if value.__class__ is str:
            value = number_in(value)
            if value is None:
                return None
        if value.__class__ is float:
            finite(value)
        if value.__class__ not in (int, float, Decimal):
            raise Undetermined("a cast to a decimal")
        if value.__class__ is float and float(f"{value:.3f}") != value:
            raise Undetermined("a real with many digits")
        exact = Decimal(repr(value)) if value.__class__ is float else Decimal(value)
        if digits is None:
            return exact
        if exact != exact.quantize(Decimal(1).scaleb(-scale)):
            raise Undetermined("digits that are lost")
        return exact if abs(exact) < Decimal(10) ** (digits - scale) else None

    return cast


def to_text(value: Any) -> Any:
    """CAST to text, where that has one form."""
    cls = value.__class__
    if cls in (str, int):
        return str(value)
    if cls is bool:
        return "true" if value else "false"
    if cls is datetime.date and value.year >= 1000:
        return value.isoformat()
    raise Undetermined(f"a {cls.__name__} as text")


def to_bool(value: Any) -> Any:
    if value.__class__ is str:
        known = {"true": True, "false": False, "": None, "a": None, "b": None, "%": None}
        if value.lower() not in known:
            raise Undetermined("a text as a boolean")
        return known[value.lower()]
    if value.__class__ in (int, bool):
        return bool(value)
    raise Undetermined("a cast to a boolean")


def is_no_date(text: str) -> bool:
    """Whether a text is surely no date: it has no digits and is no word for one."""
    return not any(c.isdigit() for c in text) and len(text.strip()) in (1, 2)


def to_date(value: Any) -> Any:
    if value.__class__ is datetime.datetime:
        return value.date()
    if value.__class__ is datetime.date:
        return value
    if value.__class__ is str and is_no_date(value):
        return None
    raise Undetermined("a cast to a date")


def to_timestamp(value: Any) -> Any:
    if value.__class__ is datetime.date:
        return datetime.datetime(value.year, value.month, value.day)
    if value.__class__ is datetime.datetime:
        return value
    if value.__class__ is str and is_no_date(value):
        return None
    raise Undetermined("a cast to a timestamp")


# --- text -------------------------------------------------------------------------------------------------------------


def ascii_only(text: str) -> str:
    if not text.isascii():
        raise Undetermined("letters beyond ASCII")
    return text


def substring(text: str, start: int, size: int | None = None) -> str:
    if start < 1 or (size is not None and size < 0):
        raise Undetermined("a place before the text")
    return text[start - 1 : None if size is None else start - 1 + size]


def position(text: str, part: str) -> int:
    if not part:
        raise Undetermined("where nothing is")
    return text.find(part) + 1


def replaced(text: str, old: str, new: str) -> str:
    if not old:
        raise Undetermined("nothing to look for")
    return text.replace(old, new)


def backwards(text: str) -> str:
    """REVERSE, of letters that are one code point each."""
    if any(letter > "\u02ff" for letter in text):
        raise Undetermined("letters of several code points")
    return text[::-1]


def left_part(text: str, size: int) -> str:
    if size < 0:
        raise Undetermined("all but the last")
    return text[:size]


def right_part(text: str, size: int) -> str:
    if size < 0:
        raise Undetermined("all but the first")
    return text[len(text) - size :] if size < len(text) else text


# --- dates ------------------------------------------------------------------------------------------------------------


def of_sunday(value: Any) -> int:
    """The day of the week, from Sunday = 0."""
    return int(value.isoweekday()) % 7


# --- lists and structs ------------------------------------------------------------------------------------------------


def item(values: list[Any], place: int) -> Any:
    if place < 1:
        raise Undetermined("a place before a list")
    return values[place - 1] if place <= len(values) else None


def holds(values: list[Any], wanted: Any) -> bool:
    if None in values:
        raise Undetermined("NULL in a list that is searched")
    return wanted in values


def holds_element(values: list[Any] | None, wanted: Any) -> bool | None:
    """PostgreSQL's `array @> ARRAY[wanted]`: whether an element equals it; nothing equals NULL."""
    return None if values is None else wanted is not None and wanted in values


def concatenated(one: Any, other: Any) -> Any:
    if one is None or other is None:
        raise Undetermined("a list and NULL")
    return one + other


def listed(*values: Any) -> list[Any]:
    return list(values)


IS_NULL = seen(lambda value: value is None)
NOT_NULL = seen(lambda value: value is not None)
LIKE = on_text(lambda text, pattern: bool(like(text, cleared(pattern), is_cased=True)))
ILIKE = on_text(lambda text, pattern: bool(like(ascii_only(text), ascii_only(cleared(pattern)))))


def cleared(pattern: str) -> str:
    if "\\" in pattern:
        raise Undetermined("an escape character")
    return pattern


TINY, INT, BIG = 2**7, 2**31, 2**63

COMMON: Mapping[str, Meaning] = {
    **{name: comparison(test) for name, test in TESTS.items()},
    "and": both, "or": either, "not": negated(itself),
    "is null": IS_NULL, "is not null": NOT_NULL,
    "is true": truth_test(True, True), "is not true": truth_test(True, False),
    "is false": truth_test(False, True), "is not false": truth_test(False, False),
    "truth": seen(lambda value: 1 if value else 0), "case truth": seen(lambda value: 1 if value else 0),
    "is not distinct": distinct(True), "is distinct": distinct(False),
    "between": between, "not between": negated(between),
    "in 1": among, "in 2": among, "not in 1": negated(among), "not in 2": negated(among),
    "like": LIKE, "not like": negated(LIKE), "ilike": ILIKE,
    **{f"case {n}": choice for n in range(2, 7)}, **{f"case of {n}": choice_of for n in range(2, 7)},
    **{f"in {n}": among for n in range(3, 10)}, **{f"not in {n}": negated(among) for n in range(3, 10)},
    "case": choice, "case bool": choice, "case of": choice_of, "coalesce": coalesce, "nullif": nullif,
    "+": arithmetic(operator.add), "-": arithmetic(operator.sub), "*": arithmetic(operator.mul),
    "neg": strict(lambda value: finite(-value + 0)), "abs": strict(lambda value: finite(abs(value))),
    "&": bits(operator.and_), "|": bits(operator.or_), "xor": bits(operator.xor),
    "sign": strict(lambda value: (value > 0) - (value < 0)),
    "floor": strict(lambda value: float(math.floor(finite(value)))),
    "ceil": strict(lambda value: float(math.ceil(finite(value))) + 0.0), "round": strict(rounded),
    "||": on_text(operator.add), "length": on_text(len), "reverse": on_text(backwards),
    "lower": on_text(lambda text: ascii_only(text).lower()), "upper": on_text(lambda text: ascii_only(text).upper()),
    "trim": on_text(lambda text: text.strip(" ")),
    "substr": on_text(substring), "instr": on_text(position), "replace": on_text(replaced),
    "left": on_text(left_part), "right": on_text(right_part),
    "starts with": on_text(str.startswith), "md5": on_text(lambda text: hashlib.md5(text.encode()).hexdigest()),
    "greatest": extreme(max), "least": extreme(min),
    "row =": rows(operator.eq), "row <>": rows(operator.ne), "row <": rows(operator.lt), "row >": rows(operator.gt),
    "row <=": rows(operator.le), "row >=": rows(operator.ge),
    "year": strict(lambda value: value.year), "month": strict(lambda value: value.month),
    "dayofweek": strict(of_sunday),
    "date trunc": strict(lambda value: value.replace(minute=0, second=0, microsecond=0)),
    "list of": seen(listed), "list len": strict(len), "list get": strict(item), "list contains": strict(holds),
    "list concat": seen(concatenated),
    "cast text": strict(to_text), "cast real": strict(to_real),
}  # fmt: skip

DUCKDB: Mapping[str, Meaning] = {
    **COMMON,
    "ltrim": on_text(lambda text: text.lstrip(" ")), "rtrim": on_text(lambda text: text.rstrip(" ")),
    "/": strict(quotient), "%": strict(remainder), "ifnull": coalesce, "if": choice,
    "cast int": strict(to_integer(-INT, INT - 1, True)), "cast bigint": strict(to_integer(-BIG, BIG - 1, True)),
    "cast tinyint": strict(to_integer(-TINY, TINY - 1, True)), "cast dec": strict(to_decimal(6, 2)),
    "cast bool": strict(to_bool), "cast date": strict(to_date), "cast timestamp": strict(to_timestamp),
    "regexp": on_text(lambda text: text.startswith("a")),
    "ends with": on_text(str.endswith), "contains": on_text(lambda text, part: part in text),
    "isnan": strict(lambda value: value != value), "strlen": on_text(lambda text: len(text.encode())),
    "hex": on_text(lambda text: text.encode().hex().upper()),
    "date diff": strict(lambda one, other: (other - one).days),
    "struct of": seen(lambda a, b: {"a": a, "b": b}),
    "struct a": strict(lambda value: value["a"]), "struct b": strict(lambda value: value["b"]),
}  # fmt: skip

POSTGRESQL: Mapping[str, Meaning] = {
    **COMMON,
    "/": strict(divide), "%": strict(remainder_or_null),
    "cast int": strict(to_integer(-INT, INT - 1, False)), "cast bigint": strict(to_integer(-BIG, BIG - 1, False)),
    "cast dec": strict(to_decimal(None, 0)),
    "bool int": strict(int), "int bool": strict(bool),
    "date timestamp": strict(to_timestamp), "timestamp date": strict(to_date),
    "list contains": seen(holds_element),
    "sign": strict(lambda value: float((finite(value) > 0) - (value < 0))),
    "~ regexp": on_text(lambda text: text.startswith("a")), "^@": on_text(str.startswith),
    "date diff": strict(lambda one, other: (one - other).days),
    "date plus": strict(lambda one, days: moved(one, days)),
}  # fmt: skip


def moved(day: datetime.date, days: int) -> datetime.date:
    if abs(days) > 100_000:
        raise Undetermined("a date far off")
    return day + datetime.timedelta(days)

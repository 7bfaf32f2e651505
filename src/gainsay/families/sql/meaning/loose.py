"""What SQLite's operators and functions mean, one for each row of its table.

A meaning takes compiled operands and gives a compiled expression. By the pages "SQL Language Expressions", "Datatypes
In SQLite" and "Built-In Scalar SQL Functions"."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gainsay.families.sql.meaning import storage as s
from gainsay.families.sql.meaning.loose_values import (
    absolute,
    code_point,
    divide,
    in_hex,
    length,
    negative,
    position,
    quoted,
    remainder,
    replaced,
    rounded,
    shift_left,
    shift_right,
    sign,
    substring,
    type_name,
)
from gainsay.families.sql.meaning.patterns import glob, like
from gainsay.families.sql.meaning.storage import FOLDS, NUMBERS, UNSAID, Fold, Undetermined, order
from gainsay.families.sql.meaning.term import Meaning, Term, Value

# --- what operands say of a comparison --------------------------------------------------------------------------------


def explicit_of(args: Sequence[Term]) -> str:
    """The leftmost COLLATE in any of the operands."""
    for arg in args:
        if arg.explicit:
            return arg.explicit
    return ""


def collation_of(args: Sequence[Term]) -> str:
    """The collating sequence of a comparison: a COLLATE anywhere in it, then the left column's, then the right's."""
    found = explicit_of(args)
    if found:
        return found
    is_open = False
    for arg in args:
        if arg.collation == UNSAID:
            is_open = True
        elif arg.collation:
            if is_open and arg.collation != "BINARY":
                raise Undetermined("whether a view's column comes first with its collating sequence")
            return arg.collation
    return ""


def fold_of(args: Sequence[Term]) -> Fold | None:
    collation = collation_of(args)
    if collation not in FOLDS:
        raise Undetermined(f"the collating sequence {collation}")
    return FOLDS[collation]


def with_number(of: Value) -> Value:
    return lambda row: s.as_number(of(row))


def with_text(of: Value) -> Value:
    return lambda row: s.as_text(of(row))


def matched(one: Term, other: Term) -> tuple[Value, Value]:
    """Two operands of a comparison after affinity was applied to them."""
    left, right = one.of, other.of
    if "?" in (one.affinity, other.affinity):
        raise Undetermined("the affinity of a compound query's column")
    if one.affinity in NUMBERS and other.affinity not in NUMBERS:
        return left, with_number(right)
    if other.affinity in NUMBERS and one.affinity not in NUMBERS:
        return with_number(left), right
    if one.affinity == "text" and not other.affinity:
        return left, with_text(right)
    if other.affinity == "text" and not one.affinity:
        return with_text(left), right
    return left, right


def comparison(test: Callable[[Any, Any], bool]) -> Meaning:
    """A comparison; NULL where a side is NULL."""

    def meaning(args: Sequence[Term]) -> Term:
        (left, right), fold = matched(args[0], args[1]), fold_of(args)

        def of(row: Any) -> Any:
            one, other = left(row), right(row)
            if one is None or other is None:
                return None
            if one.__class__ is not other.__class__ or fold is not None:
                one, other = order(one, other, fold), 0
            return 1 if test(one, other) else 0

        return Term(of, explicit=explicit_of(args))

    return meaning


def distinct(is_same: bool) -> Meaning:
    """IS and IS NOT: NULL is a value like others. The words TRUE and FALSE on the right ask for truth."""

    def meaning(args: Sequence[Term]) -> Term:
        if args[1].is_folded:
            raise Undetermined("whether a constant condition counts as the word FALSE")
        if args[1].boolean is not None:
            return truth_test(args[1].boolean, is_same)(args[:1])
        (left, right), fold = matched(args[0], args[1]), fold_of(args)

        def of(row: Any) -> Any:
            one, other = left(row), right(row)
            if one is None or other is None:
                return 1 if (one is other) == is_same else 0
            return 1 if (order(one, other, fold) == 0) == is_same else 0

        return Term(of, explicit=explicit_of(args))

    return meaning


TESTS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "<>": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
EQUAL = comparison(TESTS["="])
GREATER_OR_EQUAL, LESS_OR_EQUAL = comparison(TESTS[">="]), comparison(TESTS["<="])

# --- truth ------------------------------------------------------------------------------------------------------------


def both(args: Sequence[Term]) -> Term:
    """AND, of three values."""
    left, right = args[0].of, args[1].of

    def of(row: Any) -> Any:
        one = left(row)
        one = one if one.__class__ is int else s.truth(one)
        if one == 0:
            return 0
        other = right(row)
        other = other if other.__class__ is int else s.truth(other)
        return 0 if other == 0 else None if one is None or other is None else 1

    return Term(of, explicit=explicit_of(args))


def either(args: Sequence[Term]) -> Term:
    """OR, of three values."""
    left, right = args[0].of, args[1].of

    def of(row: Any) -> Any:
        one = left(row)
        one = one if one.__class__ is int else s.truth(one)
        if one:
            return 1
        other = right(row)
        other = other if other.__class__ is int else s.truth(other)
        return 1 if other else None if one is None or other is None else 0

    return Term(of, explicit=explicit_of(args))


def negated(meaning: Meaning) -> Meaning:
    """The opposite of a meaning; NULL stays NULL."""

    def opposite(args: Sequence[Term]) -> Term:
        inner = meaning(args)
        of = inner.of

        def value(row: Any) -> Any:
            found = s.truth(of(row))
            return None if found is None else 0 if found else 1

        return Term(value, explicit=inner.explicit)

    return opposite


def itself(args: Sequence[Term]) -> Term:
    return args[0]


def truth_test(wanted: bool, is_so: bool) -> Meaning:
    """IS TRUE, IS NOT FALSE and the like: never NULL."""

    def test(value: Any) -> int:
        return 1 if (s.truth(value) is wanted) == is_so else 0

    return seen(test)


# --- functions of values ----------------------------------------------------------------------------------------------


def seen(function: Callable[..., Any]) -> Meaning:
    """A function that sees NULLs."""

    def meaning(args: Sequence[Term]) -> Term:
        if len(args) == 1:
            only = args[0].of
            return Term(lambda row: function(only(row)), explicit=args[0].explicit)
        parts = [a.of for a in args]
        return Term(lambda row: function(*[of(row) for of in parts]), explicit=explicit_of(args))

    return meaning


def strict(function: Callable[..., Any]) -> Meaning:
    """A function that is NULL where an operand is."""

    def meaning(args: Sequence[Term]) -> Term:
        if len(args) == 1:
            only = args[0].of

            def of_one(row: Any) -> Any:
                value = only(row)
                return None if value is None else function(value)

            return Term(of_one, explicit=args[0].explicit)
        parts = [a.of for a in args]

        def of(row: Any) -> Any:
            values = [part(row) for part in parts]
            return None if None in values else function(*values)

        return Term(of, explicit=explicit_of(args))

    return meaning


def arithmetic(function: Callable[[Any, Any], Any]) -> Meaning:
    """Arithmetic of two numbers. With a text that is none, releases differ on whether digits are lost."""

    def of(one: Any, other: Any) -> Any:
        left, right = s.number_of(one), s.number_of(other)
        if (one.__class__ is str or other.__class__ is str) and max(abs(left), abs(right)) > s.WHOLE:
            raise Undetermined("a text and a large number")
        return s.settled(function(left, right))

    return strict(of)


def on_integers(function: Callable[[int, int], Any]) -> Meaning:
    return strict(lambda one, other: function(s.integer_of(one), s.integer_of(other)))


def extreme(wanted: int) -> Meaning:
    """MIN and MAX of two values, by the first collating sequence among them."""

    def meaning(args: Sequence[Term]) -> Term:
        parts, fold = [a.of for a in args], fold_of_any(args)

        def of(row: Any) -> Any:
            one, other = parts[0](row), parts[1](row)
            if one is None or other is None:
                return None
            found = order(one, other, fold)
            if found == 0 and not s.is_identical(one, other):
                raise Undetermined("which of two equal values")
            return one if found in (0, wanted) else other

        return Term(of, explicit=explicit_of(args))

    return meaning


def fold_of_any(args: Sequence[Term]) -> Fold | None:
    """The first collating sequence that an argument of a function defines. Whether a COLLATE further in counts before
    a column is not said."""
    named = [a.explicit or a.collation for a in args]
    if UNSAID in named and not {*named} <= {UNSAID, "", "BINARY"}:
        raise Undetermined("whether a view's column comes first with its collating sequence")
    listed = [n for n in named if n]
    if len({*listed}) > 1 and any(a.explicit for a in args):
        raise Undetermined("which collating sequence a function takes")
    if listed and listed[0] not in FOLDS:
        raise Undetermined(f"the collating sequence {listed[0]}")
    return FOLDS[listed[0]] if listed else None


def nullif(args: Sequence[Term]) -> Term:
    left, right, fold = args[0].of, args[1].of, fold_of_any(args)

    def of(row: Any) -> Any:
        one, other = left(row), right(row)
        is_same = one is not None and other is not None and order(one, other, fold) == 0
        return None if is_same else one

    return Term(of, explicit=explicit_of(args))


def coalesce(args: Sequence[Term]) -> Term:
    left, right = args[0].of, args[1].of

    def of(row: Any) -> Any:
        value = left(row)
        return right(row) if value is None else value

    return Term(of, explicit=explicit_of(args))


def choice(args: Sequence[Term]) -> Term:
    """CASE WHEN, IIF."""
    if len(args) > 3:
        return choice((*args[:2], choice(args[2:])))
    test, then, other = (a.of for a in args)
    return Term(lambda row: then(row) if s.truth(test(row)) else other(row), explicit=explicit_of(args))


def choice_of(args: Sequence[Term]) -> Term:
    """CASE x WHEN y THEN ..."""
    if len(args) > 4:
        args = (*args[:3], choice_of((args[0], *args[3:])))
    same, then, other = EQUAL(args[:2]).of, args[2].of, args[3].of
    return Term(lambda row: then(row) if same(row) else other(row), explicit=explicit_of(args))


# --- IN, BETWEEN, rows ------------------------------------------------------------------------------------------------


def between(args: Sequence[Term]) -> Term:
    """x >= y AND x <= z."""
    return both((GREATER_OR_EQUAL((args[0], args[1])), LESS_OR_EQUAL((args[0], args[2]))))


def among(args: Sequence[Term]) -> Term:
    """x IN (a, b): what is listed has no affinity, and the collating sequence is that of x."""
    first, *others = args
    listed = [Term(a.of) for a in others]
    pairs, fold = [matched(first, a) for a in listed], fold_of(args[:1])
    if any(a.explicit for a in others):
        raise Undetermined("a COLLATE in what is listed")

    def of(row: Any) -> Any:
        is_open = False
        for left, right in pairs:
            one, other = left(row), right(row)
            if one is None or other is None:
                is_open = True
            elif order(one, other, fold) == 0:
                return 1
        return None if is_open else 0

    return Term(of, explicit=explicit_of(args))


def among_none(args: Sequence[Term]) -> Term:
    """x IN (): false, whatever x is."""
    found = Term(lambda row: 0, explicit=args[0].explicit)
    found.is_folded = True
    return found


def rows_same(args: Sequence[Term]) -> Term:
    """(a, b) = (c, d)"""
    half = len(args) // 2
    last = EQUAL(args[1::half]) if half == 2 else rows_same((*args[1:half], *args[half + 1 :]))
    return both((EQUAL((args[0], args[half])), last))


def rows_ordered(name: str) -> Meaning:
    """(a, b) < (c, d): the first pair that differs decides."""
    first, last = comparison(TESTS[name[0]]), comparison(TESTS[name])

    def meaning(args: Sequence[Term]) -> Term:
        half = len(args) // 2
        same, before = EQUAL((args[0], args[half])).of, first((args[0], args[half])).of
        then = last(args[1::half]).of if half == 2 else meaning((*args[1:half], *args[half + 1 :])).of

        def of(row: Any) -> Any:
            equal = same(row)
            return None if equal is None else then(row) if equal else before(row)

        return Term(of, explicit=explicit_of(args))

    return meaning


def rows_between(args: Sequence[Term]) -> Term:
    """(a, b) BETWEEN (c, d) AND (e, f)"""
    return both((rows_ordered(">=")(args[:4]), rows_ordered("<=")((*args[:2], *args[4:]))))


# --- what changes affinity or collation -------------------------------------------------------------------------------


def collated(name: str) -> Meaning:
    def meaning(args: Sequence[Term]) -> Term:
        found = Term(args[0].of, args[0].affinity, "", name)
        found.is_folded = args[0].is_folded or args[0].boolean is not None
        return found

    return meaning


def cast(function: Callable[[Any], Any], affinity: str) -> Meaning:
    def meaning(args: Sequence[Term]) -> Term:
        return Term(strict(function)(args).of, affinity, args[0].collation, args[0].explicit)

    return meaning


def plus(args: Sequence[Term]) -> Term:
    """+x: no affinity, and still a column for its collating sequence."""
    return Term(args[0].of, "", args[0].collation, args[0].explicit)


def likely(args: Sequence[Term]) -> Term:
    """A hint: a function, so without affinity."""
    found = Term(args[0].of, "", "?" if args[0].collation else "", args[0].explicit)
    found.is_folded = args[0].is_folded or args[0].boolean is not None
    return found


# --- patterns ---------------------------------------------------------------------------------------------------------


def pattern(function: Callable[[str, str], int], blobs: str) -> Meaning:
    """LIKE and GLOB. What a BLOB is like depends on how SQLite was built (the fact `like-blob`)."""

    def of(text: Any, wanted: Any) -> int | None:
        if text.__class__ is bytes or wanted.__class__ is bytes:
            if blobs == "never":
                return 0
            if blobs != "as text":
                raise Undetermined("a pattern and a BLOB")
        return None if text is None or wanted is None else function(s.text_of(text), s.text_of(wanted))

    return seen(of)


def turned(meaning: Meaning) -> Meaning:
    """LIKE(y, x) is x LIKE y."""
    return lambda args: meaning((args[1], args[0]))


def to_constant(meaning: Meaning, wanted: str) -> Meaning:
    """A comparison with a pattern that stands in the operator itself."""
    return lambda args: meaning((args[0], Term(lambda row: wanted)))


def patterns(blobs: str) -> dict[str, Meaning]:
    """The operators that compare with a pattern."""
    found = pattern(like, blobs)
    escaped = pattern(lambda text, wanted: like(text, wanted, "a"), blobs)
    return {
        "like": found,
        "ilike": found,
        "not like": negated(found),
        "like escape": escaped,
        "glob": pattern(glob, blobs),
        "like call": turned(found),
        "glob call": turned(pattern(glob, blobs)),
        "like prefix": to_constant(found, "a%"),
        "glob prefix": to_constant(pattern(glob, blobs), "a*"),
    }


# --- the table --------------------------------------------------------------------------------------------------------

IS_NULL = seen(lambda value: 1 if value is None else 0)
NOT_NULL = seen(lambda value: 0 if value is None else 1)

MEANINGS: dict[str, Meaning] = {
    **{name: comparison(test) for name, test in TESTS.items()},
    "and": both, "or": either, "not": negated(itself),
    "is null": IS_NULL, "isnull": IS_NULL, "is not null": NOT_NULL, "notnull": NOT_NULL,
    "is true": truth_test(True, True), "is not true": truth_test(True, False),
    "is false": truth_test(False, True), "is not false": truth_test(False, False),
    "truth": truth_test(True, True),
    "case truth": seen(lambda value: 1 if s.truth(value) else 0),
    "is": distinct(True), "is not distinct": distinct(True), "is not": distinct(False), "is distinct": distinct(False),
    "between": between, "not between": negated(between),
    "in 0": among_none, "in 1": among, "in 2": among, "not in 1": negated(among), "not in 2": negated(among),
    **patterns(""),
    "case": choice, "case bool": choice, "iif": choice, "case of": choice_of,
    **{f"case {n}": choice for n in range(2, 7)}, **{f"case of {n}": choice_of for n in range(2, 7)},
    **{f"in {n}": among for n in range(3, 10)}, **{f"not in {n}": negated(among) for n in range(3, 10)},
    "coalesce": coalesce, "ifnull": coalesce, "nullif": nullif,
    "+": arithmetic(lambda a, b: a + b), "-": arithmetic(lambda a, b: a - b), "*": arithmetic(lambda a, b: a * b),
    "neg": strict(negative), "+x": plus,
    "/": strict(lambda a, b: divide(s.number_of(a), s.number_of(b))), "%": strict(remainder),
    "&": on_integers(lambda a, b: a & b), "|": on_integers(lambda a, b: a | b),
    "~": strict(lambda value: ~s.integer_of(value)),
    "<<": on_integers(shift_left), ">>": on_integers(shift_right),
    "||": strict(lambda a, b: s.text_of(a) + s.text_of(b)),
    "abs": strict(absolute), "round": strict(rounded), "sign": strict(sign),
    "lower": strict(lambda value: s.nocase(s.text_of(value))),
    "upper": strict(lambda value: upper(s.text_of(value))),
    "length": strict(length), "unicode": strict(code_point),
    "trim": strict(lambda value: s.text_of(value).strip(" ")),
    "ltrim": strict(lambda value: s.text_of(value).lstrip(" ")),
    "rtrim": strict(lambda value: s.text_of(value).rstrip(" ")),
    "substr": strict(substring), "instr": strict(position), "replace": seen(replaced),
    "hex": seen(in_hex), "quote": seen(quoted), "typeof": seen(type_name), "zeroblob": seen(lambda: b"\0"),
    "min": extreme(-1), "max": extreme(1),
    "row =": rows_same, "row <>": negated(rows_same),
    **{f"row {name}": rows_ordered(name) for name in ("<", ">", "<=", ">=")},
    "row between": rows_between, "row = of 3": rows_same, "row < of 3": rows_ordered("<"),
    "collate binary": collated("BINARY"), "collate nocase": collated("NOCASE"), "collate rtrim": collated("RTRIM"),
    "cast int": cast(s.integer_of, "integer"), "cast text": cast(s.text_of, "text"),
    "cast real": cast(s.cast_real, "real"), "cast numeric": cast(s.cast_numeric, "numeric"),
    "cast blob": cast(s.cast_blob, "blob"),
    "likely": likely, "unlikely": likely, "likelihood": likely,
}  # fmt: skip


def upper(text: str) -> str:
    return text.upper() if text.isascii() else "".join(c.upper() if c.isascii() else c for c in text)

"""What more of SQLite's functions mean: text of several parts, code points, rounding to digits, JSON of plain values,
and whole numbers beside reals (the pages "Built-In Scalar SQL Functions", "Built-In Mathematical SQL Functions" and
"JSON Functions And Operators")."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from gainsay.families.sql.meaning import storage as s
from gainsay.families.sql.meaning.loose import coalesce, extreme, seen, strict
from gainsay.families.sql.meaning.loose_values import substring
from gainsay.families.sql.meaning.storage import Undetermined
from gainsay.families.sql.meaning.term import Meaning, Term

LAST = 0xD7FF  # the last code point before the surrogates


def repeated(of_two: Meaning) -> Meaning:
    """A function of several operands that is one of two, again and again."""
    return lambda args: functools.reduce(lambda one, other: of_two([one, other]), args)


def text(value: Any) -> str:
    """The text of a value that is no BLOB."""
    if value.__class__ is bytes:
        raise Undetermined("the text of a BLOB")
    return s.text_of(value)


def or_nothing(value: Any) -> str:
    return "" if value is None else text(value)


def joined(between: Any, *values: Any) -> Any:
    """CONCAT_WS: what is NULL is left out."""
    return None if between is None else text(between).join(text(v) for v in values if v is not None)


def of_points(*values: Any) -> str:
    """CHAR"""
    numbers = [0 if v is None else s.integer_of(v) for v in values]
    if not all(0 < n <= LAST for n in numbers):
        raise Undetermined("a code point that is none")
    return "".join(map(chr, numbers))


def stripped(take: Callable[[str, str], str]) -> Meaning:
    """TRIM of the characters that are given; of none, nothing is taken away."""
    return strict(lambda value, letters: take(text(value), text(letters)) if text(letters) else text(value))


def rounded(value: Any, digits: Any) -> float:
    """ROUND to digits, where nothing is lost by it."""
    number, places = float(s.number_of(value)), min(max(s.integer_of(digits), 0), 15)
    if math.isinf(number) or abs(number) > 1e15 or Decimal(number) != round(Decimal(number), places):
        raise Undetermined("digits that are lost")
    return number + 0.0


def rest(value: Any, start: Any) -> Any:
    """SUBSTR from a place to the end."""
    return substring(value, start, 2**31)


def numeric(value: Any) -> int | float | None:
    """What the mathematical functions take for a number; None where it is none."""
    if value.__class__ is bytes:
        return None
    if value.__class__ is str:
        number, is_all = s.scanned(value)
        if not is_all:
            raise Undetermined("a number in a text with more around it")
        return number
    found: int | float = s.number_of(value)
    return found


def whole(function: Callable[[float], int]) -> Meaning:
    """FLOOR, CEIL and TRUNC: of an integer, itself."""

    def of(value: Any) -> Any:
        number = numeric(value)
        if number is None or number.__class__ is int:
            return number
        if math.isinf(number):
            raise Undetermined("a whole number that is infinite")
        found = function(number)
        if found == 0 and number <= 0:
            raise Undetermined("the sign of a zero")
        return float(found)

    return strict(of)


def encoded(value: Any) -> str:
    """A value as JSON."""
    if value.__class__ in (float, bytes):
        raise Undetermined("a real or a BLOB as JSON")
    if value.__class__ is str and not all(32 <= ord(c) < 127 for c in value):
        raise Undetermined("how a letter is written in JSON")
    if value.__class__ is str and is_json(value):
        raise Undetermined("whether a text that is JSON is taken as JSON")  # what a JSON function gave is
    return json.dumps(value)


def array(*values: Any) -> str:
    return "[" + ",".join(map(encoded, values)) + "]"


def as_text(value: Any) -> str | None:
    """x || '': text, which is not taken as JSON."""
    return None if value is None else s.text_of(value)


def written(value: Any) -> str:
    """A text that is no JSON itself, as JSON."""
    said = as_text(value)
    if said is not None and not all(32 <= ord(c) < 127 for c in said):
        raise Undetermined("how a letter is written in JSON")
    return json.dumps(said)


def array_of_text(*values: Any) -> str:
    return "[" + ",".join(map(written, values)) + "]"


def second(one: Any, other: Any) -> str | None:
    """What an array of two has in its second place."""
    array_of_text(one, other)
    return as_text(other)


def patched(one: Any, other: Any) -> str:
    """JSON_PATCH of {"a": x} with {"b": y}: what is NULL in the patch is taken away."""
    return f'{{"a":{written(one)}' + ("}" if other is None else f',"b":{written(other)}}}')


def length_of(*values: Any) -> int:
    array_of_text(*values)
    return len(values)


def is_json(value: Any) -> int:
    """JSON_VALID of short texts: of what is surely JSON or surely none. Of NULL it was 0 in older releases."""
    if value is None:
        raise Undetermined("NULL as JSON")
    if value.__class__ is bytes:
        raise Undetermined("a BLOB as JSON")
    said = s.text_of(value)
    if value.__class__ is float and not math.isfinite(value):
        raise Undetermined("an infinity as JSON")
    try:
        json.loads(said, parse_constant=none)
    except ValueError:
        return 0
    return 1


def none(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")


def numbers_only(args: Sequence[Term]) -> Term:
    """SQRT: NULL of what is no number, and of a negative one."""

    def of(value: Any) -> Any:
        number = numeric(value)
        return None if number is None or number < 0 else math.sqrt(number)

    return strict(of)(args)


def alike(meaning: Meaning) -> Meaning:
    """A function of several operands that have one collating sequence: of others the first one would count for all."""

    def guarded(args: Sequence[Term]) -> Term:
        if len({arg.explicit or arg.collation or "BINARY" for arg in args}) > 1:
            raise Undetermined("which collating sequence a function takes")
        return meaning(args)

    return guarded


MEANINGS: Mapping[str, Meaning] = {
    "printf": seen(or_nothing),
    "concat": seen(lambda *values: "".join(map(or_nothing, values))),
    "concat ws": seen(joined),
    "char": seen(of_points),
    "min 3": alike(repeated(extreme(-1))), "max 3": alike(repeated(extreme(1))), "coalesce 3": repeated(coalesce),
    "trim 2": stripped(str.strip), "ltrim 2": stripped(str.lstrip), "rtrim 2": stripped(str.rstrip),
    "round 2": strict(rounded), "substr 2": strict(rest),
    "octet length": strict(lambda v: len(v) if v.__class__ is bytes else len(s.text_of(v).encode())),
    "floor": whole(math.floor), "ceil": whole(math.ceil), "trunc": whole(math.trunc), "sqrt": numbers_only,
    "json array": seen(array), "json quote": seen(encoded), "json valid": seen(is_json),
    "json": seen(array_of_text), "json length": seen(length_of), "json second": seen(second),
    "json kind": seen(lambda value: "null" if as_text(value) is None else "text"),
    "json object": seen(lambda value: f'{{"a":{written(value)}}}'), "json patch": seen(patched),
    "json remove": seen(lambda one, other: array_of_text(other)),
    "json replace": seen(lambda one, other: array_of_text(other)),
    "json insert": seen(array_of_text), "json set": seen(array_of_text),
}  # fmt: skip

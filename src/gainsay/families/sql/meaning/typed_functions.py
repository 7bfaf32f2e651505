"""What more of DuckDB's functions mean: text, bits and parts of dates (the pages "Text Functions", "Numeric Functions"
and "Date Functions" of its manual)."""

from __future__ import annotations

import calendar
import datetime
import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from gainsay.families.sql.meaning.patterns import like
from gainsay.families.sql.meaning.storage import Undetermined
from gainsay.families.sql.meaning.term import Meaning, Term
from gainsay.families.sql.meaning.typed import SINGLE, negated, on_text, strict
from gainsay.families.sql.meaning.typed_values import finite, remainder, substring


def concat(args: Any) -> Term:
    """CONCAT: what is NULL is left out."""
    parts = [a.of for a in args]
    if any(a.collation or a.explicit for a in args):
        raise Undetermined("a collation")
    return Term(lambda row: "".join(v for v in (of(row) for of in parts) if v is not None))


def concat_ws(args: Any) -> Term:
    """CONCAT_WS(',', ...): what is NULL is left out."""
    parts = [a.of for a in args]
    if any(a.collation or a.explicit for a in args):
        raise Undetermined("a collation")
    return Term(lambda row: ",".join(v for v in (of(row) for of in parts) if v is not None))


def ascii_only(text: str) -> str:
    if not text.isascii():
        raise Undetermined("an accent")
    return text


def last_day(value: Any) -> datetime.date:
    return datetime.date(value.year, value.month, calendar.monthrange(value.year, value.month)[1])


def whole(function: Callable[[int], int]) -> Meaning:
    """A function of the bits of a number. Those of a negative one depend on its width."""

    def of(value: int) -> int:
        if value < 0:
            raise Undetermined("the bits of a negative number")
        return function(value)

    return strict(of)


def root(value: float) -> float:
    if value < 0:
        raise Undetermined("an error: the root of a negative number")
    return math.sqrt(finite(value))


def escaped(text: str, pattern: str) -> bool:
    """LIKE with the escape character `b`. What it does to other letters than signs of patterns is not said."""
    if re.search("b(?![b%_])", pattern.replace("bb", "")):
        raise Undetermined("an escape character that escapes nothing")
    return bool(like(text, pattern, "b", is_cased=True))


def year_and_week(value: datetime.date) -> int:
    found = value.isocalendar()
    return 100 * found.year + found.week


def of_numbers(function: Callable[[float, float], Any]) -> Meaning:
    """Of an integer, which is cast to a real, and a real."""

    def of(one: int, other: float) -> Any:
        if abs(one) > SINGLE:
            raise Undetermined("an integer that loses digits as a real")
        return function(float(one), finite(other))

    return strict(of)


def added(one: float, other: float) -> float:
    found: float = finite(one + other)
    return found


IS_LIKE_A = on_text(lambda text: text.startswith("a") and "\n" not in text)


MEANINGS: Mapping[str, Meaning] = {
    "concat": concat,
    "concat ws": concat_ws,
    "prefix": on_text(str.startswith), "suffix": on_text(str.endswith),
    "unicode": on_text(lambda text: ord(text[0]) if text else -1),
    "bit length": on_text(lambda text: 8 * len(text.encode())),
    "strip accents": on_text(ascii_only),
    "regexp replace": on_text(lambda text: text.replace("a", "b", 1)),
    "printf": on_text(str),
    "day": strict(lambda value: value.day), "last day": strict(last_day),
    "monthname": strict(lambda value: calendar.month_name[value.month]),
    "dayname": strict(lambda value: calendar.day_name[value.weekday()]),
    "weekday": strict(lambda value: value.isoweekday() % 7),
    "mod": strict(remainder), "sqrt": strict(root), "substring": on_text(substring),
    "bit count": whole(int.bit_count), "shift right": whole(lambda v: v >> 1),
    "shift left": strict(lambda v: abs(v) << 1),
    "date part": strict(lambda value: value.month), "yearweek": strict(year_and_week),
    "like escape": on_text(escaped), "regexp begun": IS_LIKE_A, "regexp not begun": negated(IS_LIKE_A),
    "regexp set": on_text(lambda text: text[-1:] in ("a", "1") and text != ""),
    "regexp digits": on_text(lambda text: all(c in "0123456789" for c in text)),
    "= int real": of_numbers(operator.eq), "< int real": of_numbers(operator.lt), "+ int real": of_numbers(added),
    "< int dec": strict(operator.lt),
    "coalesce 3": lambda args: Term(
        lambda row: next((v for of in [a.of for a in args] if (v := of(row)) is not None), None),
        "", next((a.collation or a.explicit for a in args if a.collation or a.explicit), ""),
    ),
}  # fmt: skip

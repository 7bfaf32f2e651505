"""Functions of values that are not NULL, where columns have types: numbers and what becomes of them, text, dates,
lists. What is not said is `Undetermined`."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from gainsay.families.sql.meaning.storage import Undetermined

# --- numbers ----------------------------------------------------------------------------------------------------------


def finite(value: Any) -> Any:
    """A real that is a number: engines differ on whether anything else is an error."""
    if value.__class__ is float and not math.isfinite(value):
        raise Undetermined("a real that is no number")
    return value


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


def moved(day: datetime.date, days: int) -> datetime.date:
    if abs(days) > 100_000:
        raise Undetermined("a date far off")
    return day + datetime.timedelta(days)

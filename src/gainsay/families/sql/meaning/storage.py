"""SQLite's values: storage classes, numbers in text, affinity, collating sequences, comparison, CAST.

By SQLite's pages "Datatypes In SQLite" and "SQL Language Expressions". Values are None, int, float, str and bytes.
Where the pages leave something open, or releases differ: `Undetermined`."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

LEAST, GREATEST = -(2**63), 2**63 - 1
WHOLE = 2**51  # up to here releases agree on which reals are stored as integers
SPACE = " \t\n\v\f\r"
PREFIX = re.compile(r"[ \t\n\v\f\r]*([+-]?)(\d*)(\.\d*)?([eE][+-]?\d+)?")
INTEGER = re.compile(r"[ \t\n\v\f\r]*([+-]?\d+)")

Fold = Callable[[str], str]


class Undetermined(Exception):
    """The standard or the manual leaves a choice, or nobody has said."""


class TooBig(Exception):
    """More rows than are worth the time."""


# --- numbers in text --------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def scanned(text: str) -> tuple[int | float, bool]:
    """The number that a text begins with (0 if none), and whether it is all of the text but for spaces."""
    if not text or (text[0] > "9" and text.isascii()):  # letters, mostly
        return 0, False
    found = PREFIX.match(text)
    assert found is not None
    sign, digits, point, exponent = found.groups()
    if not digits and (point is None or len(point) < 2):
        return 0, False
    is_all = not text[found.end() :].strip(SPACE)
    if point is None and exponent is None:
        number = int(sign + digits)
        return (number if LEAST <= number <= GREATEST else float(number)), is_all
    if not is_all:
        raise Undetermined("a number with a point and something behind it")
    return float(f"{sign}{digits or '0'}{point or ''}{exponent or ''}"), is_all


def text_of(value: Any) -> str:
    """A value that is not NULL as text."""
    if value.__class__ is str:
        return str(value)
    if value.__class__ is int:
        return str(value)
    if value.__class__ is float:
        return real_text(value)
    try:
        text = bytes(value).decode()
    except UnicodeDecodeError:
        raise Undetermined("bytes that are no text") from None
    if "\0" in text:
        raise Undetermined("a text with a NUL in it")
    return text


def real_text(value: float) -> str:
    """A real as text, where fifteen digits tell it: how many more there are depends on the release."""
    if value in (float("inf"), float("-inf")):
        raise Undetermined("infinity as text")
    text = f"{value:.15g}"
    if float(text) != value or (value == 0.0 and text.startswith("-")):
        raise Undetermined("more than fifteen digits")
    mantissa, e, exponent = text.partition("e")
    return (mantissa if "." in mantissa else f"{mantissa}.0") + e + exponent


def number_of(value: Any) -> int | float:
    """A value that is not NULL as an operand of arithmetic."""
    if value.__class__ is int or value.__class__ is float:
        found: int | float = value
        return found
    return scanned(text_of(value))[0]


def integer_of(value: Any) -> int:
    """A value that is not NULL, cast to INTEGER: what is too large is the largest."""
    if value.__class__ is int:
        found: int = value
        return found
    if value.__class__ is float:
        if value != value:
            return 0
        return LEAST if value <= LEAST else GREATEST if value >= 2.0**63 else int(value)
    match = INTEGER.match(text_of(value))
    return max(LEAST, min(GREATEST, int(match[1]))) if match else 0


def truth(value: Any) -> bool | None:
    """Whether a value is true as a condition."""
    if value.__class__ is int:
        return bool(value)
    if value is None:
        return None
    return number_of(value) != 0


def settled(value: int | float) -> int | float | None:
    """A result of arithmetic: integers that are too large become reals, NaN becomes NULL."""
    if value.__class__ is int:
        return value if LEAST <= value <= GREATEST else float(value)
    return None if value != value else value


def signed(value: int) -> int:
    """The lowest 64 bits, as SQLite reads them."""
    value &= 2**64 - 1
    return value - 2**64 if value >= 2**63 else value


# --- affinity ---------------------------------------------------------------------------------------------------------


def affinity_of(type_text: str) -> str:
    """The affinity of a column by its declared type ("Determination Of Column Affinity")."""
    text = type_text.upper()
    if "INT" in text:
        return "integer"
    if any(part in text for part in ("CHAR", "CLOB", "TEXT")):
        return "text"
    if not text or "BLOB" in text:
        return "blob"
    return "real" if any(part in text for part in ("REAL", "FLOA", "DOUB")) else "numeric"


def whole(value: float) -> int | float:
    """A real as an integer, where that is the same."""
    if not value.is_integer():  # infinity neither
        return value
    if abs(value) >= WHOLE and abs(value) < 2.0**63:
        raise Undetermined("a large real that may be stored as an integer")
    return int(value) if abs(value) < WHOLE else value


def as_number(value: Any) -> Any:
    """NUMERIC affinity applied: text that is a number becomes one."""
    if value.__class__ is str:
        number, is_all = scanned(value)
        return whole(number) if is_all and number.__class__ is float else number if is_all else value
    return value


def stored_number(value: Any) -> Any:
    value = as_number(value)
    return whole(value) if value.__class__ is float else value


def stored_real(value: Any) -> Any:
    value = as_number(value)
    return float(value) if value.__class__ is int else value


def as_text(value: Any) -> Any:
    """TEXT affinity applied: a number becomes text."""
    return text_of(value) if value.__class__ is int or value.__class__ is float else value


STORED: dict[str, Callable[[Any], Any]] = {
    "integer": stored_number, "numeric": stored_number, "real": stored_real, "text": as_text,
}  # fmt: skip
NUMBERS = frozenset({"integer", "numeric", "real"})


# --- CAST -------------------------------------------------------------------------------------------------------------


def cast_real(value: Any) -> Any:
    return float(number_of(value))


def cast_numeric(value: Any) -> Any:
    if value.__class__ is int or value.__class__ is float:
        return value
    number = number_of(value)
    return whole(number) if number.__class__ is float else number


def cast_blob(value: Any) -> bytes:
    return value if value.__class__ is bytes else text_of(value).encode()


# --- order ------------------------------------------------------------------------------------------------------------

UPPER = {ord(c): c.lower() for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


def nocase(text: str) -> str:
    return text.lower() if text.isascii() else text.translate(UPPER)


def rtrim(text: str) -> str:
    return text.rstrip(" ")


UNSAID = "~"  # of a view's column that is no column itself: BINARY as a column has it, or none
FOLDS: dict[str, Fold | None] = {"": None, "BINARY": None, UNSAID: None, "NOCASE": nocase, "RTRIM": rtrim}
RANKS = {int: 1, float: 1, str: 2, bytes: 3}


def order(one: Any, other: Any, fold: Fold | None = None) -> int:
    """-1, 0 or 1, of two values that are not NULL: numbers, then text by its collating sequence, then BLOBs."""
    cls, second = one.__class__, other.__class__
    if cls is not second:
        rank, rank2 = RANKS[cls], RANKS[second]
        if rank != rank2:
            return -1 if rank < rank2 else 1
    elif cls is str and fold is not None:
        one, other = fold(one), fold(other)
    return -1 if one < other else 1 if one > other else 0


def group_key(value: Any, fold: Fold | None) -> Any:
    """What two values share that are the same for DISTINCT and GROUP BY; NULLs are."""
    if value.__class__ is str:
        return value if fold is None else fold(value)
    return value


def is_identical(one: Any, other: Any) -> bool:
    return one.__class__ is other.__class__ and bool(one == other)

"""SQLite's functions of values that are not NULL: of numbers, of text and of BLOBs, each as what it is taken for."""

from __future__ import annotations

import math
from typing import Any

from gainsay.families.sql.meaning import storage as s
from gainsay.families.sql.meaning.storage import Undetermined


def divide(one: Any, other: Any) -> Any:
    if other == 0:
        return None
    if one.__class__ is int and other.__class__ is int:
        quotient = abs(one) // abs(other)
        return s.settled(quotient if (one < 0) == (other < 0) else -quotient)
    return s.settled(float(one) / float(other))


def remainder(one: Any, other: Any) -> Any:
    whole, by = s.integer_of(one), s.integer_of(other)
    if by == 0:
        return None
    rest = abs(whole) % abs(by)
    found = -rest if whole < 0 else rest
    is_real = s.number_of(one).__class__ is float or s.number_of(other).__class__ is float
    return float(found) if is_real else found


def shift_left(value: int, by: int) -> int:
    if by < 0:
        return shift_right(value, -by)
    return 0 if by >= 64 else s.signed(value << by)


def shift_right(value: int, by: int) -> int:
    if by < 0:
        return shift_left(value, -by)
    return value >> min(by, 63)


def negative(value: Any) -> Any:
    """0 - x, as SQLite computes it."""
    number = s.number_of(value)
    return s.settled(-number if number.__class__ is int or number else 0.0)


def absolute(value: Any) -> Any:
    if value.__class__ is int:
        if value == s.LEAST:
            raise Undetermined("an error: integer overflow")
        return abs(value)
    return abs(float(s.number_of(value)))


def rounded(value: Any) -> Any:
    number = float(s.number_of(value))
    if not -4503599627370496.0 < number < 4503599627370496.0:
        return number
    if abs(abs(number) % 1 - 0.5) < 1e-9 and abs(number) % 1 != 0.5:
        raise Undetermined("nearly a half")
    found = math.floor(abs(number) + 0.5)
    return float(-found if number < 0 else found) + 0.0


def length(value: Any) -> int:
    return len(value) if value.__class__ is bytes else len(s.text_of(value))


def substring(value: Any, start: Any, size: Any) -> Any:
    """The characters (of a BLOB: the bytes) from `start`, counted from 1, or from the end if negative; a negative size
    is of those before."""
    text = value if value.__class__ is bytes else s.text_of(value)
    if value == b"":
        raise Undetermined("a part of an empty BLOB")
    begin, count = s.integer_of(start), s.integer_of(size)
    if abs(begin) > 2**31 or abs(count) > 2**31:
        raise Undetermined("a place that is out of bounds")
    is_backwards, count = count < 0, abs(count)
    if begin < 0:
        begin += len(text)
        if begin < 0:
            count += begin
            count = max(count, 0)
            begin = 0
    elif begin > 0:
        begin -= 1
    elif count > 0:
        count -= 1
    if is_backwards:
        begin -= count
        if begin < 0:
            count += begin
            begin = 0
    if begin < 0 or count < 0:
        raise Undetermined("nothing before the first character")
    return text[begin : begin + count]


def position(text: Any, part: Any) -> int:
    if text.__class__ is bytes and part.__class__ is bytes:
        return text.find(part) + 1
    return s.text_of(text).find(s.text_of(part)) + 1


def replaced(text: Any, old: Any, new: Any) -> Any:
    """REPLACE; with nothing to look for, the first operand as it is, whatever the last one is."""
    if text is None or old is None:
        return None
    if not s.text_of(old):
        if text.__class__ is not str:
            raise Undetermined("whether a value that is no text stays as it is")
        return text
    if new is None:
        return None
    return s.text_of(text).replace(s.text_of(old), s.text_of(new))


def in_hex(value: Any) -> str:
    return "" if value is None else s.cast_blob(value).hex().upper()


def quoted(value: Any) -> str:
    """A value as a literal."""
    if value is None:
        return "NULL"
    if value.__class__ is str:
        return "'" + value.replace("'", "''") + "'"
    return f"X'{value.hex().upper()}'" if value.__class__ is bytes else s.text_of(value)


def code_point(value: Any) -> Any:
    text = s.text_of(value)
    return ord(text[0]) if text else None


def sign(value: Any) -> Any:
    """Of what is a number, or text that is wholly one; NULL of anything else."""
    if value.__class__ is str:
        value = s.as_number(value)
    if value.__class__ not in (int, float):
        return None
    return 0 if value == 0 else 1 if value > 0 else -1


def type_name(value: Any) -> str:
    return {int: "integer", float: "real", str: "text", bytes: "blob"}[value.__class__] if value is not None else "null"

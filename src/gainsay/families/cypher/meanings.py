"""What operators and functions do to values that are not null. Where openCypher or an engine's arithmetic leaves a choice: `Undetermined`."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from gainsay.families.cypher.graph import PathV, RelV
from gainsay.families.cypher.values import Bag, Failed, TooBig, Undetermined, equal, integer, kind, real, settled

LONGEST = 4000  # of a list or string that an operator makes

# --- truth -----------------------------------------------------------------------------------------------------------------------


def truth(value: Any) -> bool | None:
    if value is None or value.__class__ is bool:
        return value
    raise Failed("a condition that is no boolean")


def both(a: Any, b: Any) -> bool | None:
    if a is True and b is True:
        return True
    a, b = truth(a), truth(b)
    return False if a is False or b is False else None if a is None or b is None else True


def either(a: Any, b: Any) -> bool | None:
    a, b = truth(a), truth(b)
    return True if a or b else None if a is None or b is None else False


def one_of(a: Any, b: Any) -> bool | None:
    a, b = truth(a), truth(b)
    return None if a is None or b is None else a is not b


def negate(a: Any) -> bool | None:
    a = truth(a)
    return None if a is None else not a


def differ(a: Any, b: Any) -> bool | None:
    same = equal(a, b)
    return None if same is None else not same


def comparison(test: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def meaning(a: Any, b: Any) -> bool:
        one, two = a.__class__, b.__class__
        if one is two and (one is int or one is str or one is float or one is bool):
            return test(a, b)
        if kind(a) == kind(b) == "number":
            return test(a, b)
        raise Undetermined("an order between values of different kinds")

    return meaning


def null_if(a: Any, b: Any) -> Any:
    return None if equal(a, b) else a


def coalesce(*values: Any) -> Any:
    for value in values:
        if value is not None:
            return value
    return None


# --- numbers ---------------------------------------------------------------------------------------------------------------------


def is_number(value: Any) -> bool:
    return value.__class__ is int or value.__class__ is float


def number(value: Any) -> Any:
    if is_number(value):
        return integer(value) if value.__class__ is int else real(value)
    raise Failed("a number is wanted")


def arithmetic(step: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def meaning(a: Any, b: Any) -> Any:
        if is_number(a) and is_number(b):
            return number(step(a, b))
        raise Failed("numbers are wanted")

    return meaning


def add(a: Any, b: Any) -> Any:
    one, two = a.__class__, b.__class__
    if one is int and two is int:
        return integer(a + b)
    if one is str and two is str:
        return short(a + b)
    if isinstance(a, list) and isinstance(b, list):
        return short([*settled(a), *settled(b)])
    if isinstance(a, list):
        return short([*settled(a), b])
    if isinstance(b, list):
        return short([a, *settled(b)])
    if one is str or two is str:
        raise Undetermined("a string and another value added")
    return arithmetic(operator.add)(a, b)


def add_or_other(a: Any, b: Any) -> Any:
    """Where the profile says that null adds nothing to a string."""
    if a is None or b is None:
        other = b if a is None else a
        return other if other.__class__ is str else None
    return add(a, b)


def short(value: Any) -> Any:
    if len(value) > LONGEST:
        raise TooBig("a long list or string")
    return value


def whole_divide(a: Any, b: Any) -> Any:
    """7 / 2 is 3, -7 / 2 is -3."""
    if a.__class__ is int and b.__class__ is int:
        if b == 0:
            raise Failed("division by zero")
        return integer(abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1))
    return real_divide(a, b)


def real_divide(a: Any, b: Any) -> Any:
    if not (is_number(a) and is_number(b)):
        raise Failed("numbers are wanted")
    if b == 0:
        raise Failed("division by zero") if a.__class__ is b.__class__ is int else Undetermined("division by 0.0")
    return real(a / b)


def modulo(a: Any, b: Any) -> Any:
    """The dividend's sign: -7 % 2 is -1."""
    if a.__class__ is int and b.__class__ is int:
        if b == 0:
            raise Failed("division by zero")
        return abs(a) % abs(b) * (1 if a >= 0 else -1)
    if not (is_number(a) and is_number(b)):
        raise Failed("numbers are wanted")
    if b == 0:
        raise Undetermined("modulo 0.0")
    return real(math.fmod(a, b))


def power(a: Any, b: Any) -> float:
    """Always a float. Only where it is exact: mathematical libraries round the rest in their own ways."""
    if not (is_number(a) and is_number(b)):
        raise Failed("numbers are wanted")
    if b != int(b) or not 0 <= b <= 64:
        raise Undetermined("a power that is not exact")
    exact = Fraction(a) ** int(b)
    if abs(exact) > 2**53 or exact != Fraction(float(exact)):
        raise Undetermined("a power that is not exact")
    return real(float(exact))


def minus(a: Any) -> Any:
    return number(-a)


def absolute(a: Any) -> Any:
    return number(abs(number(a)))


def sign(a: Any) -> int:
    return int(number(a) > 0) - int(a < 0)


def rounded(a: Any) -> float:
    if abs(number(a)) > 2**52:
        raise Undetermined("the rounding of a large number")
    if a * 2 == int(a * 2) and a != int(a):
        raise Undetermined("where a half is rounded to")
    return real(float(math.floor(a + 0.5)))


def downwards(a: Any) -> float:
    return float(math.floor(number(a)))


def upwards(a: Any) -> float:
    result = math.ceil(number(a))
    if result == 0 and a < 0:
        raise Undetermined("-0.0")
    return float(result)


def root(a: Any) -> float:
    if number(a) < 0:
        raise Undetermined("the square root of a negative number")
    return math.sqrt(a)


def to_integer(value: Any) -> int | None:
    if value.__class__ is int:
        return int(value)
    if value.__class__ is float:
        return integer(int(real(value)))
    if value.__class__ is str:
        if re.fullmatch(r"-?(0|[1-9][0-9]{0,17})", value) and value != "-0":
            return int(value)
        if re.fullmatch(r"[a-z]+", value) and value not in ("inf", "infinity", "nan", "true", "false"):
            return None
    raise Undetermined("which texts are a number")


def to_float(value: Any) -> float | None:
    if is_number(value):
        result = float(value)
        if int(result) != value and value.__class__ is int:
            raise Undetermined("a large number as a float")
        return real(result)
    if value.__class__ is str:
        if re.fullmatch(r"-?(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?", value):
            return real(float(value))
        if re.fullmatch(r"[a-z]+", value) and value not in ("inf", "infinity", "nan", "e", "d", "f"):
            return None
    raise Undetermined("which texts are a number")


def to_string(value: Any) -> str:
    if value.__class__ is bool:
        return "true" if value else "false"
    if value.__class__ is int or value.__class__ is str:
        return str(value)
    raise Undetermined("the text of a value that is no integer, boolean or string")


def to_boolean(value: Any) -> bool | None:
    if value.__class__ is bool:
        return bool(value)
    if value.__class__ is str and value in ("true", "false"):
        return value == "true"
    if value.__class__ is str and re.fullmatch(r"[a-z]+", value) and value not in ("t", "f", "y", "n", "yes", "no", "on", "off"):
        return None
    raise Undetermined("which texts are a boolean")


# --- strings ---------------------------------------------------------------------------------------------------------------------


def plain(value: Any) -> str:
    """ASCII only: lengths, cases and orders of other characters are matters of their own."""
    if value.__class__ is not str:
        raise Failed("a string is wanted")
    if not value.isascii():
        raise Undetermined("characters that are not ASCII")
    return str(value)


def stripping(strip: Callable[[str, str], str]) -> Callable[[Any], str]:
    def meaning(value: Any) -> str:
        if any(c < " " for c in plain(value)):
            raise Undetermined("which characters are blank")
        return strip(value, " ")

    return meaning


def texts(test: Callable[[str, str], bool]) -> Callable[[Any, Any], bool]:
    def meaning(a: Any, b: Any) -> bool:
        if a.__class__ is str and b.__class__ is str:
            return test(a, b)
        raise Undetermined("a test of strings on other values")

    return meaning


def matches(value: Any, pattern: Any) -> bool:
    if not re.fullmatch(r"([A-Za-z0-9 ]|\.\*?)*", plain(pattern)) or "\n" in plain(value):
        raise Undetermined("a regular expression that engines may read in their own ways")
    return re.fullmatch(pattern, value) is not None


def natural(value: Any) -> int:
    if value.__class__ is not int:
        raise Failed("an integer is wanted")
    if value < 0:
        raise Failed("a negative length or position")
    return int(value)


def left(value: Any, length: Any) -> str:
    return plain(value)[: natural(length)]


def right(value: Any, length: Any) -> str:
    return plain(value)[max(0, len(value) - natural(length)) :]


def substring(value: Any, start: Any, length: Any = None) -> str:
    natural(start)
    return plain(value)[start:] if length is None else plain(value)[start : start + natural(length)]


def substring_from_1(value: Any, start: Any, length: Any = None) -> str:
    if start.__class__ is int and start < 1:
        raise Undetermined("a position before a string's start")
    return substring(value, start - 1, length)


def replace(value: Any, old: Any, new: Any) -> str:
    if not plain(old):
        raise Undetermined("the empty string replaced")
    return str(short(plain(value).replace(old, plain(new))))


def split(value: Any, separator: Any) -> list[str]:
    if not plain(separator):
        raise Undetermined("a string split at the empty string")
    return plain(value).split(separator)


# --- lists -----------------------------------------------------------------------------------------------------------------------


def items(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    raise Failed("a list is wanted")


def size(value: Any) -> int:
    return len(plain(value)) if value.__class__ is str else len(items(value))


def reverse(value: Any) -> Any:
    if value.__class__ is str:
        return plain(value)[::-1]
    return items(value) if value.__class__ is Bag else items(value)[::-1]


def head(value: Any) -> Any:
    return settled(value)[0] if items(value) else None


def last(value: Any) -> Any:
    return settled(value)[-1] if items(value) else None


def tail(value: Any) -> list[Any]:
    return settled(items(value))[1:]


def index(value: Any, place: Any) -> Any:
    """value[place]: from 0; negative ones from the end; null outside. Maps, nodes and relationships have keys."""
    if place.__class__ is str and not isinstance(value, list):
        return (value if value.__class__ is dict else value.props).get(place)
    if place.__class__ is not int:
        raise Failed("an index that is no integer")
    return settled(value)[place] if -len(items(value)) <= place < len(value) else None


def index_from_1(value: Any, place: Any) -> Any:
    if place.__class__ is int:
        if place == 0 or abs(place) > len(items(value)):
            raise Undetermined("an index outside of a list")
        place -= place > 0
    return index(value, place)


def slice_(value: Any, start: Any, stop: Any) -> list[Any]:
    """value[start..stop]: without the stop; negative ones from the end."""
    if start.__class__ is not int or stop.__class__ is not int:
        raise Failed("an index that is no integer")
    return settled(items(value))[start:stop]


def slice_from(value: Any, start: Any) -> list[Any]:
    return slice_(value, start, len(items(value)))


def slice_to(value: Any, stop: Any) -> list[Any]:
    return slice_(value, 0, stop)


def unsettled(*_: Any) -> Any:
    raise Undetermined("slices where lists count from 1")


def range_(start: Any, stop: Any, step: Any = 1) -> list[int]:
    """Both ends are in it."""
    if not start.__class__ is stop.__class__ is step.__class__ is int or step == 0:
        raise Failed("range() wants integers, and a step that is not 0")
    numbers = range(start, stop + (1 if step > 0 else -1), step)
    if len(numbers) > LONGEST:
        raise TooBig("a long range")
    return list(numbers)


# --- elements of the graph -------------------------------------------------------------------------------------------------------


def of_rel(get: Callable[[RelV], Any]) -> Callable[[Any], Any]:
    def meaning(value: Any) -> Any:
        if value.__class__ is RelV:
            return get(value)
        raise Failed("a relationship is wanted")

    return meaning


def labels(value: Any) -> Bag:
    if not hasattr(value, "labels"):
        raise Failed("a node is wanted")
    return Bag(sorted(value.labels))


def of_path(get: Callable[[PathV], Any]) -> Callable[[Any], Any]:
    def meaning(value: Any) -> Any:
        if value.__class__ is PathV:
            return get(value)
        raise Failed("a path is wanted")

    return meaning

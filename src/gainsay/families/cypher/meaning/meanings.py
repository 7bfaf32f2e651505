"""What operators and functions do to truth values and numbers that are not null.
Where there is a choice for engines: `Undetermined`."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from gainsay.families.cypher.meaning.values import Failed, Undetermined, equal, integer, key, kind, real, settled, short

# --- truth ------------------------------------------------------------------------------------------------------------


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


def equal_values(a: Any, b: Any) -> bool | None:
    """Where the profile says that a null in a list is a value like others."""
    return key(a) == key(b) if isinstance(a, list) and isinstance(b, list) else equal(a, b)


def differ_values(a: Any, b: Any) -> bool | None:
    return negate(equal_values(a, b))


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


# --- numbers ----------------------------------------------------------------------------------------------------------


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
    """Numbers added, strings and lists joined."""
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


def signed(result: int, a: Any) -> float:
    """A whole number as a float; not where some engines give -0.0."""
    if result == 0 and a < 0:
        raise Undetermined("-0.0")
    return float(result)


def rounded(a: Any) -> float:
    """A half goes up: -1.5 to -1.0."""
    below = math.floor(number(a))
    return signed(below + (a - below >= 0.5), a)


def rounded_away(a: Any) -> float:
    return signed(int(math.copysign(rounded(abs(number(a))), a)), a)


def downwards(a: Any) -> float:
    return float(math.floor(number(a)))


def upwards(a: Any) -> float:
    return signed(math.ceil(number(a)), a)


def integral(meaning: Callable[[Any], float]) -> Callable[[Any], int]:
    return lambda a: int(meaning(a))


def root(a: Any) -> float:
    if number(a) < 0:
        raise Undetermined("the square root of a negative number")
    return math.sqrt(a)


def to_integer(value: Any) -> int | None:
    """toInteger, of what all engines read alike."""
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


def to_integer_down(value: Any) -> int | None:
    return integer(math.floor(real(value))) if value.__class__ is float else to_integer(value)


def to_float(value: Any) -> float | None:
    """toFloat, of what all engines read alike."""
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
    """toBoolean, of what all engines read alike."""
    if value.__class__ is bool:
        return bool(value)
    if value.__class__ is str and value in ("true", "false"):
        return value == "true"
    if (
        value.__class__ is str
        and re.fullmatch(r"[a-z]+", value)
        and value not in ("t", "f", "y", "n", "yes", "no", "on", "off")
    ):
        return None
    raise Undetermined("which texts are a boolean")

"""What the operators of Core, arithmetic and bit-vectors mean, exactly: integers, fractions and words."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from gainsay.families.smt.language.ir import Term
from gainsay.families.smt.language.sorts import width
from gainsay.families.smt.meaning.values import Undetermined

Indices = tuple[str, ...]
Meaning = Callable[[Term, Indices, list[Any]], Any]


@functools.cache
def head(op: str) -> tuple[str, Indices]:
    """An operator's name and indices: (_ extract 3 0) -> extract, (3, 0)."""
    if not op.startswith("(_ "):
        return op, ()
    name, *indices = re.findall(r'"(?:[^"]|"")*"|\|[^|]*\||[^\s()]+', op[3:-1])
    return name, tuple(indices)


def signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def chain(test: Callable[[Any, Any], bool]) -> Meaning:
    """a < b < c, as SMT-LIB chains comparisons."""
    return lambda t, i, v: all(test(v[n], v[n + 1]) for n in range(len(v) - 1))


def folded(step: Callable[[Any, Any], Any]) -> Meaning:
    return lambda t, i, v: functools.reduce(step, v)


def word(step: Callable[[int, int, int], int]) -> Meaning:
    """A left-associative operator on words of one width; its result is cut to that width."""

    def meaning(t: Term, i: Indices, v: list[int]) -> int:
        bits = width(t.args[0].sort)
        mask = (1 << bits) - 1
        result = v[0]
        for other in v[1:]:
            result = step(result, other, bits) & mask
        return result

    return meaning


def comparison(test: Callable[[int, int], bool], is_signed: bool = False) -> Meaning:
    def meaning(t: Term, i: Indices, v: list[int]) -> bool:
        if not is_signed:
            return test(v[0], v[1])
        bits = width(t.args[0].sort)
        return test(signed(v[0], bits), signed(v[1], bits))

    return meaning


def flowed(step: Callable[[int, int], int], is_signed: bool) -> Meaning:
    """Whether an operation leaves the range of its width."""

    def meaning(t: Term, i: Indices, v: list[int]) -> bool:
        bits = width(t.args[0].sort)
        if is_signed:
            result = step(signed(v[0], bits), signed(v[1], bits))
            return not -(1 << (bits - 1)) <= result < 1 << (bits - 1)
        return not 0 <= step(v[0], v[1]) < 1 << bits

    return meaning


def minus(t: Term, i: Indices, v: list[Any]) -> Any:
    return -v[0] if len(v) == 1 else functools.reduce(lambda a, b: a - b, v)


def div(a: int, b: int) -> int:
    """The quotient that leaves a remainder from 0 to |b| - 1."""
    if b == 0:
        raise Undetermined
    return a // b if b > 0 else -(a // -b)


def quotient(a: Fraction, b: Fraction) -> Fraction:
    if b == 0:
        raise Undetermined
    return Fraction(a) / b


def udiv(a: int, b: int, bits: int) -> int:
    return a // b if b else (1 << bits) - 1


def urem(a: int, b: int, bits: int) -> int:
    return a % b if b else a


def sdiv(a: int, b: int, bits: int) -> int:
    x, y = signed(a, bits), signed(b, bits)
    if y == 0:
        return 1 if x < 0 else -1
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def srem(a: int, b: int, bits: int) -> int:
    """The remainder that has the sign of the dividend."""
    x, y = signed(a, bits), signed(b, bits)
    if y == 0:
        return x
    return abs(x) % abs(y) * (-1 if x < 0 else 1)


def smod(a: int, b: int, bits: int) -> int:
    """The remainder that has the sign of the divisor."""
    x, y = signed(a, bits), signed(b, bits)
    return x % y if y else x


def shl(a: int, b: int, bits: int) -> int:
    return a << b if b < bits else 0


def lshr(a: int, b: int, bits: int) -> int:
    return a >> b if b < bits else 0


def ashr(a: int, b: int, bits: int) -> int:
    return signed(a, bits) >> min(b, bits)


def rotated(is_left: bool) -> Meaning:
    def meaning(t: Term, i: Indices, v: list[int]) -> int:
        bits = width(t.args[0].sort)
        by = int(i[0]) % bits
        by = by if is_left else (bits - by) % bits
        return (v[0] << by | v[0] >> (bits - by)) & (1 << bits) - 1

    return meaning


def concat(t: Term, i: Indices, v: list[int]) -> int:
    result = 0
    for argument, value in zip(t.args, v, strict=True):
        result = result << width(argument.sort) | value
    return result


def repeat(t: Term, i: Indices, v: list[int]) -> int:
    bits = width(t.args[0].sort)
    return sum(v[0] << bits * n for n in range(int(i[0])))


def sign_extend(t: Term, i: Indices, v: list[int]) -> int:
    bits = width(t.args[0].sort)
    return signed(v[0], bits) & (1 << bits + int(i[0])) - 1


def sdivo(t: Term, i: Indices, v: list[int]) -> bool:
    bits = width(t.args[0].sort)
    return v[0] == 1 << (bits - 1) and v[1] == (1 << bits) - 1


def implied(t: Term, i: Indices, v: list[bool]) -> bool:
    return v[-1] or not all(v[:-1])


def full(bits: int) -> int:
    return (1 << bits) - 1


def power(t: Term, i: Indices, v: list[int]) -> int:
    if v[1] < 0 or v[1] > 64:
        raise Undetermined
    return int(v[0] ** v[1])


def same(t: Term, i: Indices, v: list[Any]) -> Any:
    return v[0]


def constant(value: Any) -> Meaning:
    return lambda t, i, v: value


def on_values(operation: Callable[..., Any]) -> Meaning:
    """An operation on the indices, which are numerals, and the values."""
    return lambda t, i, v: operation(*map(int, i), *v)


def mod(t: Term, i: Indices, v: list[int]) -> int:
    return v[0] - v[1] * div(v[0], v[1])


def to_int(t: Term, i: Indices, v: list[Any]) -> int:
    return int(v[0].numerator // v[0].denominator)


def to_real(t: Term, i: Indices, v: list[Any]) -> Fraction:
    return Fraction(v[0])


def extract(t: Term, i: Indices, v: list[int]) -> int:
    return v[0] >> int(i[1]) & full(int(i[0]) - int(i[1]) + 1)


def low_bits(t: Term, i: Indices, v: list[int]) -> int:
    return v[0] & full(int(i[0]))


def bvnot(t: Term, i: Indices, v: list[int]) -> int:
    return v[0] ^ full(width(t.sort))


def bvneg(t: Term, i: Indices, v: list[int]) -> int:
    return -v[0] & full(width(t.sort))


def nego(t: Term, i: Indices, v: list[int]) -> bool:
    return v[0] == 1 << (width(t.args[0].sort) - 1)


def redand(t: Term, i: Indices, v: list[int]) -> int:
    return int(v[0] == full(width(t.args[0].sort)))


def as_signed(t: Term, i: Indices, v: list[int]) -> int:
    return signed(v[0], width(t.args[0].sort))

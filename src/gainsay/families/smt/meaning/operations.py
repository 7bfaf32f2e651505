"""What the operators of Core, arithmetic and bit-vectors mean, exactly: integers, fractions and words."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
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


def compared(test: Callable[[int, int], bool], is_signed: bool = False) -> Meaning:
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


def rotated(t: Term, i: Indices, v: list[int], is_left: bool) -> int:
    bits = width(t.args[0].sort)
    by = int(i[0]) % bits
    by = by if is_left else (bits - by) % bits
    return (v[0] << by | v[0] >> (bits - by)) & (1 << bits) - 1


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


MEANINGS: Mapping[str, Meaning] = {
    "not": lambda t, i, v: not v[0],
    "and": lambda t, i, v: all(v),
    "or": lambda t, i, v: any(v),
    "xor": folded(lambda a, b: a != b),
    "=>": implied,
    "ite": lambda t, i, v: v[1] if v[0] else v[2],
    "=": chain(lambda a, b: a == b),
    "distinct": lambda t, i, v: len(set(v)) == len(v),
    # arithmetic
    "+": folded(lambda a, b: a + b),
    "-": minus,
    "*": folded(lambda a, b: a * b),
    "div": folded(div),
    "mod": lambda t, i, v: v[0] - v[1] * div(v[0], v[1]),
    "abs": lambda t, i, v: abs(v[0]),
    "/": folded(quotient),
    "<": chain(lambda a, b: a < b),
    "<=": chain(lambda a, b: a <= b),
    ">": chain(lambda a, b: a > b),
    ">=": chain(lambda a, b: a >= b),
    "to_real": lambda t, i, v: Fraction(v[0]),
    "to_int": lambda t, i, v: v[0].numerator // v[0].denominator,
    "is_int": lambda t, i, v: v[0].denominator == 1,
    "divisible": lambda t, i, v: v[0] % int(i[0]) == 0,
    "^": power,
    # bit-vectors
    "concat": concat,
    "extract": lambda t, i, v: v[0] >> int(i[1]) & full(int(i[0]) - int(i[1]) + 1),
    "bvnot": lambda t, i, v: v[0] ^ full(width(t.sort)),
    "bvneg": lambda t, i, v: -v[0] & full(width(t.sort)),
    "bvand": word(lambda a, b, w: a & b),
    "bvor": word(lambda a, b, w: a | b),
    "bvxor": word(lambda a, b, w: a ^ b),
    "bvnand": word(lambda a, b, w: ~(a & b)),
    "bvnor": word(lambda a, b, w: ~(a | b)),
    "bvxnor": word(lambda a, b, w: ~(a ^ b)),
    "bvadd": word(lambda a, b, w: a + b),
    "bvsub": word(lambda a, b, w: a - b),
    "bvmul": word(lambda a, b, w: a * b),
    "bvudiv": word(udiv),
    "bvurem": word(urem),
    "bvsdiv": word(sdiv),
    "bvsrem": word(srem),
    "bvsmod": word(smod),
    "bvshl": word(shl),
    "bvlshr": word(lshr),
    "bvashr": word(ashr),
    "bvcomp": lambda t, i, v: int(v[0] == v[1]),
    "bvredor": lambda t, i, v: int(v[0] != 0),
    "bvredand": lambda t, i, v: int(v[0] == full(width(t.args[0].sort))),
    "bvult": compared(lambda a, b: a < b),
    "bvule": compared(lambda a, b: a <= b),
    "bvugt": compared(lambda a, b: a > b),
    "bvuge": compared(lambda a, b: a >= b),
    "bvslt": compared(lambda a, b: a < b, True),
    "bvsle": compared(lambda a, b: a <= b, True),
    "bvsgt": compared(lambda a, b: a > b, True),
    "bvsge": compared(lambda a, b: a >= b, True),
    "bvuaddo": flowed(lambda a, b: a + b, False),
    "bvsaddo": flowed(lambda a, b: a + b, True),
    "bvumulo": flowed(lambda a, b: a * b, False),
    "bvsmulo": flowed(lambda a, b: a * b, True),
    "bvusubo": flowed(lambda a, b: a - b, False),
    "bvssubo": flowed(lambda a, b: a - b, True),
    "bvsdivo": sdivo,
    "bvnego": lambda t, i, v: v[0] == 1 << (width(t.args[0].sort) - 1),
    "zero_extend": lambda t, i, v: v[0],
    "sign_extend": sign_extend,
    "repeat": repeat,
    "rotate_left": lambda t, i, v: rotated(t, i, v, True),
    "rotate_right": lambda t, i, v: rotated(t, i, v, False),
    "bv2nat": lambda t, i, v: v[0],
    "ubv_to_int": lambda t, i, v: v[0],
    "sbv_to_int": lambda t, i, v: signed(v[0], width(t.args[0].sort)),
    "int2bv": lambda t, i, v: v[0] & full(int(i[0])),
    "int_to_bv": lambda t, i, v: v[0] & full(int(i[0])),
}

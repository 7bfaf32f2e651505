"""What the operators of the FloatingPoint theory mean, over `floats`."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from gainsay.families.smt.language.ir import Term
from gainsay.families.smt.language.sorts import float_of, is_bv, is_fp, width
from gainsay.families.smt.meaning import floats
from gainsay.families.smt.meaning.operations import Indices, Meaning


def of_format(operation: Callable[..., Any]) -> Meaning:
    """An operator whose arguments all have the format of the last one."""
    return lambda t, i, v: operation(*v, *float_of(t.args[-1].sort))


def chained(test: Callable[[int, int, int, int], bool]) -> Meaning:
    return lambda t, i, v: all(test(v[n], v[n + 1], *float_of(t.args[0].sort)) for n in range(len(v) - 1))


def triple(t: Term, i: Indices, v: list[int]) -> int:
    """(fp sign exponent fraction)"""
    eb, sb = float_of(t.sort)
    return floats.from_bits(v[0] << eb + sb - 1 | v[1] << sb - 1 | v[2], eb, sb)


def to_fp(t: Term, i: Indices, v: list[Any]) -> int:
    eb, sb = int(i[0]), int(i[1])
    if len(v) == 1:
        return floats.from_bits(v[0], eb, sb)
    source = t.args[1].sort
    if is_fp(source):
        return floats.convert(v[0], v[1], *float_of(source), eb, sb)
    if is_bv(source):
        return floats.from_signed(v[0], v[1], width(source), eb, sb)
    return floats.from_real(v[0], Fraction(v[1]), eb, sb)


def from_unsigned(t: Term, i: Indices, v: list[Any]) -> int:
    return floats.from_unsigned(v[0], v[1], int(i[0]), int(i[1]))


def to_word(operation: Callable[..., int]) -> Meaning:
    """A float as a word of so many bits, by a rounding mode."""
    return lambda t, i, v: operation(v[0], v[1], int(i[0]), *float_of(t.args[1].sort))

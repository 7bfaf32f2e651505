"""The FloatingPoint theory's operators by their SMT-LIB names, over `floats`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from gainsay.families.smt.language.ir import Term
from gainsay.families.smt.language.sorts import float_of, is_bv, is_fp, width
from gainsay.families.smt.meaning import floats
from gainsay.families.smt.meaning.operations import Indices, Meaning


def plain(operation: Callable[..., Any]) -> Meaning:
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


MEANINGS: Mapping[str, Meaning] = {
    "fp": triple,
    "fp.abs": plain(floats.fp_abs),
    "fp.neg": plain(floats.neg),
    "fp.add": plain(floats.add),
    "fp.sub": plain(floats.sub),
    "fp.mul": plain(floats.mul),
    "fp.div": plain(floats.div),
    "fp.fma": plain(floats.fma),
    "fp.sqrt": plain(floats.sqrt),
    "fp.rem": plain(floats.rem),
    "fp.roundToIntegral": plain(floats.round_to_integral),
    "fp.min": plain(floats.fp_min),
    "fp.max": plain(floats.fp_max),
    "fp.leq": chained(floats.leq),
    "fp.lt": chained(floats.lt),
    "fp.geq": chained(floats.geq),
    "fp.gt": chained(floats.gt),
    "fp.eq": chained(floats.eq),
    "fp.isNormal": plain(floats.is_normal),
    "fp.isSubnormal": plain(floats.is_subnormal),
    "fp.isZero": plain(floats.is_zero),
    "fp.isInfinite": plain(floats.is_infinite),
    "fp.isNaN": plain(floats.is_nan),
    "fp.isNegative": plain(floats.is_negative),
    "fp.isPositive": plain(floats.is_positive),
    "to_fp": to_fp,
    "to_fp_unsigned": lambda t, i, v: floats.from_unsigned(v[0], v[1], int(i[0]), int(i[1])),
    "fp.to_ubv": lambda t, i, v: floats.to_ubv(v[0], v[1], int(i[0]), *float_of(t.args[1].sort)),
    "fp.to_sbv": lambda t, i, v: floats.to_sbv(v[0], v[1], int(i[0]), *float_of(t.args[1].sort)),
    "fp.to_real": plain(floats.to_real),
    "fp.to_ieee_bv": plain(floats.to_ieee_bv),
}

"""Random values of sorts with literals: often one of those at which things change."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from gainsay.core.draw import Draw
from gainsay.families.smt.language.ops import ROUNDING
from gainsay.families.smt.language.sorts import float_of, is_bv, is_fp, width
from gainsay.families.smt.meaning import floats

INTERESTING = (0, 0, 1, 1, 2, 3, 5, 7, 10, 100)
LETTERS = "aabbAB01 -"


def value(draw: Draw, sort: str) -> Any:
    """A value of a sort with literals; None for others."""
    if sort == "Bool":
        return draw.coin()
    if sort == "Int":
        number = draw.pick(INTERESTING) if draw.coin(0.85) else draw.below(1 << draw.pick((8, 16, 33, 65)))
        return -number if draw.coin(0.25) else number
    if sort == "Real":
        top = Fraction(value(draw, "Int"))
        return top if draw.coin(0.6) else top / draw.pick((2, 3, 4, 7, 10))
    if is_bv(sort):
        return word(draw, width(sort))
    if is_fp(sort):
        return float_value(draw, *float_of(sort))
    if sort == "String":
        return "".join(draw.pick(LETTERS) for _ in range(draw.pick((0, 1, 1, 2, 2, 3, 5))))
    if sort == "RoundingMode":
        return draw.pick(ROUNDING)
    return None


def word(draw: Draw, bits: int) -> int:
    top = 1 << bits
    special = (0, 1, top - 1, top >> 1, (top >> 1) - 1, 2, bits)
    return draw.pick(special) % top if draw.coin(0.6) else random_bits(draw, bits)


def random_bits(draw: Draw, bits: int) -> int:
    """As many random bits as are wanted: one draw has fewer than 53."""
    found = 0
    for start in range(0, bits, 32):
        found |= draw.below(1 << min(32, bits - start)) << start
    return found


def float_value(draw: Draw, eb: int, sb: int) -> int:
    special = (
        floats.zero(False, eb, sb), floats.zero(True, eb, sb), floats.infinity(False, eb, sb),
        floats.infinity(True, eb, sb), floats.nan(eb, sb), 1,
        floats.encode("RNE", Fraction(1), eb, sb), floats.infinity(False, eb, sb) - 1, 1 << sb - 1, (1 << sb - 1) - 1,
    )  # fmt: skip
    return draw.pick(special) if draw.coin(0.5) else floats.from_bits(random_bits(draw, eb + sb), eb, sb)

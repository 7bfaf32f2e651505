"""Exact IEEE 754-2008 arithmetic as the SMT-LIB theory FloatingPoint defines it, over bit patterns.

A value is an int of 1 + eb + (sb - 1) bits with one canonical NaN, so that == is SMT-LIB's =. Arguments come in
SMT-LIB's order and then the format; rounding modes are RNE RNA RTP RTN RTZ. Results that the theory leaves open raise
Undetermined."""

from __future__ import annotations

import re
from fractions import Fraction
from math import isqrt

from gainsay.families.smt.meaning.values import Undetermined

TWO = Fraction(2)


def zero(is_below: bool, eb: int, sb: int) -> int:
    """Give the zero of a sign."""
    return sign_bit(eb, sb) if is_below else 0


def infinity(is_below: bool, eb: int, sb: int) -> int:
    """Give the infinity of a sign."""
    return zero(is_below, eb, sb) | ((1 << eb) - 1) << (sb - 1)


def nan(eb: int, sb: int) -> int:
    """Give the one NaN that stands for all: sign 0, top bit of the fraction set."""
    return infinity(False, eb, sb) | 1 << (sb - 2)


def sign_bit(eb: int, sb: int) -> int:
    """Give the pattern with only the sign bit set, which is also minus zero."""
    return 1 << (eb + sb - 1)


def min_exponent(eb: int) -> int:
    """Give the exponent of the smallest normal number; subnormals share it."""
    return 2 - (1 << (eb - 1))


def decode(x: int, eb: int, sb: int) -> Fraction:
    """Give the number that a finite pattern stands for; both zeros are 0."""
    if is_nan(x, eb, sb) or is_infinite(x, eb, sb):
        raise ValueError(f"not a finite number: {literal(x, eb, sb)}")
    exponent, fraction = divmod(magnitude(x, eb, sb), 1 << (sb - 1))
    significand = fraction | (1 << (sb - 1) if exponent else 0)
    value = significand * TWO ** (min_exponent(eb) + max(exponent, 1) - sb)
    return -value if is_minus(x, eb, sb) else value


def encode(rm: str, value: Fraction, eb: int, sb: int, is_zero_minus: bool = False) -> int:
    """Round a number to the format: the one rounding of this module. `is_zero_minus` is the sign of an exact zero."""
    if not value:
        return zero(is_zero_minus, eb, sb)
    is_below = value < 0
    exponent = max(floor_log2(abs(value)), min_exponent(eb))
    steps = round_to_int(rm, value / TWO ** (exponent - sb + 1))
    # Counted in steps of the last place, patterns of one sign are consecutive: a carry runs into the exponent by
    # itself.
    pattern = abs(steps) + (exponent - min_exponent(eb) << (sb - 1))
    top = infinity(False, eb, sb)
    if pattern >= top:
        is_inward = rm == "RTZ" or rm == ("RTP" if is_below else "RTN")
        pattern = top - 1 if is_inward else top
    return zero(is_below, eb, sb) | pattern


def round_to_int(rm: str, value: Fraction) -> int:
    """Round a number to an integer: RNE 5/2 -> 2, RNA 5/2 -> 3, RTN -1/2 -> -1."""
    floor = value.numerator // value.denominator
    rest = value - floor
    if not rest:
        return floor
    match rm:
        case "RNE":
            is_up = rest > Fraction(1, 2) or (rest == Fraction(1, 2) and floor % 2 == 1)
        case "RNA":
            is_up = rest > Fraction(1, 2) or (rest == Fraction(1, 2) and floor >= 0)
        case "RTP":
            is_up = True
        case "RTN":
            is_up = False
        case "RTZ":
            is_up = floor < 0
        case _:
            raise ValueError(f"not a rounding mode: {rm}")
    return floor + is_up


def floor_log2(value: Fraction) -> int:
    """Give the exponent of the largest power of two that is not above a positive number."""
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if TWO**guess <= value else guess - 1


def magnitude(x: int, eb: int, sb: int) -> int:
    """Clear the sign bit."""
    return x & ~sign_bit(eb, sb)


def is_minus(x: int, eb: int, sb: int) -> bool:
    """Tell whether the sign bit is set."""
    return bool(x & sign_bit(eb, sb))


# Classification


def is_nan(x: int, eb: int, sb: int) -> bool:
    """fp.isNaN."""
    return magnitude(x, eb, sb) > infinity(False, eb, sb)


def is_infinite(x: int, eb: int, sb: int) -> bool:
    """fp.isInfinite."""
    return magnitude(x, eb, sb) == infinity(False, eb, sb)


def is_zero(x: int, eb: int, sb: int) -> bool:
    """fp.isZero."""
    return magnitude(x, eb, sb) == 0


def is_subnormal(x: int, eb: int, sb: int) -> bool:
    """fp.isSubnormal."""
    return 0 < magnitude(x, eb, sb) < 1 << (sb - 1)


def is_normal(x: int, eb: int, sb: int) -> bool:
    """fp.isNormal."""
    return 1 << (sb - 1) <= magnitude(x, eb, sb) < infinity(False, eb, sb)


def is_negative(x: int, eb: int, sb: int) -> bool:
    """fp.isNegative: true of minus zero, false of NaN."""
    return is_minus(x, eb, sb) and not is_nan(x, eb, sb)


def is_positive(x: int, eb: int, sb: int) -> bool:
    """fp.isPositive: true of plus zero, false of NaN."""
    return not is_minus(x, eb, sb) and not is_nan(x, eb, sb)


def order(x: int, eb: int, sb: int) -> int:
    """Map patterns other than NaN to ints that compare as the numbers do; both zeros are 0."""
    size = magnitude(x, eb, sb)
    return -size if is_minus(x, eb, sb) else size


def is_ordered(x: int, y: int, eb: int, sb: int) -> bool:
    """Tell whether neither is NaN."""
    return not is_nan(x, eb, sb) and not is_nan(y, eb, sb)


def leq(x: int, y: int, eb: int, sb: int) -> bool:
    """fp.leq."""
    return is_ordered(x, y, eb, sb) and order(x, eb, sb) <= order(y, eb, sb)


def lt(x: int, y: int, eb: int, sb: int) -> bool:
    """fp.lt."""
    return is_ordered(x, y, eb, sb) and order(x, eb, sb) < order(y, eb, sb)


def geq(x: int, y: int, eb: int, sb: int) -> bool:
    """fp.geq."""
    return leq(y, x, eb, sb)


def gt(x: int, y: int, eb: int, sb: int) -> bool:
    """fp.gt."""
    return lt(y, x, eb, sb)


def eq(x: int, y: int, eb: int, sb: int) -> bool:
    """fp.eq: IEEE equality, by which the zeros are equal and NaN is not equal to itself."""
    return is_ordered(x, y, eb, sb) and order(x, eb, sb) == order(y, eb, sb)


def fp_min(x: int, y: int, eb: int, sb: int) -> int:
    """fp.min: the other argument if one is NaN; open for zeros of two signs."""
    return _either(x, y, leq(x, y, eb, sb), eb, sb)


def fp_max(x: int, y: int, eb: int, sb: int) -> int:
    """fp.max: the other argument if one is NaN; open for zeros of two signs."""
    return _either(x, y, geq(x, y, eb, sb), eb, sb)


def _either(x: int, y: int, is_first: bool, eb: int, sb: int) -> int:
    if x != y and is_zero(x, eb, sb) and is_zero(y, eb, sb):
        raise Undetermined("fp.min or fp.max of zeros of two signs")
    return x if is_first or is_nan(y, eb, sb) else y


# Arithmetic


def fp_abs(x: int, eb: int, sb: int) -> int:
    """fp.abs."""
    return magnitude(x, eb, sb)


def neg(x: int, eb: int, sb: int) -> int:
    """fp.neg."""
    return x if is_nan(x, eb, sb) else x ^ sign_bit(eb, sb)


def add(rm: str, x: int, y: int, eb: int, sb: int) -> int:
    """fp.add."""
    if not is_ordered(x, y, eb, sb):
        return nan(eb, sb)
    if is_infinite(x, eb, sb):
        return nan(eb, sb) if y == neg(x, eb, sb) else x
    if is_infinite(y, eb, sb):
        return y
    is_x_minus, is_y_minus = is_minus(x, eb, sb), is_minus(y, eb, sb)
    return _sum(rm, decode(x, eb, sb), is_x_minus, decode(y, eb, sb), is_y_minus, eb, sb)


def _sum(rm: str, x: Fraction, is_x_minus: bool, y: Fraction, is_y_minus: bool, eb: int, sb: int) -> int:
    """Round x + y.
    A zero has the sign of two like-signed summands, else it is minus only towards negative (IEEE 754, 6.3)."""
    is_zero_minus = is_x_minus if is_x_minus == is_y_minus else rm == "RTN"
    return encode(rm, x + y, eb, sb, is_zero_minus)


def sub(rm: str, x: int, y: int, eb: int, sb: int) -> int:
    """fp.sub."""
    return add(rm, x, neg(y, eb, sb), eb, sb)


def mul(rm: str, x: int, y: int, eb: int, sb: int) -> int:
    """fp.mul."""
    if not is_ordered(x, y, eb, sb) or _is_zero_by_infinity(x, y, eb, sb):
        return nan(eb, sb)
    is_below = is_minus(x, eb, sb) != is_minus(y, eb, sb)
    if is_infinite(x, eb, sb) or is_infinite(y, eb, sb):
        return infinity(is_below, eb, sb)
    return encode(rm, decode(x, eb, sb) * decode(y, eb, sb), eb, sb, is_below)


def _is_zero_by_infinity(x: int, y: int, eb: int, sb: int) -> bool:
    return (is_zero(x, eb, sb) and is_infinite(y, eb, sb)) or (is_infinite(x, eb, sb) and is_zero(y, eb, sb))


def div(rm: str, x: int, y: int, eb: int, sb: int) -> int:
    """fp.div."""
    is_below = is_minus(x, eb, sb) != is_minus(y, eb, sb)
    if not is_ordered(x, y, eb, sb):
        return nan(eb, sb)
    if is_infinite(x, eb, sb):
        return nan(eb, sb) if is_infinite(y, eb, sb) else infinity(is_below, eb, sb)
    if is_zero(y, eb, sb):
        return nan(eb, sb) if is_zero(x, eb, sb) else infinity(is_below, eb, sb)
    if is_infinite(y, eb, sb):
        return zero(is_below, eb, sb)
    return encode(rm, decode(x, eb, sb) / decode(y, eb, sb), eb, sb, is_below)


def fma(rm: str, x: int, y: int, z: int, eb: int, sb: int) -> int:
    """fp.fma: x * y + z rounded once."""
    if not is_ordered(x, y, eb, sb) or is_nan(z, eb, sb) or _is_zero_by_infinity(x, y, eb, sb):
        return nan(eb, sb)
    is_product_minus = is_minus(x, eb, sb) != is_minus(y, eb, sb)
    if is_infinite(x, eb, sb) or is_infinite(y, eb, sb):
        return add(rm, infinity(is_product_minus, eb, sb), z, eb, sb)
    if is_infinite(z, eb, sb):
        return z
    product = decode(x, eb, sb) * decode(y, eb, sb)
    return _sum(rm, product, is_product_minus, decode(z, eb, sb), is_minus(z, eb, sb), eb, sb)


def sqrt(rm: str, x: int, eb: int, sb: int) -> int:
    """fp.sqrt: minus zero is its own root."""
    if is_nan(x, eb, sb) or is_zero(x, eb, sb) or x == infinity(False, eb, sb):
        return x
    if is_minus(x, eb, sb):
        return nan(eb, sb)
    # Every point where rounding changes is a multiple of 2**-places, so a root between two of them may be replaced by
    # their midpoint.
    places = sb + 1 - min_exponent(eb)
    square = decode(x, eb, sb) * TWO ** (2 * places)
    root = isqrt(square.numerator)  # the square is an integer
    halves = 2 * root + (root * root != square)
    return encode(rm, halves * TWO ** (-places - 1), eb, sb)


def rem(x: int, y: int, eb: int, sb: int) -> int:
    """fp.rem: IEEE remainder x - y * n, n the integer nearest to x / y, ties to even; a zero has the sign of x."""
    if not is_ordered(x, y, eb, sb) or is_infinite(x, eb, sb) or is_zero(y, eb, sb):
        return nan(eb, sb)
    if is_infinite(y, eb, sb):
        return x
    dividend, divisor = decode(x, eb, sb), decode(y, eb, sb)
    remainder = dividend - divisor * round_to_int("RNE", dividend / divisor)
    return encode("RNE", remainder, eb, sb, is_minus(x, eb, sb))  # exact: the remainder is a number of the format


def round_to_integral(rm: str, x: int, eb: int, sb: int) -> int:
    """fp.roundToIntegral: a zero keeps the sign of x."""
    if is_nan(x, eb, sb) or is_infinite(x, eb, sb):
        return x
    return encode(rm, Fraction(round_to_int(rm, decode(x, eb, sb))), eb, sb, is_minus(x, eb, sb))


# Conversion


def from_bits(bits: int, eb: int, sb: int) -> int:
    """(_ to_fp eb sb) of a bit-vector, and fp: all NaNs become one."""
    return nan(eb, sb) if is_nan(bits, eb, sb) else bits


def from_real(rm: str, value: Fraction, eb: int, sb: int) -> int:
    """(_ to_fp eb sb) of a Real: 0 becomes plus zero."""
    return encode(rm, value, eb, sb)


def from_signed(rm: str, value: int, width: int, eb: int, sb: int) -> int:
    """(_ to_fp eb sb) of a bit-vector read in two's complement."""
    return encode(rm, Fraction(value - (value >> (width - 1) << width)), eb, sb)


def from_unsigned(rm: str, value: int, eb: int, sb: int) -> int:
    """(_ to_fp_unsigned eb sb) of a bit-vector."""
    return encode(rm, Fraction(value), eb, sb)


def convert(rm: str, x: int, from_eb: int, from_sb: int, eb: int, sb: int) -> int:
    """(_ to_fp eb sb) of a number of another format."""
    if is_nan(x, from_eb, from_sb):
        return nan(eb, sb)
    if is_infinite(x, from_eb, from_sb):
        return infinity(is_minus(x, from_eb, from_sb), eb, sb)
    return encode(rm, decode(x, from_eb, from_sb), eb, sb, is_minus(x, from_eb, from_sb))


def to_ubv(rm: str, x: int, width: int, eb: int, sb: int) -> int:
    """(_ fp.to_ubv width): open out of range, which is judged after rounding."""
    return _to_int(rm, x, 0, (1 << width) - 1, eb, sb)


def to_sbv(rm: str, x: int, width: int, eb: int, sb: int) -> int:
    """(_ fp.to_sbv width): open out of range, which is judged after rounding."""
    return _to_int(rm, x, -1 << (width - 1), (1 << (width - 1)) - 1, eb, sb) % (1 << width)


def _to_int(rm: str, x: int, low: int, high: int, eb: int, sb: int) -> int:
    value = round_to_int(rm, to_real(x, eb, sb))
    if not low <= value <= high:
        raise Undetermined(f"{literal(x, eb, sb)} is out of range")
    return value


def to_real(x: int, eb: int, sb: int) -> Fraction:
    """fp.to_real: open for NaN and infinities."""
    if is_nan(x, eb, sb) or is_infinite(x, eb, sb):
        raise Undetermined(f"{literal(x, eb, sb)} is not a real number")
    return decode(x, eb, sb)


def to_ieee_bv(x: int, eb: int, sb: int) -> int:
    """fp.to_ieee_bv, an extension of some solvers: open for NaN."""
    if is_nan(x, eb, sb):
        raise Undetermined("NaN has many patterns")
    return x


# Literals


def literal(x: int, eb: int, sb: int) -> str:
    """Write a value as a literal: (fp #b0 #b011 #b000), (_ NaN 3 4), (_ -oo 3 4), (_ +zero 3 4)."""
    if is_nan(x, eb, sb):
        return f"(_ NaN {eb} {sb})"
    sign = "-" if is_minus(x, eb, sb) else "+"
    if is_infinite(x, eb, sb):
        return f"(_ {sign}oo {eb} {sb})"
    if is_zero(x, eb, sb):
        return f"(_ {sign}zero {eb} {sb})"
    bits = f"{x:0{eb + sb}b}"
    return f"(fp #b{bits[0]} #b{bits[1 : eb + 1]} #b{bits[eb + 1 :]})"


_BITS = r"\s+(#b[01]+|#x[0-9a-fA-F]+|\(\s*_\s+bv[0-9]+\s+[0-9]+\s*\))"
_TRIPLE = re.compile(rf"\(\s*fp{_BITS}{_BITS}{_BITS}\s*\)")
_SPECIAL = re.compile(r"\(\s*_\s+(NaN|[+-]oo|[+-]zero)\s+([0-9]+)\s+([0-9]+)\s*\)")


def read_literal(text: str) -> tuple[int, int, int]:
    """Read what `literal` writes, with parts in binary, hexadecimal or as (_ bv1 8): the value and its format."""
    if special := _SPECIAL.fullmatch(text):
        name, eb, sb = special[1], int(special[2]), int(special[3])
        if name == "NaN":
            return nan(eb, sb), eb, sb
        make = infinity if name.endswith("oo") else zero
        return make(name.startswith("-"), eb, sb), eb, sb
    if triple := _TRIPLE.fullmatch(text):
        (sign, _), (exponent, eb), (fraction, rest) = (_read_bits(part) for part in triple.groups())
        return from_bits((sign << eb | exponent) << rest | fraction, eb, rest + 1), eb, rest + 1
    raise ValueError(f"not a floating-point literal: {text}")


def _read_bits(text: str) -> tuple[int, int]:
    """Read a bit-vector literal: its value and its width."""
    if text.startswith("#b"):
        return int(text[2:], 2), len(text) - 2
    if text.startswith("#x"):
        return int(text[2:], 16), 4 * (len(text) - 2)
    value, width = (int(number) for number in re.findall("[0-9]+", text))
    return value, width

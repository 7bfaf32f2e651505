"""The five rounding modes, the special values and the open results of SMT-LIB's floating point, checked by hand and
against the host's doubles."""

import math
import random
import struct
from fractions import Fraction

import pytest

from gainsay.families.smt.language.ir import Term
from gainsay.families.smt.language.ops import OPERATORS
from gainsay.families.smt.meaning import floats
from gainsay.families.smt.meaning.values import Undetermined

MODES = ("RNE", "RNA", "RTP", "RTN", "RTZ")
TINY, SINGLE, DOUBLE = (3, 4), (8, 24), (11, 53)
NAN, PLUS_OO, MINUS_OO, PLUS_ZERO, MINUS_ZERO = (
    "(_ NaN 3 4)",
    "(_ +oo 3 4)",
    "(_ -oo 3 4)",
    "(_ +zero 3 4)",
    "(_ -zero 3 4)",
)
MAX, LEAST = "(fp #b0 #b110 #b111)", "(fp #b0 #b000 #b001)"  # 15 and 1/32
ONE, MINUS_ONE, TWO, THREE = (
    "(fp #b0 #b011 #b000)",
    "(fp #b1 #b011 #b000)",
    "(fp #b0 #b100 #b000)",
    "(fp #b0 #b100 #b100)",
)
HALF, MINUS_HALF = "(fp #b0 #b010 #b000)", "(fp #b1 #b010 #b000)"


def tiny(text):
    value, *form = floats.read_literal(text)
    assert tuple(form) == TINY
    return value


def meant(op, *values):
    """An operator of the table on modes and values in the tiny format."""
    operands = tuple(Term("x", (), "RoundingMode" if v in MODES else "(_ FloatingPoint 3 4)") for v in values)
    return OPERATORS[op].meaning(Term(op, operands), (), list(values))


def asked(op, *args):
    """Apply an operator to modes and tiny literals; the result is written again."""
    return floats.literal(meant(op, *(arg if arg in MODES else tiny(arg) for arg in args)), *TINY)


def pattern(number):
    return floats.from_bits(struct.unpack("<Q", struct.pack("<d", number))[0], *DOUBLE)


def doubles(count):
    """Random doubles of all kinds, many of them close to each other, so that sums cancel and quotients tie."""
    rng = random.Random(5)
    special = [
        0.0,
        -0.0,
        math.inf,
        -math.inf,
        math.nan,
        5e-324,
        -5e-324,
        2.2250738585072014e-308,
        1.7976931348623157e308,
        1.0,
        -1.0,
        0.5,
        3.0,
    ]
    for _ in range(count):
        x = rng.choice(
            [
                rng.choice(special),
                rng.uniform(-8, 8),
                struct.unpack("<d", rng.randbytes(8))[0],
                float(rng.randint(-50, 50)),
            ]
        )
        y = rng.choice(
            [rng.choice(special), rng.uniform(-8, 8), x * (1 + 2.0**-52), -x, struct.unpack("<d", rng.randbytes(8))[0]]
        )
        yield x, y


@pytest.mark.parametrize(
    ("number", "results"),  # in the order of MODES
    [
        (Fraction(17, 16), "1 9/8 9/8 1 1"),  # half way: 1 is even
        (Fraction(19, 16), "5/4 5/4 5/4 9/8 9/8"),
        (Fraction(-17, 16), "-1 -9/8 -1 -9/8 -1"),
        (Fraction(1, 64), "0 1/32 1/32 0 0"),  # half of the least subnormal
        (Fraction(3, 64), "1/16 1/16 1/16 1/32 1/32"),
        (Fraction(31, 128), "1/4 1/4 1/4 7/32 7/32"),  # a carry into the normal numbers
    ],
)
def test_rounding_of_a_real_follows_the_mode(number, results):
    got = [str(floats.decode(floats.from_real(mode, number, *TINY), *TINY)) for mode in MODES]
    assert got == results.split()


@pytest.mark.parametrize(
    ("number", "results"),
    [
        (Fraction(31, 2), (PLUS_OO, PLUS_OO, PLUS_OO, MAX, MAX)),  # 15 + half of the last place
        (Fraction(61, 4), (MAX, MAX, PLUS_OO, MAX, MAX)),
        (Fraction(10**9), (PLUS_OO, PLUS_OO, PLUS_OO, MAX, MAX)),
        (Fraction(-(10**9)), (MINUS_OO, MINUS_OO, "(fp #b1 #b110 #b111)", MINUS_OO, "(fp #b1 #b110 #b111)")),
        (Fraction(-1, 1000), (MINUS_ZERO, MINUS_ZERO, MINUS_ZERO, "(fp #b1 #b000 #b001)", MINUS_ZERO)),
        (Fraction(0), (PLUS_ZERO,) * 5),
    ],
)
def test_overflow_and_underflow_follow_the_mode(number, results):
    assert tuple(floats.literal(floats.from_real(mode, number, *TINY), *TINY) for mode in MODES) == results


@pytest.mark.parametrize(
    ("call", "result"),
    [
        (("fp.add", "RNE", ONE, MINUS_ONE), PLUS_ZERO),
        (("fp.add", "RTN", ONE, MINUS_ONE), MINUS_ZERO),
        (("fp.add", "RTN", PLUS_ZERO, PLUS_ZERO), PLUS_ZERO),
        (("fp.add", "RTP", MINUS_ZERO, MINUS_ZERO), MINUS_ZERO),
        (("fp.add", "RTP", PLUS_ZERO, MINUS_ZERO), PLUS_ZERO),
        (("fp.sub", "RTP", MINUS_ZERO, PLUS_ZERO), MINUS_ZERO),
        (("fp.add", "RNE", PLUS_OO, MINUS_OO), NAN),
        (("fp.sub", "RNE", PLUS_OO, PLUS_OO), NAN),
        (("fp.sub", "RNE", ONE, PLUS_OO), MINUS_OO),
        (("fp.mul", "RNE", PLUS_ZERO, MINUS_OO), NAN),
        (("fp.mul", "RNE", PLUS_ZERO, MINUS_ONE), MINUS_ZERO),
        (("fp.mul", "RTP", LEAST, MINUS_HALF), MINUS_ZERO),
        (("fp.div", "RNE", ONE, MINUS_ZERO), MINUS_OO),
        (("fp.div", "RNE", PLUS_ZERO, PLUS_ZERO), NAN),
        (("fp.div", "RNE", PLUS_OO, MINUS_OO), NAN),
        (("fp.div", "RNE", MINUS_ONE, PLUS_OO), MINUS_ZERO),
        (("fp.fma", "RNE", LEAST, LEAST, ONE), ONE),
        (("fp.fma", "RTP", LEAST, LEAST, ONE), "(fp #b0 #b011 #b001)"),
        (("fp.fma", "RNE", MAX, TWO, "(fp #b1 #b110 #b111)"), MAX),  # the product alone would overflow
        (("fp.fma", "RNE", PLUS_OO, ONE, MINUS_OO), NAN),
        (("fp.fma", "RNE", PLUS_ZERO, PLUS_OO, ONE), NAN),
        (("fp.fma", "RTN", ONE, ONE, MINUS_ONE), MINUS_ZERO),
        (("fp.fma", "RTN", PLUS_ZERO, MINUS_ONE, MINUS_ZERO), MINUS_ZERO),
        (("fp.sqrt", "RNE", MINUS_ZERO), MINUS_ZERO),
        (("fp.sqrt", "RNE", MINUS_ONE), NAN),
        (("fp.sqrt", "RNE", PLUS_OO), PLUS_OO),
        (("fp.sqrt", "RNE", MINUS_OO), NAN),
        (("fp.sqrt", "RTN", TWO), "(fp #b0 #b011 #b011)"),
        (("fp.sqrt", "RTP", TWO), "(fp #b0 #b011 #b100)"),
        (("fp.rem", THREE, TWO), MINUS_ONE),  # 3/2 ties to the even 2
        (("fp.rem", ONE, TWO), ONE),  # 1/2 ties to the even 0
        (("fp.rem", MINUS_ONE, ONE), MINUS_ZERO),
        (("fp.rem", ONE, PLUS_OO), ONE),
        (("fp.rem", PLUS_OO, ONE), NAN),
        (("fp.rem", ONE, PLUS_ZERO), NAN),
        (("fp.roundToIntegral", "RNE", HALF), PLUS_ZERO),
        (("fp.roundToIntegral", "RNA", HALF), ONE),
        (("fp.roundToIntegral", "RTP", MINUS_HALF), MINUS_ZERO),
        (("fp.roundToIntegral", "RNA", MINUS_HALF), MINUS_ONE),
        (("fp.roundToIntegral", "RTN", MINUS_OO), MINUS_OO),
        (("fp.min", NAN, ONE), ONE),
        (("fp.max", ONE, NAN), ONE),
        (("fp.min", NAN, NAN), NAN),
        (("fp.max", MINUS_ZERO, MINUS_ZERO), MINUS_ZERO),
        (("fp.min", MINUS_ONE, MINUS_ZERO), MINUS_ONE),
        (("fp.abs", MINUS_OO), PLUS_OO),
        (("fp.neg", NAN), NAN),
        (("fp.neg", PLUS_ZERO), MINUS_ZERO),
    ],
)
def test_special_values_and_signs_of_zero(call, result):
    assert asked(*call) == result


def test_an_integral_value_above_the_format_overflows():
    """Only formats with more digits than exponents know it: 15.5 rounds to 16, which (3, 5) does not have."""
    top = floats.infinity(False, 3, 5) - 1
    assert floats.round_to_integral("RTP", top, 3, 5) == floats.infinity(False, 3, 5)
    assert floats.decode(floats.round_to_integral("RTZ", top, 3, 5), 3, 5) == 15


def test_comparisons_of_zeros_and_nan():
    plus, minus, nan = tiny(PLUS_ZERO), tiny(MINUS_ZERO), tiny(NAN)
    assert floats.eq(plus, minus, *TINY) and floats.leq(plus, minus, *TINY) and not floats.lt(minus, plus, *TINY)
    assert not any(meant(op, nan, nan) for op in ("fp.eq", "fp.leq", "fp.geq", "fp.lt", "fp.gt"))
    assert floats.gt(tiny(ONE), tiny(MINUS_OO), *TINY) and floats.geq(tiny(PLUS_OO), tiny(MAX), *TINY)


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        (NAN, {"NaN"}),
        (MINUS_OO, {"Infinite", "Negative"}),
        (PLUS_ZERO, {"Zero", "Positive"}),
        (MINUS_ZERO, {"Zero", "Negative"}),
        (LEAST, {"Subnormal", "Positive"}),
        ("(fp #b1 #b001 #b000)", {"Normal", "Negative"}),
        (MAX, {"Normal", "Positive"}),
    ],
)
def test_every_value_has_its_classes(text, classes):
    names = ("NaN", "Infinite", "Zero", "Subnormal", "Normal", "Negative", "Positive")
    assert {name for name in names if meant(f"fp.is{name}", tiny(text))} == classes


def test_conversions_between_formats_and_integers():
    assert floats.convert("RNE", tiny(MINUS_ZERO), *TINY, *SINGLE) == 1 << 31
    assert floats.convert("RNE", tiny(NAN), *TINY, *SINGLE) == floats.nan(*SINGLE) == 0x7FC00000
    assert floats.convert("RTZ", pattern(1e300), *DOUBLE, *SINGLE) == 0x7F7FFFFF
    assert floats.convert("RNE", pattern(-0.1), *DOUBLE, *SINGLE) == 0xBDCCCCCD
    assert floats.from_signed("RNE", 0b1000, 4, *SINGLE) == 0xC1000000  # -8
    assert floats.from_signed("RNE", 1, 1, *SINGLE) == 0xBF800000  # one bit: -1
    assert floats.from_unsigned("RNE", 0b1000, *SINGLE) == 0x41000000
    assert floats.from_signed("RTN", 0, 4, *SINGLE) == 0
    assert floats.from_bits(0xFF800001, *SINGLE) == floats.nan(*SINGLE)


def test_range_is_judged_after_rounding():
    assert floats.to_ubv("RNE", tiny(MINUS_HALF), 2, *TINY) == 0
    assert floats.to_sbv("RTZ", tiny("(fp #b1 #b100 #b011)"), 2, *TINY) == 0b10  # -2.75 -> -2
    assert floats.to_ubv("RTZ", tiny("(fp #b0 #b100 #b111)"), 2, *TINY) == 3  # 3.75 -> 3


@pytest.mark.parametrize(
    "call",
    [
        lambda: floats.fp_min(tiny(PLUS_ZERO), tiny(MINUS_ZERO), *TINY),
        lambda: floats.fp_max(tiny(MINUS_ZERO), tiny(PLUS_ZERO), *TINY),
        lambda: floats.to_ubv("RTN", tiny(MINUS_HALF), 8, *TINY),
        lambda: floats.to_ubv("RTP", tiny("(fp #b0 #b100 #b111)"), 2, *TINY),
        lambda: floats.to_sbv("RNE", tiny(TWO), 2, *TINY),
        lambda: floats.to_sbv("RNE", tiny(NAN), 8, *TINY),
        lambda: floats.to_ubv("RNE", floats.infinity(False, 15, 113) - 1, 8, 15, 113),  # a number of 4933 digits
        lambda: floats.to_real(tiny(PLUS_OO), *TINY),
        lambda: floats.to_ieee_bv(tiny(NAN), *TINY),
    ],
)
def test_what_the_theory_leaves_open_is_undetermined(call):
    with pytest.raises(Undetermined):
        call()


@pytest.mark.parametrize("form", [(2, 2), (2, 3), TINY, (5, 2)])
def test_every_value_of_a_small_format_is_read_and_rounded_to_itself(form):
    for value in {floats.from_bits(bits, *form) for bits in range(1 << sum(form))}:
        assert floats.read_literal(floats.literal(value, *form)) == (value, *form)
        if not floats.is_nan(value, *form) and not floats.is_infinite(value, *form):
            number, is_minus = floats.decode(value, *form), floats.is_minus(value, *form)
            assert {floats.encode(mode, number, *form, is_zero_minus=is_minus) for mode in MODES} == {value}


def test_literals_are_read_in_all_notations():
    value = (0b1 << 31) | (0x82 << 23) | 5
    assert floats.read_literal("(fp #b1 #x82 (_ bv5 23))") == (value, *SINGLE)
    assert floats.read_literal("( fp  #b1 #b111 #b001 )") == (floats.nan(*TINY), *TINY)
    with pytest.raises(ValueError, match="not a floating-point literal"):
        floats.read_literal("1.5")


def test_doubles_agree_with_the_host():
    for x, y in doubles(1500):
        a, b = pattern(x), pattern(y)
        assert floats.add("RNE", a, b, *DOUBLE) == pattern(x + y)
        assert floats.sub("RNE", a, b, *DOUBLE) == pattern(x - y)
        assert floats.mul("RNE", a, b, *DOUBLE) == pattern(x * y)
        if y:
            assert floats.div("RNE", a, b, *DOUBLE) == pattern(x / y)
        if not x < 0:
            assert floats.sqrt("RNE", a, *DOUBLE) == pattern(math.sqrt(x))
        if y and not math.isinf(x):
            assert floats.rem(a, b, *DOUBLE) == pattern(math.remainder(x, y))
        assert floats.lt(a, b, *DOUBLE) == (x < y)
        assert floats.eq(a, b, *DOUBLE) == (x == y)

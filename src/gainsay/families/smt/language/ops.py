"""THE operator table: an operator is one row.

It has the signature (signatures.py), the meaning (none: the evaluator itself knows it, or nobody does), and how it is
drawn: the theories that a logic must have, a weight, and a maker (makers.py) where the signature does not tell. `of`
marks another way to draw an operator, an idiom. The order of the rows counts: with the same seed the same is drawn."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gainsay.families.smt.drawing import makers as d
from gainsay.families.smt.language import signatures as s
from gainsay.families.smt.language.sorts import is_array, is_bv, is_fp
from gainsay.families.smt.meaning import floatops as f
from gainsay.families.smt.meaning import floats, strings
from gainsay.families.smt.meaning import operations as m

if TYPE_CHECKING:
    from gainsay.families.smt.drawing.expressions import Grower

CONNECTIVE = "connective"  # in every formula
OBSERVER = "observer"  # merely looks at a value, or writes one: it names a cause only where there is nothing else
MERE = "mere"  # moves values about, around a cause
STRUCTURE = "structure"  # of arrays, datatypes and quantifiers: it names a cause, though it has no meaning here
LITERAL = "literal"  # is never named
ROUNDING = ("RNE", "RNA", "RTP", "RTN", "RTZ")


class Operator(NamedTuple):
    """A row of the table. Operators are named by their keys; `of` names the operator of a row that is an idiom."""

    signature: str | s.Rule | s.Indexed
    meaning: m.Meaning | None
    theories: frozenset[str] = frozenset()
    weight: float = 0.0  # how often it is drawn; 0: it is read and evaluated only
    make: d.Make | None = None
    is_apt: Callable[[Any, str], bool] = d.always
    to: str = ""  # the sort of the result, or its letter, where the signature is no text
    of: str = ""
    indices: int = 0  # of an indexed operator, such as (_ extract 3 0)
    group: str = ""  # what it is called in a shape, with others that fail for the same cause; nothing: its own name
    sheds: bool = False  # a reducer may drop one of three arguments or more
    plainer: str = ""  # the next plainer operator that can stand in its place, where there are two arguments or more
    role: str = ""  # what it says of a cause: one of those below; nothing: it names it
    is_constant: bool = False  # it takes no arguments
    is_free: bool = False  # where it has no value (by zero), any will do, if it is always the same


class Form(NamedTuple):
    """A way to draw an operator. `op` is also the name under which a solver is asked whether it has it."""

    op: str
    theories: frozenset[str]
    weight: float
    make: d.Make
    is_apt: Callable[[Grower, str], bool]


def op(
    signature: str | s.Rule | s.Indexed, meaning: m.Meaning | None, theories: str = "", weight: float = 0.0,
    make: d.Make | None = None, **more: Any,
) -> Operator:  # fmt: skip
    """A row from its signature, meaning, theories, weight and maker; the rest by name."""
    return Operator(signature, meaning, frozenset(theories.split()), weight, make, **more)


OPERATORS: Mapping[str, Operator] = {
    # formulas
    "not": op("Bool -> Bool", lambda t, i, v: not v[0], "", 1.5, role=CONNECTIVE),
    "guard": op("", None, "", 2.0, d.guard, to="Bool"),
    "and": op("Bool+ -> Bool", lambda t, i, v: all(v), "", 1.0, sheds=True, role=CONNECTIVE),
    "or": op("Bool+ -> Bool", lambda t, i, v: any(v), "", 1.0, sheds=True, role=CONNECTIVE),
    "xor": op("Bool+ -> Bool", m.folded(lambda a, b: a != b), "", 1.0, sheds=True, role=CONNECTIVE),
    "=>": op("Bool+ -> Bool", m.implied, "", 1.0, role=CONNECTIVE),
    "and of three": op("", None, "", 0.7, d.fixed("and", "Bool", "Bool", "Bool"), to="Bool", of="and"),
    "or of three": op("", None, "", 0.7, d.fixed("or", "Bool", "Bool", "Bool"), to="Bool", of="or"),
    "=": op("A A+ -> Bool", m.chain(lambda a, b: a == b), "", 3.0, sheds=True, role=CONNECTIVE),
    "= of three": op("", None, "", 0.3, d.alike("=", d.is_equated, 3), to="Bool", of="="),
    "distinct": op("A A+ -> Bool", lambda t, i, v: len(set(v)) == len(v), "", 0.8, sheds=True, role=CONNECTIVE),
    "distinct of three": op("", None, "", 0.4, d.alike("distinct", d.is_equated, 3), to="Bool", of="distinct"),
    "<": op("N N+ -> Bool", m.chain(lambda a, b: a < b), "", 1.2, is_apt=d.has_numbers, group="order", role=OBSERVER),
    "<=": op(
        "N N+ -> Bool",
        m.chain(lambda a, b: a <= b),
        "",
        1.2,
        is_apt=d.has_numbers,
        group="order",
        role=OBSERVER,
        plainer="<",
    ),
    ">": op(
        "N N+ -> Bool",
        m.chain(lambda a, b: a > b),
        "",
        1.2,
        is_apt=d.has_numbers,
        group="order",
        role=OBSERVER,
        plainer="<",
    ),
    ">=": op(
        "N N+ -> Bool",
        m.chain(lambda a, b: a >= b),
        "",
        1.2,
        is_apt=d.has_numbers,
        group="order",
        role=OBSERVER,
        plainer=">",
    ),
    "divisible": op(s.divisible, lambda t, i, v: v[0] % int(i[0]) == 0, "int", 0.3, d.divisible, to="Bool", indices=1),
    "is_int": op("Real -> Bool", lambda t, i, v: v[0].denominator == 1, "int real", 0.5),
    "bvult": op("B B -> Bool", m.comparison(lambda a, b: a < b), "bv", 0.7, role=OBSERVER),
    "bvule": op(
        "B B -> Bool", m.comparison(lambda a, b: a <= b), "bv", 0.7, group="bvult", role=OBSERVER, plainer="bvult"
    ),
    "bvugt": op(
        "B B -> Bool", m.comparison(lambda a, b: a > b), "bv", 0.7, group="bvult", role=OBSERVER, plainer="bvult"
    ),
    "bvuge": op(
        "B B -> Bool", m.comparison(lambda a, b: a >= b), "bv", 0.7, group="bvult", role=OBSERVER, plainer="bvugt"
    ),
    "bvslt": op("B B -> Bool", m.comparison(lambda a, b: a < b, True), "bv", 0.7, role=OBSERVER),
    "bvsle": op(
        "B B -> Bool", m.comparison(lambda a, b: a <= b, True), "bv", 0.7, group="bvslt", role=OBSERVER, plainer="bvslt"
    ),
    "bvsgt": op(
        "B B -> Bool", m.comparison(lambda a, b: a > b, True), "bv", 0.7, group="bvslt", role=OBSERVER, plainer="bvslt"
    ),
    "bvsge": op(
        "B B -> Bool", m.comparison(lambda a, b: a >= b, True), "bv", 0.7, group="bvslt", role=OBSERVER, plainer="bvsgt"
    ),
    "bit is set": op("", None, "bv", 1.5, d.is_set, to="Bool", of="="),
    "bvuaddo": op("B B -> Bool", m.flowed(lambda a, b: a + b, False), "bv", 0.15),
    "bvsaddo": op("B B -> Bool", m.flowed(lambda a, b: a + b, True), "bv", 0.15),
    "bvumulo": op("B B -> Bool", m.flowed(lambda a, b: a * b, False), "bv", 0.15),
    "bvsmulo": op("B B -> Bool", m.flowed(lambda a, b: a * b, True), "bv", 0.15),
    "bvusubo": op("B B -> Bool", m.flowed(lambda a, b: a - b, False), "bv", 0.15, plainer="bvuaddo"),
    "bvssubo": op("B B -> Bool", m.flowed(lambda a, b: a - b, True), "bv", 0.15, plainer="bvsaddo"),
    "bvsdivo": op("B B -> Bool", m.sdivo, "bv", 0.15),
    "bvnego": op("B -> Bool", m.nego, "bv", 0.15),
    "fp.leq": op("F F+ -> Bool", f.chained(floats.leq), "fp", 0.9, group="fp order", role=OBSERVER, plainer="fp.lt"),
    "fp.lt": op("F F+ -> Bool", f.chained(floats.lt), "fp", 0.9, group="fp order", role=OBSERVER),
    "fp.geq": op("F F+ -> Bool", f.chained(floats.geq), "fp", 0.9, group="fp order", role=OBSERVER, plainer="fp.gt"),
    "fp.gt": op("F F+ -> Bool", f.chained(floats.gt), "fp", 0.9, group="fp order", role=OBSERVER, plainer="fp.lt"),
    "fp.eq": op("F F+ -> Bool", f.chained(floats.eq), "fp", 0.9, group="fp order", role=OBSERVER),
    "fp.isNormal": op("F -> Bool", f.of_format(floats.is_normal), "fp", 0.4, group="fp test", role=OBSERVER),
    "fp.isSubnormal": op("F -> Bool", f.of_format(floats.is_subnormal), "fp", 0.4, group="fp test", role=OBSERVER),
    "fp.isZero": op("F -> Bool", f.of_format(floats.is_zero), "fp", 0.4, group="fp test", role=OBSERVER),
    "fp.isInfinite": op("F -> Bool", f.of_format(floats.is_infinite), "fp", 0.4, group="fp test", role=OBSERVER),
    "fp.isNaN": op("F -> Bool", f.of_format(floats.is_nan), "fp", 0.4, group="fp test", role=OBSERVER),
    "fp.isNegative": op("F -> Bool", f.of_format(floats.is_negative), "fp", 0.4, group="fp test", role=OBSERVER),
    "fp.isPositive": op("F -> Bool", f.of_format(floats.is_positive), "fp", 0.4, group="fp test", role=OBSERVER),
    "str.<": op("String String+ -> Bool", m.on_values(strings.less), "str", 0.8, group="str order", role=OBSERVER),
    "str.<=": op(
        "String String+ -> Bool",
        m.on_values(strings.less_eq),
        "str",
        0.8,
        group="str order",
        role=OBSERVER,
        plainer="str.<",
    ),
    "str.prefixof": op("String String -> Bool", m.on_values(strings.prefixof), "str", 0.8),
    "str.suffixof": op("String String -> Bool", m.on_values(strings.suffixof), "str", 0.8, plainer="str.prefixof"),
    "str.contains": op("String String -> Bool", m.on_values(strings.contains), "str", 0.8),
    "str.is_digit": op("String -> Bool", m.on_values(strings.is_digit), "str", 0.3),
    "str.in_re": op("String RegLan -> Bool", m.on_values(strings.in_re), "str", 3.0),
    "is": op("", None, "dt", 1.5, d.tested, to="Bool", role=STRUCTURE),
    "forall": op("", None, "quant", 1.5, d.quantified("forall"), to="Bool", role=STRUCTURE),
    "exists": op("", None, "quant", 1.5, d.quantified("exists"), to="Bool", role=STRUCTURE),
    # integers and reals
    "+": op("N+ -> N", m.folded(lambda a, b: a + b), "", 2.0, group="sum", sheds=True, role=MERE),
    "+ of three": op("", None, "", 0.5, d.fixed("+", "=", "=", "="), to="N", of="+"),
    "-": op("N+ -> N", m.minus, "", 1.5, group="sum", role=MERE, plainer="+"),
    "minus": op("", None, "", 0.5, d.fixed("-", "="), to="N", of="-"),
    "*": op("N+ -> N", m.folded(lambda a, b: a * b), "", 1.5, d.product, sheds=True),
    # integers
    "div": op("Int Int+ -> Int", m.folded(m.div), "int", 0.8, d.divided("div"), group="division", is_free=True),
    "mod": op("Int Int+ -> Int", m.mod, "int", 0.8, d.divided("mod"), group="division", is_free=True, plainer="div"),
    "abs": op("Int -> Int", lambda t, i, v: abs(v[0]), "int", 0.4),
    "to_int": op("Real -> Int", m.to_int, "int real", 0.8),
    "str.len": op("String -> Int", m.on_values(strings.length), "str int", 2.0),
    "str.indexof": op("String String Int -> Int", m.on_values(strings.indexof), "str int", 1.0),
    "str.to_code": op("String -> Int", m.on_values(strings.to_code), "str int", 0.6),
    "str.to_int": op("String -> Int", m.on_values(strings.to_int), "str int", 0.8),
    "ubv_to_int": op("B -> Int", m.same, "bv int", 0.5, d.of_words("ubv_to_int")),
    "sbv_to_int": op("B -> Int", m.as_signed, "bv int", 0.5, d.of_words("sbv_to_int")),
    "bv2nat": op("B -> Int", m.same, "bv int", 0.5, d.of_words("bv2nat")),
    # reals
    "/": op("Real Real+ -> Real", m.folded(m.quotient), "real", 0.8, d.divided("/"), group="division", is_free=True),
    "to_real": op("Int -> Real", m.to_real, "int real", 1.0),
    # bit-vectors
    "bvand": op("B B+ -> B", m.word(lambda a, b, w: a & b), "bv", 1.0),
    "bvor": op("B B+ -> B", m.word(lambda a, b, w: a | b), "bv", 1.0, plainer="bvand"),
    "bvxor": op("B B+ -> B", m.word(lambda a, b, w: a ^ b), "bv", 1.0),
    "bvadd": op("B B+ -> B", m.word(lambda a, b, w: a + b), "bv", 1.0),
    "bvsub": op("B B -> B", m.word(lambda a, b, w: a - b), "bv", 1.0, plainer="bvadd"),
    "bvmul": op("B B+ -> B", m.word(lambda a, b, w: a * b), "bv", 1.0),
    "bvshl": op("B B -> B", m.word(m.shl), "bv", 1.0),
    "bvlshr": op("B B -> B", m.word(m.lshr), "bv", 1.0, plainer="bvshl"),
    "bvashr": op("B B -> B", m.word(m.ashr), "bv", 1.0, plainer="bvlshr"),
    "bvnand": op("B B -> B", m.word(lambda a, b, w: ~(a & b)), "bv", 0.5),
    "bvnor": op("B B -> B", m.word(lambda a, b, w: ~(a | b)), "bv", 0.5, plainer="bvnand"),
    "bvxnor": op("B B+ -> B", m.word(lambda a, b, w: ~(a ^ b)), "bv", 0.5),
    "bvudiv": op("B B -> B", m.word(m.udiv), "bv", 0.5),
    "bvurem": op("B B -> B", m.word(m.urem), "bv", 0.5, plainer="bvudiv"),
    "bvsdiv": op("B B -> B", m.word(m.sdiv), "bv", 0.5),
    "bvsrem": op("B B -> B", m.word(m.srem), "bv", 0.5, plainer="bvsdiv"),
    "bvsmod": op("B B -> B", m.word(m.smod), "bv", 0.5, plainer="bvsrem"),
    "bvnot": op("B -> B", m.bvnot, "bv", 0.8),
    "bvneg": op("B -> B", m.bvneg, "bv", 0.8),
    "extract": op(s.extract, m.extract, "bv", 1.5, d.extract, to="B", indices=2, role=MERE),
    "concat": op(s.concat, m.concat, "bv", 1.0, d.concat, is_apt=d.is_wide, to="B", role=MERE),
    "zero_extend": op(
        s.longer, m.same, "bv", 0.8, d.extended("zero_extend"), to="B", indices=1, group="extend", role=MERE
    ),
    "sign_extend": op(
        s.longer, m.sign_extend, "bv", 0.8, d.extended("sign_extend"), to="B", indices=1, group="extend", role=MERE
    ),
    "repeat": op(s.repeated, m.repeat, "bv", 0.2, d.repeated, to="B", indices=1),
    "rotate_left": op(
        s.rotated, m.rotated(True), "bv", 0.3, d.rotated("rotate_left"), to="B", indices=1, group="rotate"
    ),
    "rotate_right": op(
        s.rotated, m.rotated(False), "bv", 0.3, d.rotated("rotate_right"), to="B", indices=1, group="rotate"
    ),
    "bvcomp": op("B B -> Bit", lambda t, i, v: int(v[0] == v[1]), "bv", 1.5, d.one_bit("bvcomp", 2), is_apt=d.is_bit),
    "one bit": op("", None, "bv", 2.5, d.bit, is_apt=d.is_bit, to="B", of="ite"),
    "int_to_bv": op(s.from_int, m.low_bits, "bv int", 0.5, d.from_int("int_to_bv"), to="B", indices=1),
    "int2bv": op(s.from_int, m.low_bits, "bv int", 0.5, d.from_int("int2bv"), to="B", indices=1),
    "fp.to_ubv": op(s.from_fp, f.to_word(floats.to_ubv), "bv fp", 0.6, d.from_float("fp.to_ubv"), to="B", indices=1),
    "fp.to_sbv": op(s.from_fp, f.to_word(floats.to_sbv), "bv fp", 0.6, d.from_float("fp.to_sbv"), to="B", indices=1),
    # floats
    "fp.add": op("RoundingMode F F -> F", f.of_format(floats.add), "fp", 1.5),
    "fp.sub": op("RoundingMode F F -> F", f.of_format(floats.sub), "fp", 1.5, plainer="fp.add"),
    "fp.mul": op("RoundingMode F F -> F", f.of_format(floats.mul), "fp", 1.5),
    "fp.div": op("RoundingMode F F -> F", f.of_format(floats.div), "fp", 0.8),
    "fp.fma": op("RoundingMode F F F -> F", f.of_format(floats.fma), "fp", 0.4),
    "fp.sqrt": op("RoundingMode F -> F", f.of_format(floats.sqrt), "fp", 0.4),
    "fp.rem": op("F F -> F", f.of_format(floats.rem), "fp", 0.2),
    "fp.roundToIntegral": op("RoundingMode F -> F", f.of_format(floats.round_to_integral), "fp", 0.7),
    "fp.min": op("F F -> F", f.of_format(floats.fp_min), "fp", 0.6),
    "fp.max": op("F F -> F", f.of_format(floats.fp_max), "fp", 0.6, plainer="fp.min"),
    "fp.abs": op("F -> F", f.of_format(floats.fp_abs), "fp", 0.6),
    "fp.neg": op("F -> F", f.of_format(floats.neg), "fp", 0.6),
    "to_fp": op(s.to_fp, f.to_fp, "fp", 2.0, d.to_float, to="F", indices=2),
    # strings
    "str.++": op("String+ -> String", m.on_values(strings.concat), "str", 2.5, sheds=True),
    "str.++ of three": op("", None, "str", 0.7, d.fixed("str.++", "=", "=", "="), to="String", of="str.++"),
    "str.at": op("String Int -> String", m.on_values(strings.at), "str int", 1.2),
    "str.substr": op("String Int Int -> String", m.on_values(strings.substr), "str int", 1.5),
    "str.replace": op("String String String -> String", m.on_values(strings.replace), "str", 1.5),
    "str.replace_all": op("String String String -> String", m.on_values(strings.replace_all), "str", 0.5),
    "str.replace_re": op("String RegLan String -> String", m.on_values(strings.replace_re), "str", 0.4),
    "str.replace_re_all": op("String RegLan String -> String", m.on_values(strings.replace_re_all), "str", 0.3),
    "str.from_int": op("Int -> String", m.on_values(strings.from_int), "str int", 0.6),
    "str.from_code": op("Int -> String", m.on_values(strings.from_code), "str int", 0.5),
    # regular expressions
    "str.to_re": op("String -> RegLan", m.on_values(strings.to_re), "str", 3.0, d.plain_regex),
    "re.allchar": op(
        "", m.constant(strings.RE_ALLCHAR), "str", 0.8, d.constant("re.allchar"), to="RegLan", is_constant=True
    ),
    "re.all": op("", m.constant(strings.RE_ALL), "str", 0.4, d.constant("re.all"), to="RegLan", is_constant=True),
    "re.none": op("", m.constant(strings.RE_NONE), "str", 0.2, d.constant("re.none"), to="RegLan", is_constant=True),
    "re.++": op("RegLan+ -> RegLan", m.on_values(strings.re_concat), "str", 2.0, sheds=True),
    "re.union": op("RegLan+ -> RegLan", m.on_values(strings.re_union), "str", 1.5, sheds=True),
    "re.inter": op("RegLan+ -> RegLan", m.on_values(strings.re_inter), "str", 0.8, sheds=True),
    "re.diff": op("RegLan+ -> RegLan", m.on_values(strings.re_diff), "str", 0.6),
    "re.*": op("RegLan -> RegLan", m.on_values(strings.re_star), "str", 1.0),
    "re.+": op("RegLan -> RegLan", m.on_values(strings.re_plus), "str", 1.0),
    "re.opt": op("RegLan -> RegLan", m.on_values(strings.re_opt), "str", 1.0),
    "re.comp": op("RegLan -> RegLan", m.on_values(strings.re_comp), "str", 0.7),
    "re.range": op("String String -> RegLan", m.on_values(strings.re_range), "str", 0.8, d.ranged),
    "re.loop": op(s.regex, m.on_values(strings.re_loop), "str", 0.6, d.looped, to="RegLan", indices=2),
    "re.^": op(s.regex, m.on_values(strings.re_power), "str", 0.4, d.powered, to="RegLan", indices=1),
    # arrays
    "store": op(s.store, None, "array", 3.0, d.stored, to="Array", role=STRUCTURE),
    "const": op("", None, "array", 0.3, d.constant_array, to="Array"),
    # datatypes
    "constructor": op("", None, "dt", 2.0, d.constructed, is_apt=d.is_datatype, to="D"),
    # results of any sort
    "ite": op("Bool A A -> A", lambda t, i, v: v[1] if v[0] else v[2], "", 1.5, role=CONNECTIVE),
    "select": op(s.select, None, "array", 1.5, d.selected, to="A", role=STRUCTURE),
    "apply": op("", None, "uf", 2.0, d.applied, is_apt=d.has_function, to="A"),
    "selector": op("", None, "dt", 1.5, d.picked, to="A"),
    # literals
    **{str(v).lower(): op("", m.constant(v), to="Bool", is_constant=True, role=CONNECTIVE) for v in (True, False)},
    **{v: op("", m.constant(v), to="RoundingMode", is_constant=True, role=LITERAL) for v in ROUNDING},
    # read and evaluated, not drawn
    "bvredor": op("B -> Bit", lambda t, i, v: int(v[0] != 0)),
    "bvredand": op("B -> Bit", m.redand),
    "fp.to_real": op("F -> Real", f.of_format(floats.to_real)),
    "fp": op(s.triple, f.triple, role=OBSERVER),
    "fp.to_ieee_bv": op(s.to_ieee_bv, f.of_format(floats.to_ieee_bv)),
    "to_fp_unsigned": op(s.to_fp_unsigned, f.from_unsigned, indices=2),
    "^": op("", m.power),
}
KINDS: Mapping[str, Callable[[str], bool]] = {"B": is_bv, "F": is_fp, "Array": is_array}
RESULTS = ("Bool", "N", "Int", "Real", "B", "F", "String", "RegLan", "Array", "D")


def result(row: Operator) -> str:
    """The sort of a row's result, or the letter of a kind of sorts; D: datatypes, A: whatever is wanted."""
    told = row.to or (row.signature.partition(" -> ")[2] if isinstance(row.signature, str) else "")
    return "B" if told == "Bit" else told


def plainer(name: str) -> Sequence[str]:
    """The operators that are plainer than this one and can stand in its place, the next plainer one first."""
    found: list[str] = []
    while name in OPERATORS and OPERATORS[name].plainer:
        name = OPERATORS[name].plainer
        found.append(name)
    return found


@functools.cache
def forms(kind: str) -> Sequence[Form]:
    """The ways to draw a result of a kind."""
    found = []
    for name, row in OPERATORS.items():
        if row.weight and result(row) == kind:
            make = row.make or d.by(name, str(row.signature))
            found.append(Form(row.of or name, row.theories, row.weight, make, row.is_apt))
    return found


@functools.cache
def of(sort: str) -> Sequence[Form]:
    """The forms whose result has a sort."""
    if sort == "RegLan":
        return forms(sort)
    if sort == "RoundingMode":
        return ()
    numbers = forms("N") if sort in ("Int", "Real") else ()
    kind = next((k for k, holds in KINDS.items() if holds(sort)), "D")
    own = forms(sort) or forms(kind)
    return [*numbers, *own, *forms("A")]

"""The forms that random terms take: for each sort of result, operators with the sorts of their arguments, theories and
weights."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gainsay.families.smt.language.ir import Term
from gainsay.families.smt.language.sorts import array_of, float_of, is_array, is_bv, is_fp, width

if TYPE_CHECKING:
    from gainsay.families.smt.drawing.expressions import Grower

Make = Callable[["Grower", str, int], Term | None]
DECIMALS = (
    "0.0",
    "1.0",
    "0.5",
    "0.1",
    "2.0",
    "1.75",
    "3.3",
    "7.0",
    "100.0",
    "0.015625",
    "65504.0",
    "0.0000001",
)  # no sign, no quotient: all read these


class Form(NamedTuple):
    """`op` is also the name under which a solver is asked whether it has it."""

    op: str
    theories: frozenset[str]
    weight: float
    make: Make
    is_apt: Callable[[Grower, str], bool] = lambda grower, sort: True


# --- makers -----------------------------------------------------------------------------------------------------------


def fixed(op: str, *sorts: str) -> Make:
    """An operator whose arguments have these sorts; `=` stands for the sort of the result."""
    return lambda g, sort, fuel: Term(op, g.several((sort if s == "=" else s for s in sorts), fuel), sort)


def alike(op: str, wanted: Callable[[str], bool], count: int = 2) -> Make:
    """A predicate on arguments of one sort."""

    def make(g: Grower, sort: str, fuel: int) -> Term | None:
        chosen = g.any_sort(wanted)
        return Term(op, g.several([chosen] * count, fuel), "Bool") if chosen else None

    return make


def guard(g: Grower, sort: str, fuel: int) -> Term | None:
    """A constant against a literal, as conditions in programs are: (= x 3), (bvult x #b10)"""
    chosen = g.any_sort(lambda s: s != "Bool" and (is_bv(s) or s in ("Int", "Real", "String")))
    if chosen is None:
        return None
    order = (
        ("bvult", "bvule", "bvsgt", "bvsge")
        if is_bv(chosen)
        else ("<", "<=", ">", ">=")
        if is_number(chosen)
        else ("=", "distinct")
    )
    literal = g.literal(chosen)
    assert literal is not None
    return Term(g.draw.pick(("=", "=", "distinct", *order)), (g.leaf(chosen), literal))


def is_number(sort: str) -> bool:
    return sort in ("Int", "Real")


def is_equated(sort: str) -> bool:
    return sort != "RegLan"


def product(g: Grower, sort: str, fuel: int) -> Term | None:
    """a * b; in a linear logic one of them is a constant."""
    one = g.literal(sort) if g.logic.is_linear else g.term(sort, fuel)
    assert one is not None
    return Term("*", (one, g.term(sort, fuel)), sort)


def divided(op: str) -> Make:
    def make(g: Grower, sort: str, fuel: int) -> Term | None:
        is_constant = g.logic.is_linear or g.draw.coin(0.6) or not g.has("division by terms")
        by = g.literal(sort) if is_constant else g.term(sort, fuel)
        if by is None or (is_constant and by.op in ("0", "0.0")):
            return None
        return Term(op, (g.term(sort, fuel), by), sort)

    return make


def extract(g: Grower, sort: str, fuel: int) -> Term | None:
    bits = width(sort)
    source = g.any_sort(lambda s: is_bv(s) and width(s) >= bits)
    if source is None:
        return None
    low = g.draw.below(width(source) - bits + 1)
    return Term(f"(_ extract {low + bits - 1} {low})", (g.term(source, fuel),), sort)


def concat(g: Grower, sort: str, fuel: int) -> Term | None:
    bits = width(sort)
    if bits < 2:
        return None
    first = g.draw.between(1, bits - 1)
    return Term("concat", (g.words(first, fuel), g.words(bits - first, fuel)), sort)


def extended(op: str) -> Make:
    def make(g: Grower, sort: str, fuel: int) -> Term | None:
        bits = width(sort)
        source = g.any_sort(lambda s: is_bv(s) and width(s) <= bits)
        return Term(f"(_ {op} {bits - width(source)})", (g.term(source, fuel),), sort) if source else None

    return make


def repeated(g: Grower, sort: str, fuel: int) -> Term | None:
    bits = width(sort)
    parts = [n for n in (1, 2, 3, 4) if bits % n == 0]
    times = g.draw.pick(parts)
    return Term(f"(_ repeat {times})", (g.words(bits // times, fuel),), sort)


def rotated(op: str) -> Make:
    return lambda g, sort, fuel: Term(f"(_ {op} {g.draw.below(width(sort) + 2)})", (g.term(sort, fuel),), sort)


def one_bit(op: str, count: int) -> Make:
    def make(g: Grower, sort: str, fuel: int) -> Term | None:
        source = g.bv_sort()
        return Term(op, g.several([source] * count, fuel), sort) if source else None

    return make


def bit(g: Grower, sort: str, fuel: int) -> Term | None:
    """A formula as a word of one bit, as those who translate programs write it: (ite p #b1 #b0)"""
    return Term("ite", (g.term("Bool", fuel), Term("#b1", (), sort), Term("#b0", (), sort)), sort)


def is_set(g: Grower, sort: str, fuel: int) -> Term | None:
    """And back: (= #b1 t)"""
    one = "(_ BitVec 1)"
    return Term("=", (Term("#b1", (), one), g.words(1, fuel)))


def from_int(op: str) -> Make:
    return lambda g, sort, fuel: Term(f"(_ {op} {width(sort)})", (g.term("Int", fuel),), sort)


def of_words(op: str) -> Make:
    def make(g: Grower, sort: str, fuel: int) -> Term | None:
        source = g.bv_sort()
        return Term(op, (g.term(source, fuel),), sort) if source else None

    return make


def selected(g: Grower, sort: str, fuel: int) -> Term | None:
    source = g.any_sort(lambda s: is_array(s) and array_of(s)[1] == sort)
    return Term("select", (g.term(source, fuel), g.term(array_of(source)[0], fuel)), sort) if source else None


def stored(g: Grower, sort: str, fuel: int) -> Term | None:
    return Term("store", (g.term(sort, fuel), *g.several(array_of(sort), fuel)), sort)


def constant_array(g: Grower, sort: str, fuel: int) -> Term | None:
    inner = g.literal(array_of(sort)[1])
    # A negative number is a term, not a value, to some.
    return Term(f"(as const {sort})", (inner,), sort) if inner is not None and not inner.args else None


def applied(g: Grower, sort: str, fuel: int) -> Term | None:
    found = [d for d in g.decls if d.args and d.sort == sort]
    if not found:
        return None
    chosen = g.draw.pick(found)
    return Term(chosen.name, g.several(chosen.args, fuel), sort)


def has_function(g: Grower, sort: str) -> bool:
    return any(d.args and d.sort == sort for d in g.decls)


def constructed(g: Grower, sort: str, fuel: int) -> Term | None:
    name, fields = g.draw.pick(sorted(g.datatypes[sort].items()))
    return Term(name, g.several((s for _, s in fields), fuel), sort)


def picked(g: Grower, sort: str, fuel: int) -> Term | None:
    """A selector that gives this sort."""
    found = [(n, owner) for owner, cs in g.datatypes.items() for fields in cs.values() for n, s in fields if s == sort]
    if not found:
        return None
    name, owner = g.draw.pick(found)
    return Term(name, (g.term(owner, fuel),), sort)


def tested(g: Grower, sort: str, fuel: int) -> Term | None:
    owner = g.any_sort(lambda s: s in g.datatypes)
    if owner is None:
        return None
    name = g.draw.pick(sorted(g.datatypes[owner]))
    return Term(f"(_ is {name})", (g.term(owner, fuel),), "Bool")


def divisible(g: Grower, sort: str, fuel: int) -> Term | None:
    return Term(f"(_ divisible {g.draw.between(2, 5)})", (g.term("Int", fuel),))


def quantified(op: str) -> Make:
    return lambda g, sort, fuel: g.quantified(op, fuel)


def rounded(op: str, count: int) -> Make:
    return lambda g, sort, fuel: Term(op, (g.term("RoundingMode", 0), *g.several([sort] * count, fuel)), sort)


def to_float(g: Grower, sort: str, fuel: int) -> Term | None:
    """A float from another format, from a word as a number, from its bits, or from a rational constant."""
    eb, sb = float_of(sort)
    op = f"(_ to_fp {eb} {sb})"
    mode = g.term("RoundingMode", 0)
    bits = f"(_ BitVec {eb + sb})"
    how = g.draw.below(4)
    if how == 0 and "bv" in g.logic.theories:
        return Term(op, (g.words(eb + sb, fuel),), sort) if bits in g.sorts else None
    if how == 1:
        source = g.fp_sort()
        return Term(op, (mode, g.term(source, fuel)), sort) if source and source != sort else None
    if how == 2 and "bv" in g.logic.theories:
        word_sort = g.bv_sort()
        name = op if g.draw.coin() else f"(_ to_fp_unsigned {eb} {sb})"
        return Term(name, (mode, g.term(word_sort, fuel)), sort) if word_sort else None
    return Term(op, (mode, Term(g.draw.pick(DECIMALS), (), "Real")), sort)


def from_float(op: str) -> Make:
    def make(g: Grower, sort: str, fuel: int) -> Term | None:
        source = g.fp_sort()
        return (
            Term(f"(_ {op} {width(sort)})", (g.term("RoundingMode", 0), g.term(source, fuel)), sort) if source else None
        )

    return make


def looped(g: Grower, sort: str, fuel: int) -> Term | None:
    low = g.draw.below(3)
    return Term(f"(_ re.loop {low} {low + g.draw.below(3)})", (g.term("RegLan", fuel),), "RegLan")


def powered(g: Grower, sort: str, fuel: int) -> Term | None:
    return Term(f"(_ re.^ {g.draw.below(4)})", (g.term("RegLan", fuel),), "RegLan")


def ranged(g: Grower, sort: str, fuel: int) -> Term:
    one, two = sorted(g.draw.pick("abAB01") for _ in range(2))
    return Term("re.range", (Term(f'"{one}"', (), "String"), Term(f'"{two}"', (), "String")), "RegLan")


def plain_regex(g: Grower, sort: str, fuel: int) -> Term | None:
    literal = g.literal("String")
    inner = literal if g.draw.coin(0.9) else g.term("String", fuel)
    assert inner is not None
    return Term("str.to_re", (inner,), "RegLan")


# --- tables -----------------------------------------------------------------------------------------------------------


def form(op: str, theories: str, weight: float, make: Make, is_apt: Callable[[Any, str], bool] | None = None) -> Form:
    return Form(op, frozenset(theories.split()), weight, make, is_apt or Form._field_defaults["is_apt"])


def rows(theories: str, weight: float, makers: Iterable[tuple[str, Make]]) -> list[Form]:
    return [form(op, theories, weight, make) for op, make in makers]


COMMON = [
    form("ite", "", 1.5, fixed("ite", "Bool", "=", "=")),
    form("select", "array", 1.5, selected),
    form("apply", "uf", 2.0, applied, has_function),
    form("selector", "dt", 1.5, picked),
]
WORD_TESTS = ("bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge")
OVERFLOWS = ("bvuaddo", "bvsaddo", "bvumulo", "bvsmulo", "bvusubo", "bvssubo", "bvsdivo")
FLOAT_TESTS = ("fp.leq", "fp.lt", "fp.geq", "fp.gt", "fp.eq")
FLOAT_CLASSES = (
    "fp.isNormal",
    "fp.isSubnormal",
    "fp.isZero",
    "fp.isInfinite",
    "fp.isNaN",
    "fp.isNegative",
    "fp.isPositive",
)
BOOL = [
    form("not", "", 1.5, fixed("not", "Bool")),
    form("guard", "", 2.0, guard),
    *rows("", 1.0, [(op, fixed(op, "Bool", "Bool")) for op in ("and", "or", "xor", "=>")]),
    form("and", "", 0.7, fixed("and", "Bool", "Bool", "Bool")),
    form("or", "", 0.7, fixed("or", "Bool", "Bool", "Bool")),
    form("=", "", 3.0, alike("=", is_equated)),
    form("=", "", 0.3, alike("=", is_equated, 3)),
    form("distinct", "", 0.8, alike("distinct", is_equated)),
    form("distinct", "", 0.4, alike("distinct", is_equated, 3)),
    *[
        form(op, "", 1.2, alike(op, is_number), lambda g, s: any(map(is_number, g.sorts)))
        for op in ("<", "<=", ">", ">=")
    ],
    form("divisible", "int", 0.3, divisible),
    form("is_int", "int real", 0.5, fixed("is_int", "Real")),
    *rows("bv", 0.7, [(op, alike(op, is_bv)) for op in WORD_TESTS]),
    form("=", "bv", 1.5, is_set),
    *rows("bv", 0.15, [(op, alike(op, is_bv)) for op in OVERFLOWS]),
    form("bvnego", "bv", 0.15, alike("bvnego", is_bv, 1)),
    *rows("fp", 0.9, [(op, alike(op, is_fp)) for op in FLOAT_TESTS]),
    *rows("fp", 0.4, [(op, alike(op, is_fp, 1)) for op in FLOAT_CLASSES]),
    *rows(
        "str",
        0.8,
        [
            (op, fixed(op, "String", "String"))
            for op in ("str.<", "str.<=", "str.prefixof", "str.suffixof", "str.contains")
        ],
    ),
    form("str.is_digit", "str", 0.3, fixed("str.is_digit", "String")),
    form("str.in_re", "str", 3.0, fixed("str.in_re", "String", "RegLan")),
    form("is", "dt", 1.5, tested),
    form("forall", "quant", 1.5, quantified("forall")),
    form("exists", "quant", 1.5, quantified("exists")),
]
NUMBER = [
    form("+", "", 2.0, fixed("+", "=", "=")),
    form("+", "", 0.5, fixed("+", "=", "=", "=")),
    form("-", "", 1.5, fixed("-", "=", "=")),
    form("-", "", 0.5, fixed("-", "=")),
    form("*", "", 1.5, product),
]
INT = [
    *NUMBER,
    form("div", "int", 0.8, divided("div")),
    form("mod", "int", 0.8, divided("mod")),
    form("abs", "int", 0.4, fixed("abs", "=")),
    form("to_int", "int real", 0.8, fixed("to_int", "Real")),
    form("str.len", "str int", 2.0, fixed("str.len", "String")),
    form("str.indexof", "str int", 1.0, fixed("str.indexof", "String", "String", "Int")),
    form("str.to_code", "str int", 0.6, fixed("str.to_code", "String")),
    form("str.to_int", "str int", 0.8, fixed("str.to_int", "String")),
    form("ubv_to_int", "bv int", 0.5, of_words("ubv_to_int")),
    form("sbv_to_int", "bv int", 0.5, of_words("sbv_to_int")),
    form("bv2nat", "bv int", 0.5, of_words("bv2nat")),
]
REAL = [*NUMBER, form("/", "real", 0.8, divided("/")), form("to_real", "int real", 1.0, fixed("to_real", "Int"))]
WORD = [
    *rows(
        "bv",
        1.0,
        [
            (op, fixed(op, "=", "="))
            for op in ("bvand", "bvor", "bvxor", "bvadd", "bvsub", "bvmul", "bvshl", "bvlshr", "bvashr")
        ],
    ),
    *rows(
        "bv",
        0.5,
        [
            (op, fixed(op, "=", "="))
            for op in ("bvnand", "bvnor", "bvxnor", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod")
        ],
    ),
    *rows("bv", 0.8, [(op, fixed(op, "=")) for op in ("bvnot", "bvneg")]),
    form("extract", "bv", 1.5, extract),
    form("concat", "bv", 1.0, concat, lambda g, s: width(s) > 1),
    form("zero_extend", "bv", 0.8, extended("zero_extend")),
    form("sign_extend", "bv", 0.8, extended("sign_extend")),
    form("repeat", "bv", 0.2, repeated),
    form("rotate_left", "bv", 0.3, rotated("rotate_left")),
    form("rotate_right", "bv", 0.3, rotated("rotate_right")),
    form("bvcomp", "bv", 1.5, one_bit("bvcomp", 2), lambda g, s: width(s) == 1),
    form("ite", "bv", 2.5, bit, lambda g, s: width(s) == 1),
    form("int_to_bv", "bv int", 0.5, from_int("int_to_bv")),
    form("int2bv", "bv int", 0.5, from_int("int2bv")),
    form("fp.to_ubv", "bv fp", 0.6, from_float("fp.to_ubv")),
    form("fp.to_sbv", "bv fp", 0.6, from_float("fp.to_sbv")),
]
FLOAT = [
    *rows("fp", 1.5, [(op, rounded(op, 2)) for op in ("fp.add", "fp.sub", "fp.mul")]),
    form("fp.div", "fp", 0.8, rounded("fp.div", 2)),
    form("fp.fma", "fp", 0.4, rounded("fp.fma", 3)),
    form("fp.sqrt", "fp", 0.4, rounded("fp.sqrt", 1)),
    form("fp.rem", "fp", 0.2, fixed("fp.rem", "=", "=")),
    form("fp.roundToIntegral", "fp", 0.7, rounded("fp.roundToIntegral", 1)),
    *rows("fp", 0.6, [(op, fixed(op, "=", "=")) for op in ("fp.min", "fp.max")]),
    *rows("fp", 0.6, [(op, fixed(op, "=")) for op in ("fp.abs", "fp.neg")]),
    form("to_fp", "fp", 2.0, to_float),
]
STRING = [
    form("str.++", "str", 2.5, fixed("str.++", "=", "=")),
    form("str.++", "str", 0.7, fixed("str.++", "=", "=", "=")),
    form("str.at", "str int", 1.2, fixed("str.at", "=", "Int")),
    form("str.substr", "str int", 1.5, fixed("str.substr", "=", "Int", "Int")),
    form("str.replace", "str", 1.5, fixed("str.replace", "=", "=", "=")),
    form("str.replace_all", "str", 0.5, fixed("str.replace_all", "=", "=", "=")),
    form("str.replace_re", "str", 0.4, fixed("str.replace_re", "=", "RegLan", "=")),
    form("str.replace_re_all", "str", 0.3, fixed("str.replace_re_all", "=", "RegLan", "=")),
    form("str.from_int", "str int", 0.6, fixed("str.from_int", "Int")),
    form("str.from_code", "str int", 0.5, fixed("str.from_code", "Int")),
]
REGEX = [
    form("str.to_re", "str", 3.0, plain_regex),
    form("re.allchar", "str", 0.8, lambda g, s, f: Term("re.allchar", (), s)),
    form("re.all", "str", 0.4, lambda g, s, f: Term("re.all", (), s)),
    form("re.none", "str", 0.2, lambda g, s, f: Term("re.none", (), s)),
    form("re.++", "str", 2.0, fixed("re.++", "=", "=")),
    form("re.union", "str", 1.5, fixed("re.union", "=", "=")),
    form("re.inter", "str", 0.8, fixed("re.inter", "=", "=")),
    form("re.diff", "str", 0.6, fixed("re.diff", "=", "=")),
    *rows("str", 1.0, [(op, fixed(op, "=")) for op in ("re.*", "re.+", "re.opt")]),
    form("re.comp", "str", 0.7, fixed("re.comp", "=")),
    form("re.range", "str", 0.8, ranged),
    form("re.loop", "str", 0.6, looped),
    form("re.^", "str", 0.4, powered),
]
ARRAY = [form("store", "array", 3.0, stored), form("const", "array", 0.3, constant_array)]
DATATYPE = [form("constructor", "dt", 2.0, constructed, lambda g, s: s in g.datatypes)]
TABLES: Mapping[str, Sequence[Form]] = {"Bool": BOOL, "Int": INT, "Real": REAL, "String": STRING}


@functools.cache
def of(sort: str) -> Sequence[Form]:
    """The forms whose result has a sort."""
    if sort == "RegLan":
        return REGEX
    if sort == "RoundingMode":
        return ()
    own = TABLES.get(sort) or (WORD if is_bv(sort) else FLOAT if is_fp(sort) else ARRAY if is_array(sort) else DATATYPE)
    return [*own, *COMMON]


def operators() -> Iterable[Form]:
    """Every form once, by operator."""
    seen: dict[str, Form] = {}
    for table in (BOOL, INT, REAL, WORD, FLOAT, STRING, REGEX, ARRAY, DATATYPE, COMMON):
        for one in table:
            seen.setdefault(one.op, one)
    return seen.values()

"""How random terms are made: for an operator, its arguments; or an idiom, as those who translate programs write it.

A maker gets the grower, the sort of the result, and how much may still be spent on arguments. It gives nothing where
the scene has not what it needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

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


KINDS: dict[str, Callable[[str], bool]] = {
    "A": lambda sort: is_equated(sort),
    "B": is_bv,
    "F": is_fp,
    "N": lambda sort: is_number(sort),
}


def by(op: str, signature: str) -> Make:
    """The maker that a signature tells: as few arguments as it allows, each of its sort."""
    wanted, _, result = signature.partition(" -> ")
    args = wanted.split()
    last = args[-1].rstrip("+")
    if args[-1] != last:
        args = [last, last] if len(args) == 1 else [*args[:-1], last]
    if args[0] == "RoundingMode":
        return rounded(op, len(args) - 1)
    letter = next((a for a in args if a in KINDS), None)
    if letter is not None and letter != result:
        return alike(op, KINDS[letter], len(args))
    return fixed(op, *("=" if a == result else a for a in args))


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


def constant(op: str) -> Make:
    return lambda g, sort, fuel: Term(op, (), sort)


# --- when a maker is apt ----------------------------------------------------------------------------------------------


def always(g: Any, sort: str) -> bool:
    return True


def has_numbers(g: Grower, sort: str) -> bool:
    return any(map(is_number, g.sorts))


def is_wide(g: Grower, sort: str) -> bool:
    return width(sort) > 1


def is_bit(g: Grower, sort: str) -> bool:
    return width(sort) == 1


def is_datatype(g: Grower, sort: str) -> bool:
    return sort in g.datatypes

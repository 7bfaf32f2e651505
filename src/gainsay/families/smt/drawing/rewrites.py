"""Equivalences: rewrites of a subterm that keep its value in every model.
Each names its rule, its place, and a term of the rule's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gainsay.core.draw import Draw
from gainsay.core.tree import Node
from gainsay.families.smt.drawing.expressions import Grower
from gainsay.families.smt.language.ir import Term
from gainsay.families.smt.language.sorts import array_of, is_array, is_bv, is_fp, width
from gainsay.families.smt.meaning.semantics import number, term_of

Rule = Callable[[Term, Term | None], Term | None]
TRUE, FALSE = Term("true"), Term("false")
FLIPPED: Mapping[str, str] = {
    "<": ">", "<=": ">=", ">": "<", ">=": "<=", "bvult": "bvugt", "bvule": "bvuge", "bvugt": "bvult",
    "bvuge": "bvule", "bvslt": "bvsgt",
    "bvsle": "bvsge", "bvsgt": "bvslt", "bvsge": "bvsle", "fp.lt": "fp.gt", "fp.leq": "fp.geq", "fp.gt": "fp.lt",
    "fp.geq": "fp.leq",
}  # fmt: skip
NEGATED: Mapping[str, str] = {
    "<": ">=", "<=": ">", ">": "<=", ">=": "<", "bvult": "bvuge", "bvule": "bvugt", "bvugt": "bvule",
    "bvuge": "bvult", "bvslt": "bvsge",
    "bvsle": "bvsgt", "bvsgt": "bvsle", "bvsge": "bvslt",
}  # fmt: skip
COMMUTATIVE = frozenset({
    "and", "or", "xor", "=", "distinct", "+", "*", "bvand", "bvor", "bvxor", "bvadd", "bvmul", "bvnand", "bvnor",
    "bvxnor", "bvcomp", "fp.eq",
    "re.union", "re.inter",
})  # fmt: skip


class Rewrite(Node, frozen=True):
    """A rule that is applied at a place in a formula; `extra` is a term that it brings in."""

    path: tuple[int, ...]
    rule: str
    extra: Term | None = None


def app(op: str, *args: Term, sort: str = "Bool") -> Term:
    return Term(op, args, sort)


def like(t: Term, op: str, *args: Term) -> Term:
    return Term(op, args, t.sort)


def not_(t: Term) -> Term:
    return app("not", t)


def numeral(value: int, sort: str) -> Term:
    from fractions import Fraction

    return number(Fraction(value), sort)


def zero_word(t: Term, value: int = 0) -> Term:
    found = term_of(value, t.sort)
    assert found is not None
    return found


def commuted(t: Term, extra: Term | None) -> Term | None:
    return Term(t.op, tuple(reversed(t.args)), t.sort) if t.op in COMMUTATIVE and len(t.args) > 1 else None


def flipped(t: Term, extra: Term | None) -> Term | None:
    return Term(FLIPPED[t.op], (t.args[1], t.args[0])) if t.op in FLIPPED and len(t.args) == 2 else None


def negated(t: Term, extra: Term | None) -> Term | None:
    """a < b -> not (a >= b)"""
    return not_(Term(NEGATED[t.op], t.args)) if t.op in NEGATED and len(t.args) == 2 else None


def de_morgan(t: Term, extra: Term | None) -> Term | None:
    if t.op == "and":
        return not_(Term("or", tuple(not_(a) for a in t.args)))
    return not_(Term("and", tuple(not_(a) for a in t.args))) if t.op == "or" else None


def implication(t: Term, extra: Term | None) -> Term | None:
    """a => b -> not a or b"""
    return Term("or", (not_(t.args[0]), t.args[1])) if t.op == "=>" and len(t.args) == 2 else None


def contraposed(t: Term, extra: Term | None) -> Term | None:
    return Term("=>", (not_(t.args[1]), not_(t.args[0]))) if t.op == "=>" and len(t.args) == 2 else None


def exclusive(t: Term, extra: Term | None) -> Term | None:
    """a xor b -> not (a = b)"""
    return not_(Term("=", t.args)) if t.op == "xor" and len(t.args) == 2 else None


def pairwise(t: Term, extra: Term | None) -> Term | None:
    """distinct a b -> not (a = b)"""
    return not_(Term("=", t.args)) if t.op == "distinct" and len(t.args) == 2 else None


def turned(t: Term, extra: Term | None) -> Term | None:
    """ite c a b -> ite (not c) b a"""
    return like(t, "ite", not_(t.args[0]), t.args[2], t.args[1]) if t.op == "ite" else None


def nested(t: Term, extra: Term | None) -> Term | None:
    """a + b + c -> (a + b) + c"""
    is_nested = t.op in ("and", "or", "+", "*", "str.++", "re.++") and len(t.args) > 2
    return Term(t.op, (Term(t.op, t.args[:2], t.sort), *t.args[2:]), t.sort) if is_nested else None


def both_ways(t: Term, extra: Term | None) -> Term | None:
    """t -> ite p t t"""
    return like(t, "ite", extra, t, t) if extra is not None and extra.sort == "Bool" and t.sort != "RegLan" else None


def absorbed(t: Term, extra: Term | None) -> Term | None:
    """t -> t and (t or p)"""
    return (
        app("and", t, app("or", t, extra)) if t.sort == "Bool" and extra is not None and extra.sort == "Bool" else None
    )


def absorbed_or(t: Term, extra: Term | None) -> Term | None:
    """t -> t or (t and p)"""
    return (
        app("or", t, app("and", t, extra)) if t.sort == "Bool" and extra is not None and extra.sort == "Bool" else None
    )


def equated(t: Term, extra: Term | None) -> Term | None:
    """a = b -> a <= b and b <= a, on numbers and words"""
    if t.op != "=" or len(t.args) != 2:
        return None
    one, two = t.args
    if is_bv(one.sort):
        return app("and", app("bvule", one, two), app("bvule", two, one))
    return app("and", app("<=", one, two), app(">=", one, two)) if one.sort in ("Int", "Real") else None


def word_rule(make: Callable[[Term, Term], Term]) -> Rule:
    """A rule on words with another word of the same width."""
    return lambda t, extra: make(t, extra) if is_bv(t.sort) and extra is not None and extra.sort == t.sort else None


def number_rule(make: Callable[[Term, Term], Term]) -> Rule:
    return lambda t, extra: (
        make(t, extra) if t.sort in ("Int", "Real") and extra is not None and extra.sort == t.sort else None
    )


def on(wanted: Callable[[str], bool], make: Callable[[Term], Term | None]) -> Rule:
    return lambda t, extra: make(t) if wanted(t.sort) else None


def is_bool(sort: str) -> bool:
    return sort == "Bool"


def is_string(sort: str) -> bool:
    return sort == "String"


def is_number(sort: str) -> bool:
    return sort in ("Int", "Real")


def halves(t: Term) -> Term | None:
    bits = width(t.sort)
    if bits < 2:
        return None
    cut = bits // 2
    high = app(f"(_ extract {bits - 1} {cut})", t, sort=f"(_ BitVec {bits - cut})")
    return like(t, "concat", high, app(f"(_ extract {cut - 1} 0)", t, sort=f"(_ BitVec {cut})"))


def widened(t: Term) -> Term:
    bits = width(t.sort)
    inner = app("(_ sign_extend 2)", t, sort=f"(_ BitVec {bits + 2})")
    return like(t, f"(_ extract {bits - 1} 0)", inner)


def shifted(t: Term) -> Term:
    return like(t, "bvlshr", like(t, "bvshl", t, zero_word(t)), zero_word(t))


def subtraction(t: Term, extra: Term | None) -> Term | None:
    """bvsub a b -> a + ~b + 1"""
    if t.op != "bvsub" or len(t.args) != 2:
        return None
    return like(t, "bvadd", t.args[0], like(t, "bvadd", like(t, "bvnot", t.args[1]), zero_word(t, 1)))


def doubled(t: Term, extra: Term | None) -> Term | None:
    """x << 1 is x + x, where the width allows to say 1"""
    is_shift = t.op == "bvshl" and t.args[1].op in ("#b" + "1".zfill(width(t.sort)),)
    return like(t, "bvadd", t.args[0], t.args[0]) if is_shift else None


def stored_back(t: Term, extra: Term | None) -> Term | None:
    """a -> store a i (select a i)"""
    if not is_array(t.sort) or extra is None or extra.sort != array_of(t.sort)[0]:
        return None
    return like(t, "store", t, extra, Term("select", (t, extra), array_of(t.sort)[1]))


def whole_string(t: Term) -> Term:
    return like(t, "str.substr", t, Term("0", (), "Int"), Term("str.len", (t,), "Int"))


def cut_string(t: Term) -> Term:
    one = Term("1", (), "Int")
    return like(
        t,
        "str.++",
        like(t, "str.at", t, Term("0", (), "Int")),
        like(t, "str.substr", t, one, Term("str.len", (t,), "Int")),
    )


def prefix(t: Term, extra: Term | None) -> Term | None:
    """prefixof a b -> a = substr b 0 (len a)"""
    if t.op != "str.prefixof":
        return None
    one, two = t.args
    cut = Term("str.substr", (two, Term("0", (), "Int"), Term("str.len", (one,), "Int")), "String")
    return app("=", one, cut)


def contained(t: Term, extra: Term | None) -> Term | None:
    """contains a b -> indexof a b 0 >= 0"""
    found = Term("str.indexof", (*t.args, Term("0", (), "Int")), "Int") if t.op == "str.contains" else None
    return app(">=", found, Term("0", (), "Int")) if found is not None else None


def member(t: Term, extra: Term | None) -> Term | None:
    """in_re s (union r q) -> in_re s r or in_re s q; the same for inter, comp"""
    if t.op != "str.in_re" or t.args[1].op not in ("re.union", "re.inter", "re.comp"):
        return None
    regex = t.args[1]
    parts = tuple(app("str.in_re", t.args[0], r) for r in regex.args)
    return not_(parts[0]) if regex.op == "re.comp" else Term("or" if regex.op == "re.union" else "and", parts)


def starred(t: Term, extra: Term | None) -> Term | None:
    """r+ -> r r*, r? -> union "" r"""
    if t.op == "re.+":
        return like(t, "re.++", t.args[0], like(t, "re.*", t.args[0]))
    return (
        like(t, "re.union", Term("str.to_re", (Term('""', (), "String"),), "RegLan"), t.args[0])
        if t.op == "re.opt"
        else None
    )


RULES: Mapping[str, Rule] = {
    "commute": commuted, "flip": flipped, "negate": negated, "de morgan": de_morgan, "implication": implication,
    "contrapose": contraposed,
    "exclusive": exclusive, "pairwise": pairwise, "turn": turned, "nest": nested, "ite": both_ways, "absorb": absorbed,
    "absorb or": absorbed_or, "equate": equated,
    "not not": on(is_bool, lambda t: not_(not_(t))),
    "ite true": on(is_bool, lambda t: app("ite", t, TRUE, FALSE)),
    "and true": on(is_bool, lambda t: app("and", t, TRUE)),
    "xor false": on(is_bool, lambda t: app("xor", t, FALSE)),
    "= true": on(is_bool, lambda t: app("=", t, TRUE)),
    "twice": on(is_bool, lambda t: app("or", t, t)),
    "xor xor": word_rule(lambda t, c: like(t, "bvxor", like(t, "bvxor", t, c), c)),
    "add sub": word_rule(lambda t, c: like(t, "bvsub", like(t, "bvadd", t, c), c)),
    "and or": word_rule(lambda t, c: like(t, "bvand", t, like(t, "bvor", t, c))),
    "bvnot bvnot": on(is_bv, lambda t: like(t, "bvnot", like(t, "bvnot", t))),
    "bvneg bvneg": on(is_bv, lambda t: like(t, "bvneg", like(t, "bvneg", t))),
    "bvor self": on(is_bv, lambda t: like(t, "bvor", t, t)),
    "bvadd 0": on(is_bv, lambda t: like(t, "bvadd", t, zero_word(t))),
    "bvmul 1": on(is_bv, lambda t: like(t, "bvmul", t, zero_word(t, 1))),
    "bvudiv 1": on(is_bv, lambda t: like(t, "bvudiv", t, zero_word(t, 1))),
    "halves": on(is_bv, halves), "widen": on(is_bv, widened), "shift 0": on(is_bv, shifted), "subtract": subtraction,
    "double": doubled,
    "plus minus": number_rule(lambda t, c: like(t, "-", like(t, "+", t, c), c)),
    "+ 0": on(is_number, lambda t: like(t, "+", t, numeral(0, t.sort))),
    "* 1": on(is_number, lambda t: like(t, "*", numeral(1, t.sort), t)),
    "- -": on(is_number, lambda t: like(t, "-", like(t, "-", t))),
    "store back": stored_back,
    "fp.neg fp.neg": on(is_fp, lambda t: like(t, "fp.neg", like(t, "fp.neg", t))),
    "str.++ empty": on(is_string, lambda t: like(t, "str.++", t, Term('""', (), "String"))),
    "whole string": on(is_string, whole_string), "cut string": on(is_string, cut_string),
    "prefix": prefix, "contains": contained, "member": member, "star": starred,
}  # fmt: skip
NEEDS_EXTRA: Mapping[str, str] = {
    "ite": "Bool",
    "absorb": "Bool",
    "absorb or": "Bool",
    "xor xor": "=",
    "add sub": "=",
    "and or": "=",
    "plus minus": "=",
    "store back": "index",
}
OPERATORS: Mapping[str, tuple[str, ...]] = {  # what a rule needs of the solver beyond what is in the term already
    "whole string": ("str.substr", "str.len"), "cut string": ("str.at", "str.substr", "str.len"),
    "prefix": ("str.substr", "str.len"),
    "contains": ("str.indexof",), "ite": ("ite",), "plus minus": ("-",),
}  # fmt: skip


NUMBERED = frozenset({"whole string", "cut string", "prefix", "contains"})


def at(term: Term, path: Sequence[int]) -> Term | None:
    for step in path:
        if step >= len(term.args):
            return None
        term = term.args[step]
    return term


def put(term: Term, path: Sequence[int], new: Term) -> Term:
    if not path:
        return new
    args = list(term.args)
    args[path[0]] = put(args[path[0]], path[1:], new)
    return Term(term.op, tuple(args), term.sort, term.bound)


def apply(term: Term, rewrite: Rewrite) -> Term | None:
    """A term with one subterm rewritten; None where the rule does not fit (any more)."""
    place = at(term, rewrite.path)
    new = RULES[rewrite.rule](place, rewrite.extra) if place is not None and rewrite.rule in RULES else None
    return put(term, rewrite.path, new) if new is not None and new.sort == (place.sort if place else "") else None


def places(term: Term, path: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """Every place of a term outside quantifiers, but for those that must hold a constant."""
    found = [path]
    if not term.bound and term.op not in ("re.range", "fp"):
        is_factor = term.op in ("*", "/", "div", "mod")
        for index, argument in enumerate(term.args):
            if not (is_factor and is_constant(argument)) and not (
                argument.sort == "Real" and term.op.startswith("(_ to_fp")
            ):
                found += places(argument, (*path, index))
    return found


def is_constant(term: Term) -> bool:
    """A literal, or its negation or quotient."""
    return term.op[0].isdigit() if not term.args else term.op in ("-", "/") and all(map(is_constant, term.args))


def propose(
    draw: Draw, term: Term, grower: Grower, has: Callable[[str], bool], count: int
) -> tuple[tuple[Rewrite, ...], Term]:
    """Some rewrites of a term, one after the other, and what they make of it."""
    found: list[Rewrite] = []
    names = list(RULES)
    for _ in range(4 * count):
        if len(found) == count:
            break
        path = draw.pick(places(term))
        rule = draw.pick(names)
        place = at(term, path)
        if place is None or not all(has(op) for op in OPERATORS.get(rule, ())):
            continue
        if rule in NUMBERED and "int" not in grower.logic.theories:
            continue  # the logic has strings, but no numbers to measure them
        if grower.logic.is_difference and place.sort != "Bool":
            continue  # anything but a variable would leave the logic
        extra = extra_for(rule, place, grower)
        rewrite = Rewrite(path, rule, extra)
        made = apply(term, rewrite)
        if made is not None:
            term = made
            found.append(rewrite)
    return tuple(found), term


def extra_for(rule: str, place: Term, grower: Grower) -> Term | None:
    wanted = NEEDS_EXTRA.get(rule)
    if wanted is None or place.sort == "RegLan":
        return None
    if wanted == "index":
        return grower.term(array_of(place.sort)[0], 1) if is_array(place.sort) else None
    sort = place.sort if wanted == "=" else wanted
    return grower.term(sort, 1) if sort != "Bool" or not grower.logic.is_difference else grower.difference(0)

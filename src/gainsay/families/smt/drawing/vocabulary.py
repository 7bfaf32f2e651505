"""Random vocabularies: the sorts, constants and functions of a scene, and a model of them.
The model comes first; formulas are valued under it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from gainsay.core.draw import Draw
from gainsay.families.smt.drawing import literals
from gainsay.families.smt.language.ir import Decl
from gainsay.families.smt.language.logics import LOGICS
from gainsay.families.smt.language.sorts import FLOATS, array_of, is_array
from gainsay.families.smt.meaning.semantics import Array, Datatypes, Function, array
from gainsay.families.smt.meaning.values import Undetermined

SMALL = (1, 1, 2, 2, 3, 4)
# Rarely: multiplication is hard there, and what is wrong is mostly wrong for small words too
LARGE = (5, 6, 7, 8, 8, 8, 12, 16, 32)
# Small ones, two standard ones, and one with a fraction that is long for its exponent.
FORMATS = tuple(f"(_ FloatingPoint {eb} {sb})" for eb, sb in ((3, 4), (2, 3), (4, 5), (5, 11), (8, 24), (2, 11)))
ELEMENTS = 3  # of an uninterpreted sort


class Vocabulary(NamedTuple):
    """The symbols of a scene, with what must be declared before them."""

    decls: tuple[Decl, ...]
    prelude: tuple[str, ...]
    datatypes: Datatypes
    sorts: tuple[str, ...]
    model: Mapping[str, Any]


def datatypes(element: str) -> tuple[tuple[str, ...], Datatypes]:
    """An enumeration, a pair and a list."""
    texts = (
        "(declare-datatypes ((E 0)) (((red) (green) (blue))))",
        "(declare-datatypes ((P 0)) (((pair (first Bool) (second E)))))",
        f"(declare-datatypes ((L 0)) (((nil) (cons (head {element}) (tail L)))))",
    )
    table: Datatypes = {
        "E": {"red": (), "green": (), "blue": ()},
        "P": {"pair": (("first", "Bool"), ("second", "E"))},
        "L": {"nil": (), "cons": (("head", element), ("tail", "L"))},
    }
    return texts, table


def basic_sorts(draw: Draw, theories: frozenset[str], has: Callable[[str], bool]) -> list[str]:
    """The sorts of a scene, but for arrays."""
    sorts = ["Bool"]
    if "bv" in theories:
        widths = dict.fromkeys(draw.pick(LARGE) if draw.coin(0.1) else draw.pick(SMALL) for _ in range(3))
        sorts += [f"(_ BitVec {w})" for w in widths]
    if "fp" in theories:
        formats = [f for f in FORMATS if has(f)]
        # A solver decides ten of these in the time of one of the others
        small = [f for f in formats if f not in FLOATS.values()] or formats[:1]
        sorts += [*dict.fromkeys(draw.pick(small if draw.coin(0.8) else formats) for _ in range(2)), "RoundingMode"]
    for theory, name in (("int", "Int"), ("real", "Real"), ("str", "String"), ("sort", "U")):
        if theory in theories:
            sorts.append(name)
    return sorts


def draw_vocabulary(draw: Draw, logic: str, has: Callable[[str], bool]) -> Vocabulary:
    """Draw sorts and symbols for a logic."""
    theories = LOGICS[logic].theories
    if len(theories) > 4:  # all of them at once would meet each other rarely
        theories = frozenset(draw.sample(sorted(theories), 3))
    sorts = basic_sorts(draw, theories, has)
    prelude: list[str] = ["(declare-sort U 0)"] if "U" in sorts else []
    table: Datatypes = {}
    if "dt" in theories:
        texts, table = datatypes(next((s for s in sorts if s in ("Int", "Real", "String")), "E"))
        prelude += texts
        sorts += list(table)
    if "array" in theories:
        plain = [s for s in sorts if s not in ("Bool", "RoundingMode")] or sorts
        sorts.append(f"(Array {draw.pick([s for s in plain if s not in table] or ['Bool'])} {draw.pick(plain)})")
    names = iter("abcdefghijklmnopqrstuvwxyz")
    decls = [Decl(f"{next(names)}{n}" if n else next(names), sort) for sort in sorts for n in range(1)]
    decls += [
        Decl(f"{d.name}{n}", d.sort)
        for d in decls
        for n in range(1, 2 + draw.below(2))
        if d.sort != "RoundingMode" or n == 1
    ]
    if "uf" in theories:
        usable = [s for s in sorts if s != "RoundingMode" and not is_array(s)]
        for n in range(draw.between(1, 3)):
            decls.append(Decl(f"f{n}_", draw.pick(usable), tuple(draw.pick(usable) for _ in range(draw.between(1, 2)))))
    model = {d.name: interpretation(draw, d, table) for d in decls}
    return Vocabulary(tuple(decls), tuple(prelude), table, tuple(sorts), model)


def interpretation(draw: Draw, decl: Decl, table: Datatypes) -> Any:
    if not decl.args:
        return value(draw, decl.sort, table)
    entries = {
        tuple(value(draw, s, table) for s in decl.args): value(draw, decl.sort, table) for _ in range(draw.below(4))
    }
    return Function(entries, value(draw, decl.sort, table))


def interpretations(draw: Draw, decls: Sequence[Decl], table: Datatypes) -> dict[str, Any]:
    """A random model of declared symbols; without those whose sorts have no small values."""
    model: dict[str, Any] = {}
    for decl in decls:
        try:
            model[decl.name] = interpretation(draw, decl, table)
        except Undetermined:
            continue
    return model


def value(draw: Draw, sort: str, table: Datatypes, fuel: int = 3) -> Any:
    """Draw a value of a sort; `fuel` is how deep a datatype's may get."""
    found = literals.value(draw, sort)
    if found is not None:
        return found
    if is_array(sort):
        return array_value(draw, sort, table)
    if sort in table:
        plain = {c: sum(s in table for _, s in fields) for c, fields in table[sort].items()}
        usable = sorted(c for c in plain if fuel > 0 or plain[c] == min(plain.values()))
        if fuel < -8:
            raise Undetermined  # its values are large, or there are none
        name = draw.pick(usable)
        return (name, *(value(draw, s, table, fuel - 1) for _, s in table[sort][name]))
    return f"{sort}!{draw.below(ELEMENTS)}"


def array_value(draw: Draw, sort: str, table: Datatypes) -> Array:
    index, element = array_of(sort)
    entries = {value(draw, index, table): value(draw, element, table) for _ in range(draw.below(3))}
    return array(index, value(draw, element, table), entries)

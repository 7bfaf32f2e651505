"""Sorts are text, as SMT-LIB writes them with single blanks. What they are made of is looked up here."""

from __future__ import annotations

import re
from functools import cache

from gainsay.families.smt.language.sexpr import Expr, SmtError, parse_one, show

FLOATS = {
    "Float16": "(_ FloatingPoint 5 11)",
    "Float32": "(_ FloatingPoint 8 24)",
    "Float64": "(_ FloatingPoint 11 53)",
    "Float128": "(_ FloatingPoint 15 113)",
}
BUILT_IN = frozenset({"Bool", "Int", "Real", "String", "RegLan", "RoundingMode"})


def is_bv(sort: str) -> bool:
    return sort.startswith("(_ BitVec ")


def is_fp(sort: str) -> bool:
    return sort.startswith("(_ FloatingPoint ")


def is_array(sort: str) -> bool:
    return sort.startswith("(Array ")


@cache
def bv(bits: int) -> str:
    return f"(_ BitVec {bits})"


@cache
def fp(exponent: int, significand: int) -> str:
    return f"(_ FloatingPoint {exponent} {significand})"


def array(index: str, element: str) -> str:
    return f"(Array {index} {element})"


@cache
def width(sort: str) -> int:
    """How many bits a bit-vector has."""
    if not is_bv(sort):
        raise SmtError(f"{sort} is no sort of bit-vectors")
    return int(sort[10:-1])


@cache
def float_of(sort: str) -> tuple[int, int]:
    """Bits of the exponent, and of the significand with the hidden one."""
    if not is_fp(sort):
        raise SmtError(f"{sort} is no sort of floating-point numbers")
    exponent, significand = sort[17:-1].split()
    return int(exponent), int(significand)


@cache
def array_of(sort: str) -> tuple[str, str]:
    """The sorts of index and element."""
    parts = parse_one(sort) if is_array(sort) else ()
    if len(parts) != 3:
        raise SmtError(f"{sort} is no sort of arrays")
    return show(parts[1]), show(parts[2])


Bound = tuple[tuple[str, str], ...]
Datatypes = dict[str, dict[str, Bound]]  # datatype -> constructor -> selectors and their sorts


def is_real_only(logic: str) -> bool:
    """Whether numerals of a logic are Reals, because it has no Int."""
    return bool(re.search(r"[LN]RA|RDL", logic)) and not re.search(r"I(RA|A|DL)", logic)


class SortTable:
    """The sorts of a script: declared ones, defined ones, datatypes."""

    def __init__(self, is_lenient: bool = False) -> None:
        self.declared: dict[str, int] = {}
        self.defined: dict[str, tuple[tuple[str, ...], Expr]] = {}
        self.datatypes: Datatypes = {}
        self.is_lenient = is_lenient  # models name sorts that only their script declares

    def copy(self) -> SortTable:
        new = SortTable(self.is_lenient)
        new.declared, new.defined, new.datatypes = dict(self.declared), dict(self.defined), dict(self.datatypes)
        return new

    def read(self, expr: Expr) -> str:
        """A sort as text, with defined sorts replaced."""
        head, *rest = (expr,) if isinstance(expr, str) else expr or ("()",)
        if not isinstance(head, str):
            raise SmtError(f"unknown sort {show(expr)}")
        if head in self.defined:
            params, body = self.defined[head]
            if len(params) == len(rest):
                return self.read(_substituted(body, dict(zip(params, rest, strict=True))))
        elif head == "_":
            if (
                len(rest) > 1
                and (rest[0], len(rest)) in (("BitVec", 2), ("FloatingPoint", 3))
                and all(map(_is_size, rest[1:]))
            ):
                return show(expr)
        elif head in FLOATS and not rest:
            return FLOATS[head]
        elif (head, *rest) == ("RegEx", "String"):
            return "RegLan"
        elif self.arity(head) == len(rest):
            return f"({head} {' '.join(map(self.read, rest))})" if rest else head
        raise SmtError(f"unknown sort {show(expr)}")

    def read_variables(self, expr: Expr) -> list[tuple[str, str]]:
        """The variables that a quantifier or a definition lists."""
        pairs = [(str(v[0]), self.read(v[1])) for v in expr if isinstance(v, tuple) and len(v) == 2]
        if len(pairs) != len(expr) or not pairs:
            raise SmtError(f"no list of variables: {show(expr)[:80]}")
        return pairs

    def arity(self, name: str) -> int:
        """How many sorts a sort takes; -1 if it is unknown."""
        if name in self.declared:
            return self.declared[name]
        if name == "Array":
            return 2
        return 0 if name in BUILT_IN or name in self.datatypes or self.is_lenient else -1

    def read_datatypes(self, command: tuple[Expr, ...]) -> Datatypes:
        """Read declare-datatype or declare-datatypes, also in the way of drafts before 2.6."""
        new = _datatypes_of(command)
        self.datatypes.update({name: {} for name in new})
        return {name: dict(self._constructor(c) for c in constructors) for name, constructors in new.items()}

    def _constructor(self, expr: Expr) -> tuple[str, Bound]:
        name, *selectors = (expr,) if isinstance(expr, str) else expr
        if (
            not isinstance(name, str)
            or name == "par"
            or not all(isinstance(s, tuple) and len(s) == 2 for s in selectors)
        ):
            raise SmtError(f"no constructor of a datatype: {show(expr)}")
        return name, tuple((str(s[0]), self.read(s[1])) for s in selectors)


def datatypes_text(datatypes: Datatypes) -> str:
    """The command that declares datatypes together, with all sorts spelled out."""
    heads = " ".join(f"({name} 0)" for name in datatypes)
    bodies = " ".join(
        f"({' '.join(_constructor_text(*c) for c in constructors.items())})" for constructors in datatypes.values()
    )
    return f"(declare-datatypes ({heads}) ({bodies}))"


def _datatypes_of(command: tuple[Expr, ...]) -> dict[str, tuple[Expr, ...]]:
    if len(command) != 3 or isinstance(command[2], str):
        raise SmtError(f"no declaration of datatypes: {show(command)[:80]}")
    _, heads, bodies = command
    if isinstance(heads, str):  # declare-datatype
        heads, bodies = ((heads, "0"),), (bodies,)
    elif not heads:  # (declare-datatypes () ((List nil (cons (head Int) (tail List)))))
        heads, bodies = tuple((b[0], "0") for b in bodies), tuple(b[1:] for b in bodies)
    is_plain = len(heads) == len(bodies) and all(isinstance(h, tuple) and len(h) == 2 and h[1] == "0" for h in heads)
    if not is_plain or any(isinstance(b, str) or b[:1] == ("par",) for b in bodies):
        raise SmtError(f"datatypes with parameters are not read: {show(command)[:80]}")
    return {str(h[0]): b for h, b in zip(heads, bodies, strict=True) if not isinstance(b, str)}


def _constructor_text(name: str, selectors: Bound) -> str:
    return f"({' '.join((name, *(f'({selector} {sort})' for selector, sort in selectors)))})"


def _is_size(expr: Expr) -> bool:
    return isinstance(expr, str) and expr.isdecimal() and int(expr) > 0


def _substituted(expr: Expr, values: dict[str, Expr]) -> Expr:
    if isinstance(expr, str):
        return values.get(expr, expr)
    return tuple(_substituted(part, values) for part in expr)

"""The exact evaluator: what a term is worth under an assignment. It trusts no solver.

Where the standard leaves a value to the solver there is none (`Undetermined`); but for an assignment of our own we may
choose it, since a division by zero or a selector on another constructor is a function that any model may interpret as
it likes."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from gainsay.families.smt.language.ir import Term
from gainsay.families.smt.language.ops import OPERATORS, ROUNDING
from gainsay.families.smt.language.sorts import BUILT_IN, array_of, float_of, is_array, is_bv, is_fp, width
from gainsay.families.smt.meaning import floats, operations, strings
from gainsay.families.smt.meaning.operations import head
from gainsay.families.smt.meaning.values import Undetermined

MEANINGS: Mapping[str, operations.Meaning] = {
    name: row.meaning for name, row in OPERATORS.items() if row.meaning is not None
}
LEAVES: Mapping[str, Any] = {
    **{name: row.meaning(Term(name), (), []) for name, row in OPERATORS.items() if row.is_constant and row.meaning},
    "roundNearestTiesToEven": "RNE", "roundNearestTiesToAway": "RNA", "roundTowardPositive": "RTP",
    "roundTowardNegative": "RTN", "roundTowardZero": "RTZ",
}  # fmt: skip
DOMAIN = 256  # assignments of bound variables that are tried
UNKNOWN = object()  # the value of a term that has none; never leaves this module
MISSING = object()  # in a model: a symbol of which nothing is known

# A datatype's constructors with their selectors: constructor -> ((selector, sort), ...)
Datatypes = Mapping[str, Mapping[str, tuple[tuple[str, str], ...]]]


class Array(NamedTuple):
    """An array: a default, and the indices that hold something else.
    Made by `array`, so that equal arrays are equal values."""

    default: Any
    entries: frozenset[tuple[Any, Any]]


class Function(NamedTuple):
    """An interpretation of an uninterpreted function: a table and a default."""

    table: Mapping[tuple[Any, ...], Any]
    default: Any

    def __call__(self, values: list[Any]) -> Any:
        return self.table.get(tuple(values), self.default)


def domain(sort: str) -> Iterable[Any] | None:
    """All values of a small finite sort."""
    if sort == "Bool":
        return (False, True)
    if is_bv(sort) and width(sort) <= 12:
        return range(1 << width(sort))
    if sort == "RoundingMode":
        return ROUNDING
    return None


def array(index_sort: str, default: Any, entries: Mapping[Any, Any]) -> Array:
    """The one representation of an array.
    Over a small domain two defaults may make the same array: there the most frequent value is the default."""
    indices = domain(index_sort) if is_small(index_sort) else None
    if indices is not None:
        whole = {i: entries.get(i, default) for i in indices}
        often = Counter(whole.values())
        default = max(whole.values(), key=often.__getitem__)  # the first of those that are equally frequent
        entries = whole
    return Array(default, frozenset((i, v) for i, v in entries.items() if v != default))


def is_small(sort: str) -> bool:
    """Whether an array may hold something else at every index. Over wider words nobody writes that many entries."""
    return not is_bv(sort) or width(sort) <= 6


def found(value: Any) -> Any:
    if value is MISSING:
        raise Undetermined
    return value


def select(a: Array, index: Any) -> Any:
    return next((v for i, v in a.entries if i == index), a.default)


class Evaluation:
    """Values of terms under a model: names -> values, or for functions callables on lists of values.

    `chooses`: the model is ours, so what the standard leaves open is ours to fix. Values are remembered by the term's
    identity."""

    def __init__(self, model: Mapping[str, Any], datatypes: Datatypes | None = None, chooses: bool = True) -> None:
        self.model = model
        self.chooses = chooses
        self.datatypes = datatypes or {}
        self.constructors = {c for cs in self.datatypes.values() for c in cs}
        self.selectors = {
            s: (c, n, sort)
            for cs in self.datatypes.values()
            for c, fields in cs.items()
            for n, (s, sort) in enumerate(fields)
        }
        self._memo: dict[int, Any] = {}
        self._kept: list[Term] = []  # their identities must stay theirs

    def value(self, term: Term) -> Any:
        value = self._value(term)
        if value is UNKNOWN:
            raise Undetermined
        return value

    def is_true(self, term: Term) -> bool | None:
        """The truth of a formula; None where it has none."""
        found = self._value(term)
        return None if found is UNKNOWN else bool(found)

    def _value(self, root: Term) -> Any:
        memo = self._memo
        self._kept.append(root)
        stack = [root]
        while stack:
            term = stack[-1]
            if id(term) in memo:
                stack.pop()
                continue
            if not term.bound:
                missing = [a for a in term.args if id(a) not in memo]
                if missing:
                    stack.extend(missing)
                    continue
            try:
                memo[id(term)] = (
                    self._quantified(term) if term.bound else self._applied(term, [memo[id(a)] for a in term.args])
                )
            except Undetermined:
                memo[id(term)] = UNKNOWN
            stack.pop()
        return memo[id(root)]

    def _applied(self, term: Term, values: list[Any]) -> Any:
        if not values:
            return self._leaf(term)
        name, indices = head(term.op)
        if UNKNOWN in values:
            return lazily(name, values)
        if name in MEANINGS:
            try:
                return MEANINGS[name](term, indices, values)
            except Undetermined:
                if self.chooses and OPERATORS[name].is_free:
                    return Fraction(0) if term.sort == "Real" else 0
                raise
        return self._structured(term, name, indices, values)

    def _structured(self, term: Term, name: str, indices: tuple[str, ...], values: list[Any]) -> Any:
        """Arrays, datatypes and functions."""
        if name == "select":
            return select(values[0], values[1])
        if name == "store":
            return array(self._index(term.sort), values[0].default, {**dict(values[0].entries), values[1]: values[2]})
        if name.startswith("(as const "):
            return array(self._index(term.sort), values[0], {})
        if term.op in self.model:
            return found(self.model[term.op])(values)
        if name in self.constructors:
            return (name, *values)
        if name == "is":
            return values[0][0] == indices[0]
        if name in self.selectors:
            constructor, place, sort = self.selectors[name]
            if values[0][0] == constructor:
                return values[0][1 + place]
            if self.chooses:
                return self.simplest(sort)
        raise Undetermined

    def _index(self, sort: str) -> str:
        """The sort of an array's indices.
        Over a datatype, which may be finite, two arrays could be equal without our seeing it."""
        index = array_of(sort)[0]
        if index in self.datatypes:
            raise Undetermined
        return index

    def _leaf(self, term: Term) -> Any:
        op = term.op
        if op in self.model:
            return found(self.model[op])
        if op in self.constructors:
            return (op,)
        return op if is_free(term.sort, self.datatypes) else literal_value(op, term.sort)

    def simplest(self, sort: str, depth: int = 8) -> Any:
        """Some value of a sort, always the same one."""
        if sort not in self.datatypes:
            return zero(sort)
        for constructor, fields in sorted(
            self.datatypes[sort].items(), key=lambda c: (sum(s in self.datatypes for _, s in c[1]), len(c[1]))
        ):
            if depth > 0:
                return (constructor, *(self.simplest(s, depth - 1) for _, s in fields))
        raise Undetermined

    def _listed(self, term: Term) -> Array:
        """An array that a solver prints as a function of its index: (ite (= i c) v rest)."""
        if len(term.bound) != 1:
            raise Undetermined
        name, sort = term.bound[0]
        body = term.args[0]
        entries: dict[Any, Any] = {}
        while body.op == "ite" and body.args[0].op == "=" and body.args[0].args[0].op == name:
            index = self.value(body.args[0].args[1])
            entries.setdefault(index, self.value(body.args[1]))
            body = body.args[2]
        if name in symbols_of(body):
            raise Undetermined
        return array(sort, self.value(body), entries)

    def _ranges(self, term: Term) -> list[list[Any]]:
        """The values of each bound variable: those of a finite datatype, of a small domain, or of a range that the body
        states."""
        finite = {n: list(self._elements(s, frozenset())) for n, s in term.bound if s in self.datatypes}
        size = math.prod(len(v) for v in finite.values())
        others = bounds(term, [(n, s) for n, s in term.bound if n not in finite], max(1, DOMAIN // max(1, size)))
        return [finite[n] if n in finite else others[n] for n, _ in term.bound]

    def _elements(self, sort: str, above: frozenset[str]) -> Iterator[Any]:
        """Every value of a finite datatype: one that is no part of itself."""
        if sort in above:
            raise Undetermined
        for constructor, fields in self.datatypes[sort].items():
            ranges: list[list[Any]] = []
            for _, inner in fields:
                found = (
                    list(domain(inner) or ())
                    if inner not in self.datatypes
                    else list(self._elements(inner, above | {sort}))
                )
                if not found:
                    raise Undetermined
                ranges.append(found)
            yield from ((constructor, *values) for values in itertools.product(*ranges))

    def _quantified(self, term: Term) -> Any:
        if term.op == "lambda":
            return self._listed(term)
        body = term.args[0]
        is_all = term.op == "forall"
        if term.op not in ("forall", "exists"):
            raise Undetermined
        ranges = self._ranges(term)
        seen_unknown = False
        for values in itertools.product(*ranges):
            inner = Evaluation(
                {**self.model, **{n: v for (n, _), v in zip(term.bound, values, strict=True)}},
                self.datatypes,
                self.chooses,
            )
            found = inner._value(body)
            if found is UNKNOWN:
                seen_unknown = True
            elif bool(found) != is_all:
                return not is_all
        if seen_unknown:
            raise Undetermined
        return is_all


def symbols_of(root: Term) -> set[str]:
    found, stack = set(), [root]
    while stack:
        term = stack.pop()
        found.add(term.op)
        stack.extend(term.args)
    return found


def lazily(name: str, values: list[Any]) -> Any:
    """The value of a connective where some argument has none, but the others decide."""
    if name == "and" and any(v is False for v in values):
        return False
    if name == "or" and any(v is True for v in values):
        return True
    if name == "=>" and (values[-1] is True or any(v is False for v in values[:-1])):
        return True
    if name == "ite" and values[0] is not UNKNOWN:
        return values[1] if values[0] else values[2]
    return UNKNOWN


def bounds(term: Term, variables: Sequence[tuple[str, str]], most: int) -> dict[str, list[Any]]:
    """The values that each bound variable takes: a small domain, or a range of integers that the body states by itself.

    (forall ((i Int)) (=> (and (<= 0 i) (<= i 3)) p)) and (exists ((i Int)) (and (<= 0 i) (<= i 3) p)) are as good as
    finite."""
    body = term.args[0]
    guard = body.args[0] if term.op == "forall" and body.op == "=>" and len(body.args) == 2 else body
    if term.op == "forall" and guard is body:
        guard = Term("true")
    parts = guard.args if guard.op == "and" else (guard,)
    ranges: dict[str, list[Any]] = {}
    size = 1
    for name, sort in variables:
        found = domain(sort)
        values = list(found) if found is not None else list(stated(name, parts)) if sort == "Int" else None
        size *= len(values) if values is not None else DOMAIN + 1
        if size > most or values is None:
            raise Undetermined
        ranges[name] = values
    return ranges


def stated(name: str, parts: Iterable[Term]) -> Iterator[int]:
    """The integers from low to high, where the parts say (<= low name) and (<= name high)."""
    low = [
        int(p.args[0].op)
        for p in parts
        if p.op == "<=" and len(p.args) == 2 and p.args[1].op == name and p.args[0].op.isdigit()
    ]
    high = [
        int(p.args[1].op)
        for p in parts
        if p.op == "<=" and len(p.args) == 2 and p.args[0].op == name and p.args[1].op.isdigit()
    ]
    if not low or not high or high[0] - low[0] > DOMAIN:
        raise Undetermined
    return iter(range(low[0], high[0] + 1))


def is_free(sort: str, datatypes: Datatypes) -> bool:
    """Whether a sort is an uninterpreted one: its elements are their names."""
    return sort not in BUILT_IN and not sort.startswith("(") and sort not in datatypes


def zero(sort: str) -> Any:
    """The plainest value of a sort."""
    if sort == "Bool":
        return False
    if sort == "Int" or is_bv(sort) or is_fp(sort):
        return 0
    if sort == "Real":
        return Fraction(0)
    if sort == "String":
        return ""
    if sort == "RoundingMode":
        return "RNE"
    if is_array(sort):
        index, element = array_of(sort)
        return array(index, zero(element), {})
    return f"{sort}!0"


def literal_value(op: str, sort: str) -> Any:
    """The value of a literal, as SMT-LIB writes it."""
    if op in LEAVES:
        return LEAVES[op]
    if op.startswith("#b"):
        return int(op[2:], 2)
    if op.startswith("#x"):
        return int(op[2:], 16)
    if op[0] == '"':
        return strings.read_literal(op)
    if op[0].isdigit():
        return Fraction(op) if sort == "Real" else int(op)
    name, indices = head(op)
    if name.startswith("bv") and name[2:].isdigit():
        return int(name[2:])
    if name in ("+oo", "-oo", "+zero", "-zero", "NaN"):
        return floats.read_literal(op)[0]
    if name == "char":
        return chr(int(indices[0][2:], 16))
    raise Undetermined


def term_of(value: Any, sort: str) -> Term | None:
    """A term that is worth a value in every model; None where there is none (uninterpreted sorts)."""
    if sort == "Bool":
        return Term("true" if value else "false")
    if sort in ("Int", "Real"):
        return number(Fraction(value), sort)
    if is_bv(sort):
        return Term(f"#b{value:0{width(sort)}b}", (), sort)
    if is_fp(sort):
        return float_term(value, sort)
    if sort == "String":
        return Term(strings.literal(value), (), sort)
    if sort == "RoundingMode":
        return Term(value, (), sort)
    if is_array(sort):
        return array_term(value, sort)
    if isinstance(value, tuple) and not isinstance(value, Array):
        return None  # a datatype's value: its fields' sorts are not known here
    return None


def float_term(value: int, sort: str) -> Term:
    eb, sb = float_of(sort)
    text = floats.literal(value, eb, sb)
    if text.startswith("(_ "):
        return Term(text, (), sort)
    parts = text[4:-1].split()
    return Term("fp", tuple(Term(p, (), f"(_ BitVec {len(p) - 2})") for p in parts), sort)


def number(value: Fraction, sort: str) -> Term:
    """A number as SMT-LIB writes it: 3, (- 3), 1.5, (/ 1.0 3.0)."""
    if value < 0:
        return Term("-", (number(-value, sort),), sort)
    if sort == "Int":
        return Term(str(value.numerator), (), "Int")
    if value.denominator == 1:
        return Term(f"{value.numerator}.0", (), "Real")
    return Term("/", (Term(f"{value.numerator}.0", (), "Real"), Term(f"{value.denominator}.0", (), "Real")), "Real")


def array_term(value: Array, sort: str) -> Term | None:
    """A term for an array's value: stores into a constant one; None where a part has no term."""
    index, element = array_of(sort)
    inner = term_of(value.default, element)
    if inner is None:
        return None
    made = Term(f"(as const {sort})", (inner,), sort)
    for place, held in sorted(value.entries, key=repr):
        one, two = term_of(place, index), term_of(held, element)
        if one is None or two is None:
            return None
        made = Term("store", (made, one, two), sort)
    return made

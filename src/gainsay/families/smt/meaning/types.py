"""The sort of a term, by operator and sorts of the arguments, for the theories of SMT-LIB; and terms made with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

import msgspec

from gainsay.families.smt.language import sorts as s
from gainsay.families.smt.language.ir import Term
from gainsay.families.smt.language.ops import OPERATORS
from gainsay.families.smt.language.sexpr import SmtError, show
from gainsay.families.smt.language.signatures import Indexed, Rule, rule

CONSTANTS = {name: row.to for name, row in OPERATORS.items() if row.is_constant}

# Names of earlier drafts, of one solver, or longer ones.
RENAMED = {
    "roundNearestTiesToEven": "RNE", "roundNearestTiesToAway": "RNA",
    "roundTowardPositive": "RTP", "roundTowardNegative": "RTN", "roundTowardZero": "RTZ",
    "re.nostr": "re.none", "str.to.re": "str.to_re", "str.in.re": "str.in_re",
    "int.to.str": "str.from_int", "str.to.int": "str.to_int", "str.from-int": "str.from_int",
    "str.to-int": "str.to_int",
    "str.replaceall": "str.replace_all", "str.code": "str.to_code", "re.complement": "re.comp",
    "implies": "=>", "iff": "=", "if": "ite", "bv2int": "bv2nat",
}  # fmt: skip

Undo = list[tuple[str, Term | None]]


def result_sort(op: str, args: tuple[str, ...] = ()) -> str:
    """The sort of an operator's result, given the sorts of its arguments; the operator may be indexed, or a literal."""
    found = sort_of(op, args)
    if found:
        return found
    if not is_known(op):
        raise SmtError(f"unknown operator or symbol {op}")
    raise SmtError(f"{op} does not take ({' '.join(args)})")


@lru_cache(maxsize=1 << 16)
def sort_of(op: str, args: tuple[str, ...]) -> str:
    """Like `result_sort`, but empty where the arguments don't fit or the operator is unknown: the reader then tries to
    mend numbers."""
    if not args:
        return literal_sort(op)
    if op.startswith("("):
        return _indexed(op, args)
    rule = RULES.get(op)
    return rule(args) if rule else ""


def is_known(op: str) -> bool:
    """Whether some arguments exist that the operator takes."""
    if op.startswith("(_ "):
        return op.split()[1] in INDEXED
    return op in RULES or op in CONSTANTS or op.startswith("(as const ")


def literal_sort(text: str) -> str:
    """The sort of a literal or a constant of the theories; empty if it is neither. A numeral is Int here."""
    if text in CONSTANTS:
        return CONSTANTS[text]
    first = text[0]
    if first.isdigit():
        return "Int" if text.isdecimal() else "Real" if re.fullmatch(r"\d+\.\d+", text) else ""
    if first == '"':
        return "String"
    if re.fullmatch(r"#b[01]+", text):
        return s.bv(len(text) - 2)
    if re.fullmatch(r"#x[0-9a-fA-F]+", text):
        return s.bv(4 * (len(text) - 2))
    if found := re.fullmatch(r"\(_ bv\d+ (\d+)\)", text):
        return s.bv(int(found[1]))
    if found := re.fullmatch(r"\(_ (?:NaN|[+-]oo|[+-]zero) (\d+) (\d+)\)", text):
        return s.fp(int(found[1]), int(found[2]))
    return ""


RULES: dict[str, Rule] = {
    name: rule(row.signature) if isinstance(row.signature, str) else cast(Rule, row.signature)
    for name, row in OPERATORS.items()
    if row.signature and not row.indices
}


def _indexed(op: str, args: tuple[str, ...]) -> str:
    if op.startswith("(as const "):
        sort = op[10:-1]
        return sort if s.is_array(sort) and args == (s.array_of(sort)[1],) else ""
    name, *indices = op[3:-1].split()
    if name not in INDEXED or not all(index.isdecimal() for index in indices):
        return ""
    count, rule = INDEXED[name]
    return rule([int(index) for index in indices], args) if len(indices) == count else ""


INDEXED: dict[str, tuple[int, Indexed]] = {
    name: (row.indices, cast(Indexed, row.signature)) for name, row in OPERATORS.items() if row.indices
}


def wanted(op: str, args: tuple[str, ...]) -> tuple[str, ...]:
    """The sorts that arguments should have, where Int terms stand for Reals; the same sorts where nothing can be
    mended."""
    if op in ("select", "store") and args and s.is_array(args[0]):
        return (args[0], *s.array_of(args[0]), *args)[: len(args)]
    if op.startswith("(as const (Array ") and len(args) == 1:
        return (s.array_of(op[10:-1])[1],)
    if "Real" in args or op in ("/", "to_int", "is_int") or op.startswith("(_ to_fp "):
        return tuple("Real" if arg == "Int" else arg for arg in args)
    return args


class Macro(msgspec.Struct, frozen=True):
    """A defined function, expanded where it is called."""

    params: tuple[Term, ...]
    body: Term
    binders: tuple[Term, ...]  # variables that quantifiers of the body bind
    order: tuple[Term, ...]  # applications in the body that depend on parameters or binders, arguments first


class Terms:
    """Makes typed terms, equal ones as the same object.
    Int terms become Real where Reals are wanted, as Reals_Ints allows."""

    def __init__(self) -> None:
        self.pool: dict[Any, Term] = {}

    def leaf(self, op: str, sort: str) -> Term:
        found = self.pool.get((op, sort))
        if found is None:
            found = self.pool[op, sort] = Term(op, (), sort)
        return found

    def app(self, op: str, args: Sequence[Term], sort: str, bound: s.Bound = ()) -> Term:
        """An application whose sort is known, or a quantifier."""
        key = (op, bound, *map(id, args)) if bound else (op, *map(id, args))
        found = self.pool.get(key)
        if found is None:
            found = self.pool[key] = Term(op, tuple(args), sort, bound)
        return found

    def built_in(self, op: str, values: Sequence[Term]) -> Term:
        """An application of an operator of the theories."""
        op = RENAMED.get(op, op)
        if op == "re.loop" and len(values) == 3:  # as an earlier draft had it
            op, values = f"(_ re.loop {values[1].op} {values[2].op})", values[:1]
        args = tuple(value.sort for value in values)
        sort = sort_of(op, args) if values else ""
        if not sort and "Int" in args:
            values = self._mended(values, wanted(op, args))
            args = tuple(value.sort for value in values)
        return self.app(op, values, sort or result_sort(op, args))

    def fitted(self, op: str, values: Sequence[Term], args: tuple[str, ...]) -> Sequence[Term]:
        """Arguments of a function that wants these sorts."""
        if tuple(value.sort for value in values) == args:
            return values
        if len(values) == len(args):
            values = self._mended(values, args)
        if tuple(value.sort for value in values) != args:
            raise SmtError(f"{op} does not take ({' '.join(value.sort for value in values)})")
        return values

    def _mended(self, values: Sequence[Term], args: tuple[str, ...]) -> list[Term]:
        return [
            self._real(v) if want == "Real" and v.sort == "Int" else v for v, want in zip(values, args, strict=True)
        ]

    def _real(self, term: Term) -> Term:
        """An Int term as a Real: 1 -> 1.0, (- 1) -> (- 1.0), x -> (to_real x)."""
        if not term.args and term.op.isdecimal():
            return self.leaf(f"{term.op}.0", "Real")
        if term.op == "-" and len(term.args) == 1 and term.args[0].op.isdecimal():
            return self.app("-", [self._real(term.args[0])], "Real")
        return self.app("to_real", [term], "Real")

    def macro(self, bound: s.Bound, body: Term) -> Macro:
        """A definition, ready to be put in place of its calls."""
        nodes = postorder([body])
        params = tuple(self.leaf(*pair) for pair in bound)
        binders = tuple(self.leaf(*pair) for pair in dict.fromkeys(pair for node in nodes for pair in node.bound))
        changing = {id(v) for v in (*params, *binders)}
        order = []
        for node in nodes:
            if any(id(a) in changing for a in node.args):
                changing.add(id(node))
                order.append(node)
        return Macro(params, body, binders, tuple(order))

    def expanded(self, macro: Macro, values: Sequence[Term], binders: Sequence[Term]) -> Term:
        """A macro's body with values for its parameters, and with these variables for those that it binds."""
        new = {id(old): value for old, value in zip((*macro.params, *macro.binders), (*values, *binders), strict=True)}
        for node in macro.order:
            bound = tuple((new[id(self.leaf(*pair))].op, pair[1]) for pair in node.bound)
            new[id(node)] = self.app(node.op, [new.get(id(a), a) for a in node.args], node.sort, bound)
        return new.get(id(macro.body), macro.body)


class Scope:
    """Names and the terms they stand for. What is bound can be unbound again."""

    def __init__(self) -> None:
        self.terms = Terms()
        self.names: dict[str, Term] = {}  # constants, variables, what let binds, and literals that were met
        self.taken: set[str] = set()  # names that no quantifier may bind
        self.active: set[str] = set()  # names that quantifiers around this place bind
        self._seen: set[str] = set()  # names that some quantifier bound
        self._renamed = 0

    def bind(self, new: Mapping[str, Term]) -> Undo:
        undo = [(name, self.names.get(name)) for name in new]
        self.names.update(new)
        return undo

    def unbind(self, undo: Undo, bound: s.Bound = ()) -> None:
        self.active.difference_update(name for name, _ in bound)
        for name, old in undo:
            if old is None:
                del self.names[name]
            else:
                self.names[name] = old

    def bind_variables(self, pairs: Sequence[tuple[str, str]]) -> tuple[s.Bound, Undo]:
        """Bind variables under names that nothing around has, so that no expansion of let or define-fun captures
        one."""
        bound = tuple((self.fresh(name), sort) for name, sort in pairs)
        self.active.update(name for name, _ in bound)
        self._seen.update(name for name, _ in bound)
        return bound, self.bind({old: self.terms.leaf(*pair) for (old, _), pair in zip(pairs, bound, strict=True)})

    def fresh(self, name: str) -> str:
        new = name
        while new in self.taken or new in self.active or (new != name and new in self._seen):
            self._renamed += 1
            new = f"|{name[1:-1]}!{self._renamed}|" if name.startswith("|") else f"{name}!{self._renamed}"
        return new


def binder_sort(op: str, bound: s.Bound, body: Term) -> str:
    """The sort of a quantifier or a lambda."""
    if op == "lambda":
        sort = body.sort
        for _, index in reversed(bound):
            sort = s.array(index, sort)
        return sort
    if body.sort != "Bool":
        raise SmtError(f"{op} over a term of sort {body.sort}")
    return bound[0][1] if op == "witness" else "Bool"


def declared(command: tuple[Any, ...]) -> Iterator[str]:
    """Names that a command declares."""
    if command[0] in ("declare-fun", "declare-const") and len(command) > 1:
        yield command[1]
    elif command[0] in ("declare-datatype", "declare-datatypes"):
        yield from re.findall(r"\|[^|]*\||[^\s()]+", show(command[1:]))


def postorder(terms: Iterable[Term]) -> list[Term]:
    """Every node of a graph of terms once, arguments before what they are arguments of."""
    done: dict[int, Term] = {}
    stack = list(reversed(list(terms)))
    while stack:
        term = stack[-1]
        todo = [a for a in term.args if id(a) not in done] if id(term) not in done else []
        if todo:
            stack.extend(reversed(todo))
        else:
            done[id(stack.pop())] = term
    return list(done.values())

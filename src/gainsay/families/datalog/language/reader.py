"""Reads terms and bodies, which are nearly the same in every dialect. `parse` has the dialects."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from gainsay.families.datalog.language import dialects, ir
from gainsay.families.datalog.language.inferred import Unreadable, functor_words, test_words
from gainsay.families.datalog.language.ops import COMPARISONS

BINDING = {"bor": 1, "bxor": 2, "band": 3, "+": 4, "-": 4, "++": 4, "*": 5, "/": 5, "%": 5}
ALIASES = {"add": "+", "sub": "-", "mul": "*", "minus": "-", "++": "concat"}  # Cozo's other names
NESTED = ("min", "max", "cat", "concat", "+", "*")  # functors that take any number of arguments
RELATIONS = {"eq": "=", "neq": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


class Reader:
    """Terms and bodies, which are nearly the same everywhere."""

    dialect = ""
    brackets = ("(", ")")
    reserved = frozenset({"nil", "autoinc", "as", "ord", "range", "mean", "false"})

    def __init__(self, text: str, token: re.Pattern[str]) -> None:
        self.tokens = [t for t in token.findall(text) if t]
        self.at = 0
        self.taken = 0
        words = dialects.find(self.dialect).words
        self.tests, self.functors = test_words(words), functor_words(words)
        self.aside: list[ir.Aggregate] = []  # aggregates met inside the terms of the conjunction that is being read
        self.rels: dict[str, ir.Rel] = {}
        self.facts: list[ir.Atom] = []
        self.rules: list[ir.Rule | ir.Subsumes] = []

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def take(self) -> str:
        self.at += 1
        return self.peek(-1)

    def accept(self, token: str) -> bool:
        found = self.peek() == token
        self.at += found
        return found

    def expect(self, token: str) -> None:
        if self.take() != token:
            raise Unreadable(f"{self.peek(-1)!r} where {token!r} was expected")

    def name(self) -> str:
        if not re.fullmatch(r"[A-Za-z_?][\w?]*", self.peek()) or self.peek() in self.reserved:
            raise Unreadable(f"{self.peek()!r} is no name")
        return self.take()

    def listed(self, item: Callable[[], Any], start: str, end: str) -> tuple[Any, ...]:
        self.expect(start)
        found: list[Any] = []
        while self.peek() != end:
            found.append(item())
            if self.peek() != end:
                self.expect(",")
        self.expect(end)
        return tuple(found)

    def fresh(self) -> str:
        self.taken += 1
        name = f"x{self.taken}"
        return name if name not in self.tokens else self.fresh()

    def expression(self, floor: int = 0) -> Any:
        left = self.operand()
        while BINDING.get(self.peek(), 0) > floor:
            sign = self.take()
            left = self.call(sign, (left, self.expression(BINDING[sign])))
        return left

    def operand(self) -> Any:
        """A number, a text, a variable, a call, or something in parentheses."""
        token = self.peek()
        if self.accept("-"):
            inner = self.operand()
            is_number = isinstance(inner, ir.Const) and isinstance(inner.value, (int, float))
            return ir.Const(-inner.value, inner.type) if is_number else self.call("-", (inner,))
        if token[:1].isdigit():
            return number(self.take())
        if len(token) > 1 and token[0] in "\"'":
            if "\\" in token:
                raise Unreadable("an escape")  # engines differ in what they make of it
            return ir.Const(self.take()[1:-1], "symbol")
        if self.accept("("):
            inner = self.expression()
            self.expect(")")
            return inner
        if self.accept("_"):
            return ir.Wild()
        return self.special() or self.named()

    def special(self) -> Any:
        """What only one dialect has."""
        return None

    def named(self) -> Any:
        name = self.name()
        return self.call(name, self.listed(self.expression, "(", ")")) if self.peek() == "(" else ir.Var(name)

    def call(self, word: str, args: Sequence[Any]) -> Any:
        word = ALIASES.get(word, word)
        if word in NESTED and len(args) > 2:
            return self.call(word, (self.call(word, args[:-1]), args[-1]))
        if (word, len(args)) not in self.functors:
            raise Unreadable(f"{word} is not a functor that we know")
        return ir.Call(word, tuple(args))

    def atom(self) -> ir.Atom:
        return ir.Atom(self.name(), self.listed(self.expression, *self.brackets))

    def is_atom(self) -> bool:
        return self.peek(1) == self.brackets[0] and (self.peek() in self.rels or self.brackets[0] == "[")

    def conjunction(self) -> tuple[Any, ...]:
        outer, self.aside = self.aside, []
        found = list(self.disjunct())
        while self.accept(","):
            found += self.disjunct()
        found += self.aside
        self.aside = outer
        return tuple(found)

    def disjunct(self) -> Sequence[Any]:
        return self.literal()

    def body(self) -> tuple[Any, ...]:
        return self.conjunction()

    def literal(self) -> Sequence[Any]:
        """A literal of a body; several where it takes more than one to say it."""
        if self.accept("!") or self.accept("not"):
            (found,) = self.literal()
            return [denied(found)]
        if self.is_atom():
            return [self.atom()]
        if self.peek(1) == "(" and self.peek() in self.tests:
            name, places = self.tests[self.take()]
            args = self.listed(self.expression, "(", ")")
            if len(args) != len(places) or (
                name == "match" and not (isinstance(args[0], ir.Const) and str(args[0].value).isalnum())
            ):
                raise Unreadable(name)  # other patterns mean more than equality
            return [ir.Holds(name, tuple(args[places.index(i)] for i in range(len(args))))]
        if self.peek(1) == "(" and self.peek() in RELATIONS and self.brackets[0] == "[":
            op = RELATIONS[self.take()]
            left, right = self.listed(self.expression, "(", ")")
            return [ir.Compare(op, left, right)]
        return self.grouped() if self.peek() == "(" else self.comparison()

    def grouped(self) -> Sequence[Any]:
        """(a + b) < c, or a body in parentheses: only the end tells."""
        at, aside, count = self.at, self.aside, len(self.aside)
        try:
            return self.comparison()
        except Unreadable:
            self.at, self.aside = at, aside
            del aside[count:]
        self.expect("(")
        found = self.body()
        self.expect(")")
        return found

    def comparison(self) -> Sequence[Any]:
        """A comparison; one with an aggregate on a side has the aggregate beside it."""
        left = self.expression()
        op = self.take()
        op = "=" if op == "==" else op
        if op not in COMPARISONS:
            raise Unreadable(f"{op!r} is no comparison")
        right = self.expression()
        if isinstance(left, ir.Wild) or isinstance(right, ir.Wild):
            raise Unreadable("a comparison with anything")
        for one, other in ((left, right), (right, left)):
            # x = count : { ... } is the aggregate's own form; anywhere else it gets a variable of its own.
            if (
                op == "="
                and isinstance(one, ir.Var)
                and isinstance(other, ir.Var)
                and self.aside
                and self.aside[-1].var == one.name
            ):
                self.aside[-1] = msgspec.structs.replace(self.aside[-1], var=other.name)
                return []
        return [ir.Compare(op, left, right)]


def number(token: str) -> ir.Const:
    if token.startswith(("0x", "0b")):
        return ir.Const(int(token, 0), "")
    if "." in token:
        return ir.Const(float(token), "float")
    return ir.Const(int(token.rstrip("u")), "unsigned" if token.endswith("u") else "")


def denied(literal: Any) -> Any:
    if isinstance(literal, ir.Atom):
        return ir.Not(literal)
    if isinstance(literal, ir.Holds) and not literal.fn.startswith("!"):
        return ir.Holds(f"!{literal.fn}", literal.args)
    if isinstance(literal, ir.Compare):
        return ir.Compare(COMPARISONS[literal.op].opposite, literal.left, literal.right)
    raise Unreadable("a negation of a negation")

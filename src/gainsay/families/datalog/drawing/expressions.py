"""Draws terms and literals over the variables of one rule in the making."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gainsay.core.draw import Draw
from gainsay.families.datalog.drawing.lexicon import Lexicon
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.language.binding import variables
from gainsay.families.datalog.language.ops import AGGREGATES, COMPARISONS
from gainsay.families.datalog.meaning.semantics import Evaluation

WORDS = ("", "a", "b", "ab", "ba", "aa", "abc", "A")
REALS = (0.0, 0.5, 1.0, 1.5, -0.5, 2.0, 2.25, -1.0)
BIG = {"number": (2147483647, -2147483648), "unsigned": (4294967295,), "float": (-0.0, 3.4e38)}


def scalar(draw: Draw, lexicon: Lexicon, kind: str, types: Any = ()) -> Any:
    """A value of a type: mostly small, now and then at the end of a range."""
    if lexicon.extremes and kind in BIG and draw.coin(0.08):
        return draw.pick(BIG[kind])
    if kind == "number":
        low = lexicon.lowest
        return (
            draw.between(low, -1)
            if low < 0 and draw.coin(0.15)
            else draw.between(0, 4)
            if draw.coin(0.85)
            else draw.between(0, min(40, lexicon.largest))
        )
    if kind == "unsigned":
        return draw.between(0, 4) if draw.coin(0.85) else draw.between(0, 40)
    if kind == "float":
        return draw.pick(REALS)
    if kind == "any":
        return None if draw.coin(0.25) else draw.between(0, 3) if draw.coin() else draw.pick(("a", "b", ""))
    defined = {t.name: t for t in types}
    if kind in defined:
        found = defined[kind]
        return (
            scalar(draw, lexicon, found.base, types)
            if found.base
            else tuple(scalar(draw, lexicon, f, types) for f in found.fields)
        )
    return draw.pick(WORDS)


def literal(value: Any, kind: str, types: Sequence[ir.TypeDef] = ()) -> ir.Term:
    """A value as a term of a type."""
    if isinstance(value, tuple):
        fields = next(t.fields for t in types if t.name == kind)
        return ir.Record(tuple(literal(v, f, types) for v, f in zip(value, fields, strict=True)))
    return ir.Const(value, kind)


class Expressions:
    """The relations that can be read and what they hold, and the variables of the rule that is being drawn."""

    def __init__(self, draw: Draw, lexicon: Lexicon, base: ir.Scene, state: Evaluation) -> None:
        self.draw = draw
        self.lexicon = lexicon
        self.scene = base
        self.rels: dict[str, ir.Rel] = {r.name: r for r in (*base.rels, *base.seeded)}
        self.state = state
        self.inlined: set[str] = set()  # may not be negated or aggregated over
        self._vars: dict[str, str] = {}  # variable -> type

    # --- terms ---

    def fresh(self, kind: str) -> ir.Var:
        name = f"v{len(self._vars)}"
        self._vars[name] = kind
        return ir.Var(name)

    def is_foreign(self, kind: str) -> bool:
        """Whether values of a type can only be passed on: a seed's own records, say."""
        return kind not in self.lexicon.types and all(t.name != kind for t in self.scene.types)

    def known(self, kind: str, bound: Any = None) -> list[str]:
        return [n for n, t in self._vars.items() if t == kind and (bound is None or n in bound)]

    def const(self, kind: str, column: tuple[str, int] | None = None) -> ir.Term:
        """A constant, nearly always one that the column holds."""
        draw = self.draw
        if column is not None and draw.coin(0.7):
            rows = self.state.tables.get(column[0])
            if rows:
                held = sorted({row[column[1]] for row in rows}, key=repr)
                return literal(draw.pick(held), kind, self.scene.types)
        return literal(scalar(draw, self.lexicon, kind, self.scene.types), kind, self.scene.types)

    def expression(self, kind: str, bound: list[str], depth: int = 0) -> ir.Term:
        """A term over bound variables, of a type."""
        draw = self.draw
        fitting = [n for n, f in self.lexicon.functors.items() if f.result == kind for _ in range(f.weight)]
        here = self.known(kind, bound)
        if fitting and depth < 2 and draw.coin(0.8 if depth == 0 else 0.25):
            name = draw.pick(fitting)
            args = tuple(self.expression(t, bound, depth + 1) for t in self.lexicon.functors[name].args)
            if self.lexicon.functors[name].by_constants:
                args = (args[0], ir.Const(draw.between(1, 3), kind))
            if not self.lexicon.is_loose or any(variables(a) for a in args):
                return ir.Call(name, args)  # of constants alone, an overloaded functor has no type
        if here and draw.coin(0.75):
            return ir.Var(draw.pick(here))
        return self.const(kind)

    def argument(self, rel: ir.Rel, position: int) -> ir.Term:
        """An argument of an atom: a constant, a wildcard, a variable, known or new, or an expression."""
        draw, kind = self.draw, rel.types[position]
        chance = draw.unit()
        if chance < 0.08 and not self.is_foreign(kind):
            return self.const(kind, (rel.name, position))
        if chance < 0.18 and self.lexicon.has("wildcard"):
            return ir.Wild()
        here = self.known(kind)
        if here and chance < 0.6:
            return ir.Var(draw.pick(here))
        if chance > self.lexicon.functor_above and here and kind in self.lexicon.types and kind != "any":
            return self.expression(kind, here)
        fields = next((t.fields for t in self.scene.types if t.name == kind and t.fields), ())
        if fields and draw.coin(0.6):
            return ir.Record(tuple(self.fresh(f) for f in fields))
        return self.fresh(kind)

    def atom(self, rel: ir.Rel, key: int) -> ir.Atom:
        # A functor's variables must be bound by other atoms: those that this atom makes come after its functors were
        # drawn.
        args = tuple(self.argument(rel, i) for i in range(len(rel.types)))
        return ir.Atom(rel.name, args, key)

    # --- literals ---

    def relation(self) -> ir.Rel:
        """A relation to read: newer and non-empty ones more often."""
        draw, names = self.draw, list(self.rels)
        for _ in range(4):
            name = names[-1 - int(draw.unit() ** 1.6 * len(names))]
            if self.state.tables.get(name) or draw.coin(0.1):
                break
        return self.rels[name]

    def comparison(self, bound: list[str]) -> Any:
        """A comparison of a bound variable with another one or a constant; None where there is none."""
        draw = self.draw
        name = draw.pick(bound)
        kind = self._vars[name]
        is_ordered = self.is_ordered(kind)
        ops = [
            o for o, row in COMPARISONS.items() if self.lexicon.has(f"compare:{o}") and (is_ordered or not row.is_order)
        ]
        if not ops:
            return None
        op = draw.pick([o for o in ops if o != "="] or ops) if draw.coin(0.85) else draw.pick(ops)
        others = [n for n in self.known(kind, bound) if n != name]
        if self.is_foreign(kind) and not others:
            return None
        right: ir.Term = (
            ir.Var(draw.pick(others)) if others and (draw.coin(0.5) or self.is_foreign(kind)) else self.const(kind)
        )
        if draw.coin(0.15) and kind in self.lexicon.types and kind != "any":
            right = self.expression(kind, bound)
        return ir.Compare(op, ir.Var(name), right)

    def is_ordered(self, kind: str) -> bool:
        return kind in ("number", "unsigned", "float") or (kind == "symbol" and self.lexicon.has("order:symbol"))

    def negation(self, bound: list[str]) -> Any:
        """A negated atom over bound variables; None where there is none."""
        draw = self.draw
        rel = self.relation()
        if rel.name in self.inlined:
            return None
        args: list[ir.Term] = []
        for position, kind in enumerate(rel.types):
            here = self.known(kind, bound)
            if here and draw.coin(0.8):
                args.append(ir.Var(draw.pick(here)))
            elif self.lexicon.has("negated wildcard") and draw.coin(0.5):
                args.append(ir.Wild())
            elif self.is_foreign(kind):
                return None
            else:
                args.append(self.const(kind, (rel.name, position)))
        if all(isinstance(a, ir.Wild) for a in args) and not self.lexicon.has("negated all"):
            return None
        return ir.Not(ir.Atom(rel.name, tuple(args)))

    def test(self, bound: list[str]) -> Any:
        """A test such as contains, over bound variables; None where none fits."""
        draw = self.draw
        fitting = [n for n, t in self.lexicon.tests.items() if all(self.known(k, bound) for k in t.args)]
        if not fitting:
            return None
        name = draw.pick(fitting)
        args: list[ir.Term] = [ir.Var(draw.pick(self.known(k, bound))) for k in self.lexicon.tests[name].args]
        if len(args) == 2 and draw.coin(0.7):
            args[0 if name in ("contains", "match") else 1] = ir.Const(draw.pick(("a", "b", "ab")), "symbol")
        elif name == "match":
            args[0] = ir.Const(draw.pick(("a", "b", "ab")), "symbol")  # a pattern from data may hold anything
        return ir.Holds(draw.pick(("", "", "!")) + name, tuple(args))

    def assignment(self, bound: list[str]) -> Any:
        kinds = [
            t for t in self.lexicon.types if t != "any" and any(f.result == t for f in self.lexicon.functors.values())
        ]
        if not kinds:
            return None
        kind = self.draw.pick(kinds)
        value = self.expression(kind, bound)
        return ir.Compare("=", self.fresh(kind), value)

    def disjunction(self, bound: list[str]) -> Any:
        """Two or three comparisons or negations of which one must hold; None where there are not enough."""
        arms = []
        for _ in range(self.draw.between(2, 3)):
            made = (
                self.comparison(bound)
                if self.draw.coin(0.7) or not self.lexicon.has("negated arm")
                else self.negation(bound)
            )
            if made is not None and not (isinstance(made, ir.Compare) and made.op == "="):
                arms.append((made,))
        return ir.Either(tuple(arms)) if len(arms) > 1 else None

    def aggregate(self, bound: list[str]) -> Any:
        """An aggregate over one or two atoms, some of whose columns are fixed by the rest of the rule."""
        draw, lexicon = self.draw, self.lexicon
        if not lexicon.aggregates:
            return None
        rel = self.relation()
        if rel.name in self.inlined:
            return None
        fn = draw.pick(lexicon.aggregates)
        row = AGGREGATES[fn]
        before = dict(self._vars)
        args: list[ir.Term] = []
        for kind in rel.types:
            here = self.known(kind, bound)
            args.append(ir.Var(draw.pick(here)) if here and draw.coin(0.45) else self.fresh(kind))
        inner = [a for a in args if isinstance(a, ir.Var) and a.name not in before]
        usable = [a for a in inner if self._vars[a.name] in ("number", "unsigned", "float")]
        if (not row.counts and not usable) or not inner:
            self._vars = before
            return None
        target = None if row.counts else draw.pick(usable)
        body: list[Any] = [ir.Atom(rel.name, tuple(args))]
        if draw.coin(0.3) and usable:
            body.append(ir.Compare(draw.pick(("<", "!=", ">=")), usable[0], self.const(self._vars[usable[0].name])))
        kind = "number" if target is None else self._vars[target.name]
        if target is not None and draw.coin(0.35):
            # What is aggregated is computed, also from what the rest of the rule binds.
            value = self.expression(kind, [*bound, *(a.name for a in inner)])
            target = self.fresh(kind)
            body.append(ir.Compare("=", target, value))
        self._vars = before
        name = f"v{len(before) + 40}"
        self._vars[name] = kind
        return ir.Aggregate(name, fn, target, tuple(body))

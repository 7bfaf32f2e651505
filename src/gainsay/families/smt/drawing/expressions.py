"""Random typed terms over a vocabulary, for one logic: small widths, boundary constants, and terms that come back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from gainsay.core.draw import Draw
from gainsay.families.smt.drawing import literals, makers
from gainsay.families.smt.language import ops
from gainsay.families.smt.language.ir import Decl, Term
from gainsay.families.smt.language.logics import Logic
from gainsay.families.smt.language.ops import Form
from gainsay.families.smt.language.sorts import array_of, is_array, is_bv, is_fp, width
from gainsay.families.smt.meaning.semantics import term_of

REUSED = 0.25  # of the terms that are needed are ones that were made before
LEAF = 0.18


class Grower:
    """Grows terms. What it made is kept by sort, to be used again: rewriters are about terms that meet themselves."""

    def __init__(
        self,
        draw: Draw,
        logic: Logic,
        decls: Sequence[Decl],
        sorts: Sequence[str],
        datatypes: Any,
        has: Callable[[str], bool],
    ) -> None:
        self.draw = draw
        self.logic = logic
        self.decls = decls
        self.sorts = list(sorts)
        self.datatypes = datatypes
        self.has = has
        self.stock: dict[str, list[Term]] = {}
        self._tables: dict[str, list[tuple[float, Form]]] = {}
        self._bound: list[tuple[str, str]] = []
        self._focus: Sequence[Decl] = ()  # constants that a formula is mostly about: few, so that they meet themselves

    def formula(self, fuel: int) -> Term:
        if self.logic.is_difference:
            return self.difference(fuel)
        constants = [d for d in self.decls if not d.args]
        self._focus = self.draw.sample(constants, 3) if self.draw.coin(0.7) else constants
        return self.made("Bool", fuel)

    def term(self, sort: str, fuel: int) -> Term:
        unit = self.draw.unit()
        if fuel <= 0 or unit < LEAF:
            return self.leaf(sort)
        if unit < LEAF + REUSED and not self._bound:
            kept = self.stock.get(sort)
            if kept:
                return self.draw.pick(kept)
        return self.made(sort, fuel)

    def made(self, sort: str, fuel: int) -> Term:
        """A term of a sort, by one of the forms that give it; a leaf where none does."""
        table = self._tables.get(sort)
        if table is None:
            table = self._tables[sort] = self._table(sort)
        if not table:
            return self.leaf(sort)
        form = self._choose(table)
        found = form.make(self, sort, fuel - 1)
        if found is None:
            return self.leaf(sort)
        if not self._bound:
            self.stock.setdefault(sort, []).append(found)
        return found

    def _choose(self, table: list[tuple[float, Form]]) -> Form:
        at = self.draw.unit() * table[-1][0]
        return next(form for upto, form in table if at < upto)

    def _table(self, sort: str) -> list[tuple[float, Form]]:
        """The forms that make a term of a sort, with their weights added up."""
        total = 0.0
        table = []
        for form in ops.of(sort):
            is_there = self.has(form.op) and (self.logic.is_linear or self.has(f"{form.op} nonlinear"))
            if is_there and form.theories <= self.logic.theories and form.is_apt(self, sort):
                total += form.weight
                table.append((total, form))
        return table

    def leaf(self, sort: str) -> Term:
        """A bound name, a constant or a literal of a sort."""
        names = [Term(n, (), s) for n, s in self._bound if s == sort]
        if names and self.draw.coin(0.6):
            return self.draw.pick(names)
        constants = [d for d in self._focus if d.sort == sort] or [
            d for d in self.decls if d.sort == sort and not d.args
        ]
        if constants and self.draw.coin(0.7):
            return Term(self.draw.pick(constants).name, (), sort)
        found = self.literal(sort)
        if found is not None:
            return found
        if constants:
            return Term(self.draw.pick(constants).name, (), sort)
        return self.constructed(sort)

    def constructed(self, sort: str) -> Term:
        """The shortest value of a sort without literals: a datatype's constructor, an array of one value everywhere."""
        if sort == "RegLan":
            return (
                makers.ranged(self, sort, 0) if self.draw.coin(0.2) else Term("str.to_re", (self.leaf("String"),), sort)
            )
        if is_array(sort):
            return Term(f"(as const {sort})", (self.leaf(array_of(sort)[1]),), sort)
        constructors = self.datatypes[sort]
        name, fields = min(constructors.items(), key=lambda c: sum(s == sort for _, s in c[1]))
        return Term(name, tuple(self.leaf(s) for _, s in fields), sort)

    def literal(self, sort: str) -> Term | None:
        value = self.value(sort)
        return term_of(value, sort) if value is not None else None

    def value(self, sort: str) -> Any:
        """A value for a literal, often one of those at which things change."""
        return literals.value(self.draw, sort)

    def any_sort(self, wanted: Callable[[str], bool] = lambda s: True) -> str | None:
        found = [s for s in self.sorts if wanted(s)]
        return self.draw.pick(found) if found else None

    def bv_sort(self) -> str | None:
        return self.any_sort(is_bv)

    def fp_sort(self) -> str | None:
        return self.any_sort(is_fp)

    def words(self, bits: int, fuel: int) -> Term:
        """A bit-vector of any width, also one that the vocabulary does not have."""
        sort = f"(_ BitVec {bits})"
        if sort in self.sorts or fuel > 0:
            return self.term(sort, fuel)
        found = self.literal(sort)
        assert found is not None
        return found

    def difference(self, fuel: int) -> Term:
        """A formula of difference logic: its atoms compare the difference of two variables with a constant."""
        draw = self.draw
        if fuel > 0 and draw.coin(0.75):
            op, n = draw.pick(
                (("and", 2), ("or", 2), ("not", 1), ("=>", 2), ("xor", 2), ("=", 2), ("or", 3), ("and", 3), ("ite", 3))
            )
            return Term(op, tuple(self.difference(fuel - 1) for _ in range(n)))
        sort = next(s for s in self.sorts if s in ("Int", "Real"))
        names = [Term(d.name, (), sort) for d in self.decls if d.sort == sort and not d.args]
        one, two = draw.pick(names), draw.pick(names)
        op = draw.pick(("<", "<=", ">", ">=", "=", "distinct"))
        if draw.coin(0.3):
            return Term(op, (one, two))
        literal = self.literal(sort)
        assert literal is not None
        return Term(op, (Term("-", (one, two), sort), literal))

    def quantified(self, op: str, fuel: int) -> Term:
        """A quantifier over a small domain, or over a range of integers that its body states: both can be evaluated."""
        draw = self.draw
        small = [
            s
            for s in self.sorts
            if s == "Bool" or (is_bv(s) and width(s) <= 3) or (s in self.datatypes and s in ("E", "P"))
        ] or ["Bool"]
        if "int" in self.logic.theories and draw.coin(0.6):
            small = ["Int"]
        bound = tuple(
            (f"q{len(self._bound) + n}", draw.pick(small))
            for n in range(1 if draw.coin(0.7) or small == ["Int"] else 2)
        )
        self._bound += bound
        body = self.term("Bool", fuel)
        del self._bound[-len(bound) :]
        if bound[0][1] == "Int":
            low = draw.below(3)
            name = Term(bound[0][0], (), "Int")
            guard = (
                Term("<=", (Term(str(low), (), "Int"), name)),
                Term("<=", (name, Term(str(low + draw.below(4)), (), "Int"))),
            )
            body = Term("=>", (Term("and", guard), body)) if op == "forall" else Term("and", (*guard, body))
        return Term(op, (body,), "Bool", bound)

    def several(self, sorts: Iterable[str], fuel: int) -> tuple[Term, ...]:
        return tuple(self.term(s, fuel) for s in sorts)

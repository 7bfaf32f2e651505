"""Conditions that are true for a witness row.

Two ways. GDsmith's: from the top down, each operator splitting what is wanted of it among its operands, lazily: the
second operand's share depends on the value that the first one happened to get. And ours: any typed expression,
evaluated on the witness, then kept, negated or asked for null."""

from __future__ import annotations

from typing import Any

from gainsay.core.draw import Draw
from gainsay.families.cypher.drawing.expressions import Expressions, Scope
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.ops import OPS
from gainsay.families.cypher.language.scopes import has_bare
from gainsay.families.cypher.meaning.scene_cache import OPEN
from gainsay.families.cypher.meaning.semantics import Evaluator

TRIES = 5


class Conditions:
    """Draws conditions that have a wanted truth value for a witness row."""

    def __init__(self, draw: Draw, expressions: Expressions, evaluator: Evaluator) -> None:
        self.draw = draw
        self.expressions = expressions
        self.evaluator = evaluator

    def true_for(self, scope: Scope, row: dict[str, Any], depth: int, is_mixed: bool = True) -> ir.Expr | None:
        """A condition that holds on the witness; `is_mixed`: by either way, else GDsmith's alone."""
        if not is_mixed or self.draw.coin(0.3):
            return self.wanted(scope, row, True, depth)
        return self.rectified(scope, row, depth)

    def rectified(self, scope: Scope, row: dict[str, Any], depth: int) -> ir.Expr | None:
        """Any expression, made true: kept, negated, or asked for null."""
        for _ in range(TRIES):
            drawn = self.expressions.expr("bool", scope, depth)
            try:
                value = self.evaluator.value(drawn, row)
            except OPEN:
                continue
            if value is True:
                return drawn
            if value is False:
                return ir.Op("NOT", (drawn,))
            if (
                value is None
                and self.draw.coin(0.5)
                and not has_bare(drawn)
                and self.expressions.lexicon.has("op:IS NULL/bool")
            ):
                return ir.Op("IS NULL", (drawn,))
        return None

    # --- from the top down (GDsmith) ----------------------------------------------------------------------------------

    def value(self, expr: ir.Expr, row: dict[str, Any]) -> Any:
        try:
            return self.evaluator.value(expr, row)
        except OPEN:
            return None

    def wanted(self, scope: Scope, row: dict[str, Any], want: bool | None, depth: int) -> ir.Expr | None:
        """An expression with the wanted truth value on this row; None wanted: any."""
        draw = self.draw
        if depth <= 0:
            return self.comparison(scope, row, want)
        form = draw.pick(("AND", "OR", "XOR", "NOT", "leaf", "leaf"))
        if form == "leaf" or not self.expressions.lexicon.has(
            f"op:{form}/bool,bool" if form != "NOT" else "op:NOT/bool"
        ):
            return self.comparison(scope, row, want)
        if form == "NOT":
            below = self.wanted(scope, row, None if want is None else not want, depth - 1)
            return below and ir.Op("NOT", (below,))
        # Lazy splitting: the left side may become anything that does not spoil the whole; the right side then gets the
        # rest of the duty.
        easy = want is None or (form == "AND" and not want) or (form == "OR" and want) or form == "XOR"
        left = self.wanted(scope, row, None if easy else want, depth - 1)
        if left is None:
            return None
        got = self.value(left, row)
        right = self.wanted(scope, row, self.rest(form, want, got), depth - 1)
        return right and ir.Op(form, (left, right))

    @staticmethod
    def rest(form: str, want: bool | None, got: Any) -> bool | None:
        """What is left for the right operand to do."""
        if want is None:
            return None
        if form == "XOR":
            return None if got is None else got is not want
        if form == "AND":
            return True if want else None if got is False else False
        return False if not want else None if got is True else True

    def comparison(self, scope: Scope, row: dict[str, Any], want: bool | None) -> ir.Expr | None:
        """A comparison or a string match of a property whose value is known (GDsmith's Vals), with a constant or
        another property that suits."""
        draw = self.draw
        known = [
            (kind, atom, value)
            for kind in ("int", "str", "float")
            for atom in scope.atoms.get(kind, ())
            if (value := self.value(atom, row)) is not None
        ]
        flags = [(a, v) for a in scope.atoms.get("bool", ()) if (v := self.value(a, row)) is not None]
        if flags and (not known or draw.coin(0.15)):
            atom, value = draw.pick(flags)
            return atom if want is None or value is want else ir.Op("NOT", (atom,))
        if not known:
            return None
        kind, atom, value = draw.pick(known)
        truth = draw.coin() if want is None else want
        if kind == "str" and draw.coin(0.4):
            return self.matched(atom, value, truth)
        op = draw.pick(("=", "<>", "<", "<=", ">", ">="))
        others = [a for k, a, _ in known if k == kind and a is not atom]
        for _ in range(TRIES):
            other = draw.pick(others) if others and draw.coin(0.4) else self.expressions.literal(kind)
            made = ir.Op(op, (atom, other))
            if self.value(made, row) is truth:
                return made
            made = ir.Op(OPS[op].opposite, (atom, other))
            if self.value(made, row) is truth:
                return made
        return ir.Op("=" if truth else "<>", (atom, ir.Lit(kind, value)))

    def matched(self, atom: ir.Expr, value: str, truth: bool) -> ir.Expr:
        """A test of a string against a part of its value; where it shall not hold, one that fails."""
        draw = self.draw
        op = draw.pick(
            [o for o in ("STARTS WITH", "ENDS WITH", "CONTAINS") if self.expressions.lexicon.has(f"op:{o}/str,str")]
            or ["="]
        )
        if op == "=":
            return ir.Op("=" if truth else "<>", (atom, ir.Lit("str", value)))
        cut = draw.between(0, len(value))
        part = (
            value[:cut]
            if op == "STARTS WITH"
            else value[len(value) - cut :]
            if op == "ENDS WITH"
            else value[cut // 2 : cut]
        )
        made = ir.Op(op, (atom, ir.Lit("str", part if truth else f"{value}x")))
        return made

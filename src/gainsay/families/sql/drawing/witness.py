"""Conditions led by a witness: a row of the tables that a query reads, for which a drawn condition is made true.

So an answer holds a row, and says something. As PQS rectifies a condition for its pivot row (Rigger and Su, OSDI 2020),
but from within: what is wrong with the condition is mended where it stands, so that it keeps its form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from gainsay.core.draw import Draw
from gainsay.families.sql.language import dialects, ir
from gainsay.families.sql.meaning.rows import Relation
from gainsay.families.sql.meaning.scene_cache import OPEN
from gainsay.families.sql.meaning.scope import NOTHING, NOWHERE, Known, Scope
from gainsay.families.sql.meaning.semantics import Compiler
from gainsay.families.sql.meaning.term import Row

AS_DRAWN, EMPTY = 0.02, 0.02  # shares of conditions that are left alone, and that are made false for the witness


class Witness:
    """A row, and the columns by which expressions see it."""

    __slots__ = ("_compiler", "_known", "_row", "_scope", "_told")

    def __init__(self, compiler: Compiler, known: Known = NOTHING) -> None:
        self._compiler = compiler
        self._known = known
        self._scope = Scope(NOWHERE)
        compiler.forget()
        self._row: Row = ()
        self._told: dict[int, tuple[ir.Expr, bool | None]] = {}  # what was asked; the node is kept, so is its id

    def read(self, draw: Draw, join: ir.Join) -> bool:
        """Take a row of one more relation; false if it has none."""
        relation = self._known.get(join.rel) or self._compiler.relations.get(join.rel)
        if relation is None or join.is_made:
            return False
        rows = relation.fetch(())
        shared = self._compiler.shared(join, self._scope, relation)
        if shared:
            values = {name: term.of(self._row) for term, name in shared}
            rows = [row for row in rows if is_alike(row, relation, values)]
        if not rows and join.way not in ("LEFT JOIN", "FULL JOIN"):
            return False
        self._told.clear()
        self._scope.add(join.alias or join.rel, relation.columns)
        self._compiler.merge(join, self._scope, shared)
        self._row += draw.pick(rows) if rows else (None,) * len(relation.columns)
        return True

    def truth(self, condition: ir.Expr) -> bool | None:
        """Whether a condition is true for the row."""
        told = self._told.get(id(condition))
        if told is None:
            value = self._compiler.prepared(condition, self._scope, self._known).of(self._row)
            told = self._told[id(condition)] = condition, self._compiler.system.truth(value)
        return told[1]

    def mended(self, draw: Draw, condition: ir.Expr, wanted: bool, words: frozenset[str]) -> ir.Expr:
        """A condition like this one that is true, or false, for the row. `words`: the operators that may be used."""
        found = self.truth(condition)
        if found is wanted:
            return condition
        if isinstance(condition, ir.Op):
            if condition.op == "not":
                return ir.Op("not", (self.mended(draw, condition.args[0], not wanted, words),))
            if condition.op in ("and", "or"):
                is_all = (condition.op == "and") == wanted
                chosen = draw.below(2)
                args = [
                    self.mended(draw, arg, wanted, words) if is_all or place == chosen else arg
                    for place, arg in enumerate(condition.args)
                ]
                return ir.Op(condition.op, tuple(args))
            row = dialects.row(condition.op)
            if found is not None and row is not None and row.opposite in words and not row.is_key:
                return ir.Op(row.opposite, condition.args)
        if found is None:
            return ir.Op("is null" if wanted else "is not null", (condition,))
        return ir.Op("not", (condition,))


def is_alike(row: Row, relation: Relation, values: Mapping[str, Any]) -> bool:
    """Whether a row has these values in columns of these names."""
    pairs = zip(relation.columns, row, strict=True)
    return all(value is not None and values[c.name] == value for c, value in pairs if c.name in values)


def led(draw: Draw, witness: Witness, condition: ir.Expr, words: frozenset[str]) -> ir.Expr:
    """A condition, most often made true for the witness. One of which nobody can tell what it is stays as it is."""
    unit = draw.unit()
    if unit < AS_DRAWN:
        return condition
    try:
        return witness.mended(draw, condition, unit >= AS_DRAWN + EMPTY, words)
    except OPEN:
        return condition


def joined(
    draw: Draw, compiler: Compiler, source: tuple[ir.Join, ...], ctes: tuple[ir.Cte, ...], words: frozenset[str]
) -> tuple[tuple[ir.Join, ...], Witness | None]:
    """A FROM list whose conditions hold for a row of it, and that row; None where there is none."""
    try:
        witness = Witness(compiler, compiler.with_ctes(ctes, NOTHING) if ctes else NOTHING)
        made: list[ir.Join] = []
        for join in source:
            if not witness.read(draw, join):
                return source, None
            made.append(
                join if join.on is None else msgspec.structs.replace(join, on=led(draw, witness, join.on, words))
            )
    except OPEN:
        return source, None
    return tuple(made), witness

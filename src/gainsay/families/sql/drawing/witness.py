"""Conditions led by a witness: a row of the tables that a query reads, for which a drawn condition is made true.

So an answer holds a row, and says something. As PQS rectifies a condition for its pivot row (Rigger and Su, OSDI 2020),
but from within: what is wrong with the condition is mended where it stands, so that it keeps its form. A part of which
our own semantics can't tell what it is gets a sure one beside it (`part OR c0 = 1`), where nothing else will do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from gainsay.core.draw import Draw
from gainsay.families.sql.drawing.lexicon import Lexicon
from gainsay.families.sql.language import dialects, ir
from gainsay.families.sql.language.schema import Attribute
from gainsay.families.sql.meaning.rows import Relation, Rows
from gainsay.families.sql.meaning.scene_cache import OPEN
from gainsay.families.sql.meaning.scope import NOTHING, NOWHERE, Known, Scope
from gainsay.families.sql.meaning.semantics import Compiler
from gainsay.families.sql.meaning.term import Row

AS_DRAWN, EMPTY = 0.01, 0.01  # shares of conditions that are left alone, and that are made false for the witness
UNGUARDED = 0.05  # share of the conditions of which nobody can tell what they are that are left alone
TRIES = 4  # rows that are tried, where relations are joined by what their rows have in common
UNTOLD: Final = "untold"  # the truth of a condition of which our own semantics can't tell
Truth = bool | None | Literal["untold"]
Columns = Sequence[tuple[ir.Col, Attribute]]
Terms = Sequence[tuple[ir.Expr, Attribute]]


class Witness:
    """A row, and the columns by which expressions see it."""

    __slots__ = ("_columns", "_compiler", "_known", "_lexicon", "_read", "_row", "_scope", "_told")

    def __init__(self, compiler: Compiler, lexicon: Lexicon, known: Known = NOTHING) -> None:
        self._compiler = compiler
        self._lexicon = lexicon
        self._known = known
        self._scope = Scope(NOWHERE)
        compiler.forget()
        self._row: Row = ()
        self._columns: Columns = ()  # those of the whole FROM list that may be tested
        self._read: set[str] = set()  # the relations of which the row is
        self._told: dict[int, tuple[ir.Expr, Truth]] = {}  # what was asked; the node is kept, so is its id

    def read(self, draw: Draw, join: ir.Join, columns: Columns) -> bool:
        """Take a row of one more relation; false if it has none. One of which nobody can tell what it holds is passed
        by: what is asked about its columns can't be told. `columns`: those that may be tested."""
        self._told.clear()
        try:
            found = self._rows(join)
            if found is None:
                return True
            relation, rows = found
            shared = self._compiler.shared(join, self._scope, relation)
            if shared:
                values = {name: term.of(self._row) for term, name in shared}
                alike = [row for row in rows if is_alike(row, relation, values)]
                if rows and not alike and join.way == "RIGHT JOIN":
                    self._row = (None,) * len(self._row)  # a row of this one has none on its left
                else:
                    rows = alike
            if not rows and join.way not in ("LEFT JOIN", "FULL JOIN"):
                return False
            self._scope.add(join.alias or join.rel, relation.columns)
            self._row += draw.pick(rows) if rows else (None,) * len(relation.columns)
            self._columns = columns
            self._read.add(join.alias or join.rel)
            self._compiler.merge(join, self._scope, shared)
        except OPEN:
            pass
        return True

    def _rows(self, join: ir.Join) -> tuple[Relation, Rows] | None:
        """A relation and what it holds, as far as we know; None where that can't be told."""
        relation = self._known.get(join.rel) or self._compiler.relations.get(join.rel)
        if relation is None or join.is_made:
            return None
        try:
            return relation, relation.fetch(())
        except OPEN:
            rows = self._lexicon.guessed(join.rel) if join.rel not in self._known else []
            return (relation, rows) if rows else None

    def truth(self, condition: ir.Expr) -> Truth:
        """Whether a condition is true for the row."""
        known = self._told.get(id(condition))
        if known is not None:
            return known[1]
        try:
            value = self._compiler.prepared(condition, self._scope, self._known).of(self._row)
            found: Truth = self._compiler.system.truth(value)
        except OPEN:
            found = UNTOLD
        self._told[id(condition)] = condition, found
        return found

    def mended(self, draw: Draw, condition: ir.Expr, wanted: bool) -> ir.Expr:
        """A condition like this one that is true, or false, for the row."""
        found = self.truth(condition)
        if found is wanted:
            return condition
        if isinstance(condition, ir.Op):
            if condition.op == "not":
                return ir.Op("not", (self.mended(draw, condition.args[0], not wanted),))
            if condition.op in ("and", "or"):
                is_all = (condition.op == "and") == wanted
                chosen = draw.below(2)
                if not is_all and found == UNTOLD and self.truth(condition.args[chosen]) == UNTOLD:
                    chosen = 1 - chosen  # best one that can be told
                args = [
                    self.mended(draw, arg, wanted) if is_all or place == chosen else arg
                    for place, arg in enumerate(condition.args)
                ]
                return ir.Op(condition.op, tuple(args))
            row = dialects.row(condition.op)
            is_told = isinstance(found, bool)
            if is_told and row is not None and row.opposite in self._lexicon.words and not row.is_key:
                return ir.Op(row.opposite, condition.args)
        if found == UNTOLD:
            return condition if draw.unit() < UNGUARDED else self.guarded(draw, condition, wanted)
        if found is None:
            return ir.Op("is null" if wanted else "is not null", (condition,))
        return ir.Op("not", (condition,))

    def guarded(self, draw: Draw, condition: ir.Expr, wanted: bool, columns: Terms = ()) -> ir.Expr:
        """A condition of which nobody can tell what it is, with one beside it that decides for the row. `columns`: only
        those may be tested."""
        sure = self._sure(draw, columns or [(c, a) for c, a in self._columns if c.rel in self._read])
        if sure is None:
            return condition
        pair = condition, sure if wanted else ir.Op("not", (sure,))
        return ir.Op("or" if wanted else "and", pair if draw.coin() else pair[::-1])

    def _sure(self, draw: Draw, columns: Terms) -> ir.Expr | None:
        """A condition on one column that is true for the row, and for few others: that it has its value. None where
        there is none."""
        for column, attribute in draw.sample(columns, len(columns)):
            is_null = ir.Op("is null", (column,))
            if self.truth(is_null) is True:
                return is_null
            if self.truth(is_null) == UNTOLD:
                continue
            value = self._value(column)
            for literal in self._lexicon.equated(attribute.cls) if attribute.clean else ():
                test = ir.Op("=", (column, literal))
                if self._value(literal) == value and self.truth(test) is True:
                    return test
            return ir.Op("is not null", (column,))
        return None

    def _value(self, expr: ir.Expr) -> Any:
        """What an expression is for the row; nothing where that can't be told."""
        try:
            return self._compiler.term(expr, self._scope, self._known).of(self._row)
        except OPEN:
            return None


def is_alike(row: Row, relation: Relation, values: Mapping[str, Any]) -> bool:
    """Whether a row has these values in columns of these names."""
    pairs = zip(relation.columns, row, strict=True)
    return all(value is not None and values[c.name] == value for c, value in pairs if c.name in values)


def led(draw: Draw, witness: Witness, condition: ir.Expr, wanted: bool = True) -> ir.Expr:
    """A condition, most often made true, or false, for the witness."""
    unit = draw.unit()
    return condition if unit < AS_DRAWN else witness.mended(draw, condition, (unit >= AS_DRAWN + EMPTY) == wanted)


def joined(
    draw: Draw,
    lexicon: Lexicon,
    compiler: Compiler,
    source: tuple[ir.Join, ...],
    columns: Columns,
    ctes: tuple[ir.Cte, ...],
) -> tuple[tuple[ir.Join, ...], Witness | None]:
    """A FROM list whose conditions hold for a row of it, and that row; None where there is none."""
    try:
        known = compiler.with_ctes(ctes, NOTHING) if ctes else NOTHING
    except OPEN:
        known = NOTHING
    for _ in range(TRIES):
        found = of_row(draw, Witness(compiler, lexicon, known), source, columns)
        if found is not None:
            return found
    return source, None


def of_row(
    draw: Draw, witness: Witness, source: tuple[ir.Join, ...], columns: Columns
) -> tuple[tuple[ir.Join, ...], Witness] | None:
    """A FROM list whose conditions hold for a row that the witness takes of it; None where one goes without."""
    made: list[ir.Join] = []
    for join in source:
        if not witness.read(draw, join, columns):
            return None
        made.append(join if join.on is None else msgspec.structs.replace(join, on=led(draw, witness, join.on)))
    return tuple(made), witness

"""Random statements that change a table that is there, one at a time."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gainsay.core.draw import Draw
from gainsay.families.sql.drawing import changes, links
from gainsay.families.sql.drawing.lexicon import Lexicon
from gainsay.families.sql.drawing.rows import rows
from gainsay.families.sql.language import ir
from gainsay.families.sql.language.schema import Scope
from gainsay.families.sql.meaning.tables import Table

Written = ir.Insert | ir.Update | ir.Delete
TRIES = 4
COMPUTED = 0.05  # share of RETURNING clauses with an expression


def statement(draw: Draw, lexicon: Lexicon, tables: Sequence[Table]) -> Written | None:
    """A statement that changes one of some tables; None where none is found."""
    made = [msgspec.structs.replace(t.node, name=t.name) for t in tables]
    for _ in range(TRIES if made else 0):
        found = [
            s for s in drawn(draw, lexicon, draw.pick(made), made) if isinstance(s, (ir.Insert, ir.Update, ir.Delete))
        ]
        if found:
            return draw.pick(found)
    return None


def drawn(draw: Draw, lexicon: Lexicon, each: ir.CreateTable, made: list[ir.CreateTable]) -> Sequence[ir.Statement]:
    """Statements of one kind for a table."""
    scope = Scope.of((ir.Col("", c.name), c.cls, True) for c in each.columns)
    unit = draw.unit()
    if unit < 0.3:
        return changes.update(draw, lexicon, each, scope, False)
    if unit < 0.45:
        return changes.joined_update(draw, lexicon, each, draw.pick(made))
    if unit < 0.6:
        return changes.key_update(draw, lexicon, each, False)
    if unit < 0.75:
        return links.change(draw, lexicon, each, "DELETE", False)
    if unit < 0.85:
        return changes.upsert(draw, lexicon, each, False)
    return rows(draw, lexicon, each, False)[:1]


def items(draw: Draw, lexicon: Lexicon, table: Table, made: Written) -> tuple[ir.Expr, ...]:
    """What RETURNING tells: columns, perhaps an expression; nothing, where there is no such clause."""
    kind = type(made).__name__.lower()
    if not lexicon.has(f"returning:{kind}") or draw.unit() < 0.2:
        return ()
    rel = made.table if isinstance(made, ir.Update) and made.source else ""
    listed: list[ir.Expr] = [ir.Col(rel, name) for name in draw.sample(table.names, draw.between(1, len(table.names)))]
    if lexicon.is_loose and draw.unit() < COMPUTED:
        # Whether such a column has an affinity is not said: a sign before it takes it away.
        scope = Scope.of((ir.Op("+x", (c,)), "any", True) for c in listed)
        listed.append(lexicon.expr(draw, "any", 1, scope))
    return tuple(listed)

"""A query whose rows are known, asked once more in another form: as a CTE that is counted, shown, filtered or put
behind itself. Its rows follow from those that are known, so nothing is evaluated again; but an engine plans it anew."""

from __future__ import annotations

from typing import Any, ClassVar

from gainsay.core.draw import Draw
from gainsay.core.tree import Node
from gainsay.families.sql.drawing.lexicon import Lexicon
from gainsay.families.sql.language import ir
from gainsay.families.sql.meaning.rows import Rows

NAME = "w9"
KINDS = ("counted", "shown", "filtered", "filtered", "without", "twice")
MOST = 2  # forms of one query


class Form(Node, frozen=True, gc=False):
    """How a query is asked: `filtered` by a column that is not NULL, `without` those rows, `twice` by UNION ALL."""

    keep: ClassVar[frozenset[str]] = frozenset({"kind", "column"})
    kind: str
    column: int = 0


def drawn(draw: Draw, lexicon: Lexicon, query: ir.Select | ir.Compound) -> tuple[Form, ...]:
    """None to two forms of a query, each of another kind."""
    if not lexicon.has("clause:with"):
        return ()
    width = len(shown(query))
    found = {draw.pick(KINDS): draw.below(width) for _ in range(draw.below(MOST + 1))}
    return tuple(Form(kind, column) for kind, column in found.items() if kind != "twice" or lexicon.has(UNION))


UNION = "clause:union all"


def shown(query: ir.Select | ir.Compound) -> tuple[ir.Item, ...]:
    """The items of a query."""
    return query.items if isinstance(query, ir.Select) else query.arms[0].items


def said(query: ir.Select | ir.Compound, form: Form) -> ir.Select | ir.Compound:
    """A query in a form."""
    columns = tuple(ir.ViewColumn(f"c{n}") for n in range(len(shown(query))))
    ctes = (ir.Cte(NAME, columns, query),)
    listed: tuple[Any, ...] = tuple(ir.Col(NAME, c.name) for c in columns)
    tested = listed[form.column % len(listed)]
    whole = ir.Select(listed, (ir.Join(NAME),))
    if form.kind == "counted":
        return ir.Select((ir.Agg("count"),), whole.source, ctes=ctes)
    if form.kind == "twice":
        return ir.Compound("UNION ALL", (whole, whole), ctes)
    tests = {"filtered": ir.Op("is not null", (tested,)), "without": ir.Op("is null", (tested,))}
    return ir.Select(listed, whole.source, tests.get(form.kind), ctes=ctes)


def rows(found: Rows, form: Form) -> Rows:
    """The rows of a query in a form."""
    if form.kind == "counted":
        return [(len(found),)]
    if form.kind == "twice":
        return found + found
    if form.kind in ("filtered", "without"):
        is_null = form.kind == "without"
        return [row for row in found if (row[form.column % len(row)] is None) is is_null]
    return found

"""Window functions, with one possible value for each row: which of two rows that are equal in a window's order comes
first must not matter, or they must be identical."""

from __future__ import annotations

import msgspec

from gainsay.core.draw import Draw
from gainsay.families.sql.drawing.lexicon import Lexicon
from gainsay.families.sql.drawing.ordering import sort_key
from gainsay.families.sql.language import ir
from gainsay.families.sql.language.aggregates import PLACE, STEP, Aggregate
from gainsay.families.sql.language.schema import Attribute, Scope

Columns = list[tuple[ir.Col, Attribute]]
STARTS = ("UNBOUNDED PRECEDING", "2 PRECEDING", "1 PRECEDING", "CURRENT ROW", "1 FOLLOWING")
ENDS = ("1 PRECEDING", "CURRENT ROW", "1 FOLLOWING", "2 FOLLOWING", "UNBOUNDED FOLLOWING")
PLACES = {text: n for n, text in enumerate(dict.fromkeys((*STARTS[:3], "CURRENT ROW", "1 FOLLOWING", *ENDS[3:])))}
EXCLUDED = ("CURRENT ROW", "GROUP", "TIES")
MOST = 6  # columns that an order is by


def window(
    draw: Draw, lexicon: Lexicon, columns: Columns, scope: Scope, is_summed: bool
) -> tuple[ir.Over, Attribute] | None:
    """A window function over the rows of a FROM list; None where there is none that has one value. `is_summed`: sums
    lose no digits."""
    clean = [(c, a) for c, a in columns if a.clean]
    if not lexicon.windows or not clean:
        return None
    # All that can be seen of a row is in its order: rows that are equal in it are identical
    is_total = len(columns) <= MOST and all(a.clean and a.exact for _, a in columns)
    fn, rows = draw.pick(lexicon.windows), lexicon.dialect.aggregates
    if not rows[fn].is_alike and not is_total:
        fn = draw.pick([f for f in lexicon.windows if rows[f].is_alike] or ["count"])
    column, a = draw.pick(clean)
    if not lexicon.suits(rows[fn], a, is_summed):
        fn = "count"
    row = rows[fn]
    by_all = is_total and (not row.is_alike or draw.coin(0.3))
    partition = (draw.pick(clean)[0],) if draw.coin(0.4) else ()
    listed = [c for c, _ in draw.sample(clean, len(clean) if by_all else draw.between(0, min(2, len(clean))))]
    order = tuple(sort_key(draw, lexicon, c) for c in listed)
    is_filtered = row.is_summing and draw.coin(0.15) and lexicon.has("window:filter")
    where = lexicon.predicate(draw, 1, scope) if is_filtered else None
    node = ir.Over(fn, arguments(draw, lexicon, row, column, a), partition, order, where=where)
    if row.is_framed:
        node = msgspec.structs.replace(node, frame=frame(draw, lexicon, node, by_all))
    cls = "any" if lexicon.is_loose else row.result_of(a.cls)
    return node, Attribute("", cls, True, row.result == "int")


def arguments(draw: Draw, lexicon: Lexicon, row: Aggregate, column: ir.Col, a: Attribute) -> tuple[ir.Expr, ...]:
    """The operands of a window function of a column."""
    if row.exact and draw.coin():
        return ()
    found: list[ir.Expr] = []
    for cls in row.args:
        if cls == PLACE:
            found.append(ir.Lit("int", draw.pick(("1", "2", "3"))))
        elif cls == STEP:
            if not draw.coin(0.4):
                break
            found.append(ir.Lit("int", draw.pick(("0", "1", "2"))))
        elif found:  # what is given where there is no such row
            found += [lexicon.literal(draw, a.cls)] if draw.coin(0.3) and lexicon.is_loose else []
        else:
            found.append(column)
    return tuple(found)


def frame(draw: Draw, lexicon: Lexicon, node: ir.Over, by_all: bool) -> ir.Frame | None:
    """A frame that a window may have: one by rows only where the order is of all that can be seen."""
    units = [u for u in lexicon.frames if (u != "ROWS" or by_all) and (u == "ROWS" or node.order)]
    if not units or draw.coin(0.6):
        return None
    unit = draw.pick(units)
    start, end = draw.pick(STARTS), draw.pick(ENDS)
    if unit == "RANGE" and (len(node.order) > 1 or draw.coin()):
        start, end = (
            draw.pick(("UNBOUNDED PRECEDING", "CURRENT ROW")),
            draw.pick(("CURRENT ROW", "UNBOUNDED FOLLOWING")),
        )
    if PLACES[start] > PLACES[end]:
        start, end = "UNBOUNDED PRECEDING", "CURRENT ROW"
    exclude = draw.pick(EXCLUDED) if draw.coin(0.25) and lexicon.has("frame:exclude") else ""
    return ir.Frame(unit, start, end, exclude)

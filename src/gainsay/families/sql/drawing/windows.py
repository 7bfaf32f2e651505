"""Window functions, with one possible value for each row: which of two rows that are equal in a window's order comes
first must not matter, or they must be identical."""

from __future__ import annotations

import msgspec

from gainsay.core.draw import Draw
from gainsay.families.sql.drawing.cuts import sort_key
from gainsay.families.sql.drawing.lexicon import Lexicon
from gainsay.families.sql.language import ir
from gainsay.families.sql.language.schema import Attribute, Scope
from gainsay.families.sql.meaning.legal import PEERS_ALIKE, SUMS

Columns = list[tuple[ir.Col, Attribute]]
ORDERED = frozenset({"any", "int", "dec", "text", "date", "timestamp"})
STARTS = ("UNBOUNDED PRECEDING", "2 PRECEDING", "1 PRECEDING", "CURRENT ROW", "1 FOLLOWING")
ENDS = ("1 PRECEDING", "CURRENT ROW", "1 FOLLOWING", "2 FOLLOWING", "UNBOUNDED FOLLOWING")
PLACES = {text: n for n, text in enumerate(dict.fromkeys((*STARTS[:3], "CURRENT ROW", "1 FOLLOWING", *ENDS[3:])))}
EXCLUDED = ("CURRENT ROW", "GROUP", "TIES")
MOST = 6  # columns that an order is by
FRAMED = frozenset({"count", "sum", "min", "max", "avg", "total", "first_value", "last_value", "nth_value"})


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
    fn = draw.pick(lexicon.windows)
    if fn not in PEERS_ALIKE and not is_total:
        fn = draw.pick([f for f in lexicon.windows if f in PEERS_ALIKE] or ["count"])
    column, a = draw.pick(clean)
    if fn in ("min", "max") and not (a.exact and a.cls in ORDERED):
        fn = "count"
    if fn in SUMS and not (is_summed and a.cls in ("int", "any")):
        fn = "count"
    by_all = is_total and (fn not in PEERS_ALIKE or draw.coin(0.3))
    partition = (draw.pick(clean)[0],) if draw.coin(0.4) else ()
    listed = [c for c, _ in draw.sample(clean, len(clean) if by_all else draw.between(0, min(2, len(clean))))]
    order = tuple(sort_key(draw, lexicon, c) for c in listed)
    where = lexicon.predicate(draw, 1, scope) if fn in SUMMED and draw.coin(0.15) and has_filter(lexicon) else None
    node = ir.Over(fn, arguments(draw, lexicon, fn, column, a), partition, order, where=where)
    node = msgspec.structs.replace(node, frame=frame(draw, lexicon, node, by_all))
    is_whole = fn in ("count", "rank", "dense_rank", "row_number", "ntile")
    cls = "real" if fn in ("avg", "total") else "int" if is_whole or fn == "sum" else a.cls
    cls = "any" if lexicon.is_loose else cls
    return node, Attribute("", cls, True, is_whole)


SUMMED = frozenset({"count", "sum", "min", "max", "avg", "total"})


def has_filter(lexicon: Lexicon) -> bool:
    return lexicon.has("window:filter")


def arguments(draw: Draw, lexicon: Lexicon, fn: str, column: ir.Col, a: Attribute) -> tuple[ir.Expr, ...]:
    """The operands of a window function of a column."""
    if fn in ("rank", "dense_rank", "row_number") or (fn == "count" and draw.coin()):
        return ()
    if fn == "ntile":
        return (ir.Lit("int", draw.pick(("1", "2", "3"))),)
    if fn == "nth_value":
        return column, ir.Lit("int", draw.pick(("1", "2", "3")))
    if fn in ("lag", "lead") and draw.coin(0.4):
        steps = ir.Lit("int", draw.pick(("0", "1", "2")))
        return (column, steps, lexicon.literal(draw, a.cls)) if draw.coin(0.3) and lexicon.is_loose else (column, steps)
    return (column,)


def frame(draw: Draw, lexicon: Lexicon, node: ir.Over, by_all: bool) -> ir.Frame | None:
    """A frame that a window may have: one by rows only where the order is of all that can be seen."""
    units = [u for u in lexicon.frames if (u != "ROWS" or by_all) and (u == "ROWS" or node.order)]
    if node.fn not in FRAMED or not units or draw.coin(0.6):
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

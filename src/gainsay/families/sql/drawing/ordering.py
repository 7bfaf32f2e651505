"""ORDER BY, LIMIT and OFFSET. A query is cut only where its order is of all that it shows, and equal values of that are
identical."""

from __future__ import annotations

import msgspec

from gainsay.core.draw import Draw
from gainsay.core.tree import walk
from gainsay.families.sql.drawing.lexicon import Lexicon
from gainsay.families.sql.language import ir
from gainsay.families.sql.language.schema import Scope

LIMITS = ("0", "1", "1", "2", "2", "3", "5")
OFFSETS = ("0", "1", "1", "2")


def sort_key(draw: Draw, lexicon: Lexicon, expr: ir.Expr) -> ir.Order:
    """A key; it says where NULLs go now and then."""
    nulls = draw.pick(("FIRST", "LAST")) if draw.coin(0.25) and lexicon.is_wide and lexicon.has("clause:nulls") else ""
    return ir.Order(expr, draw.coin(0.4), nulls)


def limit(draw: Draw) -> tuple[ir.Lit, ir.Lit | None]:
    return ir.Lit("int", draw.pick(LIMITS)), ir.Lit("int", draw.pick(OFFSETS)) if draw.coin(0.4) else None


def by_all(draw: Draw, lexicon: Lexicon, query: ir.Select, scope: Scope | None, is_cut: bool) -> ir.Select:
    """A query in the order of all that it shows, perhaps of something else first, and perhaps cut."""
    items = [i for i in query.items if not isinstance(i, ir.As) and is_varied(i)]
    order = [sort_key(draw, lexicon, i) for i in draw.sample(items, len(items))]
    first = lexicon.predicate(draw, 1, scope) if scope is not None and draw.coin(0.3) else None
    if first is not None and is_varied(first):
        order.insert(0, sort_key(draw, lexicon, first))
    if not is_cut or not lexicon.has("clause:limit") or len(items) < len(query.items):
        return msgspec.structs.replace(query, order=tuple(order))
    most, start = limit(draw)
    return msgspec.structs.replace(query, order=tuple(order), limit=most, offset=start)


def sparing(query: ir.Select | ir.Compound) -> ir.Select | ir.Compound:
    """A query of which it is not known how many rows it has, cut so that one is left."""
    if query.limit is None:
        return query
    limit = ir.Lit("int", "1") if query.limit == ir.Lit("int", "0") else query.limit
    offset = ir.Lit("int", "0") if query.offset is not None else None
    return msgspec.structs.replace(query, limit=limit, offset=offset)


def is_varied(expr: ir.Expr) -> bool:
    """Whether an expression is no constant, which a parser may take for the place of an item."""
    return any(isinstance(n, (ir.Col, ir.Agg)) for _, n in walk(expr))


def of_compound(draw: Draw, lexicon: Lexicon, query: ir.Compound, is_exact: bool) -> ir.Compound:
    """A compound query in the order of its columns, and perhaps cut."""
    if not lexicon.is_wide or not lexicon.has("clause:compound order") or draw.coin(0.6):
        return query
    places = range(1, len(query.arms[0].items) + 1)
    order = tuple(sort_key(draw, lexicon, ir.Lit("int", str(n))) for n in draw.sample(places, len(places)))
    most, start = limit(draw) if is_exact and draw.coin(0.7) else (None, None)
    return msgspec.structs.replace(query, order=order, limit=most, offset=start)

"""Draws scenes: a few input relations with a few facts each."""

from __future__ import annotations

from gainsay.core.draw import Draw
from gainsay.families.datalog.drawing.expressions import scalar
from gainsay.families.datalog.drawing.lexicon import Lexicon
from gainsay.families.datalog.language import ir


def grow(draw: Draw, lexicon: Lexicon) -> ir.Scene:
    """A few input relations with a few facts each."""
    types: list[ir.TypeDef] = []
    if lexicon.has("subtypes") and draw.coin(0.15):
        types.append(ir.TypeDef("T0", draw.pick([t for t in lexicon.types if t != "float"])))
    if lexicon.has("records") and draw.coin(0.1):
        types.append(
            ir.TypeDef(
                "R0",
                "",
                tuple(draw.pick([t for t in lexicon.types if t != "float"]) for _ in range(draw.between(1, 2))),
            )
        )
    rels, facts = [], []
    favourite = draw.pick(lexicon.types)  # most columns have one type, so that they can be joined
    for index in range(draw.between(2, 4)):
        kinds = []
        for _ in range(draw.pick((1, 1, 2, 2, 2, 3))):
            kinds.append(
                draw.pick(types).name
                if types and draw.coin(0.3)
                else favourite
                if draw.coin(0.7)
                else draw.pick(lexicon.types)
            )
        name = f"r{index}"
        marks = storage(draw, lexicon)
        if "magic" in lexicon.marks and draw.coin(0.15):
            marks = (*marks, "magic")
        rels.append(ir.Rel(name, tuple(kinds), marks))
        count = 0 if draw.coin(0.03) else draw.between(1, 6)
        rows = dict.fromkeys(tuple(scalar(draw, lexicon, k, types) for k in kinds) for _ in range(count))
        facts += [ir.Fact(name, row) for row in rows]
    return ir.Scene(tuple(rels), tuple(facts), tuple(types))


def storage(draw: Draw, lexicon: Lexicon) -> tuple[str, ...]:
    marks = [m for m in ("brie", "btree") if m in lexicon.marks]
    return (draw.pick(marks),) if marks and draw.coin(0.15) else ()

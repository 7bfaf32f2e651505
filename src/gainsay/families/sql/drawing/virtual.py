"""Random virtual tables of SQLite: R-trees and full-text tables with their options, with rows, changes and commands."""

from __future__ import annotations

from gainsay.core.draw import Draw
from gainsay.families.sql.drawing.lexicon import Lexicon
from gainsay.families.sql.language import ir
from gainsay.families.sql.language.schema import Scope
from gainsay.families.sql.language.spoken.sqlite import COMMANDS, FTS_OPTIONS

RTREE, FTS = 0.08, 0.08  # shares of scenes with one
TURNED = 0.1  # share of R-tree rows whose least and greatest may be the wrong way round


def tables(draw: Draw, lexicon: Lexicon) -> list[ir.Statement]:
    """Now and then an R-tree or a full-text table with rows, where there are such."""
    made: list[ir.Statement] = []
    if not lexicon.is_loose:
        return made
    trees = [m for m in ("rtree", "rtree", "rtree_i32") if lexicon.has(f"virtual:{m}")]
    if draw.unit() < RTREE and trees:
        made += tree(draw, lexicon, draw.pick(trees))
    texts = [m for m in ("fts5", "fts5", "fts4") if lexicon.has(f"virtual:{m}")]
    if draw.unit() < FTS and texts:
        made += text(draw, lexicon, draw.pick(texts))
    return made


def tree(draw: Draw, lexicon: Lexicon, module: str) -> list[ir.Statement]:
    """An R-tree of one or two dimensions, perhaps with a column beside these."""
    sides = draw.pick((1, 1, 2))
    beside = ("c9",) if draw.coin(0.2) and lexicon.has("virtual:rtree auxiliary") else ()
    bounds = tuple(f"c{n}" for n in range(1, 2 * sides + 1))
    names = ("c0", *bounds, *beside)
    node = ir.CreateVirtual("rt0", module, names, beside=beside)
    found: list[ir.Statement] = [node]
    for _ in range(draw.below(4)):
        used = names if draw.coin(0.7) else tuple(draw.sample(names, draw.between(1, len(names))))
        values = [draw.pick(lexicon.literals["int"]) for _ in used]
        if used == names and draw.unit() >= TURNED:
            listed = [v for v in lexicon.literals["int"] if v.kind == "int"]
            for low in range(1, 2 * sides, 2):
                values[low : low + 2] = sorted((draw.pick(listed), draw.pick(listed)), key=lambda v: v.number)
        found.append(ir.Insert("rt0", used, (ir.Values(tuple(values)),), "INSERT OR IGNORE"))
    return found + changes(draw, lexicon, "rt0", names)


def text(draw: Draw, lexicon: Lexicon, module: str) -> list[ir.Statement]:
    """A full-text table."""
    options = [o for o in FTS_OPTIONS[module] if lexicon.has(f"virtual:{module} {o}")]
    chosen = (draw.pick(options),) if options and draw.coin() else ()
    beside = ("c1",) if module == "fts5" and draw.coin(0.15) and lexicon.has("virtual:fts5 unindexed") else ()
    names = ("c0", "c1")
    found: list[ir.Statement] = [ir.CreateVirtual("ft0", module, names, beside, chosen)]
    for _ in range(draw.below(4)):
        pair = ir.Values((draw.pick(lexicon.literals["any"]), draw.pick(lexicon.literals["text"])))
        found.append(ir.Insert("ft0", names, (pair,)))
    found += changes(draw, lexicon, "ft0", names)
    if draw.coin(0.3):
        found.append(command(draw.pick(COMMANDS[module])))
    return found


def command(said: tuple[str, ...]) -> ir.Insert:
    """What a full-text table is told: an INSERT into a column of its own name."""
    columns = ("ft0", "rank")[: len(said)]
    return ir.Insert("ft0", columns, (ir.Values(tuple(literal(each) for each in said)),))


def literal(text: str) -> ir.Lit:
    return ir.Lit("int" if text.isdigit() else "text", text)


def changes(draw: Draw, lexicon: Lexicon, name: str, names: tuple[str, ...]) -> list[ir.Statement]:
    """Now and then an UPDATE or DELETE."""
    scope = Scope.of((ir.Col("", n), "any", True) for n in names)
    found: list[ir.Statement] = []
    if draw.coin(0.2):
        column = draw.pick(names[1:])
        value = draw.pick(lexicon.literals["int" if name == "rt0" else "any"])
        where = lexicon.predicate(draw, 1, scope) if draw.coin() else None
        found.append(ir.Update(name, (ir.Assign(column, value),), where))
    if draw.coin(0.15):
        found.append(ir.Delete(name, lexicon.predicate(draw, 1, scope)))
    return found

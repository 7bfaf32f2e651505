"""Random rows: few, with values that collide."""

from __future__ import annotations

from gainsay.core.draw import Draw
from gainsay.families.sql.drawing.lexicon import Lexicon
from gainsay.families.sql.language import ir
from gainsay.families.sql.language.schema import Scope
from gainsay.families.sql.meaning.system import is_key

STRICT_LITERALS = {"INT": "int", "INTEGER": "int", "REAL": "real", "TEXT": "text"}
COMPUTED = 0.05  # share of INSERTs with an expression
EMPTY = 0.04  # share of tables that are left without rows


def rows(draw: Draw, lexicon: Lexicon, made: ir.CreateTable, has_extremes: bool, many: int = 0) -> list[ir.Statement]:
    """Up to mix.rows rows, or `many`, in a few INSERTs."""
    columns = [c for c in made.columns if c.generated is None]
    is_zeroed = any(c.type in lexicon.zeroed and (c.not_null or is_key(made, c)) for c in columns)
    has_unique = bool(made.keys or made.primary) or any(c.unique or c.primary for c in columns)
    has_policies = bool(made.on_conflict) or any(c.on_conflict or c.on_null for c in columns)
    statements: list[ir.Statement] = []
    is_empty = not lexicon.mix.is_small and draw.unit() < EMPTY
    left = 0 if is_empty else many or draw.between(1, lexicon.mix.rows)
    while left > 0:
        number = min(left, draw.between(1, 4) if not many else 8)
        left -= number
        verb = "INSERT"
        if has_unique or draw.unit() < 0.1:
            verb = draw.pick(("INSERT OR IGNORE", "INSERT OR IGNORE", "INSERT OR REPLACE"))
            is_drawn = lexicon.has(f"stmt:{verb}") and not (is_zeroed and verb == "INSERT OR IGNORE")
            verb = verb if is_drawn else "INSERT"
            # One that says nothing leaves it to the constraints
            verb = draw.pick(("INSERT", "INSERT", "INSERT OR ABORT")) if has_policies and draw.coin(0.6) else verb
            # REPLACE with several constraints is refused by some engines; one row at a time has one outcome.
            number = number if verb != "INSERT" or has_policies else 1
        used = columns if draw.coin(0.85) else draw.sample(columns, draw.between(1, len(columns)))
        values = tuple(
            ir.Values(tuple(value(draw, lexicon, made, c, has_extremes) for c in used)) for _ in range(number)
        )
        if has_unique and not lexicon.is_loose:
            values = apart(made, used, values)
        elif lexicon.is_wide and draw.unit() < COMPUTED and not made.strict:
            values = (computed(draw, lexicon, made, used, values[0]), *values[1:])
        statements.append(ir.Insert(made.name, tuple(c.name for c in used), values, verb))
    return statements


def whole_row(draw: Draw, lexicon: Lexicon, made: ir.CreateTable, has_extremes: bool) -> ir.Insert:
    """One row, with a value for each column."""
    columns = [c for c in made.columns if c.generated is None]
    values = ir.Values(tuple(value(draw, lexicon, made, c, has_extremes) for c in columns))
    return ir.Insert(made.name, tuple(c.name for c in columns), (values,))


def apart(made: ir.CreateTable, used: list[ir.Column], values: tuple[ir.Values, ...]) -> tuple[ir.Values, ...]:
    """The rows of one INSERT that do not conflict with each other: which of two would stay is not the same
    everywhere."""
    unique = [i for i, c in enumerate(used) if c.unique or c.primary]
    kept: list[ir.Values] = []
    for row in values[:1] if made.keys or made.primary else values:
        if all(
            row.values[i] not in [k.values[i] for k in kept] or getattr(row.values[i], "kind", "") == "null"
            for i in unique
        ):
            kept.append(row)
    return tuple(kept)


def computed(draw: Draw, lexicon: Lexicon, made: ir.CreateTable, used: list[ir.Column], row: ir.Values) -> ir.Values:
    """A row with an expression in the place of a value that is of no key."""
    taken = {name for key in made.keys for name in key}
    free = [n for n, c in enumerate(used) if not (c.unique or is_key(made, c) or c.not_null or c.name in taken)]
    if not free:
        return row
    place = draw.pick(free)
    new = lexicon.expr(draw, used[place].cls, 1, Scope({}))
    return ir.Values((*row.values[:place], new, *row.values[place + 1 :]))


def value(draw: Draw, lexicon: Lexicon, made: ir.CreateTable, c: ir.Column, has_extremes: bool) -> ir.Lit:
    if made.strict:
        return ir.Lit("blob", "x'61'") if c.type == "BLOB" else draw.pick(lexicon.literals[STRICT_LITERALS[c.type]])
    if c.primary and c.type == "INTEGER" and lexicon.is_loose:
        return draw.pick(lexicon.literals["int"])  # an alias of the rowid takes nothing else
    stored = lexicon.stored(draw, c.type, c.cls, has_extremes)
    if stored.kind == "null" and (c.not_null or is_key(made, c)):
        return lexicon.stored(draw, c.type, c.cls, has_extremes)
    return stored

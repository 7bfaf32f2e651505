"""Random changes of a database that is there: upserts, transactions, ALTER TABLE, UPDATE and DELETE."""

from __future__ import annotations

import msgspec

from gainsay.core.draw import Draw
from gainsay.families.sql.drawing.lexicon import Lexicon
from gainsay.families.sql.drawing.rows import rows, value
from gainsay.families.sql.language import ir
from gainsay.families.sql.language.schema import Scope


def more(draw: Draw, lexicon: Lexicon, tables: list[ir.CreateTable], has_extremes: bool) -> list[ir.Statement]:
    """Now and then an upsert, an INSERT of a query, and changes that are taken back."""
    made: list[ir.Statement] = []
    for each in tables:
        if draw.unit() < 0.15 and lexicon.has("stmt:upsert"):
            made += upsert(draw, lexicon, each, has_extremes)
        if draw.unit() < 0.06 and lexicon.has("stmt:insert select"):
            made += copied(draw, lexicon, each, draw.pick(tables))
    if draw.unit() < 0.06:
        words = [w for w in UNDOING if has_words(lexicon, w)]
        each = draw.pick(tables)
        undone = [*rows(draw, lexicon, each, has_extremes)[:1], ir.Delete(each.name, None)]
        if words:
            first, *last = draw.pick(words)
            made += [ir.Mark(first), draw.pick(undone), *(ir.Mark(word) for word in last)]
    return made


SAVEPOINT = ("SAVEPOINT s0", "ROLLBACK TO s0", "RELEASE s0")
# How a part of a scene may begin and end: mostly it is taken back
UNDOING = (
    SAVEPOINT, SAVEPOINT, SAVEPOINT, ("BEGIN", "ROLLBACK"), ("BEGIN", "ROLLBACK"), ("BEGIN", "COMMIT"),
    ("BEGIN DEFERRED", "ROLLBACK"), ("BEGIN IMMEDIATE", "ROLLBACK"), ("BEGIN EXCLUSIVE", "COMMIT"),
)  # fmt: skip


def has_words(lexicon: Lexicon, words: tuple[str, ...]) -> bool:
    feature = {"SAVEPOINT s0": "savepoint", "BEGIN": "transaction"}.get(words[0], words[0])
    return lexicon.has(f"stmt:{feature}")


def keys_of(made: ir.CreateTable) -> list[tuple[str, ...]]:
    """The columns of each key of a table."""
    single = [(c.name,) for c in made.columns if c.unique or c.primary]
    primary = tuple(k.expr.name for k in made.primary if isinstance(k.expr, ir.Col))
    return [*single, *made.keys, *([primary] if primary else [])]


def upsert(draw: Draw, lexicon: Lexicon, made: ir.CreateTable, has_extremes: bool) -> list[ir.Statement]:
    """A row that may be there already, and what is done then."""
    keys, columns = keys_of(made), [c for c in made.columns if c.generated is None]
    if not keys or made.kind:
        return []
    key = draw.pick(keys)
    row = ir.Values(tuple(value(draw, lexicon, made, c, has_extremes) for c in columns))
    free = [c for c in columns if not any(c.name in k for k in keys)]
    sets: tuple[ir.Assign, ...] = ()
    where = None
    if free and draw.coin(0.8):
        changed = draw.pick(free)
        scope = Scope.of((ir.Col(made.name, c.name), c.cls, True) for c in columns)
        news: list[ir.Expr] = [ir.Col("excluded", changed.name), value(draw, lexicon, made, changed, has_extremes)]
        sets = (ir.Assign(changed.name, draw.pick(news)),)
        where = lexicon.predicate(draw, 1, scope) if draw.coin(0.4) else None
    names = tuple(c.name for c in columns)
    return [ir.Insert(made.name, names, (row,), upsert=ir.Upsert(key, sets, where))]


def copied(draw: Draw, lexicon: Lexicon, made: ir.CreateTable, other: ir.CreateTable) -> list[ir.Statement]:
    """INSERT INTO t(c0) SELECT ... FROM u: of columns of the same class."""
    pairs = [(c, o) for c in made.columns for o in other.columns if c.cls == o.cls and c.generated is None]
    if not pairs or keys_of(made):
        return []
    column, source = draw.pick(pairs)
    scope = Scope.of((ir.Col(other.name, c.name), c.cls, True) for c in other.columns)
    where = lexicon.predicate(draw, 1, scope) if draw.coin(0.7) else None
    query = ir.Select((ir.Col(other.name, source.name),), (ir.Join(other.name),), where)
    return [ir.Insert(made.name, (column.name,), (), query=query)]


def alterations(
    draw: Draw, lexicon: Lexicon, tables: list[ir.CreateTable]
) -> tuple[list[ir.CreateTable], list[ir.Statement]]:
    """Now and then a table or column with another name, a column more or less; and the tables as they are then."""
    statements: list[ir.Statement] = []
    found: list[ir.CreateTable] = []
    for number, made in enumerate(tables):
        kinds = [k for k in ALTERATIONS if lexicon.has(f"alter:{k}") and (k != "drop column" or len(made.columns) > 1)]
        if draw.unit() < 0.06 and kinds and not made.kind:
            statement, made = alteration(draw, lexicon, made, draw.pick(kinds), number)
            statements.append(statement)
        found.append(made)
    return found, statements


ALTERATIONS = ("rename table", "rename column", "add column", "drop column")


def alteration(
    draw: Draw, lexicon: Lexicon, made: ir.CreateTable, kind: str, number: int
) -> tuple[ir.Statement, ir.CreateTable]:
    """An ALTER TABLE, and the table behind it."""
    replace, columns = msgspec.structs.replace, made.columns
    if kind == "rename table":
        return ir.RenameTable(made.name, f"r{number}"), replace(made, name=f"r{number}")
    if kind == "add column":
        drawn = draw.pick(lexicon.types)
        default = lexicon.stored(draw, drawn.text, drawn.cls, False) if draw.coin(0.6) else None
        column = ir.Column("n0", drawn.text or "INT", drawn.cls, default=default, is_exact=drawn.exact)
        return ir.AddColumn(made.name, column), replace(made, columns=(*columns, column))
    chosen = draw.pick(columns)
    if kind == "drop column":
        left = tuple(c for c in columns if c is not chosen)
        return ir.DropColumn(made.name, chosen.name), replace(made, columns=left)
    listed = tuple(replace(c, name="n0") if c is chosen else c for c in columns)
    keys = tuple(tuple("n0" if n == chosen.name else n for n in key) for key in made.keys)
    primary = tuple(replace(k, expr=ir.Col("", "n0")) if k.expr == ir.Col("", chosen.name) else k for k in made.primary)
    return ir.RenameColumn(made.name, chosen.name, "n0"), replace(made, columns=listed, keys=keys, primary=primary)


def changes(draw: Draw, lexicon: Lexicon, tables: list[ir.CreateTable], has_extremes: bool) -> list[ir.Statement]:
    """UPDATE and DELETE with one possible outcome, ANALYZE, REINDEX."""
    made: list[ir.Statement] = []
    for each in tables:
        scope = Scope.of((ir.Col("", c.name), c.cls, True) for c in each.columns)
        if draw.unit() < 0.15:
            made += update(draw, lexicon, each, scope, has_extremes)
        if lexicon.is_wide and draw.unit() < 0.08:
            made += joined_update(draw, lexicon, each, draw.pick(tables))
        if lexicon.is_wide and draw.unit() < 0.1:
            made += key_update(draw, lexicon, each, has_extremes)
        if draw.unit() < 0.1:
            made.append(ir.Delete(each.name, lexicon.predicate(draw, 1, scope)))
    for text, p in (("ANALYZE", 0.15), ("REINDEX", 0.03), ("VACUUM", 0.02)):
        if draw.unit() < p and lexicon.has(f"stmt:{text}"):
            made.append(ir.Setting(text))
    return made


def update(draw: Draw, lexicon: Lexicon, made: ir.CreateTable, scope: Scope, has_extremes: bool) -> list[ir.Statement]:
    """UPDATE of what is no key: a literal for all rows, or what is computed of each one."""
    has_keys = bool(made.keys or made.primary)
    columns = [c for c in made.columns if c.generated is None and not (c.unique or c.primary) and not has_keys]
    if not columns:
        return []
    sets: list[ir.Assign] = []
    for changed in draw.sample(columns, 2 if lexicon.is_wide and len(columns) > 1 and draw.coin(0.3) else 1):
        is_computed = lexicon.is_wide and draw.coin(0.3) and not made.strict
        new = lexicon.expr(draw, changed.cls, 1, scope) if is_computed else None
        sets.append(ir.Assign(changed.name, new or value(draw, lexicon, made, changed, has_extremes)))
    where = lexicon.predicate(draw, 1, scope) if draw.coin(0.7) else None
    is_row = len(sets) > 1 and lexicon.has("update:row") and draw.coin(0.4)
    return [ir.Update(made.name, tuple(sets), where, is_row=is_row)]


def joined_update(draw: Draw, lexicon: Lexicon, made: ir.CreateTable, other: ir.CreateTable) -> list[ir.Statement]:
    """UPDATE t SET c0 = u.c1 FROM u WHERE t.c0 = u.c0: of a row that meets several, nobody says which one counts."""
    taken = {name for key in keys_of(made) for name in key}
    free = [c for c in made.columns if c.generated is None and c.name not in taken]
    alias = "u0" if other.name == made.name else ""
    rel = alias or other.name
    pairs = [(c, o) for c in made.columns for o in other.columns if c.cls == o.cls]
    if not lexicon.has("update:from") or not free or not pairs or made.kind or other.kind:
        return []
    changed, (one, two) = draw.pick(free), draw.pick(pairs)
    news = [o for o in other.columns if o.cls == changed.cls]
    # Where several engines are asked, they may choose: all rows that are met say the same there.
    is_own = lexicon.is_alone and news and draw.coin(0.7)
    new: ir.Expr = ir.Col(rel, draw.pick(news).name) if is_own else lexicon.literal(draw, changed.cls)
    where: ir.Expr = ir.Op("=", (ir.Col(made.name, one.name), ir.Col(rel, two.name)))
    if draw.coin(0.4):
        scope = Scope.of((ir.Col(rel, c.name), c.cls, True) for c in other.columns)
        where = ir.Op("and", (where, lexicon.predicate(draw, 1, scope)))
    return [ir.Update(made.name, (ir.Assign(changed.name, new),), where, (ir.Join(other.name, alias=alias),))]


KEY_VERBS = ("UPDATE OR IGNORE", "UPDATE OR REPLACE", "UPDATE OR IGNORE", "UPDATE OR REPLACE", "UPDATE OR ABORT")


def key_update(draw: Draw, lexicon: Lexicon, made: ir.CreateTable, has_extremes: bool) -> list[ir.Statement]:
    """UPDATE of a key, for the rows that have one value of it; where there is such, OR IGNORE, OR REPLACE."""
    verbs = ["UPDATE", *(v for v in KEY_VERBS if lexicon.has(f"stmt:{v}"))]
    keys = [c for c in made.columns if c.generated is None and any(c.name in key for key in keys_of(made))]
    if not keys:
        return []
    chosen = draw.pick(keys)
    old, new = (value(draw, lexicon, made, chosen, has_extremes) for _ in range(2))
    where = ir.Op("=", (ir.Col("", chosen.name), old))
    return [ir.Update(made.name, (ir.Assign(chosen.name, new),), where, verb=draw.pick(verbs))]

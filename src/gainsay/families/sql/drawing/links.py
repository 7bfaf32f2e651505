"""Random ties between tables: foreign keys with rows that refer to each other, and triggers."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gainsay.core.draw import Draw
from gainsay.families.sql.drawing.changes import keys_of
from gainsay.families.sql.drawing.lexicon import Lexicon
from gainsay.families.sql.drawing.rows import value
from gainsay.families.sql.language import ir
from gainsay.families.sql.language.schema import Scope

REFERRING = 0.2  # share of tables that have a foreign key, where they can
FIRED = 0.12  # share of scenes with triggers
LOG = ir.CreateTable("g0", (ir.Column("c0", is_exact=False), ir.Column("c1", is_exact=False)))
replace = msgspec.structs.replace


# --- foreign keys -----------------------------------------------------------------------------------------------------


def with_foreign_keys(draw: Draw, lexicon: Lexicon, tables: list[ir.CreateTable]) -> list[ir.CreateTable]:
    """The same tables, some of which refer to another one, or to themselves."""
    if not lexicon.is_wide or not lexicon.has("table:foreign key"):
        return tables
    found: list[ir.CreateTable] = []
    for made in tables:
        if draw.unit() < REFERRING and not made.kind:
            parents = [p for p in (*found, made) if keys_of(p) and not p.kind]
            key = foreign_key(draw, lexicon, made, draw.pick(parents)) if parents else None
            made = made if key is None else replace(made, foreign=(key,))
        found.append(made)
    return found


def foreign_key(draw: Draw, lexicon: Lexicon, made: ir.CreateTable, parent: ir.CreateTable) -> ir.ForeignKey | None:
    """A key of a table that refers to one of another table; None where no columns fit."""
    target = draw.pick(keys_of(parent))
    free = [c for c in made.columns if c.generated is None and (made is not parent or c.name not in target)]
    chosen: list[ir.Column] = []
    for name in target:
        to = next(c for c in parent.columns if c.name == name)
        fit = [c for c in free if c.cls == to.cls and (lexicon.is_loose or c.type == to.type) and c not in chosen]
        if not fit or (to.collate and not lexicon.is_loose):
            return None
        alike = [c for c in fit if c.type == to.type]
        chosen.append(draw.pick(alike if alike and draw.coin(0.8) else fit))
    actions = ["", "", *(a for a in ACTIONS if lexicon.has(f"foreign:{a}"))]
    is_deferred = lexicon.has("foreign:deferred") and draw.coin(0.15)
    columns = tuple(c.name for c in chosen)
    return ir.ForeignKey(columns, ir.Target(parent.name, target), draw.pick(actions), draw.pick(actions), is_deferred)


ACTIONS = ("CASCADE", "CASCADE", "SET NULL", "SET DEFAULT", "RESTRICT", "NO ACTION")


def settings(lexicon: Lexicon, tables: Sequence[ir.CreateTable]) -> list[ir.Statement]:
    """What makes an engine ask for foreign keys, where it must be told to."""
    text = lexicon.dialect.spell.get("foreign keys")
    return [ir.Setting(text)] if text and any(t.foreign for t in tables) else []


def referring(
    draw: Draw, made: ir.CreateTable, drawn: list[ir.Statement], before: Sequence[ir.Statement]
) -> list[ir.Statement]:
    """INSERTs whose rows mostly refer to rows that are there."""
    for key in made.foreign:
        there = [
            tuple(row.values[s.columns.index(n)] for n in key.to.columns)
            for s in (*before, *(drawn if key.to.table == made.name else ()))
            if isinstance(s, ir.Insert) and s.table == key.to.table and {*key.to.columns} <= {*s.columns}
            for row in s.rows
        ]
        drawn = [replace_in(draw, s, key, there) if isinstance(s, ir.Insert) else s for s in drawn]
    return drawn


def replace_in(draw: Draw, s: ir.Insert, key: ir.ForeignKey, there: Sequence[tuple[ir.Expr, ...]]) -> ir.Insert:
    """An INSERT whose rows refer to one of some rows, or to nothing."""
    places = [s.columns.index(name) for name in key.columns if name in s.columns]
    if len(places) < len(key.columns) or draw.unit() < 0.08:
        return s
    rows: list[ir.Values] = []
    for row in s.rows:
        new = draw.pick(there) if there and draw.coin(0.85) else (ir.NULL,) * len(places)
        values = list(row.values)
        for place, v in zip(places, new, strict=True):
            values[place] = v
        rows.append(ir.Values(tuple(values)))
    return replace(s, rows=tuple(rows))


def key_changes(draw: Draw, tables: Sequence[ir.CreateTable], body: Sequence[ir.Statement]) -> list[ir.Statement]:
    """UPDATE and DELETE of rows that others refer to."""
    made: list[ir.Statement] = []
    for key in (k for t in tables for k in t.foreign):
        parent = next(t for t in tables if t.name == key.to.table)
        place = draw.below(len(key.to.columns))
        name = key.to.columns[place]
        stored = [
            row.values[s.columns.index(name)]
            for s in body
            if isinstance(s, ir.Insert) and s.table == parent.name and name in s.columns
            for row in s.rows
        ]
        for chance, is_deleted in ((0.5, True), (0.5, False)):
            if stored and draw.unit() < chance:
                where = ir.Op("=", (ir.Col("", name), draw.pick(stored)))
                new = ir.Assign(name, draw.pick(stored))
                made.append(ir.Delete(parent.name, where) if is_deleted else ir.Update(parent.name, (new,), where))
    return made


# --- triggers ---------------------------------------------------------------------------------------------------------


def triggers(draw: Draw, lexicon: Lexicon, tables: list[ir.CreateTable], has_extremes: bool) -> list[ir.Statement]:
    """Now and then triggers on a table, and changes of that table. One of each event: of two, nobody says which comes
    first."""
    fit = [t for t in tables if not t.kind]
    if not (lexicon.is_wide and lexicon.is_loose) or not lexicon.has("stmt:trigger") or draw.unit() >= FIRED or not fit:
        return []
    made = draw.pick(fit)
    others = [t for t in fit if t is not made]
    events = draw.sample(("INSERT", "UPDATE", "DELETE"), draw.between(1, 2))
    found: list[ir.Statement] = [LOG]
    for number, event in enumerate(events):
        found.append(trigger(draw, lexicon, made, event, f"g0{number}", others, has_extremes))
    for event in events if draw.coin(0.8) else ():
        found += change(draw, lexicon, made, event, has_extremes)
    return found


def trigger(
    draw: Draw,
    lexicon: Lexicon,
    made: ir.CreateTable,
    event: str,
    name: str,
    others: list[ir.CreateTable],
    has_extremes: bool,
) -> ir.CreateTrigger:
    """A trigger whose outcome does not depend on the order of rows: it writes down what it sees, and changes or removes
    rows of another table."""
    names = [r for r, is_there in (("old", event != "INSERT"), ("new", event != "DELETE")) if is_there]
    columns = [c for c in made.columns if c.generated is None]
    seen = [ir.Col(rel, c.name) for rel in names for c in columns]
    # Whether such a column has an affinity is not said: a sign before it takes it away.
    plain = Scope.of((ir.Op("+x", (c,)), "any", True) for c in seen)
    body: list[ir.Insert | ir.Update | ir.Delete] = []
    if draw.coin(0.8) or not others:
        written = tuple(draw.pick(seen) if draw.coin(0.8) else lexicon.literal(draw, "any") for _ in range(2))
        body.append(ir.Insert(LOG.name, ("c0", "c1"), (ir.Values(written),)))
    if others and (not body or draw.coin(0.4)):
        body.append(elsewhere(draw, lexicon, draw.pick(others), seen, has_extremes))
    of = (draw.pick(columns).name,) if event == "UPDATE" and columns and draw.coin(0.3) else ()
    when = lexicon.predicate(draw, 1, plain) if draw.coin(0.4) else None
    timing = draw.pick(("AFTER", "AFTER", "BEFORE"))
    return ir.CreateTrigger(name, timing, event, made.name, tuple(body), of, when)


def elsewhere(
    draw: Draw, lexicon: Lexicon, other: ir.CreateTable, seen: list[ir.Col], has_extremes: bool
) -> ir.Update | ir.Delete:
    """A change of another table."""
    keys = {name for key in keys_of(other) for name in key}
    free = [c for c in other.columns if c.generated is None and c.name not in keys]
    scope = Scope.of((ir.Col("", c.name), c.cls, True) for c in other.columns)
    if free and draw.coin():
        chosen = draw.pick(free)
        new = ir.Assign(chosen.name, value(draw, lexicon, other, chosen, has_extremes))
        return ir.Update(other.name, (new,), lexicon.predicate(draw, 1, scope))
    equal = ir.Op("=", (ir.Op("+x", (ir.Col("", draw.pick(other.columns).name),)), ir.Op("+x", (draw.pick(seen),))))
    return ir.Delete(other.name, equal)


def change(draw: Draw, lexicon: Lexicon, made: ir.CreateTable, event: str, has_extremes: bool) -> list[ir.Statement]:
    """A statement that may fire a trigger."""
    columns = [c for c in made.columns if c.generated is None]
    scope = Scope.of((ir.Col("", c.name), c.cls, True) for c in made.columns)
    where = lexicon.predicate(draw, 1, scope) if draw.coin(0.6) else None
    if event == "INSERT":
        row = ir.Values(tuple(value(draw, lexicon, made, c, has_extremes) for c in columns))
        return [ir.Insert(made.name, tuple(c.name for c in columns), (row,))]
    if event == "DELETE":
        return [ir.Delete(made.name, where)]
    free = [c for c in columns if not any(c.name in key for key in keys_of(made))]
    if not free:
        return []
    chosen = draw.pick(free)
    return [ir.Update(made.name, (ir.Assign(chosen.name, value(draw, lexicon, made, chosen, has_extremes)),), where)]

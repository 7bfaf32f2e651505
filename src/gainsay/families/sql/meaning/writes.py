"""What INSERT, UPDATE and DELETE do to the rows of a table, and which rows they were about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gainsay.core.tree import walk
from gainsay.families.sql.language import ir
from gainsay.families.sql.meaning import foreign_keys, triggers, virtual
from gainsay.families.sql.meaning.scope import Scope
from gainsay.families.sql.meaning.storage import Undetermined
from gainsay.families.sql.meaning.system import UNKNOWN, Violated
from gainsay.families.sql.meaning.term import Row

if TYPE_CHECKING:
    from gainsay.families.sql.meaning.tables import Database, Table

IGNORE, REPLACE, ABORT = "IGNORE", "REPLACE", "ABORT"
# The other two differ from ABORT only in what they leave where they fail ("The ON CONFLICT Clause"): what an engine
# took did not fail
REFUSING = (ABORT, "FAIL", "ROLLBACK")


class Change(NamedTuple):
    """A row before and after; None where it was not there, or is not any more."""

    old: Row | None
    new: Row | None


Changes = list[Change]


def policy_of(verb: str) -> str:
    """What is done with a row that breaks a constraint: IGNORE, REPLACE or ABORT, whatever the constraint says; or
    nothing: what that says, and else it is refused."""
    word = verb.rpartition(" ")[2]
    if word not in ("INSERT", "UPDATE", IGNORE, REPLACE, *REFUSING):
        raise Undetermined(verb)
    return ABORT if word in REFUSING else word if word in (IGNORE, REPLACE) else ""


def settled_policy(table: Table, why: Violated, policy: str) -> str:
    """What is done with a row that breaks a constraint that is no key."""
    own = why.policy
    if not policy and any(unique.policy != own for unique in table.uniques) and table.has_policies:
        raise Undetermined("which of two constraints is asked first")
    return policy or own


def table_of(database: Database, name: str) -> Table | None:
    """A table that is written to. One that is not there or can't be told of is not looked at."""
    table = database.tables.get(name)
    if table is not None and not table.is_known:
        database.forget(name)  # nor can it be told what changes with it
        return None
    return table


def read_by(node: ir.Statement) -> frozenset[str]:
    """The relations that a statement reads."""
    return frozenset(part.rel for _, part in walk(node) if isinstance(part, ir.Join))


def done(database: Database, table: Table, event: triggers.Event, changes: Changes) -> Changes:
    """What follows from changes of a table: what its triggers do, what foreign keys say."""
    if table.triggers:
        triggers.fire(database, table, event, [(c.old, c.new) for c in changes])
    if database.has_foreign_keys:
        gone = [c.old for c in changes if c.old is not None and c.new is None]
        pairs = [(c.old, c.new) for c in changes if c.old is not None and c.new is not None]
        foreign_keys.settle(database, table, gone, pairs, event.kind == "INSERT" and bool(gone))
    return changes


# --- INSERT -----------------------------------------------------------------------------------------------------------


def insert(database: Database, node: ir.Insert) -> Changes:
    """INSERT, row by row."""
    table = table_of(database, node.table)
    if table is None:
        return []
    if table.virtual is not None and virtual.is_command(node, table.virtual):
        return []
    found: Changes = []
    for given in inserted(database, node, table):
        values = list(table.defaults)
        for name, value in zip(node.columns, given, strict=True):
            place = table.place(name)
            if table.columns[place].type != UNKNOWN:
                values[place] = value
        if node.upsert is not None:
            found += upserted(database, table, values, node)
        else:
            found += added(database, table, values, policy_of(node.verb))
    if not database.system.is_row_by_row and len(found) > 0:
        check_at_once(node, table, found)
    is_plain = all(c.old is None for c in found) and (node.query is not None or len(found) == len(node.rows))
    event = triggers.Event("INSERT", (), policy_of(node.verb), is_plain, node.query is None, read_by(node))
    return done(database, table, event, found)


def given(database: Database, table: Table, node: ir.Insert) -> list[Row]:
    """The rows that an INSERT gives a table, whatever its constraints say of them; none where that can't be told."""
    found: list[Row] = []
    try:
        for each in inserted(database, node, table):
            values = list(table.defaults)
            for name, value in zip(node.columns, each, strict=True):
                values[table.place(name)] = value
            found.append(tuple([store(value) for store, value in zip(table.stored, values, strict=True)]))
    except (Undetermined, Violated):
        return []
    return found


def check_at_once(node: ir.Insert, table: Table, found: Changes) -> None:
    """Raise where an INSERT of all rows at once may leave others than one row after the other: rows that meet rows of
    the same INSERT, and columns that a row which gives way has and the new one is not given."""
    news = [change.new for change in found]
    if node.upsert is not None and any(change.old is new for change in found for new in news if new is not None):
        raise Undetermined("rows of one INSERT that meet each other")
    written = sum(column.generated is None for column in table.node.columns)
    if any(change.old is not None for change in found) and node.upsert is None and len(node.columns) < written:
        raise Undetermined("whether a column that is not named keeps what it held")


def inserted(database: Database, node: ir.Insert, table: Table) -> list[Row]:
    """The rows that are inserted: those of a query in no order."""
    scope, around = database.around
    if node.query is None:
        if any(len(row.values) != len(node.columns) for row in node.rows):
            raise Undetermined("other values than columns")
        term, places = database.compiler.term, [table.place(name) for name in node.columns]
        is_known = [table.columns[place].type != UNKNOWN for place in places]
        return [
            tuple([term(v, scope).of(around) if known else None for v, known in zip(r.values, is_known, strict=True)])
            for r in node.rows
        ]
    rows = database.compiler.plan(node.query, scope).run(around)
    if any(len(row) != len(node.columns) for row in rows):
        raise Undetermined("other values than columns")
    if len(rows) > 1 and (node.verb != "INSERT" or node.upsert is not None or table.number is not None):
        raise Undetermined("which row of a query is inserted first")
    return rows


def added(database: Database, table: Table, values: list[Any], policy: str) -> Changes:
    """One more row, and those that give way to it."""
    try:
        row = table.made(values, policy)
        others = table.conflicts(row, table.rows)
        policy = policy or table.policy(row, others)
        if others and policy != REPLACE:
            raise Violated("UNIQUE", policy)
    except Violated as why:
        if str(why) in database.system.ignored and settled_policy(table, why, policy) == IGNORE:
            return []
        raise
    table.rows = [*(r for r in table.rows if not any(r is other for other in others)), row]
    table.count(row)
    return [*(Change(other, None) for other in others), Change(None, row)]


def upserted(database: Database, table: Table, values: list[Any], node: ir.Insert) -> Changes:
    """INSERT ... ON CONFLICT of one row."""
    upsert = node.upsert
    assert upsert is not None
    target = table.targets.get(frozenset(upsert.keys))
    if node.verb != "INSERT" or (target is None and (upsert.keys or upsert.sets)):
        raise Undetermined("a conflict of what is no key")
    if table.has_policies:
        raise Undetermined("whether a constraint or ON CONFLICT DO says what is done")
    row = table.made(values)
    others = table.conflicts(row, table.rows)
    if not others:
        table.rows = [*table.rows, row]
        table.count(row)
        return [Change(None, row)]
    if target is None:
        return []
    key = target.key(row)
    met = [other for other in others if key is not None and target.key(other) == key]
    if len(met) != 1 or len(others) > 1:
        raise Violated("UNIQUE")
    return renewed(database, table, met[0], row, upsert) if upsert.sets else []


def renewed(database: Database, table: Table, old: Row, excluded: Row, upsert: ir.Upsert) -> Changes:
    """The row that was met is changed."""
    scope = Scope()
    scope.add(table.name, table.columns)
    scope.add("excluded", table.columns)
    compiler, both = database.compiler, old + excluded
    if upsert.where is not None and not database.system.truth(compiler.term(upsert.where, scope).of(both)):
        return []
    values = list(old)
    for each in upsert.sets:
        values[table.place(each.column)] = compiler.term(each.value, scope).of(both)
    new = table.made(values)
    rest = [r for r in table.rows if r is not old]
    if table.conflicts(new, rest):
        raise Violated("UNIQUE")
    table.rows = [*rest, new]
    table.count(new)
    return [Change(old, new)]


# --- UPDATE and DELETE ------------------------------------------------------------------------------------------------


def update(database: Database, node: ir.Update) -> Changes:
    """UPDATE of the rows that fit, each with its own new values."""
    table = table_of(database, node.table)
    if table is None:
        return []
    if table.triggers and table.has_policies:
        raise Undetermined("what fires for a row that a constraint passes over")
    places = [table.place(each.column) for each in node.sets]
    if len(set(places)) < len(places):
        raise Undetermined("a column that is set twice")
    policy, matched = policy_of(node.verb), matches(database, table, node)
    found: Changes = []
    for old in table.rows:
        given = matched(old)
        if given is not None:
            values = list(old)
            for place, value in zip(places, given, strict=True):
                values[place] = value
            new = remade(table, values, policy, database.system.ignored)
            found += [Change(old, new)] if new is not None else []
    found = settled(table, found, policy, database.system.ignored)
    columns = tuple(each.column for each in node.sets)
    return done(database, table, triggers.Event("UPDATE", columns, policy, reads=read_by(node)), found)


def remade(table: Table, values: list[Any], policy: str, ignored: frozenset[str]) -> Row | None:
    """A changed row as it is stored; None where it stays as it was."""
    try:
        return table.made(values, policy)
    except Violated as why:
        if str(why) in ignored and settled_policy(table, why, policy) == IGNORE:
            return None
        raise


def settled(table: Table, changes: Changes, policy: str, ignored: frozenset[str]) -> Changes:
    """Put changed rows in their places. Where they meet others, it matters which one is changed first."""
    new = {id(c.old): c.new for c in changes if c.new is not None}
    rows = [new.get(id(row), row) for row in table.rows]
    met: dict[int, Row] = {}
    for number, row in enumerate(rows):
        if row is not table.rows[number]:
            others = table.conflicts(row, [*rows[:number], *rows[number + 1 :], *table.rows[number + 1 :]])
            met |= {id(other): other for other in others}
    if met and len(changes) == 1 and changes[0].new is not None:
        policy = policy or table.policy(changes[0].new, list(met.values()))
    if met and (len(changes) > 1 or policy not in (IGNORE, REPLACE)):
        raise Undetermined("whether an UPDATE breaks a constraint on its way")
    if met and policy == IGNORE and "UNIQUE" in ignored:
        return []
    table.rows = [row for row in rows if id(row) not in met]
    for change in changes:
        if change.new is not None:
            table.count(change.new)
    return [*changes, *(Change(row, None) for row in met.values())]


def matches(database: Database, table: Table, node: ir.Update) -> Callable[[Row], Sequence[Any] | None]:
    """The new values of a row; None where it is not changed."""
    term, (around, first) = database.compiler.term, database.around
    scope = Scope(around)
    scope.add(table.name if node.source else "", table.columns)
    if not node.source:
        values = [term(each.value, scope).of for each in node.sets]
        fits = fitting(database, node.where, table)
        return lambda row: [of(first + row) for of in values] if fits(row) else None
    items = tuple(each.value for each in node.sets)
    plan = database.compiler.plan(ir.Select(items, node.source, node.where), scope)

    def joined(row: Row) -> Sequence[Any] | None:
        found = plan.run(first + row)
        for other in found[1:]:
            if not all(map(database.system.is_identical, found[0], other)):
                raise Undetermined("by which of several rows a row is changed")
        return found[0] if found else None

    return joined


def delete(database: Database, node: ir.Delete) -> Changes:
    """DELETE of the rows that fit."""
    table = table_of(database, node.table)
    if table is None:
        return []
    fits = fitting(database, node.where, table)
    gone = [row for row in table.rows if fits(row)]
    table.rows = [row for row in table.rows if not any(row is other for other in gone)]
    event = triggers.Event("DELETE", reads=read_by(node))
    return done(database, table, event, [Change(row, None) for row in gone])


def fitting(database: Database, where: ir.Expr | None, table: Table) -> Callable[[Row], bool | None]:
    """Whether a row is one that a statement is about."""
    if where is None:
        return lambda row: True
    around, first = database.around
    scope = Scope(around)
    scope.add("", table.columns)
    condition, truth = database.compiler.term(where, scope).of, database.system.truth
    return lambda row: truth(condition(first + row))

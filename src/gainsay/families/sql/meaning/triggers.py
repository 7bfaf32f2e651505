"""Triggers: what happens in other tables, row by row, when rows of a table come, go or are changed.

Which of several triggers comes first is not said, nor in which order an UPDATE or DELETE meets its rows: all orders
must lead to the same tables, or it can't be told what these hold."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from gainsay.core.tree import walk
from gainsay.families.sql.language import ir
from gainsay.families.sql.meaning.scope import Scope
from gainsay.families.sql.meaning.storage import Undetermined
from gainsay.families.sql.meaning.system import UNKNOWN, Attribute
from gainsay.families.sql.meaning.term import Row

if TYPE_CHECKING:
    from gainsay.families.sql.meaning.tables import Database, Table

MOST = 3  # firings whose orders are all tried
Firing = tuple[ir.CreateTrigger, Row | None, Row | None]
Pairs = Sequence[tuple[Row | None, Row | None]]  # rows before and after


class Event(NamedTuple):
    """What a statement did to a table: INSERT, UPDATE (of columns) or DELETE, and what it was told to do with rows
    that break a constraint."""

    kind: str
    columns: tuple[str, ...] = ()
    policy: str = ""
    is_plain: bool = True  # no row met one that was there
    is_ordered: bool = False  # the rows were given one after the other
    reads: frozenset[str] = frozenset()  # other relations that the statement reads


def create(database: Database, node: ir.CreateTrigger) -> None:
    table = database.tables.get(node.table)
    if table is not None:
        table.triggers.append(node)
        return
    for target in targets(node):  # of a table that we could not make: nobody knows when it fires
        database.forget(target)


def targets(node: ir.CreateTrigger) -> set[str]:
    """The tables that a trigger changes."""
    return {statement.table for statement in node.body}


def fire(database: Database, table: Table, event: Event, changes: Pairs) -> None:
    """Run the triggers of a table for rows that were changed."""
    fired = [t for t in table.triggers if t.event == event.kind and (not t.of or {*t.of} & {*event.columns})]
    check(database, table, event, changes, fired)
    firings: list[Firing] = []
    for old, new in changes:
        if {"INSERT": old is None, "UPDATE": old is not None and new is not None, "DELETE": new is None}[event.kind]:
            firings += [(t, old, new) for t in fired if is_wanted(database, table, (t, old, new))]
    if not firings:
        return
    database.firing.append(table.name)
    try:
        run_all(database, table, event, firings, len(fired) == 1 and event.is_ordered)
    finally:
        database.firing.pop()


def check(database: Database, table: Table, event: Event, changes: Pairs, fired: Sequence[ir.CreateTrigger]) -> None:
    """Raise where the manual does not say what is done."""
    is_other = any((new is None) != (event.kind == "DELETE") for _, new in changes)
    if event.kind != "DELETE" and is_other and any(t.event == "DELETE" for t in table.triggers):
        raise Undetermined("whether a row that gives way to another one is deleted")
    is_met = not event.is_plain or is_other or (event.policy and event.kind == "UPDATE")
    if is_met and table.triggers:
        raise Undetermined("what fires where a row meets another one")
    met = set().union(*map(targets, fired)) if fired else set()
    if fired and (database.is_altered or met & {*database.firing, table.name} or met & event.reads):
        raise Undetermined("a trigger that changes what is looked at")
    if fired and event.kind != "INSERT" and database.is_circular(table):
        raise Undetermined("a row that an action changes before or after a trigger sees it")
    if fired and met & (database.reached(table.name, is_by_key=True) - {table.name}):
        raise Undetermined("whether a trigger comes before a foreign key")
    if any(isinstance(part, ir.Join) for t in fired for _, part in walk(t)):
        raise Undetermined("a trigger that reads a table")


def run_all(database: Database, table: Table, event: Event, firings: Sequence[Firing], is_ordered: bool) -> None:
    """Run triggers in every order that an engine may choose."""
    orders: list[Sequence[Firing]] = [firings]
    if not is_ordered and not all(is_any_order(database, f[0], event.policy) for f in firings):
        if len(firings) > MOST:
            raise Undetermined("in which order triggers fire")
        orders = list(itertools.permutations(firings))
    before = {name: (t.rows, t.counted) for name, t in database.tables.items()}
    found: list[dict[str, list[str]]] = []
    for order in orders:
        for name, t in database.tables.items():
            t.rows, t.counted = before[name]
        for firing in order:
            run(database, table, event, firing)
        found.append({name: sorted(map(repr, t.rows)) for name, t in database.tables.items()})
    if any(other != found[0] for other in found[1:]):
        raise Undetermined("in which order triggers fire")


def is_any_order(database: Database, trigger: ir.CreateTrigger, policy: str) -> bool:
    """Whether it does not matter for which row a trigger runs first: it adds rows that meet no others."""
    for each in trigger.body:
        table = database.tables.get(each.table)
        if not isinstance(each, ir.Insert) or table is None or table.uniques or table.number is not None:
            return False
    return True


def around(database: Database, table: Table, firing: Firing) -> tuple[Scope, Row]:
    """The row that a trigger is about, as `old` and `new`."""
    trigger, old, new = firing
    scope = Scope()
    row: Row = ()
    for name, each in (("old", old), ("new", new)):
        if each is not None:
            scope.add(name, [seen(database, table, trigger, place) for place in range(len(table.columns))])
            row += each
    return scope, row


def seen(database: Database, table: Table, trigger: ir.CreateTrigger, place: int) -> Attribute:
    """A column of `old` or `new`. Before a row is there, its number and what is computed are not."""
    column = database.system.in_trigger(table.columns[place])
    is_late = place == table.number or table.node.columns[place].generated is not None
    return column._replace(type=UNKNOWN) if is_late and trigger.timing == "BEFORE" else column


def is_wanted(database: Database, table: Table, firing: Firing) -> bool:
    """Whether a trigger's WHEN is true for a row."""
    when = firing[0].when
    if when is None:
        return True
    scope, row = around(database, table, firing)
    return bool(database.system.truth(database.compiler.term(when, scope).of(row)))


def run(database: Database, table: Table, event: Event, firing: Firing) -> None:
    """Run a trigger for a row. How the statement that fired it treats conflicts, so do those in the trigger."""
    kept, database.around = database.around, around(database, table, firing)
    try:
        for each in firing[0].body:
            if event.policy and not isinstance(each, ir.Insert):
                raise Undetermined("how a trigger treats conflicts")
            database.change(
                ir.Insert(each.table, each.columns, each.rows, f"INSERT OR {event.policy}")
                if event.policy and isinstance(each, ir.Insert)
                else each
            )
    finally:
        database.around = kept

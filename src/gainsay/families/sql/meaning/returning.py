"""What a statement tells by RETURNING, and what it leaves in its table; the tables are as they were afterwards."""

from __future__ import annotations

from typing import NamedTuple

from gainsay.families.sql.language import ir
from gainsay.families.sql.meaning.rows import Rows
from gainsay.families.sql.meaning.scope import Scope
from gainsay.families.sql.meaning.storage import TooBig, Undetermined
from gainsay.families.sql.meaning.system import UNKNOWN, Violated
from gainsay.families.sql.meaning.tables import RULES, Database, Table
from gainsay.families.sql.meaning.writes import Change


class Wanted(NamedTuple):
    """The rows that are told, and the columns of the table with its rows before and after."""

    returned: Rows
    before: Rows
    names: list[str]
    stored: Rows


def wanted(
    database: Database, node: ir.Insert | ir.Update | ir.Delete, items: tuple[ir.Expr, ...] = ()
) -> Wanted | None:
    """What a statement tells and leaves; None where that can't be told, or it must be refused."""
    table = database.tables.get(node.table)
    if table is None or not table.is_known or any(c.type == UNKNOWN for c in table.columns):
        return None
    before = {name: (t.rows, t.is_known, t.counted) for name, t in database.tables.items()}
    database.marks.append(("", 0, {}))  # it stands inside of a transaction
    try:
        changes = RULES[type(node)](database, node)
        if not table.is_known or not isinstance(changes, list):
            return None
        shown = database.system.shown
        rows = [tuple(map(shown, row)) for row in told(database, table, node, items, changes)] if items else []
        first, last = ([tuple(map(shown, row)) for row in each] for each in (before[table.name][0], table.rows))
        return Wanted(rows, first, table.names, last)
    except (Undetermined, Violated, TooBig):
        return None
    finally:
        database.marks.pop()
        for name, t in database.tables.items():
            t.rows, t.is_known, t.counted = before[name]


def told(
    database: Database,
    table: Table,
    node: ir.Insert | ir.Update | ir.Delete,
    items: tuple[ir.Expr, ...],
    changes: list[Change],
) -> Rows:
    """The items of RETURNING, for each row that came, was changed or went."""
    if database.is_circular(table):
        raise Undetermined("a row that an action changes before or after it is told of")
    scope = Scope()
    scope.add(table.name if isinstance(node, ir.Update) and node.source else "", table.seen())
    of = [database.compiler.term(item, scope).of for item in items]
    is_gone = isinstance(node, ir.Delete)
    rows = [c.old if is_gone else c.new for c in changes]
    return [tuple([value(row) for value in of]) for row in rows if row is not None]

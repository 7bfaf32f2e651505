"""What statements do to tables besides adding, changing and removing rows: ALTER TABLE, transactions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from gainsay.families.sql.language import ir
from gainsay.families.sql.meaning import foreign_keys
from gainsay.families.sql.meaning.scope import NOWHERE
from gainsay.families.sql.meaning.storage import Undetermined
from gainsay.families.sql.meaning.system import UNKNOWN

if TYPE_CHECKING:
    from gainsay.families.sql.meaning.tables import Database

replace = msgspec.structs.replace


# --- ALTER TABLE ------------------------------------------------------------------------------------------------------


def rename_table(database: Database, node: ir.RenameTable) -> None:
    """A table by another name."""
    database.is_altered = True
    database.alterations += 1
    table = database.tables.pop(node.table, None)
    database.relations.pop(node.table, None)
    if table is not None:
        table.name = node.name
        database.put(node.name, table)
        foreign_keys.rename(database, lambda to: replace(to, table=node.name) if to.table == node.table else to)


def rename_column(database: Database, node: ir.RenameColumn) -> None:
    """A column by another name: what was compiled of it stays as it is."""
    database.is_altered = True
    database.alterations += 1
    table = database.tables.get(node.table)
    if table is not None:
        listed = tuple(replace(c, name=node.name) if c.name == node.column else c for c in table.node.columns)
        place = table.names.index(node.column)
        table.node = replace(table.node, columns=listed)
        table.names[place] = node.name
        table.columns = tuple(c._replace(name=n) for c, n in zip(table.columns, table.names, strict=True))
        table.targets = {
            frozenset(node.name if n == node.column else n for n in key): unique
            for key, unique in table.targets.items()
        }
        table.look()
        database.put(node.table, table)
        old, new = node.column, node.name
        own = tuple(replace(k, columns=renamed(k.columns, old, new)) for k in table.node.foreign)
        table.node = replace(table.node, foreign=own)
        foreign_keys.rename(
            database,
            lambda to: replace(to, columns=renamed(to.columns, old, new)) if to.table == node.table else to,
        )


def renamed(names: tuple[str, ...], old: str, new: str) -> tuple[str, ...]:
    return tuple(new if name == old else name for name in names)


def add_column(database: Database, node: ir.AddColumn) -> None:
    """One more column: rows that are there have its default."""
    table, column = database.tables.get(node.table), node.column
    database.alterations += 1
    if table is None:
        return
    if column.generated is not None or column.check is not None or column.primary or column.unique or column.not_null:
        raise Undetermined("a new column with a constraint")
    system = database.system
    attribute, store = system.attribute(column), system.storing(column)
    is_given = column.default is not None and attribute.type != UNKNOWN
    value = database.compiler.term(column.default, NOWHERE).of(()) if is_given else None
    table.node = replace(table.node, columns=(*table.node.columns, column))
    table.names.append(column.name)
    table.columns = (*table.columns, attribute)
    table.defaults.append(value)
    table.stored.append(store)
    table.rows = [(*row, store(value)) for row in table.rows]
    table.look()
    database.put(node.table, table)


def drop_column(database: Database, node: ir.DropColumn) -> None:
    """A column less. What was compiled of the others is compiled anew."""
    table = database.tables.get(node.table)
    if table is None:
        return
    place, known = table.names.index(node.column), table.is_known
    database.alterations += 1
    if len(table.uniques) > len(table.targets):
        table.is_known = known = False  # an index is a constraint here, of columns by their places
    column = replace(table.node, columns=(*table.node.columns[:place], *table.node.columns[place + 1 :]))
    fresh = type(table)(column, database.compiler)
    fresh.name, fresh.is_known, fresh.triggers, fresh.counted = table.name, known, table.triggers, table.counted
    fresh.rows = [(*row[:place], *row[place + 1 :]) for row in table.rows]
    database.put(node.table, fresh)


# --- transactions -----------------------------------------------------------------------------------------------------


def mark(database: Database, node: ir.Mark) -> None:
    """Remember what the tables hold, or give it back."""
    text = "BEGIN" if node.text.startswith("BEGIN ") else node.text  # at once or later: nobody else is there
    word, _, name = text.rpartition(" ") if " " in text else (text, "", "")
    if word in ("BEGIN", "SAVEPOINT"):
        held = {n: (t.rows, t.is_known, t.counted) for n, t in database.tables.items()}
        database.marks.append((name, database.alterations, held))
        return
    while database.marks and database.marks[-1][0] != name:
        database.marks.pop()
    if not database.marks:
        raise Undetermined("the end of what has not begun")
    if word in ("ROLLBACK", "ROLLBACK TO"):
        _, alterations, held = database.marks[-1]
        if alterations != database.alterations:
            held = {}  # what was altered is as it was before: it can't be told what anything holds
        for table_name, table in database.tables.items():
            table.rows, table.is_known, table.counted = held.get(table_name, ([], False, None))
    if word != "ROLLBACK TO":
        database.marks.pop()

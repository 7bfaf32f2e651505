"""What SQLite's virtual tables hold: by the pages "SQLite FTS3 and FTS4 Extensions", "SQLite FTS5 Extension" and "The
SQLite R*Tree Module". They are tables whose values are stored as they are given, or as numbers of 32 bits."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from gainsay.families.sql.language import ir
from gainsay.families.sql.meaning.storage import Undetermined

if TYPE_CHECKING:
    from gainsay.families.sql.meaning.tables import Database

TREES = {"rtree": "REAL", "rtree_i32": "INTEGER"}  # with the type of what bounds a row
WHOLE = 2**24  # integers up to here are reals of 32 bits


def create(database: Database, node: ir.CreateVirtual) -> None:
    """CREATE VIRTUAL TABLE."""
    if node.module not in TREES and any(option.startswith(CONTENTLESS) for option in node.options):
        raise Undetermined("a table that keeps no content")
    database.create_table(ir.CreateTable(node.name, tuple(columns(node))))
    table = database.tables[node.name]
    table.virtual = node
    if node.module in TREES:  # of its columns the page does not say an affinity
        table.columns = tuple(c._replace(affinity="?") if c.name not in node.beside else c for c in table.columns)
        table.look()
        database.put(node.name, table)


CONTENTLESS = "content="


def columns(node: ir.CreateVirtual) -> list[ir.Column]:
    """Its columns as those of a table. The first one of an R-tree is the row's number."""
    if node.module not in TREES:
        return [ir.Column(name) for name in node.columns]
    first, *others = node.columns
    bounds = [ir.Column(n, "" if n in node.beside else TREES[node.module]) for n in others]
    return [ir.Column(first, "INTEGER", primary=True), *bounds]


def check(node: ir.CreateVirtual, row: tuple[Any, ...]) -> None:
    """Raise where an R-tree might refuse a row, or keep other numbers."""
    if node.module not in TREES:
        return
    bounds = row[1 : len(row) - len(node.beside)]
    if any(value.__class__ not in (int, float) or abs(value) > WHOLE for value in bounds):
        raise Undetermined("a bound that is no small number")
    if any(struct.unpack("f", struct.pack("f", value))[0] != value for value in bounds):
        raise Undetermined("a bound that loses digits")
    if any(low > high for low, high in zip(bounds[::2], bounds[1::2], strict=True)):
        raise Undetermined("a least bound that is greater than the greatest")


def is_command(node: ir.Insert, table: ir.CreateVirtual) -> bool:
    """Whether an INSERT only tells a full-text table how to keep what it holds."""
    if table.module in TREES or node.columns[:1] != (table.name,):
        return False
    told = node.rows[0].values[0] if node.rows else None
    if isinstance(told, ir.Lit) and told.text[1:-1].partition("=")[0] in KEEPING:
        return True
    raise Undetermined("a command of a full-text table")


# "The special INSERT commands": all but 'delete' and 'delete-all' leave the rows alone
KEEPING = frozenset({"optimize", "rebuild", "integrity-check", "merge", "automerge", "crisismerge", "pgsz", "rank"})

"""Foreign keys: what becomes of rows when the ones that they refer to are changed or go, and whether all that is
referred to is there.

An engine took every statement of a scene, so what can't be told of a key (its table is not known) is passed over; what
would break a key is `Violated`, and the tables that are reached from there are not known any more."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from gainsay.families.sql.language import ir
from gainsay.families.sql.meaning.storage import TooBig, Undetermined
from gainsay.families.sql.meaning.system import Violated
from gainsay.families.sql.meaning.term import Row

if TYPE_CHECKING:
    from gainsay.families.sql.meaning.tables import Database, Table

STEPS = 60  # of actions that lead to others
SETTING = re.compile(r"PRAGMA foreign_keys\s*=\s*(\w+)", re.IGNORECASE)
ON, OFF = ("ON", "1", "TRUE", "YES"), ("OFF", "0", "FALSE", "NO")
Pairs = Sequence[tuple[Row, Row]]  # rows before and after


class Link(NamedTuple):
    """A foreign key: the table that has it, the one it refers to, and the places of its columns in both."""

    child: Table
    key: ir.ForeignKey
    parent: Table
    places: tuple[int, ...]
    targets: tuple[int, ...]

    def of_parent(self, row: Row) -> Any:
        """What a row is referred to by; None where it can't be."""
        return self._key([row[place] for place in self.targets])

    def of_child(self, row: Row) -> Any:
        """What a row refers to, as a value of the other table's columns; None where it refers to nothing."""
        values = [row[place] for place in self.places]
        if None in values:
            return None
        return self._key([self.parent.stored[t](v) for t, v in zip(self.targets, values, strict=True)])

    def _key(self, values: list[Any]) -> Any:
        if None in values:
            return None
        terms = [self.parent.scope.find("", self.parent.names[place]) for place in self.targets]
        return tuple([self.parent.system.key(v, t) for v, t in zip(values, terms, strict=True)])


def check_setting(database: Database, text: str) -> None:
    """Whether keys are asked for from here on. What stands inside a transaction does nothing."""
    said = SETTING.fullmatch(text)
    if said is not None and not database.marks:
        word = said[1].upper()
        database.are_keys_checked = True if word in ON else False if word in OFF else None


def rename(database: Database, new: Callable[[ir.Target], ir.Target]) -> None:
    """What keys refer to is called otherwise."""
    for table in database.tables.values():
        if table.node.foreign:
            keys = tuple(replace(key, to=new(key.to)) for key in table.node.foreign)
            table.node = replace(table.node, foreign=keys)


def links(database: Database) -> Iterator[Link]:
    """All foreign keys of the tables."""
    for child in database.tables.values():
        for key in child.node.foreign:
            parent = database.tables.get(key.to.table)
            if parent is None or frozenset(key.to.columns) not in parent.targets:
                raise Undetermined("a foreign key to what is no key")
            targets = tuple(parent.names.index(n) for n in key.to.columns)
            yield Link(child, key, parent, tuple(child.names.index(n) for n in key.columns), targets)


def settle(database: Database, table: Table, gone: Sequence[Row], changed: Pairs, is_replaced: bool = False) -> None:
    """Do what the keys say about rows that went and rows that were changed, and ask whether all keys hold.
    `is_replaced`: the rows gave way to others, which is no deletion that the manual speaks of."""
    if not database.has_foreign_keys or database.are_keys_checked is False:
        return
    if not table.is_known:
        database.forget(table.name)
        return
    known = list(links(database))
    touched, work = {table.name}, [(table, list(gone), list(changed))]
    for _ in range(STEPS):
        if not work:
            break
        parent, left, moved = work.pop()
        for link in known:
            if link.parent is parent:
                hit = acted(database, link, left, moved, is_replaced)
                touched.add(link.child.name)
                work += [(link.child, *hit)] if hit is not None else []
    else:
        raise TooBig
    for link in known:
        if {link.child.name, link.parent.name} & touched:
            ask(database, link)


def ask(database: Database, link: Link) -> None:
    """Raise if a row refers to what is not there."""
    if not link.child.is_known or not link.parent.is_known:
        return
    there = {link.of_parent(row) for row in link.parent.rows}
    if all(key is None or key in there for key in map(link.of_child, link.child.rows)):
        return
    if database.are_keys_checked is None or (link.key.is_deferred and database.marks):
        raise Undetermined("whether a foreign key is asked for")
    raise Violated("FOREIGN KEY")


def acted(
    database: Database, link: Link, left: Sequence[Row], moved: Pairs, is_replaced: bool
) -> tuple[list[Row], list[tuple[Row, Row]]] | None:
    """The rows of the table with the key that go and are changed, because those that they refer to did."""
    lost = {key: None for row in left if (key := link.of_parent(row)) is not None}
    new = {key: row for old, row in moved if (key := link.of_parent(old)) is not None and has_moved(link, old, row)}
    hits = [(row, key) for row in link.child.rows if (key := link.of_child(row)) in lost or key in new]
    if not (lost or new) or not hits:
        return None
    if not link.child.is_known or is_replaced or database.are_keys_checked is None:
        raise Undetermined("what becomes of rows that refer to one that is not there any more")
    if link.child.triggers or shares_columns(link):
        raise Undetermined("which of two actions comes first")
    gone: list[Row] = []
    pairs: list[tuple[Row, Row]] = []
    for row, key in hits:
        action = link.key.on_delete if key in lost else link.key.on_update
        if action == "RESTRICT":
            raise Violated("FOREIGN KEY")
        if action == "CASCADE" and key in lost:
            gone.append(row)
        elif action in ("CASCADE", "SET NULL", "SET DEFAULT"):
            pairs.append((row, renewed(link, row, action, new.get(key))))
    put(link.child, gone, pairs)
    return gone, pairs


def has_moved(link: Link, old: Row, row: Row) -> bool:
    """Whether a row is referred to by something else now."""
    if link.of_parent(old) != link.of_parent(row):
        return True
    if any(not link.parent.system.is_identical(old[place], row[place]) for place in link.targets):
        raise Undetermined("whether a key that is equal to the old one is another one")
    return False


def shares_columns(link: Link) -> bool:
    """Whether another key of the table has a column of this one."""
    others = [key for key in link.child.node.foreign if key is not link.key]
    return any({*key.columns} & {*link.key.columns} for key in others)


def renewed(link: Link, row: Row, action: str, parent: Row | None) -> Row:
    """A row that refers to something else, or to nothing."""
    values = list(row)
    for place, target in zip(link.places, link.targets, strict=True):
        if action == "CASCADE":
            assert parent is not None
            values[place] = parent[target]
        else:
            values[place] = link.child.defaults[place] if action == "SET DEFAULT" else None
    return link.child.made(values)


def put(table: Table, gone: Sequence[Row], pairs: Pairs) -> None:
    """Take rows out of a table, and put others in the place of some."""
    out, new = {id(row) for row in gone}, {id(old): row for old, row in pairs}
    table.rows = [new.get(id(row), row) for row in table.rows if id(row) not in out]
    for _, row in pairs:
        if table.conflicts(row, [other for other in table.rows if other is not row]):
            raise Violated("UNIQUE")

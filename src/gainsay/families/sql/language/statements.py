"""Reads scripts that others wrote: statements into our IR, one by one, each over what those before it made."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from gainsay.families.sql.language import clauses, ir
from gainsay.families.sql.language.definitions import DefinitionReader, column_name
from gainsay.families.sql.language.dialect import SqlDialect
from gainsay.families.sql.language.reader import Scope
from gainsay.families.sql.language.syntax import Cursor
from gainsay.families.sql.language.tokens import Unread

SETTING = ("PRAGMA", "SET", "ANALYZE", "REINDEX", "VACUUM")
VERBS = ("REPLACE", "IGNORE", "ABORT", "FAIL", "ROLLBACK")


class Script(NamedTuple):
    """A script that was read: what makes the database, what is asked, and what stayed text, with the reason."""

    scene: ir.Scene
    questions: tuple[ir.Query | ir.RawQuery, ...]
    unread: tuple[str, ...]


QUESTION = re.compile(r"\s*(?:\(\s*)*(SELECT|WITH|VALUES)\b", re.IGNORECASE)


def is_question(text: str) -> bool:
    return QUESTION.match(text) is not None


def script(texts: Sequence[str], dialect: SqlDialect) -> Script:
    """Read statements. What can't be read stays text."""
    reader = StatementReader(dialect)
    made: list[ir.Statement] = []
    asked: list[ir.Query | ir.RawQuery] = []
    for text in texts:
        try:
            if is_question(text):
                asked.append(reader.query(text))
            else:
                made.append(reader.statement(text))
        except Unread as why:
            reader.unread.append(str(why))
            if is_question(text):
                asked.append(ir.RawQuery(text))
            else:
                made.append(ir.RawStatement(text))
    return Script(ir.Scene(tuple(made)), tuple(asked), tuple(dict.fromkeys(reader.unread)))


class StatementReader(DefinitionReader):
    """Reads statements, and keeps in mind what they make."""

    def statement(self, text: str) -> ir.Statement:
        """One statement."""
        cursor = self.cursor(text)
        if cursor.now.key in SETTING:
            return ir.Setting(text.strip().rstrip(";"))
        for words, rule in RULES.items():
            if cursor.take(*words.split(" ")):
                found = rule(self, cursor)
                cursor.take(";")
                if cursor.now.kind != "end":
                    raise Unread(f"{cursor.now.text!r} in a statement")
                return found
        raise Unread(f"{cursor.now.text} as a statement")

    # --- changes ------------------------------------------------------------------------------------------------------

    def insert(self, cursor: Cursor) -> ir.Insert:
        """INSERT [OR ...] INTO t[(columns)] VALUES (...)"""
        return self._inserted(cursor, self._verb(cursor, "INSERT"))

    def replace(self, cursor: Cursor) -> ir.Insert:
        return self._inserted(cursor, "REPLACE")

    def _inserted(self, cursor: Cursor, verb: str) -> ir.Insert:
        cursor.need("INTO")
        table = self.table(cursor)
        columns = cursor.names() if cursor.is_at("(") else self.relations.get(table.lower(), (table, ()))[1]
        if not columns:
            raise Unread("INSERT into a table that is not known")
        made: tuple[ir.Values, ...] = ()
        query: ir.Select | None = None
        if cursor.take("VALUES"):
            rows = [clauses.row(cursor)]
            while cursor.take(","):
                rows.append(clauses.row(cursor))
            scope = Scope()
            made = tuple(ir.Values(tuple(self.expr(v, scope) for v in row)) for row in rows)
            if any(len(row.values) != len(columns) for row in made):
                raise Unread("as many values as columns")
        else:
            asked = self.queried(clauses.query(cursor), None, {})
            if not isinstance(asked, ir.Select):
                raise Unread("INSERT of a compound query")
            query = asked
        found = ir.Insert(table, columns, made, verb, query)
        return replace(found, upsert=self._upsert(cursor, table)) if cursor.take("ON", "CONFLICT") else found

    def _upsert(self, cursor: Cursor, table: str) -> ir.Upsert:
        """What stands behind ON CONFLICT."""
        keys = cursor.names() if cursor.is_at("(") else ()
        cursor.need("DO")
        if cursor.take("NOTHING"):
            return ir.Upsert(keys)
        cursor.need("UPDATE", "SET")
        scope = Scope()
        columns = self.relations.get(table.lower(), (table, ()))[1]
        scope.relations += [(table, columns), ("excluded", columns)]
        return ir.Upsert(keys, self._sets(cursor, scope), self.whole(cursor, scope) if cursor.take("WHERE") else None)

    def _assigned(self, cursor: Cursor, scope: Scope) -> ir.Assign:
        column = cursor.name()
        cursor.need("=")
        return ir.Assign(column, self.whole(cursor, scope))

    def alter(self, cursor: Cursor) -> ir.Statement:
        """ALTER TABLE: another name, a column more or less."""
        table = self.table(cursor)
        names = self.relations.get(table.lower(), (table, ()))[1]
        if cursor.take("RENAME", "TO"):
            new = cursor.name()
            self.relations[new.lower()] = (new, self.relations.pop(table.lower(), (table, ()))[1])
            return ir.RenameTable(table, new)
        if cursor.take("RENAME"):
            cursor.take("COLUMN")
            old = cursor.name()
            cursor.need("TO")
            new = cursor.name()
            self.relations[table.lower()] = (table, tuple(new if n.lower() == old.lower() else n for n in names))
            return ir.RenameColumn(table, old, new)
        if cursor.take("ADD"):
            cursor.take("COLUMN")
            column = self._column(cursor, column_name(cursor), self._own(table))
            self.relations[table.lower()] = (table, (*names, column.name))
            return ir.AddColumn(table, column)
        cursor.need("DROP")
        cursor.take("COLUMN")
        old = cursor.name()
        self.relations[table.lower()] = (table, tuple(n for n in names if n.lower() != old.lower()))
        return ir.DropColumn(table, old)

    def begin(self, cursor: Cursor) -> ir.Mark:
        word = cursor.any_of("DEFERRED", "IMMEDIATE", "EXCLUSIVE")
        cursor.take("TRANSACTION")
        return ir.Mark(f"BEGIN {word}".strip())

    def commit(self, cursor: Cursor) -> ir.Mark:
        cursor.take("TRANSACTION")
        return ir.Mark("COMMIT")

    def rollback(self, cursor: Cursor) -> ir.Mark:
        cursor.take("TRANSACTION")
        if not cursor.take("TO"):
            return ir.Mark("ROLLBACK")
        cursor.take("SAVEPOINT")
        return ir.Mark(f"ROLLBACK TO {cursor.name()}")

    def savepoint(self, cursor: Cursor) -> ir.Mark:
        return ir.Mark(f"SAVEPOINT {cursor.name()}")

    def release(self, cursor: Cursor) -> ir.Mark:
        cursor.take("SAVEPOINT")
        return ir.Mark(f"RELEASE {cursor.name()}")

    def update(self, cursor: Cursor) -> ir.Update:
        """UPDATE [OR ...] t SET ... [FROM ...] [WHERE ...]"""
        verb = self._verb(cursor, "UPDATE")
        table = self.table(cursor)
        cursor.need("SET")
        is_row = cursor.is_at("(")
        start = cursor.at
        sets = self._sets(cursor, self._own(table))
        if not cursor.take("FROM"):
            where = self.whole(cursor, self._own(table)) if cursor.take("WHERE") else None
            return ir.Update(table, sets, where, verb=verb, is_row=is_row)
        scope = Scope()
        source = tuple(self._join(each, scope, {}) for each in clauses.sources(cursor))
        scope.relations.insert(0, (table, self.relations.get(table.lower(), (table, ()))[1]))
        end, cursor.at = cursor.at, start
        sets = self._sets(cursor, scope)  # read again, now that it is known what the names are of
        cursor.at = end
        return ir.Update(table, sets, self.whole(cursor, scope) if cursor.take("WHERE") else None, source, verb, is_row)

    def _sets(self, cursor: Cursor, scope: Scope) -> tuple[ir.Assign, ...]:
        """What stands behind SET."""
        if cursor.is_at("("):
            columns = cursor.names()
            cursor.need("=")
            values = clauses.row(cursor)
            if len(values) != len(columns):
                raise Unread("as many values as columns")
            return tuple(ir.Assign(c, self.expr(v, scope)) for c, v in zip(columns, values, strict=True))
        sets = [self._assigned(cursor, scope)]
        while cursor.take(","):
            sets.append(self._assigned(cursor, scope))
        return tuple(sets)

    def _verb(self, cursor: Cursor, verb: str) -> str:
        """INSERT or UPDATE, with what is done where a constraint is broken."""
        if not cursor.take("OR"):
            return verb
        word = cursor.any_of(*VERBS)
        if not word:
            raise Unread(f"OR {cursor.now.text}")
        return f"{verb} OR {word}"

    def trigger(self, cursor: Cursor) -> ir.CreateTrigger:
        """CREATE TRIGGER, of statements that change tables."""
        name = cursor.name()
        timing, event = cursor.any_of("BEFORE", "AFTER"), cursor.any_of("INSERT", "UPDATE", "DELETE")
        if not timing or not event:
            raise Unread("a trigger that is neither BEFORE nor AFTER")
        of: list[str] = []
        if cursor.take("OF"):
            of.append(cursor.name())
            while cursor.take(","):
                of.append(cursor.name())
        cursor.need("ON")
        table = self.table(cursor)
        cursor.take("FOR", "EACH", "ROW")
        when = self.whole(cursor, Scope()) if cursor.take("WHEN") else None
        cursor.need("BEGIN")
        body: list[ir.Insert | ir.Update | ir.Delete] = []
        while not cursor.take("END"):
            word = cursor.any_of(*CHANGES)
            if not word:
                raise Unread(f"{cursor.now.text!r} in a trigger")
            body.append(CHANGES[word](self, cursor))
            cursor.need(";")
        return ir.CreateTrigger(name, timing, event, table, tuple(body), tuple(of), when)

    def delete(self, cursor: Cursor) -> ir.Delete:
        table = self.table(cursor)
        return ir.Delete(table, self.whole(cursor, self._own(table)) if cursor.take("WHERE") else None)


CHANGES: Mapping[str, Callable[[StatementReader, Cursor], ir.Insert | ir.Update | ir.Delete]] = {
    "INSERT": StatementReader.insert,
    "REPLACE": StatementReader.replace,
    "UPDATE": StatementReader.update,
    "DELETE FROM": StatementReader.delete,
}
RULES: Mapping[str, Callable[[StatementReader, Cursor], ir.Statement]] = {
    "CREATE TABLE": StatementReader.create_table,
    "CREATE TEMP TABLE": StatementReader.create_temporary,
    "CREATE TEMPORARY TABLE": StatementReader.create_temporary,
    "CREATE VIRTUAL TABLE": StatementReader.create_virtual,
    "CREATE INDEX": StatementReader.create_index,
    "CREATE UNIQUE INDEX": StatementReader.create_unique,
    "CREATE VIEW": StatementReader.create_view,
    "CREATE TEMP VIEW": StatementReader.create_temporary_view,
    "CREATE TEMPORARY VIEW": StatementReader.create_temporary_view,
    "CREATE TRIGGER": StatementReader.trigger,
    **CHANGES,
    "ALTER TABLE": StatementReader.alter,
    "BEGIN": StatementReader.begin,
    "COMMIT": StatementReader.commit,
    "ROLLBACK": StatementReader.rollback,
    "SAVEPOINT": StatementReader.savepoint,
    "RELEASE": StatementReader.release,
}

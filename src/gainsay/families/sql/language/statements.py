"""Reads scripts that others wrote: statements into our IR, one by one, each over what those before it made."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from gainsay.families.sql.language import clauses, ir, tokens
from gainsay.families.sql.language.dialect import ColumnType, SqlDialect
from gainsay.families.sql.language.reader import ANY, Reader, Scope, described, names_of
from gainsay.families.sql.language.syntax import CONSTRAINTS, Cursor, type_of
from gainsay.families.sql.language.tokens import Unread

SETTING = ("PRAGMA", "SET", "ANALYZE", "REINDEX", "VACUUM")
VERBS = {"REPLACE": "REPLACE", "IGNORE": "IGNORE"}
# A column's type in a typed dialect that has no row for it: its class by a word in it
CLASSES = (
    ("INT", "int"), ("BOOL", "bool"), ("CHAR", "text"), ("TEXT", "text"), ("DEC", "dec"), ("NUMERIC", "dec"),
    ("DOUBLE", "real"), ("REAL", "real"), ("FLOAT", "real"), ("TIMESTAMP", "timestamp"), ("DATE", "date"),
)  # fmt: skip


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


class StatementReader(Reader):
    """Reads statements, and keeps in mind what they make."""

    def __init__(self, dialect: SqlDialect) -> None:
        super().__init__(dialect)
        self._types = {t.text.upper(): t for t in dialect.types}
        self._respelled = {said.upper(): own for own, said in dialect.spell.items()}

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

    def whole(self, cursor: Cursor, scope: Scope) -> ir.Expr:
        return self.expr(cursor.expression(), scope)

    def _own(self, name: str) -> Scope:
        """A scope in which the columns of one table stand without its name."""
        scope = Scope()
        scope.relations.append(("", self.relations.get(name.lower(), (name, ()))[1]))
        return scope

    def table(self, cursor: Cursor) -> str:
        name = cursor.name()
        if cursor.is_at("."):
            raise Unread(f"the schema of {name}")
        return self.relations.get(name.lower(), (name, ()))[0]

    # --- CREATE -------------------------------------------------------------------------------------------------------

    def create_temporary(self, cursor: Cursor) -> ir.CreateTable:
        """CREATE TEMP TABLE, where the dialect has it."""
        kinds = {kind.before.strip(): name for name, kind in self.dialect.table_kinds.items() if not kind.after}
        found = next((kinds[word] for word in ("TEMP", "TEMPORARY") if word in kinds), "")
        if not found:
            raise Unread("a temporary table")
        return replace(self.create_table(cursor), kind=found)

    def create_table(self, cursor: Cursor) -> ir.CreateTable:
        """CREATE TABLE, with the constraints that we have."""
        cursor.take("IF", "NOT", "EXISTS")
        name = self.table(cursor)
        if not cursor.take("("):
            raise Unread("CREATE TABLE AS")
        listed = [column_name(cursor)]
        start = cursor.at
        scope = Scope()
        scope.relations.append(("", all_columns(cursor)))
        cursor.at = start
        columns, keys = [self._column(cursor, listed[0], scope)], []
        primary: tuple[ir.IndexKey, ...] = ()
        while cursor.take(","):
            if cursor.any_of("CONSTRAINT", "CHECK", "FOREIGN"):
                raise Unread("a constraint of the table")
            if cursor.take("PRIMARY", "KEY"):
                primary = self._keys(cursor, scope)
            elif cursor.take("UNIQUE"):
                keys.append(cursor.names())
            else:
                columns.append(self._column(cursor, column_name(cursor), scope))
        cursor.need(")")
        options = []
        while option := cursor.any_of("STRICT", "WITHOUT ROWID"):
            options.append(option)
            cursor.take(",")
        self.relations[name.lower()] = (name, tuple(c.name for c in columns))
        is_strict, is_bare = "STRICT" in options, "WITHOUT ROWID" in options
        return ir.CreateTable(name, tuple(columns), tuple(keys), is_strict, is_bare, primary=primary)

    def _column(self, cursor: Cursor, name: str, scope: Scope) -> ir.Column:
        start = cursor.now.start
        kind = type_of(cursor)
        kind = self._respelled.get(kind, kind)
        said: dict[str, object] = {}
        known = self._types.get(kind) or ColumnType(cursor.since(start) if kind else "", self._class(kind))
        while cursor.now.kind == "word" and cursor.now.key in CONSTRAINTS:
            self._constraint(cursor, said, scope)
        return ir.Column(name, known.text, known.cls, is_exact=known.exact, **said)  # type: ignore[arg-type]

    def _class(self, kind: str) -> str:
        return ANY if self.dialect.loose else next((cls for word, cls in CLASSES if word in kind), ANY)

    def _constraint(self, cursor: Cursor, said: dict[str, object], scope: Scope) -> None:
        """One constraint of a column, put into `said`."""
        word = cursor.next().key
        if word == "PRIMARY":
            cursor.need("KEY")
            said["desc"] = cursor.any_of("ASC", "DESC") == "DESC"
            if cursor.any_of("AUTOINCREMENT"):
                raise Unread("what stands behind PRIMARY KEY")
            said["primary"] = True
        elif word == "UNIQUE":
            said["unique"] = True
        elif word == "NOT":
            cursor.need("NULL")
            said["not_null"] = True
        elif word == "NULL":
            pass
        elif word == "COLLATE":
            said["collate"] = cursor.next().text
        elif word == "DEFAULT":
            said["default"] = self.expr(cursor.expression(cursor.rules["COLLATE"]), scope)
        elif word == "CHECK":
            cursor.need("(")
            said["check"] = self.whole(cursor, scope)
            cursor.need(")")
        elif word in ("GENERATED", "AS"):
            self._generated(cursor, word, said, scope)
        else:
            raise Unread(f"{word} of a column")
        if cursor.is_at("ON"):
            raise Unread("ON CONFLICT of a constraint")

    def _generated(self, cursor: Cursor, word: str, said: dict[str, object], scope: Scope) -> None:
        if word == "GENERATED":
            cursor.need("ALWAYS", "AS")
        cursor.need("(")
        said["generated"] = self.whole(cursor, scope)
        cursor.need(")")
        said["stored"] = cursor.any_of("STORED", "VIRTUAL") == "STORED"

    def create_virtual(self, cursor: Cursor) -> ir.CreateVirtual:
        name = self.table(cursor)
        cursor.need("USING")
        module = cursor.name().lower()
        columns = cursor.names()
        if module not in ("fts5", "rtree"):
            raise Unread(f"a virtual table of {module}")
        self.relations[name.lower()] = (name, columns)
        return ir.CreateVirtual(name, module, columns)

    def create_index(self, cursor: Cursor) -> ir.CreateIndex:
        return self._index(cursor, False)

    def create_unique(self, cursor: Cursor) -> ir.CreateIndex:
        return self._index(cursor, True)

    def _index(self, cursor: Cursor, is_unique: bool) -> ir.CreateIndex:
        cursor.take("IF", "NOT", "EXISTS")
        name = cursor.name()
        cursor.need("ON")
        table = self.table(cursor)
        scope = self._own(table)
        keys = self._keys(cursor, scope)
        where = self.whole(cursor, scope) if cursor.take("WHERE") else None
        return ir.CreateIndex(name, table, keys, is_unique, where)

    def _keys(self, cursor: Cursor, scope: Scope) -> tuple[ir.IndexKey, ...]:
        cursor.need("(")
        keys = [self._key(cursor, scope)]
        while cursor.take(","):
            keys.append(self._key(cursor, scope))
        cursor.need(")")
        return tuple(keys)

    def _key(self, cursor: Cursor, scope: Scope) -> ir.IndexKey:
        written, collate = cursor.expression(), ""
        if written.head.startswith("COLLATE "):
            collate, (written,) = written.head.partition(" ")[2], written.parts
        return ir.IndexKey(self.expr(written, scope), collate, cursor.any_of("ASC", "DESC") == "DESC")

    def create_view(self, cursor: Cursor) -> ir.CreateView:
        """CREATE VIEW."""
        cursor.take("IF", "NOT", "EXISTS")
        name = cursor.name()
        named = cursor.names() if cursor.is_at("(") else ()
        cursor.need("AS")
        query = self.queried(clauses.query(cursor), None, {})
        columns = named or names_of(query)
        self.relations[name.lower()] = (name, columns)
        return ir.CreateView(name, described(columns), query)

    # --- changes ------------------------------------------------------------------------------------------------------

    def insert(self, cursor: Cursor) -> ir.Insert:
        """INSERT [OR ...] INTO t[(columns)] VALUES (...)"""
        verb = "INSERT"
        if cursor.take("OR"):
            word = cursor.any_of(*VERBS)
            if not word:
                raise Unread(f"OR {cursor.now.text}")
            verb = f"INSERT OR {word}"
        return self._inserted(cursor, verb)

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
        sets = [self._assigned(cursor, scope)]
        while cursor.take(","):
            sets.append(self._assigned(cursor, scope))
        return ir.Upsert(keys, tuple(sets), self.whole(cursor, scope) if cursor.take("WHERE") else None)

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
        cursor.take("TRANSACTION")
        return ir.Mark("BEGIN")

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
        """UPDATE of one column."""
        table = self.table(cursor)
        scope = self._own(table)
        cursor.need("SET")
        column = cursor.name()
        cursor.need("=")
        value = self.whole(cursor, scope)
        if cursor.is_at(","):
            raise Unread("UPDATE of several columns")
        return ir.Update(table, column, value, self.whole(cursor, scope) if cursor.take("WHERE") else None)

    def delete(self, cursor: Cursor) -> ir.Delete:
        table = self.table(cursor)
        return ir.Delete(table, self.whole(cursor, self._own(table)) if cursor.take("WHERE") else None)


RULES: Mapping[str, Callable[[StatementReader, Cursor], ir.Statement]] = {
    "CREATE TABLE": StatementReader.create_table,
    "CREATE TEMP TABLE": StatementReader.create_temporary,
    "CREATE TEMPORARY TABLE": StatementReader.create_temporary,
    "CREATE VIRTUAL TABLE": StatementReader.create_virtual,
    "CREATE INDEX": StatementReader.create_index,
    "CREATE UNIQUE INDEX": StatementReader.create_unique,
    "CREATE VIEW": StatementReader.create_view,
    "INSERT": StatementReader.insert,
    "REPLACE": StatementReader.replace,
    "UPDATE": StatementReader.update,
    "DELETE FROM": StatementReader.delete,
    "ALTER TABLE": StatementReader.alter,
    "BEGIN": StatementReader.begin,
    "COMMIT": StatementReader.commit,
    "ROLLBACK": StatementReader.rollback,
    "SAVEPOINT": StatementReader.savepoint,
    "RELEASE": StatementReader.release,
}


def column_name(cursor: Cursor) -> str:
    """A column's name, which may be a word that ends an expression elsewhere."""
    return tokens.unquoted(cursor.next())


def all_columns(cursor: Cursor) -> tuple[str, ...]:
    """The names of the columns of a table whose first one was just read: a constraint may use a later one."""
    found, depth = [tokens.unquoted(cursor.peek(-1))], 0
    while depth >= 0 and cursor.now.kind != "end":
        token = cursor.next()
        depth += {"(": 1, ")": -1}.get(token.key, 0)
        if token.key == "," and depth == 0:
            found.append(tokens.unquoted(cursor.now))
    return tuple(found)

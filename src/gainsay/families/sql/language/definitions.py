"""Reads what makes relations: CREATE TABLE with its columns and constraints, CREATE INDEX, CREATE VIEW."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from gainsay.families.sql.language import clauses, ir, tokens
from gainsay.families.sql.language.dialect import ColumnType, SqlDialect
from gainsay.families.sql.language.reader import ANY, Reader, Scope, described, names_of
from gainsay.families.sql.language.syntax import CONSTRAINTS, Cursor, type_of
from gainsay.families.sql.language.tokens import Unread

# A column's type in a typed dialect that has no row for it: its class by a word in it
CLASSES = (
    ("INT", "int"), ("BOOL", "bool"), ("CHAR", "text"), ("TEXT", "text"), ("DEC", "dec"), ("NUMERIC", "dec"),
    ("DOUBLE", "real"), ("REAL", "real"), ("FLOAT", "real"), ("TIMESTAMP", "timestamp"), ("DATE", "date"),
)  # fmt: skip


class Said(NamedTuple):
    """What constraints of a table say."""

    keys: list[tuple[str, ...]]
    primary: list[ir.IndexKey]
    checks: list[ir.Expr]
    policies: list[str]  # what is done with rows that break one of the keys


class DefinitionReader(Reader):
    """Reads the statements that make relations, and keeps in mind what they make."""

    def __init__(self, dialect: SqlDialect) -> None:
        super().__init__(dialect)
        self._foreign: list[ir.ForeignKey] = []
        self._types = {t.text.upper(): t for t in dialect.types}
        self._respelled = {said.upper(): own for own, said in dialect.spell.items()}

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

    def _check_free(self, name: str, is_careful: bool) -> None:
        """IF NOT EXISTS does nothing where something of that name is there."""
        if is_careful and name.lower() in self.relations:
            raise Unread(f"IF NOT EXISTS of {name}, which is there")

    def create_temporary(self, cursor: Cursor) -> ir.CreateTable:
        """CREATE TEMP TABLE, where the dialect has it."""
        kinds = {kind.before.strip(): name for name, kind in self.dialect.table_kinds.items() if not kind.after}
        found = next((kinds[word] for word in ("TEMP", "TEMPORARY") if word in kinds), "")
        if not found:
            raise Unread("a temporary table")
        return replace(self.create_table(cursor), kind=found)

    def create_table(self, cursor: Cursor) -> ir.CreateTable:
        """CREATE TABLE, with the constraints that we have."""
        is_careful = cursor.take("IF", "NOT", "EXISTS")
        name = self.table(cursor)
        self._check_free(name, is_careful)
        if not cursor.take("("):
            raise Unread("CREATE TABLE AS")
        first = column_name(cursor)
        start = cursor.at
        scope = Scope()
        scope.relations.append(("", all_columns(cursor)))
        cursor.at = start
        self._foreign = []  # those that stand behind a column are told with the others
        columns = [self._column(cursor, first, scope)]
        said = Said([], [], [], [])
        while cursor.take(","):
            if not self._of_table(cursor, said, scope):
                columns.append(self._column(cursor, column_name(cursor), scope))
        cursor.need(")")
        options = []
        while option := cursor.any_of("STRICT", "WITHOUT ROWID"):
            options.append(option)
            cursor.take(",")
        self.relations[name.lower()] = (name, tuple(c.name for c in columns))
        if len(set(said.policies)) > 1:
            raise Unread("keys of one table with ON CONFLICT of several kinds")
        return ir.CreateTable(
            name,
            tuple(columns),
            tuple(said.keys),
            "STRICT" in options,
            "WITHOUT ROWID" in options,
            primary=tuple(said.primary),
            foreign=tuple(self._foreign),
            checks=tuple(said.checks),
            on_conflict=next(iter(said.policies), ""),
        )

    def _of_table(self, cursor: Cursor, said: Said, scope: Scope) -> bool:
        """A constraint of the table, put into `said`; false where a column stands."""
        if cursor.take("CONSTRAINT"):
            raise Unread("a constraint with a name")
        if cursor.take("CHECK"):
            cursor.need("(")
            said.checks.append(self.whole(cursor, scope))
            cursor.need(")")
        elif cursor.take("FOREIGN", "KEY"):
            columns = cursor.names()
            cursor.need("REFERENCES")
            self._foreign.append(self._referring(cursor, columns))
        elif cursor.take("PRIMARY", "KEY"):
            said.primary.extend(self._keys(cursor, scope))
            said.policies.append(policy(cursor))
        elif cursor.take("UNIQUE"):
            said.keys.append(cursor.names())
            said.policies.append(policy(cursor))
        else:
            return False
        return True

    def _referring(self, cursor: Cursor, columns: tuple[str, ...]) -> ir.ForeignKey:
        """What stands behind REFERENCES."""
        table = self.table(cursor)
        if not cursor.is_at("("):
            raise Unread("a foreign key to a key that is not named")
        to = ir.Target(table, cursor.names())
        actions = {"DELETE": "", "UPDATE": ""}
        while cursor.take("ON"):
            event = cursor.any_of(*actions)
            actions[event] = cursor.any_of("CASCADE", "SET NULL", "SET DEFAULT", "RESTRICT", "NO ACTION")
            if not event or not actions[event]:
                raise Unread(f"{cursor.now.text!r} of a foreign key")
        is_deferred = cursor.take("DEFERRABLE", "INITIALLY", "DEFERRED")
        if cursor.now.key in ("DEFERRABLE", "MATCH") or cursor.is_at("NOT", "DEFERRABLE"):
            raise Unread(f"{cursor.now.text!r} of a foreign key")
        return ir.ForeignKey(columns, to, actions["DELETE"], actions["UPDATE"], is_deferred)

    def _column(self, cursor: Cursor, name: str, scope: Scope) -> ir.Column:
        start = cursor.now.start
        kind = type_of(cursor)
        kind = self._respelled.get(kind, kind)
        said: dict[str, object] = {}
        kind = self.dialect.aliases.get(kind, kind)
        known = self._types.get(kind) or ColumnType(cursor.since(start) if kind else "", self._class(kind))
        while cursor.now.kind == "word" and cursor.now.key in CONSTRAINTS:
            if cursor.take("REFERENCES"):
                self._foreign.append(self._referring(cursor, (name,)))
            else:
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
            of_key(cursor, said)
            said["is_counted"] = cursor.take("AUTOINCREMENT")
            said["primary"] = True
        elif word == "UNIQUE":
            said["unique"] = True
            of_key(cursor, said)
        elif word == "NOT":
            cursor.need("NULL")
            said["not_null"] = True
            said["on_null"] = policy(cursor)
        elif word == "NULL":
            pass
        elif word == "COLLATE":
            said["collate"] = cursor.next().text
            while cursor.take("."):
                said["collate"] = f"{said['collate']}.{cursor.next().text}"
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
            raise Unread("ON CONFLICT of a constraint that is no key")

    def _generated(self, cursor: Cursor, word: str, said: dict[str, object], scope: Scope) -> None:
        if word == "GENERATED":
            cursor.need("ALWAYS", "AS")
        cursor.need("(")
        said["generated"] = self.whole(cursor, scope)
        cursor.need(")")
        said["stored"] = cursor.any_of("STORED", "VIRTUAL") == "STORED"

    def create_virtual(self, cursor: Cursor) -> ir.CreateVirtual:
        """CREATE VIRTUAL TABLE: columns, those that stand beside, and options as they are written."""
        name = self.table(cursor)
        cursor.need("USING")
        module = cursor.name().lower()
        if module not in ("fts4", "fts5", "rtree", "rtree_i32"):
            raise Unread(f"a virtual table of {module}")
        columns: list[str] = []
        beside: list[str] = []
        options: list[str] = []
        cursor.need("(")
        while not cursor.take(")"):
            start, is_beside = cursor.now.start, cursor.take("+")
            word = column_name(cursor)
            if cursor.take("="):
                cursor.next()
                options.append(cursor.since(start))
            else:
                columns.append(word)
                beside += [word] if cursor.take("UNINDEXED") or is_beside else []
            if not cursor.take(",") and not cursor.is_at(")"):
                raise Unread(f"{cursor.now.text!r} of a virtual table")
        self.relations[name.lower()] = (name, tuple(columns))
        return ir.CreateVirtual(name, module, tuple(columns), tuple(beside), tuple(options))

    def create_index(self, cursor: Cursor) -> ir.CreateIndex:
        return self._index(cursor, False)

    def create_unique(self, cursor: Cursor) -> ir.CreateIndex:
        return self._index(cursor, True)

    def _index(self, cursor: Cursor, is_unique: bool) -> ir.CreateIndex:
        if cursor.take("IF", "NOT", "EXISTS"):
            raise Unread("an index that may be there already")
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

    def create_temporary_view(self, cursor: Cursor) -> ir.CreateView:
        return replace(self.create_view(cursor), is_temporary=True)

    def create_view(self, cursor: Cursor) -> ir.CreateView:
        """CREATE VIEW."""
        is_careful = cursor.take("IF", "NOT", "EXISTS")
        name = cursor.name()
        self._check_free(name, is_careful)
        named = cursor.names() if cursor.is_at("(") else ()
        cursor.need("AS")
        query = self.queried(clauses.query(cursor), None, {})
        columns = named or names_of(query)
        self.relations[name.lower()] = (name, columns)
        return ir.CreateView(name, described(columns), query)


POLICIES = ("IGNORE", "REPLACE", "ABORT", "FAIL", "ROLLBACK")


def policy(cursor: Cursor) -> str:
    """ON CONFLICT, and what is done then; nothing where it is not said."""
    return cursor.any_of(*POLICIES) if cursor.take("ON", "CONFLICT") else ""


def of_key(cursor: Cursor, said: dict[str, object]) -> None:
    """What is done with a row that breaks a column's key: the same for both kinds of keys that it may be."""
    found = policy(cursor)
    if said.get("on_conflict", found) != found:
        raise Unread("keys of one column with ON CONFLICT of several kinds")
    said["on_conflict"] = found


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

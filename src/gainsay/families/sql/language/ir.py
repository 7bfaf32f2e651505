"""The SQL family's IR: expressions, queries, statements, and the scene they make.
Nodes are data; dialects spell them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Union

import msgspec

from gainsay.core.tree import Node

# --- expressions ------------------------------------------------------------------------------------------------------


class Lit(Node, frozen=True, gc=False):
    """A literal by kind and canonical text, so that 2^64, 1e500 and x'61' survive JSON unharmed."""

    sort: ClassVar[str] = "expr"
    kind: str  # null, int, real, text, blob, bool, or a typed one: date, timestamp, list, struct
    text: str

    @property
    def number(self) -> int:
        """What a literal of kind int says."""
        return whole(self.text)


def whole(text: str) -> int:
    """The number that a text without a point says, with digits of ten or of sixteen."""
    return int(text, 16 if text[:2] in ("0x", "0X") else 10)


class Col(Node, frozen=True, gc=False):
    """A column, of a relation or of what is around it."""

    sort: ClassVar[str] = "expr"
    keep: ClassVar[frozenset[str]] = frozenset({"rel", "name"})
    refers: ClassVar[Mapping[str, str]] = {"rel": "source", "name": "column"}
    rel: str
    name: str


class Op(Node, frozen=True, gc=False):
    """An entry of the operator table (ops.py) applied to its operands."""

    sort: ClassVar[str] = "expr"
    keep: ClassVar[frozenset[str]] = frozenset({"args", "op"})
    op: str
    args: tuple[Expr, ...]


class Order(Node, frozen=True):
    """A key of an ORDER BY. A whole number as its expression is the place of an item; that of a compound query always
    is."""

    expr: Expr
    desc: bool = False
    nulls: str = ""  # FIRST or LAST; nothing: as the engine has it


class Agg(Node, frozen=True, gc=False):
    """An aggregate function; no argument is COUNT(*). `where`: the rows that FILTER keeps. `between`: what text is
    joined by, in the order of `order`."""

    sort: ClassVar[str] = "expr"
    keep: ClassVar[frozenset[str]] = frozenset({"arg", "between", "order"})
    fn: str
    arg: Expr | None = None
    distinct: bool = False
    where: Expr | None = None
    between: Lit | None = None
    order: tuple[Order, ...] = ()


class Frame(Node, frozen=True):
    """The rows around one that a window function looks at: ROWS, RANGE or GROUPS, from a bound to a bound."""

    keep: ClassVar[frozenset[str]] = frozenset({"unit", "start", "end"})
    unit: str
    start: str  # UNBOUNDED PRECEDING, 1 PRECEDING, CURRENT ROW, ...
    end: str
    exclude: str = ""  # CURRENT ROW, GROUP or TIES


class Over(Node, frozen=True):
    """A window function. COUNT without arguments is COUNT(*)."""

    sort: ClassVar[str] = "expr"
    keep: ClassVar[frozenset[str]] = frozenset({"fn", "args"})
    fn: str
    args: tuple[Expr, ...] = ()
    partition: tuple[Expr, ...] = ()
    order: tuple[Order, ...] = ()
    frame: Frame | None = None
    where: Expr | None = None


class SubExpr(Node, frozen=True, gc=False):
    """EXISTS (q), x IN (q), x < ALL (q), or (q) as a value: `kind` is 'exists', 'in', 'not in', 'scalar', or a
    comparison with 'any' or 'all' behind it."""

    sort: ClassVar[str] = "expr"
    keep: ClassVar[frozenset[str]] = frozenset({"args"})
    kind: str
    args: tuple[Expr, ...]
    query: Select


class RawExpr(Node, frozen=True, gc=False):
    """Text that was parsed no further (known bugs, users' queries)."""

    sort: ClassVar[str] = "expr"
    text: str


class As(Node, frozen=True, gc=False):
    """A named item of a select list."""

    expr: Expr
    name: str


Expr = Union[Lit, Col, Op, Agg, Over, SubExpr, RawExpr]
Item = Union[Expr, As]

# --- queries ----------------------------------------------------------------------------------------------------------


class Call(Node, frozen=True, gc=False):
    """A function that gives rows: a row of the dialect's `table_functions`, and its arguments."""

    keep: ClassVar[frozenset[str]] = frozenset({"row", "args"})
    row: str
    args: tuple[Expr, ...]


class Join(Node, frozen=True, gc=False):
    """One relation of a FROM list and how it is joined to what stands before it (`kind` of the first: '').

    It is a relation of the scene, or made here: by a query (`sub`), by a function (`call`)."""

    keep: ClassVar[frozenset[str]] = frozenset({"rel", "alias", "columns"})
    binds: ClassVar[Mapping[str, str]] = {"alias": "source"}
    refers: ClassVar[Mapping[str, str]] = {"rel": "relation"}
    rel: str
    kind: str = ""
    on: Expr | None = None
    alias: str = ""
    sub: Select | None = None
    hint: str = ""  # of a dialect's switches: NOT INDEXED
    call: Call | None = None
    columns: tuple[ViewColumn, ...] = ()  # of what is made here
    is_lateral: bool = False  # the query may use columns of what stands before it
    using: tuple[str, ...] = ()  # columns of one name that are compared

    @property
    def way(self) -> str:
        """How it is joined, whatever it is joined by."""
        return self.kind.removeprefix("NATURAL ")

    @property
    def is_made(self) -> bool:
        """Whether it is made here."""
        return self.sub is not None or self.call is not None


class Cte(Node, frozen=True, gc=False):
    """A query that a WITH names. A recursive one is a UNION [ALL] of what it begins with and of what it makes of the
    rows of one step."""

    keep: ClassVar[frozenset[str]] = frozenset({"name", "columns", "is_recursive"})
    binds: ClassVar[Mapping[str, str]] = {"name": "relation"}
    places: ClassVar[tuple[str, ...]] = ("columns", "query")
    name: str
    columns: tuple[ViewColumn, ...]
    query: Query
    is_recursive: bool = False


class Select(Node, frozen=True, gc=False):
    """SELECT, with its clauses."""

    sort: ClassVar[str] = "query"
    places: ClassVar[tuple[str, ...]] = ("items",)
    items: tuple[Item, ...]
    source: tuple[Join, ...] = ()
    where: Expr | None = None
    distinct: bool = False
    group: tuple[Expr, ...] = ()
    having: Expr | None = None
    order: tuple[Order, ...] = ()
    ctes: tuple[Cte, ...] = ()
    hint: str = ""  # of a dialect's switches: a comment behind SELECT
    distinct_on: tuple[Expr, ...] = ()  # the first row of each of these, in the order of `order`
    grouping: str = ""  # what `group` is: ROLLUP, CUBE, or GROUPING SETS of each key alone and of none
    limit: Expr | None = None
    offset: Expr | None = None  # of a limit
    is_all: bool = False  # SELECT ALL, which is SELECT


class RowList(Node, frozen=True, gc=False):
    """VALUES (...), (...) as a query."""

    sort: ClassVar[str] = "query"
    places: ClassVar[tuple[str, ...]] = ("rows",)
    rows: tuple[Values, ...]

    @property
    def ctes(self) -> tuple[Cte, ...]:
        return ()


class Compound(Node, frozen=True, gc=False):
    """UNION, UNION ALL, INTERSECT or EXCEPT of selects, from left to right."""

    sort: ClassVar[str] = "query"
    places: ClassVar[tuple[str, ...]] = ("arms",)
    op: str
    arms: tuple[Select, ...]
    ctes: tuple[Cte, ...] = ()
    order: tuple[Order, ...] = ()
    limit: Expr | None = None
    offset: Expr | None = None

    def seen(self) -> tuple[Select, ...]:
        """The arms, each with the CTEs that it sees."""
        return (
            tuple(msgspec.structs.replace(arm, ctes=(*self.ctes, *arm.ctes)) for arm in self.arms)
            if self.ctes
            else self.arms
        )


class RawQuery(Node, frozen=True, gc=False):
    """A query that somebody else wrote, as text."""

    text: str


Query = Union[Select, Compound, RowList]

# --- statements -------------------------------------------------------------------------------------------------------


class Stated(Node, frozen=True):
    """Base of statements."""

    @property
    def about(self) -> str:
        """The relation that it makes or changes, by what it says of its names; nothing where it is about none."""
        fields = (f for named in (self.refers, self.binds) for f, kind in named.items() if kind == "relation")
        return next((str(getattr(self, field)) for field in fields), "")


class Column(Node, frozen=True):
    """A column of a table, with its constraints."""

    keep: ClassVar[frozenset[str]] = frozenset({"name", "cls", "is_exact"})
    binds: ClassVar[Mapping[str, str]] = {"name": "column"}
    name: str
    type: str = ""
    cls: str = "any"
    collate: str = ""
    primary: bool = False
    unique: bool = False
    not_null: bool = False
    default: Expr | None = None
    check: Expr | None = None
    generated: Expr | None = None
    stored: bool = False
    is_exact: bool = True  # False: its dialect says that equal values of its type may differ
    desc: bool = False  # PRIMARY KEY DESC
    is_counted: bool = False  # AUTOINCREMENT: a number is never given twice
    on_conflict: str = ""  # IGNORE, REPLACE, ...: what is done with a row that breaks PRIMARY KEY or UNIQUE
    on_null: str = ""  # the same of NOT NULL


class IndexKey(Node, frozen=True):
    """What an index or a primary key is on."""

    is_joint: ClassVar[bool] = True
    expr: Expr
    collate: str = ""
    desc: bool = False
    prefix: str = ""  # (2): so many characters of it


class Target(Node, frozen=True):
    """What a foreign key refers to: the columns of a key of a table."""

    keep: ClassVar[frozenset[str]] = frozenset({"table", "columns"})
    refers: ClassVar[Mapping[str, str]] = {"table": "relation", "columns": "column"}
    table: str
    columns: tuple[str, ...]


class ForeignKey(Node, frozen=True):
    """FOREIGN KEY (columns) REFERENCES table(columns) ON DELETE ... ON UPDATE ..."""

    keep: ClassVar[frozenset[str]] = frozenset({"columns"})
    refers: ClassVar[Mapping[str, str]] = {"columns": "column"}
    is_joint: ClassVar[bool] = True
    columns: tuple[str, ...]
    to: Target
    on_delete: str = ""  # CASCADE, SET NULL, SET DEFAULT, RESTRICT, NO ACTION; nothing is NO ACTION
    on_update: str = ""
    is_deferred: bool = False  # DEFERRABLE INITIALLY DEFERRED: asked for at the end of a transaction


class CreateTable(Stated, frozen=True):
    """CREATE TABLE."""

    keep: ClassVar[frozenset[str]] = frozenset({"name"})
    binds: ClassVar[Mapping[str, str]] = {"name": "relation"}
    refers: ClassVar[Mapping[str, str]] = {"keys": "column", "kind_column": "column"}
    name: str
    columns: tuple[Column, ...]
    keys: tuple[tuple[str, ...], ...] = ()  # table-level UNIQUE (c0, c1)
    strict: bool = False
    without_rowid: bool = False
    kind: str = ""  # a row of the dialect's `table_kinds`
    kind_column: str = ""  # that this kind is by
    primary: tuple[IndexKey, ...] = ()  # a primary key of several columns
    foreign: tuple[ForeignKey, ...] = ()
    checks: tuple[Expr, ...] = ()  # table-level CHECK
    on_conflict: str = ""  # what is done with a row that breaks one of its keys of several columns


class CreateVirtual(Stated, frozen=True):
    """A virtual table: `module` is fts4, fts5, rtree or rtree_i32. `beside`: columns that are kept and not searched.
    `options`: as they are written."""

    keep: ClassVar[frozenset[str]] = frozenset({"name", "module"})
    binds: ClassVar[Mapping[str, str]] = {"name": "relation", "columns": "column"}
    refers: ClassVar[Mapping[str, str]] = {"beside": "column"}
    name: str
    module: str
    columns: tuple[str, ...]
    beside: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


class CreateIndex(Stated, frozen=True):
    """CREATE INDEX."""

    keep: ClassVar[frozenset[str]] = frozenset({"name", "table"})
    binds: ClassVar[Mapping[str, str]] = {"name": "index"}
    refers: ClassVar[Mapping[str, str]] = {"table": "relation", "include": "column"}
    needs: ClassVar[tuple[str, ...]] = ("keys",)
    name: str
    table: str
    keys: tuple[IndexKey, ...]
    unique: bool = False
    where: Expr | None = None
    kind: str = ""  # a row of the dialect's `index_kinds`
    include: tuple[str, ...] = ()  # columns that are stored beside the keys


class ViewColumn(Node, frozen=True):
    """A view's column.
    Not `clean`: which of several equal values it shows is the engine's choice, so nothing may look closely."""

    keep: ClassVar[frozenset[str]] = frozenset({"name", "cls", "clean", "exact"})
    binds: ClassVar[Mapping[str, str]] = {"name": "column"}
    name: str
    cls: str = "any"
    clean: bool = True
    exact: bool = False


class CreateView(Stated, frozen=True):
    """CREATE VIEW."""

    keep: ClassVar[frozenset[str]] = frozenset({"name", "columns"})
    binds: ClassVar[Mapping[str, str]] = {"name": "relation"}
    places: ClassVar[tuple[str, ...]] = ("columns", "query")
    name: str
    columns: tuple[ViewColumn, ...]
    query: Query
    is_stored: bool = False  # MATERIALIZED: it shows what was there when it was made
    is_temporary: bool = False


class Values(Node, frozen=True):
    """A row that is inserted."""

    keep: ClassVar[frozenset[str]] = frozenset({"values"})
    places: ClassVar[tuple[str, ...]] = ("values",)
    values: tuple[Expr, ...]


class Assign(Node, frozen=True):
    """A column that is set."""

    keep: ClassVar[frozenset[str]] = frozenset({"column"})
    refers: ClassVar[Mapping[str, str]] = {"column": "column"}
    column: str
    value: Expr


class Upsert(Node, frozen=True):
    """ON CONFLICT (keys) DO UPDATE SET ... WHERE ...; DO NOTHING where it sets nothing. `excluded` is the row that
    would have been inserted."""

    keep: ClassVar[frozenset[str]] = frozenset({"keys"})
    refers: ClassVar[Mapping[str, str]] = {"keys": "column"}
    keys: tuple[str, ...]
    sets: tuple[Assign, ...] = ()
    where: Expr | None = None


class Insert(Stated, frozen=True):
    """INSERT, or a verb like it: of rows, or of what a query gives."""

    keep: ClassVar[frozenset[str]] = frozenset({"table", "columns"})
    refers: ClassVar[Mapping[str, str]] = {"table": "relation", "columns": "column"}
    places: ClassVar[tuple[str, ...]] = ("columns", "rows", "query")
    needs: ClassVar[tuple[str, ...]] = ("columns",)
    table: str
    columns: tuple[str, ...]
    rows: tuple[Values, ...]
    verb: str = "INSERT"
    query: Select | None = None
    upsert: Upsert | None = None


class Update(Stated, frozen=True):
    """UPDATE, or a verb like it. `source`: what stands behind FROM. `is_row`: SET (c0, c1) = (1, 2)."""

    keep: ClassVar[frozenset[str]] = frozenset({"table"})
    refers: ClassVar[Mapping[str, str]] = {"table": "relation"}
    needs: ClassVar[tuple[str, ...]] = ("sets",)
    table: str
    sets: tuple[Assign, ...]
    where: Expr | None = None
    source: tuple[Join, ...] = ()
    verb: str = "UPDATE"
    is_row: bool = False


class Delete(Stated, frozen=True):
    """DELETE."""

    keep: ClassVar[frozenset[str]] = frozenset({"table"})
    refers: ClassVar[Mapping[str, str]] = {"table": "relation"}
    table: str
    where: Expr | None = None


class Returning(Node, frozen=True):
    """A statement that tells something of each row that it changes."""

    statement: Insert | Update | Delete
    items: tuple[Expr, ...]


class CreateTrigger(Stated, frozen=True):
    """CREATE TRIGGER ... FOR EACH ROW. In `when` and `body`, `old` and `new` are the row before and after."""

    keep: ClassVar[frozenset[str]] = frozenset({"name", "timing", "event", "table"})
    binds: ClassVar[Mapping[str, str]] = {"name": "index"}
    refers: ClassVar[Mapping[str, str]] = {"table": "relation", "of": "column"}
    needs: ClassVar[tuple[str, ...]] = ("body",)
    name: str
    timing: str  # BEFORE, AFTER
    event: str  # INSERT, UPDATE, DELETE
    table: str
    body: tuple[Insert | Update | Delete, ...]
    of: tuple[str, ...] = ()  # columns whose change it is about
    when: Expr | None = None


class RenameTable(Stated, frozen=True):
    """ALTER TABLE ... RENAME TO."""

    keep: ClassVar[frozenset[str]] = frozenset({"table", "name"})
    binds: ClassVar[Mapping[str, str]] = {"name": "relation"}
    refers: ClassVar[Mapping[str, str]] = {"table": "relation"}
    table: str
    name: str


class RenameColumn(Stated, frozen=True):
    """ALTER TABLE ... RENAME COLUMN ... TO."""

    keep: ClassVar[frozenset[str]] = frozenset({"table", "column", "name"})
    binds: ClassVar[Mapping[str, str]] = {"name": "column"}
    refers: ClassVar[Mapping[str, str]] = {"table": "relation", "column": "column"}
    table: str
    column: str
    name: str


class AddColumn(Stated, frozen=True):
    """ALTER TABLE ... ADD COLUMN."""

    keep: ClassVar[frozenset[str]] = frozenset({"table"})
    refers: ClassVar[Mapping[str, str]] = {"table": "relation"}
    table: str
    column: Column


class DropColumn(Stated, frozen=True):
    """ALTER TABLE ... DROP COLUMN."""

    keep: ClassVar[frozenset[str]] = frozenset({"table", "column"})
    refers: ClassVar[Mapping[str, str]] = {"table": "relation", "column": "column"}
    table: str
    column: str


class Mark(Stated, frozen=True):
    """Where a transaction or a part of one begins or ends: BEGIN, COMMIT, ROLLBACK, SAVEPOINT s0, ROLLBACK TO s0,
    RELEASE s0."""

    keep: ClassVar[frozenset[str]] = frozenset({"text"})
    text: str


class Extra(Stated, frozen=True):
    """A row of the dialect's `extras`: something that is made or done beside a table."""

    keep: ClassVar[frozenset[str]] = frozenset({"row", "name", "table", "columns"})
    binds: ClassVar[Mapping[str, str]] = {"name": "index"}
    refers: ClassVar[Mapping[str, str]] = {"table": "relation", "columns": "column"}
    row: str
    name: str
    table: str
    columns: tuple[str, ...] = ()


class Setting(Stated, frozen=True):
    """A PRAGMA, SET, ANALYZE or REINDEX, as text."""

    keep: ClassVar[frozenset[str]] = frozenset({"text"})
    text: str


class RawStatement(Stated, frozen=True):
    """A statement as text."""

    keep: ClassVar[frozenset[str]] = frozenset({"text"})
    text: str


Alter = Union[RenameTable, RenameColumn, AddColumn, DropColumn]
Statement = Union[
    CreateTable, CreateVirtual, CreateIndex, CreateView, Insert, Update, Delete, RenameTable, RenameColumn, AddColumn,
    DropColumn, Mark, CreateTrigger, Extra, Setting, RawStatement,
]  # fmt: skip


class Scene(Node, frozen=True):
    """A database, as the statements that make it."""

    statements: tuple[Statement, ...]


TRUE, FALSE = Lit("bool", "TRUE"), Lit("bool", "FALSE")
NULL = Lit("null", "NULL")

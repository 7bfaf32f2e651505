"""How SQL is spelled: rendering rules by node class, and one table of types, operators and clauses for each dialect."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from gainsay.families.sql.language import ir, ops

Rules = dict[type, Callable[["SqlDialect", Any], str]]


class ColumnType(NamedTuple):
    text: str
    cls: str
    weight: int = 1
    exact: bool = True  # equal stored values are identical: DISTINCT has one way to choose


class SqlDialect:
    """A dialect is a table: types, operators, settings, literals by class, and the rule that spells each node."""

    comment = "--"

    def __init__(
        self,
        name: str,
        rules: Rules,
        operators: ops.Table,
        types: tuple[ColumnType, ...],
        literals: Mapping[str, tuple[ir.Lit, ...]],
        settings: tuple[str, ...],
        loose: bool,
        spell: Mapping[str, str],
    ) -> None:
        self.name = name
        self.rules = rules
        self.operators = operators
        self.types = types
        self.literals = literals
        self.settings = settings
        self.loose = loose
        self.spell = spell
        ops.ROWS.update({key: operator for key, operator in operators.items() if key not in ops.ROWS})
        self.templates = {key: operator.text for key, operator in operators.items()}
        self.wrapped = frozenset(key for key, text in self.templates.items() if text[0] == "(" and text[-1] == ")")
        # The steps of a check mostly share a predicate object: its text is made once. The node is kept, so that its id
        # stays its own.
        self._known: dict[int, tuple[Any, str]] = {}
        self._items: Any = None
        self._items_text = ""

    @property
    def classes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(t.cls for t in self.types))

    def text(self, node: Any) -> str:
        return self.rules[node.__class__](self, node)

    def shared(self, node: Any) -> str:
        """The text of an expression that will come again soon."""
        known = self._known.get(id(node))
        if known is not None:
            return known[1]
        text = self.rules[node.__class__](self, node)
        if len(self._known) > 63:
            self._known.clear()
        self._known[id(node)] = node, text
        return text

    def top(self, node: Any) -> str:
        """The text of an expression without the outermost parentheses."""
        text = self.shared(node)
        return text[1:-1] if node.__class__ is ir.Op and node.op in self.wrapped else text


def lit(d: SqlDialect, n: ir.Lit) -> str:
    return n.text


def col(d: SqlDialect, n: ir.Col) -> str:
    return n.rel + "." + n.name if n.rel else n.name


def operator(d: SqlDialect, n: ir.Op) -> str:
    rules = d.rules
    args = n.args
    if len(args) == 1:
        only = args[0]
        known = d._known.get(id(only))
        return d.templates[n.op] % (rules[only.__class__](d, only) if known is None else known[1])
    return d.templates[n.op] % tuple([rules[a.__class__](d, a) for a in args])


def agg(d: SqlDialect, n: ir.Agg) -> str:
    if n.arg is None:
        return "COUNT(*)"
    return f"{n.fn.upper()}({'DISTINCT ' if n.distinct else ''}{d.text(n.arg)})"


def sub_expr(d: SqlDialect, n: ir.SubExpr) -> str:
    query = d.text(n.query)
    if n.kind == "exists":
        return f"(EXISTS ({query}))"
    if n.kind == "scalar":
        return f"({query})"
    left = ", ".join(d.text(a) for a in n.args)
    word = "NOT IN" if "not" in n.kind else "IN"
    return f"({f'({left})' if len(n.args) > 1 else left} {word} ({query}))"


def as_(d: SqlDialect, n: ir.As) -> str:
    return f"{d.text(n.expr)} AS {n.name}"


def join(d: SqlDialect, n: ir.Join) -> str:
    name = f"({d.text(n.sub)}) AS {n.alias}" if n.sub is not None else f"{n.rel} AS {n.alias}" if n.alias else n.rel
    if not n.kind:
        return name
    text = f", {name}" if n.kind == "," else f" {n.kind} {name}"
    return text if n.on is None else f"{text} ON {d.top(n.on)}"


def joined(d: SqlDialect, source: tuple[ir.Join, ...]) -> str:
    return "".join([join(d, j) for j in source])


def select(d: SqlDialect, n: ir.Select) -> str:
    rules = d.rules
    text = "SELECT DISTINCT " if n.distinct else "SELECT "
    if n.ctes:
        text = "WITH " + ", ".join([cte(d, c) for c in n.ctes]) + " " + text
    if n.items is not d._items:
        d._items_text = ", ".join([rules[i.__class__](d, i) for i in n.items])
        d._items = n.items
    text += d._items_text
    source = n.source
    if source:
        text += " FROM " + (source[0].rel if len(source) == 1 and not source[0].alias else joined(d, source))
    if n.where is not None:
        text += " WHERE " + d.top(n.where)
    if n.group:
        text += " GROUP BY " + ", ".join([d.text(g) for g in n.group])
    if n.having is not None:
        text += " HAVING " + d.top(n.having)
    if n.order:
        text += " ORDER BY " + ", ".join([d.text(o.expr) + (" DESC" if o.desc else "") for o in n.order])
    return text


def cte(d: SqlDialect, n: ir.Cte) -> str:
    return f"{n.name}({', '.join(c.name for c in n.columns)}) AS ({d.text(n.query)})"


def compound(d: SqlDialect, n: ir.Compound) -> str:
    head = "WITH " + ", ".join([cte(d, c) for c in n.ctes]) + " " if n.ctes else ""
    return head + f" {n.op} ".join(d.text(a) for a in n.arms)


def column(d: SqlDialect, n: ir.Column) -> str:
    text = n.name + (f" {n.type}" if n.type else "")
    if n.collate:
        text += f" COLLATE {n.collate}"
    if n.primary:
        text += " PRIMARY KEY"
    if n.unique:
        text += " UNIQUE"
    if n.not_null:
        text += " NOT NULL"
    if n.default is not None:
        text += f" DEFAULT ({d.text(n.default)})"
    if n.check is not None:
        text += f" CHECK ({d.top(n.check)})"
    if n.generated is not None:
        text += f" GENERATED ALWAYS AS ({d.text(n.generated)})" + (" STORED" if n.stored else "")
    return text


def create_table(d: SqlDialect, n: ir.CreateTable) -> str:
    parts = [column(d, c) for c in n.columns] + [f"UNIQUE ({', '.join(k)})" for k in n.keys]
    options = ["STRICT"] * n.strict + ["WITHOUT ROWID"] * n.without_rowid
    return f"CREATE TABLE {n.name}({', '.join(parts)})" + (" " + ", ".join(options) if options else "")


def create_virtual(d: SqlDialect, n: ir.CreateVirtual) -> str:
    return f"CREATE VIRTUAL TABLE {n.name} USING {n.module}({', '.join(n.columns)})"


def index_key(d: SqlDialect, n: ir.IndexKey) -> str:
    text = d.text(n.expr)
    if d.spell.get("index key") == "parenthesised" and n.expr.__class__ is not ir.Col:
        text = f"({text})"
    return text + (f" COLLATE {n.collate}" if n.collate else "") + (" DESC" if n.desc else "")


def create_index(d: SqlDialect, n: ir.CreateIndex) -> str:
    where = "" if n.where is None else f" WHERE {d.top(n.where)}"
    return (
        f"CREATE {'UNIQUE ' * n.unique}INDEX {n.name} ON {n.table}({', '.join(index_key(d, k) for k in n.keys)}){where}"
    )


def create_view(d: SqlDialect, n: ir.CreateView) -> str:
    return f"CREATE VIEW {n.name}({', '.join(c.name for c in n.columns)}) AS {d.text(n.query)}"


def insert(d: SqlDialect, n: ir.Insert) -> str:
    rows = ", ".join("(" + ", ".join(d.text(v) for v in row.values) + ")" for row in n.rows)
    return f"{n.verb} INTO {n.table}({', '.join(n.columns)}) VALUES {rows}"


def update(d: SqlDialect, n: ir.Update) -> str:
    where = "" if n.where is None else f" WHERE {d.top(n.where)}"
    return f"UPDATE {n.table} SET {n.column} = {d.text(n.value)}{where}"


def delete(d: SqlDialect, n: ir.Delete) -> str:
    return f"DELETE FROM {n.table}" + ("" if n.where is None else f" WHERE {d.top(n.where)}")


def raw(d: SqlDialect, n: Any) -> str:
    return str(n.text)


RULES: Rules = {
    ir.Lit: lit,
    ir.Col: col,
    ir.Op: operator,
    ir.Agg: agg,
    ir.SubExpr: sub_expr,
    ir.RawExpr: raw,
    ir.As: as_,
    ir.Select: select,
    ir.Compound: compound,
    ir.RawQuery: raw,
    ir.CreateTable: create_table,
    ir.CreateVirtual: create_virtual,
    ir.CreateIndex: create_index,
    ir.CreateView: create_view,
    ir.Insert: insert,
    ir.Update: update,
    ir.Delete: delete,
    ir.Setting: raw,
    ir.RawStatement: raw,
}


def pool(kind: str, *texts: str) -> tuple[ir.Lit, ...]:
    return tuple(ir.Lit(kind, t) for t in texts)


NULLS = pool("null", "NULL")
INTS = pool("int", "0", "1", "-1", "2", "3")
REALS = pool("real", "0.5", "1.5", "-0.5", "1.0", "0.0")
TEXTS = pool("text", "''", "'a'", "'A'", "'b'", "'1'", "'0'", "'a '")
BOOLS = pool("bool", "TRUE", "FALSE")

# Small on purpose: literals must collide with stored values and with each other.
SQLITE_LITERALS = {
    "any": NULLS
    + INTS
    + INTS
    + TEXTS
    + pool("text", "'-1'", "'1.0'", "'0.5'", "'%'", "'a%'", "'./'", "'*'", "'B'")
    + pool("real", "0.5", "1.5", "-0.5", "1.0", "0.0")
    + pool("blob", "x''", "x'61'", "x'31'")
    + BOOLS,
    "extreme": pool("int", "9223372036854775807", "-9223372036854775808", "9007199254740993", "2147483648")
    + pool("real", "1e300", "9.2e18", "-1e300", "1e-300")
    + pool("text", "'9223372036854775807'", "'1e500'"),
    "int": INTS,
    "real": REALS,
    "text": TEXTS,
    "bool": BOOLS,
}
SQLITE_TYPES = (
    ColumnType("", "any", 4, exact=False),
    ColumnType("INT", "any", 3),
    ColumnType("INTEGER", "any", 2),
    ColumnType("TEXT", "any", 4),
    ColumnType("REAL", "any", 3),
    ColumnType("BLOB", "any", 1, exact=False),
    ColumnType("NUMERIC", "any", 2),
)
# What two engines with other type systems share: the same spelling means the same type.
COMMON_TYPES = (
    ColumnType("BIGINT", "int", 3),
    ColumnType("TEXT", "text", 3),
    ColumnType("DOUBLE", "real", 2, exact=False),
)
SQLITE_SETTINGS = (
    "PRAGMA automatic_index = 0",
    "PRAGMA reverse_unordered_selects = 1",
    "PRAGMA cell_size_check = 1",
    "PRAGMA recursive_triggers = 1",
    "PRAGMA encoding = 'UTF-16le'",
    "PRAGMA legacy_file_format = 0",
    "PRAGMA cache_size = 1",
    "PRAGMA threads = 2",
)


def typed_null(type_text: str) -> tuple[ir.Lit, ...]:
    return pool("null", f"NULL::{type_text}")


DUCKDB_LITERALS = {
    "int": typed_null("INTEGER") + INTS + INTS,
    "dec": typed_null("DECIMAL(6, 2)") + pool("dec", "0.5", "1.5", "-0.5", "1.00", "0.00"),
    "real": typed_null("DOUBLE") + pool("real", "0.5::DOUBLE", "1.5::DOUBLE", "-0.5::DOUBLE", "1::DOUBLE", "0::DOUBLE"),
    "text": typed_null("VARCHAR") + TEXTS + pool("text", "'%'", "'a%'", "'B'"),
    "bool": typed_null("BOOLEAN") + BOOLS + BOOLS,
    "date": typed_null("DATE")
    + pool("date", "DATE '1970-01-01'", "DATE '2000-02-29'", "DATE '2000-03-01'", "DATE '1969-12-31'"),
    "timestamp": typed_null("TIMESTAMP")
    + pool(
        "timestamp",
        "TIMESTAMP '1970-01-01 00:00:00'",
        "TIMESTAMP '2000-02-29 12:30:00'",
        "TIMESTAMP '2000-02-29 00:00:00'",
        "TIMESTAMP '1969-12-31 23:59:59'",
    ),
    "list": typed_null("INTEGER[]") + pool("list", "[]::INTEGER[]", "[1]", "[0, 1]", "[NULL]::INTEGER[]", "[1, NULL]"),
    "struct": typed_null("STRUCT(a INTEGER, b VARCHAR)")
    + pool("struct", "{'a': 1, 'b': 'a'}", "{'a': NULL::INTEGER, 'b': ''}", "{'a': 0, 'b': 'A'}"),
    "extreme": pool("int", "127", "-128", "32767", "2147483647", "-2147483648", "9223372036854775807"),
}
DUCKDB_TYPES = (
    ColumnType("INTEGER", "int", 4),
    ColumnType("BIGINT", "int", 3),
    ColumnType("SMALLINT", "int", 1),
    ColumnType("TINYINT", "int", 1),
    ColumnType("HUGEINT", "int", 1),
    ColumnType("UTINYINT", "int", 1),
    ColumnType("UINTEGER", "int", 1),
    ColumnType("USMALLINT", "int", 1),
    ColumnType("UBIGINT", "int", 1),
    ColumnType("DECIMAL(6, 2)", "dec", 2),
    ColumnType("DECIMAL(18, 3)", "dec", 1),
    ColumnType("DOUBLE", "real", 3, exact=False),
    ColumnType("VARCHAR", "text", 6),
    ColumnType("BOOLEAN", "bool", 3),
    ColumnType("DATE", "date", 2),
    ColumnType("TIMESTAMP", "timestamp", 2),
    ColumnType("INTEGER[]", "list", 1),
    ColumnType("STRUCT(a INTEGER, b VARCHAR)", "struct", 1),
)
DUCKDB_SETTINGS = (
    "PRAGMA disable_optimizer",
    "SET disabled_optimizers = 'filter_pushdown'",
    "SET disabled_optimizers = 'join_order'",
    "SET disabled_optimizers = 'expression_rewriter'",
    "SET disabled_optimizers = 'statistics_propagation'",
    "SET preserve_insertion_order = false",
    "PRAGMA force_index_join",
    "SET perfect_ht_threshold = 0",
    "SET ordered_aggregate_threshold = 1",
)

SQLITE = SqlDialect(
    "sqlite",
    RULES,
    {**ops.ANSI, **ops.SQLITE},
    SQLITE_TYPES,
    SQLITE_LITERALS,
    SQLITE_SETTINGS,
    loose=True,
    spell={},
)
DUCKDB = SqlDialect(
    "duckdb",
    RULES,
    {**ops.ANSI, **ops.DUCKDB},
    DUCKDB_TYPES,
    DUCKDB_LITERALS,
    DUCKDB_SETTINGS,
    loose=False,
    spell={"index key": "parenthesised"},
)
DIALECTS = {d.name: d for d in (SQLITE, DUCKDB)}


def find(name: str) -> SqlDialect:
    if name in DIALECTS:
        return DIALECTS[name]
    module, _, attribute = name.partition(":")
    found: SqlDialect = getattr(importlib.import_module(module), attribute)
    return found

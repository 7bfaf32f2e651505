"""HSQLDB's dialect: the standard's, strictly typed, and no condition is a number."""

from __future__ import annotations

import msgspec

from gainsay.families.sql.language import ir, ops, writer
from gainsay.families.sql.language.dialect import ColumnType, SqlDialect, TableKind
from gainsay.families.sql.language.ops import op
from gainsay.families.sql.language.spoken import duckdb, h2
from gainsay.families.sql.language.spoken.ansi import (
    ANSI,
    EXTREMES,
    literals,
    pool,
    respelled,
    shared,
    spelled_literal,
    taken,
    typed_null,
    types,
)

NOTHING = (ir.Join("(VALUES(0))", alias="nothing"),)  # a query wants a FROM


def select(d: SqlDialect, n: ir.Select) -> str:
    return writer.select(d, n if n.source else msgspec.structs.replace(n, source=NOTHING))


def column(d: SqlDialect, n: ir.Column) -> str:
    """DEFAULT is a literal without parentheses and type, and stands before constraints."""
    if n.default is None:
        return writer.column(d, n)
    value = "NULL" if isinstance(n.default, ir.Lit) and n.default.kind == "null" else d.text(n.default)
    return writer.column(
        d, msgspec.structs.replace(n, default=None, type=f"{d.spell.get(n.type, n.type)} DEFAULT {value}")
    )


def create_table(d: SqlDialect, n: ir.CreateTable) -> str:
    parts = [column(d, c) for c in n.columns] + [f"UNIQUE ({', '.join(k)})" for k in n.keys]
    return f"CREATE {d.table_kinds[n.kind].before if n.kind else ''}TABLE {n.name}({', '.join(parts)})"


TYPES = types(
    "INTEGER", "BIGINT", "SMALLINT", "TINYINT", "DECIMAL(6, 2)", "DOUBLE",
    # Trailing spaces, and with one type case, do not count: equal texts need not be identical.
    ColumnType("VARCHAR(9)", "text", 5, exact=False),
    ColumnType("VARCHAR_IGNORECASE(9)", "text", 1, exact=False),
    ColumnType("CHAR(3)", "text", 1, exact=False),
    "BOOLEAN", "DATE", "TIMESTAMP", "TIME", "INTERVAL DAY TO SECOND",
    ColumnType("INTEGER ARRAY", "list", 1, is_key=False),
    "VARBINARY(5)", "BIT(3)",
)  # fmt: skip
LITERALS = {
    **literals(int="INTEGER", dec="DECIMAL(6, 2)"),
    "real": typed_null("DOUBLE") + pool("real", "0.5E0", "1.5E0", "-0.5E0", "1E0", "0E0"),
    **literals(text="VARCHAR(9)", bool="BOOLEAN", date="DATE", timestamp="TIMESTAMP"),
    "time": h2.LITERALS["time"],
    "interval": h2.LITERALS["interval"],
    "list": typed_null("INTEGER ARRAY") + pool("list", "ARRAY[1]", "ARRAY[0, 1]", "ARRAY[1, 1, 2]"),
    "blob": typed_null("VARBINARY(5)") + pool("blob", "X''", "X'61'", "X'00'"),
    "bits": typed_null("BIT(3)") + pool("bits", "B'000'", "B'001'", "B'110'"),
    "extreme": EXTREMES,
}
OPERATORS: ops.Table = {
    "truth": op("bool -> int", "CASE WHEN %s THEN 1 ELSE 0 END", 0),
    **taken(h2.OPERATORS, "/", "%", "&", "|", "xor"),
    "neg": ops.ANSI["neg"]._replace(text="(- (%s))"),
    "round": ops.ANSI["round"]._replace(text="ROUND(%s, 0)"),
    **shared("substr", "cast int", "cast bigint"),
    "cast real": op("N -> real", "CAST(%s AS DOUBLE)", 1, group="cast", plainer="cast numeric"),
    "cast dec": op("N -> dec", "CAST(%s AS DECIMAL(9, 2))", 1),
    "cast text": op("T -> text", "CAST(%s AS VARCHAR(40))", 1, "cast-real-text", group="cast", plainer="cast int"),
    **shared("date timestamp", "timestamp date"),
    "regexp": duckdb.OPERATORS["regexp"]._replace(text="REGEXP_MATCHES(%s, 'a.*')"),
    **taken(duckdb.OPERATORS, "greatest", "least", "ifnull"),
    **taken(h2.OPERATORS, "nvl2", "decode"),
    **taken(duckdb.OPERATORS, "sign", "floor", "ceil", "reverse"),
    **taken(h2.OPERATORS, "char length", "octets"),
    **shared("year", "month", "dayofweek", "date diff"),
    **taken(h2.OPERATORS, "day later", "timestamp plus", "interval plus"),
    "list contains": op("int list -> bool", "(%s IN (UNNEST(%s)))", 1),
    **taken(h2.OPERATORS, "list len", "list concat", "list of"),
}
HSQLDB = ANSI.extend(
    "hsqldb",
    without=("glob", "ilike", "~"),
    rules={
        ir.Lit: spelled_literal,
        ir.Select: select,
        ir.CreateTable: create_table,
    },
    operators=OPERATORS,
    types=TYPES,
    literals=LITERALS,
    settings=("SET DATABASE TRANSACTION CONTROL MVCC", "SET DATABASE DEFAULT TABLE TYPE CACHED"),
    spell={
        **respelled(TEXT="VARCHAR(40)"),
        "INSERT OR IGNORE": "INSERT IGNORE",
        "INSERT OR REPLACE": "REPLACE",
    },
    unordered=frozenset({"list"}),
    lacks=("table:without rowid",),  # ignored
    table_kinds={
        "memory": TableKind("MEMORY ", chance=0.05),
        "cached": TableKind("CACHED ", chance=0.05),
        "temporary": TableKind("TEMP ", chance=0.03),
    },
    probes={
        "column:default": ("CREATE TABLE x11(c0 INT DEFAULT 7, c1 INT)", "INSERT INTO x11(c1) VALUES (1)"),
        "stmt:INSERT OR IGNORE": (
            "CREATE TABLE x6(c0 INT PRIMARY KEY)",
            "INSERT IGNORE INTO x6(c0) VALUES (1), (1)",
        ),
        "stmt:INSERT OR REPLACE": (
            "CREATE TABLE x7(c0 INT PRIMARY KEY, c1 INT UNIQUE)",
            "REPLACE INTO x7(c0, c1) VALUES (1, 1)",
        ),
    },
)

"""H2's dialect: typed, near to the standard, with arrays, JSON, intervals and enums."""

from __future__ import annotations

from gainsay.families.sql.language import ir, ops
from gainsay.families.sql.language.dialect import ColumnType, Extra, IndexKind, Switch, TableKind
from gainsay.families.sql.language.ops import op
from gainsay.families.sql.language.spoken import duckdb
from gainsay.families.sql.language.spoken.ansi import (
    ANSI,
    EXTREMES,
    HALVES,
    literals,
    pool,
    respelled,
    shared,
    spelled_literal,
    taken,
    typed_null,
    types,
)

DAYS = "INTERVAL DAY TO SECOND"
ENUM = "ENUM('a', 'b', 'c')"
TYPES = types(
    "INTEGER", "BIGINT", "SMALLINT", "TINYINT", "NUMERIC(6, 2)",
    ColumnType("DECFLOAT(10)", "dec", 1, exact=False),
    "DOUBLE PRECISION", "REAL",
    ColumnType("VARCHAR", "text", 5),
    ColumnType("VARCHAR(9)", "text", 1),
    # Case, or trailing spaces, do not count: equal texts need not be identical.
    ColumnType("VARCHAR_IGNORECASE", "text", 1, exact=False),
    ColumnType("CHAR(3)", "text", 1, exact=False),
    ColumnType("CLOB", "text", 1, is_key=False),
    "BOOLEAN", "DATE", "TIMESTAMP", "TIME", "INTERVAL DAY TO SECOND",
    ColumnType("INTEGER ARRAY", "list", 1),
    ColumnType("JSON", "json", 1, exact=False),
    ColumnType("VARBINARY", "blob", 1),
    ColumnType("UUID", "uuid", 1),
    ColumnType(ENUM, "enum", 1),
)  # fmt: skip
LITERALS = {
    **literals(int="INTEGER", dec="NUMERIC(6, 2)"),
    "real": typed_null("DOUBLE PRECISION") + pool("real", *(f"CAST({n} AS DOUBLE PRECISION)" for n in HALVES)),
    **literals(text="VARCHAR", bool="BOOLEAN", date="DATE", timestamp="TIMESTAMP"),
    "time": typed_null("TIME") + pool("time", "TIME '00:00:00'", "TIME '12:30:00'", "TIME '23:59:59'"),
    "interval": typed_null(DAYS)
    + pool("interval", *(f"INTERVAL '{n} 00:00:00' DAY TO SECOND" for n in ("0", "1", "-1", "2"))),
    "list": typed_null("INTEGER ARRAY")
    + pool("list", "CAST(ARRAY[] AS INTEGER ARRAY)", "ARRAY[1]", "ARRAY[0, 1]", "ARRAY[CAST(NULL AS INTEGER), 1]"),
    "json": typed_null("JSON") + pool("json", *(f"JSON '{text}'" for text in ("null", "1", '"a"', "[]", '{"a":1}'))),
    "blob": typed_null("VARBINARY") + pool("blob", "X''", "X'61'", "X'00'"),
    "uuid": typed_null("UUID") + pool("uuid", *(f"CAST('{'0' * 31}{n}' AS UUID)" for n in "012")),
    "enum": typed_null(ENUM) + pool("enum", *(f"CAST('{word}' AS {ENUM})" for word in "abc")),
    "extreme": EXTREMES,
}
OPERATORS: ops.Table = {
    **shared("truth", "/"),
    "%": op("int int -> int", "MOD(%s, NULLIF(%s, 0))", 1, "modulo-zero", group="arithmetic"),
    "&": ops.ANSI["&"]._replace(text="BITAND(%s, %s)"),
    "|": ops.ANSI["|"]._replace(text="BITOR(%s, %s)"),
    "~": ops.ANSI["~"]._replace(text="BITNOT(%s)"),
    "xor": duckdb.OPERATORS["xor"]._replace(text="BITXOR(%s, %s)"),
    "<<": op("int int -> int", "LSHIFT(%s, %s)", 1, group="arithmetic", plainer="|"),
    **shared("cast int", "cast bigint", "cast real"),
    "cast dec": op("N -> dec", "CAST(%s AS NUMERIC(6, 2))", 1),
    **shared("cast text"),
    "cast ignorecase": op("text -> text", "CAST(%s AS VARCHAR_IGNORECASE)", 1, "collation-rules"),
    "cast char": op("text -> text", "CAST(%s AS CHAR(3))", 1, "collation-rules"),
    **shared("bool int", "int bool", "date timestamp", "timestamp date"),
    "regexp": duckdb.OPERATORS["regexp"]._replace(text="(%s REGEXP '^a')"),
    **taken(duckdb.OPERATORS, "greatest", "least", "ifnull"),
    "nvl2": op("T U U -> U", "NVL2(%s, %s, %s)", 1),
    "decode": op("T T U U -> U", "DECODE(%s, %s, %s, %s)", 1),
    **taken(duckdb.OPERATORS, "sign", "floor", "ceil", "left", "right"),
    **shared("char length", "octets", "year", "month"),
    "dayofweek": op("D -> int", "DAY_OF_WEEK(%s)", 1),
    **shared("date diff"),
    "date plus": op("date int -> date", "DATEADD('DAY', %s %% 1000, %s)", 0),
    "day later": op("D -> D", "(%s + INTERVAL '1' DAY)", 1),
    "date trunc": op("timestamp -> timestamp", "DATE_TRUNC(HOUR, %s)", 1),
    **shared("timestamp plus"),
    "timestamp minus": op("timestamp timestamp -> interval", f"CAST((%s - %s) AS {DAYS})", 0),
    "interval plus": op("interval interval -> interval", "(%s + %s)", 1),
    "list contains": op("list int -> bool", "ARRAY_CONTAINS(%s, %s)", 2),
    "any": op("int list -> bool", "(%s = ANY(%s))", 2, group="any"),
    "all": op("int list -> bool", "(%s <> ALL(%s))", 1, group="any", plainer="any"),
    **shared("list len", "list concat"),
    "list of": op("int int -> list", "ARRAY[%s, %s]", 1),
    "is json": op("text -> bool", "(%s IS JSON)", 1, group="json"),
    "json get": op("json -> json", '(%s)."a"', 1, group="json"),
}
SETTINGS = (
    "SET OPTIMIZE_REUSE_RESULTS 0",
    "SET LAZY_QUERY_EXECUTION 1",
    "SET MAX_MEMORY_ROWS 1",
    "SET DEFAULT_TABLE_TYPE CACHED",
    "SET CACHE_SIZE 1",
)
SWITCHES = {
    "no index": Switch(hint="USE INDEX ()"),
    "no reused results": Switch("SET OPTIMIZE_REUSE_RESULTS 0", "SET OPTIMIZE_REUSE_RESULTS 1"),
    "lazy": Switch("SET LAZY_QUERY_EXECUTION 1", "SET LAZY_QUERY_EXECUTION 0"),
    "few rows in memory": Switch("SET MAX_MEMORY_ROWS 1", "SET MAX_MEMORY_ROWS 40000"),
}
H2 = ANSI.extend(
    "h2",
    without=("glob",),
    rules={ir.Lit: spelled_literal},
    operators=OPERATORS,
    types=TYPES,
    literals=LITERALS,
    settings=SETTINGS,
    spell={
        **respelled(DOUBLE="DOUBLE PRECISION", TEXT="VARCHAR"),
        "INSERT OR REPLACE": "MERGE",
    },
    unordered=frozenset(),
    # What stands left of a comma is seen by inner joins only; a join without ON takes the next one into itself.
    lacks=("join:, before ON", "join:no on"),
    switches=SWITCHES,
    index_kinds={
        "hash": IndexKind(
            "CREATE HASH INDEX {name} ON {table} ({keys})", frozenset({"int", "text", "date", "uuid", "enum"}), 1
        ),
        "nulls last": IndexKind("CREATE INDEX {name} ON {table} ({keys} NULLS LAST)", frozenset({"int", "text"}), 1),
    },
    table_kinds={
        "cached": TableKind("CACHED ", chance=0.05),
        "memory": TableKind("MEMORY ", chance=0.05),
        "temporary": TableKind("LOCAL TEMPORARY ", chance=0.05),
    },
    extras={
        "analyze": Extra("ANALYZE TABLE {table}", chance=0.15),
        "selectivity": Extra("ALTER TABLE {table} ALTER COLUMN {a} SELECTIVITY 1", 1),
        "few distinct": Extra("ALTER TABLE {table} ALTER COLUMN {a} SELECTIVITY 100", 1),
    },
    probes={
        "stmt:INSERT OR REPLACE": (
            "CREATE TABLE x7(c0 INT PRIMARY KEY, c1 INT UNIQUE)",
            "MERGE INTO x7(c0, c1) VALUES (1, 1)",
        ),
    },
)

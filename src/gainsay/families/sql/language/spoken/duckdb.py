"""DuckDB's dialect."""

from __future__ import annotations

from gainsay.families.sql.language import aggregates, ir, ops
from gainsay.families.sql.language.dialect import ColumnType, Extra, SqlDialect, Switch, TableKind
from gainsay.families.sql.language.ops import op
from gainsay.families.sql.language.spoken.ansi import EXTREMES, POOLS, pool, shared, types
from gainsay.families.sql.language.writer import RULES
from gainsay.families.sql.meaning import columns, typed, typed_functions
from gainsay.families.sql.meaning.columns import Typed

OPERATORS: ops.Table = {
    **shared("truth"),
    "cast int": op("T -> int", "TRY_CAST(%s AS INTEGER)", 1, group="cast"),
    "cast bigint": op("T -> int", "TRY_CAST(%s AS BIGINT)", 1),
    "cast tinyint": op("T -> int", "TRY_CAST(%s AS TINYINT)", 1),
    "cast real": op("T -> real", "TRY_CAST(%s AS DOUBLE)", 1, group="cast", plainer="cast numeric"),
    "cast dec": op("T -> dec", "TRY_CAST(%s AS DECIMAL(6, 2))", 1),
    **shared("cast text"),
    "cast bool": op("T -> bool", "TRY_CAST(%s AS BOOLEAN)", 1),
    "cast date": op("T -> date", "TRY_CAST(%s AS DATE)", 1),
    "cast timestamp": op("T -> timestamp", "TRY_CAST(%s AS TIMESTAMP)", 1),
    **shared("ilike"),
    "similar": op("text text -> bool", "(%s SIMILAR TO %s)", 1),
    "regexp": op("text -> bool", "REGEXP_MATCHES(%s, '^a')", 2),
    "starts with": op("text text -> bool", "STARTS_WITH(%s, %s)", 1),
    "ends with": op("text text -> bool", "ENDS_WITH(%s, %s)", 1),
    "contains": op("text text -> bool", "CONTAINS(%s, %s)", 1),
    "collate nocase": op("text -> text", "(%s COLLATE NOCASE)", 1, "collation-rules", group="collate"),
    "collate noaccent": op("text -> text", "(%s COLLATE NOACCENT)", 1, "collation-rules", group="collate"),
    "greatest": op("T T -> T", "GREATEST(%s, %s)", 1, "greatest-null greatest-decimal"),
    "least": op("T T -> T", "LEAST(%s, %s)", 1, "greatest-null greatest-decimal", group="greatest", plainer="greatest"),
    **shared("ifnull"),
    "if": op("bool T T -> T", "(IF(%s, %s, %s))", 1, group="case", plainer="iif"),
    "xor": op("int int -> int", "XOR(%s, %s)", 1, plainer=">>"),
    **shared("sign", "floor", "ceil"),
    "isnan": op("real -> bool", "ISNAN(%s)", 1),
    **shared("year", "month", "dayofweek"),
    "date diff": op("date date -> int", "DATE_DIFF('day', %s, %s)", 1),
    **shared("date trunc"),
    "list contains": op("list int -> bool", "LIST_CONTAINS(%s, %s)", 2),
    "list len": op("list -> int", "LEN(%s)", 2),
    "list get": op("list int -> int", "LIST_EXTRACT(%s, %s)", 1),
    "list concat": op("list list -> list", "LIST_CONCAT(%s, %s)", 1),
    **shared("list of"),
    "struct a": op("struct -> int", "(%s).a", 2),
    "struct b": op("struct -> text", "(%s).b", 2),
    "struct of": op("int text -> struct", "{'a': %s, 'b': %s}", 1),
    "typeof": op("T -> text", "TYPEOF(%s)", 1, "type-names"),
    "hex": op("text -> text", "HEX(%s)", 1, "hex-null"),
    "md5": op("text -> text", "MD5(%s)", 1),
    "strlen": op("text -> int", "STRLEN(%s)", 1),
    "left": op("text int -> text", "LEFT(%s, %s)", 1),
    "right": op("text int -> text", "RIGHT(%s, %s)", 1),
    "reverse": op("text -> text", "REVERSE(%s)", 1),
    **shared("concat"),
    "concat ws": op("text text -> text", "CONCAT_WS(',', %s, %s)", 1),
    "mod": op("int int -> int", "MOD(%s, %s)", 1, "modulo-zero", group="arithmetic", plainer="%"),
    **shared("sqrt"),
    "substring": op("text int int -> text", "SUBSTRING(%s, %s, %s)", 1, "substr-negative"),
    **shared("bit count"),
    "shift right": op("int -> int", "(%s >> 1)", 1, group="arithmetic"),
    "shift left": op("int -> int", "(ABS(%s) << 1)", 1, group="arithmetic", plainer="shift right"),
    "date part": op("D -> int", "DATE_PART('month', %s)", 1, plainer="month"),
    "yearweek": op("D -> int", "YEARWEEK(%s)", 1, plainer="year"),
    "age": op("timestamp timestamp -> text", "CAST(AGE(%s, %s) AS VARCHAR)", 1),
    "like escape": op(
        "text text -> bool", "(%s LIKE %s ESCAPE 'b')", 1, "like-blob", group="pattern", plainer="not like"
    ),
    "not similar": op("text text -> bool", "(%s NOT SIMILAR TO %s)", 1, group="pattern", plainer="similar"),
    "regexp begun": op("text -> bool", "(%s ~ '^a.*$')", 1, group="pattern", plainer="regexp"),
    "regexp not begun": op("text -> bool", "(%s !~ '^a.*$')", 1, group="pattern", plainer="regexp begun"),
    "regexp set": op("text -> bool", "REGEXP_MATCHES(%s, '[a1]$')", 1, group="pattern", plainer="regexp"),
    "regexp digits": op("text -> bool", "REGEXP_FULL_MATCH(%s, '[0-9]*')", 1, group="pattern", plainer="regexp"),
    # Numbers of several types: one of the sides is cast
    "= int real": op("int real -> bool", "(%s = %s)", 1, group="comparison"),
    "< int real": op("int real -> bool", "(%s < %s)", 1, group="comparison", plainer="= int real"),
    "< int dec": op("int dec -> bool", "(%s < %s)", 1, group="comparison"),
    "+ int real": op("int real -> real", "(%s + %s)", 1, group="arithmetic"),
    "prefix": op("text text -> bool", "PREFIX(%s, %s)", 1),
    "suffix": op("text text -> bool", "SUFFIX(%s, %s)", 1),
    **shared("unicode"),
    "bit length": op("text -> int", "BIT_LENGTH(%s)", 1),
    "strip accents": op("text -> text", "STRIP_ACCENTS(%s)", 1),
    "regexp replace": op("text -> text", "REGEXP_REPLACE(%s, 'a', 'b')", 1),
    **shared("printf"),
    "day": op("D -> int", "DAY(%s)", 1),
    "last day": op("D -> date", "LAST_DAY(%s)", 1),
    "monthname": op("D -> text", "MONTHNAME(%s)", 1),
    "dayname": op("D -> text", "DAYNAME(%s)", 1),
    "weekday": op("D -> int", "WEEKDAY(%s)", 1),
    **shared("coalesce 3"),
}


def typed_null(type_text: str) -> tuple[ir.Lit, ...]:
    return pool("null", f"NULL::{type_text}")


LITERALS = {
    "int": typed_null("INTEGER") + POOLS["int"],
    "dec": typed_null("DECIMAL(6, 2)") + POOLS["dec"],
    "real": typed_null("DOUBLE") + pool("real", "0.5::DOUBLE", "1.5::DOUBLE", "-0.5::DOUBLE", "1::DOUBLE", "0::DOUBLE"),
    "text": typed_null("VARCHAR") + POOLS["text"] + pool("text", "'ä'"),
    "bool": typed_null("BOOLEAN") + POOLS["bool"],
    "date": typed_null("DATE") + POOLS["date"],
    "timestamp": typed_null("TIMESTAMP") + POOLS["timestamp"] + pool("timestamp", "TIMESTAMP '1969-12-31 23:59:59'"),
    "list": typed_null("INTEGER[]") + pool("list", "[]::INTEGER[]", "[1]", "[0, 1]", "[NULL]::INTEGER[]", "[1, NULL]"),
    "struct": typed_null("STRUCT(a INTEGER, b VARCHAR)")
    + pool("struct", "{'a': 1, 'b': 'a'}", "{'a': NULL::INTEGER, 'b': ''}", "{'a': 0, 'b': 'A'}"),
    "extreme": EXTREMES,
}
TYPES = types(
    ColumnType("INTEGER", "int", 4),
    "BIGINT", "SMALLINT", "TINYINT",
    ColumnType("HUGEINT", "int", 1),
    ColumnType("UTINYINT", "int", 1),
    ColumnType("UINTEGER", "int", 1),
    ColumnType("USMALLINT", "int", 1),
    ColumnType("UBIGINT", "int", 1),
    "DECIMAL(6, 2)", "DECIMAL(18, 3)", "DOUBLE", "FLOAT", "VARCHAR", "BOOLEAN", "DATE", "TIMESTAMP",
    ColumnType("INTEGER[]", "list", 1),
    ColumnType("STRUCT(a INTEGER, b VARCHAR)", "struct", 1),
)  # fmt: skip
SETTINGS = (
    "PRAGMA disable_optimizer",
    "SET disabled_optimizers = 'filter_pushdown'",
    "SET disabled_optimizers = 'join_order'",
    "SET disabled_optimizers = 'expression_rewriter'",
    "SET disabled_optimizers = 'statistics_propagation'",
    "SET preserve_insertion_order = false",
    "PRAGMA force_index_join",
    "SET perfect_ht_threshold = 0",
    "SET ordered_aggregate_threshold = 1",
    "SET checkpoint_threshold = '1KB'",
)

# https://duckdb.org/docs/stable/sql/data_types/overview
ALIASES = {
    **dict.fromkeys(("INT", "INT4", "SIGNED", "INTEGRAL"), "INTEGER"), **dict.fromkeys(("INT8", "LONG"), "BIGINT"),
    **dict.fromkeys(("INT2", "SHORT"), "SMALLINT"), "INT1": "TINYINT", "BOOL": "BOOLEAN", "LOGICAL": "BOOLEAN",
    **dict.fromkeys(("TEXT", "STRING", "CHAR", "BPCHAR"), "VARCHAR"), "FLOAT8": "DOUBLE", "DATETIME": "TIMESTAMP",
    **dict.fromkeys(("FLOAT4", "REAL"), "FLOAT"), "INT[]": "INTEGER[]",
}  # fmt: skip

OPTIMIZERS = (
    "expression_rewriter", "filter_pullup", "filter_pushdown", "empty_result_pullup", "cte_filter_pusher",
    "regex_range", "in_clause", "join_order", "deliminator", "unnest_rewriter", "unused_columns",
    "statistics_propagation",
    "common_subexpressions", "common_aggregate", "column_lifetime", "limit_pushdown", "top_n", "build_side_probe_side",
    "compressed_materialization", "duplicate_groups", "reorder_filter", "sampling_pushdown", "join_filter_pushdown",
    "extension", "materialized_cte", "sum_rewriter", "late_materialization", "cte_inlining", "join_elimination",
)  # fmt: skip
SWITCHES = {
    **{
        f"no {name}": Switch(f"SET disabled_optimizers = '{name}'", "SET disabled_optimizers = ''")
        for name in OPTIMIZERS
    },
    "no optimizer": Switch("PRAGMA disable_optimizer", "PRAGMA enable_optimizer", is_broad=True),
    "no perfect hash table": Switch("SET perfect_ht_threshold = 0", "RESET perfect_ht_threshold"),
    "no nested loop threshold": Switch(
        "SET nested_loop_join_threshold = 0; SET merge_join_threshold = 0",
        "RESET nested_loop_join_threshold; RESET merge_join_threshold",
    ),
    "threads": Switch("SET threads = 2", "SET threads = 1"),
    "no insertion order": Switch("SET preserve_insertion_order = false", "SET preserve_insertion_order = true"),
}

DUCKDB = SqlDialect(
    "duckdb",
    RULES,
    ops.with_meanings({**ops.ANSI, **OPERATORS}, {**typed.DUCKDB, **typed_functions.MEANINGS}),
    TYPES,
    LITERALS,
    SETTINGS,
    loose=False,
    spell={"index key": "parenthesised"},
    collations=("NOCASE", "NOACCENT", "NOCASE.NOACCENT", "C", "POSIX"),
    switches=SWITCHES,
    table_kinds={"temporary": TableKind("TEMP ", chance=0.04)},
    extras={"analyze": Extra("ANALYZE {table}", chance=0.03)},
    system=Typed,
    aggregates=ops.with_meanings(aggregates.AGGREGATES, columns.DUCKDB),
    aliases=ALIASES,
)

"""ClickHouse's dialect: a type says whether it has NULL, and a join wants an equation."""

from __future__ import annotations

from gainsay.families.sql.language import ir, ops
from gainsay.families.sql.language.dialect import ColumnType, Extra, Switch, TableKind
from gainsay.families.sql.language.ops import op
from gainsay.families.sql.language.spoken import duckdb
from gainsay.families.sql.language.spoken.ansi import (
    ANSI,
    EXTREMES,
    HALVES,
    POOLS,
    pool,
    respelled,
    shared,
    spelled_literal,
    taken,
)

TYPES = (
    ColumnType("Nullable(Int32)", "int", 4),
    ColumnType("Nullable(Int64)", "int", 3),
    ColumnType("Nullable(Int8)", "int", 1),
    ColumnType("Nullable(UInt32)", "unsigned", 1),
    ColumnType("Nullable(Decimal(6, 2))", "dec", 2),
    ColumnType("Nullable(Float64)", "real", 3, exact=False),
    ColumnType("Nullable(String)", "text", 5),
    ColumnType("LowCardinality(Nullable(String))", "text", 1),
    ColumnType("Nullable(Bool)", "bool", 3),
    ColumnType("Nullable(Date)", "date", 2),
    ColumnType("Nullable(DateTime('UTC'))", "timestamp", 1),
    ColumnType("Array(Nullable(Int32))", "list", 1),
)


def typed_null(name: str) -> tuple[ir.Lit, ...]:
    return pool("null", f"CAST(NULL AS Nullable({name}))")


LITERALS = {
    "int": typed_null("Int32") + POOLS["int"],
    "unsigned": typed_null("UInt32") + pool("unsigned", "0", "1", "2", "3"),
    "dec": typed_null("Decimal(6, 2)") + pool("dec", *(f"toDecimal32({n}, 2)" for n in HALVES)),
    "real": typed_null("Float64") + pool("real", *(f"toFloat64({n})" for n in HALVES)),
    "text": typed_null("String") + POOLS["text"],
    "bool": typed_null("Bool") + POOLS["bool"],
    "date": typed_null("Date")
    + pool("date", "toDate('1970-01-01')", "toDate('2000-02-29')", "toDate('2000-03-01')", "toDate('2000-12-31')"),
    "timestamp": typed_null("DateTime('UTC')")
    + pool("timestamp", *(f"toDateTime('2000-02-29 {t}', 'UTC')" for t in ("00:00:00", "12:30:00", "23:59:59"))),
    "list": pool("list", "CAST([] AS Array(Nullable(Int32)))", "[1]", "[0, 1]", "[1, NULL]"),
    "extreme": EXTREMES,
}
OPERATORS: ops.Table = {
    # IS TRUE is not known everywhere.
    "truth": op("bool -> int", "toInt32(ifNull(toBool(%s), false))", 0),
    "is true": ops.ANSI["is true"]._replace(text="ifNull(toBool(%s), false)"),
    "is false": ops.ANSI["is false"]._replace(text="(NOT ifNull(toBool(%s), true))"),
    "is not true": ops.ANSI["is not true"]._replace(text="(NOT ifNull(toBool(%s), false))"),
    "is not false": ops.ANSI["is not false"]._replace(text="ifNull(toBool(%s), true)"),
    "/": ops.ANSI["/"]._replace(args=("real", "real")),
    "div": op("int int -> int", "intDivOrZero(%s, %s)", 1),
    "%": ops.ANSI["%"]._replace(text="moduloOrZero(%s, %s)"),
    "&": ops.ANSI["&"]._replace(text="bitAnd(%s, %s)"),
    "|": ops.ANSI["|"]._replace(text="bitOr(%s, %s)"),
    "~": ops.ANSI["~"]._replace(text="bitNot(%s)"),
    "xor": duckdb.OPERATORS["xor"]._replace(text="bitXor(%s, %s)"),
    "xor bool": op("bool bool -> bool", "xor(%s, %s)", 1),
    "trim": ops.ANSI["trim"]._replace(text="trimBoth(%s)"),
    "ltrim": ops.ANSI["ltrim"]._replace(text="trimLeft(%s)"),
    "rtrim": ops.ANSI["rtrim"]._replace(text="trimRight(%s)"),
    "instr": ops.ANSI["instr"]._replace(text="position(%s, %s)"),
    "if": duckdb.OPERATORS["if"],
    "multi if": op("bool T bool T T -> T", "multiIf(%s, %s, %s, %s, %s)", 1, group="case"),
    **taken(duckdb.OPERATORS, "ifnull", "greatest", "least", "sign", "floor", "ceil"),
    "isnan": duckdb.OPERATORS["isnan"]._replace(text="isNaN(%s)"),
    "starts with": duckdb.OPERATORS["starts with"]._replace(text="startsWith(%s, %s)"),
    "ends with": duckdb.OPERATORS["ends with"]._replace(text="endsWith(%s, %s)"),
    "regexp": duckdb.OPERATORS["regexp"]._replace(text="match(%s, '^a')"),
    **taken(duckdb.OPERATORS, "reverse", "hex"),
    "empty": op("text -> bool", "empty(%s)", 1),
    "char length": op("text -> int", "lengthUTF8(%s)", 1),
    "typeof": op("T -> text", "toTypeName(%s)", 1, "type-names"),
    "cast int": op("T -> int", "accurateCastOrNull(%s, 'Int32')", 1, group="cast"),
    "cast tinyint": op("T -> int", "accurateCastOrNull(%s, 'Int8')", 1),
    "cast unsigned": op("T -> unsigned", "accurateCastOrNull(%s, 'UInt32')", 1),
    "cast text": op("T -> text", "CAST(%s AS Nullable(String))", 1, "cast-real-text", group="cast", plainer="cast int"),
    "cast real": op("N -> real", "CAST(%s AS Nullable(Float64))", 1, group="cast", plainer="cast numeric"),
    "year": op("D -> int", "toYear(%s)", 1),
    "month": op("D -> int", "toMonth(%s)", 1),
    "date diff": op("date date -> int", "dateDiff('day', %s, %s)", 1),
    "cast date": op("timestamp -> date", "toDate(%s)", 1),
    "list contains": op("list int -> bool", "has(%s, %s)", 2),
    "list len": op("list -> int", "length(%s)", 2),
    "list get": op("list int -> int", "arrayElement(%s, %s)", 1),
    "list concat": op("list list -> list", "arrayConcat(%s, %s)", 1),
    "list overlaps": op("list list -> bool", "hasAny(%s, %s)", 1),
    **shared("list of"),
    "materialize": op("T -> T", "materialize(%s)", 1),
}
ON = (
    "optimize_aggregators_of_group_by_keys", "optimize_and_compare_chain",
    "optimize_arithmetic_operations_in_aggregate_functions", "optimize_distinct_in_order",
    "optimize_empty_string_comparisons", "optimize_extract_common_expressions", "optimize_functions_to_subcolumns",
    "optimize_group_by_constant_keys", "optimize_group_by_function_keys", "optimize_injective_functions_in_group_by",
    "optimize_injective_functions_inside_uniq", "optimize_move_to_prewhere", "optimize_multiif_to_if",
    "optimize_normalize_count_variants", "optimize_or_like_chain", "optimize_read_in_order",
    "optimize_redundant_comparisons", "optimize_redundant_functions_in_order_by",
    "optimize_rewrite_aggregate_function_with_if", "optimize_rewrite_has_to_in", "optimize_rewrite_like_perfect_affix",
    "optimize_rewrite_sum_if_to_count_if", "optimize_sorting_by_input_stream_properties",
    "optimize_time_filter_with_preimage", "optimize_trivial_count_query", "optimize_uniq_to_count",
    "optimize_use_implicit_projections", "optimize_use_projections", "query_plan_aggregation_in_order",
    "query_plan_convert_any_join_to_semi_or_anti_join", "query_plan_convert_outer_join_to_inner_join",
    "query_plan_enable_optimizations", "query_plan_execute_functions_after_sorting", "query_plan_filter_push_down",
    "query_plan_lift_up_union", "query_plan_merge_expression_into_join", "query_plan_merge_expressions",
    "query_plan_merge_filter_into_join_condition", "query_plan_merge_filters",
    "query_plan_optimize_lazy_materialization", "query_plan_optimize_prewhere", "query_plan_optimize_primary_key",
    "query_plan_optimize_projection", "query_plan_propagate_predicate_across_join",
    "query_plan_push_down_volume_reducing_functions", "query_plan_read_in_order",
    "query_plan_remove_redundant_distinct", "query_plan_remove_redundant_sorting", "query_plan_remove_unused_columns",
    "query_plan_short_circuit_constant_false_join", "query_plan_split_filter", "query_plan_use_logical_join_step",
    "compile_expressions", "use_skip_indexes", "use_query_condition_cache",
)  # fmt: skip
OFF = (
    "optimize_aggregation_in_order", "optimize_append_index", "optimize_fuse_sum_count_avg",
    "optimize_if_chain_to_multiif", "optimize_if_transform_strings_to_enum",
    "optimize_monotonous_functions_in_order_by", "optimize_substitute_columns", "optimize_using_constraints",
    "query_plan_convert_join_to_in", "query_plan_join_shard_by_pk_ranges",
)  # fmt: skip
SET_TO = {
    "max_block_size": "1",
    "max_threads": "3",
    "join_algorithm": "'full_sorting_merge'",
    "short_circuit_function_evaluation": "'disable'",
    "query_plan_join_swap_table": "'true'",
    "group_by_two_level_threshold": "1",
    "optimize_min_equality_disjunction_chain_length": "1",
    "min_count_to_compile_expression": "0",
    "max_bytes_before_external_group_by": "1",
    "max_bytes_before_external_sort": "1",
}
BACK = {"max_threads": "1"}  # others have a default
SWITCHES = {
    **{f"no {name}": Switch(f"SET {name} = 0", f"SET {name} = 1") for name in ON},
    **{name: Switch(f"SET {name} = 1", f"SET {name} = 0") for name in OFF},
    **{
        f"{name} {value}": Switch(f"SET {name} = {value}", f"SET {name} = {BACK.get(name, 'DEFAULT')}")
        for name, value in SET_TO.items()
    },
    "grace hash join": Switch("SET join_algorithm = 'grace_hash'", "SET join_algorithm = DEFAULT"),
    "partial merge join": Switch("SET join_algorithm = 'partial_merge'", "SET join_algorithm = DEFAULT"),
}
SORTED = frozenset({"int", "unsigned", "dec", "text", "date", "timestamp"})
GRANULES = " SETTINGS index_granularity = 2, allow_nullable_key = 1"
INDEX = "ALTER TABLE {{table}} ADD INDEX {{name}} {{a}} TYPE {}; ALTER TABLE {{table}} MATERIALIZE INDEX {{name}}"
CLICKHOUSE = ANSI.extend(
    "clickhouse",
    without=("glob",),
    rules={ir.Lit: spelled_literal},
    operators=OPERATORS,
    types=TYPES,
    literals=LITERALS,
    settings=tuple(s.turn for s in SWITCHES.values()),
    spell={
        **respelled(DOUBLE="Nullable(Float64)"),
        "BIGINT": "Nullable(Int64)",
        "TEXT": "Nullable(String)",
        "INTEGER": "Nullable(Int32)",
        "join on": "an equation",
    },
    unordered=frozenset({"list"}),
    switches=SWITCHES,
    table_kinds={
        "merge tree": TableKind(after=" ENGINE = MergeTree ORDER BY {a}" + GRANULES, classes=SORTED, chance=0.25),
        "memory": TableKind(after=" ENGINE = Memory", chance=0.3),
        "partitions": TableKind(
            after=" ENGINE = MergeTree PARTITION BY {a} ORDER BY tuple()" + GRANULES,
            classes=frozenset({"int", "text", "date"}),
            chance=0.1,
        ),
        "log": TableKind(after=" ENGINE = TinyLog", chance=0.05),
    },
    extras={
        "minmax index": Extra(INDEX.format("minmax"), 1, SORTED, chance=0.15),
        "set index": Extra(INDEX.format("set(3)"), 1, SORTED, chance=0.15),
        "bloom index": Extra(INDEX.format("bloom_filter"), 1, frozenset({"int", "text"}), chance=0.1),
        "optimize": Extra("OPTIMIZE TABLE {table} FINAL", chance=0.1),
    },
)

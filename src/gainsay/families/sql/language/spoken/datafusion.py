"""DataFusion's dialect: types of Arrow, no indexes, and names that may stand only once in a select list."""

from __future__ import annotations

import msgspec

from gainsay.families.sql.language import ir, ops, writer
from gainsay.families.sql.language.dialect import ColumnType, SqlDialect, Switch
from gainsay.families.sql.language.ops import op
from gainsay.families.sql.language.spoken import duckdb, postgresql, sqlite
from gainsay.families.sql.language.spoken.ansi import (
    ANSI,
    EXTREMES,
    HALVES,
    literals,
    pool,
    shared,
    taken,
    typed_null,
    types,
)

TYPES = types(
    ColumnType("INT", "int", 4),
    "BIGINT", "SMALLINT", "TINYINT",
    ColumnType("INT UNSIGNED", "unsigned", 1),
    ColumnType("TINYINT UNSIGNED", "unsigned", 1),
    ColumnType("BIGINT UNSIGNED", "unsigned", 1),
    "DECIMAL(6, 2)", "DECIMAL(18, 3)", "DOUBLE", "VARCHAR", "BOOLEAN", "DATE", "TIMESTAMP", "BYTEA",
    ColumnType("INT[]", "list", 1),
    ColumnType("STRUCT<a INT, b VARCHAR>", "struct", 1),
)  # fmt: skip
LITERALS = {
    **literals(int="INT"),
    "unsigned": typed_null("INT UNSIGNED")
    + pool("unsigned", *(f"CAST({n} AS INT UNSIGNED)" for n in ("0", "1", "2", "3"))),
    "dec": typed_null("DECIMAL(6, 2)") + pool("dec", *(f"CAST({n} AS DECIMAL(6, 2))" for n in HALVES)),
    **literals(real="DOUBLE", text="VARCHAR", bool="BOOLEAN", date="DATE"),
    "timestamp": typed_null("TIMESTAMP") + duckdb.LITERALS["timestamp"][1:],
    "blob": typed_null("BYTEA") + pool("blob", "X''", "X'61'", "X'31'"),
    "list": typed_null("INT[]") + pool("list", "[1]", "[0, 1]", "[1, NULL]", "[2, 3, 1]"),
    "struct": pool("struct", "NAMED_STRUCT('a', 1, 'b', 'a')", "NAMED_STRUCT('a', 0, 'b', 'A')"),
    "extreme": EXTREMES,
}
OPERATORS: ops.Table = {
    **{
        name: duckdb.OPERATORS[name]
        for name in (
            "truth",
            "cast int",
            "cast bigint",
            "cast tinyint",
            "cast real",
            "cast dec",
            "cast bool",
            "cast date",
            "ilike",
            "starts with",
            "ends with",
            "contains",
            "greatest",
            "least",
            "floor",
            "ceil",
            "isnan",
            "date trunc",
            "md5",
            "left",
            "right",
            "reverse",
        )
    },
    **{name: postgresql.OPERATORS[name] for name in ("year", "month", "dayofweek", "date diff", "initcap")},
    **taken(sqlite.OPERATORS, "<<", ">>"),
    "xor": duckdb.OPERATORS["xor"]._replace(text="(%s BIT_XOR %s)"),
    # A division by zero is an error, and whether it is met depends on what else is evaluated.
    "/": ops.ANSI["/"]._replace(args=("real", "real"), text="(%s / NULLIF(%s, 0))"),
    "div": op("int int -> int", "(%s / NULLIF(%s, 0))", 1, "division"),
    "%": ops.ANSI["%"]._replace(text="(%s %% NULLIF(%s, 0))"),
    **shared("cast text"),
    "cast unsigned": op("T -> unsigned", "TRY_CAST(%s AS INT UNSIGNED)", 1),
    "cast timestamp": op("date -> timestamp", "CAST(%s AS TIMESTAMP)", 1),
    # Of a date or a list it makes a text.
    "ifnull": op("U U -> U", "IFNULL(%s, %s)", 1, plainer="coalesce"),
    "cast blob": op("text -> blob", "CAST(%s AS BYTEA)", 1, group="cast", plainer="cast real"),
    "regexp": duckdb.OPERATORS["regexp"]._replace(text="(%s ~ '^a')"),
    "char length": op("text -> int", "CHARACTER_LENGTH(%s)", 1),
    "octets": op("text -> int", "OCTET_LENGTH(%s)", 1),
    "typeof": op("T -> text", "ARROW_TYPEOF(%s)", 1, "type-names"),
    "signum": op("N -> N", "SIGNUM(%s)", 1),
    "substr": ops.ANSI["substr"]._replace(args=("text", "int"), text="SUBSTR(%s, %s)"),
    "split": op("text text -> text", "SPLIT_PART(%s, %s, 1)", 1),
    "day later": op("D -> D", "(%s + INTERVAL '1 day')", 1),
    "list contains": op("list int -> bool", "ARRAY_HAS(%s, %s)", 2),
    "list len": op("list -> int", "CAST(CARDINALITY(%s) AS BIGINT)", 2),
    "list get": op("list int -> int", "ARRAY_ELEMENT(%s, %s)", 1),
    "list concat": op("list list -> list", "ARRAY_CONCAT(%s, %s)", 1),
    "list overlaps": op("list list -> bool", "ARRAY_HAS_ANY(%s, %s)", 1),
    "list of": op("int int -> list", "MAKE_ARRAY(%s, %s)", 1),
    "list empty": op("list -> bool", "EMPTY(%s)", 1),
    "struct a": op("struct -> int", "GET_FIELD(%s, 'a')", 2),
    "struct b": op("struct -> text", "GET_FIELD(%s, 'b')", 2),
    "struct of": op("int text -> struct", "NAMED_STRUCT('a', %s, 'b', %s)", 1),
}
PREFIX = "datafusion.optimizer."
ON = (
    "enable_aggregate_dynamic_filter_pushdown", "enable_distinct_aggregation_soft_limit",
    "enable_dynamic_filter_pushdown", "enable_join_dynamic_filter_pushdown", "enable_leaf_expression_pushdown",
    "enable_physical_uncorrelated_scalar_subquery", "enable_round_robin_repartition", "enable_sort_pushdown",
    "enable_topk_aggregation", "enable_topk_dynamic_filter_pushdown", "enable_topk_repartition",
    "enable_window_limits", "join_reordering", "prefer_hash_join", "repartition_aggregations", "repartition_joins",
    "repartition_sorts", "top_down_join_key_reordering",
)  # fmt: skip
OFF = (
    "enable_piecewise_merge_join", "enable_unions_to_filter", "enable_window_topn", "filter_null_join_keys",
    "prefer_existing_sort", "prefer_existing_union", "use_statistics_registry",
)  # fmt: skip
PARTITIONS = "SET datafusion.execution.target_partitions = {}"
SWITCHES = {
    **{f"no {name}": Switch(f"SET {PREFIX}{name} = false", f"SET {PREFIX}{name} = true") for name in ON},
    **{name: Switch(f"SET {PREFIX}{name} = true", f"SET {PREFIX}{name} = false") for name in OFF},
    "one pass": Switch(f"SET {PREFIX}max_passes = 1", f"SET {PREFIX}max_passes = 3"),
    "partitions": Switch(PARTITIONS.format(3), PARTITIONS.format(1)),
    "merge join": Switch(
        f"{PARTITIONS.format(3)}; SET {PREFIX}prefer_hash_join = false",
        f"{PARTITIONS.format(1)}; SET {PREFIX}prefer_hash_join = true",
    ),
    "partitioned hash join": Switch(
        f"{PARTITIONS.format(3)}; SET {PREFIX}hash_join_single_partition_threshold = 0; "
        f"SET {PREFIX}hash_join_single_partition_threshold_rows = 0",
        f"{PARTITIONS.format(1)}; SET {PREFIX}hash_join_single_partition_threshold = 1048576; "
        f"SET {PREFIX}hash_join_single_partition_threshold_rows = 131072",
    ),
    "batches of one row": Switch(
        "SET datafusion.execution.batch_size = 1", "SET datafusion.execution.batch_size = 8192"
    ),
    "no coalesced batches": Switch(
        "SET datafusion.execution.coalesce_batches = false", "SET datafusion.execution.coalesce_batches = true"
    ),
    "no statistics": Switch(
        "SET datafusion.execution.collect_statistics = false", "SET datafusion.execution.collect_statistics = true"
    ),
    "partial aggregation skipped": Switch(
        "SET datafusion.execution.skip_partial_aggregation_probe_rows_threshold = 0",
        "SET datafusion.execution.skip_partial_aggregation_probe_rows_threshold = 100000",
    ),
}


def select(d: SqlDialect, n: ir.Select) -> str:
    """Columns of a select list must have different names."""
    texts = [d.text(i) for i in n.items]
    if len(set(texts)) < len(texts):
        items = tuple(
            ir.As(i, f"y{k}") if texts[k] in texts[:k] and not isinstance(i, ir.As) else i
            for k, i in enumerate(n.items)
        )
        n = msgspec.structs.replace(n, items=items)
    return writer.select(d, n)


DATAFUSION = ANSI.extend(
    "datafusion",
    without=("glob", *(name for name in ops.ANSI if name.startswith("row "))),
    rules={ir.Select: select},
    operators=OPERATORS,
    types=TYPES,
    literals=LITERALS,
    settings=tuple(s.turn for s in SWITCHES.values()),
    spell={"INTEGER": "INT"},
    switches=SWITCHES,
)

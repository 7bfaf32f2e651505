"""MySQL's dialect, and those that are tables over it: MariaDB, TiDB, Dolt."""

from __future__ import annotations

from gainsay.families.sql.language import ops
from gainsay.families.sql.language.dialect import ColumnType, Extra, IndexKind, Switch, TableKind
from gainsay.families.sql.language.ops import op
from gainsay.families.sql.language.spoken import duckdb, sqlite
from gainsay.families.sql.language.spoken.ansi import (
    ANSI,
    EXTREMES,
    NULLS,
    POOLS,
    pool,
    respelled,
    shared,
    taken,
    types,
)

TYPES = types(
    "INT",
    ColumnType("BIGINT", "int", 2),
    "SMALLINT", "TINYINT",
    ColumnType("INT ZEROFILL", "unsigned", 1),
    ColumnType("INT UNSIGNED", "unsigned", 2),
    "DECIMAL(6, 2)",
    ColumnType("DOUBLE", "real", 2, exact=False),
    "FLOAT",
    # Trailing spaces, and with some collations case, do not count: equal texts need not be identical.
    ColumnType("VARCHAR(9)", "text", 5, exact=False),
    ColumnType("VARCHAR(9) COLLATE utf8mb4_general_ci", "text", 1, exact=False),
    ColumnType("CHAR(3)", "text", 1, exact=False),
    ColumnType("TEXT", "text", 1, exact=False, is_key=False),
    ColumnType("BOOLEAN", "bool", 2),
    # 0000-00-00 (comparison-operators.html#operator_is-null)
    ColumnType("DATE", "date", 2, is_zeroed=True),
    ColumnType("DATETIME", "timestamp", 2, is_zeroed=True),
    ColumnType("YEAR", "year", 1),
    ColumnType("ENUM('a', 'b', 'c')", "enum", 1),
    ColumnType("SET('a', 'b')", "set", 1),
    "BIT(3)", "VARBINARY(5)",
    ColumnType("BLOB", "blob", 1, is_key=False),
    ColumnType("JSON", "json", 1, exact=False, is_key=False),
)  # fmt: skip
JSONS = ("null", "1", "1.0", '"a"', "[]", "[1, 2]", '{"a": 1}')
LITERALS = {
    "int": NULLS + POOLS["int"],
    "unsigned": NULLS + pool("unsigned", "0", "1", "2", "3"),
    "dec": NULLS + POOLS["dec"],
    "real": NULLS + pool("real", "0.5e0", "1.5e0", "-0.5e0", "1e0", "0e0"),
    "text": NULLS + POOLS["text"],
    "bool": NULLS + POOLS["bool"],
    "date": NULLS + POOLS["date"],
    "timestamp": NULLS + pool("timestamp", "TIMESTAMP '1970-01-02 00:00:00'") + POOLS["timestamp"][1:],
    "year": NULLS + pool("year", "1970", "2000", "2001"),
    "enum": NULLS + pool("enum", "'a'", "'b'", "'c'"),
    "set": NULLS + pool("set", "''", "'a'", "'b'", "'a,b'"),
    "bits": NULLS + pool("bits", "b'000'", "b'001'", "b'110'"),
    # MySQL keeps x'' in a view or a default as 0x, which it then takes for a column.
    "blob": NULLS + pool("blob", "_binary''", "x'61'", "x'31'"),
    "json": NULLS + pool("json", *(f"CAST('{text}' AS JSON)" for text in JSONS)),
    "extreme": EXTREMES,
}
OPERATORS: ops.Table = {
    "truth": op("bool -> int", "(%s IS TRUE)", 0),
    "is distinct": ops.ANSI["is distinct"]._replace(text="(NOT (%s <=> %s))"),
    "is not distinct": ops.ANSI["is not distinct"]._replace(text="(%s <=> %s)"),
    "||": ops.ANSI["||"]._replace(text="CONCAT(%s, %s)"),
    "xor bool": op("bool bool -> bool", "(%s XOR %s)", 2),
    "not bang": op("bool -> bool", "(! %s)", 1),
    "isnull": sqlite.OPERATORS["isnull"]._replace(text="ISNULL(%s)"),
    **taken(duckdb.OPERATORS, "ifnull", "if", "greatest", "least"),
    "div": op("int int -> int", "(%s DIV %s)", 1),
    "xor": duckdb.OPERATORS["xor"]._replace(text="(%s ^ %s)"),
    **taken(sqlite.OPERATORS, "<<", ">>"),
    **taken(duckdb.OPERATORS, "sign", "floor", "ceil"),
    "cast int": op("T -> int", "CAST(%s AS SIGNED)", 1, group="cast"),
    "cast unsigned": op("unsigned -> unsigned", "CAST(%s AS UNSIGNED)", 1),
    "cast text": op("T -> text", "CAST(%s AS CHAR)", 1, "cast-real-text", group="cast", plainer="cast int"),
    "cast dec": op("T -> dec", "CAST(%s AS DECIMAL(6, 2))", 1),
    "cast real": op("T -> real", "CAST(%s AS DOUBLE)", 1, group="cast", plainer="cast numeric"),
    "cast date": op("timestamp -> date", "CAST(%s AS DATE)", 1),
    "cast blob": op("text -> blob", "CAST(%s AS BINARY)", 1, group="cast", plainer="cast real"),
    "collate ci": op("text -> text", "(%s COLLATE utf8mb4_general_ci)", 1, "collation-rules"),
    "collate unicode": op("text -> text", "(%s COLLATE utf8mb4_unicode_ci)", 1, "collation-rules"),
    "collate bin": op("text -> text", "(%s COLLATE utf8mb4_bin)", 1, "collation-rules"),
    "regexp": duckdb.OPERATORS["regexp"]._replace(text="(%s REGEXP '^a')"),
    "strcmp": op("text text -> int", "STRCMP(%s, %s)", 1),
    **shared("char length"),
    "field": op("T T T -> int", "FIELD(%s, %s, %s)", 1),
    "elt": op("int text text -> text", "ELT(%s, %s, %s)", 1),
    "find in set": op("text set -> int", "FIND_IN_SET(%s, %s)", 1),
    **taken(duckdb.OPERATORS, "left", "right", "reverse", "hex", "md5"),
    # One bound: several must be in order (MariaDB's manual on INTERVAL; MySQL's comparison-operators.html)
    "interval": op("int int -> int", "INTERVAL(%s, %s)", 1),
    "in mixed": op("int dec real -> bool", "(%s IN (%s, %s))", 1, group="in"),
    "= mixed": op("int dec -> bool", "(%s = %s)", 1, group="comparison"),
    "= text": op("int text -> bool", "(%s = %s)", 1, group="comparison"),
    **shared("year", "month", "dayofweek"),
    "date diff": op("date date -> int", "DATEDIFF(%s, %s)", 1),
    "day later": op("D -> D", "(%s + INTERVAL 1 DAY)", 1),
    "json extract": op("json -> json", "JSON_EXTRACT(%s, '$.a')", 1, group="json"),
    "json type": op("json -> text", "CAST(JSON_TYPE(%s) AS CHAR)", 1, group="json"),
    "json contains": op("json json -> bool", "JSON_CONTAINS(%s, %s)", 1, group="json"),
    **shared("bit count"),
}
SWITCHES = (
    "index_merge", "index_merge_union", "index_merge_sort_union", "index_merge_intersection",
    "index_condition_pushdown", "mrr", "mrr_cost_based", "block_nested_loop", "materialization", "semijoin",
    "loosescan",
    "firstmatch", "duplicateweedout", "subquery_materialization_cost_based", "use_index_extensions",
    "condition_fanout_filter", "derived_merge", "skip_scan", "hash_join", "prefer_ordering_index",
    "derived_condition_pushdown",
)  # fmt: skip
TURNED_ON = ("batched_key_access", "use_invisible_indexes", "subquery_to_derived", "hypergraph_optimizer")
SETTINGS = (
    *(f"SET optimizer_switch = '{name}=off'" for name in SWITCHES),
    *(f"SET optimizer_switch = '{name}=on'" for name in TURNED_ON),
    "SET optimizer_search_depth = 1",
    "SET optimizer_prune_level = 0",
    "SET eq_range_index_dive_limit = 1",
    "SET join_buffer_size = 128",
    "SET big_tables = 1",
)
SORTED = frozenset({"int", "unsigned", "dec", "real", "date", "timestamp"})


BACK = "SET optimizer_switch = default"


def switches(off: tuple[str, ...], on: tuple[str, ...], **values: str) -> dict[str, Switch]:
    return {
        **{f"no {name}": Switch(f"SET optimizer_switch = '{name}=off'", BACK) for name in off},
        **{name: Switch(f"SET optimizer_switch = '{name}=on'", BACK) for name in on},
        **{name: Switch(f"SET {name} = {value}", f"SET {name} = default") for name, value in values.items()},
        "no index": Switch(hint="USE INDEX ()"),
        "forced index": Switch(hint="FORCE INDEX ({index})"),
        "another index": Switch(hint="FORCE INDEX ({index})", is_last=True),
    }


MYSQL = ANSI.extend(
    "mysql",
    precedence="mysql",
    without=("ilike", "glob"),
    operators=OPERATORS,
    types=TYPES,
    literals=LITERALS,
    settings=SETTINGS,
    spell={
        **respelled(TEXT="VARCHAR(20)"),
        "INTEGER": "INT",
        "index key": "parenthesised",
        "INSERT OR IGNORE": "INSERT IGNORE",
        "INSERT OR REPLACE": "REPLACE",
    },
    unordered=frozenset({"json"}),
    joins=("STRAIGHT_JOIN",),
    switches=switches(
        SWITCHES,
        TURNED_ON,
        optimizer_search_depth="1",
        optimizer_prune_level="0",
        eq_range_index_dive_limit="1",
        join_buffer_size="128",
        range_optimizer_max_mem_size="1",
        max_length_for_sort_data="4",
    ),
    index_kinds={
        "prefix": IndexKind(
            "CREATE INDEX {name} ON {table} ({keys})", frozenset({"text", "blob"}), 1, prefix="(2)", chance=0.3
        ),
        "fulltext": IndexKind("CREATE FULLTEXT INDEX {name} ON {table} ({keys})", frozenset({"text"}), 1, chance=0.05),
        "hash": IndexKind("CREATE INDEX {name} ON {table} ({keys}) USING HASH", SORTED, 2, chance=0.1),
    },
    table_kinds={
        "memory": TableKind(after=" ENGINE = MEMORY", chance=0.1),
        "myisam": TableKind(after=" ENGINE = MYISAM", chance=0.1),
        "compressed": TableKind(after=" ROW_FORMAT = COMPRESSED", chance=0.03),
        "hash partitions": TableKind(
            after=" PARTITION BY HASH ({a}) PARTITIONS 2", classes=frozenset({"int"}), is_partitioned=True
        ),
        "key partitions": TableKind(
            after=" PARTITION BY KEY ({a}) PARTITIONS 2",
            classes=frozenset({"int", "text", "date"}),
            is_partitioned=True,
        ),
        "range partitions": TableKind(
            after=" PARTITION BY RANGE ({a}) (PARTITION a VALUES LESS THAN (1), PARTITION b VALUES LESS THAN MAXVALUE)",
            classes=frozenset({"int"}),
            is_partitioned=True,
        ),
        "list partitions": TableKind(
            after=" PARTITION BY LIST ({a}) (PARTITION a VALUES IN (0, NULL, -1), PARTITION b VALUES IN (1, 2, 3))",
            classes=frozenset({"int"}),
            is_partitioned=True,
        ),
    },
    extras={
        "analyze": Extra("ANALYZE TABLE {table}", chance=0.15),
        "optimize": Extra("OPTIMIZE TABLE {table}", chance=0.03),
        "histogram": Extra("ANALYZE TABLE {table} UPDATE HISTOGRAM ON {a} WITH 4 BUCKETS", 1),
    },
    probes={
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
MARIADB_SWITCHES = (
    "index_merge", "index_merge_union", "index_merge_sort_union", "index_merge_intersection",
    "index_condition_pushdown", "derived_merge", "derived_with_keys", "firstmatch", "loosescan", "materialization",
    "in_to_exists", "semijoin", "partial_match_rowid_merge", "partial_match_table_scan", "subquery_cache",
    "outer_join_with_cache", "semijoin_with_cache", "join_cache_incremental", "join_cache_hashed", "join_cache_bka",
    "optimize_join_buffer_size", "table_elimination", "extended_keys", "exists_to_in", "orderby_uses_equalities",
    "condition_pushdown_for_derived", "split_materialized", "condition_pushdown_for_subquery", "rowid_filter",
    "condition_pushdown_from_having", "not_null_range_scan", "hash_join_cardinality", "cset_narrowing",
    "sargable_casefold",
)  # fmt: skip
MARIADB = MYSQL.extend(
    "mariadb",
    without=("histogram",),
    literals={"json": NULLS + pool("json", *(f"'{text}'" for text in JSONS))},  # text that JSON_VALID takes
    operators={
        "json value": op("json -> text", "JSON_VALUE(%s, '$.a')", 1, group="json"),
        "json valid": op("T -> bool", "JSON_VALID(%s)", 1, group="json"),
    },
    settings=(
        *(f"SET optimizer_switch = '{name}=off'" for name in MARIADB_SWITCHES),
        *(
            f"SET optimizer_switch = '{name}=on'"
            for name in ("mrr", "mrr_sort_keys", "mrr_cost_based", "hash_join_cardinality")
        ),
        "SET join_cache_level = 0",
        "SET join_cache_level = 4",
        "SET join_cache_level = 8",
        "SET optimizer_use_condition_selectivity = 1",
        "SET optimizer_search_depth = 1",
        "SET use_stat_tables = 'preferably'",
        "SET in_predicate_conversion_threshold = 2",
        "SET join_buffer_size = 128",
    ),
    switches=switches(
        MARIADB_SWITCHES,
        ("mrr", "mrr_sort_keys", "mrr_cost_based"),
        join_cache_level="8",
        optimizer_use_condition_selectivity="1",
        optimizer_search_depth="1",
        in_predicate_conversion_threshold="2",
        join_buffer_size="128",
        expensive_subquery_limit="0",
    ),
    table_kinds={"aria": TableKind(after=" ENGINE = ARIA", chance=0.08)},
    extras={
        "statistics": Extra("ANALYZE TABLE {table} PERSISTENT FOR ALL", chance=0.1),
        "all rows": Extra("ALTER TABLE {table} FORCE", chance=0.03),
    },
)

"""PostgreSQL's dialect: typed, and with more kinds of types, tables and indexes than any other."""

from __future__ import annotations

from gainsay.families.sql.language import aggregates, ir, ops
from gainsay.families.sql.language.dialect import ColumnType, Extra, IndexKind, Switch, TableFunction, TableKind
from gainsay.families.sql.language.ops import op
from gainsay.families.sql.language.spoken import duckdb
from gainsay.families.sql.language.spoken.ansi import (
    ANSI,
    literals,
    pool,
    respelled,
    shared,
    spelled_literal,
    taken,
    typed_null,
    types,
)
from gainsay.families.sql.meaning import columns, typed
from gainsay.families.sql.meaning.columns import TypedText

TYPES = types(
    "INTEGER", "BIGINT",
    ColumnType("SMALLINT", "int", 2),
    ColumnType("small", "int", 1, setup="CREATE DOMAIN small AS INTEGER CHECK (VALUE < 1000)"),
    "NUMERIC(6, 2)",
    ColumnType("NUMERIC", "dec", 1, exact=False),
    "DOUBLE PRECISION", "REAL",
    ColumnType("TEXT", "text", 5),
    ColumnType("VARCHAR(9)", "text", 2),
    ColumnType("CHAR(3)", "text", 1),
    "BOOLEAN", "DATE", "TIMESTAMP",
    ColumnType("INTERVAL", "interval", 1, exact=False),
    ColumnType("INTEGER[]", "list", 2),
    ColumnType("INT4RANGE", "range", 1),
    ColumnType("JSONB", "json", 2, exact=False),
    "BYTEA",
    ColumnType("mood", "enum", 1, setup="CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')"),
    "BIT(3)",
)  # fmt: skip
LITERALS = {
    **literals(int="INTEGER", dec="NUMERIC"),
    "real": typed_null("DOUBLE PRECISION")
    + pool("real", *(f"{n}::float8" for n in ("0.5", "1.5", "'-0.5'", "1", "0"))),
    **literals(text="TEXT", bool="BOOLEAN", date="DATE", timestamp="TIMESTAMP"),
    "interval": typed_null("INTERVAL")
    + pool("interval", "INTERVAL '1 day'", "INTERVAL '24:00:00'", "INTERVAL '1 month'"),
    "list": typed_null("INTEGER[]")
    + pool("list", "'{}'::INTEGER[]", "ARRAY[1]", "ARRAY[0, 1]", "ARRAY[NULL, 1]", "ARRAY[1, 1, 2]"),
    "range": typed_null("INT4RANGE")
    + pool("range", "'empty'::INT4RANGE", "INT4RANGE(0, 2)", "INT4RANGE(1, NULL)", "INT4RANGE(NULL, 1)"),
    "json": typed_null("JSONB")
    + pool(
        "json", *(f"'{text}'::JSONB" for text in ("null", "1", "1.0", '"a"', "[]", "[1, 2]", '{"a": 1}', '{"a": null}'))
    ),
    "blob": typed_null("BYTEA") + pool("blob", "''::BYTEA", "'a'::BYTEA", "'\\x00'::BYTEA"),
    "enum": typed_null("mood") + pool("enum", "'sad'::mood", "'ok'::mood", "'happy'::mood"),
    "bits": typed_null("BIT(3)") + pool("bits", "B'000'", "B'001'", "B'110'"),
    "extreme": pool("int", "32767", "-32768", "2147483647", "-2147483648", "9223372036854775807"),
}
OPERATORS: ops.Table = {
    **shared("truth", "/"),
    "%": op("int int -> int", "(%s %% NULLIF(%s, 0))", 1, "modulo-zero", group="arithmetic"),
    "round": op("real -> real", "ROUND(%s)", 1, "round-half"),
    **shared("substr"),
    "instr": op("text text -> int", "STRPOS(%s, %s)", 1, "instr-empty"),
    "cast int": op("N -> int", "CAST(%s AS INTEGER)", 1, group="cast"),
    "cast bigint": op("N -> int", "CAST(%s AS BIGINT)", 1),
    **shared("cast real"),
    "cast dec": op("N -> dec", "CAST(%s AS NUMERIC)", 1),
    "cast text": op("T -> text", "CAST(%s AS TEXT)", 1, "cast-real-text", group="cast", plainer="cast int"),
    **shared("bool int", "int bool", "date timestamp", "timestamp date", "ilike"),
    "similar": duckdb.OPERATORS["similar"],
    "~ regexp": op("text -> bool", "(%s ~ '^a')", 1),
    "starts with": duckdb.OPERATORS["starts with"],
    "^@": op("text text -> bool", "(%s ^@ %s)", 1),
    "collate c": op("text -> text", '(%s COLLATE "C")', 1, "collation-rules"),
    **taken(duckdb.OPERATORS, "greatest", "least"),
    "sign": op("real -> real", "SIGN(%s)", 1),
    **taken(duckdb.OPERATORS, "floor", "ceil"),
    **shared("<<"),
    "xor": op("int int -> int", "(%s # %s)", 1, plainer=">>"),
    **taken(duckdb.OPERATORS, "left", "right", "reverse", "md5"),
    "initcap": op("text -> text", "INITCAP(%s)", 1),
    "year": op("D -> int", "CAST(EXTRACT(YEAR FROM %s) AS INTEGER)", 1),
    "month": op("D -> int", "CAST(EXTRACT(MONTH FROM %s) AS INTEGER)", 1),
    "dayofweek": op("D -> int", "CAST(EXTRACT(DOW FROM %s) AS INTEGER)", 1),
    "date diff": op("date date -> int", "(%s - %s)", 1),
    "date plus": op("date int -> date", "(%s + %s)", 1),
    **shared("date trunc", "timestamp plus"),
    "timestamp minus": op("timestamp timestamp -> interval", "(%s - %s)", 1),
    "interval times": op("interval int -> interval", "(%s * %s)", 1),
    "list contains": op("list int -> bool", "(%s @> ARRAY[%s]::INTEGER[])", 2),
    "any": op("int list -> bool", "(%s = ANY (%s))", 2, group="any"),
    "all": op("int list -> bool", "(%s <> ALL (%s))", 1, group="any", plainer="any"),
    "list overlaps": op("list list -> bool", "(%s && %s)", 1),
    "list in": op("list list -> bool", "(%s <@ %s)", 1),
    **shared("list len"),
    "list get": op("list int -> int", "(%s)[%s]", 1),
    **shared("list concat"),
    "list of": op("int int -> list", "ARRAY[%s, %s]::INTEGER[]", 1),
    "range contains": op("range int -> bool", "(%s @> CAST(%s AS INTEGER))", 2, group="range"),
    "range in": op("range range -> bool", "(%s <@ %s)", 1, group="range"),
    "range overlaps": op("range range -> bool", "(%s && %s)", 1, group="range"),
    "range meets": op("range range -> bool", "(%s -|- %s)", 1, group="range"),
    "range times": op("range range -> range", "(%s * %s)", 1, group="range"),
    "range empty": op("range -> bool", "ISEMPTY(%s)", 1, group="range"),
    "range low": op("range -> int", "LOWER(%s)", 1, group="range"),
    "json has": op("json -> bool", "(%s ? 'a')", 2, group="json"),
    "json contains": op("json json -> bool", "(%s @> %s)", 2, group="json"),
    "json get": op("json -> json", "(%s -> 'a')", 2, group="json"),
    "json text": op("json -> text", "(%s ->> 'a')", 1, group="json"),
    "json path": op("json -> bool", "(%s @? '$.a')", 1, group="json"),
    "json type": op("json -> text", "JSONB_TYPEOF(%s)", 1, group="json"),
    "json of": op("T -> json", "TO_JSONB(%s)", 1, group="json"),
    "bits and": op("bits bits -> bits", "(%s & %s)", 1),
    **shared("octets"),
}
SETTINGS = (
    *(
        f"SET enable_{name} = off"
        for name in (
            "seqscan", "indexscan", "indexonlyscan", "bitmapscan", "hashjoin", "mergejoin", "nestloop", "hashagg",
            "sort",
            "material", "memoize", "incremental_sort", "partition_pruning",
        )
    ),
    "SET enable_partitionwise_join = on",
    "SET enable_partitionwise_aggregate = on",
    "SET from_collapse_limit = 1",
    "SET join_collapse_limit = 1",
    "SET geqo_threshold = 2",
    "SET constraint_exclusion = on",
    "SET work_mem = '64kB'",
    "SET plan_cache_mode = force_generic_plan",
    "SET jit = on; SET jit_above_cost = 0",
    "SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0",
)  # fmt: skip
SORTED = frozenset({"int", "dec", "real", "text", "date", "timestamp", "interval", "blob", "bits"})


def partitions(*bounds: str) -> str:
    """The parts of a table, behind its own statement."""
    return "".join(f"; CREATE TABLE {{table}}_{n} PARTITION OF {{table}} {bound}" for n, bound in enumerate(bounds))


OFF = (
    "seqscan", "indexscan", "indexonlyscan", "bitmapscan", "hashjoin", "mergejoin", "nestloop", "hashagg", "sort",
    "material", "memoize", "incremental_sort", "partition_pruning", "tidscan", "presorted_aggregate",
    "group_by_reordering",
    "distinct_reordering", "self_join_elimination", "async_append", "parallel_append", "parallel_hash", "gathermerge",
)  # fmt: skip
SET_TO = {
    "enable_partitionwise_join": "on",
    "enable_partitionwise_aggregate": "on",
    "from_collapse_limit": "1",
    "join_collapse_limit": "1",
    "geqo_threshold": "2",
    "constraint_exclusion": "on",
    "work_mem": "'64kB'",
    "plan_cache_mode": "force_generic_plan",
    "hash_mem_multiplier": "1",
    "jit": "off",
    "cursor_tuple_fraction": "1",
    "random_page_cost": "0",
}
INDEXED = ("indexscan", "indexonlyscan", "bitmapscan", "tidscan")
PLANNED = ("hashjoin", "mergejoin", "hashagg", "material")  # without them: nested loops and sorts


def several(*names: str) -> Switch:
    """Several passes off at once."""
    turned = [f"enable_{name}" for name in names]
    return Switch("; ".join(f"SET {n} = off" for n in turned), "; ".join(f"RESET {n}" for n in turned), is_broad=True)


SWITCHES = {
    **{f"no {name}": Switch(f"SET enable_{name} = off", f"RESET enable_{name}") for name in OFF},
    "no index": several(*INDEXED),
    "plain plans": several(*INDEXED, *PLANNED),
    **{name: Switch(f"SET {name} = {value}", f"RESET {name}") for name, value in SET_TO.items()},
    "compiled": Switch("SET jit = on; SET jit_above_cost = 0", "RESET jit; RESET jit_above_cost"),
    "parallel": Switch(
        "SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0",
        "RESET parallel_setup_cost; RESET parallel_tuple_cost; RESET min_parallel_table_scan_size",
    ),
    "forced parallel": Switch("SET debug_parallel_query = on", "RESET debug_parallel_query"),
}
LACKING = ("glob", "trim", "ltrim", "rtrim")  # of the operators that all share
POSTGRESQL = ANSI.extend(
    "postgresql",
    without=LACKING,
    rules={ir.Lit: spelled_literal},
    operators=ops.with_meanings(
        {
            **{key: row for key, row in ops.ANSI.items() if key not in LACKING},
            **OPERATORS,
            "trim": op("text -> text", "BTRIM(%s)", 1),
        },
        typed.POSTGRESQL,
    ),
    system=TypedText,
    aggregates=ops.with_meanings(aggregates.AGGREGATES, columns.POSTGRESQL),
    types=TYPES,
    literals=LITERALS,
    settings=SETTINGS,
    spell={
        **respelled(DOUBLE="DOUBLE PRECISION"),
        "index key": "parenthesised",
        "INSERT OR IGNORE": "INSERT... ON CONFLICT DO NOTHING",
    },
    unordered=frozenset(),
    # Those that initdb brings; which of them there are depends on the release and on what it was built with.
    collations=('"C"', '"POSIX"', '"ucs_basic"', '"C.utf8"', '"pg_c_utf8"', '"unicode"', '"und-x-icu"', '"en-x-icu"'),
    switches=SWITCHES,
    index_kinds={
        "hash": IndexKind("CREATE INDEX {name} ON {table} USING hash ({keys})", SORTED | {"bool", "json", "enum"}, 1),
        "brin": IndexKind("CREATE INDEX {name} ON {table} USING brin ({keys})", SORTED, chance=0.08),
        "gin": IndexKind(
            "CREATE INDEX {name} ON {table} USING gin ({keys})", frozenset({"list", "json"}), 1, chance=0.5
        ),
        "gist": IndexKind("CREATE INDEX {name} ON {table} USING gist ({keys})", frozenset({"range"}), 1, chance=0.5),
        "spgist": IndexKind("CREATE INDEX {name} ON {table} USING spgist ({keys})", frozenset({"text", "range"}), 1),
        "nulls first": IndexKind("CREATE INDEX {name} ON {table} ({keys} NULLS FIRST)", SORTED, 1, chance=0.08),
    },
    table_kinds={
        "unlogged": TableKind("UNLOGGED ", chance=0.04),
        "temporary": TableKind("TEMPORARY ", chance=0.04),
        "hash partitions": TableKind(
            after=" PARTITION BY HASH ({a})"
            + partitions("FOR VALUES WITH (MODULUS 2, REMAINDER 0)", "FOR VALUES WITH (MODULUS 2, REMAINDER 1)"),
            classes=frozenset({"int", "text", "date"}),
            is_partitioned=True,
        ),
        "range partitions": TableKind(
            after=" PARTITION BY RANGE ({a})"
            + partitions("FOR VALUES FROM (MINVALUE) TO (1)", "FOR VALUES FROM (1) TO (MAXVALUE)", "DEFAULT"),
            classes=frozenset({"int"}),
            is_partitioned=True,
        ),
        "list partitions": TableKind(
            after=" PARTITION BY LIST ({a})" + partitions("FOR VALUES IN (0, NULL)", "FOR VALUES IN (1, 2)", "DEFAULT"),
            classes=frozenset({"int"}),
            is_partitioned=True,
        ),
    },
    table_functions={
        "series": TableFunction("generate_series(GREATEST(%s, -1), LEAST(%s, 3))", ("int", "int"), ("int",), weight=2),
        "unnest": TableFunction("unnest(%s)", ("list",), ("int",), weight=2),
        "unnest numbered": TableFunction("unnest(%s) WITH ORDINALITY", ("list",), ("int", "int")),
        "series of times": TableFunction(
            "generate_series(%s, %s, INTERVAL '10 years')", ("timestamp", "timestamp"), ("timestamp",)
        ),
        "split": TableFunction("regexp_split_to_table(%s, 'a')", ("text",), ("text",)),
        "json elements": TableFunction("jsonb_path_query(%s, '$[*]')", ("json",), ("json",), exact=False),
    },
    extras={
        "statistics": Extra("CREATE STATISTICS {name} ON {a}, {b} FROM {table}", 2, SORTED),
        "child": Extra(
            "CREATE TABLE {name}() INHERITS ({table}); INSERT INTO {name} SELECT * FROM ONLY {table}", is_change=True
        ),
        "analyze": Extra("ANALYZE {table}", chance=0.2),
        "vacuum": Extra("VACUUM {table}"),
        "merge": Extra(
            "MERGE INTO {table} USING (SELECT 1 AS one) AS s ON {table}.{a} IS NULL WHEN MATCHED THEN DELETE",
            1,
            is_change=True,
        ),
        "few statistics": Extra("ALTER TABLE {table} ALTER COLUMN {a} SET STATISTICS 1; ANALYZE {table}", 1),
        "one distinct value": Extra("ALTER TABLE {table} ALTER COLUMN {a} SET (n_distinct = 1); ANALYZE {table}", 1),
        "parallel workers": Extra("ALTER TABLE {table} SET (parallel_workers = 2)"),
    },
    probes={
        "stmt:INSERT OR IGNORE": (
            "CREATE TABLE x6(c0 INT PRIMARY KEY)",
            "INSERT INTO x6(c0) VALUES (1), (1) ON CONFLICT DO NOTHING",
        ),
        "clause:lateral": ("SELECT d.c0 FROM p CROSS JOIN LATERAL (SELECT l0.k + p.k FROM p AS l0) AS d(c0)",),
        "clause:distinct on": ("SELECT DISTINCT ON (k) k FROM p ORDER BY k",),
        "index:include": ("CREATE INDEX y5 ON p(k) INCLUDE (k)",),
        "stmt:materialized view": ("CREATE MATERIALIZED VIEW z1(c0) AS SELECT k FROM p",),
    },
)
COCKROACHDB = POSTGRESQL.extend(
    "cockroachdb",
    system=None,
    without=("json path", "range contains", "range in", "range overlaps", "range meets", "range times", "range empty"),
    types=tuple(t for t in TYPES if t.cls not in ("range",)),
    settings=("SET distsql = off", "SET vectorize = off", "SET reorder_joins_limit = 0"),
    switches={
        "row by row": Switch("SET vectorize = off", "RESET vectorize"),
        "no distribution": Switch("SET distsql = off", "RESET distsql"),
        "no reordering": Switch("SET reorder_joins_limit = 0", "RESET reorder_joins_limit"),
        "no zigzag join": Switch("SET enable_zigzag_join = off", "RESET enable_zigzag_join"),
        "no statistics": Switch("SET optimizer_use_histograms = off", "RESET optimizer_use_histograms"),
    },
)

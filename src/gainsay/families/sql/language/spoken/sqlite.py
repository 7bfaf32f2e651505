"""SQLite's dialect: any value may stand anywhere."""

from __future__ import annotations

from gainsay.families.sql.language import aggregates, ops
from gainsay.families.sql.language.dialect import ColumnType, Extra, SqlDialect, Switch, TableKind
from gainsay.families.sql.language.ops import op
from gainsay.families.sql.language.spoken.ansi import BOOLS, INTS, NULLS, REALS, TEXTS, pool, shared
from gainsay.families.sql.language.writer import RULES
from gainsay.families.sql.meaning import dates, functions, loose, sqlite
from gainsay.families.sql.meaning.sqlite import Loose

MODIFIED = (
    ("date", "+1 day"), ("date", "+1 month"), ("date", "start of month"), ("date", "weekday 0"),
    ("datetime", "-90 minutes"), ("datetime", "start of year"),
)  # fmt: skip
# A JSON function, of an array or object that is made of the operands: most other texts would be an error. All operands
# are made text, since a BLOB is an error too
JSON_FUNCTIONS = {
    "json": ("T", "JSON(JSON_ARRAY({}))"),
    "json length": ("T T", "JSON_ARRAY_LENGTH(JSON_ARRAY({}, {}))"),
    "json second": ("T T", "JSON_EXTRACT(JSON_ARRAY({}, {}), '$[1]')"),
    "json kind": ("T", "JSON_TYPE(JSON_ARRAY({}), '$[0]')"),
    "json object": ("T", "JSON_OBJECT('a', {})"),
    "json remove": ("T T", "JSON_REMOVE(JSON_ARRAY({}, {}), '$[0]')"),
    "json insert": ("T T", "JSON_INSERT(JSON_ARRAY({}), '$[1]', {})"),
    "json replace": ("T T", "JSON_REPLACE(JSON_ARRAY({}), '$[0]', {})"),
    "json set": ("T T", "JSON_SET(JSON_ARRAY({}), '$[1]', {})"),
    "json patch": ("T T", "JSON_PATCH(JSON_OBJECT('a', {}), JSON_OBJECT('b', {}))"),
}
OPERATORS: ops.Table = {
    "truth": op("bool -> int", "(%s IS TRUE)", 0),
    "is": op("T T -> bool", "(%s IS %s)", 3, group="is", plainer="<>", turned="is", opposite="is not"),
    "is not": op("T T -> bool", "(%s IS NOT %s)", 3, group="is", plainer="is", turned="is not", opposite="is"),
    "isnull": op("T -> bool", "(%s ISNULL)", 1, exact=True, group="null test", plainer="is not null"),
    "notnull": op("T -> bool", "(%s NOTNULL)", 2, exact=True, group="null test", plainer="isnull"),
    "ilike": op("text text -> bool", "(%s LIKE %s)", 3, "like-blob", group="pattern"),
    "glob": op("text text -> bool", "(%s GLOB %s)", 3, "like-blob", group="pattern", plainer="like"),
    "/": op("N N -> real", "(%s / %s)", 2, "division real-digits", group="arithmetic"),
    "+x": op("T -> T", "(+ %s)", 1),
    **shared("<<"),
    ">>": op("int int -> int", "(%s >> %s)", 1, group="arithmetic", plainer="<<"),
    "collate binary": op(
        "text -> text", "(%s COLLATE BINARY)", 1, "collation-rules", group="collate", plainer="collate rtrim"
    ),
    "collate nocase": op("text -> text", "(%s COLLATE NOCASE)", 2, "collation-rules", group="collate"),
    "collate rtrim": op(
        "text -> text", "(%s COLLATE RTRIM)", 1, "collation-rules", group="collate", plainer="collate nocase"
    ),
    "cast int": op("T -> int", "CAST(%s AS INTEGER)", 2, "cast-text", group="cast"),
    "cast text": op("T -> text", "CAST(%s AS TEXT)", 2, "cast-real-text", group="cast", plainer="cast int"),
    "cast real": op("T -> real", "CAST(%s AS REAL)", 1, "cast-text", group="cast", plainer="cast numeric"),
    "cast blob": op("T -> blob", "CAST(%s AS BLOB)", 1, group="cast", plainer="cast real"),
    "cast numeric": op("T -> real", "CAST(%s AS NUMERIC)", 1, "cast-text", group="cast", plainer="cast text"),
    "min": op("T T -> T", "MIN(%s, %s)", 1),
    "max": op("T T -> T", "MAX(%s, %s)", 1, plainer="min"),
    **shared("ifnull"),
    "iif": op("bool T T -> T", "IIF(%s, %s, %s)", 1, group="case", plainer="case"),
    "typeof": op("T -> text", "TYPEOF(%s)", 2, "type-names"),
    "hex": op("T -> text", "HEX(%s)", 1, "hex-null"),
    "quote": op("T -> text", "QUOTE(%s)", 1),
    **shared("unicode", "sign"),
    "zeroblob": op("-> blob", "ZEROBLOB(1)", 1),
    "likely": op("T -> T", "LIKELY(%s)", 1, group="likely"),
    "unlikely": op("T -> T", "UNLIKELY(%s)", 1, group="likely", plainer="likely"),
    "likelihood": op("T -> T", "LIKELIHOOD(%s, 0.5)", 1, group="likely", plainer="unlikely"),
    "date": op("text -> text", "DATE(%s)", 1),
    "julianday": op("text -> real", "JULIANDAY(%s)", 1, "real-digits", group="date"),
    "strftime": op("text -> text", "STRFTIME('%%Y', %s)", 1, group="date", plainer="date"),
    "strftime day": op("text -> text", "STRFTIME('%%d/%%m', %s)", 1, group="date", plainer="date"),
    "time": op("text -> text", "TIME(%s)", 1, group="date", plainer="date"),
    "datetime": op("text -> text", "DATETIME(%s)", 1, group="date", plainer="date"),
    **{
        f"{name} {modifier}": op("text -> text", f"{name.upper()}(%s, '{modifier}')", 1, group="date", plainer=name)
        for name, modifier in MODIFIED
    },
    "like escape": op(
        "text text -> bool", "(%s LIKE %s ESCAPE 'a')", 1, "like-blob", group="pattern", plainer="not like"
    ),
    "like call": op("text text -> bool", "LIKE(%s, %s)", 1, "like-blob", group="pattern", plainer="like"),
    "glob call": op("text text -> bool", "GLOB(%s, %s)", 1, "like-blob", group="pattern", plainer="glob"),
    "like prefix": op("text -> bool", "(%s LIKE 'a%%')", 2, "like-blob", group="pattern"),
    "glob prefix": op("text -> bool", "(%s GLOB 'a*')", 1, "like-blob", group="pattern", plainer="like prefix"),
    **shared("printf", "concat"),
    "concat ws": op("text text text -> text", "CONCAT_WS(%s, %s, %s)", 1),
    "char": op("int int -> text", "CHAR(%s, %s)", 1),
    "min 3": op("T T T -> T", "MIN(%s, %s, %s)", 1, group="min"),
    "max 3": op("T T T -> T", "MAX(%s, %s, %s)", 1, group="max"),
    **shared("coalesce 3"),
    "trim 2": op("text text -> text", "TRIM(%s, %s)", 1, group="trim"),
    "ltrim 2": op("text text -> text", "LTRIM(%s, %s)", 1, group="ltrim"),
    "rtrim 2": op("text text -> text", "RTRIM(%s, %s)", 1, group="rtrim"),
    "round 2": op("real int -> real", "ROUND(%s, %s)", 1, "round-half", group="round"),
    "substr 2": op("text int -> text", "SUBSTR(%s, %s)", 1, "substr-negative", group="substr"),
    "octet length": op("text -> int", "OCTET_LENGTH(%s)", 1, plainer="length"),
    **shared("floor", "ceil"),
    "trunc": op("real -> real", "TRUNC(%s)", 1, plainer="floor"),
    **shared("sqrt"),
    "json array": op("T T -> text", "JSON_ARRAY(%s, %s)", 1, group="json"),
    "json quote": op("T -> text", "JSON_QUOTE(%s)", 1, group="json"),
    **{
        name: op(
            f"{args} -> {'int' if name == 'json length' else 'text'}",
            text.replace("{}", "(%s || '')"),
            1,
            group="json",
            plainer="json array" if " " in args else "json quote",
        )
        for name, (args, text) in JSON_FUNCTIONS.items()
    },
    # Read and not drawn: of NULL it is 0 in older releases, and NULL in newer ones
    "json valid": op("text -> bool", "JSON_VALID(%s)", 0, group="json"),
    "row between": op(
        "T U T U T U -> bool", "((%s, %s) BETWEEN (%s, %s) AND (%s, %s))", 1, "row-null", group="row value"
    ),
    "row = of 3": op("T U T T U T -> bool", "((%s, %s, %s) = (%s, %s, %s))", 1, "row-null", group="row value"),
    "row < of 3": op(
        "T U T T U T -> bool", "((%s, %s, %s) < (%s, %s, %s))", 1, "row-null", group="row value", plainer="row = of 3"
    ),
    "in 0": op("T -> bool", "(%s IN ())", 1, group="in"),
}
# Small on purpose: literals must collide with stored values and with each other.
LITERALS = {
    "any": NULLS
    + INTS
    + INTS
    + TEXTS
    + pool("text", "'-1'", "'1.0'", "'0.5'", "'%'", "'a%'", "'./'", "'*'", "'B'", "'-0.0'", "'1E1'", "' 1'")
    + REALS
    + pool("text", "'2000-01-31'", "'12:30'", "'ä'")
    + pool("int", "0x1")
    + pool("blob", "x''", "x'61'", "x'31'")
    + BOOLS,
    "extreme": pool("int", "9223372036854775807", "-9223372036854775808", "9007199254740993", "2147483648")
    + pool("real", "1e300", "9.2e18", "-1e300", "1e-300", "1e500")
    + pool("text", "'9223372036854775807'", "'1e500'"),
    "int": INTS,
    "real": REALS,
    "text": TEXTS,
    "bool": BOOLS,
}
TYPES = (
    ColumnType("", "any", 4, exact=False),
    ColumnType("INT", "any", 3),
    ColumnType("INTEGER", "any", 2),
    ColumnType("TEXT", "any", 4),
    ColumnType("REAL", "any", 3),
    ColumnType("BLOB", "any", 1, exact=False),
    ColumnType("NUMERIC", "any", 2),
)
SETTINGS = (
    "PRAGMA automatic_index = 0",
    "PRAGMA reverse_unordered_selects = 1",
    "PRAGMA cell_size_check = 1",
    "PRAGMA recursive_triggers = 1",
    "PRAGMA encoding = 'UTF-16le'",
    "PRAGMA legacy_file_format = 0",
    "PRAGMA cache_size = 1",
    "PRAGMA threads = 2",
    "PRAGMA auto_vacuum = FULL",
    "PRAGMA cache_spill = 0",
    "PRAGMA journal_mode = MEMORY",
    "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA mmap_size = 4096",
    "PRAGMA page_size = 512",
    "PRAGMA secure_delete = ON",
    "PRAGMA synchronous = OFF",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA wal_autocheckpoint = 1",
    "PRAGMA incremental_vacuum",
    "PRAGMA optimize",
    "PRAGMA short_column_names = 0",
    "PRAGMA shrink_memory",
)

# Bits of sqlite3_test_control(SQLITE_TESTCTRL_OPTIMIZATIONS), by the names that SQLite's own source gives them
OPTIMIZATIONS = {
    "query flattener": 0x1, "window functions": 0x2, "group by order": 0x4, "factor out constants": 0x8,
    "distinct": 0x10, "covering index scan": 0x20, "order by index join": 0x40, "transitive": 0x80,
    "omit no-op join": 0x100, "count of view": 0x200, "stat4": 0x800, "push down": 0x1000, "simplify join": 0x2000,
    "skip scan": 0x4000, "propagate constants": 0x8000, "min max": 0x10000, "seek scan": 0x20000,
    "omit order by": 0x40000, "bloom filter": 0x80000, "bloom pulldown": 0x100000, "balanced merge": 0x200000,
    "flatten union all": 0x800000, "indexed expression": 0x1000000, "coroutines": 0x2000000,
    "null unused columns": 0x4000000, "one pass": 0x8000000, "order by subquery": 0x10000000, "star query": 0x20000000,
}  # fmt: skip
SWITCHES = {
    **{
        f"no {name}": Switch(f".testctrl optimizations {mask:#x}", ".testctrl optimizations 0x0")
        for name, mask in OPTIMIZATIONS.items()
    },
    "no all optimizations": Switch(".testctrl optimizations 0xffffffff", ".testctrl optimizations 0x0", is_broad=True),
    "not indexed": Switch(hint="NOT INDEXED", is_broad=True),
    "indexed": Switch(hint="INDEXED BY {index}"),
    "indexed otherwise": Switch(hint="INDEXED BY {index}", is_last=True),
    "no automatic index": Switch("PRAGMA automatic_index = 0", "PRAGMA automatic_index = 1"),
    "reverse": Switch("PRAGMA reverse_unordered_selects = 1", "PRAGMA reverse_unordered_selects = 0"),
}

FTS_OPTIONS = {
    "fts4": (
        "tokenize=porter", 'prefix="1,2"', "order=desc", "matchinfo=fts3", "notindexed=c1", 'languageid="l0"',
    ),
    "fts5": (
        "tokenize='porter ascii'", "prefix='1 2'", "columnsize=0", "detail=none", "detail=column", "content=''",
    ),
}  # fmt: skip
# What a full-text table is told by an INSERT
COMMANDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "fts4": (("'optimize'",), ("'rebuild'",), ("'merge=4,2'",), ("'automerge=2'",), ("'integrity-check'",)),
    "fts5": (
        ("'optimize'",), ("'rebuild'",), ("'integrity-check'",), ("'automerge'", "4"), ("'merge'", "16"),
        ("'pgsz'", "64"), ("'rank'", "'bm25(10.0, 5.0)'"),
    ),
}  # fmt: skip
# Foreign keys are asked for only where a setting says so.
PROBES: dict[str, tuple[str, ...]] = {
    "virtual:fts4": ("CREATE VIRTUAL TABLE v4 USING fts4(c0, c1)",),
    "virtual:rtree_i32": ("CREATE VIRTUAL TABLE vi USING rtree_i32(c0, c1, c2)",),
    "virtual:rtree auxiliary": ("CREATE VIRTUAL TABLE va USING rtree(c0, c1, c2, +c3)",),
    "virtual:fts5 unindexed": ("CREATE VIRTUAL TABLE vu USING fts5(c0, c1 UNINDEXED)",),
    **{
        f"virtual:{module} {option}": (f"CREATE VIRTUAL TABLE vo{module}{number} USING {module}(c0, c1, {option})",)
        for module, options in FTS_OPTIONS.items()
        for number, option in enumerate(options)
    },
    "table:foreign key": (
        "PRAGMA foreign_keys = ON",
        "CREATE TABLE x23(c0 INT PRIMARY KEY)",
        "CREATE TABLE x24(c0 INT, FOREIGN KEY (c0) REFERENCES x23(c0) ON DELETE CASCADE)",
        "INSERT INTO x23(c0) VALUES (1), (2)",
        "INSERT INTO x24(c0) VALUES (1), (2)",
        "DELETE FROM x23 WHERE c0 = 2",
    ),
}

SQLITE = SqlDialect(
    "sqlite",
    RULES,
    ops.with_meanings({**ops.ANSI, **OPERATORS}, {**loose.MEANINGS, **functions.MEANINGS, **dates.MEANINGS}),
    TYPES,
    LITERALS,
    SETTINGS,
    loose=True,
    spell={"foreign keys": "PRAGMA foreign_keys = ON"},
    switches=SWITCHES,
    probes=PROBES,
    table_kinds={"temporary": TableKind("TEMP ", chance=0.04)},
    extras={"analyze": Extra("ANALYZE {table}", chance=0.03), "reindex": Extra("REINDEX {table}", chance=0.02)},
    system=Loose,
    aggregates=ops.with_meanings(aggregates.AGGREGATES, sqlite.AGGREGATES),
    precedence="sqlite",
)

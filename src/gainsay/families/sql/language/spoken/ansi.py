"""What dialects share: literals that collide, and the types that mean the same everywhere."""

from __future__ import annotations

from gainsay.families.sql.language import ir, ops
from gainsay.families.sql.language.dialect import ColumnType, SqlDialect
from gainsay.families.sql.language.ops import op
from gainsay.families.sql.language.writer import RULES


def pool(kind: str, *texts: str) -> tuple[ir.Lit, ...]:
    return tuple(ir.Lit(kind, t) for t in texts)


NULLS = pool("null", "NULL")
INTS = pool("int", "0", "1", "-1", "2", "3")
REALS = pool("real", "0.5", "1.5", "-0.5", "1.0", "0.0")
TEXTS = pool("text", "''", "'a'", "'A'", "'b'", "'1'", "'0'", "'a '")
BOOLS = pool("bool", "TRUE", "FALSE")
HALVES = ("0.5", "1.5", "-0.5", "1", "0")  # numbers that a dialect says as reals or decimals in its own way
# The ends of what some types hold
EXTREMES = pool("int", "127", "-128", "32767", "2147483647", "-2147483648", "9223372036854775807")

# What two engines with other type systems share: the same spelling means the same type.
COMMON_TYPES = (
    ColumnType("BIGINT", "int", 3),
    ColumnType("TEXT", "text", 3),
    ColumnType("DOUBLE", "real", 2, exact=False),
)
# Types that several dialects have, each the same in all: a dialect takes over those that it has
TYPES = {
    row.text: row
    for row in (
        ColumnType("INTEGER", "int", 5),
        ColumnType("INT", "int", 5),
        ColumnType("BIGINT", "int", 3),
        ColumnType("SMALLINT", "int", 1),
        ColumnType("TINYINT", "int", 1),
        ColumnType("DECIMAL(6, 2)", "dec", 2),
        ColumnType("DECIMAL(18, 3)", "dec", 1),
        ColumnType("NUMERIC(6, 2)", "dec", 2),
        ColumnType("DOUBLE", "real", 3, exact=False),
        ColumnType("DOUBLE PRECISION", "real", 3, exact=False),
        ColumnType("REAL", "real", 1, exact=False),
        ColumnType("FLOAT", "real", 1, exact=False),
        ColumnType("VARCHAR", "text", 6),
        ColumnType("BOOLEAN", "bool", 3),
        ColumnType("DATE", "date", 2),
        ColumnType("TIMESTAMP", "timestamp", 2),
        ColumnType("TIME", "time", 1),
        ColumnType("INTERVAL DAY TO SECOND", "interval", 1),
        ColumnType("BYTEA", "blob", 1),
        ColumnType("VARBINARY(5)", "blob", 1),
        ColumnType("BIT(3)", "bits", 1),
    )
}


def types(*listed: str | ColumnType) -> tuple[ColumnType, ...]:
    """The types of a dialect, in this order: its own, and by name those of others too."""
    return tuple(TYPES[each] if isinstance(each, str) else each for each in listed)


LITERALS = {"int": NULLS + INTS, "real": NULLS + REALS, "text": NULLS + TEXTS, "bool": NULLS + BOOLS}
ANSI = SqlDialect("ansi", RULES, ops.ANSI, COMMON_TYPES, LITERALS, (), loose=False, spell={})


def respelled(**texts: str) -> dict[str, str]:
    """How shared literals and types are said in a dialect that has another word for a type: `DOUBLE="..."`."""
    found: dict[str, str] = {}
    for word, other in texts.items():
        found[word] = other
        found |= {f"CAST({n} AS {word})": f"CAST({n} AS {other})" for n in HALVES}
    return found


def spelled_literal(d: SqlDialect, n: ir.Lit) -> str:
    """A literal in a dialect that says some of them otherwise."""
    return d.spell.get(n.text, n.text)


def typed_null(type_text: str) -> tuple[ir.Lit, ...]:
    return pool("null", f"CAST(NULL AS {type_text})")


# Literals that several dialects have. Of the texts, LIKE takes some for patterns.
POOLS = {
    "int": INTS + INTS,
    "dec": pool("dec", "0.5", "1.5", "-0.5", "1.00", "0.00"),
    "real": REALS,
    "text": TEXTS + pool("text", "'%'", "'a%'", "'B'"),
    "bool": BOOLS + BOOLS,
    "date": pool("date", *(f"DATE '{day}'" for day in ("1970-01-01", "2000-02-29", "2000-03-01", "1969-12-31"))),
    "timestamp": pool(
        "timestamp",
        *(f"TIMESTAMP '{time}'" for time in ("1970-01-01 00:00:00", "2000-02-29 12:30:00", "2000-02-29 00:00:00")),
    ),
}


def literals(**types: str) -> dict[str, tuple[ir.Lit, ...]]:
    """Literals of these classes, as several dialects have them, with a NULL of the type that is named for each."""
    return {cls: typed_null(text) + POOLS[cls] for cls, text in types.items()}


# Operators that several dialects have, and not all: a dialect takes over those that it spells so
SHARED: ops.Table = {
    "list of": op("int int -> list", "[%s, %s]", 1),
    "cast text": op("T -> text", "CAST(%s AS VARCHAR)", 1, "cast-real-text", group="cast", plainer="cast int"),
    "truth": op("bool -> int", "CAST(%s IS TRUE AS INTEGER)", 0),
    "ilike": op("text text -> bool", "(%s ILIKE %s)", 2, "like-blob", group="pattern"),
    "ifnull": op("T T -> T", "IFNULL(%s, %s)", 1, plainer="coalesce"),
    "sign": op("N -> int", "SIGN(%s)", 1),
    "floor": op("real -> real", "FLOOR(%s)", 1),
    "ceil": op("real -> real", "CEIL(%s)", 1),
    "year": op("D -> int", "YEAR(%s)", 1),
    "month": op("D -> int", "MONTH(%s)", 1),
    "dayofweek": op("D -> int", "DAYOFWEEK(%s)", 1),
    "date trunc": op("timestamp -> timestamp", "DATE_TRUNC('hour', %s)", 1),
    "concat": op("text text -> text", "CONCAT(%s, %s)", 1),
    "sqrt": op("real -> real", "SQRT(%s)", 1, "real-digits"),
    "bit count": op("int -> int", "BIT_COUNT(%s)", 1),
    "unicode": op("text -> int", "UNICODE(%s)", 1),
    "printf": op("text -> text", "PRINTF('%%s', %s)", 1, "printf-null"),
    "coalesce 3": op("T T T -> T", "COALESCE(%s, %s, %s)", 1, group="coalesce"),
    "/": op("N N -> N", "(%s / NULLIF(%s, 0))", 1, "division real-digits", group="arithmetic"),
    "cast int": op("N -> int", "CAST(%s AS INTEGER)", 1, "round-half", group="cast"),
    "cast bigint": op("N -> int", "CAST(%s AS BIGINT)", 1, "round-half"),
    "cast real": op("N -> real", "CAST(%s AS DOUBLE PRECISION)", 1, group="cast", plainer="cast numeric"),
    "bool int": op("bool -> int", "CAST(%s AS INTEGER)", 1),
    "int bool": op("int -> bool", "CAST(%s AS BOOLEAN)", 1),
    "date timestamp": op("date -> timestamp", "CAST(%s AS TIMESTAMP)", 1),
    "timestamp date": op("timestamp -> date", "CAST(%s AS DATE)", 1),
    "char length": op("text -> int", "CHAR_LENGTH(%s)", 1),
    "octets": op("blob -> int", "OCTET_LENGTH(%s)", 1),
    "date diff": op("date date -> int", "DATEDIFF('DAY', %s, %s)", 1),
    "timestamp plus": op("timestamp interval -> timestamp", "(%s + %s)", 1),
    "list len": op("list -> int", "CARDINALITY(%s)", 2),
    "list concat": op("list list -> list", "(%s || %s)", 1),
    "substr": op("text int -> text", "SUBSTR(%s, %s)", 1, "substr-negative"),
    "<<": op("int int -> int", "(%s << %s)", 1, group="arithmetic", plainer="|"),
}


def taken(table: ops.Table, *names: str) -> ops.Table:
    """Rows of a table, of another dialect perhaps, in this order."""
    return {name: table[name] for name in names}


def shared(*names: str) -> ops.Table:
    """Rows of other dialects too, in this order."""
    return taken(SHARED, *names)

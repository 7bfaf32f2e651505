"""Dialects of servers that speak PostgreSQL's protocol: its SQL where they take it, and no meaning that is taken for
granted."""

from __future__ import annotations

from gainsay.families.sql.language.dialect import ColumnType
from gainsay.families.sql.language.spoken.ansi import BOOLS, INTS, TEXTS, pool
from gainsay.families.sql.language.spoken.postgresql import POSTGRESQL

PGWIRE = POSTGRESQL.extend("pgwire", system=None)
# questdb.com/docs/reference/sql/datatypes: no DECIMAL, no lists of integers, and its own names
TYPES = (
    ColumnType("INT", "int", 5),
    ColumnType("LONG", "int", 3),
    ColumnType("SHORT", "int", 2),
    ColumnType("DOUBLE", "real", 3, exact=False),
    ColumnType("VARCHAR", "text", 5),
    ColumnType("STRING", "text", 2),
    ColumnType("SYMBOL", "text", 2),
    ColumnType("BOOLEAN", "bool", 3),
)
LITERALS = {
    "int": pool("null", "CAST(NULL AS INT)") + INTS + INTS,
    "real": pool("null", "CAST(NULL AS DOUBLE)") + pool("real", "0.5", "1.5", "-0.5", "1.0", "0.0"),
    "text": pool("null", "CAST(NULL AS VARCHAR)") + TEXTS + pool("text", "'%'", "'a%'", "'B'"),
    "bool": BOOLS,
    "extreme": pool("int", "32767", "-32768", "2147483647"),
}
QUESTDB = PGWIRE.extend(
    "questdb",
    without=(*POSTGRESQL.switches, *POSTGRESQL.extras, *POSTGRESQL.table_kinds, *POSTGRESQL.index_kinds),
    types=TYPES,
    literals=LITERALS,
    settings=(),
    spell={"INTEGER": "INT"},
)

"""Dialects of servers that speak PostgreSQL's protocol: its SQL where they take it, and no meaning that is taken for
granted."""

from __future__ import annotations

from gainsay.families.sql.language.dialect import ColumnType
from gainsay.families.sql.language.spoken.ansi import BOOLS, literals, pool, types
from gainsay.families.sql.language.spoken.postgresql import POSTGRESQL

PGWIRE = POSTGRESQL.extend("pgwire", system=None)
# questdb.com/docs/reference/sql/datatypes: no DECIMAL, no lists of integers, and its own names
TYPES = types(
    "INT",
    ColumnType("LONG", "int", 3),
    ColumnType("SHORT", "int", 2),
    "DOUBLE",
    ColumnType("VARCHAR", "text", 5),
    ColumnType("STRING", "text", 2),
    ColumnType("SYMBOL", "text", 2),
    "BOOLEAN",
)  # fmt: skip
LITERALS = {
    **literals(int="INT", real="DOUBLE", text="VARCHAR"),
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

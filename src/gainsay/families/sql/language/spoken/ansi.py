"""What dialects share: literals that collide, and the types that mean the same everywhere."""

from __future__ import annotations

from gainsay.families.sql.language import ir
from gainsay.families.sql.language.dialect import ColumnType


def pool(kind: str, *texts: str) -> tuple[ir.Lit, ...]:
    return tuple(ir.Lit(kind, t) for t in texts)


NULLS = pool("null", "NULL")
INTS = pool("int", "0", "1", "-1", "2", "3")
REALS = pool("real", "0.5", "1.5", "-0.5", "1.0", "0.0")
TEXTS = pool("text", "''", "'a'", "'A'", "'b'", "'1'", "'0'", "'a '")
BOOLS = pool("bool", "TRUE", "FALSE")

# What two engines with other type systems share: the same spelling means the same type.
COMMON_TYPES = (
    ColumnType("BIGINT", "int", 3),
    ColumnType("TEXT", "text", 3),
    ColumnType("DOUBLE", "real", 2, exact=False),
)

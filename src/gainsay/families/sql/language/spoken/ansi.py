"""What dialects share: literals that collide, and the types that mean the same everywhere."""

from __future__ import annotations

from gainsay.families.sql.language import ir, ops
from gainsay.families.sql.language.dialect import ColumnType, SqlDialect
from gainsay.families.sql.language.writer import RULES


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
LITERALS = {"int": NULLS + INTS, "real": NULLS + REALS, "text": NULLS + TEXTS, "bool": NULLS + BOOLS}
ANSI = SqlDialect("ansi", RULES, ops.ANSI, COMMON_TYPES, LITERALS, (), loose=False, spell={})


def respelled(**texts: str) -> dict[str, str]:
    """How shared literals and types are said in a dialect that has another word for a type: `DOUBLE="..."`."""
    found: dict[str, str] = {}
    for word, other in texts.items():
        found[word] = other
        found |= {f"CAST({n} AS {word})": f"CAST({n} AS {other})" for n in ("0.5", "1.5", "-0.5", "1", "0")}
    return found


def spelled_literal(d: SqlDialect, n: ir.Lit) -> str:
    """A literal in a dialect that says some of them otherwise."""
    return d.spell.get(n.text, n.text)


def typed_null(type_text: str) -> tuple[ir.Lit, ...]:
    return pool("null", f"CAST(NULL AS {type_text})")

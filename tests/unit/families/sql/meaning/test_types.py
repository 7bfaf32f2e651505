"""What two engines with other type systems may be compared on."""

import pytest

from gainsay.families.sql.language import ir
from gainsay.families.sql.language.dialects import DUCKDB
from gainsay.families.sql.meaning.types import is_typed
from gainsay.oracles.differential import Recipe

T = ir.CreateTable("t0", (ir.Column("c0", "BIGINT", "int", unique=True), ir.Column("c1", "TEXT", "text")))
C0, C1 = ir.Col("t0", "c0"), ir.Col("t0", "c1")
ONE, A = ir.Lit("int", "1"), ir.Lit("text", "'a'")


def asked(where, *source):
    return Recipe(ir.Select((C0,), source or (ir.Join("t0"),), where))


@pytest.mark.parametrize(
    ("where", "legal"),
    [
        (ir.Op("=", (C0, ONE)), True),
        (ir.Op("=", (C0, A)), False),  # SQLite would convert by affinity, DuckDB would cast
        (ir.Op("=", (C1, A)), True),
        (ir.Op("=", (C1, ir.NULL)), True),
        (ir.Op("lower", (C0,)), False),
        (C0, False),  # an integer is no condition
        (ir.Op("and", (ir.TRUE, ir.Op("is null", (C1,)))), True),
    ],
)
def test_only_well_typed_conditions_are_compared(where, legal):
    assert is_typed(ir.Scene((T,)), asked(where), DUCKDB, is_mixed=True) is legal


def test_a_comma_binds_differently_elsewhere():
    source = (ir.Join("t0"), ir.Join("t0", ",", alias="a1"))
    assert not is_typed(ir.Scene((T,)), asked(ir.TRUE, *source), DUCKDB, is_mixed=True)
    assert is_typed(ir.Scene((T,)), asked(ir.TRUE, *source), DUCKDB, is_mixed=False)


def test_rows_of_one_insert_must_not_conflict_with_each_other():
    for second, legal in ((ONE, False), (ir.NULL, True), (ir.Lit("int", "2"), True)):
        insert = ir.Insert("t0", ("c0",), (ir.Values((ONE,)), ir.Values((second,))), "INSERT OR IGNORE")
        assert is_typed(ir.Scene((T, insert)), asked(ir.TRUE), DUCKDB, is_mixed=True) is legal

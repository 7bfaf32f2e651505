"""What a text is made of, for the page of a hunt."""

import pytest

from gainsay.core.registry import family
from gainsay.families.sql.language import dialects, features, ir

COLUMN = ir.Col("t0", "c0")
ONE = ir.Lit("int", "1")


def test_a_query_tells_its_clauses_operators_and_joins():
    query = ir.Select(
        (ir.Agg("sum", COLUMN),), (ir.Join("t0"), ir.Join("t1", "LEFT JOIN", ONE)), ir.Op("=", (COLUMN, ONE)),
        group=(COLUMN,), ctes=(ir.Cte("x", (), ir.Select((ONE,))),), limit=ONE,
    )  # fmt: skip
    assert set(features.uses(query)) == {
        "op:=", "join:LEFT JOIN", "aggregate:sum", "clause:WHERE", "clause:GROUP BY", "clause:WITH", "clause:LIMIT"
    }  # fmt: skip
    assert "clause:UNION" in set(features.uses(ir.Compound("UNION", (query, query))))


def test_statements_tell_what_they_are_and_their_types():
    made = ir.CreateTable("t0", (ir.Column("c0", "INT", primary=True), ir.Column("c1")), strict=True)
    assert set(features.uses(made)) == {
        "statement:CREATE TABLE", "type:INT", "type:", "column:primary", "table:strict"
    }  # fmt: skip
    assert set(features.uses(ir.Setting("PRAGMA x = 1"))) == {"setting:PRAGMA x = 1"}
    assert set(features.uses(ir.Mark("ROLLBACK TO s0"))) == {"statement:ROLLBACK"}
    index = ir.CreateIndex("i0", "t0", (ir.IndexKey(ir.Op("+", (COLUMN, ONE)), desc=True),), where=COLUMN)
    assert set(features.uses(index)) == {
        "statement:CREATE INDEX", "op:+", "index:expression", "index:desc", "index:partial"
    }  # fmt: skip


def test_a_probed_feature_has_a_row_only_where_every_draw_of_it_is_told():
    sql = family("sql")
    assert (sql.row_of("op:="), sql.row_of("join:LEFT JOIN")) == ("op:=", "join:LEFT JOIN")
    assert (sql.row_of("stmt:view"), sql.row_of("agg:sum")) == ("statement:CREATE VIEW", "aggregate:sum")
    assert (sql.row_of("join:no on"), sql.row_of("clause:correlated"), sql.row_of("switch:x")) == ("", "", "")


@pytest.mark.parametrize("dialect", sorted(dialects.DIALECTS))
def test_an_operator_is_one_row_whatever_it_was_probed_with(dialect):
    sql, spoken = family("sql"), dialects.find(dialect)
    probed = [probe.feature for probe in sql.probes(dialect) if probe.feature.startswith("op:")]
    assert len(probed) > 50
    assert {sql.row_of(feature) for feature in probed} <= {f"op:{name}" for name in spoken.operators}

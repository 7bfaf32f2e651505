"""What a text is made of, for the page of a hunt."""

from gainsay.core.registry import family
from gainsay.families.sql.language import features, ir

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
    made = ir.CreateTable("t0", (ir.Column("c0", "INT"), ir.Column("c1")))
    assert set(features.uses(made)) == {"statement:CREATE TABLE", "type:INT", "type:"}
    assert set(features.uses(ir.Setting("PRAGMA x = 1"))) == {"setting:PRAGMA x = 1"}


def test_a_probed_feature_has_a_row_only_where_every_draw_of_it_is_told():
    sql = family("sql")
    assert (sql.row_of("op:="), sql.row_of("join:LEFT JOIN")) == ("op:=", "join:LEFT JOIN")
    assert (sql.row_of("join:no on"), sql.row_of("clause:correlated"), sql.row_of("stmt:view")) == ("", "", "")

"""The NoREC paper's corner cases (section 3.4): what is left to the engine's choice must give no finding."""

from gainsay.families.sql.language import ir
from gainsay.families.sql.meaning.legal import is_legal
from gainsay.oracles.sql_norec import Recipe


def view(columns, query):
    return ir.CreateView("v0", tuple(columns), query)


def table(*columns):
    return ir.CreateTable("t0", tuple(columns))


ONE = ir.Lit("int", "1")


def asked(where, item=ONE):
    return Recipe(ir.Select((item,), (ir.Join("v0"),), where))


V0 = ir.Col("v0", "c0")
T0 = ir.Col("t0", "c0")
CONCAT = ir.Op("||", (V0, ir.Lit("real", "0.1")))


def test_listing_5_distinct_over_0_and_0_0_is_not_looked_at_closely():
    # CREATE VIEW v0(c0) AS SELECT DISTINCT c0 FROM t0; ... WHERE v0.c0 || 0.1
    distinct = ir.Select((T0,), (ir.Join("t0"),), distinct=True)
    called_clean = ir.Scene((table(ir.Column("c0")), view([ir.ViewColumn("c0", clean=True)], distinct)))
    assert not is_legal(called_clean, asked(CONCAT)), "an untyped column may not be called clean behind DISTINCT"
    marked = ir.Scene((table(ir.Column("c0")), view([ir.ViewColumn("c0", clean=False)], distinct)))
    assert not is_legal(marked, asked(CONCAT))
    assert not is_legal(marked, asked(ir.TRUE, V0)), "nor shown"
    assert is_legal(marked, asked(ir.Op("is null", (V0,)))), "being NULL is the same for every representative"


def test_listing_5_is_about_collations_too():
    distinct = ir.Select((T0,), (ir.Join("t0"),), distinct=True)
    for column, legal in ((ir.Column("c0", "TEXT"), True), (ir.Column("c0", "TEXT", collate="NOCASE"), False)):
        scene = ir.Scene((table(column), view([ir.ViewColumn("c0", clean=True, exact=True)], distinct)))
        assert is_legal(scene, asked(CONCAT)) is legal


def test_listing_6_dbstat_is_never_made(stage_of):
    stage = stage_of("sqlite")
    for number in range(300):
        modules = {s.module for s in stage.grow(number).statements if isinstance(s, ir.CreateVirtual)}
        assert modules <= {"fts5", "rtree"}


def test_listing_7_a_column_that_is_neither_grouped_nor_aggregated_is_illegal():
    # CREATE VIEW v0 AS SELECT 0, c0 FROM t0 GROUP BY 1 HAVING c2
    grouped = ir.Select((ir.Lit("int", "0"), T0), (ir.Join("t0"),), group=(ir.Lit("int", "0"),))
    scene = ir.Scene((table(ir.Column("c0")), view([ir.ViewColumn("c0"), ir.ViewColumn("c1")], grouped)))
    assert not is_legal(scene, asked(ir.TRUE))
    aggregated = ir.Select((ir.Agg("count"), T0), (ir.Join("t0"),))
    scene = ir.Scene((table(ir.Column("c0")), view([ir.ViewColumn("c0"), ir.ViewColumn("c1")], aggregated)))
    assert not is_legal(scene, asked(ir.TRUE))


def test_a_scalar_subquery_must_be_one_aggregate():
    scene = ir.Scene((table(ir.Column("c0", "INT")),))
    for items, legal in (((ir.Agg("max", ir.Col("s0", "c0")),), True), ((ir.Col("s0", "c0"),), False)):
        value = ir.SubExpr("scalar", (), ir.Select(items, (ir.Join("t0", alias="s0"),)))
        assert is_legal(scene, Recipe(ir.Select((T0,), (ir.Join("t0"),), ir.Op("=", (T0, value))))) is legal

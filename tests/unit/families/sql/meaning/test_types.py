"""What two engines with other type systems may be compared on."""

import pytest

from gainsay.families.sql.language import ir
from gainsay.families.sql.language.spoken.duckdb import DUCKDB
from gainsay.families.sql.meaning.types import is_typed
from gainsay.oracles import sql_tlp
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


SCENE = ir.Scene((T,))


def select(*items, **parts):
    return ir.Select(items, (ir.Join("t0"),), **parts)


def is_good(node, scene=SCENE):
    return is_typed(scene, Recipe(node), DUCKDB, is_mixed=True)


@pytest.mark.parametrize(
    ("query", "legal"),
    [
        (select(ir.Op("+", (C0, ONE))), True),
        (select(ir.Op("+", (C0, A))), False),
        (select(ir.As(ir.Op("lower", (C0,)), "x")), False),
        (select(C0, group=(ir.Op("lower", (C0,)),)), False),
        (select(C0, order=(ir.Order(ir.Op("lower", (C0,))),)), False),
        (select(ir.Agg("count"), having=ir.Op(">", (ir.Agg("count"), ONE))), True),
        (select(ir.Agg("count"), having=ir.Op(">", (ir.Agg("count"), A))), False),
        (select(ir.Agg("count"), having=ir.Agg("count")), False),
        (select(ir.Op("=", (ir.Agg("max", C1), A))), True),
        (select(ir.Op("=", (ir.Agg("max", C1), ONE))), False),
        (ir.Compound("UNION ALL", (select(C0), select(ONE))), True),
        (ir.Compound("UNION ALL", (select(C0), select(C1))), False),
        (ir.Compound("UNION ALL", (select(C0), select(C0, C0))), False),
        (ir.Compound("UNION ALL", (select(C0), select(ir.NULL))), True),
        (select(C0, where=ir.SubExpr("in", (C0,), select(C0))), True),
        (select(C0, where=ir.SubExpr("in", (C0,), select(C1))), False),
        (select(C0, where=ir.SubExpr("exists", (), select(C1))), True),
        (select(C0, where=ir.Op("=", (C0, ir.SubExpr("scalar", (), select(ir.Agg("max", C1)))))), False),
        (select(C0, where=ir.SubExpr("exists", (), ir.Select((ONE,), (), ir.Op("lower", (C0,))))), False),
    ],
)
def test_every_part_of_a_query_is_typed(query, legal):
    assert is_good(query) is legal


def test_a_condition_of_a_join_is_one_and_a_subselect_is_typed():
    for on, legal in ((ir.Op("=", (C0, C0)), True), (C0, False)):
        assert is_good(ir.Select((ONE,), (ir.Join("t0"), ir.Join("t0", "JOIN", on, "a1")))) is legal
    for item, legal in ((C0, True), (ir.Op("lower", (C0,)), False)):
        assert is_good(ir.Select((ONE,), (ir.Join("", alias="a1", sub=select(item)),))) is legal


def test_a_cte_has_the_classes_that_it_names():
    cte = ir.Cte("w0", (ir.ViewColumn("c0", "text"),), select(C1))
    for value, legal in ((A, True), (ONE, False)):
        query = ir.Select((ONE,), (ir.Join("w0"),), ir.Op("=", (ir.Col("w0", "c0"), value)), ctes=(cte,))
        assert is_good(query) is legal


@pytest.mark.parametrize(
    ("statement", "legal"),
    [
        (ir.Insert("t0", ("c0", "c1"), (ir.Values((ONE, A)),)), True),
        (ir.Insert("t0", ("c0",), (ir.Values((A,)),)), False),
        (ir.Update("t0", (ir.Assign("c0", ONE),)), True),
        (ir.Update("t0", (ir.Assign("c0", A),)), False),
        (ir.Update("t0", (ir.Assign("c0", ONE),), ir.Col("", "c0")), False),
        (ir.Delete("t0", ir.Op("=", (ir.Col("", "c1"), A))), True),
        (ir.Delete("t0", ir.Op("=", (ir.Col("", "c1"), ONE))), False),
        (ir.CreateIndex("i0", "t0", (ir.IndexKey(ir.Op("lower", (ir.Col("", "c1"),))),)), True),
        (ir.CreateIndex("i0", "t0", (ir.IndexKey(ir.Op("lower", (ir.Col("", "c0"),))),)), False),
        (ir.CreateTable("t1", (ir.Column("c0"),)), False),  # a column without a type takes anything
        (ir.CreateTable("t1", (ir.Column("c0", "BIGINT", "int", default=ONE),)), True),
        (ir.CreateTable("t1", (ir.Column("c0", "BIGINT", "int", default=A),)), False),
        (ir.CreateTable("t1", (ir.Column("c0", "BIGINT", "int", check=ir.Col("", "c0")),)), False),
        (ir.CreateView("v0", (ir.ViewColumn("c0"),), select(ir.Op("lower", (C0,)))), False),
    ],
)
def test_every_statement_of_a_scene_is_typed(statement, legal):
    assert is_good(select(C0), ir.Scene((T, statement))) is legal


def test_a_plain_insert_is_refused_by_the_engines_themselves_where_rows_conflict():
    twice = ir.Insert("t0", ("c0",), (ir.Values((ONE,)), ir.Values((ONE,))), "INSERT")
    assert is_good(select(C0), ir.Scene((T, twice)))


@pytest.mark.parametrize(("condition", "legal"), [(ir.Op("=", (C0, ONE)), True), (C0, False)])
def test_a_condition_beside_the_query_is_typed_too(condition, legal):
    assert is_typed(SCENE, sql_tlp.Recipe(select(C0), condition), DUCKDB, is_mixed=False) is legal

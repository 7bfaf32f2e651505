"""The NoREC paper's corner cases (section 3.4): what is left to the engine's choice must give no finding."""

import pytest

from gainsay.families.sql.language import ir
from gainsay.families.sql.meaning.legal import is_legal
from gainsay.oracles import differential, sql_reference
from gainsay.oracles import sql_tlp as tlp
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
        assert modules <= {"fts4", "fts5", "rtree", "rtree_i32"}


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


INT, LOOSE = ir.Column("c0", "INT"), ir.Column("c1")
PLAIN = ir.Scene((table(INT, LOOSE),))
T1 = ir.Col("t0", "c1")


def on_table(*items, where=None, **parts):
    return Recipe(ir.Select(items, (ir.Join("t0"),), where, **parts))


def test_two_relations_of_one_name_leave_open_whose_a_column_is():
    twice = (ir.Join("t0"), ir.Join("t0", ","))
    assert not is_legal(PLAIN, Recipe(ir.Select((ONE,), twice)))
    assert is_legal(PLAIN, Recipe(ir.Select((ONE,), (ir.Join("t0"), ir.Join("t0", ",", alias="a1")))))


@pytest.mark.parametrize(
    ("aggregate", "legal"),
    [
        (ir.Agg("max", T0), True),
        (ir.Agg("max", T1), False),  # of 1 and 1.0 it may be either
        (ir.Agg("min", T1), False),
        (ir.Agg("count", T1), True),
        (ir.Agg("count"), True),
    ],
)
def test_the_smallest_of_equal_values_must_be_one(aggregate, legal):
    assert is_legal(PLAIN, on_table(aggregate)) is legal


@pytest.mark.parametrize(
    ("items", "group", "legal"),
    [((T0, ir.Agg("count")), (T0,), True), ((T1, ir.Agg("count")), (T0,), False), ((ONE, ir.Agg("count")), (), True)],
)
def test_what_is_shown_beside_an_aggregate_is_grouped_or_a_literal(items, group, legal):
    assert is_legal(PLAIN, on_table(*items, group=group)) is legal


UNCLEAN = ir.Scene(
    (table(INT), view([ir.ViewColumn("c0", clean=False)], ir.Select((T0,), (ir.Join("t0"),), distinct=True)))
)


@pytest.mark.parametrize(
    ("left", "right", "kind", "legal"),
    [
        ("t0", "v0", "NATURAL JOIN", False),
        ("v0", "t0", "NATURAL JOIN", False),  # on either side
        ("t0", "v0", "JOIN", True),
        ("t1", "v0", "NATURAL JOIN", True),  # they have no column in common
    ],
)
def test_a_natural_join_looks_at_the_columns_that_both_sides_have(left, right, kind, legal):
    scene = ir.Scene((*UNCLEAN.statements, ir.CreateTable("t1", (ir.Column("x"),))))
    assert is_legal(scene, Recipe(ir.Select((ONE,), (ir.Join(left), ir.Join(right, kind))))) is legal


@pytest.mark.parametrize("clause", ["where", "having"])
def test_an_ambiguous_column_is_looked_at_in_no_clause(clause):
    for condition, legal in ((ir.Op("=", (V0, ONE)), False), (ir.Op("is not null", (V0,)), True)):
        made = ir.Select((ir.Agg("count"),), (ir.Join("v0"),), **{clause: condition})
        assert is_legal(UNCLEAN, Recipe(made)) is legal


def test_the_condition_beside_a_query_is_looked_at_too():
    query = ir.Select((ONE,), (ir.Join("v0"),))
    assert is_legal(UNCLEAN, tlp.Recipe(query, ir.Op("is null", (V0,))))
    assert not is_legal(UNCLEAN, tlp.Recipe(query, ir.Op("=", (V0, ONE))))


@pytest.mark.parametrize(("column", "legal"), [(INT, True), (ir.Column("c0"), False)])
def test_a_cte_promises_what_it_can_keep(column, legal):
    cte = ir.Cte("w0", (ir.ViewColumn("c0", exact=True),), ir.Select((T0,), (ir.Join("t0"),)))
    query = ir.Select((ir.Agg("max", ir.Col("w0", "c0")),), (ir.Join("w0"),), ctes=(cte,))
    assert is_legal(ir.Scene((table(column),)), Recipe(query)) is legal


@pytest.mark.parametrize(
    ("query", "legal"),
    [
        (ir.Select((T0,), (ir.Join("t0"),), distinct=True), True),
        (ir.Select((T1,), (ir.Join("t0"),), distinct=True), False),
        (ir.Select((T1,), (ir.Join("t0"),)), True),
        (ir.Compound("UNION ALL", (ir.Select((T1,), (ir.Join("t0"),)),) * 2), True),
        (ir.Compound("UNION", (ir.Select((T1,), (ir.Join("t0"),)),) * 2), False),
        (ir.Compound("UNION", (ir.Select((T0,), (ir.Join("t0"),)),) * 2), True),
        (ir.RawQuery("SELECT 1"), True),
    ],
)
def test_between_engines_no_row_is_one_of_several_equal_ones(query, legal):
    assert is_legal(PLAIN, differential.Recipe(query)) is legal


EXACT = ir.Scene((ir.CreateTable("t0", (ir.Column("c0", "INT", "int"), ir.Column("c1", "INT", "int"))),))
VAGUE = ir.Scene(
    (
        ir.CreateTable(
            "t0", (ir.Column("c0", "INT", "int"), ir.Column("c1", "DOUBLE PRECISION", "real", is_exact=False))
        ),
    )
)
T1 = ir.Col("t0", "c1")


def compared(query):
    return differential.Recipe(query)


@pytest.mark.parametrize(
    ("scene", "keys", "order", "legal"),
    [
        (EXACT, (T0,), (T0, T1), True),
        (EXACT, (T0, T1), (T1, T0), True),
        (EXACT, (T0,), (T0,), False),  # which c1 is shown is left open
        (EXACT, (T0,), (T1, T0), False),  # the order must begin with the key
        (EXACT, (T0,), (), False),
        (VAGUE, (T0,), (T0, T1), False),  # 0.0 and -0.0 are equal and not identical
    ],
)
def test_distinct_on_wants_an_order_that_decides(scene, keys, order, legal):
    query = ir.Select((T0, T1), (ir.Join("t0"),), order=tuple(map(ir.Order, order)), distinct_on=keys)
    assert is_legal(scene, compared(query)) is legal


def test_a_lateral_query_sees_what_stands_before_it_and_another_one_does_not():
    fuzzy = ir.Scene(
        (
            table(ir.Column("c0")),
            view([ir.ViewColumn("c0", clean=False)], ir.Select((T0,), (ir.Join("t0"),), distinct=True)),
        )
    )
    inner = ir.Select((ONE,), (ir.Join("t0", alias="l0"),), ir.Op("=", (V0, ONE)))
    joined = ir.Join("", "CROSS JOIN", alias="d0", sub=inner, columns=(ir.ViewColumn("c0"),), is_lateral=True)
    assert not is_legal(fuzzy, compared(ir.Select((ONE,), (ir.Join("v0"), joined)))), "an ambiguous column is looked at"


def test_a_function_of_an_ambiguous_column_is_illegal():
    scene = ir.Scene(
        (
            table(ir.Column("c0")),
            view([ir.ViewColumn("c0", clean=False)], ir.Select((T0,), (ir.Join("t0"),), distinct=True)),
        )
    )
    for argument, legal in ((V0, False), (ONE, True)):
        called = ir.Join(
            "", "CROSS JOIN", alias="f0", call=ir.Call("unnest", (argument,)), columns=(ir.ViewColumn("c0"),)
        )
        assert is_legal(scene, compared(ir.Select((ONE,), (ir.Join("v0"), called)))) is legal


def test_what_a_lateral_query_calls_exact_must_be_so():
    for column, legal in ((T0, True), (T1, False)):
        inner = ir.Select((ir.Col("l0", column.name),), (ir.Join("t0", alias="l0"),))
        marked = (ir.ViewColumn("c0", "int", exact=True),)
        made = ir.Join("", "CROSS JOIN", alias="d0", sub=inner, columns=marked, is_lateral=True)
        query = ir.Select((ir.Col("d0", "c0"),), (ir.Join("t0"), made), distinct=True)
        assert is_legal(VAGUE, compared(query)) is legal


def test_a_condition_of_the_first_relation_is_not_written_and_may_not_be_meant():
    scene = ir.Scene((table(ir.Column("c0")),))
    first = ir.Select((ONE,), (ir.Join("t0", on=ir.Lit("int", "0")),))
    assert not is_legal(scene, Recipe(first))
    joined = ir.Select((ONE,), (ir.Join("t0"), ir.Join("t0", "JOIN", ir.Lit("int", "0"), "a1")))
    assert is_legal(scene, Recipe(joined))


def test_what_is_not_written_of_a_join_is_not_left_by_a_reducer():
    """`reference` would evaluate the condition, and the engine never see it."""
    scene = ir.Scene((table(ir.Column("c0")),))
    query = ir.Select((ONE,), (ir.Join("t0", on=ir.Lit("int", "0")),))
    assert not is_legal(scene, sql_reference.Recipe(query))
    joined_by_nothing = ir.Select((ONE,), (ir.Join("t0"), ir.Join("t0", alias="a1")))
    assert not is_legal(scene, sql_reference.Recipe(joined_by_nothing))
    inside = ir.Select((ir.SubExpr("exists", (), query),), ())
    assert not is_legal(scene, sql_reference.Recipe(inside))
    assert is_legal(scene, sql_reference.Recipe(ir.Select((ONE,), (ir.Join("t0"),))))

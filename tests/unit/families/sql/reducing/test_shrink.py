"""Changes that go through a whole case: what leaves takes along what was about it, and what used it finds something
else."""

import pytest

from gainsay.core import alone
from gainsay.families.sql.language import dialects, ir
from gainsay.families.sql.language.spoken.postgresql import POSTGRESQL
from gainsay.families.sql.reducing import shrink, size
from gainsay.oracles import sql_reference
from gainsay.oracles.differential import Recipe as Compared
from sql_cases import ONE, T0, T1, ZERO, insert, norec, op, select, table, told, tried, view

V0 = ir.Col("v0", "c0")
TWO = ir.Scene(
    (
        ir.Setting("ANALYZE"),
        table("t0", "c0"),
        table("t1", "c0"),
        insert("t0", "c0", (ONE,)),
        insert("t1", "c0", (ZERO,)),
        ir.CreateIndex("i0", "t0", (ir.IndexKey(ir.Col("", "c0")),)),
    )
)
JOINED = norec(op("=", T0, T1), ir.Join("t0"), ir.Join("t1", "LEFT JOIN", op("=", T1, ONE)))


def test_a_large_case_is_cut_to_what_the_query_reads():
    bare, with_settings, *_ = tried(shrink.cuts(TWO, norec(T0)))
    assert bare == "CREATE TABLE t0(c0); INSERT INTO t0(c0) VALUES (1); SELECT NULL FROM t0 WHERE t0.c0"
    assert with_settings == (
        "ANALYZE; CREATE TABLE t0(c0); INSERT INTO t0(c0) VALUES (1); CREATE INDEX i0 ON t0(c0); "
        "SELECT NULL FROM t0 WHERE t0.c0"
    )


def test_a_view_is_cut_with_the_tables_that_it_reads():
    scene = ir.Scene((*TWO.statements, view("v0", select(T1, source=(ir.Join("t1"),)), "c0")))
    bare = next(iter(tried(shrink.cuts(scene, norec(V0, ir.Join("v0"))))))
    assert "t1" in bare and "t0" not in bare


def test_what_broke_an_engine_is_tried_where_nothing_else_is():
    question = select(T0, where=op(">", op("length", ir.Lit("text", "'a'")), T0))
    made = [told(ir.Scene(()), recipe) for _, recipe in shrink.smallest_contexts(TWO, alone.Recipe(question))]
    assert made == ["SELECT (LENGTH('a') > t0.c0) FROM t0", "SELECT LENGTH('a')"]
    assert not list(shrink.smallest_contexts(TWO, norec(T0))), "a condition has a meaning only where it is"


def test_between_engines_a_term_is_compared_alone_too():
    made = [recipe for _, recipe in shrink.smallest_contexts(TWO, Compared(select(T0, where=op("isnull", ONE))))]
    assert [r.subject for r in made] == [ir.Select((op("isnull", ONE),))]


def test_a_relation_leaves_with_all_that_is_about_it():
    without_t1, without_t0 = tried(shrink.without_relation(TWO, JOINED))
    assert without_t1 == (
        "ANALYZE; CREATE TABLE t0(c0); INSERT INTO t0(c0) VALUES (1); CREATE INDEX i0 ON t0(c0); "
        "SELECT NULL FROM t0 WHERE t0.c0 = NULL"
    )
    assert without_t0 == (
        "ANALYZE; CREATE TABLE t1(c0); INSERT INTO t1(c0) VALUES (0); SELECT NULL FROM t1 WHERE NULL = t1.c0"
    )


def test_the_only_relation_of_a_query_stays():
    assert not list(shrink.without_relation(ir.Scene((table("t0", "c0"),)), norec(T0)))


def test_inserts_into_the_same_columns_become_one():
    scene = ir.Scene(
        (
            insert("t0", "c0", (ONE,)),
            insert("t1", "c0", (ONE,)),
            insert("t0", "c0", (ZERO,), verb="INSERT OR IGNORE"),
            insert("t0", "c1", (ZERO,)),
        )
    )
    (made,) = tried(shrink.join_inserts(scene, norec(T0)))
    assert made.startswith("INSERT INTO t0(c0) VALUES (1), (0); INSERT INTO t1(c0) VALUES (1); INSERT INTO t0(c1)")


@pytest.mark.parametrize(
    ("statement", "plainer"),
    [
        (insert("t0", "c0", (ONE,), verb="INSERT OR IGNORE"), ["INSERT INTO t0(c0) VALUES (1)"]),
        (table("t0", ir.Column("c0", "INT")), ["CREATE TABLE t0(c0)"]),
        (table("t0", ir.Column("c0", primary=True)), ["CREATE TABLE t0(c0 UNIQUE)"]),
        (
            table("t0", ir.Column("c0", "TEXT", collate="RTRIM")),
            [
                "CREATE TABLE t0(c0)",
                "CREATE TABLE t0(c0 COLLATE RTRIM)",
                "CREATE TABLE t0(c0 TEXT)",
                "CREATE TABLE t0(c0 INT COLLATE RTRIM)",
                "CREATE TABLE t0(c0 TEXT COLLATE NOCASE)",
            ],
        ),
        (table("t0", ir.Column("c0", "HUGEINT", "int")), ["CREATE TABLE t0(c0 BIGINT)"]),
        (table("t0", ir.Column("c0", "VARCHAR", "text")), []),
        (ir.CreateVirtual("ft0", "fts5", ("c0",)), ["CREATE TABLE ft0(c0)"]),
    ],
)
def test_a_statement_becomes_plainer(statement, plainer):
    made = [text.split("; ")[0] for text in tried(shrink.plainer_statements(ir.Scene((statement,)), norec(T0)))]
    assert list(dict.fromkeys(made)) == plainer


def test_a_view_becomes_a_table_that_is_empty_or_holds_one_simple_row():
    scene = ir.Scene((view("v0", select(T0), ir.ViewColumn("c0", "text")),))
    made = [
        t.removesuffix("; SELECT NULL FROM v0 WHERE v0.c0")
        for t in tried(shrink.plainer_statements(scene, norec(V0, ir.Join("v0"))))
    ]
    filled = [f"CREATE TABLE v0(c0 VARCHAR); INSERT INTO v0(c0) VALUES ({value})" for value in ("0", "1", "NULL")]
    assert made == ["CREATE TABLE v0(c0 VARCHAR)", *filled]


@pytest.mark.parametrize(
    ("kind", "plainer"),
    [("FULL JOIN", ["JOIN", "LEFT JOIN"]), ("LEFT JOIN", ["JOIN"]), ("JOIN", [","]), ("CROSS JOIN", [","]), (",", [])],
)
def test_a_join_becomes_plainer(kind, plainer):
    recipe = norec(T0, ir.Join("t0"), ir.Join("t1", kind, None if kind == "," else ir.TRUE))
    made = [r.query.source[1] for _, r in shrink.plainer_joins(ir.Scene(()), recipe)]
    assert [j.kind for j in made] == plainer
    assert all((j.on is None) == (j.kind == ",") for j in made)
    assert all(size.weight(j.kind) < size.weight(kind) for j in made)


def test_a_view_gives_way_to_a_table_column_by_column():
    scene = ir.Scene((table("t0", "c0"), view("v0", select(T0, ONE), "x", "y")))
    recipe = norec(op("=", ir.Col("v0", "x"), ir.Col("v0", "y")), ir.Join("v0"))
    (made,) = tried(shrink.other_relation(scene, recipe))
    assert made.endswith("; SELECT NULL FROM t0 WHERE t0.c0 = t0.c0"), "the last column stands for those it has not"


def test_what_gives_way_to_a_relation_that_is_there_gets_a_name_of_its_own():
    made = shrink.swap(JOINED, TWO.statements[2], TWO.statements[1])
    assert told(ir.Scene(()), made) == "SELECT NULL FROM t0 LEFT JOIN t0 AS a9 ON a9.c0 = 1 WHERE t0.c0 = a9.c0"


def test_the_text_of_a_view_is_put_in_place():
    inner = select(op("+", T0, ONE), where=op("notnull", T0))
    scene = ir.Scene((table("t0", "c0"), view("v0", inner, "c0")))
    (made,) = tried(shrink.inline(scene, norec(op("=", V0, ZERO), ir.Join("v0"))))
    assert made == "CREATE TABLE t0(c0); SELECT NULL FROM t0 WHERE (t0.c0 NOTNULL) AND ((t0.c0 + 1) = 0)"


@pytest.mark.parametrize("inner", [select(T0, distinct=True), select(T0, group=(T0,)), select(ir.Agg("count"))])
def test_a_view_that_is_more_than_a_plain_select_is_not_put_in_place(inner):
    scene = ir.Scene((table("t0", "c0"), view("v0", inner, "c0")))
    assert not list(shrink.inline(scene, norec(V0, ir.Join("v0"))))


def test_what_is_put_in_place_gets_another_name_where_its_own_is_taken():
    scene = ir.Scene((table("t0", "c0"), view("v0", select(T0, where=T0), "c0")))
    recipe = norec(op("=", V0, T0), ir.Join("t0"), ir.Join("v0", "JOIN", op("=", V0, ONE)))
    (made,) = tried(shrink.inline(scene, recipe))
    assert made.endswith("FROM t0 JOIN t0 AS b0 ON b0.c0 = 1 WHERE b0.c0 AND (b0.c0 = t0.c0)")


def test_a_relation_gives_way_under_its_alias():
    recipe = norec(ir.Col("a1", "c0"), ir.Join("t1", alias="a1"), ir.Join("t0", ",", alias="a2"))
    made = shrink.swap(recipe, TWO.statements[2], TWO.statements[1])
    assert told(ir.Scene(()), made) == "SELECT NULL FROM t0 AS a1, t0 AS a2 WHERE a1.c0"


def test_the_only_relation_of_a_subquery_stays():
    nested = ir.SubExpr("exists", (), select(ONE, source=(ir.Join("t1"),)))
    assert not list(shrink.without_relation(TWO, norec(nested)))


LATERAL = ir.Join(
    "",
    "CROSS JOIN",
    alias="d0",
    sub=select(T1, source=(ir.Join("t1"),)),
    columns=(ir.ViewColumn("c0"),),
    is_lateral=True,
)
CALLED = ir.Join("", "CROSS JOIN", alias="f0", call=ir.Call("unnest", (T0,)), columns=(ir.ViewColumn("c0"),))


def spoken(pairs):
    return [POSTGRESQL.text(recipe.subject) for _, recipe in pairs]


def test_what_is_made_in_a_from_list_leaves_or_gives_way_to_what_it_reads():
    recipe = Compared(select(T0, ir.Col("d0", "c0"), source=(ir.Join("t0"), LATERAL)))
    assert spoken(shrink.plainer_sources(TWO, recipe)) == [
        "SELECT t0.c0, NULL FROM t0",
        "SELECT t0.c0, d0.c0 FROM t0 CROSS JOIN t1 AS d0",
        "SELECT t0.c0, d0.c0 FROM t0 CROSS JOIN (SELECT t1.c0 FROM t1) AS d0(c0)",
    ]
    recipe = Compared(select(T0, ir.Col("f0", "c0"), source=(ir.Join("t0"), CALLED)))
    assert spoken(shrink.plainer_sources(TWO, recipe)) == ["SELECT t0.c0, NULL FROM t0"]


def test_each_such_step_is_smaller():
    for joined in (LATERAL, CALLED):
        recipe = Compared(select(T0, ir.Col(joined.alias, "c0"), source=(ir.Join("t0"), joined)))
        for scene, smaller in shrink.plainer_sources(TWO, recipe):
            assert size.size(scene, smaller) < size.size(TWO, recipe)


def test_a_compound_query_becomes_one_of_its_arms_in_its_order():
    arms = (select(T0), select(ONE))
    recipe = sql_reference.Recipe(ir.Compound("UNION ALL", arms, order=(ir.Order(ir.Lit("int", "1")),)))
    scene = ir.Scene((table("t0", "c0"),))
    found = [r.query for _, r in shrink.one_arm(scene, recipe)]
    assert [dialects.find("sqlite").text(q) for q in found] == [
        "SELECT t0.c0 FROM t0 ORDER BY 1",
        "SELECT 1 FROM t0 ORDER BY 1",
    ]


def test_a_join_by_names_and_a_policy_are_left_out():
    made = ir.CreateTable("t0", (ir.Column("c0", unique=True, on_conflict="IGNORE"), ir.Column("c1")))
    scene = ir.Scene((made, ir.CreateVirtual("v0", "fts4", ("c0",), ("c0",), ("order=desc",))))
    texts = [
        dialects.find("sqlite").text(s)
        for less, _ in shrink.plainer_statements(scene, norec(ir.TRUE))
        for s in less.statements
    ]
    assert {"CREATE TABLE t0(c0 UNIQUE, c1)", "CREATE VIRTUAL TABLE v0 USING fts4(c0 UNINDEXED)"} <= {*texts}
    joined = norec(ir.TRUE, ir.Join("t0"), ir.Join("t0", "LEFT JOIN", alias="a1", using=("c0", "c1")))
    kept = [less.query.source[1].using for _, less in shrink.plainer_joins(scene, joined)]
    assert {(), ("c0",), ("c1",)} <= {*kept}
    assert all(size.size(scene, less) < size.size(scene, joined) for _, less in shrink.plainer_joins(scene, joined))

"""One cause, one form: what a reducer of SQL may try, beyond dropping parts."""

import re

import pytest

from gainsay.campaign import conversation
from gainsay.campaign.seating import LocalPlayer
from gainsay.core import alone, registry
from gainsay.core.answer import Rows
from gainsay.core.model import Case, Seat, Seats, Target
from gainsay.families.sql.language import dialects, ir
from gainsay.families.sql.meaning import legal
from gainsay.families.sql.reducing import normal, shrink, size, tidy
from gainsay.oracles import sql_reference, sql_tlp
from gainsay.triage.reduce import Reducer
from sql_cases import A1, ONE, T0, T1, ZERO, norec, op, told, tried

TABLE = ir.CreateTable("t0", (ir.Column("c0"),))
FILLED = ir.Insert("t0", ("c0",), (ir.Values((ZERO,)),))
SCENE = ir.Scene((TABLE, FILLED))
SEAT = Seat(0, Target("sqlite"), "3.28.0", "sqlite")


def is_smaller(one, other):
    return size.size(SCENE, norec(one)) < size.size(SCENE, norec(other))


def is_tried(old, new):
    """Whether a term is put in another one's place, and counts as simpler."""
    return new in size.simplest(old) and is_smaller(new, old)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (T0, ZERO),
        (ir.Lit("int", "3"), ZERO),
        (ir.NULL, ZERO),
        (ir.Lit("text", "'%'"), ir.Lit("text", "''")),
        (ir.Lit("real", "-0.5"), ir.Lit("real", "0.5")),
        (op("is not false", T0), op("is not true", T0)),
        (op("is distinct", T0, ZERO), op("=", T0, ZERO)),
        (op("iif", T0, T0, ZERO), op("case", T0, T0, ZERO)),
        (op(">", T0, ZERO), op("<", ZERO, T0)),
        (op("=", ZERO, T0), op("=", T0, ZERO)),
        (op("is not distinct", ir.NULL, op("+", T0, T0)), op("is not distinct", op("+", T0, T0), ir.NULL)),
        (op("row <", ONE, T0, ONE, ZERO), op("<", T0, ZERO)),
        (op("row =", T0, ONE, ZERO, ONE), op("=", T0, ZERO)),
        (op("row =", ONE, T0, ONE, ZERO), op("row =", T0, ONE, ZERO, ONE)),
        (op("row =", ZERO, ONE, T0, ZERO), op("row =", T0, ZERO, ZERO, ONE)),
        (op("between", ZERO, ZERO, op("is true", T0)), op("is not true", T0)),
        (ir.SubExpr("in", (T0,), ir.Select((A1,), (ir.Join("t0", alias="a1"),))), op("in 1", T0, ZERO)),
    ],
)
def test_the_plainer_of_two_terms_is_tried_and_counts_as_simpler(old, new):
    assert is_tried(old, new)
    assert not is_smaller(old, new)


def test_no_operator_is_brought_in_that_may_be_wrong_for_a_reason_of_its_own():
    """0 = ((a, b) = (c, d)) is about row values: NOT and IS NOT TRUE would lead to other bugs."""
    row = op("row =", T0, T0, ZERO, ONE)
    assert {n.op for n in size.simplest(op("=", ZERO, row)) if isinstance(n, ir.Op)} <= {"=", "row ="}


def test_a_relation_leaves_a_from_list_and_another_ones_columns_stand_for_its_own():
    recipe = norec(op("is null", A1), ir.Join("t0"), ir.Join("t0", ",", alias="a1"), items=(A1,))
    assert tried(normal.without_join(SCENE, recipe))[-1].endswith("SELECT t0.c0 FROM t0 WHERE t0.c0 IS NULL")
    beside = sql_tlp.Recipe(ir.Select((T0,), (ir.Join("t0"), ir.Join("t0", ",", alias="a1"))), A1)
    assert [r.condition for _, r in normal.without_join(SCENE, beside)] == [A1, T0], (
        "a condition beside the query is about it as well"
    )


def test_an_empty_table_gives_way_to_a_join_that_finds_nothing():
    scene = ir.Scene((ir.CreateTable("t1", (ir.Column("c0"),)), *SCENE.statements))
    candidates = tried(normal.one_table(scene, norec(T1, ir.Join("t0"), ir.Join("t1", "LEFT JOIN"))))
    made = "CREATE TABLE t0(c0); INSERT INTO t0(c0) VALUES (0); SELECT NULL FROM t0 LEFT JOIN t0 AS a9"
    assert f"{made} ON NULL WHERE a9.c0" in candidates and f"{made} WHERE a9.c0" in candidates


def test_distinct_stands_for_a_grouping_without_aggregates():
    query = ir.Select((T0,), (ir.Join("t0"),), group=(T0,))
    ((_, recipe),) = normal.distinct(SCENE, sql_tlp.Recipe(query, T0, "group"))
    assert (recipe.mode, recipe.query.distinct, recipe.query.group) == ("distinct", True, ())
    assert not list(normal.distinct(SCENE, norec(T0, items=(ir.Agg("count"),), group=(T0,))))


def test_one_column_stands_for_another_in_the_query_and_in_the_table():
    scene = ir.Scene(
        (
            ir.CreateTable("t0", (ir.Column("c0"), ir.Column("c1"))),
            ir.Insert("t0", ("c0", "c1"), (ir.Values((ZERO, ONE)),)),
        )
    )
    candidates = tried(normal.one_column(scene, norec(op("=", T0, ir.Col("t0", "c1")))))
    assert "CREATE TABLE t0(c1); INSERT INTO t0(c1) VALUES (1); SELECT NULL FROM t0 WHERE t0.c1 = t0.c1" in candidates
    assert any(c.endswith("(0, 1); SELECT NULL FROM t0 WHERE t0.c0 = t0.c0") for c in candidates)


def test_a_value_that_nothing_needs_is_not_inserted():
    scene = ir.Scene((ir.Insert("rt0", ("c1", "c0"), (ir.Values((ZERO, ONE)),)),))
    assert "INSERT INTO rt0(c0) VALUES (1); SELECT NULL FROM t0 WHERE 0" in tried(
        normal.fewer_values(scene, norec(ZERO))
    )


def test_rows_are_stored_as_they_are_after_an_update():
    scene = ir.Scene((*SCENE.statements, ir.Update("t0", (ir.Assign("c0", ONE),))))
    assert tried(normal.updated(scene, norec(T0))) == [
        "CREATE TABLE t0(c0); INSERT INTO t0(c0) VALUES (1); SELECT NULL FROM t0 WHERE t0.c0"
    ]


def test_what_is_stored_stands_in_the_place_of_its_columns():
    assert tried(normal.constants(SCENE, norec(op("=", T0, ONE), items=(T0,))))[0].endswith("; SELECT 0 WHERE 0 = 1")


def test_the_reducer_tries_them():
    recipe = norec(op("=", T0, ONE), items=(T0,))
    tries = list(registry.family("sql").shrinks(Case("sql", "norec", SCENE, recipe, (SEAT,), "filtered rows")))
    assert set(normal.normal(SCENE, recipe)) <= set(tries)


@pytest.mark.parametrize("old", ["INTEGER", "TINYINT", "HUGEINT", "UBIGINT"])
def test_integers_end_as_one_type(old):
    scene = ir.Scene((ir.CreateTable("t0", (ir.Column("c0", old, "int"),)), FILLED))
    smaller = [
        new for new, r in shrink.plainer_statements(scene, norec(T0)) if size.size(new, r) < size.size(scene, norec(T0))
    ]
    assert [s.statements[0].columns[0].type for s in smaller] == ["BIGINT"]


def test_a_large_case_is_cut_first():
    scene = ir.Scene((*SCENE.statements, *(ir.Setting("ANALYZE") for _ in range(9))))
    assert not list(normal.normal(scene, norec(T0)))


VIEW = ir.CreateView("v0", (ir.ViewColumn("c0"),), ir.Select((op("+", T0, ONE),), (ir.Join("t0"),), T0))


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ((ir.Join("v0", alias="a1"),), "FROM t0 WHERE t0.c0 AND (t0.c0 + 1)"),
        ((ir.Join("t0"), ir.Join("v0", ",", alias="a1")), "FROM t0, t0 AS b0 WHERE b0.c0 AND (b0.c0 + 1)"),
    ],
)
def test_a_views_text_is_put_in_place_with_its_filter_and_under_other_names(source, text):
    scene = ir.Scene((*SCENE.statements, VIEW))
    assert tried(shrink.inline(scene, norec(A1, *source))) == [
        f"{told(SCENE, norec(None)).rpartition('FROM')[0]}{text}"
    ]


def test_a_ctes_text_is_put_in_place():
    recipe = norec(ir.Col("w0", "c0"), ir.Join("w0"), ctes=(ir.Cte("w0", VIEW.columns, VIEW.query),))
    assert tried(shrink.inline(SCENE, recipe))[0].endswith("; SELECT NULL FROM t0 WHERE t0.c0 AND (t0.c0 + 1)")


def test_what_broke_an_engine_ends_as_one_expression():
    asked = alone.Recipe(ir.Select((T0,), (ir.Join("t0"),), op("=", T0, op("length", ir.Lit("text", "'a'")))))
    candidates = tried(shrink.smallest_contexts(SCENE, asked))
    assert [c.rpartition("; ")[2] for c in candidates] == ["SELECT (t0.c0 = LENGTH('a')) FROM t0", "SELECT LENGTH('a')"]


def test_all_that_the_query_does_not_read_is_cut_at_once():
    scene = ir.Scene(
        (
            *SCENE.statements,
            ir.CreateTable("t1", (ir.Column("c0"),)),
            ir.CreateIndex("i0", "t0", (ir.IndexKey(T0),)),
            ir.Setting("ANALYZE"),
        )
    )
    bare, whole = (scene for scene, _ in shrink.cuts(scene, norec(T0)))
    assert bare == SCENE
    assert whole.statements == (*SCENE.statements, *scene.statements[3:])


def test_a_view_is_kept_with_what_it_reads():
    scene = ir.Scene((*SCENE.statements, VIEW))
    assert next(shrink.cuts(scene, norec(ir.Col("v0", "c0"), ir.Join("v0"))))[0] == scene


def test_an_operator_that_a_dialect_has_no_word_for_is_not_legal():
    """Plainer operators come from one table for all dialects."""
    family, duckdb = registry.family("sql"), Seat(0, Target("duckdb"), "2.0.0", "duckdb")
    plainer = [n.op for n in size.simplest(op("is not distinct", T0, ONE)) if isinstance(n, ir.Op)]
    assert "is not" in plainer
    assert family.is_legal(SCENE, norec(op("is not", T0, ONE)), Seats((SEAT,)))
    assert not family.is_legal(SCENE, norec(op("is not", T0, ONE)), Seats((duckdb,)))
    assert not family.is_legal(SCENE, norec(op("=", T0, ONE)), Seats((SEAT, duckdb))), "untyped"


def test_no_name_stands_twice_in_a_from_list():
    assert legal.is_legal(SCENE, norec(ONE, ir.Join("t0"), ir.Join("t0", ",", alias="a1")))
    assert not legal.is_legal(SCENE, norec(ONE, ir.Join("t0", alias="a1"), ir.Join("t0", ",", alias="a1")))


def test_two_relations_that_give_way_get_two_names():
    scene = ir.Scene((*SCENE.statements, ir.CreateTable("t1", (ir.Column("c0"),))))
    recipe = norec(T1, ir.Join("t0"), ir.Join("t0", ",", alias="a9"), ir.Join("t1", ","))
    swapped = shrink.swap(recipe, scene.statements[2], TABLE)
    assert [j.alias for j in swapped.query.source] == ["", "a9", "a10"]


def test_an_alias_is_there_only_where_a_name_is_taken():
    inner = ir.SubExpr(
        "in", (ir.Col("a9", "c0"),), ir.Select((ir.Col("s0", "c0"),), (ir.Join("t0", alias="s0"),), ir.Col("a9", "c0"))
    )
    recipe = norec(inner, ir.Join("t0", alias="a9"), ir.Join("t0", "LEFT JOIN", T0), items=(T0,))
    text = "SELECT a1.c0 FROM t0 LEFT JOIN t0 AS a1 ON a1.c0 WHERE (t0.c0 IN (SELECT a2.c0 FROM t0 AS a2 WHERE t0.c0))"
    assert told(*tidy.tidy(SCENE, recipe)).endswith(text)
    beside = sql_tlp.Recipe(ir.Select((ir.Col("a9", "c0"),), (ir.Join("t0", alias="a9"),)), ir.Col("a9", "c0"))
    assert tidy.tidy(SCENE, beside)[1].condition == T0


def test_an_insert_names_columns_in_their_order():
    scene = ir.Scene(
        (
            ir.CreateTable("t0", (ir.Column("c0"), ir.Column("c1"))),
            ir.Insert("t0", ("c1", "c0"), (ir.Values((ZERO, ONE)),)),
        )
    )
    assert "INSERT INTO t0(c0, c1) VALUES (1, 0)" in told(*tidy.tidy(scene, norec(T0)))


def test_of_a_partition_each_part_is_told_by_norec_in_words_that_the_target_takes():
    seats = Seats((Seat(0, Target("sqlite"), "3.28.0", "sqlite", refused=frozenset({"op:is true"})),))
    query = ir.Select((ir.Agg("count"),), (ir.Join("t0"),))
    others = list(registry.oracle("sql", "tlp").restated(SCENE, sql_tlp.Recipe(query, T0, "count"), seats, {}, {}))
    assert [(o.oracle, o.claim, o.recipe.has_is_true) for o in others] == [("norec", "filtered rows", False)] * 3
    assert [o.recipe.query.where for o in others] == [T0, op("not", T0), op("is null", T0)]
    assert {o.recipe.query.items for o in others} == {(ONE,)}


class Faulty(LocalPlayer):
    """A real SQLite that loses all rows where a filter on an outer join tests a column with IS NOT TRUE or IS NOT
    FALSE."""

    def reset(self):
        super().reset()
        ask = self.ask
        self.ask = lambda text: (
            Rows([]) if re.search(r"LEFT JOIN .*WHERE .*\.c\d IS NOT (TRUE|FALSE)", text) else ask(text)
        )


@pytest.mark.parametrize(
    ("scene", "recipe"),
    [
        (
            ir.Scene((*SCENE.statements, ir.CreateTable("t1", (ir.Column("c0", "TEXT"), ir.Column("c1"))))),
            norec(
                op("or", op("is not false", ir.Col("t1", "c1")), T0),
                ir.Join("t0"),
                ir.Join("t1", "LEFT JOIN"),
                items=(T0, T1),
            ),
        ),
        (
            ir.Scene((TABLE, ir.Insert("t0", ("c0",), (ir.Values((ir.Lit("text", "'%'"),)),)))),
            norec(
                op("=", ONE, op("is not true", ir.Col("a2", "c0"))),
                ir.Join("t0", alias="a1"),
                ir.Join("t0", "LEFT JOIN", A1, "a2"),
                ir.Join("t0", ","),
            ),
        ),
    ],
)
def test_one_cause_ends_in_one_form_whatever_it_was_dressed_in(scene, recipe):
    player, seats = Faulty(SEAT), Seats((SEAT,))
    case = Case("sql", "norec", scene, recipe, (SEAT,), "filtered rows")
    reduced = Reducer(case, lambda c: bool(conversation.hold(c, [player], seats))).run()
    player.close()
    text = (
        "CREATE TABLE t0(c0); INSERT INTO t0(c0) VALUES (0); SELECT 0 FROM t0 LEFT JOIN t0 AS a1 WHERE a1.c0 IS "
        "NOT TRUE"
    )
    assert told(reduced.scene, reduced.recipe) == text


def test_what_stands_for_a_subquery_has_as_many_operands_as_its_operator_takes():
    column, query = ir.Col("t0", "c0"), ir.Select((ir.Col("t0", "c0"),), (ir.Join("t0"),))
    for operands in ((column,), (column, column)):
        for simpler in size.simplest(ir.SubExpr("in", operands, query)):
            assert not isinstance(simpler, ir.Op) or len(simpler.args) == 2
            assert dialects.find("sqlite").text(simpler)


def test_a_natural_join_says_what_it_compares():
    scene = ir.Scene((*SCENE.statements, ir.CreateTable("t1", (ir.Column("c0"), ir.Column("c1")))))
    natural = norec(ir.TRUE, ir.Join("t0"), ir.Join("t1", "NATURAL JOIN"))
    said = norec(ir.TRUE, ir.Join("t0"), ir.Join("t1", "JOIN", op("=", T0, T1)))
    assert (scene, said) in list(normal.normal(scene, natural))
    assert size.size(scene, said) < size.size(scene, natural)
    two = ir.Scene((ir.CreateTable("t0", (ir.Column("c0"), ir.Column("c1"))), scene.statements[2]))
    assert not list(normal.said_joins(two, natural)), "it compares two columns"


def test_a_wrong_expression_of_one_query_ends_where_nothing_else_is():
    where = ir.Select((ZERO,), (ir.Join("t0"),), op("<", op("quote", ZERO), ONE))
    recipe = sql_reference.Recipe(where)
    tried_ = [r.query for _, r in shrink.smallest_contexts(SCENE, recipe)]
    assert ir.Select((op("quote", ZERO),)) in tried_
    assert not list(shrink.smallest_contexts(SCENE, norec(op("quote", ZERO)))), "NoREC's filter needs its query"

"""What nothing needs leaves everywhere at once."""

import pytest

from gainsay.families.sql.language import dialects, ir, parse
from gainsay.families.sql.reducing import narrow, normal, shrink, tidy
from gainsay.oracles import sql_writes
from gainsay.oracles.sql_reference import Recipe
from gainsay.oracles.sql_tlp import Recipe as Parted
from sql_cases import ONE, T0, ZERO, insert, norec, op, select, table, told, tried, view

SQLITE = dialects.find("sqlite")


def texts(change, setup, query):
    """All that comes of a change, as text: the statements, then the query."""
    reading = parse.known(setup, query, SQLITE)
    for scene, recipe in change(reading.scene, Recipe(reading.questions[0])):
        yield [*map(SQLITE.text, scene.statements), SQLITE.text(recipe.query)]


TABLE = "CREATE TABLE t0(c0, c1)"
WITH = "WITH w9(a, b) AS (SELECT t0.c0, 7 FROM t0 UNION ALL SELECT t0.c1, 8 FROM t0) SELECT w9.a, {} FROM w9"


def test_a_cte_of_several_arms_loses_a_column_in_all_of_them():
    *_, less, last = texts(narrow.without_column, [TABLE], WITH.format("w9.b"))
    narrow_one = WITH.replace("(a, b)", "(a)").replace(", 7", "").replace(", 8", "")
    assert last[-1] == narrow_one.format("NULL") and less[-1] == narrow_one.replace(", {}", "")


def test_the_arms_of_a_cte_stay_as_long_as_its_columns():
    arms = "SELECT t0.c0, 1 FROM t0 UNION ALL SELECT w0.a, (w0.b + 1) FROM w0 WHERE w0.b < 3"
    query = f"WITH RECURSIVE w0(a, b) AS ({arms}) SELECT w0.a, w0.b FROM w0"
    reading = parse.known([TABLE], query, SQLITE)
    made = [asked.query for _, asked in narrow.without_column(reading.scene, Recipe(reading.questions[0]))]
    widths = [(len(q.ctes[0].columns), *(len(arm.items) for arm in q.ctes[0].query.arms)) for q in made]
    assert widths == [(2, 2, 2)] * 2 + [(1, 1, 1)] * 4
    assert len({SQLITE.text(query) for query in made}) == 6


def test_a_condition_without_the_name_of_its_table_loses_the_column_too():
    setup = [TABLE, "CREATE INDEX i0 ON t0(c0) WHERE c1 > 0", "DELETE FROM t0 WHERE c1"]
    *_, last = texts(narrow.without_column, setup, "SELECT t0.c0 FROM t0")
    assert last[1:3] == ["CREATE INDEX i0 ON t0(c0) WHERE NULL > 0", "DELETE FROM t0 WHERE NULL"]


def test_a_view_loses_a_column_and_so_does_what_reads_it():
    setup = [TABLE, "CREATE VIEW v0(a, b) AS SELECT t0.c0, t0.c1 FROM t0"]
    *_, shorter, null = [made[1:] for made in texts(narrow.without_column, setup, "SELECT v.a, v.b FROM v0 AS v")][:-2]
    assert shorter == ["CREATE VIEW v0(b) AS SELECT t0.c1 FROM t0", "SELECT v.b FROM v0 AS v"]
    assert null == ["CREATE VIEW v0(b) AS SELECT t0.c1 FROM t0", "SELECT NULL, v.b FROM v0 AS v"]


def test_dropping_a_column_goes_through_inserts_indexes_and_queries():
    scene = ir.Scene(
        (
            ir.CreateTable("t0", (ir.Column("c0"), ir.Column("c1"))),
            ir.Insert("t0", ("c0", "c1"), (ir.Values((ir.NULL, ir.TRUE)),)),
            ir.CreateIndex("i0", "t0", (ir.IndexKey(ir.Col("", "c0")), ir.IndexKey(ir.Col("", "c1")))),
        )
    )
    recipe = Parted(ir.Select((ir.Col("t0", "c0"), ir.Col("t0", "c1")), (ir.Join("t0"),)), ir.Col("t0", "c1"))
    new, changed = list(narrow.without_column(scene, recipe))[2]
    assert [c.name for c in new.statements[0].columns] == ["c0"]
    assert new.statements[1].rows == (ir.Values((ir.NULL,)),)
    assert len(new.statements[2].keys) == 1
    assert changed.query.items == (ir.Col("t0", "c0"),)
    assert changed.condition == ir.NULL


V0 = ir.Col("v0", "c0")


def test_a_column_leaves_a_view_with_its_place_in_the_select_list():
    scene = ir.Scene((table("t0", "c0"), view("v0", select(T0, ONE), "c0", "c1")))
    recipe = norec(op("=", V0, ir.Col("v0", "c1")), ir.Join("v0"))
    first, second = tried(narrow.without_column(scene, recipe))
    assert first.endswith("CREATE VIEW v0(c1) AS SELECT 1 FROM t0; SELECT NULL FROM v0 WHERE NULL = v0.c1")
    assert second.endswith("CREATE VIEW v0(c0) AS SELECT t0.c0 FROM t0; SELECT NULL FROM v0 WHERE v0.c0 = NULL")


def test_a_column_leaves_keys_and_updates_and_the_select_list():
    made = ir.CreateTable("t0", (ir.Column("c0"), ir.Column("c1")), keys=(("c0", "c1"),))
    scene = ir.Scene((made, insert("t0", "c1", (ONE,)), ir.Update("t0", (ir.Assign("c1", ZERO),))))
    recipe = norec(T0, ir.Join("t0", alias="a1"), items=(ir.Col("a1", "c1"), ir.Col("a1", "c0")))
    assert tried(narrow.without_column(scene, recipe))[2] == (
        "CREATE TABLE t0(c0); SELECT a1.c0 FROM t0 AS a1 WHERE t0.c0"
    )


def test_a_column_leaves_foreign_keys_and_triggers():
    key = ir.ForeignKey(("c0",), ir.Target("t0", ("c1",)))
    made = table("t0", "c0", "c1")
    body = (insert("t0", "c0 c1", (ONE, ZERO)), insert("t1", "c0", (ir.Col("new", "c1"),)))
    trigger = ir.CreateTrigger("g0", "AFTER", "UPDATE", "t0", body, ("c0", "c1"))
    scene = ir.Scene((made, ir.CreateTable("t1", (ir.Column("c0"),), foreign=(key,)), trigger))
    assert tried(narrow.without_column(scene, norec(T0)))[-1] == (
        "CREATE TABLE t0(c0); CREATE TABLE t1(c0); CREATE TRIGGER g0 AFTER UPDATE OF c0 ON t0 FOR EACH ROW BEGIN "
        "INSERT INTO t0(c0) VALUES (1); INSERT INTO t1(c0) VALUES (NULL); END; SELECT NULL FROM t0 WHERE t0.c0"
    )


def test_a_column_may_give_way_to_another_one_of_its_table():
    scene = ir.Scene((table("t0", "c0", "c1"),))
    (made,) = narrow.dropped(scene, norec(op("=", T0, ir.Col("t0", "c1"))), "t0", "c1", "c0")
    assert told(*made) == "CREATE TABLE t0(c0); SELECT NULL FROM t0 WHERE t0.c0 = t0.c0"


def test_a_recipe_that_would_leave_as_a_whole_stays():
    """An UPDATE that sets nothing else: without the column there is no statement to ask."""
    scene = ir.Scene((table("t0", "c0", "c1"),))
    changed = sql_writes.Recipe(ir.Update("t0", (ir.Assign("c1", ONE),)))
    made = [*narrow.without_column(scene, changed), *shrink.shrinks(scene, changed), *shrink.cuts(scene, changed)]
    assert made and all(isinstance(recipe, sql_writes.Recipe) for _, recipe in made)


@pytest.mark.parametrize(
    ("change", "query"),
    [
        ("ALTER TABLE t0 RENAME TO r0", "SELECT r0.c0 FROM r0 WHERE r0.c1"),
        ("ALTER TABLE t0 RENAME TO r0", "SELECT a1.c0 FROM r0 AS a1 WHERE a1.c1"),
        ("ALTER TABLE t0 RENAME COLUMN c1 TO r1", "SELECT t0.c0 FROM t0 WHERE t0.r1"),
    ],
)
def test_what_is_renamed_keeps_its_first_name(change, query):
    (only,) = texts(narrow.unrenamed, [TABLE, "INSERT INTO t0(c0) VALUES (1)", change], query)
    assert only[:2] == [TABLE, "INSERT INTO t0(c0) VALUES (1)"]
    assert only[2:] == [query.replace("r0", "t0").replace("r1", "c1")]


def test_a_condition_may_be_of_a_column_and_no_more():
    setup = [TABLE, "INSERT INTO t0(c0) VALUES (1)"]
    said = [
        text[-1]
        for query in ("SELECT 0 FROM t0 WHERE t0.c1 LIKE 'a%'", "SELECT 0 FROM t0 WHERE NOT (EXISTS (SELECT 0))")
        for text in texts(normal.plain_conditions, setup, query)
    ]
    plain = "SELECT 0 FROM t0 WHERE t0.{}"
    assert said == [plain.format(c) for c in ("c1", "c1 IS TRUE", "c0", "c0 IS TRUE")]


def test_ctes_and_what_they_show_have_readable_names():
    reading = parse.known([TABLE], WITH.format("w9.b").replace("w9", "w7"), SQLITE)
    _, recipe = tidy.tidy(reading.scene, Recipe(reading.questions[0]))
    tidied = WITH.format("w0.c1").replace("w9", "w0").replace("(a, b)", "(c0, c1)").replace("w0.a", "w0.c0")
    assert SQLITE.text(recipe.query) == tidied

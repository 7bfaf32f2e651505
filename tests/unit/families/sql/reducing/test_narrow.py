"""What nothing needs leaves everywhere at once."""

import pytest

from gainsay.families.sql.language import dialects, parse
from gainsay.families.sql.reducing import narrow, normal, tidy
from gainsay.oracles.sql_reference import Recipe

SQLITE = dialects.find("sqlite")


def texts(change, setup, query):
    """All that comes of a change, as text: the statements, then the query."""
    reading = parse.known(setup, query, SQLITE)
    for scene, recipe in change(reading.scene, Recipe(reading.questions[0])):
        yield [*map(SQLITE.text, scene.statements), SQLITE.text(recipe.query)]


T0 = "CREATE TABLE t0(c0, c1)"
WITH = "WITH w9(a, b) AS (SELECT t0.c0, 7 FROM t0 UNION ALL SELECT t0.c1, 8 FROM t0) SELECT w9.a, {} FROM w9"


def test_a_cte_of_several_arms_loses_a_column_in_all_of_them():
    first, second = texts(narrow.narrower, [T0], WITH.format("w9.b"))
    assert second[-1] == WITH.replace("(a, b)", "(a)").replace(", 7", "").replace(", 8", "").format("NULL")
    assert first[-1].startswith("WITH w9(b) AS (SELECT 7 FROM t0 UNION ALL SELECT 8 FROM t0) SELECT NULL, w9.b")


def test_a_view_loses_a_column_and_so_does_what_reads_it():
    setup = [T0, "CREATE VIEW v0(a, b) AS SELECT t0.c0, t0.c1 FROM t0"]
    first, _ = texts(narrow.narrower, setup, "SELECT v.a, v.b FROM v0 AS v")
    assert first[1:] == ["CREATE VIEW v0(b) AS SELECT t0.c1 FROM t0", "SELECT NULL, v.b FROM v0 AS v"]


@pytest.mark.parametrize(
    ("change", "query"),
    [
        ("ALTER TABLE t0 RENAME TO r0", "SELECT r0.c0 FROM r0 WHERE r0.c1"),
        ("ALTER TABLE t0 RENAME TO r0", "SELECT a1.c0 FROM r0 AS a1 WHERE a1.c1"),
        ("ALTER TABLE t0 RENAME COLUMN c1 TO r1", "SELECT t0.c0 FROM t0 WHERE t0.r1"),
    ],
)
def test_what_is_renamed_keeps_its_first_name(change, query):
    (only,) = texts(narrow.unrenamed, [T0, "INSERT INTO t0(c0) VALUES (1)", change], query)
    assert only[:2] == [T0, "INSERT INTO t0(c0) VALUES (1)"]
    assert only[2:] == [query.replace("r0", "t0").replace("r1", "c1")]


def test_a_condition_may_be_of_a_column_and_no_more():
    setup = [T0, "INSERT INTO t0(c0) VALUES (1)"]
    said = [
        text[-1]
        for query in ("SELECT 0 FROM t0 WHERE t0.c1 LIKE 'a%'", "SELECT 0 FROM t0 WHERE NOT (EXISTS (SELECT 0))")
        for text in texts(normal.plain_conditions, setup, query)
    ]
    plain = "SELECT 0 FROM t0 WHERE t0.{}"
    assert said == [plain.format(c) for c in ("c1", "c1 IS TRUE", "c0", "c0 IS TRUE")]


def test_ctes_and_what_they_show_have_readable_names():
    reading = parse.known([T0], WITH.format("w9.b").replace("w9", "w7"), SQLITE)
    _, recipe = tidy.tidy(reading.scene, Recipe(reading.questions[0]))
    tidied = WITH.format("w0.c1").replace("w9", "w0").replace("(a, b)", "(c0, c1)").replace("w0.a", "w0.c0")
    assert SQLITE.text(recipe.query) == tidied

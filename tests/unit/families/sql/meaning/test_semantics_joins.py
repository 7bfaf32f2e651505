"""USING and NATURAL joins, and the columns that they make one: by our own semantics, in SQLite and in DuckDB."""

import pytest

from gainsay.families.sql.language import dialects, statements
from gainsay.families.sql.meaning.scene_cache import told
from sql_held import asked, ordered

SCRIPT = [
    "CREATE TABLE t(a INTEGER, b INTEGER)", "CREATE TABLE u(a INTEGER, c INTEGER)",
    "CREATE TABLE v(a INTEGER, b INTEGER)",
    "INSERT INTO t(a, b) VALUES (1, 10), (2, 20), (NULL, 30)", "INSERT INTO u(a, c) VALUES (1, 5), (3, 6), (NULL, 7)",
    "INSERT INTO v(a, b) VALUES (1, 10), (2, 21), (3, 30)",
]  # fmt: skip


def rows(query, dialect):
    """What we say, and what an engine says."""
    spoken = dialects.find(dialect)
    read = statements.script([*SCRIPT, query], spoken)
    assert not read.unread, read.unread
    ours = told(read.scene, read.questions[-1], spoken, {})
    theirs = ordered(asked(dialect, [*SCRIPT, query]))
    assert spoken.text(read.questions[-1]) and theirs == ordered(
        asked(dialect, [*SCRIPT, spoken.text(read.questions[-1])])
    )
    return ours if isinstance(ours, str) else ordered(ours), theirs


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@pytest.mark.parametrize("kind", ["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"])
@pytest.mark.parametrize(
    "query",
    [
        "SELECT t.a, t.b, u.a, u.c FROM t {} u USING (a)",
        "SELECT a, b, c FROM t {} u USING (a)",
        "SELECT a FROM t {} u USING (a) WHERE a IS NOT NULL",
        "SELECT t.a, u.c FROM t NATURAL {} u",
        "SELECT t.a, v.b FROM t NATURAL {} v",
        "SELECT t.a, v.b FROM t {} v USING (a, b)",
        "SELECT a, u.c, v.b FROM t {} u USING (a) JOIN v USING (a)",
    ],
)
def test_columns_of_one_name_are_compared_and_are_one(query, kind, dialect):
    ours, theirs = rows(query.format(kind), dialect)
    is_chained = "JOIN v USING" in query and dialect == "sqlite" and kind in ("RIGHT JOIN", "FULL JOIN")
    assert ours == theirs or (is_chained and isinstance(ours, str)), "what a merged column is compared by is not said"


def test_where_its_affinity_is_not_said_a_merged_column_is_not_compared():
    ours, _ = rows("SELECT a FROM t FULL JOIN u USING (a) WHERE a > 1", "sqlite")
    assert isinstance(ours, str)
    ours, theirs = rows("SELECT a FROM t FULL JOIN u USING (a) WHERE a > 1", "duckdb")
    assert ours == theirs


def test_two_columns_of_one_name_are_not_taken_for_one():
    spoken = dialects.find("duckdb")
    read = statements.script([*SCRIPT, "SELECT * FROM (SELECT 42 AS a, 44 AS a) AS x"], spoken)
    assert isinstance(told(read.scene, read.questions[-1], spoken, {}), str)

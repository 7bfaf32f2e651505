"""AVG, TOTAL and text that is joined in an order: by our own semantics, in SQLite and in DuckDB."""

import pytest

from gainsay.families.sql.language import dialects, ir, statements
from gainsay.families.sql.meaning.scene_cache import SceneCache
from sql_held import asked, ordered

SCRIPT = [
    "CREATE TABLE t(a INTEGER, b VARCHAR, c INTEGER)",
    "INSERT INTO t(a, b, c) VALUES (1, 'x', 1), (2, 'y', 1), (NULL, NULL, 1), (4, 'x', 2)",
]


def told(dialect, text, facts=()):
    """What we say that a query answers, and what it answers; None where we say nothing."""
    read = statements.script([*SCRIPT, text], dialects.find(dialect))
    assert not read.unread and not isinstance(read.questions[0], ir.RawQuery)
    ours = SceneCache(read.scene, dialects.find(dialect), dict(facts)).rows(read.questions[0])
    return None if ours is None else ordered(ours), ordered(asked(dialect, [*SCRIPT, text]))


FACTS = {"sqlite": {}, "duckdb": {"text-order": "by code point", "null-order": "last"}}


@pytest.mark.parametrize("dialect", FACTS)
@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("SELECT AVG(a) FROM t", [(7 / 3,)]),
        ("SELECT c, AVG(a) FROM t GROUP BY c", [(1, 1.5), (2, 4.0)]),
        ("SELECT AVG(a) FROM t WHERE a > 9", [(None,)]),
        ("SELECT AVG(a) OVER (PARTITION BY c) FROM t", [(1.5,), (1.5,), (1.5,), (4.0,)]),
        ("SELECT STRING_AGG(b, '-' ORDER BY b DESC) FROM t", [("y-x-x",)]),
        ("SELECT STRING_AGG(DISTINCT b, ',' ORDER BY b) FROM t", [("x,y",)]),
        ("SELECT STRING_AGG(b, ',') FROM t WHERE b = 'x'", [("x,x",)]),
        ("SELECT STRING_AGG(b, ',') FROM t WHERE b IS NULL", [(None,)]),
    ],
)
def test_an_aggregate_has_its_value(dialect, text, rows):
    if dialect == "sqlite":
        text = text.replace("STRING_AGG(DISTINCT b, ','", "GROUP_CONCAT(DISTINCT b")  # it has one operand there
    assert told(dialect, text, FACTS[dialect].items()) == (ordered(rows), ordered(rows))


def test_total_and_group_concat_of_sqlite():
    assert told("sqlite", "SELECT TOTAL(a), TOTAL(b) FROM t") == (["(7.0, 0.0)"], ["(7.0, 0.0)"])
    assert told("sqlite", "SELECT TOTAL(a) FROM t WHERE FALSE") == (["(0.0,)"], ["(0.0,)"])
    assert told("sqlite", "SELECT GROUP_CONCAT(a, '' ORDER BY a) FROM t") == (["('124',)"], ["('124',)"])


def test_it_is_open_in_which_order_texts_are_joined_where_nothing_is_said():
    assert told("sqlite", "SELECT GROUP_CONCAT(b) FROM t")[0] is None
    assert told("sqlite", "SELECT GROUP_CONCAT(b, ',' ORDER BY a) FROM t")[0] is None


def test_which_of_two_equal_texts_is_joined_is_left_open():
    script = ["CREATE TABLE t(a TEXT COLLATE NOCASE)", "INSERT INTO t(a) VALUES ('x'), ('X')"]
    read = statements.script([*script, "SELECT GROUP_CONCAT(DISTINCT a) FROM t"], dialects.find("sqlite"))
    assert SceneCache(read.scene, dialects.find("sqlite"), {}).rows(read.questions[0]) is None

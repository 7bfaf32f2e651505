"""Functions of several rows: what a row of the table says of one, and a dialect's own row."""

import functools
import operator

import pytest

from gainsay.families.sql.language import dialects, ir, statements
from gainsay.families.sql.language.aggregates import AGGREGATES, LAST, UNKNOWN, aggregate, drawn_from
from gainsay.families.sql.meaning.scene_cache import SceneCache
from gainsay.families.sql.meaning.term import of_values
from sql_held import asked, ordered

SCRIPT = [
    "CREATE TABLE t(a INTEGER, b VARCHAR)",
    "INSERT INTO t(a, b) VALUES (6, 'x'), (3, 'x'), (7, 'y'), (NULL, 'z')",
]
MINE = dialects.find("duckdb").extend(
    "mine",
    aggregates={
        "all bits": aggregate(
            "int -> int",
            word="BIT_AND",
            meaning=of_values(lambda values: functools.reduce(operator.and_, values) if values else None),
        )
    },
)


@pytest.mark.parametrize(
    "text",
    ["SELECT BIT_AND(t.a) FROM t", "SELECT t.b, BIT_AND(DISTINCT t.a) FILTER (WHERE t.a > 2) FROM t GROUP BY t.b"],
)
def test_a_dialects_own_aggregate_is_read_written_and_has_a_meaning(text):
    read = statements.script([*SCRIPT, text], MINE)
    (question,) = read.questions
    assert not read.unread and MINE.text(question) == text
    assert [n.fn for n in question.items if isinstance(n, ir.Agg)] == ["all bits"]
    assert ordered(SceneCache(read.scene, MINE, {}).rows(question)) == ordered(asked("duckdb", [*SCRIPT, text]))


def test_a_dialects_own_aggregate_is_nobody_elses():
    assert "all bits" not in dialects.find("duckdb").aggregates and dialects.aggregate("all bits") is UNKNOWN
    read = statements.script([*SCRIPT, "SELECT BIT_AND(a) FROM t"], dialects.find("duckdb"))
    assert "BIT_AND" in read.unread[0]


def test_each_is_drawn_once_for_each_of_its_places():
    table = {"b": aggregate("T -> T", (2,)), "a": aggregate("T -> T", (0, 3)), "c": aggregate("T -> T", ())}
    assert drawn_from(table, False) == ("a", "b", "a")
    assert drawn_from({**table, "d": aggregate("T -> T")}, False)[-1] == "d" and aggregate("T -> T").drawn == (LAST,)


@pytest.mark.parametrize(
    ("name", "cls", "is_for", "result"),
    [
        ("sum", "int", True, "int"),
        ("sum", "text", False, None),
        ("avg", "dec", True, "real"),
        ("max", "date", True, "date"),
        ("string_agg", "int", False, None),
        ("count", "text", True, "int"),
        ("ntile", "text", True, "int"),
        ("rank", "text", True, "int"),
    ],
)
def test_a_row_says_what_it_is_of_and_what_it_gives(name, cls, is_for, result):
    row = AGGREGATES[name]
    assert row.is_for(cls) is is_for and row.is_for("any")
    assert result is None or row.result_of(cls) == result


def test_which_of_two_peers_comes_first_matters_to_what_looks_at_single_rows():
    alike = {name for name, row in AGGREGATES.items() if row.is_alike}
    assert alike == {"count", "min", "max", "sum", "avg", "total", "rank", "dense_rank", "percent_rank", "cume_dist"}
    framed = {name for name, row in AGGREGATES.items() if row.is_framed and not row.is_aggregate}
    assert framed == {"first_value", "last_value", "nth_value"}

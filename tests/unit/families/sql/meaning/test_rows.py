"""What is made of rows: an expression is asked once for the same values."""

from operator import itemgetter

import apsw
import pytest

from gainsay.families.sql.language import dialects, parse
from gainsay.families.sql.meaning.rows import FEW, Used, asked, kept, of_rows, remembered
from gainsay.families.sql.meaning.scene_cache import told


def counted(places, of):
    """An expression that counts how often it was asked."""
    times = []

    def value(row):
        times.append(row)
        return of(row)

    return Used(value, places), times


def test_the_same_values_are_asked_once():
    used, times = counted((0, 2), lambda row: row[0] + row[2])
    value = remembered(used)
    assert [value((1, n, 2)) for n in range(5)] == [3] * 5
    assert len(times) == 1


def test_equal_values_of_two_classes_are_two():
    used, _ = counted((0,), lambda row: type(row[0]).__name__)
    value = remembered(used)
    assert [value((1,)), value((1.0,)), value((True,)), value((1,))] == ["int", "float", "bool", "int"]


def test_values_that_are_gone_are_not_taken_for_new_ones():
    used, _ = counted((0,), lambda row: row[0])
    value = remembered(used)
    # Each number is made, asked about and dropped: its place in memory is free for the next one
    assert [value((float(f"{n}.5"),)) for n in range(500)] == [n + 0.5 for n in range(500)]


def test_what_uses_no_column_is_asked_once_and_only_if_there_is_a_row():
    used, times = counted((), lambda row: True)
    fetch = kept(lambda row: [(n,) for n in range(FEW + 1)], used)
    assert len(fetch(())) == FEW + 1
    assert len(times) == 1
    used, times = counted((), lambda row: True)
    assert kept(lambda row: [], used)(()) == []
    assert times == []


def test_few_rows_are_simply_asked():
    used, times = counted((0,), lambda row: row[0] == 1)
    assert kept(lambda row: [(1,), (1,), (2,)], used)(()) == [(1,), (1,)]
    assert len(times) == 3
    assert asked(used, 3) is used.of


def test_columns_are_shown_as_they_stand():
    rows = [(1, "a", 2), (3, "b", 4)]
    second, first = Used(itemgetter(1), (1,)), Used(itemgetter(0), (0,))
    assert of_rows(lambda row: rows, [second, first])(()) == [("a", 1), ("b", 3)]
    assert of_rows(lambda row: rows, [first])(()) == [(1,), (3,)]


TABLE = "CREATE TABLE t0(c0); INSERT INTO t0(c0) VALUES (1), (2);"


@pytest.mark.parametrize(
    "query",
    [
        "SELECT c0, (t0.c0, 2) IN (SELECT t0.c0, s1.c0 FROM t0 AS s1) FROM t0",
        "SELECT c0, EXISTS (SELECT s0.c0 FROM t0 AS s0 WHERE t0.c0 > s0.c0) FROM t0",
        "SELECT c0, EXISTS (SELECT 1 FROM t0 AS s0, t0 AS s1, t0 AS s2, t0 AS s3 WHERE t0.c0 > 1) FROM t0",
    ],
)
def test_columns_of_the_query_around_are_those_of_its_row(query):
    scene, question = read(TABLE, query)
    db = apsw.Connection(":memory:")
    db.execute(TABLE)
    assert sorted(told(scene, question, dialects.find("sqlite"), {})) == sorted(db.execute(query))


def read(script, query):
    found = parse.known([text.strip() for text in script.split(";") if text.strip()], query, dialects.find("sqlite"))
    return found.scene, found.questions[0]


VIEW = "CREATE TABLE t0(c0 COLLATE NOCASE); INSERT INTO t0(c0) VALUES ('A'); CREATE VIEW v0(c0) AS SELECT 'a';"


@pytest.mark.parametrize(
    ("query", "is_told"),
    [
        ("SELECT v0.c0 = t0.c0 FROM t0, v0", False),  # is it a column, with BINARY, or an expression without?
        ("SELECT MAX(v0.c0, t0.c0) FROM t0, v0", False),
        ("SELECT t0.c0 = v0.c0 FROM t0, v0", True),  # the left one's
        ("SELECT v0.c0 = 'a' FROM v0", True),
        ("SELECT v0.c0 = t0.c0 COLLATE BINARY FROM t0, v0", True),
    ],
)
def test_whether_a_column_of_a_view_has_a_collating_sequence_is_open(query, is_told):
    scene, question = read(VIEW, query)
    rows, db = told(scene, question, dialects.find("sqlite"), {}), apsw.Connection(":memory:")
    db.execute(VIEW)
    assert rows == list(db.execute(query)) if is_told else "not determined" in rows


def test_of_several_collating_sequences_the_least_of_three_is_open():
    scene, question = read(VIEW, "SELECT MIN('a', 'b', t0.c0) FROM t0")
    assert "not determined" in told(scene, question, dialects.find("sqlite"), {})
    scene, question = read(VIEW, "SELECT MIN(t0.c0, t0.c0, t0.c0) FROM t0")
    assert told(scene, question, dialects.find("sqlite"), {}) == [("A",)]

"""The runner of sqllogictest files: what it reads, what it leaves, and that it sees a wrong answer."""

import importlib.util
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import pytest

PATH = Path(__file__).parents[2] / "tools" / "sqllogictest.py"
made = importlib.util.spec_from_file_location("sqllogictest", PATH)
tool = importlib.util.module_from_spec(made)
made.loader.exec_module(tool)

SQLITE = """
statement ok
CREATE TABLE t1(a INTEGER, b TEXT)

statement ok
INSERT INTO t1 VALUES(1,'x'),(2,NULL)

query IT rowsort
SELECT a, b FROM t1
----
1
x
2
NULL

onlyif mysql
query I nosort
SELECT 1 FROM t1 WHERE a = 7
----
5

query I nosort
SELECT a + 1 FROM t1 WHERE a = 2
----
{answer}
"""


def run(tmp_path, text, dialect="sqlite"):
    path = tmp_path / "own.test"
    path.write_text(text)
    found = tool.Run(dialect)
    found.file(path)
    return found.counts


def test_recorded_answers_are_compared(tmp_path, capsys):
    assert run(tmp_path, SQLITE.format(answer=3))["agree"] == 2
    counts = run(tmp_path, SQLITE.format(answer=4))
    assert (counts["agree"], counts["DISAGREE"]) == (1, 1)
    assert "SELECT a + 1 FROM t1 WHERE a = 2" in capsys.readouterr().out


def test_what_cannot_be_read_is_counted(tmp_path):
    counts = run(tmp_path, "query I nosort\nSELECT NO_SUCH_FUNCTION(1)\n----\n1\n")
    assert counts["queries not read"] == counts["queries"] == 1


@pytest.mark.parametrize(
    ("sort", "expected", "told"),
    [
        ("rowsort", ["1", "2", "3", "4"], True),
        ("valuesort", ["1", "2", "3", "4"], True),
        ("nosort", ["3", "4", "1", "2"], True),
        ("rowsort", ["2", "1", "3", "4"], False),
        ("rowsort", ["4 values hashing to 2ef2f0a0d7bf0b5f4ca3ff5ba8ee1eb7"], False),
    ],
)
def test_rows_are_sorted_as_a_file_says(sort, expected, told):
    record = tool.Record(["query", "II", sort], "", expected, [])
    assert tool.is_same([(3, 4), (1, 2)], record, False) is told


def test_a_hash_of_what_has_no_order_tells_nothing():
    record = tool.Record(["query", "I", "nosort"], "", ["2 values hashing to 0"], [])
    assert tool.is_same([(1,), (2,)], record, False) is None


DUCKDB = """
require {needed}

foreach type INTEGER BIGINT

statement ok
CREATE TABLE t_${{type}}(a ${{type}}, b VARCHAR)

query I
INSERT INTO t_${{type}} VALUES (1, 'x'), (2, NULL)
----
2

query IT
SELECT a, b FROM t_${{type}}
----
2\tNULL
{first}\tx

endloop

statement ok
DROP TABLE t_BIGINT

query I
SELECT a FROM t_BIGINT
----
1
"""


def test_the_form_of_duckdb_is_read(tmp_path, capsys):
    counts = run(tmp_path, DUCKDB.format(needed="vector_size 1024", first=1), "duckdb")
    assert (counts["agree"], counts["DISAGREE"], counts["statements"]) == (2, 0, 5)
    assert counts["no one meaning, or too large"] == 1, "nothing is known of a table that is gone"
    assert run(tmp_path, DUCKDB.format(needed="vector_size 1024", first=3), "duckdb")["DISAGREE"] == 2
    capsys.readouterr()


@pytest.mark.parametrize("line", ["require parquet", "load __TEST_DIR__/x.db", "concurrentloop i 0 3", "restart"])
def test_a_file_is_left_where_it_needs_more(tmp_path, line):
    counts = run(tmp_path, f"query I\nSELECT 1\n----\n1\n\n{line}\n\nquery I\nSELECT 1\n----\n2\n", "duckdb")
    assert (counts["agree"], counts["DISAGREE"], counts["files that are left"]) == (1, 0, 1)


def test_a_file_is_left_where_a_statement_fails_in_a_transaction(tmp_path):
    text = "statement ok\nBEGIN\n\nstatement error\nSELECT x\n----\n\nquery I\nSELECT 1\n----\n2\n"
    assert run(tmp_path, text, "duckdb")["files that are left"] == 1


@pytest.mark.parametrize(
    ("value", "cell", "told"),
    [
        (None, "NULL", True),
        ("NULL", "NULL", True),
        (None, "0", False),
        (True, "true", True),
        (False, "1", False),
        (0.333333, "0.33333334", True),
        (0.5, "0.6", False),
        (float("inf"), "inf", True),
        (Decimal("1.50"), "1.5", True),
        ("", "(empty)", True),
        ([1, None], "[1, NULL]", True),
        ({"a": 1}, "{'a': 1}", True),
        (datetime(2001, 1, 1, 0, 0, 0, 500000), "2001-01-01 00:00:00.5", True),
    ],
)
def test_a_value_is_what_a_file_says(value, cell, told):
    assert tool.is_value(value, cell) is told


def test_tabs_at_the_end_of_a_line_are_no_values():
    record = tool.Record(["query", "II"], "", ["1\t2\t", "3\t4"], [])
    assert tool.is_same_in_lines([(3, 4), (1, 2)], record, False)


def test_what_another_query_gives_is_not_known():
    record = tool.Record(["query", "I", "nosort", "r1"], "SELECT 1", [], [])
    assert tool.is_same_in_lines([(1,)], record, True) is None

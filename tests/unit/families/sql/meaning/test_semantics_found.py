"""What DuckDB's own test files contradicted in our semantics, as examples of our own."""

import pytest

from gainsay.families.sql.language import dialects, statements
from gainsay.families.sql.meaning.scene_cache import told
from sql_held import agree, asked, is_open

DUCKDB = dialects.find("duckdb")
TABLE, ROWS = "CREATE TABLE t(a INTEGER PRIMARY KEY, b INTEGER)", "INSERT INTO t(a, b) VALUES (1, 10), (2, 20)"


def rows(*texts):
    """What we say of the last of some texts, and what DuckDB says."""
    read = statements.script(list(texts), DUCKDB)
    assert not read.unread, read.unread
    return told(read.scene, read.questions[-1], DUCKDB, {}), asked("duckdb", list(texts))


def test_a_replacing_row_may_keep_what_it_is_not_given():
    part = "INSERT OR REPLACE INTO t(a) VALUES (1)"
    assert is_open([TABLE, ROWS, part], dialect="duckdb")
    agree([TABLE, ROWS, part], [(1, None), (2, 20)], "sqlite")
    agree([TABLE, ROWS, "INSERT OR REPLACE INTO t(a, b) VALUES (1, 3)"], [(1, 3), (2, 20)])


def test_rows_of_one_insert_may_meet_each_other():
    twice = "INSERT INTO t(a, b) VALUES (7, 1), (7, 2) ON CONFLICT (a) DO UPDATE SET b = excluded.b + 1"
    assert is_open([TABLE, ROWS, twice], dialect="duckdb")
    agree([TABLE, ROWS, twice], [(1, 10), (2, 20), (7, 3)], "sqlite")


def test_what_was_altered_in_a_transaction_that_is_taken_back_is_not_known():
    undone = [TABLE, ROWS, "BEGIN", "ALTER TABLE t ADD COLUMN c INTEGER", "ROLLBACK", "SELECT a FROM t"]
    read = statements.script(undone, DUCKDB)
    assert isinstance(told(read.scene, read.questions[0], DUCKDB, {}), str)


@pytest.mark.parametrize("text", ["SET default_null_order = 'nulls_first'", "SET integer_division = true"])
def test_a_setting_may_change_what_queries_mean(text):
    ours, _ = rows(text, "SELECT 7 / 2")
    assert isinstance(ours, str)
    ours, theirs = rows("SET threads = 1", "SELECT 7 / 2")
    assert ours == theirs


def test_an_aggregate_of_what_is_around_is_not_taken_for_one_of_the_query():
    read = statements.script([TABLE, ROWS, "SELECT a, (SELECT SUM(x.b) FROM t) FROM t AS x GROUP BY a"], DUCKDB)
    assert isinstance(told(read.scene, read.questions[0], DUCKDB, {}), str)
    ours, theirs = rows(TABLE, ROWS, "SELECT a, (SELECT SUM(t.b) FROM t WHERE t.a < x.a) FROM t AS x")
    assert sorted(map(repr, ours)) == sorted(map(repr, theirs))


def test_letters_of_several_code_points_are_not_turned_round():
    assert isinstance(rows("SELECT REVERSE('a\u0308b')")[0], str)
    ours, theirs = rows("SELECT REVERSE('\u00e4b')")
    assert ours == theirs


def test_reals_of_32_bits_lose_digits():
    made = ["CREATE TABLE t(a FLOAT, b FLOAT)", "INSERT INTO t(a, b) VALUES (1.0, 3.0), (1.5, 0.5)"]
    agree(made, [(1.0, 3.0), (1.5, 0.5)], "duckdb")
    ours, theirs = rows(*made, "SELECT a + b, a * b FROM t")
    assert sorted(ours) == sorted(theirs)
    assert isinstance(rows(*made, "SELECT a / b FROM t")[0], str)


@pytest.mark.parametrize(
    "query", ["SELECT 1 < 1.5::DOUBLE", "SELECT 1 = 1::DOUBLE", "SELECT 3 IN (2.5, 3.0)", "SELECT 42 IS TRUE"]
)
def test_numbers_of_several_types_are_compared(query):
    ours, theirs = rows(query)
    assert ours == theirs


@pytest.mark.parametrize("query", ["SELECT TRY_CAST('infinity' AS DATE)", "SELECT DATE '0000-01-01' IS NULL"])
def test_words_for_dates_and_dates_out_of_bounds_have_no_meaning(query):
    read = statements.script([query], DUCKDB)
    assert isinstance(told(read.scene, read.questions[0], DUCKDB, {}), str)


def test_digits_may_be_parted():
    ours, theirs = rows("SELECT 1_000, 1_2.1_2")
    assert ours == theirs and repr(ours[0][0]) == "1000"

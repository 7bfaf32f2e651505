"""ON CONFLICT of a constraint: what SQLite does with a row that breaks it (its page "The ON CONFLICT Clause")."""

import pytest

from sql_held import agree, is_open, is_refused

KEY = "CREATE TABLE t(a INTEGER UNIQUE ON CONFLICT {}, b INTEGER)"
FIRST, SECOND = "INSERT INTO t(a, b) VALUES (1, 1), (2, 2)", "INSERT INTO t(a, b) VALUES (1, 3), (4, 4)"


@pytest.mark.parametrize(
    ("policy", "rows"), [("IGNORE", [(1, 1), (2, 2), (4, 4)]), ("REPLACE", [(1, 3), (2, 2), (4, 4)])]
)
def test_a_key_says_what_is_done(policy, rows):
    agree([KEY.format(policy), FIRST, SECOND], rows, "sqlite")
    agree(["CREATE TABLE t(a, b, UNIQUE (a) ON CONFLICT " + policy + ")", FIRST, SECOND], rows, "sqlite")
    agree(["CREATE TABLE t(a, b, PRIMARY KEY (a) ON CONFLICT " + policy + ")", FIRST, SECOND], rows, "sqlite")


def test_the_statement_comes_before_the_constraint():
    ignored, replaced = [KEY.format("REPLACE"), FIRST], [KEY.format("IGNORE"), FIRST]
    agree([*ignored, SECOND.replace("INSERT", "INSERT OR IGNORE")], [(1, 1), (2, 2), (4, 4)], "sqlite")
    agree([*replaced, SECOND.replace("INSERT", "INSERT OR REPLACE")], [(1, 3), (2, 2), (4, 4)], "sqlite")
    assert is_refused([*ignored, SECOND.replace("INSERT", "INSERT OR ABORT")])
    assert is_refused([KEY.format("ABORT"), FIRST, SECOND])


def test_null_becomes_the_default_or_the_row_is_passed_over():
    made = "CREATE TABLE t(a INTEGER DEFAULT (7) NOT NULL ON CONFLICT {}, b INTEGER)"
    given = "INSERT INTO t(a, b) VALUES (NULL, 1), (2, 2)"
    agree([made.format("REPLACE"), given], [(7, 1), (2, 2)], "sqlite")
    agree([made.format("IGNORE"), given], [(2, 2)], "sqlite")
    assert is_refused(["CREATE TABLE t(a INTEGER NOT NULL ON CONFLICT REPLACE, b INTEGER)", given])


def test_an_update_meets_a_constraint():
    agree([KEY.format("IGNORE"), FIRST, "UPDATE t SET a = 1 WHERE a = 2"], [(1, 1), (2, 2)], "sqlite")
    agree([KEY.format("REPLACE"), FIRST, "UPDATE t SET a = 1 WHERE a = 2"], [(1, 2)], "sqlite")
    assert is_refused([KEY.format("IGNORE"), FIRST, "UPDATE OR ABORT t SET a = 1 WHERE a = 2"])


def test_which_of_two_constraints_is_asked_first_is_not_said():
    two = "CREATE TABLE t(a INTEGER UNIQUE ON CONFLICT IGNORE, b INTEGER UNIQUE ON CONFLICT REPLACE)"
    assert is_open([two, FIRST, "INSERT INTO t(a, b) VALUES (1, 2)"])
    agree([two, FIRST, "INSERT INTO t(a, b) VALUES (3, 2)"], [(1, 1), (3, 2)], "sqlite")
    null = "CREATE TABLE t(a INTEGER NOT NULL ON CONFLICT IGNORE, b INTEGER UNIQUE ON CONFLICT REPLACE)"
    assert is_open([null, FIRST, "INSERT INTO t(a, b) VALUES (NULL, 2)"])


def test_an_upsert_beside_a_policy_is_open():
    assert is_open([KEY.format("REPLACE"), FIRST, "INSERT INTO t(a, b) VALUES (1, 5) ON CONFLICT (a) DO NOTHING"])

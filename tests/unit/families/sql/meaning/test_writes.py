"""UPDATE in its forms, numbers that are never given twice, and CHECK of a table: by our own semantics, in SQLite and in
DuckDB."""

from sql_held import agree, is_open, is_refused

TABLE = "CREATE TABLE t(a INTEGER, b INTEGER, c INTEGER)"
ROWS = "INSERT INTO t(a, b, c) VALUES (1, 10, 0), (2, 20, 0), (3, NULL, 0)"
OTHER = ["CREATE TABLE u(k INTEGER, v INTEGER)", "INSERT INTO u(k, v) VALUES (1, 5), (2, 6), (2, 7)"]


def test_several_columns_are_set_from_the_row_as_it_was():
    wanted = [(10, 1, 0), (20, 2, 0), (None, 3, 0)]
    agree([TABLE, ROWS, "UPDATE t SET a = b, b = a"], wanted)
    agree([TABLE, ROWS, "UPDATE t SET (a, b) = (b, a)"], wanted, "sqlite")
    agree([TABLE, ROWS, "UPDATE t SET b = (a + 1), c = 4 WHERE a > 1"], [(1, 10, 0), (2, 3, 4), (3, 4, 4)])


def test_an_update_takes_values_from_another_table():
    agree([TABLE, ROWS, *OTHER, "UPDATE t SET b = u.v FROM u WHERE t.a = u.k AND u.v < 7"], [
        (1, 5, 0), (2, 6, 0), (3, None, 0)
    ])  # fmt: skip
    own = "UPDATE t SET c = x.a FROM t AS x WHERE t.a = x.a"
    agree([TABLE, ROWS, own], [(1, 10, 1), (2, 20, 2), (3, None, 3)])


def test_it_is_open_by_which_of_several_rows_a_row_is_changed():
    assert is_open([TABLE, ROWS, *OTHER, "UPDATE t SET b = u.v FROM u WHERE t.a = u.k"])
    agree([TABLE, ROWS, *OTHER, "UPDATE t SET b = 1 FROM u WHERE t.a = u.k"], [(1, 1, 0), (2, 1, 0), (3, None, 0)])


def test_an_update_that_breaks_a_constraint_is_passed_over_or_wins():
    made = ["CREATE TABLE t(a INTEGER UNIQUE, b INTEGER NOT NULL)", "INSERT INTO t(a, b) VALUES (1, 1), (2, 2)"]
    agree([*made, "UPDATE OR IGNORE t SET a = 1 WHERE a = 2"], [(1, 1), (2, 2)], "sqlite")
    agree([*made, "UPDATE OR REPLACE t SET a = 1 WHERE a = 2"], [(1, 2)], "sqlite")
    agree([*made, "UPDATE OR IGNORE t SET b = NULL"], [(1, 1), (2, 2)], "sqlite")
    assert is_open([*made, "UPDATE OR REPLACE t SET a = 5"])
    assert is_refused([*made, "UPDATE t SET a = 1 WHERE a = 2"])


def test_a_number_is_never_given_twice():
    made = ["CREATE TABLE t(a INTEGER PRIMARY KEY{}, b)", "INSERT INTO t(a, b) VALUES (7, 0)", "DELETE FROM t"]
    counted = [text.format(" AUTOINCREMENT") for text in made]
    agree([*counted, "INSERT INTO t(b) VALUES (1)"], [(8, 1)], "sqlite")
    agree([*(text.format("") for text in made), "INSERT INTO t(b) VALUES (1)"], [(1, 1)], "sqlite")
    undone = [*counted, "BEGIN", "INSERT INTO t(b) VALUES (1)", "ROLLBACK", "INSERT INTO t(b) VALUES (2)"]
    agree(undone, [(8, 2)], "sqlite")


def test_a_table_has_checks_of_several_columns():
    made = ["CREATE TABLE t(a INTEGER, b INTEGER, CHECK (a < b))", "INSERT INTO t(a, b) VALUES (1, 2), (NULL, 0)"]
    agree(made, [(1, 2), (None, 0)])
    assert is_refused([*made, "INSERT INTO t(a, b) VALUES (2, 1)"])
    ignored = [*made, "INSERT OR IGNORE INTO t(a, b) VALUES (2, 1), (3, 4)"]
    agree(ignored, [(1, 2), (None, 0), (3, 4)], "sqlite")

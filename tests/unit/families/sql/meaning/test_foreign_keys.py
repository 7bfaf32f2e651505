"""Foreign keys and their actions: by our own semantics, and in SQLite and DuckDB after the same statements."""

import pytest

from sql_held import agree, is_open, is_refused

ON = "PRAGMA foreign_keys = ON"
PARENT = "CREATE TABLE p(a INTEGER UNIQUE, b INTEGER)"
ROWS = "INSERT INTO p(a, b) VALUES (1, 1), (2, 2), (NULL, 3)"


def child(actions="", default=""):
    return f"CREATE TABLE t(c INTEGER {default}, d INTEGER, FOREIGN KEY (c) REFERENCES p(a) {actions})"


def begun(actions="", default="", rows="(1, 10), (2, 20), (NULL, 30)"):
    return [ON, PARENT, child(actions, default), ROWS, f"INSERT INTO t(c, d) VALUES {rows}"]


@pytest.mark.parametrize(
    "action, rows",
    [
        ("CASCADE", [(2, 20), (None, 30)]),
        ("SET NULL", [(None, 10), (2, 20), (None, 30)]),
        ("SET DEFAULT", [(2, 10), (2, 20), (None, 30)]),
    ],
)
def test_rows_follow_what_they_refer_to_when_it_goes(action, rows):
    agree([*begun(f"ON DELETE {action}", "DEFAULT 2"), "DELETE FROM p WHERE a = 1"], rows, "sqlite")


@pytest.mark.parametrize(
    "action, rows",
    [
        ("CASCADE", [(7, 10), (2, 20), (None, 30)]),
        ("SET NULL", [(None, 10), (2, 20), (None, 30)]),
        ("SET DEFAULT", [(2, 10), (2, 20), (None, 30)]),
    ],
)
def test_rows_follow_what_they_refer_to_when_it_is_changed(action, rows):
    change = "UPDATE p SET a = 7 WHERE a = 1"
    agree([*begun(f"ON UPDATE {action}", "DEFAULT 2"), change], rows, "sqlite")
    agree([*begun(f"ON UPDATE {action}", "DEFAULT 2"), "UPDATE p SET b = 7"], [(1, 10), (2, 20), (None, 30)], "sqlite")


@pytest.mark.parametrize("action", ["", "ON DELETE RESTRICT", "ON DELETE NO ACTION", "ON DELETE SET DEFAULT"])
def test_what_is_referred_to_stays(action):
    assert is_refused([*begun(action, "DEFAULT 9"), "DELETE FROM p WHERE a = 1"])
    assert not is_refused([*begun(action, "DEFAULT 9"), "DELETE FROM p WHERE b = 3"])


def test_a_row_refers_to_what_is_there():
    assert is_refused([*begun(), "INSERT INTO t(c, d) VALUES (9, 1)"])
    assert is_refused([*begun(), "UPDATE t SET c = 9 WHERE d = 10"])
    agree([*begun()[1:], "INSERT INTO t(c, d) VALUES (1, 1)"], [(1, 10), (2, 20), (None, 30), (1, 1)], "duckdb")
    assert is_refused([*begun()[1:], "INSERT INTO t(c, d) VALUES (9, 1)"], dialect="duckdb")


def test_actions_lead_to_others():
    more = "CREATE TABLE s(e INTEGER, FOREIGN KEY (e) REFERENCES t(d) ON DELETE SET NULL)"
    made = [ON, PARENT, child("ON DELETE CASCADE").replace("d INTEGER", "d INTEGER UNIQUE"), more, ROWS]
    made += ["INSERT INTO t(c, d) VALUES (1, 10), (2, 20)", "INSERT INTO s(e) VALUES (10), (20)"]
    agree([*made, "DELETE FROM p WHERE a = 1"], [(None,), (20,)], "sqlite", table="s")


def test_a_table_may_refer_to_itself():
    tree = "CREATE TABLE t(a INTEGER PRIMARY KEY, b INTEGER, FOREIGN KEY (b) REFERENCES t(a) ON DELETE CASCADE)"
    rows = "INSERT INTO t(a, b) VALUES (2, 1), (1, NULL), (3, 2), (4, 4)"
    agree([ON, tree, rows, "DELETE FROM t WHERE a = 1"], [(4, 4)], "sqlite")


def test_the_key_of_several_columns_is_met_as_a_whole():
    parent = "CREATE TABLE p(a INTEGER, b INTEGER, UNIQUE (a, b))"
    made = [
        ON,
        parent,
        "CREATE TABLE t(c INTEGER, d INTEGER, FOREIGN KEY (d, c) REFERENCES p(b, a) ON DELETE SET NULL)",
    ]
    made += ["INSERT INTO p(a, b) VALUES (1, 2), (2, 1)", "INSERT INTO t(c, d) VALUES (1, 2), (1, NULL)"]
    agree([*made, "DELETE FROM p WHERE a = 2"], [(1, 2), (1, None)], "sqlite")
    agree([*made, "DELETE FROM p WHERE a = 1"], [(None, None), (1, None)], "sqlite")


def test_a_value_is_compared_as_one_of_the_other_table():
    parent = "CREATE TABLE p(a TEXT COLLATE NOCASE UNIQUE)"
    made = [ON, parent, "CREATE TABLE t(c TEXT, FOREIGN KEY (c) REFERENCES p(a) ON DELETE CASCADE)"]
    made += ["INSERT INTO p(a) VALUES ('A'), ('b')", "INSERT INTO t(c) VALUES ('a'), ('B')"]
    agree([*made, "DELETE FROM p WHERE a = 'a'"], [("B",)], "sqlite")


def test_nothing_is_said_where_nobody_says_whether_keys_are_asked_for():
    change = [*begun("ON DELETE CASCADE")[1:], "DELETE FROM p WHERE a = 1"]
    assert is_open(change)
    agree(["PRAGMA foreign_keys = OFF", *change], [(1, 10), (2, 20), (None, 30)], "sqlite")


def test_names_of_what_is_referred_to_may_change():
    renamed = [*begun("ON DELETE CASCADE"), "ALTER TABLE p RENAME TO q", "ALTER TABLE q RENAME COLUMN a TO x"]
    agree([*renamed, "DELETE FROM q WHERE x = 1"], [(2, 20), (None, 30)], "sqlite")
    own = [*begun("ON DELETE SET NULL"), "ALTER TABLE t RENAME COLUMN c TO x", "DELETE FROM p WHERE a = 1"]
    agree(own, [(None, 10), (2, 20), (None, 30)], "sqlite")


def test_a_column_of_a_foreign_key_is_not_dropped():
    assert is_refused([*begun(), "ALTER TABLE t DROP COLUMN c"])
    agree(
        [*begun("ON DELETE CASCADE"), "ALTER TABLE t DROP COLUMN d", "DELETE FROM p WHERE a = 1"],
        [(2,), (None,)],
        "sqlite",
    )


def test_a_row_that_gives_way_to_another_one_leaves_it_open_what_becomes_of_its_children():
    assert is_open([*begun("ON DELETE CASCADE"), "INSERT OR REPLACE INTO p(a, b) VALUES (1, 5)"])
    agree([*begun(), "INSERT OR REPLACE INTO p(a, b) VALUES (5, 5)"], [(1, 10), (2, 20), (None, 30)], "sqlite")


def test_an_upsert_of_a_key_is_an_update():
    change = "INSERT INTO p(a, b) VALUES (1, 5) ON CONFLICT (a) DO UPDATE SET a = 8"
    agree([*begun("ON UPDATE CASCADE"), change], [(8, 10), (2, 20), (None, 30)], "sqlite")


def test_a_deferred_key_may_be_broken_inside_of_a_transaction():
    late = begun("ON DELETE NO ACTION DEFERRABLE INITIALLY DEFERRED")
    undone = [*late, "BEGIN", "INSERT INTO t(c, d) VALUES (9, 9)", "ROLLBACK"]
    agree(undone, [(1, 10), (2, 20), (None, 30)], "sqlite")
    assert is_refused([*late, "INSERT INTO t(c, d) VALUES (9, 9)"])

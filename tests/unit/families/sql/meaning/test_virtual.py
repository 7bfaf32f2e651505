"""Virtual tables of SQLite: what they hold by our own semantics, and in SQLite."""

import pytest

from gainsay.families.sql.language.spoken.sqlite import COMMANDS, FTS_OPTIONS
from sql_held import agree, is_open

ROWS = "INSERT INTO t(c0, c1) VALUES (1, 'a'), (x'61', NULL), ('a b', 1.5)"
HELD = [(1, "a"), (b"a", None), ("a b", 1.5)]


@pytest.mark.parametrize("module", FTS_OPTIONS)
def test_a_full_text_table_holds_what_it_is_given(module):
    for option in ("", *(f", {o}" for o in FTS_OPTIONS[module] if not o.startswith("content"))):
        made = f"CREATE VIRTUAL TABLE t USING {module}(c0, c1{option})"
        agree([made, ROWS], HELD, "sqlite")
        agree([made, ROWS, "UPDATE t SET c1 = 2 WHERE c0 = 1", "DELETE FROM t WHERE c1 IS NULL"], [
            (1, 2), ("a b", 1.5)
        ], "sqlite")  # fmt: skip
    agree(["CREATE VIRTUAL TABLE t USING fts5(c0, c1 UNINDEXED)", ROWS], HELD, "sqlite")


@pytest.mark.parametrize("module", FTS_OPTIONS)
def test_a_command_changes_nothing(module):
    for said in COMMANDS[module]:
        told = f"INSERT INTO t({', '.join(('t', 'rank')[: len(said)])}) VALUES ({', '.join(said)})"
        agree([f"CREATE VIRTUAL TABLE t USING {module}(c0, c1)", ROWS, told], HELD, "sqlite")


def test_nothing_is_said_of_a_table_without_content():
    assert is_open(["CREATE VIRTUAL TABLE t USING fts5(c0, c1, content='')", ROWS])


def test_an_r_tree_holds_numbers():
    rows = ["INSERT INTO t(c0, c1, c2) VALUES (7, 1, 2)", "INSERT INTO t(c1, c2) VALUES (0, 0.5)"]
    agree(["CREATE VIRTUAL TABLE t USING rtree(c0, c1, c2)", *rows], [(7, 1.0, 2.0), (8, 0.0, 0.5)], "sqlite")
    agree(["CREATE VIRTUAL TABLE t USING rtree_i32(c0, c1, c2)", rows[0]], [(7, 1, 2)], "sqlite")
    again = "INSERT OR IGNORE INTO t(c0, c1, c2, c9) VALUES (7, 3, 4, 'b'), (9, 3, 3, NULL)"
    made = [
        "CREATE VIRTUAL TABLE t USING rtree(c0, c1, c2, +c9)",
        "INSERT INTO t(c0, c1, c2, c9) VALUES (7, 1, 2, 'a')",
    ]
    agree([*made, again], [(7, 1.0, 2.0, "a"), (9, 3.0, 3.0, None)], "sqlite")


@pytest.mark.parametrize("row", ["(1, NULL, 2)", "(1, 0.1, 2)", "(1, 3, 2)", "(1, 'a', 2)"])
def test_nothing_is_said_of_bounds_that_may_be_changed_or_refused(row):
    assert is_open(
        ["CREATE VIRTUAL TABLE t USING rtree(c0, c1, c2)", f"INSERT OR IGNORE INTO t(c0, c1, c2) VALUES {row}"]
    )

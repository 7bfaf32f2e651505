"""What RETURNING tells: by our own semantics, in SQLite and in DuckDB."""

import pytest

from gainsay.families.sql.language import dialects, ir, statements
from gainsay.families.sql.meaning.returning import wanted
from gainsay.families.sql.meaning.scene_cache import SceneCache
from sql_held import asked, ordered

TABLE = ["CREATE TABLE t(a INTEGER UNIQUE, b INTEGER)", "INSERT INTO t(a, b) VALUES (1, 10), (2, 20)"]


def told(dialect, script, text, *names):
    """What we say that a statement tells, and what it tells; None where we say nothing."""
    spoken = dialects.find(dialect)
    read = statements.script([*script, text], spoken)
    assert not read.unread
    cache = SceneCache(ir.Scene(read.scene.statements[:-1]), spoken, {})
    before = [(t.rows, t.is_known) for t in cache.database.tables.values()]
    items = tuple(ir.Col("", name) for name in names)
    found = wanted(cache.database, read.scene.statements[-1], items)
    assert before == [(t.rows, t.is_known) for t in cache.database.tables.values()], "the tables stay as they are"
    real = asked(dialect, [*script, f"{text} RETURNING {', '.join(names)}"])
    return None if found is None else ordered(found.returned), ordered(real)


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("INSERT INTO t(a, b) VALUES (3, 30), (4, NULL)", [(30, 3), (None, 4)]),
        ("INSERT OR IGNORE INTO t(a, b) VALUES (1, 5), (4, 6)", [(6, 4)]),
        ("INSERT INTO t(a, b) VALUES (1, 5) ON CONFLICT (a) DO UPDATE SET b = 7", [(7, 1)]),
        ("INSERT INTO t(a, b) VALUES (1, 5) ON CONFLICT (a) DO NOTHING", []),
        ("UPDATE t SET b = 0 WHERE a = 2", [(0, 2)]),
        ("DELETE FROM t WHERE b < 20", [(10, 1)]),
    ],
)
def test_a_statement_tells_of_the_rows_that_it_changed(dialect, text, rows):
    assert told(dialect, TABLE, text, "b", "a") == (ordered(rows), ordered(rows))


def test_a_row_that_gives_way_is_not_told_of():
    rows = ordered([(1, 5)])
    assert told("sqlite", TABLE, "INSERT OR REPLACE INTO t(a, b) VALUES (1, 5)", "a", "b") == (rows, rows)
    rows = ordered([(1, 20)])
    assert told("sqlite", TABLE, "UPDATE OR REPLACE t SET a = 1 WHERE a = 2", "a", "b") == (rows, rows)


def test_nothing_is_said_of_rows_that_an_action_changes_on_the_way():
    tree = "CREATE TABLE t(a INTEGER UNIQUE, b INTEGER, FOREIGN KEY (b) REFERENCES t(a) ON DELETE SET NULL)"
    script = ["PRAGMA foreign_keys = ON", tree, "INSERT INTO t(a, b) VALUES (1, 1), (2, 1)"]
    assert told("sqlite", script, "DELETE FROM t", "b")[0] is None

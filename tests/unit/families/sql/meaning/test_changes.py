"""What statements leave in the tables: by our own semantics, and in a real engine after the same statements."""

import apsw
import duckdb
import pytest

from gainsay.families.sql.language import dialects, ir, parse
from gainsay.families.sql.language.schema import relations
from gainsay.families.sql.meaning.scene_cache import SceneCache, told

A, B, C = (ir.Column(name, "INTEGER", "int") for name in "abc")
KEYED = ir.CreateTable("t", (ir.Column("a", "BIGINT", "int", unique=True), B, C))
ONE, TWO = ir.Lit("int", "1"), ir.Lit("int", "2")


def number(v):
    return ir.NULL if v is None else ir.Lit("int", str(v))


def insert(*rows, columns=("a", "b", "c"), **more):
    return ir.Insert("t", columns, tuple(ir.Values(tuple(map(number, row))) for row in rows), **more)


def held(dialect, scene, table="t"):
    """What we say that a table holds, and what it does hold; None where we say nothing."""
    spoken = dialects.find(dialect)
    relation = next(r for r in relations(scene) if r.name == table)
    query = ir.Select(tuple(c for c, _ in relation.columns()), (ir.Join(table),))
    texts = [*map(spoken.text, scene.statements), spoken.text(query)]
    if dialect == "sqlite":
        db = apsw.Connection(":memory:")
        found = [list(db.execute(text)) for text in texts][-1]
    else:
        with duckdb.connect() as db:
            found = [db.execute(text).fetchall() for text in texts][-1]
    ours = SceneCache(scene, spoken, {}).rows(query)
    return ours if ours is None else sorted(map(repr, ours)), sorted(map(repr, found))


def agree(statements, rows, *spoken, table="t"):
    wanted = sorted(map(repr, rows))
    for dialect in spoken or ("sqlite", "duckdb"):
        assert held(dialect, ir.Scene(tuple(statements)), table) == (wanted, wanted), dialect


def test_a_row_that_conflicts_changes_the_one_that_is_there():
    begun = [KEYED, insert((1, 1, 1))]
    new = ir.Assign("b", ir.Col("excluded", "b"))
    agree([*begun, insert((1, 7, 7), upsert=ir.Upsert(("a",), (new,)))], [(1, 7, 1)])
    agree([*begun, insert((2, 7, 7), upsert=ir.Upsert(("a",), (new,)))], [(1, 1, 1), (2, 7, 7)])
    own = ir.Op(">", (ir.Col("t", "b"), ONE))
    agree([*begun, insert((1, 7, 7), upsert=ir.Upsert(("a",), (new,), own))], [(1, 1, 1)])
    agree([*begun, insert((1, 7, 7), upsert=ir.Upsert(("a",)))], [(1, 1, 1)])
    agree([*begun, insert((None, 7, 7), upsert=ir.Upsert(("a",), (new,)))], [(1, 1, 1), (None, 7, 7)])


def test_a_conflict_with_another_key_than_the_one_that_is_named_is_refused():
    two = ir.CreateTable("t", (ir.Column("a", "INT", "int", unique=True), ir.Column("b", "INT", "int", unique=True)))
    scene = (two, insert((1, 1), columns=("a", "b")), insert((2, 1), columns=("a", "b"), upsert=ir.Upsert(("a",))))
    with pytest.raises(apsw.ConstraintError):
        held("sqlite", ir.Scene(scene))
    query = ir.Select((ir.Col("t", "a"),), (ir.Join("t"),))
    assert SceneCache(ir.Scene(scene), dialects.find("sqlite"), {}).rows(query) is None


def test_rows_of_a_query_are_inserted():
    plain = ir.CreateTable("t", (A, B, C))
    query = ir.Select((ir.Col("t", "b"),), (ir.Join("t"),), ir.Op(">", (ir.Col("t", "b"), ONE)))
    rows = insert((1, 1, 1), (2, 2, 2))
    agree([plain, rows, ir.Insert("t", ("a",), (), query=query)], [(1, 1, 1), (2, 2, 2), (2, None, None)])


def test_a_primary_key_of_two_columns_may_be_descending():
    primary = (ir.IndexKey(ir.Col("", "a"), desc=True), ir.IndexKey(ir.Col("", "b")))
    table = ir.CreateTable("t", (A, B, C), primary=primary)
    rows = insert((1, 1, 1), (1, 2, 2), verb="INSERT OR IGNORE")
    again = insert((1, 1, 5), verb="INSERT OR REPLACE")
    agree([table, rows, again], [(1, 1, 5), (1, 2, 2)], "sqlite")
    agree([table, rows, insert((None, 1, 1))], [(1, 1, 1), (1, 2, 2), (None, 1, 1)], "sqlite")
    bare = ir.CreateTable("t", (A, B, C), primary=tuple(ir.IndexKey(k.expr) for k in primary), without_rowid=True)
    agree([bare, rows, again], [(1, 1, 5), (1, 2, 2)], "sqlite")


@pytest.mark.parametrize(("desc", "rows"), [(False, [(1,), (2,)]), (True, [(1,), (None,)])])
def test_only_an_ascending_integer_key_numbers_the_rows(desc, rows):
    key = ir.Column("a", "INTEGER", "int", primary=True, desc=desc)
    table = ir.CreateTable("t", (key,))
    agree([table, insert((1,), columns=("a",)), insert((None,), columns=("a",))], rows, "sqlite")


def test_what_is_rolled_back_was_never_there():
    begun = [ir.CreateTable("t", (A, B, C)), insert((1, 1, 1))]
    gone = [insert((2, 2, 2)), ir.Delete("t", ir.Op("=", (ir.Col("", "a"), ONE)))]
    agree([*begun, ir.Mark("BEGIN"), *gone, ir.Mark("ROLLBACK")], [(1, 1, 1)])
    agree([*begun, ir.Mark("BEGIN"), *gone, ir.Mark("COMMIT")], [(2, 2, 2)])
    part = [ir.Mark("SAVEPOINT s"), *gone, ir.Mark("ROLLBACK TO s"), insert((3, 3, 3)), ir.Mark("RELEASE s")]
    agree([*begun, *part], [(1, 1, 1), (3, 3, 3)], "sqlite")


def test_a_table_that_is_altered():
    begun = [ir.CreateTable("t", (A, B, C)), insert((1, 2, 3))]
    agree([*begun, ir.RenameTable("t", "u")], [(1, 2, 3)], table="u")
    agree([*begun, ir.RenameColumn("t", "b", "x"), insert((1, 1, 1), columns=("c", "x", "a"))], [(1, 2, 3), (1, 1, 1)])
    added = ir.Column("d", "INTEGER", "int", default=TWO)
    agree([*begun, ir.AddColumn("t", added), insert((0, 0, 0))], [(1, 2, 3, 2), (0, 0, 0, 2)])
    agree([*begun, ir.DropColumn("t", "b"), insert((0, 0), columns=("a", "c"))], [(1, 3), (0, 0)])


def test_a_column_that_is_renamed_keeps_its_key():
    begun = [KEYED, insert((1, 1, 1)), ir.RenameColumn("t", "a", "x")]
    again = insert((1, 2, 2), columns=("x", "b", "c"), verb="INSERT OR IGNORE")
    agree([*begun, again], [(1, 1, 1)])


def test_a_stored_view_shows_what_was_there_when_it_was_made():
    query = ir.Select((ir.Col("t", "a"),), (ir.Join("t"),))
    for is_stored, rows in ((True, [(1,)]), (False, [(7,)])):
        view = ir.CreateView("v", (ir.ViewColumn("c0"),), query, is_stored)
        change = ir.Update("t", (ir.Assign("a", ir.Lit("int", "7")),))
        scene = ir.Scene((ir.CreateTable("t", (A, B, C)), insert((1, 1, 1)), view, change))
        asked = ir.Select((ir.Col("v", "c0"),), (ir.Join("v"),))
        assert SceneCache(scene, dialects.find("postgresql"), {}).rows(asked) == rows


@pytest.mark.parametrize(("key", "number"), [("", 0), (" AUTOINCREMENT", 1)])
def test_the_number_after_a_negative_one_is_the_next(key, number):
    created = f"CREATE TABLE t0(c0, c1 INTEGER PRIMARY KEY{key})"
    setup = [created, "INSERT INTO t0(c1) VALUES (-1)", "INSERT INTO t0(c0) VALUES (5)"]
    query, sqlite = "SELECT t0.c1 FROM t0 WHERE t0.c0 = 5", dialects.find("sqlite")
    found = parse.known(setup, query, sqlite)
    db = apsw.Connection(":memory:")
    for text in setup:
        db.execute(text)
    assert told(found.scene, found.questions[0], sqlite, {}) == [(number,)] == list(db.execute(query))

"""Random databases: what is drawn, what is left out for seats that refuse it, and that engines take it."""

import sqlite3
from collections import Counter

import pytest

from gainsay.core.draw import Draw
from gainsay.core.tree import walk
from gainsay.families.sql.drawing import rows as drawn_rows
from gainsay.families.sql.drawing import scenes
from gainsay.families.sql.language import dialects, ir
from gainsay.families.sql.meaning.system import is_key
from sql_cases import ONE, ZERO, lexicon, table, text


def grown(count=150, **options):
    made = lexicon(*options.pop("dialects", ()), **options)
    return [scenes.grow(Draw(number), made) for number in range(count)]


def statements(kind, found):
    return [s for scene in found for s in scene.statements if isinstance(s, kind)]


def test_the_same_draw_gives_the_same_scene():
    assert grown(20) == grown(20)


def test_every_feature_of_a_schema_is_drawn():
    found = grown(600)
    tables, columns = (
        statements(ir.CreateTable, found),
        [c for t in statements(ir.CreateTable, found) for c in t.columns],
    )
    indexes = statements(ir.CreateIndex, found)
    kinds = Counter(s.__class__.__name__ for scene in found for s in scene.statements)
    assert set(kinds) == {
        "CreateTable",
        "CreateIndex",
        "CreateView",
        "CreateVirtual",
        "Extra",
        "Insert",
        "Update",
        "Delete",
        "Setting",
        "RenameTable",
        "RenameColumn",
        "AddColumn",
        "DropColumn",
        "Mark",
        "CreateTrigger",
    }
    keys = [key for t in tables for key in t.foreign]
    assert {"CASCADE", "SET NULL", "SET DEFAULT", "RESTRICT", "NO ACTION", ""} == {key.on_delete for key in keys}
    assert any(key.is_deferred for key in keys) and any(len(key.columns) > 1 for key in keys)
    assert any(t.checks for t in tables) and any(c.is_counted for c in columns)
    changed = statements(ir.Update, found)
    assert any(s.source for s in changed) and any(s.is_row for s in changed)
    assert {"UPDATE", "UPDATE OR IGNORE", "UPDATE OR REPLACE", "UPDATE OR ABORT"} == {s.verb for s in changed}
    fired = statements(ir.CreateTrigger, found)
    assert {t.event for t in fired} == {"INSERT", "UPDATE", "DELETE"} and {t.timing for t in fired} == {
        "BEFORE",
        "AFTER",
    }
    inserts = statements(ir.Insert, found)
    assert any(s.query for s in inserts) and any(s.upsert and s.upsert.sets for s in inserts)
    assert any(t.primary for t in tables) and any(k.desc for t in tables for k in t.primary)
    assert any(c.desc and c.primary for c in columns) and any(t.kind == "temporary" for t in tables)
    sizes = [sum(len(s.rows) for s in scene.statements if isinstance(s, ir.Insert)) for scene in found]
    assert 9 < max(sizes) <= 2 * (scenes.MANY + 8)
    for feature in ("primary", "unique", "not_null", "default", "check", "generated", "stored", "collate"):
        assert any(getattr(c, feature) not in (None, False, "") for c in columns), feature
    assert any(t.strict for t in tables) and any(t.without_rowid for t in tables) and any(t.keys for t in tables)
    assert any(i.where for i in indexes) and any(i.unique for i in indexes) and any(i.keys[0].desc for i in indexes)
    assert any(not isinstance(k.expr, ir.Col) for i in indexes for k in i.keys)


def test_options_of_tables_and_constraints_are_drawn():
    found = list(grown(1200))
    made, columns = statements(ir.CreateTable, found), [c for t in statements(ir.CreateTable, found) for c in t.columns]
    assert {c.on_conflict for c in columns} == {"", "IGNORE", "REPLACE", "ABORT"}
    assert any(c.on_null for c in columns) and any(t.on_conflict for t in made)
    virtual = statements(ir.CreateVirtual, found)
    assert {v.module for v in virtual} == {"fts4", "fts5", "rtree", "rtree_i32"}
    assert len({o for v in virtual for o in v.options}) > 6 and any(v.beside for v in virtual)
    assert any(len(v.columns) > 3 for v in virtual)
    inserts = statements(ir.Insert, found)
    assert any(i.table in i.columns for i in inserts), "a command of a full-text table"
    assert any(not isinstance(v, ir.Lit) for i in inserts for row in i.rows for v in row.values)
    assert any(v.is_temporary for v in statements(ir.CreateView, found))
    marks = {m.text for m in statements(ir.Mark, found)}
    assert {"COMMIT", "BEGIN DEFERRED", "BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"} <= marks
    assert {e.row for e in statements(ir.Extra, found)} == {"analyze", "reindex"}


REFUSED = {
    "column:on conflict": lambda s: (
        isinstance(s, ir.CreateTable) and any(c.on_conflict or c.on_null for c in s.columns)
    ),
    "view:temporary": lambda s: isinstance(s, ir.CreateView) and s.is_temporary,
    "virtual:fts4": lambda s: isinstance(s, ir.CreateVirtual) and s.module == "fts4",
    "stmt:index": lambda s: isinstance(s, ir.CreateIndex),
    "stmt:view": lambda s: isinstance(s, ir.CreateView),
    "virtual:rtree": lambda s: isinstance(s, ir.CreateVirtual) and s.module == "rtree",
    "virtual:fts5": lambda s: isinstance(s, ir.CreateVirtual) and s.module == "fts5",
    "table:strict": lambda s: isinstance(s, ir.CreateTable) and s.strict,
    "table:without rowid": lambda s: isinstance(s, ir.CreateTable) and s.without_rowid,
    "column:generated": lambda s: (
        isinstance(s, ir.CreateTable) and any(c.generated and not c.stored for c in s.columns)
    ),
    "column:primary": lambda s: isinstance(s, ir.CreateTable) and any(c.primary for c in s.columns),
    "column:check": lambda s: isinstance(s, ir.CreateTable) and any(c.check for c in s.columns),
    "index:partial": lambda s: isinstance(s, ir.CreateIndex) and s.where is not None,
    "index:collate": lambda s: isinstance(s, ir.CreateIndex) and any(k.collate for k in s.keys),
    "index:desc": lambda s: isinstance(s, ir.CreateIndex) and any(k.desc for k in s.keys),
    "stmt:INSERT OR REPLACE": lambda s: isinstance(s, ir.Insert) and s.verb == "INSERT OR REPLACE",
    "stmt:ANALYZE": lambda s: isinstance(s, ir.Setting) and s.text == "ANALYZE",
    "stmt:upsert": lambda s: isinstance(s, ir.Insert) and s.upsert is not None,
    "stmt:insert select": lambda s: isinstance(s, ir.Insert) and s.query is not None,
    "stmt:savepoint": lambda s: isinstance(s, ir.Mark) and "s0" in s.text,
    "stmt:transaction": lambda s: isinstance(s, ir.Mark) and s.text == "BEGIN",
    "alter:rename table": lambda s: isinstance(s, ir.RenameTable),
    "alter:rename column": lambda s: isinstance(s, ir.RenameColumn),
    "alter:add column": lambda s: isinstance(s, ir.AddColumn),
    "alter:drop column": lambda s: isinstance(s, ir.DropColumn),
    "table:primary": lambda s: isinstance(s, ir.CreateTable) and s.primary,
    "table:primary desc": lambda s: isinstance(s, ir.CreateTable) and any(k.desc for k in s.primary),
    "column:primary desc": lambda s: isinstance(s, ir.CreateTable) and any(c.desc for c in s.columns),
}


@pytest.mark.parametrize("feature", REFUSED)
def test_what_a_seat_refuses_is_in_no_scene(feature):
    has = REFUSED[feature]
    assert any(has(s) for scene in grown(300) for s in scene.statements), "it is drawn where it is taken"
    assert not any(has(s) for scene in grown(300, refused={feature}) for s in scene.statements)


def test_a_small_mix_has_one_table_and_nothing_around_it():
    for scene in grown(100, mix="small"):
        kinds = Counter(s.__class__.__name__ for s in scene.statements)
        assert kinds["CreateTable"] == 1 and kinds["Insert"] >= 1 and kinds["CreateIndex"] <= 1
        assert set(kinds) <= {"CreateTable", "Insert", "CreateIndex"}


def test_names_are_given_once():
    for scene in grown(150):
        names = [s.name for s in scene.statements if hasattr(s, "name") and not isinstance(s, ir.RenameColumn)]
        assert len(set(names)) == len(names)


def test_no_key_is_changed_unless_that_is_what_it_is_about_and_no_generated_column_is_written():
    changed = written = 0
    for scene in grown(300):
        tables = {s.name: s for s in scene.statements if isinstance(s, ir.CreateTable)}
        altered = {s.table for s in scene.statements if isinstance(s, (ir.RenameTable, ir.RenameColumn, ir.AddColumn))}
        for s in scene.statements:
            if isinstance(s, ir.Update) and s.table in tables.keys() - altered:
                made, names = tables[s.table], {each.column for each in s.sets}
                columns = [c for c in made.columns if c.name in names]
                assert len(columns) == len(names) and not any(c.generated for c in columns)
                by_key = isinstance(s.where, ir.Op) and s.where.args[0] == ir.Col("", s.sets[0].column)
                is_meant = by_key or s.table in {k.to.table for t in tables.values() for k in t.foreign}
                assert is_meant or not any(c.unique or c.primary or c.name in sum(made.keys, ()) for c in columns)
                changed += 1
            if isinstance(s, ir.Insert) and s.table in tables:
                assert not any(c.generated for c in tables[s.table].columns if c.name in s.columns)
                written += 1
    assert changed > 20 and written > 300


def test_a_setting_is_the_dialects_own_and_comes_first():
    found = [s.statements[0].text for s in grown(200, dialects=("duckdb",)) if isinstance(s.statements[0], ir.Setting)]
    assert len(found) > 10 and set(found) <= set(dialects.find("duckdb").settings)
    assert not any(isinstance(s.statements[0], ir.Setting) for s in grown(200, dialects=("sqlite", "duckdb"))), (
        "between dialects nothing is set"
    )


def test_a_typed_scene_has_columns_of_its_types_only():
    columns = [c for t in statements(ir.CreateTable, grown(100, dialects=("duckdb",))) for c in t.columns]
    types = {t.text: t.cls for t in dialects.find("duckdb").types}
    assert len(columns) > 200 and all(types[c.type] == c.cls for c in columns)


def test_most_statements_are_taken_by_a_real_engine(seat_of):
    """SQLite of the standard library, with what it was probed to take. Constraints may refuse a row; nothing else
    may."""
    taken = Counter()
    for scene in grown(150, refused=seat_of("sqlite").refused):
        database = sqlite3.connect(":memory:")
        for statement in scene.statements:
            try:
                database.execute(text(statement))
                taken[True] += 1
            except sqlite3.Error as error:
                taken[False] += 1
                assert not isinstance(error, sqlite3.OperationalError) or "syntax" not in str(error), text(statement)
    assert taken[True] > 1000 and taken[False] < taken[True] / 10, taken


UNIQUE = [ir.Column("c0", unique=True), ir.Column("c1")]


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        ([(ONE, ZERO), (ONE, ONE)], [(ONE, ZERO)]),
        ([(ONE, ZERO), (ZERO, ZERO)], [(ONE, ZERO), (ZERO, ZERO)]),
        ([(ir.NULL, ZERO), (ir.NULL, ZERO)], [(ir.NULL, ZERO), (ir.NULL, ZERO)]),
    ],
)
def test_rows_of_one_insert_that_conflict_are_set_apart(rows, kept):
    values = tuple(ir.Values(row) for row in rows)
    assert [row.values for row in drawn_rows.apart(table("t0", *UNIQUE), UNIQUE, values)] == kept


def test_a_key_over_several_columns_leaves_one_row_to_an_insert():
    made = ir.CreateTable("t0", tuple(UNIQUE), keys=(("c0", "c1"),))
    assert drawn_rows.apart(made, UNIQUE, (ir.Values((ONE, ONE)), ir.Values((ZERO, ONE)))) == (ir.Values((ONE, ONE)),)


def test_what_goes_into_a_strict_table_is_of_its_type():
    made = ir.CreateTable("t0", (), strict=True)
    for kind, literal in (("INT", "int"), ("REAL", "real"), ("TEXT", "text"), ("BLOB", "blob")):
        found = {drawn_rows.value(Draw(n), lexicon(), made, ir.Column("c0", kind), False).kind for n in range(50)}
        assert found == {literal}


def test_a_constraint_is_met_by_most_rows():
    for number in range(50):
        found = scenes.check(Draw(number), lexicon(), "c0", "any")
        assert found.op == "or" and found.args[1] in (ir.TRUE, ir.Op("is not null", (ir.Col("", "c0"),)))


def test_an_index_of_a_typed_dialect_is_over_columns():
    made, on = lexicon("duckdb"), table("t0", ir.Column("c0", "INTEGER", "int"), ir.Column("c1", "INTEGER[]", "list"))
    for number in range(200):
        for key in scenes.index(Draw(number), made, on, "i0").keys:
            names = {n.name for _, n in walk(key) if isinstance(n, ir.Col)}
            assert names == {"c0"}, "a list is no key, and a constant is none"


def test_no_date_that_is_null_and_is_not_is_stored():
    found = grown(400, dialects=("mysql",))
    ignored = 0
    for scene in found:
        tables = {s.name: s for s in scene.statements if isinstance(s, ir.CreateTable)}
        for insert in (s for s in scene.statements if isinstance(s, ir.Insert) and s.verb == "INSERT OR IGNORE"):
            made = tables[insert.table]
            dates = [c for c in made.columns if c.cls in ("date", "timestamp") and c.generated is None]
            assert not [c for c in dates if c.not_null or is_key(made, c)]
            ignored += bool(dates)
    assert ignored > 20


def test_no_view_reads_a_temporary_one():
    read = 0
    for scene in grown(600):
        hidden = {s.name for s in scene.statements if isinstance(s, ir.CreateView) and s.is_temporary}
        for s in scene.statements:
            if isinstance(s, ir.CreateView):
                rels = {n.rel for _, n in walk(s.query) if isinstance(n, ir.Join)}
                assert not rels & hidden
                read += 1
    assert read > 100


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_no_database_is_known_to_be_without_a_row(dialect):
    made = lexicon(dialect)
    caches = [made.scene_cache(scene) for scene in grown(300, dialects=(dialect,))]
    assert all(cache.may_hold() for cache in caches if cache.database is not None)

"""Triggers: what they leave in other tables, by our own semantics and in SQLite."""

from sql_held import agree, is_open

TABLES = ["CREATE TABLE t(a INT, b INT)", "CREATE TABLE g(x, y)"]
ROWS = "INSERT INTO t(a, b) VALUES (1, 10), (2, 20), (3, NULL)"


def fired(trigger, *changes, before=(), rows=()):
    return [*TABLES, *before, trigger, *rows, *changes]


def test_a_trigger_writes_down_each_row_that_comes():
    made = "CREATE TRIGGER r AFTER INSERT ON t FOR EACH ROW WHEN new.b IS NOT NULL BEGIN INSERT INTO g(x, y) "
    made += "VALUES (new.a, new.b); END"
    agree(fired(made, ROWS), [(1, 10), (2, 20)], "sqlite", table="g")
    agree(fired(made, ROWS), [(1, 10), (2, 20), (3, None)], "sqlite")


def test_a_trigger_sees_the_row_before_and_after():
    made = "CREATE TRIGGER r BEFORE UPDATE OF b ON t FOR EACH ROW BEGIN INSERT INTO g(x, y) VALUES (old.b, new.b); END"
    script = fired(made, "UPDATE t SET b = 7 WHERE a > 1", "UPDATE t SET a = 0", before=[ROWS])
    agree(script, [(20, 7), (None, 7)], "sqlite", table="g")


def test_a_trigger_removes_rows_elsewhere():
    made = "CREATE TRIGGER r AFTER DELETE ON t FOR EACH ROW BEGIN DELETE FROM g WHERE (+ x) = (+ old.a); "
    made += "UPDATE g SET y = 1 WHERE x = 9; END"
    script = fired(made, "DELETE FROM t WHERE a < 3", before=[ROWS, "INSERT INTO g(x) VALUES (1), (2), (3), (9)"])
    agree(script, [(3, None), (9, 1)], "sqlite", table="g")


def test_it_is_open_what_depends_on_the_order_of_rows_or_of_triggers():
    last = "CREATE TRIGGER r AFTER UPDATE ON t FOR EACH ROW BEGIN UPDATE g SET x = new.a; END"
    filled = [ROWS, "INSERT INTO g(x) VALUES (0)"]
    assert is_open(fired(last, "UPDATE t SET b = 1", before=filled), "g")
    agree(fired(last, "UPDATE t SET b = 1 WHERE a = 2", before=filled), [(2, None)], "sqlite", table="g")
    two = ["CREATE TRIGGER q AFTER UPDATE ON t FOR EACH ROW BEGIN UPDATE g SET x = 5; END"]
    assert is_open(fired(last, "UPDATE t SET b = 1 WHERE a = 2", before=[*filled, *two]), "g")


def test_rows_that_are_given_one_after_the_other_fire_in_that_order():
    last = "CREATE TRIGGER r AFTER INSERT ON t FOR EACH ROW BEGIN UPDATE g SET x = new.a; END"
    agree(fired(last, ROWS, before=["INSERT INTO g(x) VALUES (0)"]), [(3, None)], "sqlite", table="g")


def test_triggers_lead_to_others():
    one = "CREATE TRIGGER r AFTER INSERT ON t FOR EACH ROW BEGIN INSERT INTO g(x) VALUES (new.a); END"
    two = "CREATE TRIGGER q AFTER INSERT ON g FOR EACH ROW BEGIN INSERT INTO h(z) VALUES (new.x); END"
    script = [*TABLES, "CREATE TABLE h(z)", two, one, ROWS]
    agree(script, [(1,), (2,), (3,)], "sqlite", table="h")


def test_conflicts_are_treated_as_the_statement_that_fired_says():
    made = "CREATE TRIGGER r AFTER INSERT ON t FOR EACH ROW BEGIN INSERT INTO u(z) VALUES (new.a); END"
    unique = ["CREATE TABLE u(z INT UNIQUE)", "INSERT INTO u(z) VALUES (1)"]
    agree(fired(made, "INSERT OR IGNORE INTO t(a) VALUES (1), (2)", before=unique), [(1,), (2,)], "sqlite", table="u")


def test_the_number_of_a_row_is_not_known_before_it_is_there():
    made = "CREATE TRIGGER r {} INSERT ON n FOR EACH ROW BEGIN INSERT INTO g(x, y) VALUES (new.i, new.j); END"
    script = [*TABLES, "CREATE TABLE n(i INTEGER PRIMARY KEY, j)"]
    assert is_open([*script, made.format("BEFORE"), "INSERT INTO n(j) VALUES (5)"], "g")
    agree([*script, made.format("AFTER"), "INSERT INTO n(j) VALUES (5)"], [(1, 5)], "sqlite", table="g")


def test_it_is_open_whether_a_column_of_the_row_has_an_affinity():
    made = "CREATE TRIGGER r AFTER INSERT ON t FOR EACH ROW WHEN new.a = '1' BEGIN INSERT INTO g(x) VALUES (1); END"
    assert is_open(fired(made, ROWS), "g")


def test_a_row_that_gives_way_may_or_may_not_fire():
    made = "CREATE TRIGGER r AFTER DELETE ON u FOR EACH ROW BEGIN INSERT INTO g(x) VALUES (old.z); END"
    unique = ["CREATE TABLE u(z INT UNIQUE)", "INSERT INTO u(z) VALUES (1)"]
    assert is_open(fired(made, "INSERT OR REPLACE INTO u(z) VALUES (1)", before=unique), "g")


def test_foreign_keys_and_triggers_in_one_statement_are_open():
    keyed = ["PRAGMA foreign_keys = ON", "CREATE TABLE p(a INT UNIQUE)"]
    keyed += ["CREATE TABLE t(c INT, FOREIGN KEY (c) REFERENCES p(a) ON DELETE CASCADE)", "CREATE TABLE g(x, y)"]
    keyed += ["CREATE TRIGGER r AFTER DELETE ON t FOR EACH ROW BEGIN INSERT INTO g(x) VALUES (old.c); END"]
    keyed += ["INSERT INTO p(a) VALUES (1)", "INSERT INTO t(c) VALUES (1)", "DELETE FROM p"]
    assert is_open(keyed, "g")


def test_it_is_open_what_a_trigger_sees_of_a_row_that_an_action_changes():
    tree = "CREATE TABLE t(a INT UNIQUE, b INT, FOREIGN KEY (b) REFERENCES t(a) ON DELETE SET NULL)"
    log = "CREATE TRIGGER r AFTER DELETE ON t FOR EACH ROW BEGIN INSERT INTO g(x) VALUES (old.b); END"
    rows = "INSERT INTO t(a, b) VALUES (1, 1), (2, 1)"
    assert is_open(["PRAGMA foreign_keys = ON", tree, TABLES[1], log, rows, "DELETE FROM t"], "g")


def test_it_is_open_what_the_trigger_of_a_table_does_that_we_could_not_make():
    """What is listed has a collation of its own, so that nobody knows what the CHECK says."""
    made = "CREATE TABLE w(c CHECK (0 IN ((0 COLLATE NOCASE), 0)))"
    filled = ["INSERT INTO w(c) VALUES (0)", "INSERT INTO g(x) VALUES (1)"]
    trigger = "CREATE TRIGGER r AFTER UPDATE ON w FOR EACH ROW BEGIN DELETE FROM g; END"
    assert is_open([*TABLES, made, trigger, *filled, "UPDATE w SET c = 0"], "g")
    child = "CREATE TABLE v(c REFERENCES w(c) ON DELETE CASCADE)"
    assert is_open([*TABLES, made, child, "INSERT INTO v(c) VALUES (NULL)"], "v")

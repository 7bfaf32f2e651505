"""SQL that others wrote, read into the IR: precedence, names, stars, and what stays text."""

import pytest

from gainsay.families.sql.language import dialects, ir, statements, tokens
from gainsay.families.sql.language.statements import StatementReader


def reader(dialect="sqlite", **relations):
    made = StatementReader(dialects.find(dialect))
    made.relations |= {name: (name, tuple(columns.split())) for name, columns in relations.items()}
    return made


def said(text, dialect="sqlite", **relations):
    """The query as our own writer spells it: every parenthesis is there."""
    return dialects.find(dialect).text(reader(dialect, **relations).query(text))


@pytest.mark.parametrize(
    ("dialect", "written", "meant"),
    [
        ("sqlite", "1 + 2 * 3", "(1 + (2 * 3))"),
        ("sqlite", "a = b < c", "(t.a = (t.b < t.c))"),
        ("postgresql", "a = 1 IS NULL", "((t.a = 1) IS NULL)"),
        ("sqlite", "NOT a = b", "(NOT (t.a = t.b))"),
        ("sqlite", "NOT a IS NULL AND b", "((NOT (t.a IS NULL)) AND t.b)"),
        ("sqlite", "a || b || c", "((t.a || t.b) || t.c)"),
        ("sqlite", "a COLLATE NOCASE = b", "((t.a COLLATE NOCASE) = t.b)"),
        ("sqlite", "- a", "(- t.a)"),
        ("sqlite", "-1", "-1"),
        ("sqlite", "a == 1 AND b != 2 OR c", "(((t.a = 1) AND (t.b <> 2)) OR t.c)"),
        ("sqlite", "a BETWEEN 1 AND 2 AND b", "((t.a BETWEEN 1 AND 2) AND t.b)"),
        ("sqlite", "a NOT LIKE 'x'", "(t.a NOT LIKE 'x')"),
        ("sqlite", "(a, b) < (1, 2)", "((t.a, t.b) < (1, 2))"),
        ("sqlite", "a NOT NULL", "(t.a NOTNULL)"),
        ("duckdb", "a::DOUBLE IS NULL", "((a::DOUBLE) IS NULL)"),
        ("duckdb", "LEFT(b, 1)", "LEFT(t.b, 1)"),
        ("mysql", "a <=> b AND c", "((t.a <=> t.b) AND t.c)"),
        ("postgresql", "EXTRACT(YEAR FROM a)", "(EXTRACT(YEAR FROM a))"),
    ],
)
def test_operators_bind_as_the_manual_says(dialect, written, meant):
    assert said(f"SELECT {written} FROM t", dialect, t="a b c") == f"SELECT {meant} FROM t"


def test_names_are_found_whatever_their_case_and_get_their_relation():
    text = 'SELECT A, "b", u.A FROM t JOIN u ON t.a = U.a WHERE x = 1'
    assert said(text, t="a b", u="a x") == "SELECT A, t.b, u.a FROM t JOIN u ON t.a = u.a WHERE u.x = 1"


def test_stars_become_columns_and_positions_become_items():
    assert said("SELECT * FROM t, u AS v ORDER BY 2 DESC", t="a b", u="c") == (
        "SELECT t.a, t.b, v.c FROM t, u AS v ORDER BY t.b DESC"
    )
    assert said("SELECT v.* FROM t, u v", t="a b", u="c") == "SELECT v.c FROM t, u AS v"


def test_an_alias_of_the_select_list_is_what_it_stands_for():
    assert said("SELECT a + 1 AS x FROM t GROUP BY x ORDER BY x", t="a") == (
        "SELECT (t.a + 1) AS x FROM t GROUP BY (t.a + 1) ORDER BY (t.a + 1)"
    )


def test_subqueries_see_the_columns_around_them():
    text = "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE c = a) AND (a, b) NOT IN (SELECT c, c FROM u)"
    assert said(text, t="a b", u="c") == (
        "SELECT t.a FROM t WHERE (EXISTS (SELECT 1 FROM u WHERE u.c = t.a)) "
        "AND ((t.a, t.b) NOT IN (SELECT u.c, u.c FROM u))"
    )


@pytest.mark.parametrize(
    "text",
    [
        "SELECT t.a FROM t ORDER BY t.a DESC NULLS LAST LIMIT 2 OFFSET 1",
        "SELECT COUNT(*) FILTER (WHERE t.a IS NULL), SUM(t.b) FROM t",
        "SELECT ROW_NUMBER() OVER (PARTITION BY t.a ORDER BY t.b DESC) FROM t",
        "SELECT SUM(t.a) OVER (ORDER BY t.b ROWS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES) FROM t",
        "WITH RECURSIVE w(x) AS (SELECT 1 UNION ALL SELECT (w.x + 1) FROM w WHERE w.x < 3) SELECT w.x FROM w",
        "SELECT t.a FROM t UNION SELECT t.b FROM t ORDER BY 1 LIMIT 3",
        "VALUES (1, 'a'), (2, NULL)",
    ],
)
def test_clauses_are_read_as_they_are_written(text):
    assert said(text, t="a b") == text


def test_quantified_comparisons_and_grouping_sets_are_read_where_a_dialect_has_them():
    text = "SELECT t.a FROM t WHERE (t.a >= ALL (SELECT t.b FROM t))"
    assert said(text, "postgresql", t="a b") == text
    for word in ("ROLLUP(t.a, t.b)", "CUBE(t.a, t.b)", "GROUPING SETS((t.a), (t.b), ())"):
        assert said(f"SELECT COUNT(*) FROM t GROUP BY {word}", "duckdb", t="a b").endswith(f"GROUP BY {word}")


def test_a_table_without_columns_gets_those_of_its_script():
    read = statements.script(
        [
            "create table T1 (a integer primary key, b text collate nocase not null, n int check (a)) without rowid",
            "insert or ignore into t1 values (1, 'x', 2)",
            "create unique index i on t1 (b collate binary desc, a + 1) where a is not null",
            "create view v as select a, b as c from t1",
            "select c from v",
        ],
        dialects.find("sqlite"),
    )
    d = dialects.find("sqlite")
    assert [d.text(s) for s in read.scene.statements] == [
        "CREATE TABLE T1(a INTEGER PRIMARY KEY, b TEXT COLLATE nocase NOT NULL, n INT CHECK (a)) WITHOUT ROWID",
        "INSERT OR IGNORE INTO T1(a, b, n) VALUES (1, 'x', 2)",
        "CREATE UNIQUE INDEX i ON T1(b COLLATE BINARY DESC, (a + 1)) WHERE a IS NOT NULL",
        "CREATE VIEW v(a, c) AS SELECT T1.a, T1.b AS c FROM T1",
    ]
    assert not read.unread and isinstance(read.questions[0], ir.Select)


def test_what_is_not_ours_stays_text_and_is_named():
    read = statements.script(
        [
            "CREATE TABLE t(a)",
            "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END",
            "SELECT printf('%d', a) FROM t",
        ],
        dialects.find("sqlite"),
    )
    assert isinstance(read.scene.statements[1], ir.RawStatement)
    assert read.questions[0].items == (ir.RawExpr("(printf('%d', a))"),)
    assert any("PRINTF()" in why for why in read.unread) and "'SELECT' in a trigger" in read.unread


def test_a_script_is_cut_at_its_semicolons_and_not_within_a_trigger():
    text = """-- a comment; with one
    CREATE TABLE t(a); INSERT INTO t VALUES (';'); /* ; */
    CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT CASE WHEN 1 THEN 2 END; DELETE FROM t; END;
    SELECT 1"""
    found = list(tokens.statements(text))
    assert [f.split()[0] for f in found] == ["CREATE", "INSERT", "CREATE", "SELECT"] and "DELETE" in found[2]


def test_a_product_in_a_select_list_is_no_star():
    assert said("SELECT a * b, * FROM t", t="a b") == "SELECT (t.a * t.b), t.a, t.b FROM t"


def test_an_aggregate_of_a_product_does_not_count_rows():
    assert said("SELECT SUM(a * b), COUNT(*) FROM t", t="a b") == "SELECT SUM((t.a * t.b)), COUNT(*) FROM t"


@pytest.mark.parametrize(
    "text",
    [
        "CREATE TABLE u(a INT, b, FOREIGN KEY (a, b) REFERENCES t(a, b) ON DELETE SET NULL ON UPDATE CASCADE)",
        "CREATE TABLE u(a INT, CHECK (a > 0), FOREIGN KEY (a) REFERENCES u(a) DEFERRABLE INITIALLY DEFERRED)",
        "CREATE TABLE u(a INTEGER PRIMARY KEY AUTOINCREMENT)",
        "CREATE TRIGGER g BEFORE UPDATE OF a, b ON t FOR EACH ROW WHEN (new.a = old.a) BEGIN "
        "INSERT INTO t(a) VALUES (new.b); DELETE FROM t WHERE a = old.b; UPDATE t SET a = 1; END",
        "UPDATE OR IGNORE t SET a = 1, b = (a + 1) WHERE b = 2",
        "UPDATE t SET (a, b) = (b, 1)",
        "UPDATE t SET a = x.b FROM t AS x JOIN t AS y ON x.a = y.a WHERE t.a = x.a",
    ],
)
def test_statements_are_read_to_the_same_text(text):
    d = dialects.find("sqlite")
    read = statements.script(["CREATE TABLE t(a, b)", text], d)
    assert not read.unread and d.text(read.scene.statements[1]) == text


def test_a_key_behind_its_column_is_told_with_the_others():
    d = dialects.find("sqlite")
    read = statements.script(["CREATE TABLE u(a INT REFERENCES t(b) ON DELETE CASCADE NOT NULL, c)"], d)
    wanted = "CREATE TABLE u(a INT NOT NULL, c, FOREIGN KEY (a) REFERENCES t(b) ON DELETE CASCADE)"
    assert not read.unread and d.text(read.scene.statements[0]) == wanted


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("CREATE TABLE t(a INTEGER PRIMARY KEY DESC ON CONFLICT REPLACE, b NOT NULL ON CONFLICT IGNORE)", "sqlite"),
        ("CREATE TABLE t(a, b, UNIQUE (a, b) ON CONFLICT IGNORE)", "sqlite"),
        ('CREATE VIRTUAL TABLE t USING fts4(a, b, tokenize=porter, prefix="1,2")', "sqlite"),
        ("CREATE VIRTUAL TABLE t USING fts5(a, b UNINDEXED, prefix='1 2')", "sqlite"),
        ("CREATE VIRTUAL TABLE t USING rtree_i32(a, b, c, +d)", "sqlite"),
        ("CREATE TEMP VIEW v(a) AS SELECT 1", "sqlite"),
        ("BEGIN IMMEDIATE", "sqlite"),
        ("CREATE TABLE t(a VARCHAR COLLATE NOCASE.NOACCENT)", "duckdb"),
    ],
)
def test_a_statement_with_options_is_read(text, dialect):
    spoken = dialects.find(dialect)
    assert spoken.text(reader(dialect).statement(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "CREATE TABLE t(a UNIQUE ON CONFLICT IGNORE PRIMARY KEY ON CONFLICT REPLACE)",
        "CREATE TABLE t(a, b, UNIQUE (a) ON CONFLICT IGNORE, UNIQUE (b))",
        "CREATE TABLE t(a CHECK (a) ON CONFLICT IGNORE)",
        "CREATE TABLE IF NOT EXISTS u(a)",
        "CREATE VIEW IF NOT EXISTS u(a) AS SELECT 1",
        "CREATE INDEX IF NOT EXISTS i ON u(a)",
    ],
)
def test_what_the_ir_does_not_have_is_not_read_as_something_else(text):
    with pytest.raises(tokens.Unread):
        reader(u="a b").statement(text)


def test_queries_by_names_and_with_all_are_read():
    text = "SELECT ALL t.a FROM t NATURAL LEFT JOIN u JOIN v USING (b)"
    assert said(text, t="a c", u="a d", v="b e") == text
    with pytest.raises(tokens.Unread, match="OFFSET"):
        said("SELECT a FROM t ORDER BY a OFFSET 1", t="a")


@pytest.mark.parametrize(
    ("written", "dialect", "meant"),
    [("0x1F", "sqlite", 31), ("1_000", "sqlite", 1000), ("-7", "duckdb", -7)],
)
def test_a_whole_literal_has_its_number(written, dialect, meant):
    (item,) = reader(dialect).query(f"SELECT {written}").items
    assert item.number == meant


def test_a_number_with_a_point_is_a_decimal_where_the_dialect_has_these():
    kinds = [reader(d).query(f"SELECT {t}").items[0].kind for d in ("sqlite", "duckdb") for t in ("7.5", "7e5")]
    assert kinds == ["real", "real", "dec", "real"]


@pytest.mark.parametrize(
    "text",
    ["SELECT 0 FROM t ORDER BY 1", "SELECT 7, t.a FROM t GROUP BY 1, t.a", "SELECT 0, t.a FROM t ORDER BY 1, t.a"],
)
def test_a_place_that_holds_a_number_stays_a_place(text):
    """By itself the number would be another place, which is refused or says something else."""
    assert said(text, t="a") == text

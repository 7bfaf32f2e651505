"""Trees to text: how each node is spelled, and what the dialects spell otherwise."""

import sqlite3
from typing import get_args

import pytest

from gainsay.families.sql.language import dialects, ir, ops, spoken, writer
from gainsay.families.sql.language.spoken import sqlite
from gainsay.families.sql.language.spoken.duckdb import DUCKDB
from gainsay.families.sql.language.spoken.sqlite import SQLITE
from sql_cases import A1, ONE, T0, ZERO, A, insert, op, select, text, view

ALIASED = ir.Join("t0", "LEFT JOIN", op("=", T0, A1), "a1")
CTE = ir.Cte("w0", (ir.ViewColumn("c0"),), select(T0))


@pytest.mark.parametrize(
    ("node", "spelled"),
    [
        (ir.Lit("blob", "x'61'"), "x'61'"),
        (T0, "t0.c0"),
        (ir.Col("", "c0"), "c0"),
        (op("and", op("=", T0, ONE), op("is null", T0)), "((t0.c0 = 1) AND (t0.c0 IS NULL))"),
        (op("%", T0, ONE), "(t0.c0 % 1)"),
        (op("strftime", A), "STRFTIME('%Y', 'a')"),
        (op("zeroblob"), "ZEROBLOB(1)"),
        (ir.Agg("count"), "COUNT(*)"),
        (ir.Agg("sum", T0), "SUM(t0.c0)"),
        (ir.Agg("count", T0, True), "COUNT(DISTINCT t0.c0)"),
        (ir.As(T0, "x"), "t0.c0 AS x"),
        (ir.RawExpr("a + b"), "a + b"),
        (ir.SubExpr("exists", (), select(ONE)), "(EXISTS (SELECT 1 FROM t0))"),
        (ir.SubExpr("scalar", (), select(ir.Agg("max", T0))), "(SELECT MAX(t0.c0) FROM t0)"),
        (ir.SubExpr("in", (ONE,), select(T0)), "(1 IN (SELECT t0.c0 FROM t0))"),
        (ir.SubExpr("not in", (ONE, ZERO), select(T0, T0)), "((1, 0) NOT IN (SELECT t0.c0, t0.c0 FROM t0))"),
    ],
)
def test_an_expression_is_spelled(node, spelled):
    assert text(node) == spelled


@pytest.mark.parametrize(
    ("node", "spelled"),
    [
        (select(ONE, source=()), "SELECT 1"),
        (select(T0, distinct=True), "SELECT DISTINCT t0.c0 FROM t0"),
        (select(T0, where=op("=", T0, ONE)), "SELECT t0.c0 FROM t0 WHERE t0.c0 = 1"),
        (select(T0, where=T0), "SELECT t0.c0 FROM t0 WHERE t0.c0"),
        (select(A1, source=(ir.Join("t0", alias="a1"),)), "SELECT a1.c0 FROM t0 AS a1"),
        (
            select(T0, source=(ir.Join("t0"), ALIASED)),
            "SELECT t0.c0 FROM t0 LEFT JOIN t0 AS a1 ON t0.c0 = a1.c0",
        ),
        (select(ONE, source=(ir.Join("t0"), ir.Join("t1", ","))), "SELECT 1 FROM t0, t1"),
        (select(ONE, source=(ir.Join("t0"), ir.Join("t1", "CROSS JOIN"))), "SELECT 1 FROM t0 CROSS JOIN t1"),
        (
            select(A1, source=(ir.Join("", alias="a1", sub=select(T0)),)),
            "SELECT a1.c0 FROM (SELECT t0.c0 FROM t0) AS a1",
        ),
        (
            select(T0, ir.Agg("count"), group=(T0,), having=op(">", ir.Agg("count"), ONE)),
            "SELECT t0.c0, COUNT(*) FROM t0 GROUP BY t0.c0 HAVING COUNT(*) > 1",
        ),
        (
            select(T0, order=(ir.Order(T0, True), ir.Order(ONE))),
            "SELECT t0.c0 FROM t0 ORDER BY t0.c0 DESC, 1",
        ),
        (
            select(ONE, source=(ir.Join("w0"),), ctes=(CTE,)),
            "WITH w0(c0) AS (SELECT t0.c0 FROM t0) SELECT 1 FROM w0",
        ),
        (
            ir.Compound("EXCEPT", (select(T0), select(ONE)), (CTE,)),
            "WITH w0(c0) AS (SELECT t0.c0 FROM t0) SELECT t0.c0 FROM t0 EXCEPT SELECT 1 FROM t0",
        ),
        (ir.RawQuery("SELECT 1 LIMIT 1"), "SELECT 1 LIMIT 1"),
    ],
)
def test_a_query_is_spelled(node, spelled):
    assert text(node) == spelled


WHOLE_TABLE = ir.CreateTable(
    "t0",
    (
        ir.Column("c0", "INTEGER", primary=True),
        ir.Column("c1", "TEXT", collate="NOCASE", unique=True, not_null=True),
        ir.Column("c2", default=ONE, check=op("is not null", ir.Col("", "c2"))),
        ir.Column("c3", "INT", generated=op("+", ir.Col("", "c0"), ONE), stored=True),
    ),
    keys=(("c0", "c2"),),
)


@pytest.mark.parametrize(
    ("node", "spelled"),
    [
        (
            WHOLE_TABLE,
            "CREATE TABLE t0(c0 INTEGER PRIMARY KEY, c1 TEXT COLLATE NOCASE UNIQUE NOT NULL, "
            "c2 DEFAULT (1) CHECK (c2 IS NOT NULL), c3 INT GENERATED ALWAYS AS ((c0 + 1)) STORED, UNIQUE (c0, c2))",
        ),
        (
            ir.CreateTable("t1", (ir.Column("c0", "INT", primary=True),), strict=True, without_rowid=True),
            "CREATE TABLE t1(c0 INT PRIMARY KEY) STRICT, WITHOUT ROWID",
        ),
        (ir.CreateVirtual("ft0", "fts5", ("c0", "c1")), "CREATE VIRTUAL TABLE ft0 USING fts5(c0, c1)"),
        (
            ir.CreateIndex(
                "i0",
                "t0",
                (ir.IndexKey(ir.Col("", "c2"), "NOCASE", True), ir.IndexKey(op("+x", ir.Col("", "c0")))),
                True,
                op("notnull", ir.Col("", "c2")),
            ),
            "CREATE UNIQUE INDEX i0 ON t0(c2 COLLATE NOCASE DESC, (+ c0)) WHERE c2 NOTNULL",
        ),
        (view("v0", select(T0, ONE), "c0", "c1"), "CREATE VIEW v0(c0, c1) AS SELECT t0.c0, 1 FROM t0"),
        (
            insert("t0", "c1 c2", (A, ONE), (ZERO, ir.NULL), verb="INSERT OR IGNORE"),
            "INSERT OR IGNORE INTO t0(c1, c2) VALUES ('a', 1), (0, NULL)",
        ),
        (
            ir.Update("t0", (ir.Assign("c2", ONE),), op("=", ir.Col("", "c0"), ZERO)),
            "UPDATE t0 SET c2 = 1 WHERE c0 = 0",
        ),
        (ir.Update("t0", (ir.Assign("c2", ZERO),)), "UPDATE t0 SET c2 = 0"),
        (ir.Delete("t0", ir.TRUE), "DELETE FROM t0 WHERE TRUE"),
        (ir.Delete("t0"), "DELETE FROM t0"),
        (ir.Setting("ANALYZE"), "ANALYZE"),
        (ir.RawStatement("DROP TABLE t1"), "DROP TABLE t1"),
    ],
)
def test_a_statement_is_spelled(node, spelled):
    assert text(node) == spelled


def test_what_is_spelled_is_read_by_sqlite_as_it_is_meant():
    database = sqlite3.connect(":memory:")
    for statement in (WHOLE_TABLE, insert("t0", "c0 c1 c2", (ONE, A, ZERO)), view("v0", select(T0), "c0")):
        database.execute(text(statement))
    condition = op("and", op("=", ir.Col("t0", "c3"), ir.Lit("int", "2")), op("=", ir.Col("t0", "c1"), op("upper", A)))
    assert database.execute(text(select(ir.Col("v0", "c0"), source=(ir.Join("v0"),)))).fetchall() == [(1,)]
    assert database.execute(text(select(ir.Agg("count"), where=condition))).fetchall() == [(1,)]


def test_duckdb_spells_some_things_otherwise():
    key = ir.CreateIndex("i0", "t0", (ir.IndexKey(op("lower", ir.Col("", "c0"))), ir.IndexKey(ir.Col("", "c0"))))
    assert text(key, DUCKDB) == "CREATE INDEX i0 ON t0((LOWER(c0)), c0)"
    assert text(key) == "CREATE INDEX i0 ON t0(LOWER(c0), c0)"
    assert (
        text(op("truth", T0), DUCKDB) == "CAST(t0.c0 IS TRUE AS INTEGER)" and text(op("truth", T0)) == "(t0.c0 IS TRUE)"
    )
    assert text(op("ilike", T0, A), DUCKDB) == "(t0.c0 ILIKE 'a')" and text(op("ilike", T0, A)) == "(t0.c0 LIKE 'a')"


@pytest.mark.parametrize(
    ("node", "spelled"),
    [
        (op("=", T0, ONE), "t0.c0 = 1"),
        (op("or", op("=", T0, ONE), op("=", T0, ZERO)), "(t0.c0 = 1) OR (t0.c0 = 0)"),
        (op("coalesce", op("=", T0, ONE), T0), "COALESCE((t0.c0 = 1), t0.c0)"),
        (ir.SubExpr("exists", (), select(ONE)), "(EXISTS (SELECT 1 FROM t0))"),
        (ir.RawExpr("(a) = (b)"), "(a) = (b)"),
    ],
)
def test_only_parentheses_around_the_whole_are_left_out(node, spelled):
    assert SQLITE.top(node) == spelled


def test_a_text_that_is_kept_is_never_anothers():
    """Texts are kept by the identity of nodes: two hundred nodes that come and go must each have their own."""
    for number in range(200):
        made = op("=", T0, ir.Lit("int", str(number)))
        assert SQLITE.shared(made) == f"(t0.c0 = {number})"
        assert text(select(ir.Lit("int", str(number)), where=made)) == f"SELECT {number} FROM t0 WHERE t0.c0 = {number}"


@pytest.mark.parametrize("dialect", dialects.DIALECTS.values(), ids=dialects.DIALECTS)
def test_an_operator_has_a_place_for_each_operand(dialect):
    for name, operator in dialect.operators.items():
        assert operator.text.replace("%%", "").count("%s") == len(operator.args), name


def test_every_node_of_the_language_has_a_spelling():
    nodes = {*get_args(ir.Item), *get_args(ir.Query), *get_args(ir.Statement), ir.RawQuery}
    assert len(nodes) > 15
    assert {node.__name__ for node in nodes} <= {node.__name__ for node in writer.RULES}


@pytest.mark.parametrize("dialect", dialects.DIALECTS.values(), ids=dialects.DIALECTS)
def test_every_class_of_a_dialects_types_has_literals(dialect):
    assert dialect.classes and set(dialect.classes) <= dialect.literals.keys()


def test_a_dialect_of_somebody_elses_is_found_by_its_place():
    assert dialects.find("duckdb") is DUCKDB
    assert dialects.find("gainsay.families.sql.language.spoken.sqlite:SQLITE") is SQLITE


def test_a_dialect_is_a_table_over_another():
    assert SQLITE.operators["="].text is ops.ANSI["="].text and SQLITE.operators["/"].text is sqlite.OPERATORS["/"].text
    assert "is" in SQLITE.operators and "is" not in DUCKDB.operators


def test_a_dialect_is_found_by_its_file_alone(tmp_path, monkeypatch):
    module = "from gainsay.families.sql.language.spoken.sqlite import SQLITE\nMINE = SQLITE.extend('mine')\n"
    (tmp_path / "mine.py").write_text(module)
    monkeypatch.setattr(spoken, "__path__", [*spoken.__path__, str(tmp_path)])
    found = {dialect.name for dialect in dialects.spoken_here()}
    assert found == {*dialects.DIALECTS, "mine"}
    assert list(dialects.DIALECTS)[:3] == ["sqlite", "duckdb", "postgresql"] and "ansi" not in found

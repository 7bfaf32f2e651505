import pytest

from gainsay.core import registry
from gainsay.core.model import Seat, Seats, Target
from gainsay.families.sql.language import dialects, ir, parse


def test_clauses_are_split_at_the_outermost_keywords():
    found = parse.clauses("SELECT a, (SELECT 1 FROM u WHERE 2) FROM t WHERE b = ' WHERE ' ORDER BY a")
    assert found == {"SELECT": "a, (SELECT 1 FROM u WHERE 2)", "FROM": "t", "WHERE": "b = ' WHERE '", "ORDER BY": "a"}


def test_questions_of_the_setup_are_questions_too():
    setup = ["CREATE TABLE t(a)", "SELECT 1 FROM t"]
    scene, questions, unread = parse.known(setup, "SELECT * FROM t WHERE a IS NULL", dialects.find("sqlite"))
    assert [dialects.find("sqlite").text(s) for s in scene.statements] == ["CREATE TABLE t(a)"]
    assert all(isinstance(q, ir.Select) for q in questions) and not unread
    assert questions[0].where == ir.Op("is null", (ir.Col("t", "a"),))
    assert questions[1].where == ir.RawExpr("(a IS NULL)")  # in the words of its author, too
    assert questions[2].items == (ir.Lit("int", "1"),)


def test_more_than_a_plain_select_stays_text():
    for text in (
        "SELECT a FROM t GROUP BY a HAVING a > 1",
        "SELECT a FROM t UNION SELECT 1",
        "WITH w AS (SELECT 1) SELECT * FROM w",
    ):
        assert parse.question(text) == ir.RawQuery(text)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT DISTINCT a, b FROM t WHERE (a > 1) ORDER BY b DESC",
        "SELECT a FROM t GROUP BY a",
        "SELECT MIN(a) FROM t WHERE (b)",
        "SELECT COUNT(*) FROM t",
    ],
)
def test_nothing_of_a_query_is_lost(text):
    question = parse.question(text)
    assert isinstance(question, ir.Select)
    assert dialects.find("sqlite").text(question).replace("((", "(").replace("))", ")") == text


def modes(name, text):
    question = parse.question(text)
    return [r.mode for r in registry.oracle("sql", name).variants(ir.Scene(()), question, None)]


def test_a_known_bug_is_tried_in_every_mode_of_an_oracle():
    assert modes("norec", "SELECT DISTINCT a FROM t WHERE b ORDER BY a") == ["count", "rows", "rows"]
    assert modes("norec", "SELECT a FROM t WHERE b GROUP BY a") == ["count", "rows", "group"]
    assert modes("tlp", "SELECT DISTINCT a FROM t WHERE b") == ["where", "where", "distinct"]
    assert modes("tlp", "SELECT MAX(a) FROM t WHERE b") == ["where", "max"]
    assert "group" in modes("tlp", "SELECT a FROM t WHERE b GROUP BY a")


@pytest.mark.parametrize("name", registry.oracles("sql"))
def test_every_oracle_takes_any_question_that_was_read(name):
    texts = (
        "SELECT 1 UNION SELECT 2",
        "SELECT MAX(a) FROM t",
        "SELECT a FROM t LIMIT 1",
        "WITH w(x) AS (SELECT 1) SELECT x FROM w",
    )
    seats = Seats((Seat(0, Target("sqlite"), "3.40.1", "sqlite"),))
    for text in texts:
        scene, questions, _ = parse.known(["CREATE TABLE t(a)"], text, dialects.find("sqlite"))
        for question in questions:
            assert isinstance(registry.oracle("sql", name).variants(scene, question, seats), list | tuple)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("select a\nfrom t\nwhere b;", {"SELECT": "a", "FROM": "t", "WHERE": "b"}),
        ("SELECT 'it''s FROM' FROM t", {"SELECT": "'it''s FROM'", "FROM": "t"}),
        ('SELECT "where" FROM t', {"SELECT": '"where"', "FROM": "t"}),
        ("SELECT a FROM t GROUP  BY a", {"SELECT": "a", "FROM": "t", "GROUP BY": "a"}),
        ("SELECT fromage, nowhere FROM t", {"SELECT": "fromage, nowhere", "FROM": "t"}),
        ("SELECT 1 UNION ALL SELECT 2", {"SELECT": "1", "UNION ALL": "SELECT 2"}),
    ],
)
def test_a_keyword_is_told_from_what_looks_like_one(text, found):
    assert parse.clauses(text) == found


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("SELECT COUNT( * ) FROM t", ir.Agg("count")),
        ("SELECT max(a) FROM t", ir.Agg("max", ir.RawExpr("a"))),
        ("SELECT a, b FROM t", ir.RawExpr("a, b")),
        ("SELECT counted(a) FROM t", ir.RawExpr("counted(a)")),
    ],
)
def test_an_aggregate_that_stands_alone_is_read(text, item):
    assert parse.question(text).items == (item,)


@pytest.mark.parametrize(
    "text", ["SELECT MIN(a), b FROM t", "SELECT SUM(a + (b)) FROM t", "SELECT a FROM t LIMIT 1", "VALUES (1)"]
)
def test_what_is_not_understood_is_kept_as_it_stands(text):
    assert parse.question(text) == ir.RawQuery(text)


def test_a_query_without_a_table_reads_nothing():
    assert parse.question("SELECT 1 WHERE 2") == ir.Select((ir.RawExpr("1"),), (), ir.RawExpr("(2)"))

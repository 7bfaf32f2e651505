import pytest

from gainsay.core import registry
from gainsay.families.sql.language import dialects, ir, parse


def test_clauses_are_split_at_the_outermost_keywords():
    found = parse.clauses("SELECT a, (SELECT 1 FROM u WHERE 2) FROM t WHERE b = ' WHERE ' ORDER BY a")
    assert found == {"SELECT": "a, (SELECT 1 FROM u WHERE 2)", "FROM": "t", "WHERE": "b = ' WHERE '", "ORDER BY": "a"}


def test_questions_of_the_setup_are_questions_too():
    scene, questions = parse.known(["CREATE TABLE t(a)", "SELECT 1 FROM t"], "SELECT * FROM t WHERE a IS NULL")
    assert [s.text for s in scene.statements] == ["CREATE TABLE t(a)"]
    assert [isinstance(q, ir.Select) for q in questions] == [True, True]
    assert questions[0].where == ir.RawExpr("(a IS NULL)")


def test_more_than_a_plain_select_stays_text():
    for text in (
        "SELECT a FROM t GROUP BY a HAVING a > 1",
        "SELECT a FROM t UNION SELECT 1",
        "WITH w AS (SELECT 1) SELECT * FROM w",
    ):
        _, questions = parse.known([], text)
        assert questions == [ir.RawQuery(text)]


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
    _, (question,) = parse.known([], text)
    assert isinstance(question, ir.Select)
    assert dialects.SQLITE.text(question).replace("((", "(").replace("))", ")") == text


def modes(name, text):
    _, (question,) = parse.known([], text)
    return [r.mode for r in registry.oracle("sql", name).variants(ir.Scene(()), question, None)]


def test_a_known_bug_is_tried_in_every_mode_of_an_oracle():
    assert modes("norec", "SELECT DISTINCT a FROM t WHERE b ORDER BY a") == ["count", "rows", "rows"]
    assert modes("norec", "SELECT a FROM t WHERE b GROUP BY a") == ["count", "rows", "group"]
    assert modes("tlp", "SELECT DISTINCT a FROM t WHERE b") == ["where", "where", "distinct"]
    assert modes("tlp", "SELECT MAX(a) FROM t WHERE b") == ["where", "max"]
    assert "group" in modes("tlp", "SELECT a FROM t WHERE b GROUP BY a")

from gainsay.families.sql import ir, parse


def test_clauses_are_split_at_the_outermost_keywords():
    found = parse.clauses("SELECT a, (SELECT 1 FROM u WHERE 2) FROM t WHERE b = ' WHERE ' ORDER BY a")
    assert found == {"SELECT": "a, (SELECT 1 FROM u WHERE 2)", "FROM": "t", "WHERE": "b = ' WHERE '", "ORDER BY": "a"}


def test_questions_of_the_setup_are_questions_too():
    scene, questions = parse.known(["CREATE TABLE t(a)", "SELECT 1 FROM t"], "SELECT * FROM t WHERE a IS NULL")
    assert [s.text for s in scene.statements] == ["CREATE TABLE t(a)"]
    assert [isinstance(q, ir.Select) for q in questions] == [True, True]
    assert questions[0].where == ir.RawExpr("(a IS NULL)")


def test_more_than_a_plain_select_stays_text():
    _, questions = parse.known([], "SELECT a FROM t GROUP BY a")
    assert questions == [ir.RawQuery("SELECT a FROM t GROUP BY a")]

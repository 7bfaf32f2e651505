"""Which variables an expression refers to; what is an aggregate, a bare pattern, a list without an order."""

import pytest

from cypher_standin import query
from gainsay.families.cypher.language import scopes
from gainsay.families.cypher.language.reader import Reader


def expr(text):
    return Reader(text).expr()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a.k + b", {"a", "b"}),
        ("[x IN l WHERE x > y | x + z]", {"l", "y", "z"}),
        ("any(x IN x WHERE x)", {"x"}),
        ("reduce(t = i, x IN l | t + x + q)", {"i", "l", "q"}),
        ("CASE a WHEN b THEN c ELSE d END", {"a", "b", "c", "d"}),
        ("EXISTS { MATCH (n {k: v})-[r]->(m) WHERE o.k = 1 }", {"n", "r", "m", "v", "o"}),
        ("{k: a}.k", {"a"}),
        ("[a, 1]", {"a"}),
        ("count(a.k)", {"a"}),
        ("(n:A)", {"n"}),
        ("1", set()),
    ],
)
def test_the_variables_an_expression_refers_to(text, names):
    assert scopes.free(expr(text)) == names


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        ("RETURN [1, 2] AS x", False),
        ("MATCH (n) RETURN collect(n.k) AS x", True),
        ("MATCH (n) RETURN size(collect(n.k)) AS x", False),
        ("MATCH (n) WITH collect(n.k) AS c RETURN c AS x", True),
        ("MATCH (n) WITH collect(n.k) AS c WITH size(c) AS s RETURN s AS x", False),
        ("MATCH (n) WITH collect(n.k) AS c WITH * RETURN reverse(c) AS x", True),
        ("MATCH (n) RETURN labels(n) AS x", True),
        ("MATCH (n) RETURN [(n)-[]->(m) | m.k] AS x", True),
        ("MATCH (n) RETURN [x IN [1] | x] AS x", False),
        ("MATCH (n) RETURN CASE WHEN n.b THEN labels(n) END AS x", True),
        ("RETURN 1 AS x UNION RETURN 2 AS x", False),
    ],
)
def test_whether_a_list_has_an_order(text, is_open):
    assert scopes.has_unordered_lists(query(text)) == is_open


def test_where_a_bare_pattern_may_stand():
    assert scopes.is_condition(expr("NOT ((n)-[]->() AND true)"))
    assert not scopes.is_condition(expr("((n)-[]->()) IS NULL"))
    assert scopes.has_bare(expr("NOT (n)-[]->()")) and not scopes.has_bare(expr("EXISTS { (n)-[]->() }"))


def test_what_is_an_aggregate():
    assert scopes.has_aggregate(expr("1 + count(*)")) and scopes.has_aggregate(expr("{a: count(*)}.a"))
    assert not scopes.has_aggregate(expr("size([1])"))

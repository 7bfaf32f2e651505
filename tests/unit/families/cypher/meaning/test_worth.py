"""What the expressions of a query are worth, in words."""

import pytest

from cypher_standin import graph, query, seats
from gainsay.families.cypher.meaning import explain

TWO = "CREATE (n0 {id: 0, k: 1}), (n1 {id: 1})"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("RETURN nullIf(true, null) AS x", "nullIf(true, null) is true"),
        (
            "RETURN CASE WHEN true THEN 1 END = 1 AS x",
            "CASE WHEN true THEN 1 END is 1; (CASE WHEN true THEN 1 END = 1) is true",
        ),
        ("RETURN sum(null) AS x", "sum(null) over 1 row is 0"),
        ("MATCH (n) WHERE false RETURN sum(1) AS x", "sum(1) over no rows is 0"),
        ("MATCH (n) RETURN sign(n.k) AS x", "sign(n.k) is 1 where n.k is 1; sign(n.k) is null where n.k is null"),
        (
            "MATCH (n) WHERE n.k >= 1.0 RETURN 1 AS x",
            "(n.k >= 1.0) is true where n.k is 1; (n.k >= 1.0) is null where n.k is null",
        ),
        ("WITH [1, 0] AS y RETURN [x IN y | -x] AS z", "[x IN y | (-(x))] is [-1, 0] where y is [1, 0]"),
        ("RETURN right('b', 0) AS x UNION RETURN trim(' ') AS x", "right('b', 0) is ''; trim(' ') is ''"),
    ],
)
def test_it_is_said_which_function_or_condition_gives_which_value(text, values):
    told = explain.sentence(graph(TWO), query(text), seats())
    assert told.endswith(f" The values: {values}.")


@pytest.mark.parametrize("text", ["MATCH (n) RETURN n.k AS x", "MATCH (n) WITH n RETURN 1 AS x", "RETURN [1] AS x"])
def test_of_what_is_read_or_said_as_it_is_nothing_more_is_said(text):
    assert "The values" not in explain.sentence(graph(TWO), query(text), seats())

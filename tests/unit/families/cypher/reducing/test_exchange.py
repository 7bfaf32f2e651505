"""What a title could name, and cases without it."""

import pytest

from cypher_standin import FAMILY, graph, query, seats
from gainsay.families.cypher.meaning.scene_cache import profile_of
from gainsay.families.cypher.reducing import exchange
from gainsay.oracles import cypher_reference

MEANS = profile_of(seats())
NONE = graph()
TWO = graph("CREATE (a:A {id: 0, k: 1, s: ''}), (b:A {id: 1, l: [1], b: true}), (a)-[:T {id: 2, w: 3}]->(b)")


def without(name, text, scene=TWO):
    """The questions and statements of the cases without something."""
    made = exchange.exchanges(scene, cypher_reference.Recipe(query(text)), MEANS)
    spell = FAMILY.dialect("neo4j").text
    return [
        "; ".join([*(spell(s) for s in FAMILY.script(g) if g != scene), spell(r.query)])
        for n, _, (g, r) in made
        if n == name
    ]


@pytest.mark.parametrize(
    ("name", "text", "exchanged"),
    [
        ("several patterns", "MATCH (n), () WHERE n.b RETURN 1 AS x", "MATCH (n) MATCH () WHERE n.b RETURN 1 AS x"),
        ("another match", "MATCH (n) MATCH (m) RETURN 1 AS x", "MATCH (n) RETURN 1 AS x"),
        ("label", "MATCH (n:A) RETURN 1 AS x", "MATCH (n) RETURN 1 AS x"),
        ("relationship type", "MATCH ()-[:T]->() RETURN 1 AS x", "MATCH ()-[]->() RETURN 1 AS x"),
        ("several columns", "MATCH (n) RETURN n.k AS x, 1 AS y", "MATCH (n) RETURN 1 AS y"),
        ("grouping", "MATCH (n) RETURN n.k AS x, count(*) AS y", "MATCH (n) RETURN count(*) AS y"),
        ("several aggregates", "RETURN count(*) AS x, min(1) AS y", "RETURN count(*) AS x"),
        ("property in a pattern", "MATCH (n {k: 1}) RETURN 1 AS x", "MATCH (n) WHERE n.k = 1 RETURN 1 AS x"),
        ("where", "MATCH (n) WHERE n.b RETURN n.id AS x", "MATCH (n) RETURN n.id AS x, n.b AS x2"),
        ("condition", "MATCH (n) WHERE n.b RETURN n.id AS x", "MATCH (n) RETURN n.id AS x"),
        (
            "where",
            "MATCH (n) WHERE n.b RETURN n.id AS x",
            "MATCH (n) RETURN n.id AS x, CASE WHEN n.b THEN true END AS x2",
        ),
        ("zero", "RETURN 0 IN [null] AS x", "RETURN '' IN [null] AS x"),
        ("coalesce", "RETURN coalesce(1, 2) AS x", "RETURN 1 AS x2, 2 AS x3"),
        ("toString", "RETURN toString(1) AS x", "RETURN 1 IS NULL AS x"),
        (
            "order and cut",
            "MATCH (n) RETURN n.id AS x ORDER BY x",
            "MATCH (n) WITH n.id AS x RETURN x AS x",
        ),
        ("null", "OPTIONAL MATCH (n) WHERE null RETURN 1 AS x", "OPTIONAL MATCH (n) WHERE n.id = 2 RETURN 1 AS x"),
        (
            "walk of no step",
            "MATCH ()-[*0..1]->() RETURN 1 AS x",
            "MATCH ()-[*1..2]->() RETURN 1 AS x",
        ),
        ("null", "RETURN [1] = [null] AS x", "RETURN [1] = [1] AS x"),
        ("large integer", "RETURN 0 < -9223372036854775808 AS x", "RETURN 0 < -5 AS x"),
        ("empty list", "RETURN size([]) AS x", "RETURN size([1]) AS x"),
        ("null", "RETURN [y IN null] AS x", "RETURN [y IN [1]] AS x"),
        ("union", "RETURN 0 AS x UNION RETURN 1 AS x", "RETURN 1 AS x"),
        ("boolean", "RETURN true AS x", "RETURN 0 AS x"),
        ("boolean", "RETURN nullIf(false, true) AS x", "RETURN nullIf(0, 1) AS x"),
        (
            "boolean",
            "RETURN nullIf(true, null) AS x",
            "RETURN nullIf(1, null) AS x",
        ),
        ("aggregate count", "WITH count(*) AS x RETURN x AS y", "WITH min(1) AS x RETURN x AS y"),
        ("several columns", "RETURN 1 AS x, 2 AS y UNION RETURN 3 AS x, 4 AS y", "RETURN 2 AS y UNION RETURN 4 AS y"),
        ("null", "WITH count(*) AS x WHERE null RETURN 1 AS y", "WITH count(*) AS x WHERE false RETURN 1 AS y"),
        (
            "constant condition",
            "WITH count(*) AS x WHERE null RETURN 1 AS y",
            "WITH count(*) AS x WHERE x = 0 RETURN 1 AS y",
        ),
        (
            "condition on two variables",
            "MATCH (n) WITH n, 1 AS x WHERE x > n.id RETURN 1 AS y",
            "MATCH (n) WITH n, 1 AS x WHERE n.id = 0 RETURN 1 AS y",
        ),
        ("zero", "RETURN [0, 1] = [0, null] AS x", "RETURN [2, 1] = [2, null] AS x"),
        (
            "boolean",
            "RETURN false = CASE WHEN true THEN false END AS x",
            "RETURN 0 = CASE WHEN true THEN 0 END AS x",
        ),
    ],
)  # fmt: skip
def test_a_thing_is_exchanged_or_left_out(name, text, exchanged):
    assert exchanged in without(name, text)


def test_a_literal_is_exchanged_in_graph_and_question_alike():
    (found,) = [c for c in without("empty string", "MATCH (n) WHERE n.s = '' RETURN 1 AS x") if "CREATE" in c]
    assert "s: 'a'" in found and found.endswith("MATCH (n) WHERE n.s = 'a' RETURN 1 AS x")


def test_a_property_of_an_odd_type_is_exchanged_where_all_have_it():
    one = graph("CREATE (a:A {id: 0, l: [1], b: true})")
    assert without("list property", "MATCH (n) RETURN n.l AS x", one) == ["MATCH (n) RETURN n.id AS x"]
    assert without("boolean property", "MATCH (n) RETURN n.b AS x", one) == ["MATCH (n) RETURN n.id AS x"]
    assert without("boolean property", "MATCH (n) RETURN n.b AS x") == [], "what is missing is another matter"


def test_over_nothing_or_null_alone_nothing_is_told():
    assert not without("empty list", "RETURN toString(any(y IN [] WHERE null)) AS x"), "null"
    assert without("label", "MATCH (n:A) WHERE n.k = 2 RETURN 1 AS x"), "no rows before either"
    assert without("property in a pattern", "MATCH (n {k: 1}) RETURN 1 AS x", NONE)
    assert all("CREATE" in c for c in without("empty string", "MATCH (n) WHERE n.s = '' RETURN 1 AS x"))


def test_parallel_edges_go_apart_all_at_once():
    three = graph("CREATE (a:A {id: 0}), (b:A {id: 1})" + "".join(f", (a)-[:T {{id: {n}}}]->(b)" for n in (2, 3, 4)))
    found = without("parallel edges", "MATCH ()-[]->() RETURN 1 AS x", three)
    assert len(found) == 2 and all(c.count(":A {") == 4 for c in found)


def test_what_is_missing_is_given_and_an_empty_graph_gets_a_node():
    found = without("missing value", "MATCH (n) RETURN n.k AS x")
    assert len(found) == 2 and all(c.count("k: ") == 2 for c in found), "b gets one, a keeps its own"
    assert not without("missing value", "MATCH (n) RETURN n.id AS x"), "all have it"
    both = without("missing value", "MATCH (n) RETURN CASE WHEN n.b THEN 0 ELSE n.k END AS x")
    assert any(c.count("k: ") == c.count("b: ") == 2 for c in both), "all at once"
    asked = without("missing value", "MATCH (n) OPTIONAL MATCH () WHERE n.b IS NULL RETURN 1 AS x")
    assert any(c.endswith("MATCH (n) OPTIONAL MATCH () WHERE n.b = true RETURN 1 AS x") for c in asked)
    assert without("empty graph", "MATCH () RETURN sum(0) AS x", NONE)
    assert not without("empty graph", "RETURN sum(0) AS x", NONE) and not without(
        "empty graph", "MATCH () RETURN 1 AS x"
    )


def test_an_operator_of_a_condition_may_be_any_plain_test_that_says_the_same():
    found = without("null test", "MATCH (n) WHERE n.k IS NOT NULL RETURN 1 AS x")
    assert "MATCH (n) WHERE n.id = 0 RETURN 1 AS x" in found
    assert "MATCH (n) WHERE n.id = 2 RETURN 1 AS x" not in found, "other rows"


def test_an_operator_is_exchanged_for_others_that_its_operands_fit():
    assert "RETURN 'a' = 'b' AS x" in without("prefix test", "RETURN 'a' STARTS WITH 'b' AS x")
    lists = without("comparison", "RETURN [1] = [2] AS x")
    assert not any(" AND " in text for text in lists), "lists are no truth values"
    never = without("comparison", "MATCH (n) WHERE [1] = [2] RETURN 1 AS x")
    assert not any(" AND " in text for text in never), "nor where no rows are to be had"


def test_of_no_values_an_aggregate_may_be_exchanged_for_one_that_is_null_then():
    assert "MATCH () RETURN min(1) AS x" in without("aggregate count", "MATCH () RETURN count(*) AS x", NONE)


@pytest.mark.parametrize(
    ("text", "needed", "title"),
    [
        ("RETURN 0 < -9223372036854775808 AS x", {"large integer"}, {"comparison", "large integer"}),
        ("RETURN ([0])[..2147483648] AS x", {"large integer"}, {"large integer"}),
        ("RETURN '' CONTAINS '' = true AS x", {"CONTAINS", "empty string"}, {"CONTAINS", "empty string"}),
    ],
)
def test_a_title_that_names_values_alone_says_that_they_are_compared(text, needed, title):
    recipe = cypher_reference.Recipe(query(text))
    assert exchange.titled(recipe, frozenset(needed), frozenset(), frozenset(needed)) == title


def test_a_title_names_no_mere_part_of_what_it_names():
    recipe = cypher_reference.Recipe(query("MATCH (n:A), (m) RETURN 1 AS x"))

    def titled(*needed):
        return exchange.titled(recipe, frozenset(needed), frozenset(), frozenset(needed))

    assert titled("label", "several labels") == {"several labels"}
    assert titled("null", "null in a list") == {"null in a list"}
    assert titled("grouping", "constant") == {"constant"}
    assert titled("another match", "several patterns") == {"several patterns"}

"""An expression is told where nothing else is."""

import msgspec

from cypher_standin import FAMILY, graph, query, seats
from gainsay.core.model import Seats
from gainsay.families.cypher.meaning.scene_cache import profile_of
from gainsay.families.cypher.reducing import contexts
from gainsay.oracles import cypher_reference

replace = msgspec.structs.replace
SEATED = seats()
BARE = Seats(SEATED.seats)


def told_alone(text):
    made = contexts.smallest_contexts(graph(), cypher_reference.Recipe(query(text)))
    return [FAMILY.dialect("neo4j").text(recipe.query) for _, recipe in made]


def test_an_expression_is_told_where_nothing_else_is():
    assert told_alone("MATCH (n) WHERE '' CONTAINS '' RETURN 1 AS y") == ["RETURN '' CONTAINS '' AS x"]
    assert "MATCH (n) RETURN n.k > 1 AS x" in told_alone("MATCH (n) WHERE n.k > 1 RETURN 1 AS y")
    assert "RETURN size('a') AS x" in told_alone("UNWIND [size('a')] AS u RETURN 1 AS y")


def test_an_expression_is_not_told_without_what_binds_its_variables():
    assert told_alone("UNWIND [1] AS u WITH u WHERE u > 1 RETURN 1 AS y") == ["RETURN [1] AS x"]


def test_a_constant_part_is_compared_with_its_value_whatever_reads_it():
    def told(text):
        made = contexts.as_tests(graph(), cypher_reference.Recipe(query(text)), profile_of(SEATED))
        return [FAMILY.dialect("neo4j").text(recipe.query) for _, recipe in made]

    inner = "CASE WHEN true THEN true END"
    assert told(f"RETURN toString({inner}) AS x") == [f"RETURN {inner} = true AS x"]
    assert told(f"RETURN min({inner}) AS x") == [f"RETURN {inner} = true AS x"]
    assert told("MATCH (n) RETURN toString(n.k + 1) AS x") == [], "no constant"
    assert told("RETURN toString([1][0]) AS x") == ["RETURN ([1])[0] = 1 AS x"], "a list is no plain value"


def test_what_a_subquery_asks_is_asked_by_itself():
    def told(text):
        made = contexts.lifted(graph(), cypher_reference.Recipe(query(text)))
        return [FAMILY.dialect("neo4j").text(recipe.query) for _, recipe in made]

    inner = "MATCH (n) WHERE n.b RETURN 1 AS x"
    assert told("MATCH (m) WHERE EXISTS { MATCH (n) WHERE n.b } RETURN 0 AS y") == [inner, f"MATCH (m) {inner}"]
    assert "MATCH (n) MATCH (n)-[]->(m) RETURN m.k AS x" in told("MATCH (n) RETURN [(n)-[]->(m) | m.k] AS x")
    assert told("MATCH (n) WHERE n.b RETURN 1 AS x") == []

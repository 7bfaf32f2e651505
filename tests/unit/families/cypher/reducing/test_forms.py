"""Plainer forms of what can be said in two."""

import pytest

from cypher_standin import FAMILY, graph, query
from gainsay.families.cypher.reducing import forms
from gainsay.oracles import cypher_reference

NONE = graph()
LOOP = graph("CREATE (a:A {id: 0}), (a)-[:T {id: 1}]->(a)")
EDGE = graph("CREATE (a:A {id: 0}), (b:A {id: 1}), (a)-[:T {id: 2}]->(b)")


def formed(text, scene=NONE):
    """The questions in plainer forms, and from where to where their edges go."""
    spell = FAMILY.dialect("neo4j").text
    made = forms.forms(scene, cypher_reference.Recipe(query(text)))
    return {spell(r.query): [(e.source, e.target) for e in g.edges] for g, r in made}


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("MATCH (n {k: 1}) RETURN 1 AS x", "MATCH (n) WHERE n.k = 1 RETURN 1 AS x"),
        ("MATCH ({k: 1}), (n) WHERE n.b RETURN 1 AS x", "MATCH (y), (n) WHERE n.b AND y.k = 1 RETURN 1 AS x"),
        ("MATCH (n) MATCH (n:A) RETURN 1 AS x", "MATCH (n:A) MATCH (n) RETURN 1 AS x"),
        ("MATCH (n) WHERE n.b RETURN n.k AS x", "MATCH (n) RETURN n.k AS x, n.b AS x2"),
        ("MATCH (n) WHERE NOT n.b RETURN n.k AS x", "MATCH (n) RETURN n.k AS x, n.b AS x2"),
        ("RETURN all(y IN [] WHERE y) AS x", "RETURN isEmpty([]) AS x"),
        ("RETURN coalesce(1, 2) AS x", "RETURN CASE WHEN true THEN 1 END AS x"),
    ],
)
def test_a_plainer_form_is_tried(text, form):
    plain = FAMILY.dialect("neo4j").text(query(form))
    assert plain in formed(text)


def test_a_label_behind_an_optional_match_stays_there():
    assert formed("MATCH (n) OPTIONAL MATCH (n:A) RETURN 1 AS x") == {}


def test_two_nodes_in_a_circle_take_the_place_of_a_loop_and_walks_come_back_to_where_they_began():
    made = formed("MATCH ()-[*0..2]->() RETURN 1 AS x", LOOP)
    assert list(made.values()) == [[(0, 2), (2, 0)]] * 2
    assert [text.count("*0..4") for text in made] == [0, 1]


def test_edges_both_ways_take_the_place_of_a_walk_in_any_direction():
    made = formed("MATCH ()-[*0..2]-() RETURN 1 AS x", EDGE)
    assert made == {"MATCH ()-[*0..2]->() RETURN 1 AS x": [(0, 1), (1, 0)]}

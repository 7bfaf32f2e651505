"""What decides and is no operator, and cases without it."""

import pytest

from cypher_standin import FAMILY, graph, query
from gainsay.families.cypher.reducing import details
from gainsay.oracles import cypher_reference

TWO = graph("CREATE (a:A:B {id: 0}), (b:A {id: 1}), (a)-[:T {id: 2}]->(b)")
SPELL = FAMILY.dialect("neo4j").text


def without(name, text, scene=TWO):
    """The questions of the cases without something, and what is another graph's."""
    made = details.details(scene, cypher_reference.Recipe(query(text)))
    return [
        "; ".join([*(SPELL(s) for s in FAMILY.script(g) if g != scene), SPELL(r.query)])
        for n, _, (g, r) in made
        if n == name
    ]


@pytest.mark.parametrize(
    ("name", "text", "others"),
    [
        ("zero", "RETURN right('b', 0) AS x", [f"RETURN right('b', {n}) AS x" for n in (1, 2, 5)]),
        ("zero", "MATCH (n) WHERE n.id = 0 RETURN 1 AS x", []),
        ("negative number", "RETURN right('b', -1) AS x", ["RETURN right('b', 1) AS x"]),
        ("negative number", "RETURN 0 < -9223372036854775808 AS x", []),
        (
            "path of several edges",
            "MATCH (n)-[r]->()<-[]-(m) RETURN 1 AS x",
            ["MATCH (n)-[r]->() RETURN 1 AS x", "MATCH ()<-[]-(m) RETURN 1 AS x"],
        ),
        (
            "unnamed node",
            "MATCH (n), ()-[]->() RETURN 1 AS x",
            ["MATCH (n), (v0)-[]->(v1) RETURN 1 AS x"],
        ),
        ("unnamed node", "MATCH (n) RETURN 1 AS x", []),
        ("any of several labels", "MATCH (:A|B) RETURN 1 AS x", ["MATCH (:A:B) RETURN 1 AS x"]),
        ("limit", "WITH 1 AS x LIMIT 1 RETURN 1 AS y", ["WITH 1 AS x RETURN 1 AS y"]),
        ("skip", "WITH 1 AS x SKIP 1 RETURN 1 AS y", ["WITH 1 AS x RETURN 1 AS y"]),
    ],
)
def test_a_detail_is_left_out(name, text, others):
    assert without(name, text) == others


def test_a_node_keeps_one_of_its_labels():
    made = without("node with several labels", "MATCH (:A|B) RETURN 1 AS x")
    assert [label in text for text in made for label in ("n0:A {", "n0:B {")] == [True, False, False, True]


def test_that_nothing_matches_is_told_from_that_there_is_nothing():
    text, none = "MATCH () RETURN sum(0) AS x", graph()
    assert without("no match", text, none)[0] == "CREATE (n0 {id: 0}); MATCH () RETURN sum(0) AS x"
    filtered = "CREATE (n0 {id: 0}); MATCH () WHERE false RETURN sum(0) AS x"
    assert filtered in without("empty graph", text, none) and filtered not in without("no match", text, none)


def test_a_column_leaves_all_parts_of_a_union():
    asked = query("RETURN 1 AS x, 2 AS y UNION ALL RETURN 3 AS x, 4 AS y")
    assert list(map(SPELL, details.narrower(asked))) == [
        "RETURN 2 AS y UNION ALL RETURN 4 AS y",
        "RETURN 1 AS x UNION ALL RETURN 3 AS x",
    ]

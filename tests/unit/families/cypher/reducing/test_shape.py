"""What a case is made of, and which shapes have one cause."""

import msgspec
import pytest

from cypher_standin import FAMILY, SCENE, graph, query, seats
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.reducing import shape
from gainsay.oracles import cypher_reference, cypher_rewrite

replace = msgspec.structs.replace
SEATED = seats()


def shaped(asked, scene=SCENE):
    return FAMILY.shape(scene, cypher_reference.Recipe(query(asked)))


@pytest.mark.parametrize(
    ("asked", "features"),
    [
        ("MATCH (n) MATCH (n:B) RETURN n.k AS x", {"match", "label on a bound node", "bound node"}),
        ("MATCH (n) MATCH (n) RETURN n.k AS x", {"match", "bound node"}),
        ("MATCH (n:A) RETURN n.k AS x", {"match"}),
        ("OPTIONAL MATCH (n:A:B) RETURN n.k AS x", {"optional match", "several labels"}),
        ("MATCH (n)-[:T*1..2]-(m) RETURN 1 AS x", {"match", "variable length", "undirected"}),
        ("MATCH p = (n)-[r]->(m) MATCH ()-[r]->() RETURN 1 AS x", {"match", "edge", "named path", "bound edge"}),
        ("RETURN count(DISTINCT 1) AS x", {"aggregate count", "distinct aggregate"}),
        (
            "UNWIND [1] AS x WITH DISTINCT x ORDER BY x LIMIT 1 RETURN x AS x",
            {"unwind", "with", "distinct", "order and cut"},
        ),
        ("RETURN 1 AS x UNION ALL RETURN 1 AS x", {"union all"}),
        ("RETURN CASE WHEN (1 < 2) THEN (NOT true) END AS x", {"case", "comparison", "and/or/not"}),
        ("RETURN [1] = [null] AS x", {"comparison", "null in a list"}),
        ("RETURN (true XOR true) AS x, (1 IN [1]) AS y, toUpper('a') AS z", {"XOR", "IN", "letter case"}),
    ],
)
def test_the_features_of_a_case(asked, features):
    assert shaped(asked) == features


def test_the_features_of_a_graph():
    loop = graph("CREATE (a:A {id: 0}), (a)-[:T {id: 1}]->(a), (a)-[:T {id: 2}]->(a)")
    assert shaped("RETURN 1 AS x", replace(loop, indexes=(ir.Index("A", "k"),), changes=(ir.Drop(1, True, "T"),))) == {
        "loop in graph", "parallel edges", "index", "changed graph"
    }  # fmt: skip


def test_a_rewrite_is_a_feature_but_no_part_of_the_bucket():
    recipe = cypher_rewrite.Recipe(query("MATCH (n) RETURN toUpper(n.s) AS x"), (cypher_rewrite.Rewrite("AND true"),))
    found = FAMILY.shape(SCENE, recipe)
    assert "rewrite: AND true" in found and FAMILY.bucket(found) == {"letter case"}
    assert "index" in FAMILY.shape(SCENE, replace(recipe, rewrites=(), index=ir.Index("A", "s")))


@pytest.mark.parametrize(
    ("features", "bucket"),
    [
        ({"match", "comparison", "edge"}, {"match", "comparison", "edge"}),
        ({"match", "optional match", "comparison"}, {"optional match"}),
        ({"match", "label on a bound node", "bound node"}, {"label on a bound node"}),
        ({"aggregate min", "distinct aggregate", "unwind"}, {"distinct aggregate"}),
        ({"match", "letter case", "with", "aggregate sum"}, {"letter case"}),
        ({"match", "letter case", "variable length"}, {"letter case", "variable length"}),
        ({"union", "slice"}, {"slice"}),
        ({"match", "edge", "cycle in pattern", "bound node"}, {"cycle in pattern"}),
        ({"match", "cycle in pattern", "letter case"}, {"letter case"}),
        ({"match", "variable length", "unwind"}, {"variable length"}),
        (
            {"match", "condition on two variables", "letter case", "optional match"},
            {"condition on two variables", "optional match"},
        ),
    ],
)
def test_a_bucket_names_the_cause(features, bucket):
    assert shape.bucket(frozenset(features)) == bucket


def test_clauses_and_forms_of_patterns_are_told_from_what_is_worked_out_in_them():
    assert shape.framed(frozenset({"coalesce", "with", "where", "subquery exists"})) == {
        "with",
        "where",
        "subquery exists",
    }
    assert shape.framed(frozenset({"coalesce"})) == {"coalesce"}, "where there is nothing else"


def test_a_known_cause_with_mere_surroundings_is_absorbed_and_another_is_not():
    known = frozenset({"letter case"})
    assert shape.absorbs(known, known) and shape.absorbs(known, known | {"unwind", "distinct"})
    assert not shape.absorbs(known, known | {"variable length"})
    assert not shape.absorbs(known | {"unwind"}, known)
    assert not shape.absorbs(frozenset({"with"}), frozenset({"with", "unwind"})), "surroundings alone are no cause"

"""Which graphs can be made, and which questions have one answer."""

import msgspec
import pytest

from cypher_standin import FAMILY, RECIPE, SCENE, graph, query, seats
from gainsay.core.model import Seats
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.meaning import legal
from gainsay.oracles import cypher_norec, cypher_partition, cypher_reference, cypher_rewrite

replace = msgspec.structs.replace
SEATED = seats()
BARE = Seats(SEATED.seats)


@pytest.mark.parametrize(
    "made",
    [
        replace(SCENE, vertices=SCENE.vertices[:2]),
        replace(SCENE, vertices=(*SCENE.vertices, SCENE.vertices[0])),
        replace(SCENE, vertices=(replace(SCENE.vertices[0], labels=("Z",)), *SCENE.vertices[1:])),
        replace(SCENE, vertices=(replace(SCENE.vertices[0], labels=("A", "A")), *SCENE.vertices[1:])),
        replace(SCENE, edges=(replace(SCENE.edges[0], type="Z"),)),
        replace(SCENE, edges=(replace(SCENE.edges[0], source=99),)),
        replace(SCENE, changes=(ir.Drop(99, False, ""),)),
        replace(SCENE, changes=(ir.Drop(0, True, ""),)),
        replace(SCENE, changes=(ir.SetKey(0, "z", ir.NULL, False, ""),)),
        replace(SCENE, indexes=(ir.Index("A", "z"),)),
        replace(SCENE, indexes=(ir.Index("Z", "k"),)),
        replace(SCENE, schema=replace(SCENE.schema, node_keys=())),
    ],
)
def test_a_graph_that_can_not_be_made(made):
    assert legal.is_sound(SCENE) and not legal.is_sound(made)
    assert not FAMILY.is_legal(made, RECIPE, BARE)


@pytest.mark.parametrize(
    "asked",
    [
        "MATCH (n) RETURN m.k AS x",
        "MATCH (n) WITH n.id AS x LIMIT 1 RETURN x AS x",
        "RETURN 9223372036854775807 + 1 AS x",
        "RETURN (1 / 0) AS x",
        "MATCH (n) WITH collect(n.id) AS c RETURN head(c) AS x",
    ],
)
def test_a_query_without_one_answer_is_not_legal(asked):
    assert not FAMILY.is_legal(SCENE, cypher_reference.Recipe(query(asked)), BARE)


def test_a_node_of_a_table_has_one_label():
    made = graph("CREATE (a:A:B {id: 0})")
    recipe = cypher_reference.Recipe(query("MATCH (n) RETURN n.id AS x"))
    assert FAMILY.is_legal(made, recipe, BARE)
    assert not FAMILY.is_legal(made, recipe, Seats(seats(dialect="kuzu").seats))


def test_a_partition_that_claims_nothing_or_is_wrong_is_not_legal():
    single = query("MATCH (n) RETURN n.k AS x").parts[0]
    condition = query("MATCH (n) WHERE (n.k > 1) RETURN 1 AS x").parts[0].clauses[0].where
    good = cypher_partition.Recipe(single, condition, 0)
    assert FAMILY.is_legal(SCENE, good, BARE)
    for bad in (
        replace(good, position=1), replace(good, position=7), replace(good, mode="count"),
        replace(good, mode="distinct"),
        replace(good, condition=ir.Prop(ir.Var("z"), "k")), replace(good, condition=ir.Prop(ir.Var("n"), "k")),
        replace(good, query=query("OPTIONAL MATCH (n) RETURN n.k AS x").parts[0]),
        replace(good, query=query("MATCH (n) RETURN n.k AS x LIMIT 9").parts[0]),
        replace(good, query=query("MATCH (n) WITH count(*) AS x RETURN x AS x").parts[0], condition=ir.TRUE),
        replace(good, query=query("MATCH (n) RETURN count(*) AS x").parts[0]),
        replace(good, query=query("MATCH (n) RETURN DISTINCT n.k AS x").parts[0]),
    ):  # fmt: skip
        assert not FAMILY.is_legal(SCENE, bad, BARE), bad


def test_a_norec_recipe_that_is_wrong_is_not_legal():
    single = query("MATCH (n) RETURN n.k AS x").parts[0]
    good = cypher_norec.Recipe(single, query("MATCH (n) WHERE (n.k > 1) RETURN 1 AS x").parts[0].clauses[0].where)
    assert FAMILY.is_legal(SCENE, good, BARE)
    for asked in (
        "OPTIONAL MATCH (n) RETURN n.k AS x",
        "MATCH (n) WHERE n.b RETURN n.k AS x",
        "MATCH (n) RETURN DISTINCT n.k AS x",
        "MATCH (n) RETURN count(*) AS x",
        "MATCH (n) RETURN n.k AS x ORDER BY x LIMIT 1",
        "RETURN 1 AS x",
    ):
        assert not FAMILY.is_legal(SCENE, replace(good, query=query(asked).parts[0]), BARE), asked


def test_a_rewrite_that_does_not_apply_is_not_legal():
    good = cypher_rewrite.Recipe(
        query("MATCH (a)-[r]->(b) RETURN r.w AS x"), (cypher_rewrite.Rewrite("reverse a path", 0),)
    )
    assert FAMILY.is_legal(SCENE, good, BARE)
    assert not FAMILY.is_legal(SCENE, replace(good, rewrites=()), BARE)
    assert not FAMILY.is_legal(SCENE, replace(good, rewrites=(cypher_rewrite.Rewrite("split a path"),)), BARE)

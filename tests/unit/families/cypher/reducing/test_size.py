"""What is simpler is smaller."""

import msgspec
import pytest

from cypher_standin import FAMILY, RECIPE, SCENE, query, seats
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.reducing import shrink, size
from gainsay.oracles import cypher_reference

replace = msgspec.structs.replace
SEATED = seats()


@pytest.mark.parametrize(
    ("small", "large"),
    [
        ("RETURN 1 AS x", "MATCH (n) RETURN 1 AS x"),
        ("RETURN [1, 2, 3, 4, 5, 6, 7, 8, 9] AS x", "MATCH (n) RETURN 1 AS x"),
        ("MATCH (n) RETURN 1 AS x", "OPTIONAL MATCH (n) RETURN 1 AS x"),
        ("MATCH (n) RETURN 1 AS x", "MATCH (n:A) RETURN 1 AS x"),
        ("MATCH ()-[]->() RETURN 1 AS x", "MATCH ()<-[]-() RETURN 1 AS x"),
        ("MATCH ()<-[]-() RETURN 1 AS x", "MATCH ()-[]-() RETURN 1 AS x"),
        ("MATCH ()-[]-() RETURN 1 AS x", "MATCH ()-[*1..1]-() RETURN 1 AS x"),
        ("MATCH ()-[*1..2]-() RETURN 1 AS x", "MATCH ()-[*1..3]-() RETURN 1 AS x"),
        ("RETURN 0 AS x", "RETURN 'a' AS x"),
        ("RETURN 0 AS x", "RETURN 17 AS x"),
        ("RETURN 0 AS x", "RETURN null AS x"),
        ("RETURN '' AS x", "RETURN 'a' AS x"),
        ("RETURN (1 = 2) AS x", "RETURN (1 <> 2) AS x"),
        ("RETURN (1 AND 2) AS x", "RETURN (1 XOR 2) AS x"),
        ("RETURN count(*) AS x", "RETURN count(1) AS x"),
        ("RETURN min(1) AS x", "RETURN min(DISTINCT 1) AS x"),
        ("RETURN 1 AS x", "RETURN DISTINCT 1 AS x"),
        ("RETURN 1 AS x", "RETURN 1 AS x LIMIT 1"),
    ],
)
def test_what_is_simpler_is_smaller(small, large):
    one, two = (size.size(SCENE, cypher_reference.Recipe(query(q))) for q in (small, large))
    assert one < two


def test_every_element_counts():
    whole = size.size(SCENE, RECIPE)
    assert size.size(shrink.without_elements(SCENE, {2}), RECIPE) < whole
    assert size.size(replace(SCENE, indexes=(ir.Index("A", "k"),)), RECIPE) > whole
    assert size.size(replace(SCENE, changes=(ir.Drop(0, False, "A"),)), RECIPE) > whole
    assert (
        size.size(replace(SCENE, vertices=(replace(SCENE.vertices[0], props=()), *SCENE.vertices[1:])), RECIPE) < whole
    )


def test_no_simplest_term_is_null():
    assert ir.NULL not in FAMILY.simplest(ir.Lit("str", "abc"))
    assert ir.Op("=", (ir.TRUE, ir.TRUE)) in FAMILY.simplest(ir.Op("<>", (ir.TRUE, ir.TRUE)))
    assert FAMILY.simplest(ir.NodePat()) == ()


def test_a_large_number_gives_way_to_a_small_one_of_the_same_sign():
    assert ir.Lit("int", -1) in FAMILY.simplest(ir.Lit("int", -(2**63)))
    assert ir.Lit("int", 2) in FAMILY.simplest(ir.Lit("int", 2**40))
    assert ir.Lit("int", 2) not in FAMILY.simplest(ir.Lit("int", 1))

"""Readable names."""

import msgspec
import pytest

from cypher_standin import FAMILY, SCENE, graph, query, seats
from gainsay.core.model import Case
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.reducing import tidy
from gainsay.oracles import cypher_reference

replace = msgspec.structs.replace
SEATED = seats()


def text(case):
    return FAMILY.dialect("neo4j").text(case.recipe.query)


def case(scene, recipe):
    return Case("cypher", "reference", scene, recipe, SEATED.seats, "as evaluated")


def test_tidy_names_are_short_and_numbers_begin_at_0():
    made = graph("CREATE (a:A {id: 17, k: 5}), (b:B {id: 11}), (a)-[:T {id: 40}]->(b)")
    made = replace(made, changes=(ir.SetKey(11, "k", ir.NULL, False, "B"),))
    recipe = cypher_reference.Recipe(
        query(
            "MATCH p7 = (n12:A)-[r9]->(n4) WITH n12.k AS x8, r9 AS q, p7 AS w UNWIND [1] AS u3 RETURN x8 AS c0, [z IN "
            "[1] | z] AS c1"
        )
    )
    small, tidied = tidy.tidy(made, recipe)
    assert [v.id for v in small.vertices] == [0, 1] and (
        small.edges[0].id,
        small.edges[0].source,
        small.edges[0].target,
    ) == (2, 0, 1)
    assert small.changes[0].id == 1
    assert text(case(small, tidied)).startswith("MATCH p = (n:A)-[r]->(m) WITH n.k AS x, r AS y")
    names = {i.name for c in tidied.query.parts[0].clauses for i in getattr(c, "items", ())}
    assert all(len(n) == 1 for n in names)


def test_a_number_that_a_query_looks_for_changes_with_its_element():
    made = graph("CREATE (a:A {id: 17}), (b:A {id: 3})")
    recipe = cypher_reference.Recipe(query("MATCH (n) WHERE (n.id = 3) RETURN n.id AS x"))
    small, tidied = tidy.tidy(made, recipe)
    assert [v.id for v in small.vertices] == [0, 1]
    assert text(case(small, tidied)) == "MATCH (n) WHERE n.id = 1 RETURN n.id AS x"


@pytest.mark.parametrize("condition", ["(n.id < 17)", "((n.id + 1) = 18)", "(n.id IN [17])"])
def test_numbers_that_a_query_works_with_stay(condition):
    made = graph("CREATE (a:A {id: 17})")
    recipe = cypher_reference.Recipe(query(f"MATCH (n) WHERE {condition} RETURN n.id AS x"))
    assert tidy.tidy(made, recipe)[0] == made


def test_names_inside_of_expressions_are_short_too():
    recipe = cypher_reference.Recipe(
        query(
            "RETURN reduce(total9 = 0, each9 IN [1] | (total9 + each9)) AS c0, any(one9 IN [1] WHERE (one9 = 1)) AS c1"
        )
    )
    assert "9" not in text(case(SCENE, tidy.renamed(recipe)))


def test_names_that_differ_stay_different():
    names = [f"n{i}" for i in range(40)]
    made = query(
        f"MATCH {', '.join(f'({n})' for n in names)} RETURN {', '.join(f'{n}.k AS c{i}' for i, n in enumerate(names))}"
    )
    tidied = tidy.renamed(cypher_reference.Recipe(made)).query
    assert len({p.start.var for p in tidied.parts[0].clauses[0].patterns}) == 40

"""What the reference oracle claims where an engine's documents leave a part of the answer to its plan."""

import pytest

from cypher_standin import FALKORDB, Fault, Standin, graph, like_falkordb, query
from gainsay.campaign import conversation
from gainsay.core.model import Case, Seats
from gainsay.oracles import cypher_reference


@pytest.mark.parametrize(
    ("returned", "fault", "is_wrong"),
    [
        ("m.id AS x", lambda rows: [*rows, *rows], False),
        ("m.id AS x", lambda rows: [], True),
        ("m.id AS x", lambda rows: [(7,)], True),
        ("min(m.id) AS x", lambda rows: [(7,)], True),
        ("count(*) AS x", lambda rows: [(7,)], False),
        ("m.id AS x SKIP 1", lambda rows: [(7,)], False),
    ],
)
def test_a_plan_decides_how_often_a_row_comes_and_not_whether_it_does(returned, fault, is_wrong):
    seated = like_falkordb()
    scene = graph("CREATE (a:A {id: 0}), (b:A {id: 1}), (a)-[:T {id: 2}]->(b), (a)-[:T {id: 3}]->(b)")
    asked = cypher_reference.Recipe(query(f"MATCH (n)-[]->(m) RETURN {returned}"))
    case = Case("cypher", "reference", scene, asked, seated.seats, cypher_reference.CLAIM)
    player = Standin(FALKORDB, Fault(rows=lambda rows, q: fault(rows)))
    assert bool(conversation.hold(case, [player], Seats(seated.seats))) == is_wrong

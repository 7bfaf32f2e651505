"""Graphs: what is drawn, what stands of one that was refused in part, what shows all that is stored."""

import pytest

from cypher_standin import FAMILY, Standin, graph, like_kuzu, rows, scene, seats
from gainsay.core.draw import Draw, seed_for
from gainsay.families.cypher.drawing import scenes
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.meaning.legal import is_sound

SCENE = ir.Scene(
    ir.Schema(("A",), ("T",), (ir.Key("k", "int"),), (ir.Key("w", "int"),)),
    (ir.Vertex(0, ("A",)), ir.Vertex(1, ("A",))),
    (ir.Edge(2, 0, 1, "T"),),
    (ir.Index("A", "k"), ir.Index("A", "k", True)),
    (ir.SetKey(0, "k", ir.Lit("int", 1), False, "A"), ir.Drop(2, True, "T")),
)


def many(count=300, seated=None):
    return [scene(n, seated or seats(), "many") for n in range(count)]


def test_graphs_are_sound_and_have_what_queries_go_wrong_on():
    found = many()
    assert all(is_sound(s) for s in found)
    edges = [(s, e) for s in found for e in s.edges]
    assert any(e.source == e.target for _, e in edges), "loops"
    assert any(len({(e.source, e.target) for e in s.edges}) < len(s.edges) for s in found), "parallel edges"
    assert any(not v.labels for s in found for v in s.vertices) and any(
        len(v.labels) > 1 for s in found for v in s.vertices
    )
    assert any(not s.edges for s in found) and any(s.indexes for s in found) and any(s.changes for s in found)
    assert any(i.is_late for s in found for i in s.indexes) and any(not i.is_late for s in found for i in s.indexes)
    values = [p.value for s in found for v in s.vertices for p in v.props]
    assert ir.Lit("str", "") in values and any(isinstance(v, ir.ListOf) for v in values) and ir.ListOf() in values
    assert any(isinstance(v, ir.Lit) and v.kind == "int" and abs(v.value) > 2**31 for v in values)
    kinds = {c.__class__ for s in found for c in s.changes}
    assert kinds == {ir.SetKey, ir.Drop} and any(
        isinstance(c, ir.SetKey) and c.value == ir.NULL for s in found for c in s.changes
    )
    missing = sum(len(v.props) < len(s.schema.node_keys) for s in found for v in s.vertices) / sum(
        len(s.vertices) for s in found
    )
    assert 0.3 < missing < 0.9


def test_nothing_happens_to_an_element_that_is_gone():
    """Engines differ in nothing else, but a reducer must not take such a change for the cause."""
    for made in many():
        gone = set()
        edges = {e.id: e for e in made.edges}
        for change in made.changes:
            assert change.id not in gone
            if change.is_edge:
                assert not {edges[change.id].source, edges[change.id].target} & gone
            if isinstance(change, ir.Drop):
                gone.add(change.id)


@pytest.mark.parametrize(
    ("feature", "test"),
    [
        ("graph:index", lambda s: bool(s.indexes)),
        ("graph:labels many", lambda s: any(len(v.labels) > 1 for v in s.vertices)),
        ("graph:labels none", lambda s: any(not v.labels for v in s.vertices)),
        ("graph:drop", lambda s: any(isinstance(c, ir.Drop) for c in s.changes)),
        ("graph:set", lambda s: any(isinstance(c, ir.SetKey) for c in s.changes)),
        ("graph:set null", lambda s: any(isinstance(c, ir.SetKey) and c.value == ir.NULL for c in s.changes)),
        ("graph:pairs", lambda s: len(s.schema.labels) > 1),
        *[
            (
                f"graph:{k} property",
                lambda s, k=k: any(key.type == k for key in (*s.schema.node_keys, *s.schema.edge_keys)),
            )
            for k in ("str", "float", "ints")
        ],
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_what_an_engine_refuses_is_not_in_a_graph(feature, test):
    assert any(test(s) for s in many(120))
    assert not any(test(s) for s in many(120, seats(refused=frozenset({feature}))))


def test_a_node_is_in_one_table():
    assert all(len(v.labels) == 1 for s in many(60, like_kuzu()) for v in s.vertices)


def test_tables_come_first_then_early_indexes_the_graph_late_indexes_and_changes():
    names = [s.__class__.__name__ for s in scenes.script(SCENE)]
    assert names == ["NodeTable", "EdgeTable", "Index", "Create", "Index", "SetKey", "Drop"]
    assert scenes.script(ir.Scene()) == ()
    assert [s.text for s in scenes.script(ir.Scene(raw=("CREATE (a)",)))] == ["CREATE (a)"]


def test_what_was_refused_is_left_out():
    listed = scenes.script(SCENE)
    everything = set(range(len(listed)))
    assert scenes.keep(SCENE, everything) == SCENE
    for number, statement in enumerate(listed):
        kept = scenes.keep(SCENE, everything - {number})
        if isinstance(statement, (ir.NodeTable, ir.EdgeTable, ir.Create)):
            assert FAMILY.is_barren(kept), statement
        else:
            assert statement not in scenes.script(kept) and not FAMILY.is_barren(kept)
            assert len(scenes.script(kept)) == len(listed) - 1


def test_all_that_is_stored_is_shown():
    made = graph(
        "CREATE (a:A {id: 0, k: 5}), (b:B {id: 1, s: 'x'}), (a)-[:T {id: 2, w: 7}]->(b), (b)-[:T {id: 3}]->(b)"
    )
    nodes, edges = FAMILY.stored(made)
    assert sorted(rows(made, nodes)) == [(0, 5, None), (1, None, "x")]
    assert sorted(rows(made, edges), key=repr) == [(0, 1, 2, 7), (1, 1, 3, None)]
    assert len(FAMILY.stored(graph("CREATE (a:A {id: 0})"))) == 1


def test_the_stored_contents_tell_graphs_apart():
    """Every value of every element is looked at: one that differs is seen."""
    made = SCENE
    standin = Standin()
    standin.load(made)
    before = [standin.ask(FAMILY.dialect("neo4j").text(q)).rows for q in FAMILY.stored(made)]
    for text in ("MATCH (x {id: 1}) SET x.k = 9", "MATCH (x {id: 1}) DETACH DELETE x"):
        assert standin.ask(text).rows == []
        after = [standin.ask(FAMILY.dialect("neo4j").text(q)).rows for q in FAMILY.stored(made)]
        assert after != before
        before = after


def test_values_come_from_small_pools_so_that_they_meet():
    draw = Draw(seed_for(1))
    found = [scenes.value(draw, "int").value for _ in range(400)]
    assert len(set(found)) < 15 and found.count(0) > 50

"""What a profile changes: every fact's own question, and the finer points of those that change more than one
operator."""

import pytest

from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.parse import known
from gainsay.families.cypher.language.reader import read
from gainsay.families.cypher.meaning.graph import graph_of
from gainsay.families.cypher.meaning.profile import FACTS, profile
from gainsay.families.cypher.meaning.semantics import Evaluator, Undetermined

KUZU = (
    ("relationship-uniqueness", "may be the same"),
    ("variable-length", "walk"),
    ("undirected-loop", "twice"),
    ("labels", "any"),
)
FALKORDB = (("relationship-uniqueness", "may be the same"), ("unreferenced-edge", "exists"))
LOOP = ("CREATE (a:A {id: 1})-[:T {id: 2}]->(a)",)
TWICE = ("CREATE (a:A {id: 1}), (b:A {id: 2}), (a)-[:T {id: 3}]->(b), (a)-[:T {id: 4}]->(b)",)
DIAMOND = ("CREATE (a {id: 1})-[:T]->(b {id: 2})-[:T]->(d:D {id: 4}), (a)-[:T]->(c {id: 3})-[:T]->(d), (b)-[:S]->(d)",)


def rows(setup, text, facts=()):
    return sorted(Evaluator(graph_of(known(setup, text)[0]), profile(facts)).rows(read(text)), key=repr)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, fact in FACTS.items() for value in fact.answers])
def test_every_fact_is_honoured(name, value):
    fact = FACTS[name]
    others = (("variable-length", "walk"),) if name == "variable-length-limit" and value != "none" else ()
    if value == "joined":  # then nothing is asked of such queries
        with pytest.raises(Undetermined):
            rows(fact.setup, fact.question, ((name, value),))
        return
    assert repr(rows(fact.setup, fact.question, (*others, (name, value)))) == fact.answers[value]


@pytest.mark.parametrize(
    ("setup", "text", "expected"),
    [
        (LOOP, "MATCH (a)-[*1..3]->(b) RETURN 1 AS x", [(1,)] * 3),
        (LOOP, "MATCH (a)-[r]-(b)-[s]-(c) RETURN 1 AS x", [(1,)] * 4),
        (LOOP, "MATCH (a)-[*1..1]-(b) RETURN 1 AS x", [(1,)] * 2),
        (TWICE, "MATCH (a)-[r]->(b)<-[s]-(c) RETURN r.id AS r, s.id AS s", [(3, 3), (3, 4), (4, 3), (4, 4)]),
        (
            ("CREATE (:A {id: 1})", "CREATE (:B {id: 2})", "CREATE (:C {id: 3})"),
            "MATCH (n:A:B) RETURN n.id AS x",
            [(1,), (2,)],
        ),
    ],
)
def test_walks_and_homomorphisms(setup, text, expected):
    assert rows(setup, text, KUZU) == expected


def test_where_an_unbounded_walk_ends_is_open_without_a_limit():
    with pytest.raises(Undetermined):
        rows(LOOP, "MATCH (a)-[*1..]->(b) RETURN 1 AS x", KUZU)


@pytest.mark.parametrize(
    ("setup", "text", "expected"),
    [
        (TWICE, "MATCH (a)-[]->(b) RETURN a.id AS x", [(1,)]),
        (TWICE, "MATCH (a)-[]-(b) RETURN a.id AS x", [(1,), (2,)]),
        # a name alone is no reference
        (TWICE, "MATCH (a)-[r]->(b) RETURN a.id AS x", [(1,)]),
        (TWICE, "MATCH (a)-[r]->(b) RETURN count(*) AS x", [(2,)]),
        (TWICE, "MATCH (a)-[r]->(b) WITH a, b RETURN a.id AS x", [(1,)]),
        (TWICE, "MATCH (a)-[r]->(b) WITH 1 AS r RETURN r AS x", [(1,)]),
        (TWICE, "MATCH (a)-[r]->(b) WITH 1 AS r ORDER BY r LIMIT 5 WHERE r = 1 RETURN r AS x", [(1,)]),
        # these are
        (TWICE, "MATCH (a)-[r]->(b) RETURN count(r) AS x", [(2,)]),
        (TWICE, "MATCH (a)-[r]->(b) WHERE r.id > 0 RETURN a.id AS x", [(1,), (1,)]),
        (TWICE, "MATCH (a)-[r]->(b) WITH * RETURN a.id AS x", [(1,), (1,)]),
        (TWICE, "MATCH (a)-[r]->(b) WITH a, r RETURN a.id AS x", [(1,), (1,)]),
        (TWICE, "MATCH (a)-[r]->(b) RETURN a.id AS x ORDER BY r.id", [(1,), (1,)]),
        (TWICE, "MATCH p = (a)-[]->(b) RETURN a.id AS x", [(1,), (1,)]),
        (TWICE, "MATCH (a {id: 1}) RETURN [(a)-[]->(b) | b.id] AS x", [([2, 2],)]),
        # a node in the middle
        (DIAMOND, "MATCH (a {id: 1})-[:T]->()-[:T]->(b) RETURN b.id AS x", [(4,)]),
        (DIAMOND, "MATCH (a {id: 1})-[:T]->(m)-[:T]->(b) RETURN b.id AS x", [(4,)]),
        (DIAMOND, "MATCH (a {id: 1})-[:T]->(m), (m)-[:T]->(b) RETURN b.id AS x", [(4,)]),
        (DIAMOND, "MATCH (a {id: 1})-[:T]->(m) MATCH (b)<-[:T]-(m) RETURN b.id AS x", [(4,)]),
        (DIAMOND, "MATCH (m {id: 2}) WITH m MATCH (a)-[:T]->(m)-[:T]->(b) RETURN a.id AS x", [(1,)]),
        (DIAMOND, "MATCH (m) WITH m MATCH (a)-[:T]->(m)-[:T]->(b) RETURN a.id AS x", [(1,), (1,)]),
        (DIAMOND, "MATCH (m {id: 2}) MATCH (m) MATCH (a)-[:T]->(m) RETURN a.id AS x", [(1,)]),
        (DIAMOND, "MATCH (m) MATCH (a {id: 1})-[:T]->(m)-[:T]->(b) RETURN b.id AS x", [(4,)]),
        (DIAMOND, "MATCH (a {id: 1})-[:T]->(m)-[:T]->(b) RETURN m.id AS x", [(2,), (3,)]),
        (DIAMOND, "MATCH (a {id: 1})-[:T]->(m)-[r:T]->(b) RETURN b.id AS x, type(r) AS t", [(4, "T"), (4, "T")]),
        (DIAMOND, "MATCH (a {id: 1})-[:T]->(m)-[:T]->(b), (m)-[:S]->(c) RETURN b.id AS x", [(4,)]),
        (DIAMOND, "MATCH (a {id: 1})-[:T]->() RETURN a.id AS x", [(1,), (1,)]),
    ],
)
def test_relationships_that_nothing_refers_to(setup, text, expected):
    assert rows(setup, text, FALKORDB) == expected


@pytest.mark.parametrize("last", ["1 AS x", "a.id AS x", "a.id AS x, m.id AS y"])
def test_named_nodes_of_a_cycle_that_nothing_refers_to_are_undetermined(last):
    """One plan multiplies (m)-(n)-(m) into one matrix and counts no n, another one does not."""
    text = f"MATCH (n)-[]-(m)-[]->(a) MATCH (n)<-[]-(m)-[]->(a) RETURN {last}"
    with pytest.raises(Undetermined):
        rows(DIAMOND, text, FALKORDB)
    assert len(rows(DIAMOND, text.replace("RETURN", "RETURN n.id AS n, m.id AS m, a.id AS a,"), FALKORDB)) == 6


def test_cycles_through_nodes_that_nothing_refers_to_are_undetermined():
    with pytest.raises(Undetermined):
        rows(DIAMOND, "MATCH (a {id: 1})-[:T]->(m)<-[:T]-(a) RETURN a.id AS x", FALKORDB)
    assert rows(DIAMOND, "MATCH (a {id: 1})-[:T]->(m)<-[:T]-(a) RETURN m.id AS x", FALKORDB) == [(2,), (3,)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MATCH (n) RETURN n.s + n.s AS x", ""),
        ("MATCH (n) RETURN n.k + n.k AS x", None),
        ("MATCH (n) RETURN toUpper(n.s) + n.s AS x", ""),
    ],
)
def test_two_nulls_added_where_null_adds_nothing_to_a_string(text, expected):
    scene = ir.Scene(schema=ir.Schema(node_keys=(ir.Key("s", "str"), ir.Key("k", "int"))), vertices=(ir.Vertex(1),))
    assert Evaluator(graph_of(scene), profile((("concat-null", "the other"),))).rows(read(text)) == [(expected,)]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (ir.SetKey(1, "k", ir.Lit("int", 5)), [(1, 5), (2, None)]),
        (ir.SetKey(1, "k", ir.NULL), [(1, None), (2, None)]),
        (ir.SetKey(9, "k", ir.Lit("int", 5)), [(1, 1), (2, None)]),
        (ir.Drop(1), [(2, None)]),
        (ir.Drop(3, is_edge=True), [(1, 1), (2, None)]),
    ],
)
def test_changes_come_after_what_was_created(change, expected):
    kept = (ir.Kept("k", ir.Lit("int", 1)),)
    scene = ir.Scene(vertices=(ir.Vertex(1, (), kept), ir.Vertex(2)), edges=(ir.Edge(3, 1, 2, "T"),), changes=(change,))
    graph = graph_of(scene)
    assert sorted((n.id, n.props.get("k")) for n in graph.nodes) == expected
    assert len(graph.rels) == (1 if isinstance(change, ir.SetKey) else 0)

"""One cause in one form: what the reducer proposes so that two cases of one cause end alike, and so that no title
names what does not matter."""

import msgspec
import pytest

from cypher_standin import FAMILY, Fault, Standin, graph, query, seats
from gainsay.campaign import conversation
from gainsay.core.model import Case, Seats
from gainsay.core.tree import transform, walk
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.meaning import legal
from gainsay.families.cypher.meaning.scene_cache import profile_of
from gainsay.families.cypher.reducing import contexts, normal, shrink, size, swap
from gainsay.oracles import cypher_reference
from gainsay.triage.reduce import Reducer

SEATED = seats()
MEANS = profile_of(SEATED)
TWO = graph("CREATE (a:A {id: 0, k: 1, s: 'a'}), (b:A {id: 1, k: 2}), (a)-[:T {id: 2, w: 3}]->(b)")


def recipe(text):
    return cypher_reference.Recipe(query(text))


def told(recipe):
    return FAMILY.dialect("neo4j").text(recipe.query)


def test_a_pattern_that_may_be_missing_is_looked_for():
    whole, looked = (
        recipe("MATCH (n) OPTIONAL MATCH (n:B) RETURN 0 AS x"),
        "MATCH (n) RETURN EXISTS { MATCH (n:B) } AS x",
    )
    assert looked in {told(new) for _, new in normal.normal_forms(TWO, whole)}
    assert size.size(TWO, recipe(looked)) < size.size(TWO, whole)
    kept = recipe("MATCH (n) OPTIONAL MATCH (m) WHERE n.k IS NULL RETURN m.k AS x")
    assert not any("EXISTS" in told(new) for _, new in normal.normal_forms(TWO, kept))


def forms(text):
    return {told(r) for _, r in normal.normal_forms(TWO, recipe(text))}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("MATCH (a)-[]->(n), (n)-[]->(b) RETURN 1 AS x", "MATCH (a)-[]->(n)-[]->(b) RETURN 1 AS x"),
        ("MATCH (n)-[]->(a), (n)-[]->(b) RETURN 1 AS x", "MATCH (a)<-[]-(n)-[]->(b) RETURN 1 AS x"),
        ("MATCH (n) MATCH (n)-[]->(m) RETURN 1 AS x", "MATCH (n), (n)-[]->(m) RETURN 1 AS x"),
        ("MATCH (n) OPTIONAL MATCH ()-[]->(m) RETURN 1 AS x", "OPTIONAL MATCH ()-[]->(m), (n) RETURN 1 AS x"),
        ("MATCH ()-[r]-() WITH r, count(*) AS x RETURN 1 AS y", "MATCH ()-[r]-() WITH DISTINCT r RETURN 1 AS y"),
        ("MATCH () RETURN count(*) AS x, false AS y", "MATCH () RETURN false AS y, count(*) AS x"),
        ("MATCH (n) RETURN 1 AS x, count(*) AS y, n.k AS z", "MATCH (n) RETURN n.k AS z, 1 AS x, count(*) AS y"),
        ("UNWIND [''] AS x RETURN x AS y", "WITH '' AS x RETURN x AS y"),
        (
            "UNWIND [1, 2] AS x OPTIONAL MATCH ()-[]->() RETURN 1 AS y",
            "MATCH () OPTIONAL MATCH ()-[]->() RETURN 1 AS y",
        ),
        ("WITH 1 AS x RETURN 1 AS y, count(*) AS z", "MATCH () RETURN 1 AS y, count(*) AS z"),
        ("MATCH (n) RETURN COUNT { MATCH (n)-[]->() } AS x", "MATCH (n) RETURN EXISTS { MATCH (n)-[]->() } AS x"),
        ("MATCH (a)-[:T*2..2]->(b:A) RETURN 1 AS x", "MATCH (a)-[:T]->()-[:T]->(b:A) RETURN 1 AS x"),
        ("MATCH (n)-[]->(n:A) RETURN 1 AS x", "MATCH (n:A)-[]->(n) RETURN 1 AS x"),
        ("MATCH (n)-[]->(), (n:A) RETURN 1 AS x", "MATCH (n:A)-[]->(), (n) RETURN 1 AS x"),
        ("MATCH (n)-[*0..1]->(n:A) RETURN 1 AS x", "MATCH (n), (n:A) RETURN 1 AS x"),
        ("MATCH (n:A)-[*0..1]->(n:B) RETURN 1 AS x", "MATCH (n:A:B)-[*0..1]->(n) RETURN 1 AS x"),
        ("MATCH (n) RETURN any(y IN [1] WHERE n.b) AS x", "MATCH (n) RETURN [y IN [1] WHERE n.b] AS x"),
        ("MATCH (n) RETURN reduce(z = 1, y IN [1] | n.k) AS x", "MATCH (n) RETURN [y IN [1] | n.k] AS x"),
        ("MATCH (a)-[]->(n)<-[]-(b) RETURN 1 AS x", "MATCH (a)-[]->(n), (b) RETURN 1 AS x"),
        ("MATCH (n) WHERE n.k IN [3, 4] RETURN 1 AS x", "MATCH (n) WHERE n.k = 4 RETURN 1 AS x"),
        ("MATCH ()-[r]->() WITH r RETURN min(r.id) AS x", "MATCH (r) WITH r RETURN min(r.id) AS x"),
    ],
)
def test_of_several_ways_to_say_the_same_one_is_proposed_and_is_smaller(before, after):
    assert told(recipe(after)) in forms(before)
    assert size.size(TWO, recipe(after)) < size.size(TWO, recipe(before))


@pytest.mark.parametrize(
    "text", ["MATCH (a)-[]->(n:A), (n:B)-[]->(b) RETURN 1 AS x", "MATCH p = (a)-[]->(n), (n)-[]->(b) RETURN 1 AS x"]
)
def test_patterns_that_say_more_of_their_variable_are_not_joined(text):
    assert all(", (n" in form for form in forms(text))


@pytest.mark.parametrize("rel", ["[r*2..2]", "[*1..2]", "[*2..]"])
def test_a_walk_that_is_named_or_of_no_fixed_length_is_not_written_out(rel):
    assert forms(f"MATCH ()-{rel}->() RETURN 1 AS x") == {"MATCH (), () RETURN 1 AS x"}


def test_a_choice_of_labels_stays_where_it_is():
    assert forms("MATCH (n)-[]->(n:A|B) RETURN 1 AS x") == {"MATCH (n), (n:A|B) RETURN 1 AS x"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("MATCH (n) WITH DISTINCT n RETURN 1 AS x", "MATCH (n) RETURN n.id AS x0"),
        ("MATCH (n)-[]->(m) WITH DISTINCT n, m RETURN 1 AS x", "MATCH (n)-[]->(m) RETURN m.id AS x0, n.id AS x1"),
        ("UNWIND [1] AS y WITH y, count(*) AS z RETURN z AS x", "UNWIND [1] AS y RETURN y AS x0"),
        ("UNWIND [1] AS y WITH y, count(*) AS z RETURN z AS x", "UNWIND [1] AS y RETURN y, count(*) AS z"),
        ("WITH false AS y, count(*) AS z RETURN 1 AS x", "MATCH () RETURN false AS y, count(*) AS z"),
    ],
)
def test_what_the_first_clauses_give_is_proposed_by_itself(before, after):
    assert told(recipe(after)) in {told(r) for _, r in contexts.first_clauses(TWO, recipe(before))}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("MATCH (n) RETURN min(n.k) AS x", "RETURN 2 < 1 AS x"),
        ("MATCH (n) RETURN n.k AS x ORDER BY x", "RETURN 1 < 2 AS x"),
        ("MATCH (n) RETURN count(DISTINCT n.k) AS x", "RETURN 1 = 2 AS x"),
        ("MATCH (n) WITH DISTINCT n.k AS y RETURN 1 AS x", "RETURN 1 = 1 AS x"),
    ],
)
def test_values_that_are_compared_are_proposed_by_themselves(before, after):
    assert told(recipe(after)) in {told(r) for _, r in contexts.comparisons(TWO, recipe(before), MEANS)}
    assert size.size(TWO, recipe(after)) < size.size(TWO, recipe(before))


def test_the_value_of_a_constant_part_takes_its_place():
    found = {told(r) for _, r in contexts.as_values(TWO, recipe("MATCH (n) RETURN abs((-0.5 + -1)) + n.k AS x"), MEANS)}
    assert found == {"MATCH (n) RETURN abs(-1.5) + n.k AS x", "MATCH (n) RETURN 1.5 + n.k AS x"}


@pytest.mark.parametrize(
    "scene", [ir.Scene(ir.Schema(("A",))), ir.Scene(ir.Schema()), TWO], ids=["no node", "no table", "other nodes"]
)
def test_rows_of_a_list_become_rows_of_a_graph_with_as_many_nodes(scene):
    """Kùzu and Ladybug lose the DISTINCT of a constant, wherever the rows come from."""
    before = recipe("UNWIND ['', '', ''] AS x WITH DISTINCT 1 AS y RETURN 1 AS z")
    found = [(g, r) for g, r in normal.normal_forms(scene, before) if len(g.vertices) == 3]
    assert {told(r) for _, r in found} == {"MATCH () WITH DISTINCT 1 AS y RETURN 1 AS z"}
    assert {g.schema.labels for g, _ in found} == {(), ("A",)}, "where there are tables, a node is in one"
    assert all(not g.edges and size.size(g, r) < size.size(scene, before) for g, r in found)


def test_a_walk_of_no_step_becomes_an_edge_on_a_graph_with_a_loop():
    """Ladybug loses parallel edges in a cycle, whatever closes it."""
    before = recipe("MATCH (n)-[]->()<-[]-(n)-[*0..1]->(n) RETURN 1 AS x")
    found = [(g, r) for g, r in normal.looped(TWO, before) if size.size(g, r) < size.size(TWO, before)]
    assert {told(r) for _, r in found} == {"MATCH (n)-[]->()<-[]-(n)-[]->(n) RETURN 1 AS x"}
    assert [g.edges[-1].source for g, _ in found] == [g.edges[-1].target for g, _ in found] == [0, 1]


def proposed(text, scene=TWO):
    case = Case("cypher", "reference", scene, recipe(text), tuple(SEATED), "as evaluated")
    return [(g, told(r)) for some in (FAMILY.cuts(case), FAMILY.shrinks(case)) for g, r in some]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("MATCH (n) RETURN n.k < 5 AS x", "RETURN 1 < 5 AS x"),
        ("MATCH ()-[r]->() WHERE {x: r.b}.x RETURN 1 AS x", "MATCH (n) WHERE {x: n.b}.x RETURN 1 AS x"),
        ("MATCH () WHERE EXISTS { MATCH (n) } RETURN 1 AS x", "MATCH () WHERE EXISTS { MATCH () } RETURN 1 AS x"),
        ("MATCH (n)-[]->(n) RETURN 1 AS x", "MATCH (n)-[]->() RETURN 1 AS x"),
        (
            "MATCH (n) WHERE size([(n)-[]->() | 1]) < 0.5 RETURN 1 AS x",
            "MATCH (n) WHERE [(n)-[]->() | 1] = [] RETURN 1 AS x",
        ),
        ("MATCH (n), (m) WHERE n.b RETURN m.k AS x", "MATCH (n) WHERE n.b RETURN n.k AS x"),
    ],
)
def test_a_smaller_case_is_proposed(before, after):
    scene = msgspec.structs.replace(TWO, schema=msgspec.structs.replace(TWO.schema, edge_keys=(ir.Key("b", "bool"),)))
    assert after in {text for _, text in proposed(before, scene)}


def test_fewer_nodes_are_tried_in_another_order():
    """Kùzu reads a CASE wrongly where the first node has no value."""
    three = graph("CREATE (a:A {id: 0, k: 1}), (b:A {id: 1}), (c:A {id: 2})")
    assert [2, 0] in [[v.id for v in g.vertices] for g, _ in proposed("MATCH (n) RETURN n.k AS x", three)]


def test_a_question_that_touches_no_table_needs_none():
    bare = ir.Scene(ir.Schema())
    assert legal.has_tables(bare, recipe("RETURN 1 AS x")) and not legal.has_tables(
        bare, recipe("MATCH () RETURN 1 AS x")
    )


@pytest.mark.parametrize("constant", ["null", "true", "''", "0"])
def test_a_constant_column_becomes_the_plainest_constant(constant):
    before, after = (recipe(f"MATCH () WITH DISTINCT {c} AS x RETURN 1 AS y") for c in (constant, 1))
    assert told(after) in {told(r) for _, r in shrink.query_shrinks(TWO, before)}
    assert size.size(TWO, after) <= size.size(TWO, before)


def test_rows_whose_value_is_needed_do_not_become_a_match():
    assert forms("UNWIND [1, 2] AS x RETURN x AS y") == set()


def test_a_value_of_a_list_moves_to_where_it_is_used():
    found = {told(r) for _, r in shrink.fewer_clauses(TWO, recipe("UNWIND [7, 8] AS x MATCH (n) RETURN x AS y"))}
    assert {"MATCH (n) RETURN 7 AS y", "MATCH (n) RETURN 8 AS y"} <= found


def test_a_pattern_leaves_a_match_as_a_clause_would():
    found = {told(r) for _, r in shrink.fewer_clauses(TWO, recipe("MATCH (n), (m) WHERE n.k = 0 RETURN m.k AS x"))}
    assert {"MATCH (m) WHERE 0 = 0 RETURN m.k AS x", "MATCH (n) WHERE n.k = 0 RETURN 0 AS x"} <= found
    found = {
        told(r) for _, r in shrink.fewer_clauses(TWO, recipe("MATCH (n), (m) WHERE n.k = 0 RETURN n.s + m.s AS x"))
    }
    assert "MATCH (m) WHERE 0 = 0 RETURN '' + m.s AS x" in found, "each property becomes a constant of its own type"


@pytest.mark.parametrize(
    ("form", "bare"), [("any(y IN ['a'] WHERE y = 'b')", "'a' = 'b'"), ("[y IN [1] | y + 1]", "1 + 1")]
)
def test_what_is_said_of_each_element_is_said_of_one(form, bare):
    assert f"RETURN {bare} AS x" in {told(r) for _, r in shrink.query_shrinks(TWO, recipe(f"RETURN {form} AS x"))}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "OPTIONAL MATCH p = ()-[]->() RETURN size(relationships(p)) AS x",
            "OPTIONAL MATCH p = ()-[]->() RETURN length(p) AS x",
        ),
        ("OPTIONAL MATCH p = ()-[]->() RETURN length(p) AS x", "OPTIONAL MATCH p = ()-[]->() RETURN p IS NULL AS x"),
        (
            "MATCH (n) OPTIONAL MATCH () WHERE NOT (n)-[]->() RETURN 1 AS x",
            "MATCH (n) OPTIONAL MATCH () WHERE n IS NULL RETURN 1 AS x",
        ),
        (
            "MATCH (n) OPTIONAL MATCH () WHERE coalesce(n.k, 0) = 0 RETURN 1 AS x",
            "MATCH (n) OPTIONAL MATCH () WHERE n.k IS NULL RETURN 1 AS x",
        ),
        ("MATCH (n) RETURN CASE WHEN n.b THEN n.s ELSE 'a' END AS x", "MATCH (n) RETURN CASE WHEN n.b THEN 1 END AS x"),
        ("RETURN min(DISTINCT 1) AS x", "RETURN count(DISTINCT 1) AS x"),
        ("MATCH (n) RETURN n.s AS x", "MATCH (n) RETURN n.id AS x"),
        ("MATCH (n:A)-[]-() RETURN 1 AS x", "MATCH (n:A)<-[]-() RETURN 1 AS x"),
        ("MATCH (n) WITH n, 1 AS x MATCH (n) RETURN x AS y", "MATCH (n) WITH n MATCH (n) RETURN 0 AS y"),
        ("MATCH ()-[*3..3]->() RETURN 1 AS x", "MATCH ()-[*2..2]->() RETURN 1 AS x"),
    ],
)
def test_a_plainer_thing_to_say_is_proposed_and_is_smaller(before, after):
    assert told(recipe(after)) in {told(r) for _, r in shrink.query_shrinks(TWO, recipe(before))}
    assert size.size(TWO, recipe(after)) < size.size(TWO, recipe(before))


# --- stored values ---


def stored(text, scene=TWO):
    return {told(r): s for s, r in contexts.on_nodes(scene, recipe(text), MEANS)}


def test_an_expression_is_told_on_nodes_with_the_values_that_it_was_met_on():
    found = stored(
        "UNWIND ['a', 'b'] AS y OPTIONAL MATCH ()-[r]->() RETURN trim(y) + r.s AS x", graph("CREATE (a:A {id: 0})")
    )
    assert not found, "what r.s would be, nothing tells"
    found = stored("UNWIND ['a', 'b'] AS y RETURN trim(y) AS x")
    kept = found["MATCH (n) RETURN trim(n.s) AS x"]
    assert [v.props for v in kept.vertices] == [
        (ir.Kept("s", ir.Lit("str", "a")),),
        (ir.Kept("s", ir.Lit("str", "b")),),
    ]
    assert not kept.edges


def test_a_condition_stays_one_where_it_must():
    found = stored("MATCH ()-[r]->() WHERE r.w > 1.5 RETURN 1 AS x")
    assert {"MATCH (n) RETURN n.k > 1.5 AS x", "MATCH (n) WHERE n.k > 1.5 RETURN 1 AS x"} <= found.keys()


def test_a_part_of_an_expression_becomes_a_value():
    found = stored("RETURN CASE WHEN none(y IN [] WHERE true) THEN 1 ELSE 2 END AS x")
    assert found["MATCH (n) RETURN CASE WHEN n.b THEN 1 ELSE 2 END AS x"].vertices[0].props == (ir.Kept("b", ir.TRUE),)


def test_what_is_null_everywhere_is_a_property_that_nobody_has():
    found = stored("MATCH (n) RETURN CASE WHEN n.s = null THEN 1 ELSE 2 END AS x")
    scene = found["MATCH (n) RETURN CASE WHEN n.b THEN 1 ELSE 2 END AS x"]
    assert scene.schema.node_keys == (ir.Key("b", "bool"),) and not any(v.props for v in scene.vertices)


def test_what_can_not_be_stored_stays_where_it_is():
    assert not stored("MATCH (n) RETURN n IS NULL AS x")
    assert not stored("MATCH (n) RETURN EXISTS { MATCH (n)-[]->() } AS x")


def test_a_property_takes_the_place_of_a_part_and_has_its_values():
    found = {
        told(r): s
        for s, r in contexts.as_properties(
            TWO, recipe("MATCH (n) OPTIONAL MATCH () WHERE coalesce(n.s, 'b') = 'a' RETURN 1 AS x"), MEANS
        )
    }
    scene = found["MATCH (n) OPTIONAL MATCH () WHERE n.b RETURN 1 AS x"]
    assert [{p.key: p.value for p in v.props}["b"] for v in scene.vertices] == [ir.TRUE, ir.FALSE]
    assert ir.Key("b", "bool") in scene.schema.node_keys


def test_what_a_title_names_weighs_more_than_a_node_and_a_clause():
    odd = "RETURN CASE WHEN none(y IN [] WHERE true) THEN 1 END AS x"
    plain = "MATCH (n) RETURN CASE WHEN n.b THEN 1 END AS x"
    one = ir.Scene(ir.Schema((), (), (ir.Key("b", "bool"),)), (ir.Vertex(0, (), (ir.Kept("b", ir.TRUE),)),))
    assert size.size(one, recipe(plain)) < size.size(ir.Scene(), recipe(odd))


# --- from end to end, on an engine that is wrong on purpose ---


def ended(fault, text, scene=TWO):
    """A case after reduction: its text, and the bucket of its shape."""
    standin, seated = Standin((), fault), Seats(SEATED.seats)
    case = Case("cypher", "reference", scene, recipe(text), SEATED.seats, cypher_reference.CLAIM)

    def still(candidate):
        return any(c.label == case.claim for c in conversation.hold(candidate, [standin], seated) or ())

    assert still(case)
    after = Reducer(case, still).run()
    return told(after.recipe), FAMILY.bucket(FAMILY.shape(after.scene, after.recipe))


def is_folded(expr):
    return not any(isinstance(n, (ir.Prop, ir.Quantified)) for _, n in walk(expr))


def no_inner_case(node):
    """A CASE in the test of a CASE is never true, unless it is a constant."""
    is_nested = isinstance(node, ir.Case) and any(
        isinstance(w.test, ir.Case) and not is_folded(w.test) for w in node.whens
    )
    return (
        msgspec.structs.replace(node, whens=tuple(ir.When(ir.FALSE, w.value) for w in node.whens))
        if is_nested
        else node
    )


NESTED = Fault(lambda q, s: transform(q, no_inner_case))


@pytest.mark.parametrize(
    "text",
    [
        "RETURN CASE WHEN CASE '' WHEN '' THEN true ELSE none(y IN [] WHERE true) END THEN true END AS x",
        "OPTIONAL MATCH (n)-[r]->(n) RETURN CASE WHEN CASE WHEN r.w = 1 THEN true ELSE true END THEN 'a' ELSE 'b' END "
        "AS x",
        "UNWIND [1, 2] AS y WITH y WHERE CASE WHEN CASE WHEN y = 1 THEN true ELSE all(z IN [1] WHERE z = y) END THEN "
        "true END RETURN 1 AS x",
    ],
)
def test_a_cause_has_one_name_whatever_it_was_met_in(text):
    assert ended(NESTED, text)[1] == {"case in a case"}


def undistinct(node):
    """No groups: each row is one of its own."""
    keys = tuple(i for i in node.items if not isinstance(i.expr, ir.Agg)) if isinstance(node, ir.With) else ()
    return (
        msgspec.structs.replace(node, distinct=False, items=keys)
        if keys and (node.distinct or len(keys) < len(node.items))
        else node
    )


def test_a_group_whose_count_nothing_needs_is_a_distinct():
    fault = Fault(lambda q, s: transform(q, undistinct))
    grouped, counted = (
        ended(fault, f"MATCH ()-[r]-() WITH {what} RETURN 1 AS y") for what in ("DISTINCT r", "r, count(*) AS x")
    )
    assert grouped == counted


# --- what is asked, for comparing ---


@pytest.mark.parametrize(
    "columns", ["count(*) AS x, false AS y", "2 AS x, count(*) AS y", "1 AS x, count(*) AS y, 2 AS z"]
)
def test_one_question_has_one_skeleton_whatever_the_order_and_the_number_of_its_literals(columns):
    assert FAMILY.skeleton(recipe(f"MATCH () RETURN {columns}")) == FAMILY.skeleton(
        recipe("MATCH () RETURN 0 AS x, count(*) AS y")
    )
    assert FAMILY.skeleton(recipe("MATCH () RETURN count(*) AS x")) != FAMILY.skeleton(
        recipe("MATCH () RETURN 0 AS x, count(*) AS y")
    )


# --- each other's graphs ---


def swaps(one, two):
    return [told(r) for _, r in swap.swaps(TWO, recipe(one), TWO, recipe(two))]


def test_a_question_is_tried_on_another_findings_graph_where_only_surroundings_tell_them_apart():
    one, two = "MATCH ()-[*0..3]-() RETURN 1 AS x", "MATCH ()-[*0..2]->() RETURN 1 AS x"
    assert swaps(one, two) == [one, two]


@pytest.mark.parametrize(
    "two",
    [
        "MATCH ()-[*0..1]->() MATCH ()-[]->() RETURN 1 AS x",  # other clauses
        "MATCH p = ()-[*0..1]->() RETURN 1 AS x",  # more than surroundings
        "MATCH (n) RETURN trim(n.s) AS x",  # something else
    ],
)
def test_questions_that_differ_in_more_than_their_surroundings_are_not_swapped(two):
    assert swaps("MATCH ()-[*0..3]-() RETURN 1 AS x", two) == []


def test_where_a_clause_is_wrong_whatever_it_tests_the_plainest_test_is_tried():
    made = [
        told(r)
        for _, r in normal.plain_conditions(
            TWO, recipe("MATCH (n) OPTIONAL MATCH (m) WHERE (n.k > 1) XOR (m.s = '') RETURN 1 AS x")
        )
    ]
    assert "MATCH (n) OPTIONAL MATCH (m) WHERE n.id = 0 RETURN 1 AS x" in made
    assert "MATCH (n) OPTIONAL MATCH (m) WHERE n.k IS NULL RETURN 1 AS x" in made
    assert "MATCH (n) OPTIONAL MATCH (m) WHERE m.s = 'a' RETURN 1 AS x" in made
    assert [
        told(r) for _, r in normal.plain_conditions(TWO, recipe("MATCH (n) WITH n.k AS x WHERE x + 1 > 0 RETURN x"))
    ] == [
        "MATCH (n) WITH n.k AS x WHERE x = 0 RETURN x AS x",
        "MATCH (n) WITH n.k AS x WHERE x = '' RETURN x AS x",
        "MATCH (n) WITH n.k AS x WHERE x IS NULL RETURN x AS x",
    ]


def test_a_plain_test_stays():
    assert not list(normal.plain_conditions(TWO, recipe("MATCH (n) WHERE n.k = 1 RETURN 1 AS x")))


def test_the_reducer_tries_plain_tests():
    made = recipe("MATCH (n) OPTIONAL MATCH (m) WHERE (n.k > 1) XOR (m.k > 1) RETURN 1 AS x")
    assert any("n.id = 0" in told(r) for _, r in shrink.shrinks(TWO, made, MEANS))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("OPTIONAL MATCH (n)-[]->(m)-[]->(n) RETURN 1 AS x", "OPTIONAL MATCH ()-[]->(n)-[]->(n) RETURN 1 AS x"),
        ("RETURN ['b', ''] = ['b', null] AS x", "RETURN [0, 1] = [0, null] AS x"),
        ("RETURN 1.5 < 0.5 AS x", "RETURN 0 < 1 AS x"),
        ("MATCH ()-[]->(n) OPTIONAL MATCH ()-[]->() RETURN n.k AS x", "MATCH (n) OPTIONAL MATCH () RETURN n.k AS x"),
        ("MATCH ()-[r]->() RETURN r.w AS x", "MATCH (r) RETURN r.w AS x"),
        ("MATCH (n)-[*0..1]->(n) RETURN 1 AS x", "MATCH (n)-[]->(n) RETURN 1 AS x"),
    ],
)
def test_one_node_in_the_place_of_two_nodes_alone_and_numbers_alone_are_proposed(before, after):
    made = list(normal.plainer_cases(TWO, recipe(before)))
    found = [(scene, new) for scene, new in made if told(new) == after]
    assert found and all(legal.is_sound(scene) for scene, _ in made)
    assert min(size.size(scene, new) for scene, new in found) < size.size(TWO, recipe(before))


def test_a_count_of_each_group_leaves_and_the_groups_stay():
    single = query("MATCH ()-[r]-() WITH r, count(*) AS x RETURN x AS y").parts[0]
    (found,) = shrink.ungrouped(single, {})
    assert FAMILY.dialect("neo4j").text(ir.Query((found,))) == "MATCH ()-[r]-() WITH DISTINCT r RETURN 0 AS y"
    assert not list(shrink.ungrouped(query("MATCH () WITH count(*) AS x RETURN x AS y").parts[0], {})), "no groups"


def test_a_name_that_is_used_stays_two():
    assert not list(normal.unified(query("MATCH (n)-[]->(m) RETURN n.k AS x").parts[0]))


def test_nodes_alone_are_two_alike():
    bare = [s for s, r in normal.plainer_cases(TWO, recipe("MATCH ()-[]->(n) RETURN n.k AS x")) if not s.edges]
    assert [len({(v.labels, v.props) for v in scene.vertices}) for scene in bare] == [1, 1]
    assert all(len(scene.vertices) == 2 for scene in bare)

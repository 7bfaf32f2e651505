"""What a reducer knows of graphs and queries."""

import msgspec
import pytest

from cypher_standin import FAMILY, RECIPE, SCENE, Fault, Standin, hold, query, rows, seats
from gainsay.campaign import conversation
from gainsay.core import registry
from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import Case, Seats
from gainsay.core.tree import transform
from gainsay.families.cypher.drawing import scenes
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.meaning import legal
from gainsay.families.cypher.meaning.scene_cache import profile_of
from gainsay.families.cypher.reducing import shrink, size
from gainsay.oracles import cypher_partition, cypher_reference
from gainsay.triage.reduce import Reducer

replace = msgspec.structs.replace
SEATED = seats()
BARE = Seats(SEATED.seats)


def reduced(fault, oracle="reference", budget=1500, most=40, seated=SEATED):
    """The first case that a fault contradicts, before and after reduction."""
    made, standin = registry.oracle("cypher", oracle), Standin((), fault)
    bare = Seats(seated.seats)
    for number in range(most):
        grown = scenes.grow(Draw(seed_for(number, "shrink")), seated.lexicon)
        standin.load(grown)
        draw = Draw(seed_for(number, oracle))
        for _ in range(12):
            recipe = made.draw(draw, grown, seated)
            if (
                recipe is not None
                and FAMILY.is_legal(grown, recipe, bare)
                and hold(made, grown, recipe, bare, standin.ask).contradicted
            ):
                label = hold(made, grown, recipe, bare, standin.ask).contradicted[0]
                case = Case("cypher", oracle, grown, recipe, seated.seats, label)

                def still(candidate, label=label):
                    return any(c.label == label for c in conversation.hold(candidate, [standin], bare) or ())

                reducer = Reducer(case, still, budget)
                return case, reducer.run()
    raise AssertionError("nothing was found")


def text(case):
    return FAMILY.dialect("neo4j").text(case.recipe.query)


def nodes(kind, change):
    return Fault(lambda q, s: transform(q, lambda n: change(n) if isinstance(n, kind) else n))


@pytest.mark.parametrize(
    ("fault", "elements", "clauses", "feature"),
    [
        (nodes(ir.Match, lambda m: replace(m, optional=False)), 1, 2, "optional match"),
        (nodes(ir.RelPat, lambda r: replace(r, direction="->")), 3, 2, "edge"),
        (nodes(ir.Agg, lambda a: replace(a, distinct=False)), 2, 2, "distinct aggregate"),
        (nodes((ir.With, ir.Return), lambda c: replace(c, distinct=False)), 2, 2, "distinct"),
        (nodes(ir.SubQuery, lambda s: ir.TRUE if s.kind == "exists" else s), 1, 2, "subquery exists"),
        (Fault(facts=(("undirected-loop", "twice"),)), 2, 2, "undirected"),
        (nodes(ir.Case, lambda c: replace(c, default=None)), 0, 3, "case"),
    ],
    ids=["optional", "direction", "distinct aggregate", "distinct", "exists", "loop", "case"],
)
def test_a_known_fault_is_reduced_to_a_small_case(fault, elements, clauses, feature):
    before, after = reduced(fault)
    assert size.size(after.scene, after.recipe) <= size.size(before.scene, before.recipe)
    assert len(after.scene.vertices) + len(after.scene.edges) <= elements, (after.scene, text(after))
    assert max(len(p.clauses) for p in after.recipe.query.parts) <= clauses, text(after)
    assert feature in FAMILY.shape(after.scene, after.recipe)
    assert FAMILY.is_legal(after.scene, after.recipe, BARE)
    assert not hold(
        registry.oracle("cypher", "reference"), after.scene, after.recipe, BARE, loaded(after.scene).ask
    ).contradicted


def loaded(scene):
    standin = Standin()
    standin.load(scene)
    return standin


@pytest.mark.parametrize("oracle", ["partition", "norec", "rewrite"])
def test_each_oracles_cases_are_reduced(oracle):
    fault = Fault(
        lambda q, s: transform(
            q,
            lambda n: (
                replace(n, where=ir.Op("OR", (n.where, ir.Op("IS NULL", (n.where,)))))
                if isinstance(n, ir.Match) and n.where
                else n
            ),
        )
    )
    before, after = reduced(fault, oracle)
    assert size.size(after.scene, after.recipe) < size.size(before.scene, before.recipe)
    assert len(after.scene.vertices) + len(after.scene.edges) <= 1
    assert not hold(
        registry.oracle("cypher", oracle), after.scene, after.recipe, BARE, loaded(after.scene).ask
    ).contradicted


def test_a_reduction_ends_at_the_same_case_every_time():
    fault = nodes(ir.RelPat, lambda r: replace(r, direction="->"))
    assert reduced(fault)[1] == reduced(fault)[1]


# --- single shrinks ---


def proposed(scene=SCENE, recipe=RECIPE):
    return list(shrink.cuts(scene, recipe, profile_of(SEATED))) + list(
        shrink.shrinks(scene, recipe, profile_of(SEATED))
    )


def test_a_node_leaves_with_its_edges_and_changes():
    made = replace(
        SCENE,
        changes=(ir.SetKey(1, "k", ir.NULL, False, "B"), ir.Drop(4, True, "S"), ir.SetKey(0, "k", ir.NULL, False, "A")),
    )
    small = shrink.without_elements(made, {1})
    assert [v.id for v in small.vertices] == [0, 2] and small.edges == () and [c.id for c in small.changes] == [0]


def test_a_label_leaves_the_graph_the_indexes_and_the_query():
    made = replace(SCENE, indexes=(ir.Index("B", "k"),), changes=(ir.SetKey(1, "k", ir.NULL, False, "B"),))
    small, recipe = shrink.instead_of(made, RECIPE, "label", "B", "A")
    assert all(v.labels == ("A",) for v in small.vertices) and small.schema.labels == ("A",)
    assert small.indexes[0].label == "A" and small.changes[0].label == "A"
    assert "(b:A)" in text(case(small, recipe))
    ((gone, bare),) = shrink.without_label(made, RECIPE, "B")
    assert gone.indexes == () and "(b)" in text(case(gone, bare)) and legal.is_sound(gone)


def case(scene, recipe):
    return Case("cypher", "reference", scene, recipe, SEATED.seats, "as evaluated")


def test_a_key_leaves_and_what_used_it_becomes_a_constant():
    ((small, recipe),) = shrink.without_key(SCENE, RECIPE, False, ir.Key("k", "int"))
    assert [k.name for k in small.schema.node_keys] == ["s"] and all(
        p.key != "k" for v in small.vertices for p in v.props
    )
    assert "0 > 1" in text(case(small, recipe)) and legal.is_sound(small)
    ((small, _),) = shrink.without_key(SCENE, RECIPE, True, ir.Key("w", "int"))
    assert small.edges[0].props == ()


def test_a_clause_leaves_and_its_values_move_to_where_they_are_used():
    texts = {text(case(SCENE, r)) for _, r in shrink.fewer_clauses(SCENE, RECIPE)}
    assert "MATCH (a:A)-[r:T]->(b:B) WHERE b.k > 1 RETURN a.s AS x, b.k AS y" in texts


def test_the_place_of_a_condition_moves_with_the_clauses_before_it():
    """A clause before it leaves: the condition stays at its own clause."""
    single = query("UNWIND [1] AS u MATCH (n) MATCH (m:B) RETURN m.k AS x").parts[0]
    recipe = cypher_partition.Recipe(
        single, query("MATCH (m) WHERE (m.k > 1) RETURN 1 AS x").parts[0].clauses[0].where, 2
    )
    found = [r for _, r in shrink.fewer_clauses(SCENE, recipe)]
    without_first = [r for r in found if isinstance(r.query.clauses[0], ir.Match)]
    assert without_first and all(
        r.position == 1 and r.query.clauses[r.position] == single.clauses[2] for r in without_first
    )
    kept = [
        r
        for _, r in shrink.fewer_clauses(SCENE, replace(recipe, position=0))
        if r.query.clauses[0] == single.clauses[0]
    ]
    assert kept and all(r.position == 0 for r in kept)


@pytest.mark.parametrize(
    "asked",
    [
        "MATCH (n) WITH count(*) AS x RETURN x AS x",
        "MATCH (n) WITH DISTINCT n.k AS x RETURN x AS x",
        "MATCH (n) WITH n.k AS x ORDER BY x LIMIT 9 RETURN x AS x",
        "MATCH (n) WITH n.k AS x ORDER BY x SKIP 0 RETURN x AS x",
    ],
)
def test_there_is_no_partition_before_what_does_not_work_row_by_row(asked):
    recipe = cypher_partition.Recipe(query(asked).parts[0], ir.TRUE, 0)
    assert recipe.part(None) is None and not list(recipe.conversation())
    assert (
        cypher_partition.Recipe(query("MATCH (n) WITH n.k AS x RETURN x AS x").parts[0], ir.TRUE, 0).part(None)
        is not None
    )


def test_the_graph_after_its_changes_is_proposed():
    made = replace(SCENE, changes=(ir.SetKey(0, "k", ir.Lit("int", 7), False, "A"), ir.Drop(2, False, "B")))
    small = shrink.settled(made)
    assert small.changes == () and len(small.vertices) == 2 and len(small.edges) == 1
    assert rows(small, "MATCH (n:A) RETURN n.k AS x") == [(7,)]


@pytest.mark.parametrize(
    ("recipe", "changed"),
    [
        ("MATCH (a)-[r]->(b)-[s]->(c) RETURN 1 AS x", "MATCH (a)-[r]->(b) RETURN 1 AS x"),
        ("MATCH (a)-[*1..3]-(b) RETURN 1 AS x", "MATCH (a)-[]-(b) RETURN 1 AS x"),
        ("MATCH (a)-[*1..3]-(b) RETURN 1 AS x", "MATCH (a)-[*1..1]-(b) RETURN 1 AS x"),
        ("MATCH (a)<-[]-(b) RETURN 1 AS x", "MATCH (a)-[]->(b) RETURN 1 AS x"),
        ("OPTIONAL MATCH (a) RETURN 1 AS x", "MATCH (a) RETURN 1 AS x"),
        ("RETURN CASE 1 WHEN 2 THEN 3 ELSE 4 END AS x", "RETURN CASE WHEN (1 = 2) THEN 3 ELSE 4 END AS x"),
        ("RETURN CASE WHEN true THEN 3 ELSE 4 END AS x", "RETURN 3 AS x"),
        ("RETURN 1 AS x, 2 AS y", "RETURN 2 AS y"),
        ("RETURN max(1) AS x", "RETURN count(*) AS x"),
        ("RETURN max(1) AS x", "RETURN min(1) AS x"),
        ("RETURN 'abc' AS x", "RETURN 'ac' AS x"),
        ("RETURN {x: 1, y: 2}.y AS x", "RETURN 2 AS x"),
        ("RETURN 1 AS x UNION RETURN 2 AS x", "RETURN 2 AS x"),
        ("MATCH (a)-[r]->(b) RETURN 1 AS x", "MATCH (a)-[]->(b) RETURN 1 AS x"),
    ],
)
def test_a_query_is_made_smaller(recipe, changed):
    recipe = cypher_reference.Recipe(query(recipe))
    found = {text(case(SCENE, r)): (s, r) for s, r in shrink.query_shrinks(SCENE, recipe)}
    assert changed in found
    assert size.size(*found[changed]) < size.size(SCENE, recipe)

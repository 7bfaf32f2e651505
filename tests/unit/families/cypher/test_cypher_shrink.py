"""What a reducer knows of graphs and queries; what a case is made of; readable names."""

import msgspec
import pytest

from cypher_standin import FAMILY, Fault, Standin, graph, hold, query, rows, seats
from gainsay.campaign import conversation
from gainsay.core import registry
from gainsay.core.claim import Claim, Relation, Side
from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import Case, Seats, Step
from gainsay.core.tree import transform
from gainsay.families.cypher.drawing import scenes
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.meaning import legal, proof
from gainsay.families.cypher.meaning.scene_cache import SceneCache, profile_of
from gainsay.families.cypher.reducing import contexts, shape, shrink, size, tidy
from gainsay.oracles import cypher_norec, cypher_partition, cypher_reference, cypher_rewrite
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

SCENE = graph(
    "CREATE (a:A {id: 0, k: 5, s: 'abc'}), (b:B {id: 1, k: 5}), (c:B {id: 2}), (a)-[:T {id: 3, w: 1}]->(b), (b)-[:S {id: 4}]->(c)"
)
RECIPE = cypher_reference.Recipe(
    query("MATCH (a:A)-[r:T]->(b:B) WHERE (b.k > 1) WITH a, b, a.s AS s RETURN s AS x, b.k AS y")
)


def proposed(scene=SCENE, recipe=RECIPE):
    return list(shrink.cuts(scene, recipe, profile_of(SEATED))) + list(
        shrink.shrinks(scene, recipe, profile_of(SEATED))
    )


def test_a_node_leaves_with_its_edges_and_changes():
    made = replace(
        SCENE,
        changes=(ir.SetKey(1, "k", ir.NULL, False, "B"), ir.Drop(4, True, "S"), ir.SetKey(0, "k", ir.NULL, False, "A")),
    )
    small = shrink.without(made, {1})
    assert [v.id for v in small.vertices] == [0, 2] and small.edges == () and [c.id for c in small.changes] == [0]


def test_a_label_leaves_the_graph_the_indexes_and_the_query():
    made = replace(SCENE, indexes=(ir.Index("B", "k"),), changes=(ir.SetKey(1, "k", ir.NULL, False, "B"),))
    small, recipe = shrink.without_label(made, RECIPE, "B", "A")
    assert all(v.labels == ("A",) for v in small.vertices) and small.schema.labels == ("A",)
    assert small.indexes[0].label == "A" and small.changes[0].label == "A"
    assert "(b:A)" in text(case(small, recipe))
    gone, bare = shrink.without_label(made, RECIPE, "B", "")
    assert gone.indexes == () and "(b)" in text(case(gone, bare)) and legal.is_sound(gone)


def case(scene, recipe):
    return Case("cypher", "reference", scene, recipe, SEATED.seats, "as evaluated")


def test_a_key_leaves_and_what_used_it_becomes_a_constant():
    small, recipe = shrink.without_key(SCENE, RECIPE, "node_keys", ir.Key("k", "int"))
    assert [k.name for k in small.schema.node_keys] == ["s"] and all(
        p.key != "k" for v in small.vertices for p in v.props
    )
    assert "0 > 1" in text(case(small, recipe)) and legal.is_sound(small)
    assert shrink.without_key(SCENE, RECIPE, "edge_keys", ir.Key("w", "int"))[0].edges[0].props == ()


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
        ("RETURN 1 AS x UNION RETURN 2 AS x", "RETURN 2 AS x"),
        ("MATCH (a)-[r]->(b) RETURN 1 AS x", "MATCH (a)-[]->(b) RETURN 1 AS x"),
    ],
)
def test_a_query_is_made_smaller(recipe, changed):
    recipe = cypher_reference.Recipe(query(recipe))
    found = {text(case(SCENE, r)): (s, r) for s, r in shrink.query_shrinks(SCENE, recipe)}
    assert changed in found
    assert size.size(*found[changed]) < size.size(SCENE, recipe)


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
        replace(good, position=1), replace(good, position=7), replace(good, mode="count"), replace(good, mode="distinct"),
        replace(good, condition=ir.Prop(ir.Var("z"), "k")), replace(good, condition=ir.Prop(ir.Var("n"), "k")),
        replace(good, query=query("OPTIONAL MATCH (n) RETURN n.k AS x").parts[0]), replace(good, query=query("MATCH (n) RETURN n.k AS x LIMIT 9").parts[0]),
        replace(good, query=query("MATCH (n) WITH count(*) AS x RETURN x AS x").parts[0], condition=ir.TRUE),
        replace(good, query=query("MATCH (n) RETURN count(*) AS x").parts[0]), replace(good, query=query("MATCH (n) RETURN DISTINCT n.k AS x").parts[0]),
    ):  # fmt: skip
        assert not FAMILY.is_legal(SCENE, bad, BARE), bad


def test_a_norec_recipe_that_is_wrong_is_not_legal():
    single = query("MATCH (n) RETURN n.k AS x").parts[0]
    good = cypher_norec.Recipe(single, query("MATCH (n) WHERE (n.k > 1) RETURN 1 AS x").parts[0].clauses[0].where)
    assert FAMILY.is_legal(SCENE, good, BARE)
    for asked in ("OPTIONAL MATCH (n) RETURN n.k AS x", "MATCH (n) WHERE n.b RETURN n.k AS x", "MATCH (n) RETURN DISTINCT n.k AS x",
                  "MATCH (n) RETURN count(*) AS x", "MATCH (n) RETURN n.k AS x ORDER BY x LIMIT 1", "RETURN 1 AS x"):  # fmt: skip
        assert not FAMILY.is_legal(SCENE, replace(good, query=query(asked).parts[0]), BARE), asked


def test_a_rewrite_that_does_not_apply_is_not_legal():
    good = cypher_rewrite.Recipe(
        query("MATCH (a)-[r]->(b) RETURN r.w AS x"), (cypher_rewrite.Rewrite("reverse a path", 0),)
    )
    assert FAMILY.is_legal(SCENE, good, BARE)
    assert not FAMILY.is_legal(SCENE, replace(good, rewrites=()), BARE)
    assert not FAMILY.is_legal(SCENE, replace(good, rewrites=(cypher_rewrite.Rewrite("split a path"),)), BARE)


def said(*claims, asked="MATCH (n) RETURN n.k AS x"):
    """A conversation with one question and some claims about its rows."""
    yield Step("query", query(asked))
    for right in claims:
        yield Claim("same", Side(("query",)), Relation.SAME_BAG, Side(value=tuple(right)), "why", "graph")


def test_a_conversation_that_would_not_hold_is_not_held():
    cache, profile = SceneCache(SCENE), profile_of(SEATED)
    right, wrong = [(5,), (5,), (None,)], [(5,)]
    assert proof.holds(said(right), cache, profile) and proof.holds(said(right, right), cache, profile)
    assert not proof.holds(said(wrong), cache, profile) and not proof.holds(said(right, wrong), cache, profile)
    assert not proof.holds(said(), cache, profile), "nothing is claimed"
    assert not proof.holds(said(right, asked="MATCH (n) WITH n.id AS x LIMIT 1 RETURN x AS x"), cache, profile), (
        "no one answer"
    )


# --- size ---


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
    assert size.size(shrink.without(SCENE, {2}), RECIPE) < whole
    assert size.size(replace(SCENE, indexes=(ir.Index("A", "k"),)), RECIPE) > whole
    assert size.size(replace(SCENE, changes=(ir.Drop(0, False, "A"),)), RECIPE) > whole
    assert (
        size.size(replace(SCENE, vertices=(replace(SCENE.vertices[0], props=()), *SCENE.vertices[1:])), RECIPE) < whole
    )


def test_no_simplest_term_is_null():
    assert ir.NULL not in FAMILY.simplest(ir.Lit("str", "abc"))
    assert ir.Op("=", (ir.TRUE, ir.TRUE)) in FAMILY.simplest(ir.Op("<>", (ir.TRUE, ir.TRUE)))
    assert FAMILY.simplest(ir.NodePat()) == ()


# --- names ---


def test_tidy_names_are_short_and_numbers_begin_at_0():
    made = graph("CREATE (a:A {id: 17, k: 5}), (b:B {id: 11}), (a)-[:T {id: 40}]->(b)")
    made = replace(made, changes=(ir.SetKey(11, "k", ir.NULL, False, "B"),))
    recipe = cypher_reference.Recipe(
        query(
            "MATCH p7 = (n12:A)-[r9]->(n4) WITH n12.k AS x8, r9 AS q, p7 AS w UNWIND [1] AS u3 RETURN x8 AS c0, [z IN [1] | z] AS c1"
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


def test_numbers_that_a_query_speaks_of_stay():
    made = graph("CREATE (a:A {id: 17})")
    recipe = cypher_reference.Recipe(query("MATCH (n) WHERE (n.id = 17) RETURN n.id AS x"))
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


# --- shapes ---


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
    ],
)
def test_a_bucket_names_the_cause(features, bucket):
    assert shape.bucket(frozenset(features)) == bucket


def test_a_known_cause_with_mere_surroundings_is_absorbed_and_another_is_not():
    known = frozenset({"letter case"})
    assert shape.absorbs(known, known) and shape.absorbs(known, known | {"unwind", "distinct"})
    assert not shape.absorbs(known, known | {"variable length"})
    assert not shape.absorbs(known | {"unwind"}, known)
    assert not shape.absorbs(frozenset({"with"}), frozenset({"with", "unwind"})), "surroundings alone are no cause"


def told_alone(text):
    made = contexts.smallest_contexts(graph(), cypher_reference.Recipe(query(text)))
    return [FAMILY.dialect("neo4j").text(recipe.query) for _, recipe in made]


def test_an_expression_is_told_where_nothing_else_is():
    assert told_alone("MATCH (n) WHERE '' CONTAINS '' RETURN 1 AS y") == ["RETURN '' CONTAINS '' AS x"]
    assert "MATCH (n) RETURN n.k > 1 AS x" in told_alone("MATCH (n) WHERE n.k > 1 RETURN 1 AS y")
    assert "RETURN size('a') AS x" in told_alone("UNWIND [size('a')] AS u RETURN 1 AS y")


def test_an_expression_is_not_told_without_what_binds_its_variables():
    assert told_alone("UNWIND [1] AS u WITH u WHERE u > 1 RETURN 1 AS y") == ["RETURN [1] AS x"]

"""One bug of a real graph engine, met in several ways, ends in one finding, whose title names no more than what
matters."""

import msgspec
import pytest

from cypher_standin import query
from gainsay.campaign import config, describing, events
from gainsay.campaign.ledger import Ledger
from gainsay.campaign.reasons import words_of
from gainsay.core import alone, registry
from gainsay.core.model import Case, CaseName, Target
from gainsay.engines.releases import cache_dir
from gainsay.families.cypher.language import ir
from gainsay.oracles import cypher_partition, cypher_reference
from gainsay.triage.job import Job, Known
from gainsay.triage.worker import Triage

replace = msgspec.structs.replace
SCHEMA = ir.Schema(("A",), ("T",), (ir.Key("k", "int"), ir.Key("b", "bool")), (ir.Key("w", "int"),))
NODES = (ir.Vertex(0, ("A",), (ir.Kept("k", ir.Lit("int", 3)),)), ir.Vertex(1, ("A",), (ir.Kept("b", ir.TRUE),)))
SCENE = ir.Scene(SCHEMA, NODES, (ir.Edge(2, 1, 0, "T", (ir.Kept("w", ir.Lit("int", 4294967296)),)),))


def triaged(target, oracle, recipe, claim, folder, scene=SCENE, detail="", number=0, known=()):
    """A raw contradiction on a real engine, looked at."""
    seat = describing.describe(Target.parse(target))
    case = Case("cypher", oracle, scene, recipe, events.slim((seat,)), claim)
    raw = events.Raw(CaseName(target, number, oracle, 0), claim, (), msgspec.to_builtins(case), (), "", detail)
    group = config.Group(target, "cypher", (seat,), (oracle,))
    return Triage(
        Job(
            raw,
            1,
            group,
            {},
            str(folder / "recorder"),
            True,
            2 << 30,
            known=tuple(Known(f.id, f.case, f.span) for f in known),
        )
    ).run()


def wrong(target, text, folder, number=0, scene=SCENE, known=()):
    return triaged(
        target,
        "reference",
        cypher_reference.Recipe(query(text)),
        cypher_reference.CLAIM,
        folder,
        scene,
        "",
        number,
        known,
    )


@pytest.mark.parametrize(
    "text",
    [
        "RETURN CASE WHEN CASE '' WHEN '' THEN true ELSE none(y IN [] WHERE true) END THEN true END AS x",
        "OPTIONAL MATCH (n)-[r]->(n) RETURN CASE WHEN CASE WHEN (r.w = 1) THEN true ELSE true END THEN 'a' ELSE 'b' "
        "END AS x",
        "MATCH (n) WITH n, size('a') AS y RETURN CASE WHEN CASE WHEN n.k > y THEN true END THEN y END AS x",
    ],
)
@pytest.mark.parametrize("engine", ["kuzu", "ladybug"])
def test_a_case_in_the_test_of_a_case_is_called_so_whatever_it_was_met_in(engine, text, tmp_path):
    found = wrong(engine, text, tmp_path)
    assert found.bucket == ("case in a case",), found.texts
    assert found.texts["query"].startswith("MATCH (n) RETURN CASE WHEN CASE"), "on a stored value, and nothing else"


def test_a_case_in_the_test_of_a_case_and_a_case_on_a_null_are_two_findings(tmp_path):
    """Two bugs of Kùzu: only the second is younger than 0.8."""
    ledger = Ledger()
    zero, true = (ir.Kept("k", ir.Lit("int", 0)),), (ir.Kept("b", ir.TRUE),)
    scene = ir.Scene(SCHEMA, (ir.Vertex(0, ("A",)), ir.Vertex(1, ("A",), zero), ir.Vertex(2, ("A",), true)))
    for number, text in enumerate(
        [
            "MATCH (n) RETURN CASE WHEN CASE WHEN true THEN n.b END THEN 1 END AS x",
            "MATCH (n) RETURN CASE WHEN n.b THEN 0 ELSE n.k END AS x",
        ]
    ):
        assert ledger.found(wrong("kuzu", text, tmp_path, number, scene))[1]


def test_a_case_on_a_null_is_one_finding_whatever_function_it_is_in(tmp_path):
    ledger = Ledger()
    scene = ir.Scene(SCHEMA, (ir.Vertex(0, ("A",)), ir.Vertex(1, ("A",), (ir.Kept("k", ir.Lit("int", 1)),))))
    asked = ["CASE WHEN n.b THEN 0 ELSE n.k END", "coalesce(n.k, 0, CASE WHEN n.b THEN 1 END)"]
    for number, text in enumerate(asked):
        found = wrong("kuzu", f"MATCH (n) RETURN {text} AS x", tmp_path, number, scene)
        assert ledger.found(found)[1] == (number == 0)


@pytest.mark.parametrize("engine", ["kuzu", "ladybug"])
def test_a_group_whose_count_nothing_needs_and_a_distinct_are_one_finding(engine, tmp_path):
    ledger = Ledger()
    for number, what in enumerate(["r, count(*) AS x", "DISTINCT r"]):
        kept, is_new = ledger.found(wrong(engine, f"MATCH ()-[r]-() WITH {what} RETURN 1 AS y", tmp_path, number))
        assert is_new == (number == 0)
    assert kept.bucket == ("distinct", "undirected", "with")


@pytest.mark.parametrize("first", [1, 2], ids=["as it was met", "when it is small"])
def test_a_partition_is_restated_and_names_neither_the_aggregate_nor_the_size_of_a_number(first, tmp_path, monkeypatch):
    calls, restated = [], cypher_partition.Partition.restated

    def told_late(*found):
        """As if nothing could be told of the first cases."""
        calls.append(found)
        return restated(*found) if len(calls) >= first else iter(())

    monkeypatch.setattr(cypher_partition.Partition, "restated", told_late)
    asked = query("MATCH ()-[r]->() RETURN min('') AS x").parts[0]
    condition = ir.Op(">", (ir.Prop(ir.Var("r"), "w"), ir.Lit("float", 1.5)))
    recipe = cypher_partition.Recipe(asked, condition, 0, "min")
    claims = {c.label for c in recipe.conversation() if hasattr(c, "relation")}
    found = triaged("kuzu", "partition", recipe, claims.pop(), tmp_path)
    assert (found.oracle, found.bucket) == ("reference", ("real number",))


def test_an_internal_error_is_one_finding_in_whichever_order_its_columns_come(tmp_path):
    ledger, scene = Ledger(), ir.Scene(ir.Schema())
    said = [
        "aggregate functions are not allowed in the GROUP BY clause",
        "1st GROUP BY term out of range - should be between 1 and 4",
    ]
    for number, (columns, words) in enumerate(
        zip(["count(*) AS x, 1 AS y", "0 AS x, count(*) AS y"], said, strict=True)
    ):
        recipe = alone.Recipe(query(f"MATCH () RETURN {columns}"))
        found = triaged("graphqlite", "alone", recipe, "internal-error", tmp_path, scene, words, number)
        assert found.detail.startswith(words[:20])
        assert ledger.found(found)[1] == (number == 0)


def test_an_internal_error_in_a_with_is_told_as_one_in_a_return(tmp_path):
    recipe = alone.Recipe(query("WITH false AS x, count(*) AS y RETURN 1 AS z"))
    words = "1st GROUP BY term out of range - should be between 1 and 3"
    found = triaged("graphqlite", "alone", recipe, "internal-error", tmp_path, ir.Scene(ir.Schema()), words)
    assert found.skeleton == "MATCH () RETURN 0 AS x, count(*) AS y"


def test_two_bugs_with_different_forms_stay_two(tmp_path):
    ledger = Ledger()
    texts = [
        "RETURN '' CONTAINS '' AS x",
        "MATCH ()-[r]-() WITH DISTINCT r RETURN 1 AS x",
        "MATCH (n) RETURN single(y IN [''] WHERE n.b) AS x",
    ]
    assert all(ledger.found(wrong("kuzu", text, tmp_path, number))[1] for number, text in enumerate(texts))


PARALLEL = ir.Scene(
    ir.Schema(("A",), ("T",)),
    (ir.Vertex(0, ("A",)), ir.Vertex(1, ("A",))),
    (ir.Edge(2, 1, 0, "T"), ir.Edge(3, 1, 0, "T")),
)
LOOP = ir.Scene(ir.Schema(("A",), ("T",)), (ir.Vertex(0, ("A",)),), (ir.Edge(1, 0, 0, "T"),))


def test_a_walk_in_any_direction_and_one_in_a_direction_are_one_finding_which_is_told_by_the_plainer_one(tmp_path):
    ledger = Ledger()
    first, _ = ledger.found(wrong("kuzu", "MATCH ()-[*0..3]-() RETURN 1 AS x", tmp_path, 0, PARALLEL))
    assert first.bucket == ("variable length",)
    kept, is_new = ledger.found(wrong("kuzu", "MATCH ()-[*0..3]->() RETURN 1 AS x", tmp_path, 1, LOOP, [first]))
    assert not is_new and (kept.id, kept.bucket) == (first.id, ("variable length",))


def test_a_walk_in_any_direction_and_a_walk_before_another_match_stay_two_findings(tmp_path):
    """Two bugs of GraphQLite: a loop is walked twice where the direction is open; and of a walk of no step only some
    are joined with what follows."""
    ledger, bare = Ledger(), ir.Schema((), ("T",))
    loop = ir.Scene(bare, (ir.Vertex(0),), (ir.Edge(1, 0, 0, "T"),))
    edge = ir.Scene(bare, (ir.Vertex(0), ir.Vertex(1)), (ir.Edge(2, 0, 1, "T"),))
    first, _ = ledger.found(wrong("graphqlite", "MATCH ()-[*0..1]-() RETURN 1 AS x", tmp_path, 0, loop))
    _, is_new = ledger.found(
        wrong("graphqlite", "MATCH ()-[*0..1]->() MATCH ()-[]->() RETURN 1 AS x", tmp_path, 1, edge, [first])
    )
    assert is_new


def test_a_path_in_a_subquery_has_no_name_that_it_does_not_need(tmp_path):
    scene = ir.Scene(ir.Schema(("A", "B"), ("T",)), (ir.Vertex(0, ("A",)),))
    found = wrong("ladybug", "MATCH (n) RETURN EXISTS { MATCH p = (n:B) } AS x", tmp_path, scene=scene)
    assert found.called() == "ladybug: logic: label on a bound node, subquery exists"


@pytest.mark.parametrize("text", ["MATCH (n), (n:B) RETURN 1 AS x", "MATCH (n)-[*0..1]->(n:B) RETURN 1 AS x"])
def test_a_label_that_is_not_looked_at_is_one_finding_whatever_path_leads_to_it(text, tmp_path):
    scene = ir.Scene(ir.Schema(("A", "B"), ("T",)), (ir.Vertex(0, ("A",)),))
    assert wrong("kuzu", text, tmp_path, scene=scene).bucket == ("label on a bound node",)


def test_a_cycle_that_loses_parallel_edges_is_one_finding_whatever_leads_to_it(tmp_path):
    """Ladybug's INTERSECT, which is in the plans of both."""
    ledger = Ledger()
    loops = ir.Scene(ir.Schema(("A",), ("T",)), (ir.Vertex(0, ("A",)),), (ir.Edge(1, 0, 0, "T"), ir.Edge(2, 0, 0, "T")))
    two = ir.Schema(("A", "B"), ("T",))
    between = (ir.Vertex(0, ("B",)), ir.Vertex(1, ("A",)))
    parallel = ir.Scene(two, between, (ir.Edge(2, 0, 1, "T"), ir.Edge(3, 0, 1, "T")))
    asked = [
        ("OPTIONAL MATCH (n) MATCH (n)-[]->()-[]->(n)-[]->(n) RETURN 1 AS x", loops),
        ("MATCH ()-[]->(n:A)-[]-()-[]->(n) RETURN 1 AS x", parallel),
        ("MATCH ()-[]->(), (n)-[]->()<-[]-(n)-[*0..1]->(n) RETURN 1 AS x", PARALLEL),
    ]
    for number, (text, scene) in enumerate(asked):
        kept, is_new = ledger.found(wrong("ladybug", text, tmp_path, number, scene))
        assert kept.bucket == ("cycle in pattern", "parallel edges") and is_new == (number == 0)


def test_a_cycle_over_two_clauses_that_loses_parallel_edges_is_the_same_finding(tmp_path):
    """Kùzu's INTERSECT again: it plans MATCH clauses in a row as one."""
    ledger = Ledger()
    ends = tuple(ir.Vertex(n, ("A",)) for n in range(4))
    one = (ir.Edge(4, 2, 0, "T"), ir.Edge(5, 2, 1, "T"), ir.Edge(6, 2, 1, "T"), ir.Edge(7, 0, 2, "T"))
    two = (ir.Edge(4, 0, 1, "T"), ir.Edge(5, 3, 0, "T"), ir.Edge(6, 3, 0, "T"), ir.Edge(7, 3, 2, "T"))
    asked = [
        ("MATCH ()-[]->(n)-[]->()<-[]-(n) RETURN 1 AS x", one),
        ("MATCH (n)<-[]-(m)-[]->() MATCH (m)-[]->(n)-[]->() RETURN 1 AS x", two),
    ]
    for number, (text, edges) in enumerate(asked):
        scene = ir.Scene(ir.Schema(("A",), ("T",)), ends, edges)
        kept, is_new = ledger.found(wrong("kuzu", text, tmp_path, number, scene))
        assert kept.called() == "kuzu: logic: cycle in pattern, parallel edges" and is_new == (number == 0)


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) OPTIONAL MATCH () WHERE n.b IS NULL RETURN 1 AS x",
        "MATCH ()-[r]->()-[]->() OPTIONAL MATCH ()-[]-() WHERE r.w IS NULL RETURN 1 AS x",
        "OPTIONAL MATCH (n) WHERE null OPTIONAL MATCH ()-[r]->() WHERE n IS NULL RETURN r.id AS x",
    ],
)
def test_a_condition_on_earlier_variables_in_an_optional_match_is_one_finding(text, tmp_path):
    loop = ir.Scene(
        SCHEMA, (ir.Vertex(0, ("A",)), ir.Vertex(1, ("A",))), (ir.Edge(2, 0, 0, "T"), ir.Edge(3, 0, 1, "T"))
    )
    found = wrong("ladybug", text, tmp_path, scene=loop)
    assert found.bucket == ("condition on earlier variables", "optional match"), found.texts


@pytest.mark.parametrize("engine", ["kuzu", "ladybug"])
@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN EXISTS { MATCH () WHERE n.k IS NULL } AS x",
        "MATCH (n) WHERE 0 < COUNT { MATCH (m) WHERE CASE WHEN n.k = 1 THEN true ELSE true END } RETURN 1 AS x",
        "OPTIONAL MATCH (n) WHERE null OPTIONAL MATCH (m) WHERE n IS NULL RETURN m.id AS x",
    ],
)
def test_a_condition_on_a_null_outside_is_one_finding_in_a_subquery_and_in_an_optional_match(engine, text, tmp_path):
    found = wrong(engine, text, tmp_path, scene=ONE_OF_A)
    assert found.bucket == ("condition on earlier variables", "optional match"), found.texts


NONE = ir.Scene(ir.Schema())
BARE = ir.Scene(ir.Schema((), ("T",)), (ir.Vertex(0), ir.Vertex(1)), (ir.Edge(2, 0, 1, "T"),))

LABELS = ir.Scene(ir.Schema(("A", "B"), ()), (ir.Vertex(0, ("A", "B")),))
ONE_OF_A = replace(SCENE, vertices=NODES[1:], edges=())
NONE_OF_A = replace(ONE_OF_A, vertices=())
NULL_OUTSIDE = "condition on earlier variables, missing value, optional match"

# Two of three nodes before one have a loop; where the loops come from nodes of their own, Ladybug is as wrong
FAN = ir.Scene(
    ir.Schema(("A", "B"), ("T",), (ir.Key("k", "int"),)),
    (
        ir.Vertex(0, ("B",)), ir.Vertex(1, ("A",)), ir.Vertex(2, ("A",), (ir.Kept("k", ir.Lit("int", 1)),)),
        ir.Vertex(3, ("B",)),
    ),
    tuple(ir.Edge(n, a, b, "T") for n, (a, b) in enumerate([(0, 2), (1, 2), (3, 3), (0, 0), (3, 2)], 4)),
)  # fmt: skip


@pytest.mark.parametrize(
    ("engine", "text", "scene", "title"),
    [
        ("kuzu", "UNWIND ['', ''] AS x WITH DISTINCT null AS y RETURN 1 AS z", SCENE, "constant, distinct, with"),
        ("ladybug", "MATCH () WITH DISTINCT true AS x RETURN x AS y", SCENE, "constant, distinct, with"),
        ("kuzu", "RETURN 'a' CONTAINS '' AS x", SCENE, "CONTAINS, empty string"),
        ("kuzu", "MATCH ()-[*0..3]->() RETURN 1 AS x", LOOP, "variable length, walk of no step"),
        (
            "ladybug",
            "MATCH (n {k: 1})<-[]-(), (m)-[]->()-[]->(n) RETURN m.id AS x",
            FAN,
            "path of several edges, where",
        ),
        ("graphqlite", "RETURN min(true) AS x", BARE, "aggregate, boolean"),
        ("graphqlite", "MATCH ()-[]->(), ()-[]->() RETURN 1 AS x", BARE, "edge, several patterns"),
        ("graphqlite", "MATCH (n) RETURN sign(n.k) AS x", SCENE, "missing value, sign"),
        ("graphqlite", "MATCH () RETURN sum(0) AS x", NONE, "aggregate sum, null"),
        ("graphqlite", "MATCH ()-[*0..1]->() MATCH ()-[]->() RETURN 1 AS x", BARE, "another match, variable length"),
        (
            "kuzu",
            "RETURN 1 AS x, count(DISTINCT 1) AS y, count(*) AS z",
            SCENE,
            "distinct aggregate, grouping, several aggregates",
        ),
        ("graphqlite", "RETURN right('b', 0) AS x", BARE, "right, zero"),
        ("graphqlite", "RETURN nullIf(true, null) AS x", BARE, "boolean, nullIf"),
        ("graphqlite", "WITH count(*) AS x WHERE null RETURN 1 AS y", BARE, "aggregate, constant condition, with"),
        ("graphqlite", "MATCH (:A|B) RETURN 1 AS x", LABELS, "any of several labels, node with several labels"),
        ("kuzu", "MATCH (n) RETURN EXISTS { MATCH () WHERE n.k IS NULL } AS x", ONE_OF_A, NULL_OUTSIDE),
        ("kuzu", "OPTIONAL MATCH (n) MATCH (n) RETURN 1 AS x", NONE_OF_A, "another match, no match, optional match"),
        ("graphqlite", "OPTIONAL MATCH ({k: null}) RETURN 0 AS x", SCENE, "null, property in a pattern"),
        (
            "graphqlite",
            "UNWIND [1, null, 1] AS x RETURN collect(DISTINCT x) AS y",
            BARE,
            "aggregate collect, distinct aggregate",
        ),
    ],
)
def test_a_title_names_what_can_not_be_exchanged_and_nothing_that_can(engine, text, scene, title, tmp_path):
    assert wrong(engine, text, tmp_path, scene=scene).called() == f"{engine}: logic: {title}"


NAMELESS = {
    "graphqlite": ir.Scene(ir.Schema((), ("T",), (ir.Key("k", "int"), ir.Key("b", "bool")))),
    "kuzu": ir.Scene(SCHEMA, (ir.Vertex(0, ("A",)),)),
}


@pytest.mark.parametrize(
    ("engine", "text", "said", "title"),
    [
        (
            "graphqlite",
            "MATCH () RETURN 0 AS x, count(*) AS y",
            "1st GROUP BY term out of range - should be between 1 and 4",
            'aggregate, constant: "1st GROUP BY term out of range - should be between 1 and 4"',
        ),
        (
            "graphqlite",
            "MATCH (n) WITH n RETURN min(n.k) AS x",
            "no such column: _with_0.n.id",
            'aggregate, with: "no such column: _with_0.n.id"',
        ),
        (
            "graphqlite",
            "MATCH (n) OPTIONAL MATCH (n) WHERE true RETURN 1 AS x",
            'near "AND": syntax error',
            "bound node, optional match, where: 'near \"AND\": syntax error'",
        ),
        (
            "graphqlite",
            "MATCH ()-[]->(), () RETURN 1 AS x",
            "no such column: n_5.id",
            'edge, several patterns, unnamed node: "no such column: n_5.id"',
        ),
        (
            "graphqlite",
            "WITH {x: 1}.x AS x, 1 AS y RETURN y AS y",
            'near ",": syntax error',
            "map lookup, with: 'near \",\": syntax error'",
        ),
        (
            "kuzu",
            "MATCH (n) WHERE {x: n.b}.x RETURN 1 AS x",
            "bad_function_call",
            'condition, map lookup: "bad_function_call"',
        ),
    ],
)
def test_a_title_of_an_internal_error_says_over_what_the_engine_breaks_and_then_in_which_words(
    engine, text, said, title, tmp_path
):
    recipe = alone.Recipe(query(text))
    found = triaged(engine, "alone", recipe, "internal-error", tmp_path, NAMELESS[engine], said)
    assert found.called() == f"{engine}: internal-error: {title}"
    assert found.signature == f"{engine}: internal-error: {words_of(said, registry.engine(engine).name_marks)}"


falkordb = pytest.mark.skipif(
    not (cache_dir() / "falkordb" / "4.22.1").exists(), reason="run 'gainsay hunt falkordb@4.22.1' once first"
)
SMALLEST = -(1 << 63)
LARGE = ir.Scene(
    ir.Schema((), (), (ir.Key("k", "int"),)),
    (
        ir.Vertex(0, (), (ir.Kept("k", ir.Lit("int", 1)),)),
        ir.Vertex(1, (), (ir.Kept("k", ir.Lit("int", SMALLEST)),)),
    ),
)


@falkordb
@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN min(n.k) AS x",
        "MATCH (n) WITH n ORDER BY n.k LIMIT 1 RETURN n.id AS x",
        f"MATCH (n) WHERE n.k < {SMALLEST} RETURN 1 AS x",
    ],
)
def test_numbers_that_are_compared_wrongly_are_one_finding_whatever_compares_them(text, tmp_path):
    found = wrong("falkordb@4.22.1", text, tmp_path, scene=LARGE)
    assert found.bucket == ("large integer",), found.texts


@falkordb
def test_lists_that_are_compared_wrongly_are_one_finding_whatever_is_in_them(tmp_path):
    """FalkorDB takes a null for unknown although other elements tell."""
    ledger = Ledger()
    for number, text in enumerate(["[null, 0, 0] = [1, 0, 1]", "['b', '', ''] = ['b', 'b', null]"]):
        found = wrong("falkordb@4.22.1", f"RETURN {text} AS x", tmp_path, number, NONE)
        assert found.called() == "falkordb: logic: comparison, null in a list"
        assert ledger.found(found)[1] == (number == 0)


@falkordb
@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("MATCH (n:A) WHERE n.s = '' RETURN 1 AS x", "empty string, index, where"),
        ("RETURN ([1])[..50000000000] AS x", "large integer, slice"),
        (
            "UNWIND ['b', ''] AS x WITH x ORDER BY x SKIP 1 WHERE NOT (x = '') RETURN 1 AS y",
            "skip, where, with",
        ),
        (
            "MATCH (n) OPTIONAL MATCH (n:B), (m) RETURN m.id AS x",
            "label on a bound node, optional match, several patterns",
        ),
    ],
)
def test_a_title_names_a_literal_that_stands_in_graph_and_question_and_what_stands_beside_a_pattern(
    text, title, tmp_path
):
    stored = ir.Vertex(0, ("A",), (ir.Kept("s", ir.Lit("str", "")),))
    scene = ir.Scene(ir.Schema(("A", "B"), (), (ir.Key("s", "str"),)), (stored,), indexes=(ir.Index("A", "s"),))
    assert wrong("falkordb@4.22.1", text, tmp_path, scene=scene).called() == f"falkordb: logic: {title}"


def test_deaths_over_broken_memory_are_one_finding_whatever_is_worked_out_when_it_is_noticed(tmp_path):
    """GraphQLite writes beyond a text in which it puts other names, for conditions that use one often enough."""
    ledger = Ledger()
    scene = ir.Scene(ir.Schema((), (), (ir.Key("s", "str"),)))
    for number, text in enumerate(["coalesce(n.s, n.s, n.s)", "n.s + n.s + n.s"]):
        recipe = alone.Recipe(query(f"MATCH (n) WITH n WHERE {text} < '' RETURN 1 AS x"))
        found = triaged("graphqlite", "alone", recipe, "crash", tmp_path, scene, "SIGABRT", number)
        kept, is_new = ledger.found(found)
        assert is_new == (number == 0) and kept.bucket == ("with",), found.texts
    assert kept.called() == "graphqlite: crash: where, with: SIGABRT"


def test_what_a_death_over_broken_memory_seems_to_need_is_not_named(tmp_path, monkeypatch):
    scene = ir.Scene(ir.Schema((), (), (ir.Key("s", "str"),)))
    recipe = alone.Recipe(query("MATCH (n) WITH n WHERE coalesce(n.s, n.s, n.s) < '' RETURN 1 AS x"))
    by_chance = frozenset({"coalesce", "empty graph", "where", "with"})
    monkeypatch.setattr(type(registry.family("cypher")), "titled", lambda *_: by_chance)
    found = triaged("graphqlite", "alone", recipe, "crash", tmp_path, scene, "SIGABRT")
    assert found.called() == "graphqlite: crash: where, with: SIGABRT"


def test_one_question_that_breaks_in_other_words_on_an_empty_graph_is_one_finding(tmp_path):
    ledger, keys = Ledger(), (ir.Key("b", "bool"), ir.Key("l", "ints"))
    one = ir.Scene(ir.Schema((), (), keys), (ir.Vertex(0),))
    asked = [
        ("MATCH () WHERE any(x IN [] WHERE true) UNWIND [1] AS y RETURN 1 AS z", "no such column: _je_0.value"),
        ("OPTIONAL MATCH (n), () WHERE n.id = 1 UNWIND n.l AS x RETURN 1 AS y", "ambiguous column name: value"),
    ]
    for number, (text, said) in enumerate(asked):
        recipe = alone.Recipe(query(text))
        found = triaged("graphqlite", "alone", recipe, "internal-error", tmp_path, one, said, number)
        assert ledger.found(found)[1] == (number == 0), found.beside


@pytest.mark.parametrize("engine", ["kuzu", "ladybug"])
def test_a_group_whose_count_is_shown_and_a_distinct_are_one_finding(engine, tmp_path):
    found = wrong(engine, "MATCH ()-[r]-() WITH r, count(*) AS x RETURN x AS y", tmp_path)
    assert found.bucket == ("distinct", "undirected", "with"), found.texts


def test_a_condition_in_a_subquery_is_told_without_it(tmp_path):
    recipe = alone.Recipe(query("MATCH () WHERE EXISTS { MATCH (n) WHERE {x: n.b}.x } RETURN 1 AS x"))
    found = triaged("kuzu", "alone", recipe, "internal-error", tmp_path, NAMELESS["kuzu"], "bad_function_call")
    assert found.called() == 'kuzu: internal-error: condition, map lookup: "bad_function_call"'


def test_what_needs_two_nodes_is_not_told_with_relationships(tmp_path):
    loops = (ir.Edge(1, 0, 0, "S"), ir.Edge(2, 0, 0, "T"))
    scene = ir.Scene(ir.Schema(("A",), ("S", "T"), (ir.Key("b", "bool"),)), (ir.Vertex(0, ("A",)),), loops)
    text = "MATCH ()-[]-(n) OPTIONAL MATCH ()-[]->()-[:T]->() WHERE n.b IS NULL RETURN 1 AS x"
    found = wrong("ladybug", text, tmp_path, scene=scene)
    assert found.texts["query"] == "MATCH (n) OPTIONAL MATCH () WHERE n.b IS NULL RETURN 1 AS x"
    assert found.called() == "ladybug: logic: condition on earlier variables, missing value, optional match"


@falkordb
@pytest.mark.parametrize("rest", ["WITH DISTINCT m RETURN 1 AS x", "RETURN DISTINCT m.k AS x", "RETURN m.k AS x"])
def test_what_is_done_with_a_wrong_row_is_no_part_of_its_title(rest, tmp_path):
    edge = ir.Scene(ir.Schema((), ("T",), (ir.Key("k", "int"),)), (NODES[0], ir.Vertex(1)), (ir.Edge(2, 1, 0, "T"),))
    edge = msgspec.structs.replace(edge, vertices=tuple(msgspec.structs.replace(v, labels=()) for v in edge.vertices))
    found = wrong("falkordb@4.22.1", f"MATCH (n) OPTIONAL MATCH (n:A)-[]->(m) {rest}", tmp_path, scene=edge)
    assert found.bucket == ("label on a bound node", "optional match"), found.texts
    assert found.texts["query"].startswith("MATCH (n) OPTIONAL MATCH (n:A), ("), "nor is the edge"


@falkordb
@pytest.mark.parametrize(
    "form", ["reduce(z = 1, y IN [1] | r.id)", "[y IN [1] WHERE r.id = 2]", "any(y IN [1] WHERE r.id = 2)"]
)
def test_what_is_done_for_each_element_is_no_part_of_a_title_where_any_such_form_is_wrong(form, tmp_path):
    """FalkorDB keeps the last row's value for the inner expression where this row has none."""
    edge = ir.Scene(ir.Schema((), ("T",)), (ir.Vertex(0), ir.Vertex(1)), (ir.Edge(2, 0, 1, "T"),))
    text = f"MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN {form} AS x"
    found = wrong("falkordb@4.22.1", text, tmp_path, scene=edge)
    assert found.bucket == ("list comprehension", "optional match"), found.texts


@falkordb
def test_how_long_a_path_is_is_named_where_a_shorter_one_is_right(tmp_path):
    scene = ir.Scene(ir.Schema((), ("T",)), (ir.Vertex(0), ir.Vertex(1)), (ir.Edge(2, 0, 1, "T"),))
    text = "MATCH (n) OPTIONAL MATCH (n)-[r]->()-[]->() RETURN r.id AS x"
    found = wrong("falkordb@4.22.1", text, tmp_path, scene=scene)
    assert found.called() == "falkordb: logic: optional match, path of several edges"


@falkordb
def test_the_operator_without_which_nothing_dies_is_named(tmp_path):
    recipe = alone.Recipe(query("MATCH () WHERE ()-[]->() XOR true RETURN 1 AS x"))
    scene = ir.Scene(ir.Schema((), ("T",)), (ir.Vertex(0),))
    found = triaged("falkordb@4.22.1", "alone", recipe, "crash", tmp_path, scene, "SIGSEGV: HashTableAddRaw")
    assert found.called() == "falkordb: crash: XOR, subquery pattern, where: SIGSEGV: HashTableAddRaw"


@falkordb
@pytest.mark.parametrize("pattern", ["(n:A:B)-[*0..1]->(n)", "(n:A)-[*0..1]->(n:B)"])
def test_a_cycle_without_which_nothing_is_wrong_is_named(pattern, tmp_path):
    scene = ir.Scene(ir.Schema(("A", "B"), ("T",)), (ir.Vertex(0, ("A",)),))
    found = wrong("falkordb@4.22.1", f"MATCH {pattern} RETURN 1 AS x", tmp_path, scene=scene)
    assert found.called().endswith("cycle in pattern, several labels, variable length, walk of no step")


def is_told_shortest(found):
    return isinstance(found, events.Finding) and found.status == "confirmed" and "MATCH" not in found.texts["question"]


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(
    "clauses",
    # What dies by chance is often not reduced to the shortest
    ["RETURN 1 AS x, {}", pytest.param("MATCH (n) WITH n, {} RETURN 1 AS x", marks=pytest.mark.more)],
)
def test_a_death_and_a_wrong_answer_over_one_question_are_one_finding(clauses, first, tmp_path):
    """Kùzu never feeds what is aggregated after a DISTINCT aggregate: count() is then wrong, and collect() dies."""
    ledger = Ledger()
    dies = alone.Recipe(query(clauses.format("count(DISTINCT 0) AS y, collect(0) AS z")))
    # It reads memory that is not its own: now and then a smaller case lives.
    deaths = (triaged("kuzu", "alone", dies, "crash", tmp_path, detail="SIGABRT") for _ in range(8))
    found = [
        next(death for death in deaths if is_told_shortest(death)),
        wrong("kuzu", "RETURN 1 AS x, count(DISTINCT 1) AS y, count(*) AS z", tmp_path, 1),
    ]
    assert [ledger.found(new)[1] for new in found[first:] + found[:first]] == [True, False]


@pytest.mark.parametrize(
    "where",
    [
        "WHERE [x IN [] | n.k] = [] RETURN 1",
        "WHERE [x IN [] | {x: n.k}.x] = [] RETURN 1",
        "RETURN count([x IN [] | n])",
    ],
)
@pytest.mark.parametrize("first", [0, 1])
def test_an_error_and_a_wrong_answer_over_one_question_are_one_finding(first, where, tmp_path):
    ledger, none = Ledger(), ir.Scene(ir.Schema((), (), (ir.Key("k", "int"),)))
    breaks = alone.Recipe(query(f"MATCH (n) {where} AS y"))
    said = "misuse of aggregate: json_group_array()"
    found = [
        triaged("graphqlite", "alone", breaks, "internal-error", tmp_path, none, said),
        wrong("graphqlite", "MATCH (n) RETURN [y IN [] | n.k] AS x", tmp_path, 1, none),
    ]
    assert [ledger.found(new)[1] for new in found[first:] + found[:first]] == [True, False]


@falkordb
@pytest.mark.parametrize("pattern", ["()-[*0..1]->(n)", "(n)-[*0..]->(m) WHERE m.b"])
def test_that_nothing_is_left_to_be_wrong_is_no_reason_for_a_name(pattern, tmp_path):
    """A walk of one step leads nowhere on this graph: that the answer is then right says nothing of walks. Nor does a
    condition without which the engine would begin at the other end."""
    text = f"MATCH {pattern} OPTIONAL MATCH (n:B) RETURN 1 AS x"
    scene = ir.Scene(ir.Schema(("B",), ("T",), (ir.Key("b", "bool"),)), (ir.Vertex(0, (), (ir.Kept("b", ir.TRUE),)),))
    found = wrong("falkordb@4.22.1", text, tmp_path, scene=scene)
    assert found.called() == "falkordb: logic: label on a bound node, optional match, variable length"


FROM = ("MATCH () WITH {x: 0.0}.x AS x RETURN x AS x", 'near "FROM": syntax error')
COMMA = ("WITH {x: 1}.x AS x, 1 AS y RETURN y AS y", 'near ",": syntax error')
AND = ("MATCH (n) OPTIONAL MATCH (n) WHERE true RETURN 1 AS x", 'near "AND": syntax error')
WITH = ("MATCH (n) WITH * RETURN min(n.k) AS x", "no such column: _with_0.n.id")
UNWIND = ("MATCH (n) UNWIND [''] AS x RETURN min(n.s) AS y", "no such column: _unwind_0.n.id")
PARTS = ("MATCH ()-[]->(), () RETURN 1 AS x", "no such column: n_5.id")
OF_EDGE = ("MATCH ()-[r]->() WITH r RETURN min(r.id) AS x", "no such column: _with_0.r.id")
LEFT = ("OPTIONAL MATCH ()<-[]-(n) RETURN 1 AS x", "no such column: _gql_default_alias_1.id")
LISTED = ("MATCH () WHERE [x IN []] = [] UNWIND [1] AS y RETURN 1 AS z", "no such column: json_each.value")
REDUCED = (
    "MATCH () WHERE 0 < reduce(x = 1, y IN [] | x) UNWIND [1] AS z RETURN z AS a",
    "no such column: _reduce_0.acc",
)
SINGLE = ("MATCH (:B) WHERE single(x IN [0] WHERE true) WITH * RETURN 1 AS y", "no such column: _je_0.value")
SINGLE_OVER_NOTHING = ("MATCH () WHERE single(x IN [] WHERE null) WITH * RETURN 1 AS y", "no such column: _je_0.value")
STAR = ("MATCH () WITH * WHERE none(x IN [] WHERE null) RETURN 1 AS y", "no such column: _je_0.value")
CYCLE = ("OPTIONAL MATCH (n)-[]->(m)-[]->(n), () RETURN 1 AS x", "ambiguous column name: main._gql_default_alias_0.id")
CYCLES = (
    "MATCH () OPTIONAL MATCH ()-[]->(n)-[]->(n) RETURN 1 AS x",
    "ambiguous column name: _gql_default_alias_0.id",
)
CYCLE_BESIDE = ("OPTIONAL MATCH (), ()-[]->(n)-[]->(n) RETURN 1 AS x", CYCLE[1])
CYCLE_FIRST = ("OPTIONAL MATCH ()-[]->(n)-[]->(n), () RETURN 1 AS x", CYCLE[1])
CYCLE_BEFORE = (
    "OPTIONAL MATCH ()-[]->(n)-[]->(n) MATCH () RETURN 1 AS x",
    "ambiguous column name: _gql_default_alias_0.id",
)
LEFT_KEYED = ("OPTIONAL MATCH ({b: true})<-[]-() RETURN 1 AS x", "ON clause references tables to its right")


@pytest.mark.parametrize(
    ("one", "two", "is_one"),
    [
        (FROM, COMMA, True),
        (COMMA, FROM, True),
        (WITH, UNWIND, True),
        (UNWIND, WITH, True),
        (UNWIND, OF_EDGE, True),
        (OF_EDGE, UNWIND, True),
        (LEFT, LEFT_KEYED, True),
        (LEFT_KEYED, LEFT, True),
        (LISTED, REDUCED, True),
        (REDUCED, LISTED, True),
        (SINGLE, LISTED, True),
        (STAR, LISTED, True),
        (CYCLE, CYCLES, True),
        (CYCLES, CYCLE, True),
        (CYCLE_BESIDE, CYCLE_BEFORE, True),
        (CYCLE_BEFORE, CYCLE_BESIDE, True),
        (CYCLE_FIRST, CYCLE_BEFORE, True),
        (CYCLE_BEFORE, CYCLE_FIRST, True),
        (FROM, STAR, False),
        (SINGLE_OVER_NOTHING, FROM, False),
        (FROM, SINGLE_OVER_NOTHING, False),
        (LISTED, WITH, False),
        (LEFT, WITH, False),
        (AND, FROM, False),
        (PARTS, WITH, False),
    ],
)
def test_an_error_is_one_finding_whatever_word_a_parser_stumbles_at_and_two_causes_stay_two(one, two, is_one, tmp_path):
    """GraphQLite says 'near ...: syntax error' and 'no such column: ...' of many causes."""
    ledger = Ledger()
    keys = (ir.Key("k", "int"), ir.Key("s", "str"), ir.Key("b", "bool"))
    scene = ir.Scene(ir.Schema(("B",), ("T",), keys))
    found = [
        triaged("graphqlite", "alone", alone.Recipe(query(text)), "internal-error", tmp_path, scene, said, number)
        for number, (text, said) in enumerate((one, two))
    ]
    assert [ledger.found(new)[1] for new in found] == [True, not is_one], [f.loosest for f in found]


def test_a_null_is_told_as_one_whatever_it_comes_from(tmp_path):
    """GraphQLite has null for the sum of nothing."""
    found = wrong("graphqlite", "RETURN sum(([])[1]) AS x", tmp_path, scene=BARE)
    assert found.bucket == ("aggregate sum",), found.texts


@pytest.mark.parametrize("first", [0, 1])
def test_what_is_wrong_on_a_null_is_one_finding_wherever_the_null_comes_from(first, tmp_path):
    """GraphQLite has 0 for the sign of null."""
    ledger = Ledger()
    scene = ir.Scene(ir.Schema((), (), (ir.Key("k", "int"),)), (ir.Vertex(0),))
    none = replace(scene, vertices=())
    asked = [("OPTIONAL MATCH (n) RETURN sign(n.id) AS x", none), ("MATCH (n) RETURN sign(n.k) AS x", scene)]
    for number, (text, graph) in enumerate(asked[first:] + asked[:first]):
        known = list(ledger.findings.values())
        kept, is_new = ledger.found(wrong("graphqlite", text, tmp_path, number, graph, known))
        assert is_new == (number == 0)
    assert kept.bucket == ("sign",), "told by the plainer one"


def test_a_boolean_of_a_case_is_one_finding_whatever_reads_it(tmp_path):
    """GraphQLite's CASE gives SQL's 1 for true."""
    ledger = Ledger()
    inner = "CASE WHEN null THEN null ELSE true END"
    for number, text in enumerate([f"RETURN toString({inner}) AS x", f"RETURN {inner} = true AS x"]):
        kept, is_new = ledger.found(wrong("graphqlite", text, tmp_path, number, BARE))
        assert is_new == (number == 0) and kept.bucket == ("case",), kept.texts
    assert kept.called() == "graphqlite: logic: boolean, case"


WITH_NUMBER = ir.Scene(ir.Schema(("A",), (), (ir.Key("m", "int"),)), (ir.Vertex(0, ("A",)),))
THREE = ir.Scene(
    ir.Schema(("A", "B"), ("T",)),
    (ir.Vertex(0, ("B",)), ir.Vertex(1, ("B",)), ir.Vertex(2, ("A",)), ir.Vertex(3, ("B",))),
    (ir.Edge(4, 1, 0, "T"), ir.Edge(5, 1, 0, "T"), ir.Edge(6, 0, 3, "T")),
)


@pytest.mark.parametrize(
    ("engine", "one", "two"),
    [
        (
            "ladybug",
            (
                "MATCH ()<-[]-(n)-[]->()<-[]-(n) RETURN 1 AS x",
                replace(PARALLEL, edges=(*PARALLEL.edges, ir.Edge(4, 1, 0, "T"))),
            ),
            ("MATCH (n)-[]->(m)-[]->() MATCH (n)-[]->(m:B) RETURN 1 AS x", THREE),
        ),
        (
            "graphqlite",
            ("RETURN toString(all(y IN [] WHERE y)) AS x", NONE),
            ("RETURN toString(isEmpty('')) AS x", NONE),
        ),
        (
            "graphqlite",
            ("RETURN CASE WHEN null THEN true ELSE true END = true AS x", NONE),
            ("RETURN coalesce(false, true, null) = false AS x", NONE),
        ),
    ],
)
def test_what_can_be_said_in_a_plainer_form_is_one_finding_with_what_is_said_so(engine, one, two, tmp_path):
    ledger = Ledger()
    for number, (text, scene) in enumerate((one, two)):
        known = list(ledger.findings.values())
        kept, is_new = ledger.found(wrong(engine, text, tmp_path, number, scene, known))
        assert is_new == (number == 0), kept.texts


@pytest.mark.parametrize("first", [0, 1])
def test_a_condition_that_is_put_behind_the_clause_before_it_breaks_and_lies_as_one_finding(first, tmp_path):
    """GraphQLite writes FROM nodes AS n AND 1, and LEFT JOIN nodes AS n ON 1=1 AND 0."""
    ledger = Ledger()
    text, words = AND
    scene = ir.Scene(ir.Schema(), (ir.Vertex(0),))
    found = [
        triaged("graphqlite", "alone", alone.Recipe(query(text)), "internal-error", tmp_path, scene, words),
        wrong("graphqlite", "OPTIONAL MATCH (n) OPTIONAL MATCH (n) WHERE null RETURN n.id AS x", tmp_path, 1, scene),
    ]
    assert [ledger.found(new)[1] for new in found[first:] + found[:first]] == [True, False]


def test_a_word_goes_where_something_else_in_its_place_is_as_wrong(tmp_path):
    """The property is tested as wrongly in WHERE."""
    text = "MATCH (n), (m) OPTIONAL MATCH (m), (n {m: 1}) RETURN n.id AS x"
    found = wrong("kuzu", text, tmp_path, scene=WITH_NUMBER)
    assert found.called() == "kuzu: logic: condition, optional match, several patterns"


@pytest.mark.parametrize("first", [0, 1])
def test_an_error_in_other_words_over_a_question_with_a_name_more_is_said_in_the_finding(first, tmp_path):
    ledger, none = Ledger(), ir.Scene(ir.Schema((), ("T",), (ir.Key("b", "bool"),)))
    two = [LEFT, LEFT_KEYED][first:] + [LEFT, LEFT_KEYED][:first]
    for number, (text, words) in enumerate(two):
        recipe = alone.Recipe(query(text))
        kept, _ = ledger.found(triaged("graphqlite", "alone", recipe, "internal-error", tmp_path, none, words, number))
    assert [told.partition(" over ")[0] for told in kept.otherwise] == [two[1][1]]
    raw = events.Raw(CaseName("graphqlite", 9, "alone", 0), "internal-error", detail=two[1][1])
    assert ledger.repeats_of(raw) == kept.id, "also before it is looked at"


def test_a_wrong_answer_in_which_two_bugs_meet_is_no_part_of_the_one_that_breaks_the_engine(tmp_path):
    """GraphQLite numbers unnamed nodes of several patterns wrongly; besides, it matches one edge twice."""
    ledger = Ledger()
    recipe = alone.Recipe(query(PARTS[0]))
    ledger.found(triaged("graphqlite", "alone", recipe, "internal-error", tmp_path, BARE, PARTS[1]))
    assert ledger.found(wrong("graphqlite", "MATCH ()-[]->(), ()-[]->() RETURN 1 AS x", tmp_path, 1, BARE))[1]


@falkordb
@pytest.mark.parametrize("first", [0, 1, 2])
def test_one_plan_that_dies_breaks_and_lies_is_one_finding(first, tmp_path):
    """FalkorDB takes a relationship's type for the label to scan, beside -[*2..2]->: without a type it dies, on an
    empty graph it breaks."""
    ledger, bare = Ledger(), ir.Scene(ir.Schema(("A", "B"), ("S",), (ir.Key("s", "str"),)))
    loops = msgspec.structs.replace(
        bare, vertices=(ir.Vertex(0, ("A",)),), edges=(ir.Edge(1, 0, 0, "S"), ir.Edge(2, 0, 0, "S"))
    )
    node = msgspec.structs.replace(bare, vertices=(ir.Vertex(0, ("B",)),))
    dies = alone.Recipe(query("MATCH ()-[*2..2]->(:B)-[]->() RETURN 1 AS x"))
    breaks = alone.Recipe(query("MATCH (:A {s: ''})-[*2..2]->({s: ''}) RETURN 1 AS x"))
    engine, words = "falkordb@4.22.1", ("SIGSEGV: GraphContext_GetSchema", "Unable to resolve filtered alias '@anon_1'")
    found = [
        triaged(engine, "alone", dies, "crash", tmp_path, node, words[0]),
        triaged(engine, "alone", breaks, "internal-error", tmp_path, bare, words[1], 1),
        wrong(engine, "MATCH (n:A)-[]->() MATCH ()-[:S*2..2]->(n) RETURN 1 AS x", tmp_path, 2, loops),
    ]
    assert [ledger.found(new)[1] for new in found[first:] + found[:first]] == [True, False, False]

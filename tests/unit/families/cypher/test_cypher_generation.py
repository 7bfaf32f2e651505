"""Patterns, conditions, fixed questions, settings and probes: what queries are made of."""

import re
from pathlib import Path

import pytest

from cypher_standin import DIALECTS, FAMILY, Standin, cases, graph, like_kuzu, scene, seats
from gainsay.core.draw import Draw, seed_for
from gainsay.core.tree import walk
from gainsay.errors import UsageError
from gainsay.families.cypher import probe
from gainsay.families.cypher.drawing import fixed_questions, lexicon, queries
from gainsay.families.cypher.drawing.conditions import Conditions
from gainsay.families.cypher.drawing.expressions import Expressions, Scope
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.reader import read
from gainsay.families.cypher.language.scopes import has_bare
from gainsay.families.cypher.meaning import types
from gainsay.families.cypher.meaning.graph import NodeV, RelV
from gainsay.families.cypher.meaning.scene_cache import OPEN, SceneCache, profile_of

SEATED = seats()
STANDARD = profile_of(SEATED)
TEXT = FAMILY.dialect("neo4j").text


def composer(number, seated=SEATED, name="composer"):
    return queries.Composer(
        Draw(seed_for(number, name)), SceneCache(scene(number, seated)), seated.lexicon, profile_of(seated)
    )


# --- patterns ---


def clauses(count=150, optional=False):
    """Drawn patterns with their witness and their matches."""
    for number in range(count):
        made = composer(number)
        paths, witness = made.weaver.clause({}, optional)
        try:
            rows = made.evaluator.clause(ir.Match(paths), [{}])
        except OPEN:
            continue
        yield made, paths, witness, rows


def is_at(row, witness):
    """Whether a match is the place that a pattern was taken from; paths are made anew by each match."""
    return all(row[n] is v for n, v in witness.items() if isinstance(v, (NodeV, RelV)))


def test_the_witness_satisfies_its_pattern():
    for _, paths, witness, rows in clauses():
        assert any(is_at(row, witness) for row in rows), TEXT(ir.Match(paths))


def test_the_witness_satisfies_a_second_clause_that_goes_on_from_it():
    for made, _, witness, rows in clauses(100):
        more, known = made.weaver.clause(witness, False)
        try:
            found = made.evaluator.clause(ir.Match(more), [row for row in rows if is_at(row, witness)])
        except OPEN:
            continue
        assert any(is_at(row, known) for row in found), TEXT(ir.Match(more))


def test_pieces_of_one_region_share_variables_and_regions_share_none():
    shared = 0
    for made, paths, _, _ in clauses(300):
        names = [{p.start.var, *(h.node.var for h in p.hops)} - {""} for p in paths]
        for one in range(len(paths)):
            for two in range(one):
                common = names[one] & names[two]
                shared += bool(common)
                assert len({made.weaver.owner[n] for n in common}) <= 1
        regions = {}
        for path, listed in zip(paths, names, strict=True):
            owners = {made.weaver.owner[n] for n in listed}
            assert len(owners) <= 1, f"a path is in one region: {TEXT(path)}"
            for owner in owners:
                regions.setdefault(owner, set()).update(listed)
        for one, listed in regions.items():
            assert all(listed.isdisjoint(other) for two, other in regions.items() if two != one)
    assert shared > 60


def test_no_edge_is_used_twice_in_a_clause():
    for _, _, witness, rows in clauses(200):
        rels = [v for v in witness.values() if isinstance(v, RelV)]
        assert len(rels) == len(set(map(id, rels)))
        assert rows, "relationship uniqueness leaves the witness"


def test_a_later_clause_begins_where_an_earlier_one_was_in_most_cases():
    joined = total = 0
    for made, _, witness, _ in clauses(200):
        more, _ = made.weaver.clause(witness, False)
        names = {n.var for _, n in walk(more) if isinstance(n, ir.NodePat)}
        joined += bool(names & witness.keys())
        total += any(isinstance(v, NodeV) for v in witness.values())
    assert 0.5 * total < joined


def test_labels_and_types_of_a_pattern_are_those_of_the_elements():
    kept = dropped = 0
    for _, paths, witness, _ in clauses(150):
        for _, n in walk(paths):
            if isinstance(n, ir.NodePat) and n.var and not n.is_any:
                assert set(n.labels) <= witness[n.var].labels
                kept += bool(n.labels)
                dropped += bool(witness[n.var].labels) and not n.labels
    assert kept > 30 and dropped > 30


def test_an_optional_pattern_may_miss():
    missed = sum(not rows for _, _, _, rows in clauses(300, optional=True))
    assert 5 < missed < 200


def test_without_guidance_patterns_have_nothing_to_do_with_the_graph():
    missed = 0
    for number in range(150):
        made = composer(number)
        paths, witness = made.weaver.blind({}, {})
        missed += not made.evaluator.clause(ir.Match(paths), [{}])
        assert {n.var for _, n in walk(paths) if isinstance(n, ir.NodePat)} <= witness.keys()
    assert missed > 30


# --- conditions ---

GRAPH = graph(
    "CREATE (n:A {id: 1, k: 3, s: 'abc', b: true, f: 1.5}), (m:B {id: 2, k: 3, b: false}), (o:A {id: 3}), (n)-[:T {id: 4}]->(m)"
)


def conditions(number, row_names=("n", "m", "o")):
    draw = Draw(seed_for(number, "conditions"))
    evaluator = SceneCache(GRAPH).evaluator(STANDARD)
    found = {
        n: node
        for n, node in zip("nmo", sorted(SceneCache(GRAPH).graph.nodes, key=lambda v: v.id), strict=True)
        if n in row_names
    }
    scope = Scope(dict.fromkeys(found, "node"), GRAPH.schema)
    return Conditions(draw, Expressions(draw, SEATED.lexicon), evaluator), scope, found


@pytest.mark.parametrize("want", [True, False])
@pytest.mark.parametrize("depth", [0, 1, 2, 4])
def test_a_condition_from_the_top_down_has_the_wanted_truth(want, depth):
    connectives = set()
    made = 0
    for number in range(200):
        maker, scope, row = conditions(number)
        found = maker.wanted(scope, row, want, depth)
        if found is not None:
            made += 1
            assert maker.evaluator.value(found, row) is want, TEXT(found)
            connectives |= {n.op for _, n in walk(found) if isinstance(n, ir.Op)} & {"AND", "OR", "XOR", "NOT"}
    assert made > 150
    if depth > 1:
        assert connectives == {"AND", "OR", "XOR", "NOT"}


@pytest.mark.parametrize(
    ("form", "want", "got", "rest"),
    [
        ("AND", True, True, True), ("AND", False, False, None), ("AND", False, True, False), ("AND", False, None, False),
        ("OR", True, True, None), ("OR", True, False, True), ("OR", True, None, True), ("OR", False, False, False),
        ("XOR", True, True, False), ("XOR", True, False, True), ("XOR", False, True, True), ("XOR", False, False, False),
        ("AND", None, True, None), ("OR", None, False, None), ("XOR", None, True, None),
    ],
)  # fmt: skip
def test_the_second_operand_gets_what_the_first_has_left(form, want, got, rest):
    assert Conditions.rest(form, want, got) is rest


def test_the_first_operand_is_free_where_it_can_do_no_harm():
    """Lazy splitting: both values, and null, are met on the left of an OR that is true."""
    seen = set()
    for number in range(400):
        maker, scope, row = conditions(number)
        found = maker.wanted(scope, row, True, 2)
        if isinstance(found, ir.Op) and found.op == "OR":
            seen.add(maker.evaluator.value(found.args[0], row))
    assert {True, False} <= seen


@pytest.mark.parametrize("value", ["abc", "", "a"])
@pytest.mark.parametrize("truth", [True, False])
def test_a_string_match_has_the_wanted_truth(value, truth):
    """GDsmith makes its constants super-strings, for which CONTAINS is false."""
    seen = set()
    for number in range(60):
        maker, _, row = conditions(number)
        found = maker.matched(ir.Lit("str", value), value, truth)
        assert maker.evaluator.value(found, row) is truth, TEXT(found)
        seen.add(found.op)
    assert seen == {"STARTS WITH", "ENDS WITH", "CONTAINS"}


def test_any_expression_is_made_true():
    kinds = set()
    for number in range(500):
        maker, scope, row = conditions(number)
        maker.expressions.is_condition = True
        found = maker.rectified(scope, row, 3)
        if found is not None:
            assert maker.evaluator.value(found, row) is True, TEXT(found)
            kinds.add(found.op if isinstance(found, ir.Op) else found.__class__.__name__)
            assert not (isinstance(found, ir.Op) and found.op == "IS NULL" and has_bare(found))
    assert {"NOT", "IS NULL"} <= kinds and len(kinds) > 10


def test_there_is_no_condition_where_nothing_is_known():
    maker, _, row = conditions(1, ("o",))
    bare = Scope({}, ir.Schema())
    assert maker.wanted(bare, row, True, 0) is None


def test_expressions_are_of_the_type_that_was_asked_for():
    for number in range(300):
        maker, scope, _ = conditions(number)
        for kind in (*lexicon.SCALARS, *lexicon.LISTS):
            found = maker.expressions.expr(kind, scope, 2)
            try:
                got = types.Typist(GRAPH.schema).of(found, scope.types)
            except types.IllTyped:
                assert "[]" in TEXT(found), TEXT(found)  # pinned in test_cypher_typist.py
                continue
            assert types.fits(got, kind) or "[]" in TEXT(found), (kind, TEXT(found))


def test_a_bare_pattern_is_no_value():
    for number in range(400):
        maker, scope, _ = conditions(number)
        assert not has_bare(maker.expressions.expr("bool", scope, 3))


# --- the fixed questions ---


def test_every_fixed_question_belongs_to_one_of_the_first_episodes():
    asked = []
    for number in range(20):
        made = fixed_questions.scene(number, SEATED.lexicon)
        if made is None:
            break
        found = fixed_questions.questions(made)
        assert 0 < len(found) <= fixed_questions.PART
        asked += map(TEXT, found)
    assert asked == [TEXT(read(q)) for q in fixed_questions.QUESTIONS]
    assert fixed_questions.questions(scene(1, SEATED)) == []


def test_every_fixed_question_is_typed_and_determined():
    made = fixed_questions.scene(0, SEATED.lexicon)
    for text in fixed_questions.QUESTIONS:
        question = read(text)
        assert SceneCache(made).rows(question, STANDARD) is not None, text
        assert types.is_typed(made.schema, question), text


def test_the_fixed_questions_are_for_one_engine():
    both = seats()
    both.lexicon.profiles = (STANDARD, profile_of(like_kuzu()))
    assert fixed_questions.scene(0, both.lexicon) is None
    assert fixed_questions.scene(0, seats(refused=frozenset({"graph:pairs"})).lexicon) is None


# --- settings ---


@pytest.mark.parametrize(
    ("key", "value", "part"),
    [("clauses", "0", "1 to 9"), ("clauses", "10", "1 to 9"), ("clauses", "x", "1 to 9"), ("nodes", "0", "1 to 128"), ("nodes", "-3", "1 to 128"), ("nodes", "129", "1 to 128"),
     ("guidance", "ful", "Did you mean full"), ("guidance", "", "no such guidance")],
)  # fmt: skip
def test_a_wrong_setting_is_told(key, value, part):
    with pytest.raises(UsageError, match=part):
        seats(**{key: value})


def test_operators_that_are_refused_are_in_no_list():
    made = seats(refused=frozenset({"op:+/int,int", "op:XOR", "op:size/str"})).lexicon
    assert ("+", ("int", "int")) not in made.by_result["int"] and ("+", ("float", "float")) in made.by_result["float"]
    assert not any(op == "XOR" for choices in made.by_result.values() for op, _ in choices)
    assert ("size", ("str",)) not in made.by_result["int"] and ("size", ("ints",)) in made.by_result["int"]
    lacking = seats(dialect="kuzu").lexicon
    assert not any(op in ("toInteger", "labels", "head") for choices in lacking.by_result.values() for op, _ in choices)


# --- probes ---

SOURCES = [
    *sorted(Path(lexicon.__file__).parents[1].rglob("*.py")),
    *sorted((Path(lexicon.__file__).parents[3] / "oracles").glob("cypher_*.py")),
]


def named():
    """Features that the sources ask a lexicon for: has("...") as they stand, f-strings as patterns."""
    found = set()
    for path in SOURCES:
        text = path.read_text()
        for call in re.finditer(r'\bhas\((f?)"([^"]+)"(?: if [^)]*? else (f?)"([^"]+)")?', text):
            for is_f, feature in (call.groups()[:2], call.groups()[2:]):
                if feature and re.match(r"\w+:[\w{]", feature):
                    found.add(re.sub(r"\{[^}]*\}", "\0", feature) if is_f else feature)
        for needs in re.finditer(r"^NEEDS = \{(.*?)\}", text, re.S | re.M):
            found |= {f for f in re.findall(r': "([^"]+)"', needs[1]) if ":" in f}
    return found


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_feature_that_is_asked_for_is_probed(dialect):
    probed = {p.feature for p in probe.probes(FAMILY.dialect(dialect))}
    patterns = [re.compile(re.escape(f).replace("\0", ".+") + "$") for f in named()]
    assert len(patterns) > 40
    for pattern in patterns:
        if pattern.pattern.startswith(("op:", "op\\:")) and "/" not in pattern.pattern:
            continue  # an operator as a whole: a dialect may lack it
        assert any(pattern.match(f) for f in probed), pattern.pattern


def test_every_probe_is_about_something_that_is_drawn():
    patterns = [re.compile(re.escape(f).replace("\0", ".+") + "$") for f in named()]
    for feature in {p.feature for p in probe.probes(FAMILY.dialect("neo4j"))}:
        assert feature.startswith("op:") or any(p.match(feature) for p in patterns), feature


@pytest.mark.parametrize("dialect", [d for d in DIALECTS if d != "kuzu"])
def test_a_probe_has_a_name_of_its_own_and_is_taken_by_an_engine_that_takes_everything(dialect):
    names = [p.feature for p in probe.probes(FAMILY.dialect(dialect))]
    assert len(set(names)) == len(names)
    standin = Standin()
    refused = set()
    for each in probe.probes(FAMILY.dialect(dialect)):
        standin.reset()
        for text in (*each.setup, *each.texts):
            answer = standin.ask(text)
            if not hasattr(answer, "rows") and not re.match("agg:(sum|avg) (str|bool)|op:toBoolean", each.feature):
                refused.add((each.feature, text, str(answer)))
    assert not refused


def test_every_operator_is_probed_with_each_typing():
    probed = {p.feature for p in probe.probes(FAMILY.dialect("neo4j"))}
    assert {feature for feature, *_ in lexicon.variants()} <= probed


# --- strength of the oracles that compare an engine with itself ---


def test_a_quarter_of_the_partitions_part_something():
    split = total = 0
    for grown, recipe, _ in cases("partition", 40, None, 5):
        parts = [
            SceneCache(grown).rows(recipe.part(c), STANDARD)
            for c in (recipe.condition, ir.Op("NOT", (recipe.condition,)), ir.Op("IS NULL", (recipe.condition,)))
        ]
        split += sum(bool(p) and p not in ([(0,)], [(None,)]) for p in parts) > 1
        total += 1
    assert split > total / 4, (split, total)

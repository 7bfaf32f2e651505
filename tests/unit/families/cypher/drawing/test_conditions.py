"""Conditions that are true for a witness, and typed expressions."""

import pytest

from cypher_standin import FAMILY, graph, seats
from gainsay.core.draw import Draw, seed_for
from gainsay.core.tree import walk
from gainsay.families.cypher.drawing import lexicon
from gainsay.families.cypher.drawing.conditions import Conditions
from gainsay.families.cypher.drawing.expressions import Expressions, Scope
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.scopes import has_bare
from gainsay.families.cypher.meaning import types
from gainsay.families.cypher.meaning.scene_cache import SceneCache, profile_of

SEATED = seats()
STANDARD = profile_of(SEATED)
TEXT = FAMILY.dialect("neo4j").text


GRAPH = graph(
    "CREATE (n:A {id: 1, k: 3, s: 'abc', b: true, f: 1.5}), (m:B {id: 2, k: 3, b: false}), (o:A {id: 3}), (n)-[:T "
    "{id: 4}]->(m)"
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
        ("AND", True, True, True), ("AND", False, False, None), ("AND", False, True, False),
        ("AND", False, None, False),
        ("OR", True, True, None), ("OR", True, False, True), ("OR", True, None, True), ("OR", False, False, False),
        ("XOR", True, True, False), ("XOR", True, False, True), ("XOR", False, True, True),
        ("XOR", False, False, False),
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
                got = types.ExpressionTypes(GRAPH.schema).of(found, scope.types)
            except types.IllTyped:
                assert "[]" in TEXT(found), TEXT(found)  # pinned in meaning/test_types.py
                continue
            assert types.fits(got, kind) or "[]" in TEXT(found), (kind, TEXT(found))


def test_a_bare_pattern_is_no_value():
    for number in range(400):
        maker, scope, _ = conditions(number)
        assert not has_bare(maker.expressions.expr("bool", scope, 3))

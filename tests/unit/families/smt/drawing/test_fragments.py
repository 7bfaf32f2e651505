"""Algorithm 1's first phase on small formulas: which predicates there are, how deep they are, and how they are
defined."""

from gainsay.families.smt.drawing import fragments
from gainsay.families.smt.drawing.pool import Pool, free_prefix
from gainsay.families.smt.language import reader, writer
from gainsay.families.smt.language.ir import Decl, Fragment, Scene
from gainsay.families.smt.meaning.semantics import Evaluation

SCRIPT = (
    "(set-logic ALL)(declare-fun x () Int)(declare-fun a () Bool)(assert (=> (and a (< x 1)) (= (ite a x 2) "
    "3)))(assert (forall ((b Bool)) (or a b)))"
)


def read():
    return reader.read(SCRIPT)


def test_every_boolean_part_outside_quantifiers_is_a_predicate_once():
    found = [writer.text(t) for t in fragments.predicates(read().asserts)]
    assert set(found) == {
        "(=> (and a (< x 1)) (= (ite a x 2) 3))",
        "(and a (< x 1))",
        "a",
        "(< x 1)",
        "(= (ite a x 2) 3)",
        found[-1],
    }
    assert found[-1].startswith("(forall") and len(found) == 6


def test_depth_is_counted_in_connectives():
    depths = fragments.Depths()
    assert {writer.text(t): depths.of(t) for t in fragments.predicates(read().asserts)[:5]} == {
        "(=> (and a (< x 1)) (= (ite a x 2) 3))": 2, "(and a (< x 1))": 1, "a": 0, "(< x 1)": 0, "(= (ite a x 2) 3)": 0,
    }  # fmt: skip


def test_predicates_that_are_too_deep_are_left_out_and_those_without_value_are_kept_apart():
    known, unknown = fragments.valued(read().asserts, Evaluation({"a": True}), 1)
    assert {writer.text(t): (value, depth) for t, value, depth in known if not t.bound} == {"a": (True, 0)}
    assert {writer.text(t) for t, _ in unknown} == {"(and a (< x 1))", "(< x 1)", "(= (ite a x 2) 3)"}


def test_our_names_begin_as_none_of_theirs_does():
    assert free_prefix(["x", "pp", "p", "px1"], "p") == "p"
    assert free_prefix(["p0"], "p") == "p_"
    assert free_prefix(["p0", "p_7"], "p") == "p__"


def test_a_pool_brings_what_a_formula_needs_and_nothing_else():
    scene = Scene(
        "QF_LIA", (Decl("x", "Int"), Decl("y", "Int")), pool=(Fragment("(< x 1)", True), Fragment("(< y 1)", False))
    )
    text = Pool(scene).script([1], "(check-sat)")
    assert "declare-fun y" in text and "declare-fun x" not in text and "(assert (not p1))" in text
    assert "declare-fun x" in Pool(scene).script([0, 1], "(check-sat)")

"""What a solver's printed model makes of formulas: wrong only where every value is known."""

import pytest

from gainsay.families.smt.language import reader
from gainsay.families.smt.language.ir import Scene
from gainsay.families.smt.meaning import models
from gainsay.families.smt.meaning.scene_cache import SceneCache

SCRIPT = """(set-logic ALL)(declare-sort U 0)(declare-fun x () Int)(declare-fun b () (_ BitVec 3))
(declare-fun f (Int) Int)
(declare-fun a () (Array Int Int))(declare-fun u () U)(declare-fun w () U)
(assert (> x 2))(assert (= b #b101))(assert (= (f x) 1))(assert (= (select a 1) 7))
(assert (distinct u w))(assert (= (div x 0) 5))"""
FULL = {
    "x": "(define-fun x () Int 3)",
    "b": "(define-fun b () (_ BitVec 3) #b101)",
    "f": "(define-fun f ((y Int)) Int (ite (= y 3) 1 0))",
    "a": "(define-fun a () (Array Int Int) (store ((as const (Array Int Int)) 0) 1 7))",
    "u": "(define-fun u () U (as @U_0 U))",
    "w": "(define-fun w () U (as @U_1 U))",
}
ALL_TRUE = [True, True, True, True, True, None]


def truths(**changed):
    script = reader.read(SCRIPT)
    cache = SceneCache(Scene("ALL", script.decls, ("(declare-sort U 0)",)))
    return models.truths(cache, f"({' '.join(v for v in (FULL | changed).values() if v)})", script.asserts)


def test_a_right_model_makes_all_true_but_what_the_standard_leaves_open():
    assert truths() == ALL_TRUE


@pytest.mark.parametrize(
    ("changed", "place", "value"),
    [
        ({"x": "(define-fun x () Int (- 3))"}, 0, False),
        ({"b": "(define-fun b () (_ BitVec 3) #b111)"}, 1, False),
        ({"f": "(define-fun f ((y Int)) Int 0)"}, 2, False),
        ({"a": "(define-fun a () (Array Int Int) ((as const (Array Int Int)) 0))"}, 3, False),
        ({"w": "(define-fun w () U (as @U_0 U))"}, 4, False),
        ({"x": ""}, 0, None),
        ({"f": ""}, 2, None),
        ({"u": ""}, 4, None),
    ],
)
def test_a_wrong_value_is_seen_and_a_missing_one_proves_nothing(changed, place, value):
    assert truths(**changed)[place] is value


def test_a_model_that_can_not_be_read_proves_nothing():
    script = reader.read(SCRIPT)
    assert models.truths(SceneCache(Scene("ALL", script.decls)), "((define-fun x () Int", script.asserts) == [None] * 6
    assert models.truths(SceneCache(Scene("ALL", script.decls)), "(nonsense)", script.asserts).count(False) == 0


def string_desk():
    script = reader.read("(set-logic QF_SLIA)(declare-fun s () String)(assert (= (str.len s) 1))")
    return SceneCache(Scene("QF_SLIA", script.decls)), script.asserts


@pytest.mark.parametrize(("printed", "truth"), [('"a"', True), ('"ab"', False), ('"\\x00"', None), ('"\\u{9}"', None)])
def test_a_string_with_a_backslash_proves_nothing(printed, truth):
    """Old releases of Z3 print one character as \\x00, which is four by the standard: a model with it is no proof."""
    cache, terms = string_desk()
    assert models.truths(cache, f"((define-fun s () String {printed}))", terms) == [truth]


def test_a_grounded_script_has_the_models_definitions_instead_of_declarations():
    cache, terms = string_desk()
    text = models.grounded(
        cache, '(model (define-fun s () String "ab") (define-fun other () Int 1))', terms, "(check-sat)"
    )
    assert text.splitlines() == [
        "(reset)",
        "(set-logic QF_SLIA)",
        '(define-fun s () String "ab")',
        "(assert (= (str.len s) 1))",
        "(check-sat)",
    ]
    assert models.grounded(cache, '((declare-fun e () U) (define-fun s () String ""))', terms, "(check-sat)") == ""

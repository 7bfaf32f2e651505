"""What reproducers read from what a solver printed: verdicts, and the script under the solver's own model."""

import pytest

from gainsay.families.smt.language.printed import truth, under_model, verdicts

SCRIPT = "(declare-fun x () Int)\n(declare-fun y () Int)\n(assert (= x y))\n(check-sat)\n(get-model)"


def test_only_lines_that_are_a_verdict_are_verdicts():
    assert verdicts('sat\n((define-fun x () Int 1))\n unsat \n(error "sat")\n') == [("sat",), ("unsat",)]


@pytest.mark.parametrize("opening", ["(", "(model"])
def test_a_model_stands_where_its_declarations_stood(opening):
    grounded = under_model(SCRIPT, f"sat\n{opening}\n(define-fun x () Int 1)\n)\n")
    lines = ["(declare-fun y () Int)", "(define-fun x () Int 1)", "(assert (= x y))", "(check-sat)"]
    assert [line for line in grounded.splitlines() if line] == lines


@pytest.mark.parametrize(
    ("said", "under_it", "told"),
    [
        ([("sat",)], [("sat",)], "true"),
        ([("sat",)], [("unsat",)], "false"),
        ([("sat",)], [("unknown",)], "unknown"),
        ([("sat",)], [], "unknown"),
        ([("unsat",)], [], "true"),
        ([("unknown",)], [], "unknown"),
    ],
)
def test_a_model_under_which_the_script_is_refuted_is_false(said, under_it, told):
    assert truth(said, under_it) == [(told,)]

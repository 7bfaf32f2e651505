"""Claims about what solvers decide: sat and unsat contradict each other, unknown contradicts nothing, and only DECIDES
is about giving up."""

import pytest

from gainsay.core.answer import Decision, Died, GaveUp, Refused, Rows
from gainsay.core.claim import Claim, Fold, Relation, Side, Verdict, judge, lines

HOLDS, CONTRADICTED, UNDECIDABLE = Verdict.HOLDS, Verdict.CONTRADICTED, Verdict.UNDECIDABLE


def known(*verdicts):
    return Side(value=tuple((v,) for v in verdicts))


def same(left, right):
    return Claim("x", left, Relation.SAME_DECISION, right, "because")


@pytest.mark.parametrize(
    ("said", "expected", "verdict"),
    [
        ("sat", ["sat"], HOLDS), ("unsat", ["sat"], CONTRADICTED), ("sat", ["unsat"], CONTRADICTED),
        ("unsat", ["unsat"], HOLDS),
        ("sat sat", ["sat", "sat"], HOLDS), ("sat unsat", ["sat", "sat"], CONTRADICTED),
        ("unknown unsat", ["sat", "sat"], CONTRADICTED),
        ("unknown sat", ["sat", "sat"], HOLDS), ("unknown unknown", ["sat", "sat"], UNDECIDABLE),
        ("sat", ["sat", "sat"], UNDECIDABLE),
        ("sat unsat sat", ["sat", "sat"], UNDECIDABLE),
    ],
)  # fmt: skip
def test_each_check_of_a_script_is_compared(said, expected, verdict):
    assert judge(same(Side(("a",), Fold.VERDICT), known(*expected)), {"a": Decision(said)}) is verdict


@pytest.mark.parametrize(
    ("a", "b", "verdict"),
    [
        ("sat", "sat", HOLDS),
        ("unsat sat", "sat", HOLDS),
        ("sat unsat", "sat", CONTRADICTED),
        ("sat unknown", "sat", UNDECIDABLE),
        ("unknown sat", "sat", HOLDS),
    ],
)
def test_the_last_verdict_counts_under_last(a, b, verdict):
    claim = same(Side(("a",), Fold.LAST), Side(("b",), Fold.LAST))
    assert judge(claim, {"a": Decision(a), "b": Decision(b)}) is verdict
    assert judge(claim, {"a": Decision(b), "b": Decision(a)}) is verdict


@pytest.mark.parametrize(
    "other", [Refused("script", "no"), GaveUp("timeout"), GaveUp("unknown"), GaveUp("memory"), Died("crash")], ids=repr
)
def test_a_side_without_a_verdict_is_undecidable_never_contradicted(other):
    claim = same(Side(("a",), Fold.VERDICT), Side(("b",), Fold.VERDICT))
    assert judge(claim, {"a": Decision("sat"), "b": other}) is UNDECIDABLE
    assert judge(claim, {"a": other, "b": Decision("unsat")}) is UNDECIDABLE
    assert judge(same(Side(("a",), Fold.VERDICT), known("sat")), {"a": other}) is UNDECIDABLE


@pytest.mark.parametrize(("truth", "verdict"), [("true", HOLDS), ("false", CONTRADICTED), ("unknown", UNDECIDABLE)])
def test_a_model_satisfies_if_every_assertion_is_true_under_it(truth, verdict):
    claim = Claim("x", Side(("a",), Fold.MODEL, ((truth,),)), Relation.SATISFIES, known("true"), "because")
    assert judge(claim, {"a": Decision("sat", "((define-fun x () Int 1))")}) is verdict
    assert judge(claim, {"a": GaveUp("timeout")}) is UNDECIDABLE


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (Decision("sat"), HOLDS), (Decision("unsat"), HOLDS), (GaveUp("unknown"), CONTRADICTED),
        (GaveUp("timeout"), UNDECIDABLE),
        (GaveUp("memory"), UNDECIDABLE), (Refused("script", "no"), UNDECIDABLE), (Died("crash"), UNDECIDABLE),
    ],
    ids=repr,
)  # fmt: skip
def test_only_giving_up_by_itself_does_not_decide(answer, verdict):
    claim = Claim("incomplete", Side(("a",), Fold.VERDICT), Relation.DECIDES, known("sat or unsat"), "because")
    assert judge(claim, {"a": answer}) is verdict


def test_a_relation_of_rows_says_nothing_about_decisions():
    claim = Claim("x", Side(("a",)), Relation.SAME_BAG, Side(("b",)), "because")
    assert judge(claim, {"a": Decision("sat"), "b": Decision("unsat")}) is UNDECIDABLE


def test_a_claim_about_decisions_says_itself_in_words():
    assert (
        same(Side(("instance",), Fold.VERDICT), known("sat", "sat")).words()
        == "verdict on (instance) must be no other than sat sat"
    )
    model = Claim("x", Side(("a",), Fold.MODEL, (("false",),)), Relation.SATISFIES, known("true"), "because")
    assert model.words() == "model given for (a) must be one that makes every assertion true"


def test_a_side_is_shown_as_its_verdicts_or_as_what_was_said_instead():
    side = Side(("a",), Fold.VERDICT)
    claim = same(side, known("sat"))
    assert lines(claim, side, {"a": Decision("sat unsat")}) == ("sat", "unsat")
    assert lines(claim, side, {"a": GaveUp("unknown")}) == ("gave up: unknown",)


def test_a_row_that_holds_a_verdicts_word_is_a_row():
    claim = Claim("x", Side(("a",)), Relation.SAME_BAG, known("true"), "because")
    assert lines(claim, claim.right, {"a": Rows([("true",)])}) == ("('true',)",)
    assert claim.words() == "rows(a) must be the same rows, each as often, as the expected rows"

import pytest

from gainsay.core.answer import GaveUp, Refused, Rows
from gainsay.core.claim import Claim, Fold, Relation, Side, Verdict, judge


def claim(left_fold, relation, right_fold, rule="exact"):
    return Claim("x", Side(("a",), left_fold), relation, Side(("b", "c"), right_fold), "because", rule)


@pytest.mark.parametrize(
    ("a", "b", "c", "left", "relation", "right", "verdict"),
    [
        ([(1,), (2,)], [(1,)], [(2,)], Fold.ROWS, Relation.SAME_BAG, Fold.ROWS, Verdict.HOLDS),
        ([(1,), (1,)], [(1,)], [], Fold.ROWS, Relation.SAME_BAG, Fold.ROWS, Verdict.CONTRADICTED),
        ([(1,), (1,)], [(1,)], [], Fold.ROWS, Relation.SAME_SET, Fold.ROWS, Verdict.HOLDS),
        ([(1,)], [(1,)], [(2,)], Fold.ROWS, Relation.SUBSET, Fold.ROWS, Verdict.HOLDS),
        ([(3,)], [(1,)], [(2,)], Fold.ROWS, Relation.SUBSET, Fold.ROWS, Verdict.CONTRADICTED),
        ([(1,), (2,), (3,)], [(1,)], [(2,)], Fold.ROWS, Relation.CONTAINS, Fold.ROWS, Verdict.HOLDS),
        ([(7,)], [(1, 7)], [(0, 8)], Fold.ROWS, Relation.SAME_BAG, Fold.TRUE_ROWS, Verdict.HOLDS),
        ([(5,)], [(2,)], [(3,)], Fold.TOTAL, Relation.SAME_BAG, Fold.TOTAL, Verdict.HOLDS),
        ([(0,)], [(None,)], [], Fold.TOTAL, Relation.SAME_BAG, Fold.TOTAL, Verdict.HOLDS),
        ([(None,)], [(None,)], [(None,)], Fold.ROWS, Relation.SAME_BAG, Fold.SUM, Verdict.HOLDS),
        ([(1,)], [(1,)], [("a",)], Fold.ROWS, Relation.SAME_BAG, Fold.MIN, Verdict.HOLDS),
        ([("a",)], [(1,)], [("a",)], Fold.ROWS, Relation.SAME_BAG, Fold.MAX, Verdict.HOLDS),
        ([(2,)], [(1,)], [(1,)], Fold.TOTAL, Relation.SAME_BAG, Fold.COUNT, Verdict.HOLDS),
    ],
)
def test_the_judge_folds_and_compares(a, b, c, left, relation, right, verdict):
    answers = {"a": Rows(a), "b": Rows(b), "c": Rows(c)}
    assert judge(claim(left, relation, right), answers) is verdict


@pytest.mark.parametrize("other", [Refused("type", "no"), GaveUp("timeout")])
def test_a_side_without_rows_is_undecidable_never_contradicted(other):
    answers = {"a": Rows([(1,)]), "b": Rows([(2,)]), "c": other}
    assert judge(claim(Fold.ROWS, Relation.SAME_BAG, Fold.ROWS), answers) is Verdict.UNDECIDABLE


def test_a_claim_can_say_itself_in_words():
    assert (
        claim(Fold.ROWS, Relation.SAME_BAG, Fold.ROWS).words()
        == "rows(a) must be the same rows, each as often, as rows(b + c)"
    )

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from gainsay.core.tailor_analyzer import Ingredient, Tuning
from gainsay.tailor.evaluate import Evaluator, Laboratory, cost, is_above
from tailor_standin import TOTAL, Standin

Make = Callable[..., Laboratory]


def tuned(*domains: str) -> Tuning:
    return Tuning(tuple(Ingredient(d) for d in domains))


def test_the_cost_is_that_of_section_5_4_2() -> None:
    assert cost(28, 45, 0.5, 1.0) == (28 + 0.5) / 45
    assert cost(0, 45, 1.0, 1.0) == 1 / 45
    assert cost(0, 45, 1.001, 1.0) == math.inf


def test_fewer_warnings_beat_any_time_and_time_decides_ties() -> None:
    assert cost(5, 10, 9.9, 10) < cost(6, 10, 0.1, 10)
    assert cost(5, 10, 1, 10) < cost(5, 10, 2, 10)


def test_a_recipe_is_the_union_of_its_ingredients_and_their_time(laboratory: Make) -> None:
    score = Evaluator(laboratory(Standin()), 10, 1 << 30).evaluate(tuned("bool", "boxes"))
    assert score.count == 6 and score.open == TOTAL - 6 and score.status == "ok"
    assert score.cpu_s == 0.5 + 0.6
    assert score.cost == cost(TOTAL - 6, TOTAL, 1.1, 10)


def test_proved_properties_are_handed_on_as_assumptions(laboratory: Make) -> None:
    analyzer = Standin(hands_on=True)
    Evaluator(laboratory(analyzer), 10, 1 << 30).evaluate(tuned("bool", "boxes"))
    assert [assumed for _, assumed, _ in analyzer.asked] == [0, 1 | 1 << 10 | 1 << 20]


def test_an_ingredient_has_what_the_earlier_ones_left_of_the_limit(laboratory: Make) -> None:
    analyzer = Standin()
    score = Evaluator(laboratory(analyzer), 1.0, 1 << 30).evaluate(tuned("bool", "boxes"))
    assert not score.is_finished and score.status == "timeout" and score.count == 0
    assert [left for *_, left in analyzer.asked] == [1.0, 0.5]


@pytest.mark.parametrize("status", ["crash", "memory", "hang"])
def test_what_does_not_finish_costs_infinity(laboratory: Make, status: str) -> None:
    analyzer = Standin()
    analyzer.fails["pk"] = status
    score = Evaluator(laboratory(analyzer), 10, 1 << 30).evaluate(tuned("bool", "pk"))
    assert score.cost == math.inf and score.count == 0 and score.status == status


def test_nothing_is_run_twice_and_a_smaller_limit_is_served_by_a_larger_one(laboratory: Make, tmp_path: Path) -> None:
    analyzer = Standin()
    large = Evaluator(laboratory(analyzer), 10, 1 << 30).evaluate(tuned("pk"))
    assert len(analyzer.asked) == 1
    assert Evaluator(laboratory(analyzer), 5, 1 << 30).evaluate(tuned("pk")).proved == large.proved
    assert not Evaluator(laboratory(analyzer), 0.6, 1 << 30).evaluate(tuned("pk")).is_finished
    assert len(analyzer.asked) == 1


def test_a_time_out_serves_every_limit_below_its_own_and_none_above(laboratory: Make) -> None:
    analyzer = Standin()
    for limit, runs in ((0.6, 1), (0.4, 1), (0.6, 1), (2.0, 2)):
        Evaluator(laboratory(analyzer), limit, 1 << 30).evaluate(tuned("pk"))
        assert len(analyzer.asked) == runs, limit


def test_what_is_above_a_time_out_is_not_run(laboratory: Make) -> None:
    analyzer = Standin()
    evaluator = Evaluator(laboratory(analyzer), 1.2, 1 << 30)
    slow = Ingredient("pk", (("delay", "2"),))
    slower = Ingredient("pk", (("delay", "8"), ("narrow", "3")))
    assert evaluator.evaluate(Tuning((slow,))).status == "timeout"
    assert evaluator.evaluate(Tuning((slower,))).status == "timeout"
    assert [i for i, *_ in analyzer.asked] == [slow]
    assert evaluator.laboratory.tally.spared == 1


def test_a_time_out_says_nothing_of_a_run_that_has_less_to_do(laboratory: Make) -> None:
    analyzer = Standin(hands_on=True)
    evaluator = Evaluator(laboratory(analyzer), 1.2, 1 << 30)
    assert evaluator.evaluate(tuned("term-int")).status == "timeout"
    analyzer.base_s = 0.1  # little is left to do
    assert evaluator.evaluate(tuned("bool", "term-int")).status == "ok"


def test_only_monotone_settings_of_the_same_domain_say_that_a_run_is_slower() -> None:
    analyzer = Standin()
    base = Ingredient("pk", (("delay", "2"),))
    assert is_above(analyzer, Ingredient("pk", (("delay", "4"),)), base)
    assert not is_above(analyzer, Ingredient("pk"), base)
    assert not is_above(analyzer, Ingredient("pk", (("backward", "on"), ("delay", "4"))), base)
    assert not is_above(analyzer, Ingredient("oct", (("delay", "4"),)), base)


def test_a_race_ends_what_can_only_be_slower(laboratory: Make) -> None:
    analyzer = Standin()
    evaluator = Evaluator(laboratory(analyzer), 10, 1 << 30, races=True)
    for domain in analyzer.domains.names:  # all that bool leaves open is refuted by somebody
        analyzer.refutes[domain] = 0
    best = evaluator.evaluate(tuned("bool"))
    for index in range(TOTAL):
        if not best.proved >> index & 1:
            evaluator.laboratory._refuted_by[index] = Ingredient("int")
    evaluator.evaluate(tuned("pk"))
    assert analyzer.asked[-1][2] == 10  # the search still goes on from something worse, which pk might replace
    now = evaluator.best
    assert now is not None
    evaluator.rival = now.open
    evaluator.evaluate(tuned("oct"))
    assert analyzer.asked[-1][2] == now.cpu_s


def test_what_one_proves_and_another_refutes_is_a_clash(laboratory: Make) -> None:
    analyzer = Standin()
    analyzer.refutes["pk"] = 0
    evaluator = Evaluator(laboratory(analyzer), 10, 1 << 30)
    evaluator.evaluate(tuned("bool"))
    assert evaluator.laboratory.clashes == []
    evaluator.evaluate(tuned("pk"))
    (clash,) = evaluator.laboratory.clashes
    assert (clash.index, clash.proved_by.domain, clash.refuted_by.domain) == (0, "bool", "pk")

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from gainsay.core.draw import Draw
from gainsay.core.tailor_analyzer import Ingredient, Tuning
from gainsay.tailor import draws
from gainsay.tailor.draws import Odds
from gainsay.tailor.evaluate import Evaluator, Laboratory, Score
from gainsay.tailor.search import ALGORITHMS, Budget, Plan, Search
from tailor_standin import Standin

Make = Callable[..., Laboratory]


def searched(laboratory: Laboratory, plan: Plan, limit: float = 4.0) -> Evaluator:
    evaluator = Evaluator(laboratory, limit, 1 << 30)
    Search(plan, evaluator).run()
    return evaluator


def test_the_thesis_s_budgets() -> None:
    assert Budget().iterations == 40 and Budget(10, 20).iterations == 80
    assert Budget.of(40, 3) == Budget(5, 10, 3) and Budget.of(80, 3) == Budget(10, 20, 3)
    assert all(Budget.of(n, l_max).iterations == n for n in range(1, 90) for l_max in (1, 2, 3, 5))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("order", ["domains", "settings", "mixed"])
def test_every_algorithm_tries_rec_init_and_then_so_many_recipes(laboratory: Make, algorithm: str, order: str) -> None:
    evaluator = searched(laboratory(Standin()), Plan(algorithm, order=order))
    assert len(evaluator.order) == 41 and evaluator.order[0] == Standin().initial()
    assert all(1 <= len(t) <= 3 for t in evaluator.order)
    assert evaluator.best is not None and evaluator.best.cost == min(s.cost for s in evaluator.scores.values())
    assert evaluator.best.count > evaluator.scores[evaluator.order[0]].count


@pytest.mark.parametrize("algorithm", ["rs", "dars"])
def test_phase_one_draws_i_dom_recipes_for_each_ingredient_of_each_length(laboratory: Make, algorithm: str) -> None:
    evaluator = searched(laboratory(Standin()), Plan(algorithm))
    assert Counter(len(t) for t in evaluator.order[1:31]) == {1: 5, 2: 10, 3: 15}
    assert all(not i.settings for t in evaluator.order[1:31] for i in t.ingredients)
    assert any(i.settings for t in evaluator.order[31:] for i in t.ingredients)


def test_dars_draws_no_comparable_domains_and_rs_does(laboratory: Make) -> None:
    poset = Standin().domains
    aware = searched(laboratory(Standin()), Plan("dars")).order[1:31]
    blind = searched(laboratory(Standin()), Plan("rs")).order[1:31]
    assert all(poset.is_compatible(t.domains) for t in aware)
    assert any(not poset.is_compatible(t.domains) for t in blind)


@pytest.mark.parametrize("algorithm", ["sa", "hc"])
def test_mutations_stay_compatible(laboratory: Make, algorithm: str) -> None:
    poset = Standin().domains
    assert all(poset.is_compatible(t.domains) for t in searched(laboratory(Standin()), Plan(algorithm)).order)


@pytest.mark.parametrize("order", ["domains", "settings", "mixed"])
@pytest.mark.parametrize("algorithm", ["rs", "dars"])
def test_measured_times_do_not_change_what_rs_and_dars_draw(
    laboratory: Make, tmp_path: Path, algorithm: str, order: str
) -> None:
    slow, fast = Standin(), Standin()
    slow.base_s = 0.9
    (tmp_path / "slow").mkdir()
    first = searched(laboratory(fast), Plan(algorithm, order=order), 100)
    second = searched(laboratory(slow, tmp_path / "slow"), Plan(algorithm, order=order), 100)
    assert first.order == second.order
    assert first.order != searched(laboratory(fast), Plan(algorithm, order=order, seed=1), 100).order


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("workers", [1, 4])
def test_a_search_repeats_from_the_cache_whatever_the_workers(laboratory: Make, algorithm: str, workers: int) -> None:
    analyzer = Standin()
    first = searched(laboratory(analyzer), Plan(algorithm))
    runs = len(analyzer.asked)
    second = searched(laboratory(analyzer, workers=workers), Plan(algorithm, workers=workers))
    assert first.order == second.order and first.scores == second.scores
    assert len(analyzer.asked) == runs


def test_several_workers_find_what_one_finds(laboratory: Make, tmp_path: Path) -> None:
    (tmp_path / "many").mkdir()
    one = searched(laboratory(Standin()), Plan("dars"))
    many = searched(laboratory(Standin(), tmp_path / "many", 4), Plan("dars", workers=4))
    assert one.order == many.order and one.best == many.best


def test_algorithm_7_adds_and_modifies_with_the_stated_odds() -> None:
    analyzer, start = Standin(), Tuning((Ingredient("zones"),))
    found: Counter[str] = Counter()
    for seed in range(3000):
        tuning = draws.mutated(Draw(seed), analyzer, start, 3, Odds())
        found["add" if len(tuning) == 2 else tuning.domains[0]] += 1
    # An action that has nothing to choose from is drawn again; INC takes a least domain beside no other, so int or
    # bool.
    assert 0.17 < found["add"] / 3000 < 0.23
    assert 0.36 < found["oct"] / 3000 < 0.44
    assert 0.27 < found["int"] / 3000 < 0.37
    assert 0.05 < found["bool"] / 3000 < 0.11


def test_a_full_recipe_is_only_modified() -> None:
    start = Tuning((Ingredient("zones"), Ingredient("bool")))
    assert all(len(draws.mutated(Draw(seed), Standin(), start, 2, Odds(add=1.0))) == 2 for seed in range(50))


def test_mutated_settings_differ_in_at_least_one_value_and_keep_the_domains() -> None:
    start = Tuning((Ingredient("zones"), Ingredient("bool")))
    for seed in range(200):
        tuning = draws.resettled(Draw(seed), Standin(), start, Odds())
        assert tuning != start and tuning.domains == start.domains


def test_mutated_settings_sometimes_differ_in_several_values() -> None:
    start = Tuning((Ingredient("zones"),))
    counts = {len(draws.resettled(Draw(seed), Standin(), start, Odds()).ingredients[0].settings) for seed in range(100)}
    assert counts == {1, 2, 3}
    assert {
        len(draws.resettled(Draw(seed), Standin(), start, Odds(more=0.0)).ingredients[0].settings)
        for seed in range(100)
    } == {1}


def score(value: float) -> Score:
    return Score(Tuning((Ingredient("int"),)), "ok", 1, 40, 1.0, 0, value)


def test_annealing_takes_worse_recipes_less_readily_when_they_are_worse_or_it_is_late(laboratory: Make) -> None:
    def share(worse: float, left: int, algorithm: str = "sa") -> float:
        search = Search(Plan(algorithm), Evaluator(laboratory(Standin()), 4, 1 << 30))
        search._current = score(0.5)
        return sum(search._accepts(score(0.5 + worse), left) for _ in range(500)) / 500

    assert share(-0.1, 1) == 1 and share(-0.1, 1, "hc") == 1
    assert share(0.01, 30) > share(0.05, 30) > share(0.05, 5)
    assert share(0.01, 30, "hc") == 0 and share(math.inf, 30) == 0


def test_hill_climbing_starts_again_after_ten_steps(laboratory: Make) -> None:
    evaluator = searched(laboratory(Standin()), Plan("hc"), 100)
    scores = [evaluator.scores[t] for t in evaluator.order[1:31]]
    for step in (0, 11, 22):
        current = scores[step]
        for follower in scores[step + 1 : step + 11]:
            changed = len(set(follower.tuning.domains) ^ set(current.tuning.domains))
            assert changed <= 2
            if follower.cost < current.cost:
                current = follower

from __future__ import annotations

from collections.abc import Callable

from gainsay.core.tailor_analyzer import Ingredient, Setting, Tuning
from gainsay.tailor import explain, extras
from gainsay.tailor.evaluate import Evaluator, Laboratory, Score
from gainsay.tailor.experiments import both, difference
from gainsay.tailor.tailoring import front
from tailor_standin import Standin

Make = Callable[..., Laboratory]


def single(domain: str, **settings: str) -> Tuning:
    return Tuning((Ingredient(domain, tuple(sorted(settings.items()))),))


def test_after_three_rungs_that_do_not_finish_every_second_is_tried(laboratory: Make) -> None:
    class Long(Standin):
        def ladder(self) -> list[tuple[str, Tuning]]:
            return [(str(n), single("pk" if n in (0, 5) else "oct")) for n in range(10)]

    analyzer = Long()
    analyzer.fails = {"oct": "crash"}
    climbed = extras.climb(Evaluator(laboratory(analyzer), 10, 1 << 30))
    assert [label for label, _ in climbed] == ["0", "1", "2", "3", "5", "6", "7", "8"]
    assert [label for label, score in climbed if score.is_finished] == ["0", "5"]


def test_a_union_takes_complementary_runs_within_the_limit(laboratory: Make) -> None:
    evaluator = Evaluator(laboratory(Standin()), 3.0, 1 << 30)
    for domain in ("bool", "boxes", "pk", "zones"):
        evaluator.evaluate(single(domain))
    extras.unite(evaluator)
    best = evaluator.best
    assert best is not None and len(best.tuning) == 3 and best.count == 9 and best.cpu_s <= 3.0


def test_a_union_leaves_out_what_adds_nothing(laboratory: Make) -> None:
    evaluator = Evaluator(laboratory(Standin()), 100, 1 << 30)
    for narrow in ("1", "2", "3"):
        evaluator.evaluate(single("bool", **({"narrow": narrow} if narrow != "1" else {})))
    assert len(extras.cover(evaluator.laboratory, 100, by_time=False)) == 1


def test_single_functions_get_settings_where_most_is_open(laboratory: Make) -> None:
    class Focused(Standin):
        settings = (Setting("delay", ("1", "2", "4", "8", "16"), "1", takes_function=True), *Standin.settings[1:])

    analyzer = Focused()
    evaluator = Evaluator(laboratory(analyzer), 10, 1 << 30)
    evaluator.evaluate(single("bool"))
    extras.focus(evaluator, 3)
    asked = [name for i, *_ in analyzer.asked for name, _ in i.settings]
    assert asked == ["delay@f1", "delay@f3", "delay@f2"]


def test_pruning_leaves_what_buys_proofs_or_saves_time(laboratory: Make) -> None:
    evaluator = Evaluator(laboratory(Standin()), 10, 1 << 30)
    rich = Tuning((Ingredient("bool", (("backward", "on"), ("delay", "4"), ("narrow", "3"))), Ingredient("bool")))
    evaluator.evaluate(rich)
    extras.prune(evaluator)
    assert evaluator.best is not None and evaluator.best.tuning == single("bool", delay="4")


def test_pruning_keeps_what_saves_time_although_it_buys_no_proof(laboratory: Make) -> None:
    class Saving(Standin):
        def seconds(self, ingredient: Ingredient) -> float:
            return super().seconds(ingredient) - (0.3 if ("backward", "on") in ingredient.settings else 0.0)

    evaluator = Evaluator(laboratory(Saving()), 10, 1 << 30)
    evaluator.evaluate(single("bool", backward="on"))
    simple = extras.prune(evaluator)
    assert simple is not None and simple.tuning == single("bool", backward="on")


def test_leave_one_out_tells_what_each_part_bought(laboratory: Make) -> None:
    evaluator = Evaluator(laboratory(Standin()), 10, 1 << 30)
    best = evaluator.evaluate(Tuning((Ingredient("bool", (("delay", "4"),)), Ingredient("pk"))))
    found = {gain.part: gain.proofs for gain in explain.gains(evaluator, best)}
    assert found == {"1: the whole ingredient": 5, "2: the whole ingredient": 3, "1: delay=4": 2}


def test_one_step_changes_are_settings_comparable_domains_and_orders() -> None:
    analyzer = Standin()
    found = list(explain.neighbours(analyzer, Tuning((Ingredient("zones"), Ingredient("bool")))))
    parts = [part for part, _ in found]
    assert parts.count("delay") == 8 and parts.count("narrow") == 6 and parts.count("backward") == 2
    assert sorted(t.domains[0] for part, t in found if part == "domain") == ["int", "oct", "pk"]
    assert [t.domains for part, t in found if part == "order"] == [["bool", "zones"]]


def score(count: int, cpu_s: float, cost: float = 0.5) -> Score:
    return Score(single("int"), "ok", 40 - count, 40, cpu_s, (1 << count) - 1, cost)


def test_changes_are_compared_as_in_figure_5_8() -> None:
    best = score(10, 2.0)
    assert explain.sign(best, score(11, 9.0), 0.5) == "positive"
    assert explain.sign(best, score(10, 1.0), 0.5) == "positive"
    assert explain.sign(best, score(10, 2.4), 0.5) == "equal"
    assert explain.sign(best, score(10, 2.6), 0.5) == "negative"
    assert explain.sign(best, score(9, 0.1), 0.5) == "negative"
    assert explain.sign(best, score(10, 2.0, float("inf")), 0.5) == "negative"


def test_versions_are_compared_as_in_figure_5_10() -> None:
    assert difference(50, 51) == difference(51, 50) == difference(500, 504) == "equal"
    assert difference(52, 50) == "positive" and difference(50, 52) == "negative" and difference(500, 506) == "negative"


def test_recipe_and_default_are_compared_as_in_figure_5_5() -> None:
    tuned, default = score(10, 1.0), Score(single("int"), "ok", 37, 40, 1.0, 0b1110000000000 | 1, 0.5)
    assert both(tuned, default) == (9, 1, 3)


def test_the_front_has_what_proves_more_than_anything_faster() -> None:
    found = front([score(5, 3.0), score(5, 1.0), score(4, 2.0), score(7, 2.5), score(9, 1.5, float("inf"))])
    assert [(s.count, s.cpu_s) for s in found] == [(5, 1.0), (7, 2.5)]

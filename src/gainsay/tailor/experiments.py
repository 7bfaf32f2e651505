"""The thesis's experiments (Section 5.5) on given files.
Everything is asked of the cache first, so that what was measured is not measured again, and an experiment that was
ended goes on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

import msgspec

from gainsay.core.draw import Draw, seed_for
from gainsay.core.tailor_analyzer import Code, Ingredient, Tuning
from gainsay.tailor import draws, explain
from gainsay.tailor.evaluate import Evaluator, Laboratory, Score
from gainsay.tailor.search import ALGORITHMS, Budget, Plan, Search, in_parallel
from gainsay.tailor.tailoring import Extras, Tailor, Watch, Workshop

T = TypeVar("T")
R = TypeVar("R")
DEFAULT, PRECISE, GENEROUS, PRODUCT = "default", "most precise", "most precise, 6 x the limit", "tailor"
GENEROSITY = 6  # the thesis gave the most precise recipe 30 min where others had 5
TRIES = 12  # ingredients that are tried against planted errors, for each file


class Trial(msgspec.Struct, frozen=True):
    """What one way of choosing a recipe gave for one file under one limit.
    `spent_s` is CPU time of all recipes it tried."""

    file: str
    limit_s: float
    way: str
    score: Score
    tried: int = 1
    timeouts: int = 0
    spent_s: float = 0.0


class Bench:
    """The experiments on one set of prepared files. `say` is told what goes on."""

    def __init__(
        self, shop: Workshop, codes: Sequence[Code], memory: int, plan: Plan, say: Callable[[str], None]
    ) -> None:
        self.shop, self.codes, self.memory, self.plan, self.say = shop, codes, memory, plan, say

    def plan_for(self, algorithm: str, seed: int = 0, factor: int = 1) -> Plan:
        budget = Budget(self.plan.budget.i_dom * factor, self.plan.budget.i_set * factor, self.plan.budget.l_max)
        return msgspec.structs.replace(self.plan, algorithm=algorithm, budget=budget, seed=self.plan.seed + seed)

    def searched(self, laboratory: Laboratory, limit_s: float, plan: Plan) -> Evaluator:
        evaluator = Evaluator(laboratory, limit_s, self.memory)
        Search(plan, evaluator).run()
        return evaluator

    # --- RQ1 ----------------------------------------------------------------------------------------------------------

    def effectiveness(self, limits_s: Sequence[float], doubled: Sequence[float]) -> list[Trial]:
        """Figures 5.4 to 5.7: the default, the ladder, the most precise recipe, each algorithm, and what `tailor run`
        does. For limits in
        `doubled` also twice the iterations."""

        def of(code: Code) -> list[Trial]:
            laboratory = self.shop.laboratory(code)
            found = []
            for limit_s in sorted(limits_s, reverse=True):
                for trial in self._file(laboratory, limit_s, limit_s in doubled):
                    self.say(f"{trial.file}, {limit_s:g} s, {trial.way}: {told(trial.score)}")
                    found.append(trial)
            return found

        return [trial for trials in self._for_each(self.codes, of) for trial in trials]

    def _for_each(self, items: Sequence[T], do: Callable[[T], R]) -> list[R]:
        """The same for all items, with all workers; in the order of the items."""
        found: dict[int, R] = {}

        def job(number: int, item: T) -> Callable[[], None]:
            def run() -> None:
                found[number] = do(item)

            return run

        in_parallel([job(number, item) for number, item in enumerate(items)], self.shop.workers)
        return [found[number] for number in sorted(found)]

    def _file(self, laboratory: Laboratory, limit_s: float, is_doubled: bool) -> Iterator[Trial]:
        analyzer, name = laboratory.analyzer, laboratory.code.name
        plain = Evaluator(laboratory, limit_s, self.memory)
        yield Trial(name, limit_s, DEFAULT, plain.evaluate(analyzer.default()))
        for label, tuning in analyzer.ladder():
            yield Trial(name, limit_s, label, plain.evaluate(tuning))
        yield Trial(name, limit_s, PRECISE, plain.evaluate(analyzer.most_precise()))
        generous = Evaluator(laboratory, GENEROSITY * limit_s, self.memory)
        yield Trial(name, limit_s, GENEROUS, generous.evaluate(analyzer.most_precise()))
        for algorithm in ALGORITHMS:
            yield self._trial(laboratory, limit_s, algorithm, self.plan_for(algorithm))
        if is_doubled:
            for algorithm in ALGORITHMS:
                plan = self.plan_for(algorithm, factor=2)
                yield self._trial(laboratory, limit_s, f"{algorithm} {plan.budget.iterations}", plan)
        # As `tailor run` does it, with a laboratory of its own: what the others ran must not help it.
        (found,) = (
            Tailor(self.shop, laboratory.code, [limit_s], self.memory, self.plan_for("dars"), Extras(), Watch(), None)
            .run()
            .found
        )
        yield Trial(name, limit_s, PRODUCT, found.best, *cost_of(found.tried, limit_s))

    def _trial(self, laboratory: Laboratory, limit_s: float, way: str, plan: Plan) -> Trial:
        return summed(laboratory.code.name, limit_s, way, self.searched(laboratory, limit_s, plan))

    # --- RQ2 ----------------------------------------------------------------------------------------------------------

    def optimality(self, limit_s: float, tolerance_s: float) -> dict[str, Counter[str]]:
        """Figure 5.8: setting -> how many one-step changes of the best DARS recipe are positive, equal and negative."""

        def of(code: Code) -> dict[str, Counter[str]]:
            laboratory = self.shop.laboratory(code)
            best = self.searched(laboratory, limit_s, self.plan_for("dars")).best
            found: dict[str, Counter[str]] = {}
            if best is None:
                return found
            evaluator = Evaluator(laboratory, limit_s, self.memory)
            for part, tuning in explain.neighbours(laboratory.analyzer, best.tuning):
                found.setdefault(part, Counter())[explain.sign(best, evaluator.evaluate(tuning), tolerance_s)] += 1
            self.say(f"{code.name}: {sum(sum(c.values()) for c in found.values())} changes of the best recipe")
            return found

        together: dict[str, Counter[str]] = {}
        for counts in self._for_each(self.codes, of):
            for part, counter in counts.items():
                together.setdefault(part, Counter()).update(counter)
        return together

    # --- RQ4 ----------------------------------------------------------------------------------------------------------

    def resilience(self, files: Sequence[tuple[str, Mapping[str, Code]]], limit_s: float) -> list[dict[str, object]]:
        """Figure 5.10: for each later version, what the recipe of the oldest one proves, and what a search on that
        version finds."""

        def of(file: tuple[str, Mapping[str, Code]]) -> list[dict[str, object]]:
            name, codes = file
            oldest, *later = codes
            first = self.searched(self.shop.laboratory(codes[oldest]), limit_s, self.plan_for("dars")).best
            if first is None:
                return []
            rows = [
                self._later(codes[version], number, first.tuning, limit_s) for number, version in enumerate(later, 1)
            ]
            return [{"file": name, "version": version, **row} for version, row in zip(later, rows, strict=True)]

        return [row for rows in self._for_each(files, of) for row in rows]

    def _later(self, code: Code, number: int, first: Tuning, limit_s: float) -> dict[str, object]:
        """One later version. A new seed for each: the same seed would try the same recipes."""
        laboratory = self.shop.laboratory(code)
        old = Evaluator(laboratory, limit_s, self.memory).evaluate(first)
        new = self.searched(laboratory, limit_s, self.plan_for("dars", seed=number)).best
        proved = new.count if new is not None else 0
        verdict = difference(old.count, proved)
        self.say(f"{code.source}: {old.count} with the first recipe, {proved} with a new one: {verdict}")
        return {"assertions": old.total, "old": old.count, "new": proved, "difference": verdict}

    # --- the guard ----------------------------------------------------------------------------------------------------

    def guard(self, limit_s: float, seed: int) -> Iterator[dict[str, object]]:
        """Errors that were planted and that an execution runs into: how many recipes were tried, and which called one
        safe."""
        analyzer = self.shop.analyzer
        planted = list(analyzer.planted(self.shop.out / "planted", self.shop.stop))
        planted += [p for code in self.codes if (p := analyzer.with_error(code)) is not None]
        for code in planted:
            laboratory = self.shop.laboratory(code)
            tried = finished = 0
            fooled = []
            for ingredient in self._suspects(code, seed):
                score = Evaluator(laboratory, limit_s, self.memory).evaluate(Tuning((ingredient,)))
                tried += 1
                finished += score.is_finished
                fooled += (
                    [f"{ingredient}: {what}" for what in analyzer.called_safe(code, score.proved)]
                    if score.is_finished
                    else []
                )
            self.say(
                f"{code.name}: {finished} of {tried} ingredients finished, {len(fooled)} called a planted error safe"
            )
            yield {"code": code.name, "tried": tried, "finished": finished, "fooled": fooled}

    def _suspects(self, code: Code, seed: int) -> Iterator[Ingredient]:
        """The ladder and the most precise recipe, and ingredients with random domains and settings."""
        analyzer = self.shop.analyzer
        yield from (i for _, tuning in analyzer.ladder() for i in tuning.ingredients)
        yield from analyzer.most_precise().ingredients
        draw = Draw(seed_for(seed, "guard", code.name))
        for _ in range(TRIES):
            tuning = draws.sampled(draw, analyzer, 1, analyzer.initial().ingredients[0])
            for _ in range(draw.between(0, 4)):
                tuning = draws.resettled(draw, analyzer, tuning, draws.Odds())
            yield tuning.ingredients[0]


def told(score: Score) -> str:
    return f"{score.count} of {score.total} in {score.cpu_s:.2f} s" if score.is_finished else score.status


def summed(name: str, limit_s: float, way: str, evaluator: Evaluator) -> Trial:
    """The best of a search, and what the search cost: a recipe that did not fit is counted with the whole limit."""
    scores = [evaluator.scores[tuning] for tuning in evaluator.order]
    return Trial(name, limit_s, way, evaluator.best or scores[0], *cost_of(scores, limit_s))


def cost_of(scores: Sequence[Score], limit_s: float) -> tuple[int, int, float]:
    """Recipes, those that did not finish, and CPU-seconds."""
    spent = sum(min(s.cpu_s, limit_s) if s.is_finished or s.status == "cut" else limit_s for s in scores)
    return len(scores), sum(not s.is_finished for s in scores), spent


def difference(old: int, new: int) -> str:
    """At most one assertion, or one percent, is no difference (Section 5.5.3)."""
    if abs(old - new) <= max(1, 0.01 * max(old, new)):
        return "equal"
    return "positive" if old > new else "negative"


def version_key(name: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", name)]


def shares(trials: Sequence[Trial], settings: Sequence[str]) -> dict[str, object]:
    """RQ3: how long the best recipes are, how often each setting differs from its default, how often each domain
    occurs."""
    tunings = [t.score.tuning for t in trials if t.score.is_finished]
    ingredients = [i for tuning in tunings for i in tuning.ingredients]
    parts = Counter(part for i in ingredients for part in i.domain.split("+"))
    pairs = Counter(
        " with ".join(sorted({*i.domain.split("+")} - {"cvalue"})) for i in ingredients if i.domain.count("+") > 1
    )
    return {
        "recipes": len(tunings),
        "ingredients": len(ingredients),
        "lengths": dict(sorted(Counter(map(len, tunings)).items())),
        "settings": {name: sum(name in dict(i.settings) for i in ingredients) for name in settings},
        "domains": dict(parts.most_common()),
        "combinations": dict(pairs.most_common(5)),
    }


def both(tuned: Score, default: Score) -> tuple[int, int, int]:
    """Figure 5.5: proved by the recipe alone, by both, by the default alone."""
    return (
        (tuned.proved & ~default.proved).bit_count(),
        (tuned.proved & default.proved).bit_count(),
        (default.proved & ~tuned.proved).bit_count(),
    )

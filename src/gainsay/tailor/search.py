"""The optimization engine (Algorithm 6) and the algorithms that it is instantiated with: RS, DARS, SA, HC; TPE stands
in `tpe`.

The misprints of the thesis are mended as its text says: l starts at 1, line 12 sets the current recipe, line 15 counts
to i_set."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import msgspec

from gainsay.core.draw import Draw, seed_for
from gainsay.core.tailor_analyzer import NO_BOUND, Allowance, Ingredient, Tuning
from gainsay.tailor import draws
from gainsay.tailor.draws import Odds
from gainsay.tailor.evaluate import Evaluator, Score

ALGORITHMS = ("rs", "dars", "sa", "hc", "tpe")
ORDERS = ("domains", "settings", "mixed")
# How fast the readiness to accept a worse recipe falls with the difference in cost; as in the released TAILOR
SA_SCALE = 1000.0


class Budget(msgspec.Struct, frozen=True):
    """i_dom, i_set and l_max, with the thesis's defaults."""

    i_dom: int = 5
    i_set: int = 10
    l_max: int = 3

    @property
    def domain_steps(self) -> int:
        return self.i_dom * self.l_max * (self.l_max + 1) // 2

    @property
    def iterations(self) -> int:
        return self.domain_steps + self.i_set

    @staticmethod
    def of(iterations: int, l_max: int) -> Budget:
        """As the thesis divides 40 and 80 iterations: three quarters for domains."""
        triangle = l_max * (l_max + 1) // 2
        i_dom = max(3 * iterations // (4 * triangle), int(iterations >= triangle))
        return Budget(i_dom, iterations - i_dom * triangle, l_max)


class Plan(msgspec.Struct, frozen=True):
    """How to search. `order` says what is searched first; with "mixed" they take turns."""

    algorithm: str = "dars"
    budget: Budget = Budget()
    odds: Odds = Odds()
    order: str = "domains"
    seed: int = 0
    workers: int = 1


class Search:
    """One search under one limit. The evaluator keeps what was found, so that a search may be ended at any moment."""

    def __init__(self, plan: Plan, evaluator: Evaluator) -> None:
        self.plan = plan
        self.evaluator = evaluator
        self.analyzer = evaluator.analyzer
        # One stream for domains and one for settings: neither shifts the other.
        self._domains = Draw(seed_for(plan.seed, "tailor", plan.algorithm, "domains"))
        self._settings = Draw(seed_for(plan.seed, "tailor", plan.algorithm, "settings"))

    def run(self, start: Tuning | None = None) -> None:
        """All iterations. `start` is rec_init, unless an earlier recipe is to be improved."""
        first = self.evaluator.evaluate(start or self.analyzer.initial())
        if self.plan.algorithm == "tpe":
            from gainsay.tailor import tpe

            tpe.search(self.plan, self.evaluator)
            return
        self._base = self._best = self._current = first
        lengths = [
            length for length in range(1, self.plan.budget.l_max + 1) for _ in range(self.plan.budget.i_dom * length)
        ]
        settings = self.plan.budget.i_set
        if self.plan.order == "domains":
            self._search_domains(lengths)
            self._search_settings(settings)
        elif self.plan.order == "settings":
            self._search_settings(settings)
            self._search_domains(lengths)
        else:
            self._search_mixed(lengths, settings)

    # --- phase 1 ------------------------------------------------------------------------------------------------------

    def _search_domains(self, lengths: Sequence[int]) -> None:
        model = self._model()
        if self.plan.algorithm in ("rs", "dars"):
            tunings = [self._fresh(length, model) for length in lengths]
            self._ahead(tunings)
            for tuning in tunings:
                self._take(self.evaluator.evaluate(tuning))
            return
        for step, length in enumerate(lengths):
            self._take_step(step, length, len(lengths))

    def _fresh(self, length: int, model: Ingredient) -> Tuning:
        make = draws.sampled if self.plan.algorithm == "rs" else draws.aware
        return make(self._domains, self.analyzer, length, model)

    def _take_step(self, step: int, length: int, steps: int) -> None:
        """One step of SA or HC: a mutation of the current recipe, which it may replace."""
        restarts = self.plan.algorithm == "hc" and step % (self.plan.odds.steps + 1) == 0
        if restarts:
            tuning = draws.aware(self._domains, self.analyzer, self._domains.between(1, length), self._model())
        else:
            tuning = draws.mutated(self._domains, self.analyzer, self._current.tuning, length, self.plan.odds)
        found = self.evaluator.evaluate(tuning)
        self._take(found)
        if restarts or self._accepts(found, steps - step):
            self._current = found

    def _accepts(self, found: Score, left: int) -> bool:
        """ACCEPT. SA also takes a worse recipe, the less readily the worse it is and the more recipes were explored."""
        if found.cost < self._current.cost:
            return True
        if self.plan.algorithm != "sa" or not found.is_finished:
            return False
        worse = found.cost - self._current.cost
        return self._domains.coin(math.exp(-SA_SCALE * worse / max(left, 1)))

    # --- phase 2 ------------------------------------------------------------------------------------------------------

    def _search_settings(self, steps: int) -> None:
        for _ in range(steps):
            tuning = draws.resettled(self._settings, self.analyzer, self._base_tuning(), self.plan.odds)
            self._take(self.evaluator.evaluate(tuning))

    def _search_mixed(self, lengths: Sequence[int], settings: int) -> None:
        """Both phases in turns, in proportion."""
        total = len(lengths) + settings
        done = 0
        for step in range(total):
            if (step + 1) * settings // total > step * settings // total:
                self._search_settings(1)
                continue
            if self.plan.algorithm in ("rs", "dars"):
                self._take(self.evaluator.evaluate(self._fresh(lengths[done], self._model())))
            else:
                self._take_step(done, lengths[done], len(lengths))
            done += 1

    # --- what both share ----------------------------------------------------------------------------------------------

    def _take(self, found: Score) -> None:
        """Remember the recipe that settings are changed on.
        Measured times must not decide which one that is, or the same seed would not draw the same recipes: of those
        that prove as much, the first drawn stays. What is returned at the end is the lowest cost."""
        if found.is_finished and (not self._base.is_finished or found.open < self._base.open):
            self._base = found
        if found.cost < self._best.cost:
            self._best = found
        self.evaluator.rival = self._base.open if self._base.is_finished else NO_BOUND

    def _base_tuning(self) -> Tuning:
        return self._base.tuning if self.plan.algorithm in ("rs", "dars") else self._best.tuning

    def _model(self) -> Ingredient:
        """The ingredient whose settings new domains are tried with: those of rec_init, or of the best recipe if
        settings were searched already."""
        return (self.analyzer.initial() if self.plan.order == "domains" else self._base_tuning()).ingredients[0]

    def _ahead(self, tunings: Sequence[Tuning]) -> None:
        """Fill the cache with several workers. What is made of it is decided later, in order."""
        if self.plan.workers < 2 or self.analyzer.hands_on:
            return
        allowance = Allowance(self.evaluator.limit_s, self.evaluator.memory)
        wanted = dict.fromkeys(i for t in tunings for i in t.ingredients)
        fill = self.evaluator.laboratory.fill
        in_parallel([functools.partial(fill, i, allowance) for i in wanted], self.plan.workers)


def in_parallel(jobs: Sequence[Callable[[], None]], workers: int) -> None:
    """Do all jobs; the first problem is raised."""
    with ThreadPoolExecutor(workers) as pool:
        for future in [pool.submit(job) for job in jobs]:
            future.result()

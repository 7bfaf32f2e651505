"""The recipe evaluator (Section 5.4.2): runs a tuning's ingredients in order and gives it a cost.

Beyond the thesis: a run that is known is not made again, one above a run that timed out is not made at all, and one
that can't win any more is ended."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable

import msgspec

from gainsay.core.tailor_analyzer import (
    NO_BOUND,
    PROVED,
    REFUTED,
    Allowance,
    Code,
    Ingredient,
    Outcome,
    TailorAnalyzer,
    Tuning,
)
from gainsay.tailor.cache import Cache, key_of


def cost(open_: int, total: int, used: float, limit: float) -> float:
    """(w + r/r_max) / w_total if r <= r_max, else infinite."""
    return (open_ + used / limit) / total if used <= limit else math.inf


class Score(msgspec.Struct, frozen=True):
    """What a tuning is worth under a limit. `status` is that of the run that failed, if one did; `proved` are bits."""

    tuning: Tuning
    status: str
    open: int
    total: int
    cpu_s: float
    proved: int
    cost: float

    @property
    def is_finished(self) -> bool:
        return self.cost < math.inf

    @property
    def count(self) -> int:
        return self.proved.bit_count()


class Tally:
    """What was done so far, for the screen and for the figures. May be used by several threads."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.tunings = self.runs = self.timeouts = self.failures = self.known = self.spared = self.cut = 0
        self.analyzer_s = 0.0


class Clash(msgspec.Struct, frozen=True):
    """A property that one ingredient proves and another refutes."""

    index: int
    proved_by: Ingredient
    refuted_by: Ingredient


class Laboratory:
    """Runs ingredients on one prepared code, or remembers what they did. Shared by all searches on that code."""

    def __init__(
        self,
        analyzer: TailorAnalyzer,
        version: str,
        code: Code,
        cache: Cache,
        slots: threading.Semaphore,
        stop: threading.Event,
        tally: Tally,
    ) -> None:
        self.analyzer = analyzer
        self.code = code
        self.stop = stop
        self.tally = tally
        self._version = version
        self._cache = cache
        self._slots = slots
        self._proved_by: dict[int, Ingredient] = {}
        self._refuted_by: dict[int, Ingredient] = {}
        self._clashes: dict[int, Clash] = {}
        # Ingredients that timed out, what was assumed, and the limit
        self._late: list[tuple[Ingredient, int, float]] = []
        self.trouble = ""  # what the last run that failed said
        self.finished: dict[Ingredient, Outcome] = {}  # runs with nothing assumed

    def outcome(self, ingredient: Ingredient, assumed: int, allowance: Allowance) -> Outcome:
        """What the ingredient does, from the cache if it is there."""
        key = self.key(ingredient, assumed)
        found = self._cache.get(key, allowance)
        if found is None:
            found = self._run(key, ingredient, assumed, allowance)
            # It may have ended a little over its limit: as it will be read next time
            found = self._cache.get(key, allowance) or found
        else:
            with self.tally.lock:
                self.tally.known += 1
        if found.status in ("timeout", "hang"):
            self._late.append((ingredient, assumed, allowance.cpu_s))
        if found.status in ("crash", "memory", "hang"):
            self.trouble = f"{found.status}{': ' if found.detail else ''}{found.detail}"
        self._observe(ingredient, assumed, found)
        return found

    def fill(self, ingredient: Ingredient, allowance: Allowance) -> None:
        """Run an ingredient ahead of its turn, for the cache alone."""
        key = self.key(ingredient, 0)
        if self._cache.get(key, allowance) is None and not self.is_above_a_timeout(ingredient, 0, allowance):
            self._run(key, ingredient, 0, allowance)

    def key(self, ingredient: Ingredient, assumed: int) -> str:
        return key_of(self.analyzer.name, self._version, self.analyzer.options, self.code, ingredient, assumed)

    def _run(self, key: str, ingredient: Ingredient, assumed: int, allowance: Allowance) -> Outcome:
        with self._slots:
            found = self.analyzer.run(self.code, ingredient, assumed, allowance, self.stop)
            self._cache.put(key, str(ingredient), allowance, found)
            with self.tally.lock:
                self.tally.runs += 1
                self.tally.analyzer_s += found.cpu_s
        return found

    def is_above_a_timeout(self, ingredient: Ingredient, assumed: int, allowance: Allowance) -> bool:
        """Whether an ingredient with the same domain, no monotone setting higher and as little left to do timed out at
        a limit as large: time-outs are censored data, and a run that must be slower tells nothing."""
        return any(
            limit_s >= allowance.cpu_s and not assumed & ~done and is_above(self.analyzer, ingredient, late)
            for late, done, limit_s in self._late
        )

    def again(self, tuning: Tuning, allowance: Allowance, times: int) -> list[float]:
        """The CPU time of a tuning, measured anew: machines are noisy, and a limit may be tight.
        Infinite where a run did not finish."""
        return [self._timed(tuning, allowance, f" again {number}") for number in range(times)]

    def _timed(self, tuning: Tuning, allowance: Allowance, mark: str) -> float:
        spent, assumed = 0.0, 0
        for ingredient in tuning.ingredients:
            key = self.key(ingredient, assumed) + mark
            outcome = self._cache.get(key, allowance) or self._run(key, ingredient, assumed, allowance)
            if outcome.status != "ok":
                return math.inf
            spent += outcome.cpu_s
            if self.analyzer.hands_on:
                assumed |= self.code.mask(outcome.verdicts, PROVED)
        return spent

    def _observe(self, ingredient: Ingredient, assumed: int, outcome: Outcome) -> None:
        """Notice what one run proves and another refutes."""
        if outcome.status != "ok":
            return
        if not assumed:
            self.finished[ingredient] = outcome
        for index, verdict in enumerate(outcome.verdicts):
            if verdict == PROVED:
                self._proved_by.setdefault(index, ingredient)
            elif verdict == REFUTED:
                self._refuted_by.setdefault(index, ingredient)
        for index in self._proved_by.keys() & self._refuted_by.keys():
            self._clashes.setdefault(index, Clash(index, self._proved_by[index], self._refuted_by[index]))

    @property
    def refuted(self) -> int:
        return sum(1 << index for index in self._refuted_by)

    @property
    def clashes(self) -> list[Clash]:
        return [self._clashes[index] for index in sorted(self._clashes)]


def is_above(analyzer: TailorAnalyzer, ingredient: Ingredient, other: Ingredient) -> bool:
    """Whether an ingredient can be had from another one by raising monotone settings only."""
    if ingredient == other:
        return True
    if ingredient.domain != other.domain or any("@" in name for name, _ in (*ingredient.settings, *other.settings)):
        return False
    for setting in analyzer.settings:
        if not setting.is_drawn and (
            ingredient.get(setting) != setting.default or other.get(setting) != setting.default
        ):
            return False  # a rung of the ladder changes what the other settings mean
        mine, theirs = ingredient.get(setting), other.get(setting)
        if mine != theirs and not (setting.is_monotone and setting.values.index(mine) > setting.values.index(theirs)):
            return False
    return True


class Evaluator:
    """EVALUATE of Algorithm 6 under one limit. It keeps every score, and the best.

    `races` is for searches that only want the best: a run that can't be the best any more is ended, and its true cost
    stays unknown."""

    def __init__(
        self,
        laboratory: Laboratory,
        limit_s: float,
        memory: int,
        on_score: Callable[[Score], None] = lambda _: None,
        races: bool = False,
    ) -> None:
        self.laboratory = laboratory
        self.limit_s = limit_s
        self.memory = memory
        self.scores: dict[Tuning, Score] = {}
        self.order: list[Tuning] = []  # as asked for, repetitions too
        self.races = races
        # Open properties of the recipe that the search goes on from: what may replace it must not be ended
        self.rival = NO_BOUND
        self.on_score = on_score

    @property
    def analyzer(self) -> TailorAnalyzer:
        return self.laboratory.analyzer

    @property
    def best(self) -> Score | None:
        """The lowest cost; of equal costs the one that was tried first."""
        finished = [s for s in self.scores.values() if s.is_finished]
        return min(finished, key=lambda s: s.cost) if finished else None

    def evaluate(self, tuning: Tuning) -> Score:
        """The score of a tuning: run once, counted each time it is asked for."""
        self.order.append(tuning)
        if tuning not in self.scores:
            self.scores[tuning] = self._evaluate(tuning)
        score = self.scores[tuning]
        with self.laboratory.tally.lock:
            self.laboratory.tally.tunings += 1
            if score.status in ("timeout", "hang"):
                self.laboratory.tally.timeouts += 1
            elif score.status in ("memory", "crash"):
                self.laboratory.tally.failures += 1
            elif score.status == "cut":
                self.laboratory.tally.cut += 1
        self.on_score(score)
        return score

    def _evaluate(self, tuning: Tuning) -> Score:
        total = len(self.laboratory.code.properties)
        proved, spent = 0, 0.0
        for number, ingredient in enumerate(tuning.ingredients, 1):
            allowance = self._allowance(spent, is_last=number == len(tuning))
            # It was not the limit that it was over, but the best so far
            over = "timeout" if allowance.cpu_s >= self.limit_s - spent else "cut"
            assumed = proved if self.analyzer.hands_on else 0
            if self.laboratory.is_above_a_timeout(ingredient, assumed, allowance):
                with self.laboratory.tally.lock:
                    self.laboratory.tally.spared += 1
                return Score(tuning, over, total, total, self.limit_s, 0, math.inf)
            outcome = self.laboratory.outcome(ingredient, assumed, allowance)
            spent += outcome.cpu_s
            if outcome.status != "ok":
                return Score(
                    tuning, over if outcome.status == "timeout" else outcome.status, total, total, spent, 0, math.inf
                )
            proved |= self.laboratory.code.mask(outcome.verdicts, PROVED)
        left = total - proved.bit_count()
        value = cost(left, total, spent, self.limit_s)
        return Score(tuning, "ok" if value < math.inf else "timeout", left, total, spent, proved, value)

    def _allowance(self, spent: float, is_last: bool) -> Allowance:
        """What is left for the next ingredient.
        Racing: where the best so far leaves open only what some run refuted, nothing can be better but by being faster,
        so that more time than the best took is of no use. The last ingredient must not leave more open than it did."""
        left = max(self.limit_s - spent, 0.001)
        best = self.best
        if not self.races or best is None:
            return Allowance(left, self.memory)
        bound = max(best.open, self.rival)
        if bound <= self.laboratory.refuted.bit_count():
            left = max(min(left, best.cpu_s - spent), 0.001)
        return Allowance(left, self.memory, min(bound + 1, NO_BOUND) if is_last else NO_BOUND)

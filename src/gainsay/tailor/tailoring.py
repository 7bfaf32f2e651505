"""Tunes an analyzer to files under limits: the whole road from code to recipes, for the command line and for the
experiments."""

from __future__ import annotations

import hashlib
import math
import statistics
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from gainsay.core.tailor_analyzer import Allowance, Code, TailorAnalyzer, Tuning
from gainsay.limits import Stopped
from gainsay.tailor import explain, extras
from gainsay.tailor.cache import Cache
from gainsay.tailor.evaluate import Clash, Evaluator, Laboratory, Score, Tally, cost
from gainsay.tailor.search import Plan, Search, in_parallel

TIGHT = 0.7  # of the limit: a recipe that takes more is measured again
MOST_MEASURED = 10  # recipes, before it is given up to find one that stays within the limit
AGAIN = 2  # times more
SLACK = 1.5  # times the limit, for measuring again


class Extras(msgspec.Struct, frozen=True):
    """What is done beyond Algorithm 6."""

    ladder: bool = True
    union: bool = True
    functions: int = 8  # tries with settings of single functions
    explain: bool = True  # leave out what buys nothing, and say what the rest buys


class Found(msgspec.Struct, frozen=True):
    """What was found for one file under one limit."""

    limit_s: float
    best: Score
    default: Score
    note: str = ""
    gains: list[explain.Gain] = []
    measured: list[float] = []  # CPU-seconds of the best recipe, each time it was measured
    tried: list[Score] = []  # in the order of the search, repetitions too


class Result(msgspec.Struct, frozen=True):
    """What was found for one file."""

    code: Code
    found: list[Found]
    ladder: list[tuple[str, Score]]  # under the largest limit
    front: list[Score]  # recipes that prove more than any faster one
    clashes: list[Clash]
    wall_s: float
    is_whole: bool


class Watch:
    """What the screen is told. Nothing by default."""

    def prepared(self, code: Code) -> None: ...

    def scored(self, code: Code, limit_s: float, score: Score, best: Score | None) -> None: ...

    def done(self, result: Result) -> None: ...


class Workshop:
    """What all files share: the analyzer, the cache, the workers, the wish to stop."""

    def __init__(self, analyzer: TailorAnalyzer, out: Path, workers: int) -> None:
        self.analyzer = analyzer
        self.version = analyzer.version()
        self.out = out
        self.workers = workers
        self.slots = threading.Semaphore(workers)
        self.stop = threading.Event()
        self.tally = Tally()
        self.cache = Cache(out)
        self._begun_s = time.process_time()

    @property
    def own_s(self) -> float:
        """Our own CPU time since the work began, without that of the programs we start."""
        return time.process_time() - self._begun_s

    def prepare(self, source: Path) -> Code:
        name = hashlib.blake2b(str(source.resolve()).encode(), digest_size=6).hexdigest()
        return self.analyzer.prepare(source, self.out / "prepared" / f"{source.stem}-{name}", self.stop)

    def laboratory(self, code: Code) -> Laboratory:
        return Laboratory(self.analyzer, self.version, code, self.cache, self.slots, self.stop, self.tally)

    def tailor(
        self,
        codes: Sequence[Code],
        limits_s: Sequence[float],
        memory: int,
        plan: Plan,
        more: Extras,
        watch: Watch,
        start: Tuning | None = None,
    ) -> list[Result]:
        """All files. Each has a thread of its own; runs wait for a free worker."""
        found: dict[str, Result] = {}
        limits = sorted(set(limits_s), reverse=True)

        def job(code: Code) -> Callable[[], None]:
            def do() -> None:
                if not self.stop.is_set():
                    found[code.source] = Tailor(self, code, limits, memory, plan, more, watch, start).run()
                    watch.done(found[code.source])

            return do

        in_parallel([job(code) for code in codes], min(self.workers, len(codes)))
        return [found[code.source] for code in codes if code.source in found]


class Tailor:
    """One file. The largest limit is searched first: what is run for it serves the smaller ones."""

    def __init__(
        self,
        shop: Workshop,
        code: Code,
        limits_s: Sequence[float],
        memory: int,
        plan: Plan,
        more: Extras,
        watch: Watch,
        start: Tuning | None,
    ) -> None:
        self.laboratory = shop.laboratory(code)
        self.plan, self.more, self.start = plan, more, start
        self.ladder: list[tuple[str, Score]] = []
        self.simple: dict[float, Score] = {}  # limit -> the best recipe without what buys nothing
        # Racing hides true costs, which searches that go by costs need, and a smaller limit may need.
        races = plan.algorithm in ("rs", "dars") and len(limits_s) == 1
        self.evaluators = []
        for limit_s in limits_s:
            evaluator = Evaluator(self.laboratory, limit_s, memory, races=races)
            evaluator.on_score = lambda score, e=evaluator: watch.scored(  # type: ignore[misc]
                code, e.limit_s, score, e.best
            )
            self.evaluators.append(evaluator)

    def run(self) -> Result:
        """Search under each limit; what is best so far, also where the search was stopped."""
        begun = time.monotonic()
        is_whole = True
        try:
            for evaluator in self.evaluators:
                self._search(evaluator)
        except Stopped:
            is_whole = False
        found = [self._conclude(evaluator, is_whole) for evaluator in self.evaluators]
        scores = [score for evaluator in self.evaluators for score in evaluator.scores.values()]
        clashes = self.laboratory.clashes
        return Result(
            self.laboratory.code, found[::-1], self.ladder, front(scores), clashes, time.monotonic() - begun, is_whole
        )

    def _search(self, evaluator: Evaluator) -> None:
        evaluator.evaluate(self.laboratory.analyzer.default())
        if self.more.ladder:
            rungs = extras.climb(evaluator)
            self.ladder = self.ladder or rungs
        Search(self.plan, evaluator).run(self.start)
        if self.more.union:
            extras.unite(evaluator)
        if self.more.functions:
            extras.focus(evaluator, self.more.functions)
        if self.more.explain and evaluator.best is not None:
            # No races: true times are wanted
            plain = Evaluator(self.laboratory, evaluator.limit_s, evaluator.memory, evaluator.on_score)
            plain.evaluate(evaluator.best.tuning)
            self.simple[evaluator.limit_s] = extras.prune(plain) or evaluator.best

    def _conclude(self, evaluator: Evaluator, is_whole: bool) -> Found:
        """The best recipe of all searches for this limit: a recipe that was tried for another limit may be best for
        this one."""
        fallback = Score(
            self.laboratory.analyzer.default(), "none", len(self.laboratory.code.properties), 0, 0.0, 0, math.inf
        )
        default = evaluator.scores.get(self.laboratory.analyzer.default(), fallback)
        tried = [evaluator.scores[tuning] for tuning in evaluator.order if tuning in evaluator.scores]
        for score in self._front(evaluator):
            measured = self._measured(evaluator, score, is_whole)
            if statistics.median(measured) <= evaluator.limit_s:
                best = msgspec.structs.replace(score, cpu_s=statistics.median(measured))
                gains = self._gains(evaluator, best, is_whole)
                return Found(evaluator.limit_s, best, default, gains=gains, measured=measured, tried=tried)
        trouble = f" (the last that failed otherwise: {self.laboratory.trouble})" if self.laboratory.trouble else ""
        why = "no recipe finished within the limit" if is_whole else "stopped before a recipe finished within the limit"
        return Found(
            evaluator.limit_s, default, default, f"{why}: this is the analyzer's default{trouble}", tried=tried
        )

    def _front(self, evaluator: Evaluator) -> list[Score]:
        """Finished recipes of all searches, as they are worth under this limit: the lowest cost first, and before it
        the same without what buys nothing."""
        found: dict[Tuning, Score] = {}
        for other in self.evaluators:
            for tuning, score in other.scores.items():
                value = cost(score.open, score.total, score.cpu_s, evaluator.limit_s) if score.is_finished else math.inf
                if value < math.inf:
                    found.setdefault(tuning, msgspec.structs.replace(score, cost=value))
        best = sorted(found.values(), key=lambda s: s.cost)[:MOST_MEASURED]
        simple = self.simple.get(evaluator.limit_s)
        return [simple, *best] if simple is not None and best and simple.open <= best[0].open else best

    def _measured(self, evaluator: Evaluator, score: Score, is_whole: bool) -> list[float]:
        """CPU-seconds of a recipe; where the limit is near, of three runs."""
        if score.cpu_s <= TIGHT * evaluator.limit_s or not is_whole:
            return [score.cpu_s]
        try:
            allowance = Allowance(SLACK * evaluator.limit_s, evaluator.memory)
            return [score.cpu_s, *self.laboratory.again(score.tuning, allowance, AGAIN)]
        except Stopped:
            return [score.cpu_s]

    def _gains(self, evaluator: Evaluator, best: Score, is_whole: bool) -> list[explain.Gain]:
        if not self.more.explain or not is_whole:
            return []
        try:
            return explain.gains(Evaluator(self.laboratory, evaluator.limit_s, evaluator.memory), best)
        except Stopped:
            return []


def front(scores: Sequence[Score]) -> list[Score]:
    """The Pareto front of time and proofs, from fast to slow."""
    found: list[Score] = []
    for score in sorted((s for s in scores if s.is_finished), key=lambda s: (s.cpu_s, -s.count)):
        if not found or score.count > found[-1].count:
            found.append(score)
    return found

"""What is done beyond Algorithm 6: the designer's ladder first, unions of complementary runs, settings for single
functions, and leaving out what buys nothing."""

from __future__ import annotations

from collections import Counter

from gainsay.core.tailor_analyzer import PROVED, Ingredient, Tuning
from gainsay.tailor.evaluate import Evaluator, Laboratory, Score
from gainsay.tailor.explain import without

NOISE = 1.25  # times as long, and still the same
GIVE_UP = 3  # rungs of the ladder in a row that did not finish


def climb(evaluator: Evaluator) -> list[tuple[str, Score]]:
    """The designer's levels, from fast to precise.
    After several in a row that do not finish, only every second one: a ladder need not be monotone (Eva ends on redis'
    intset.c with level 5 and not with 1 to 4)."""
    found: list[tuple[str, Score]] = []
    failed = 0
    for label, tuning in evaluator.analyzer.ladder():
        if failed >= GIVE_UP and (failed - GIVE_UP) % 2 == 0:
            failed += 1
            continue
        score = evaluator.evaluate(tuning)
        found.append((label, score))
        failed = 0 if score.is_finished else failed + 1
    return found


def unite(evaluator: Evaluator) -> None:
    """Greedy set cover over the runs that were made already: first by what a run adds, then by what it adds for its
    time."""
    for by_time in (False, True):
        chosen = cover(evaluator.laboratory, evaluator.limit_s, by_time)
        if len(chosen) > 1:
            evaluator.evaluate(Tuning(tuple(chosen)))


def cover(laboratory: Laboratory, limit_s: float, by_time: bool) -> list[Ingredient]:
    """Runs that together prove much within a limit. Ties go to the faster run, then to the first by name."""
    runs = {i: (laboratory.code.mask(o.verdicts, PROVED), o.cpu_s) for i, o in sorted(laboratory.finished.items())}
    chosen: list[Ingredient] = []
    proved, left = 0, limit_s
    while True:
        able = {i: ((mask & ~proved).bit_count(), cpu_s) for i, (mask, cpu_s) in runs.items() if cpu_s <= left}
        able = {i: (gain, cpu_s) for i, (gain, cpu_s) in able.items() if gain}
        if not able:
            return chosen
        best = min(able, key=lambda i: (-able[i][0] / (able[i][1] if by_time else 1), able[i][1]))
        chosen.append(best)
        proved |= runs[best][0]
        left -= runs[best][1]


def focus(evaluator: Evaluator, tries: int) -> None:
    """Raise settings for single functions, where the analyzer allows it: first where most is open.
    A value that does not help is given up."""
    settings = [s for s in evaluator.analyzer.settings if s.takes_function]
    best = evaluator.best
    if best is None or not settings:
        return
    every = (1 << best.total) - 1
    counts = Counter(p.function for p in evaluator.laboratory.code.chosen(every & ~best.proved))
    for function in sorted(counts, key=lambda f: (-counts[f], f)):
        for setting in settings:
            name = f"{setting.name}@{function}"
            for value in setting.values[2:]:
                if tries == 0:
                    return
                best = evaluator.best or best
                ingredient = best.tuning.ingredients[0]
                if value == dict(ingredient.settings).get(name, ingredient.get(setting)):
                    continue
                tries -= 1
                if evaluator.evaluate(best.tuning.replace(0, ingredient.put(name, value, None))).cost >= best.cost:
                    break


def prune(evaluator: Evaluator) -> Score | None:
    """The best recipe without what buys neither proofs nor time: its parts are left out one after the other.
    A quarter more or less time is noise, so that the lowest cost alone would keep parts that do nothing."""
    best = evaluator.best
    if best is None:
        return None
    simple, is_smaller = best, True
    while is_smaller:
        is_smaller = False
        for _, tuning in without(evaluator.analyzer, simple.tuning):
            score = evaluator.evaluate(tuning)
            if score.is_finished and score.open <= simple.open and score.cpu_s <= NOISE * best.cpu_s:
                simple, is_smaller = score, True
                break
    return simple

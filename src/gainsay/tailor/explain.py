"""Why a recipe is worth what it is: what is lost when one part of it is left out (leave-one-out), and how it compares
when one is changed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import msgspec

from gainsay.core.tailor_analyzer import TailorAnalyzer, Tuning
from gainsay.tailor.draws import inherited
from gainsay.tailor.evaluate import Evaluator, Score


class Gain(msgspec.Struct, frozen=True):
    """What a part of a recipe bought: proofs, and the CPU-seconds that it costs.
    Without a part that is needed the recipe does not finish."""

    part: str
    proofs: int
    cpu_s: float
    is_needed: bool = False


def without(analyzer: TailorAnalyzer, tuning: Tuning) -> Iterator[tuple[str, Tuning]]:
    """The recipe with one part left out, with a name for the part: an ingredient, a setting, a part of a domain."""
    for index, ingredient in enumerate(tuning.ingredients):
        at = f"{index + 1}: " if len(tuning) > 1 else ""
        if len(tuning) > 1:
            yield f"{at}the whole ingredient", Tuning((*tuning.ingredients[:index], *tuning.ingredients[index + 1 :]))
        for name, value in ingredient.settings:
            rest = tuple(pair for pair in ingredient.settings if pair[0] != name)
            yield f"{at}{name}={value}", tuning.replace(index, msgspec.structs.replace(ingredient, settings=rest))
        for lower in analyzer.domains.less(ingredient.domain) if "+" in ingredient.domain else ():
            gone = set(ingredient.domain.split("+")) - set(lower.split("+"))
            yield f"{at}domain {'+'.join(sorted(gone))}", tuning.replace(index, inherited(analyzer, lower, ingredient))


def gains(evaluator: Evaluator, best: Score) -> list[Gain]:
    """Leave-one-out. What does not finish without a part, owes all its proofs to it."""
    found = []
    for part, tuning in without(evaluator.analyzer, best.tuning):
        other = evaluator.evaluate(tuning)
        if other.is_finished:
            found.append(Gain(part, best.count - other.count, round(best.cpu_s - other.cpu_s, 3)))
        else:
            found.append(Gain(part, best.count, 0.0, is_needed=True))
    return sorted(found, key=lambda g: (-g.proofs, g.part))


def neighbours(analyzer: TailorAnalyzer, tuning: Tuning) -> Iterator[tuple[str, Tuning]]:
    """RQ2: every recipe with one setting changed, one domain replaced by a comparable one, or the ingredients in
    another order."""
    for index, ingredient in enumerate(tuning.ingredients):
        for setting in analyzer.settings_of(ingredient.domain):
            for value in setting.values:
                if value != ingredient.get(setting):
                    yield setting.name, tuning.replace(index, ingredient.put(setting.name, value, setting.default))
        for domain in analyzer.domains.comparable_to(ingredient.domain):
            if domain not in tuning.domains:
                yield "domain", tuning.replace(index, inherited(analyzer, domain, ingredient))
    for order in permutations(tuning.ingredients):
        if order != tuning.ingredients:
            yield "order", Tuning(order)


def sign(best: Score, other: Score, tolerance_s: float) -> str:
    """Figure 5.8: positive, equal or negative, with a tolerance for the time.
    (The thesis prints "faster" for negative; slower is meant.)"""
    if not other.is_finished or other.count < best.count:
        return "negative"
    if other.count > best.count:
        return "positive"
    if abs(other.cpu_s - best.cpu_s) <= tolerance_s:
        return "equal"
    return "positive" if other.cpu_s < best.cpu_s else "negative"

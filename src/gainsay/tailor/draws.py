"""Random tunings (Section 5.4.3): from scratch, as mutations by Algorithm 7, and with other settings.
Pure functions of a draw."""

from __future__ import annotations

import msgspec

from gainsay.core.draw import Draw
from gainsay.core.poset import Poset
from gainsay.core.tailor_analyzer import Ingredient, TailorAnalyzer, Tuning

TRIES = 200  # of Algorithm 7 before a tuning is drawn from scratch: a poset may leave no way on


class Odds(msgspec.Struct, frozen=True):
    """The probabilities of Algorithm 7, with the thesis's values.
    What is left of GT and LT is INC, what is left of ADD is MOD."""

    add: float = 0.2
    gt: float = 0.5
    lt: float = 0.3
    steps: int = 10  # of hill climbing before it starts again
    more: float = 0.5  # that MUTATESETTINGS changes one more setting


def inherited(analyzer: TailorAnalyzer, domain: str, model: Ingredient) -> Ingredient:
    """An ingredient with a domain, and with those settings of a model that mean something for it."""
    names = {s.name for s in analyzer.settings_of(domain)}
    return Ingredient(domain, tuple((n, v) for n, v in model.settings if n.partition("@")[0] in names))


def sampled(draw: Draw, analyzer: TailorAnalyzer, length: int, model: Ingredient) -> Tuning:
    """RS: any domains."""
    return Tuning(tuple(inherited(analyzer, draw.pick(analyzer.domains.names), model) for _ in range(length)))


def aware(draw: Draw, analyzer: TailorAnalyzer, length: int, model: Ingredient) -> Tuning:
    """DARS: no two domains are comparable.
    Shorter than asked for only if the poset has no so many domains side by side."""
    poset = analyzer.domains
    for wanted in range(length, 0, -1):
        for _ in range(TRIES):
            chosen: list[str] = []
            while len(chosen) < wanted and (rest := poset.incomparable(chosen)):
                chosen.append(draw.pick(rest))
            if len(chosen) == wanted:
                return Tuning(tuple(inherited(analyzer, domain, model) for domain in chosen))
    raise AssertionError("a poset without a domain")


def mutated(draw: Draw, analyzer: TailorAnalyzer, tuning: Tuning, length: int, odds: Odds) -> Tuning:
    """Algorithm 7: add an ingredient, or replace the domain of one by the next above, the next below, or a least one
    beside all others."""
    for _ in range(TRIES):
        found = _mutated(draw, analyzer.domains, tuning, length, odds)
        if found is not None and analyzer.domains.is_compatible(found.domains):
            return Tuning(tuple(inherited(analyzer, i.domain, i) for i in found.ingredients))
    return aware(draw, analyzer, length, tuning.ingredients[0])


def _mutated(draw: Draw, poset: Poset, tuning: Tuning, length: int, odds: Odds) -> Tuning | None:
    """One try; None where the drawn action has nothing to choose from."""
    if draw.coin(odds.add) and len(tuning) < length:
        found = poset.least_incomparable(tuning.domains)
        if not found:
            return None
        added = msgspec.structs.replace(tuning.ingredients[0], domain=draw.pick(found))
        return Tuning((*tuning.ingredients, added))
    index = draw.below(len(tuning))
    ingredient = tuning.ingredients[index]
    action = draw.unit()
    if action < odds.gt:
        choices = list(poset.greater(ingredient.domain))
    elif action < odds.gt + odds.lt:
        choices = list(poset.less(ingredient.domain))
    else:
        choices = poset.least_incomparable([d for n, d in enumerate(tuning.domains) if n != index])
    if not choices:
        return None
    return tuning.replace(index, msgspec.structs.replace(ingredient, domain=draw.pick(choices)))


def resettled(draw: Draw, analyzer: TailorAnalyzer, tuning: Tuning, odds: Odds) -> Tuning:
    """MUTATESETTINGS: another value for a setting of one ingredient, and perhaps for more."""
    index = draw.below(len(tuning))
    ingredient = tuning.ingredients[index]
    rungs = {s.name for s in analyzer.settings if not s.is_drawn}  # a level of the designer's sets the others too
    ingredient = Ingredient(ingredient.domain, tuple(pair for pair in ingredient.settings if pair[0] not in rungs))
    able = [s for s in analyzer.settings_of(ingredient.domain) if len(s.values) > 1]
    if not able:
        return tuning.replace(index, ingredient)
    wanted = 1
    while wanted < len(able) and draw.coin(odds.more):
        wanted += 1
    for setting in draw.sample(able, wanted):
        others = [v for v in setting.values if v != ingredient.get(setting)]
        ingredient = ingredient.put(setting.name, draw.pick(others), setting.default)
    return tuning.replace(index, ingredient)

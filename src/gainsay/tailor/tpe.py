"""The fifth algorithm: tree-structured Parzen estimators, by Optuna. The way it goes depends on measured costs only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gainsay.core.draw import seed_for
from gainsay.core.tailor_analyzer import Ingredient, TailorAnalyzer, Tuning
from gainsay.errors import EnvironmentProblem

if TYPE_CHECKING:
    from gainsay.tailor.evaluate import Evaluator
    from gainsay.tailor.search import Plan

WORSE = 2.0  # the cost of what did not finish: worse than any finished recipe, and finite


def search(plan: Plan, evaluator: Evaluator) -> None:
    """All iterations of the plan. The recipe that was evaluated first is told to the sampler, too."""
    try:
        import optuna
    except ImportError:
        raise EnvironmentProblem(
            "--algorithm tpe needs Optuna. Install it with: pip install 'gainsay[tailor]'"
        ) from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    sampler = optuna.samplers.TPESampler(seed=seed_for(plan.seed, "tailor", "tpe") % (1 << 32), multivariate=True)
    study = optuna.create_study(sampler=sampler)
    analyzer = evaluator.analyzer
    study.enqueue_trial(answers(analyzer, analyzer.initial()))
    for _ in range(plan.budget.iterations):
        trial = study.ask()
        score = evaluator.evaluate(suggested(trial, analyzer, plan.budget.l_max))
        study.tell(trial, score.cost if score.is_finished else WORSE)


def suggested(trial: Any, analyzer: TailorAnalyzer, l_max: int) -> Tuning:
    """A recipe, word by word: its length, and for each ingredient the domain and the place of each setting's value in
    its order."""
    found = []
    for number in range(trial.suggest_int("length", 1, l_max)):
        ingredient = Ingredient(trial.suggest_categorical(f"{number} domain", list(analyzer.domains.names)))
        for setting in analyzer.settings_of(ingredient.domain):
            place = trial.suggest_int(f"{number} {setting.name}", 0, len(setting.values) - 1)
            ingredient = ingredient.put(setting.name, setting.values[place], setting.default)
        found.append(ingredient)
    return Tuning(tuple(found))


def answers(analyzer: TailorAnalyzer, tuning: Tuning) -> dict[str, Any]:
    """What `suggested` would have to be told to make this recipe."""
    found: dict[str, Any] = {"length": len(tuning)}
    for number, ingredient in enumerate(tuning.ingredients):
        found[f"{number} domain"] = ingredient.domain
        for setting in analyzer.settings_of(ingredient.domain):
            found[f"{number} {setting.name}"] = setting.values.index(ingredient.get(setting))
    return found

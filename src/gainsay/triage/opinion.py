"""A third opinion: where two engines differ, another one that is installed may tell which of them stands alone."""

from __future__ import annotations

from typing import Any

from gainsay.campaign import conversation
from gainsay.campaign.seating import HostedPlayer
from gainsay.core import registry, values
from gainsay.core.answer import Decision, Rows
from gainsay.core.model import Case, Target
from gainsay.errors import GainsayError


def opinion(case: Case, found: conversation.Contradiction) -> tuple[int, str]:
    """The seat that stands alone (0 if nobody can tell), and who says so."""
    engines = {s.target.engine for s in case.seats}
    answers = list(found.answers.values())
    if found.claim is None or len(answers) < 2 or not all(isinstance(a, (Rows, Decision)) for a in answers):
        return 0, ""
    family = registry.family(case.family)
    known = family.expected_for(case) if hasattr(family, "expected_for") else family.expected(case.scene, case.recipe.question)
    if known is not None:
        right = [i for i, a in enumerate(answers) if values.same_bag(a.rows, known, found.claim.rule)]
        wrong = [i for i in range(len(answers)) if i not in right]
        if right and wrong:
            return wrong[0], f"gainsay's own evaluator answers as {' and '.join(case.seats[i].name for i in right)} {'do' if right[1:] else 'does'}"
    if len(engines) < 2:
        return 0, ""
    for name in registry.table("gainsay.engines"):
        other = registry.engine(name)
        if name not in engines and case.family == other.FAMILY and not getattr(other, "NEEDS_SERVER", False) and known is None:
            rows, version = ask(case, name)
            agree = [] if rows is None else [i for i, a in enumerate(answers) if values.same_bag(a.rows, rows, values.NUMBER)]
            if len(agree) == 1 and len(answers) == 2:
                return 1 - agree[0], f"{name} {version} answers as {case.seats[agree[0]].name} does"
    return 0, ""


def ask(case: Case, name: str) -> tuple[list[Any] | None, str]:
    """What an engine that takes no part answers; None if it can't or won't."""
    engine = registry.engine(name)
    dialect = registry.family(case.family).dialect(engine.DIALECT)
    player = HostedPlayer(Target(name), hard_s=5.0)
    try:
        version, _, _ = player.describe()
        player.reset()
        texts = list(filter(None, (dialect.text(node) for node in registry.family(case.family).script(case.scene))))
        if any(not isinstance(player.ask(t), (Rows, Decision)) for t in texts):
            return None, version
        family = registry.family(case.family)
        answer = player.ask(dialect.text(family.asked(case.scene, case.recipe.question)))
        return (answer.rows if isinstance(answer, (Rows, Decision)) else None), version
    except (GainsayError, KeyError, NotImplementedError):
        return None, ""  # not installed, or without one of the operators
    finally:
        player.close()

"""Conversations held by the one driver, with what tests want to know of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from gainsay.core import registry
from gainsay.core.answer import Answer, Refused
from gainsay.core.claim import Claim, Verdict
from gainsay.core.model import Seats, Step
from gainsay.core.oracle import Oracle
from gainsay.core.talk import is_broken
from gainsay.testing import talk


class Held(NamedTuple):
    """A conversation, and the texts of its questions by label."""

    talk: talk.Talk
    texts: dict[str, str]

    @property
    def steps(self) -> dict[str, Any]:
        """What was asked, by label."""
        return {step.label: step.node for step in self.talk.steps}

    @property
    def answers(self) -> dict[str, Answer]:
        return self.talk.given

    @property
    def claims(self) -> list[Claim]:
        return self.talk.claims

    @property
    def verdicts(self) -> list[Verdict]:
        return self.talk.verdicts

    @property
    def contradicted(self) -> list[str]:
        """The labels of claims that do not hold; or that the engine broke inside."""
        broken = [a for a in self.answers.values() if isinstance(a, Refused) and is_broken(a)]
        labels = [c.label for c, v in zip(self.claims, self.verdicts, strict=True) if v is Verdict.CONTRADICTED]
        return ["internal-error"] if broken else labels


def hold(oracle: Oracle, scene: Any, recipe: Any, seated: Seats, ask: Callable[[Step, str], Answer]) -> Held:
    """Hold a conversation with what answers a step and its text. No two questions have one label."""
    spell = [registry.family(oracle.family).dialect(seat.dialect).text for seat in seated]
    texts: dict[str, str] = {}

    def asked(step: Step) -> Answer:
        assert step.label not in texts or step.again, f"two questions are called {step.label}"
        texts[step.label] = spell[step.seat](step.node)
        return ask(step, texts[step.label])

    return Held(talk.held(oracle, scene, recipe, seated, asked), texts)

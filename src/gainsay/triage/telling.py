"""What is told of a contradiction that was looked at: its answers and claim as data, and why the claim must hold."""

from __future__ import annotations

from typing import Any

import msgspec

from gainsay.campaign import conversation
from gainsay.core import claim as claims
from gainsay.core import registry
from gainsay.core.alone import Alone
from gainsay.core.answer import Answer, Decision, Rows
from gainsay.core.model import Case, Seat, Seats

UNBROKEN = "An engine must answer or refuse a statement; it must not die, hang or break inside."
BROKEN = {
    "crash": "the engine must not crash",
    "hang": "the engine must answer, refuse or give up in time",
    "memory": "the engine must not use up all memory",
    "internal-error": "the engine must not break inside",
}


def shown(answer: Answer) -> Any:
    """An answer for people and JSON: rows as literals."""
    if isinstance(answer, Rows):
        return [[literal(v) for v in row] for row in answer.rows]
    if isinstance(answer, Decision):
        return [[line] for line in (*answer.verdict.split(), *answer.model.splitlines(), *answer.core.splitlines())]
    return str(answer)


def stated(claim: claims.Claim) -> dict[str, Any]:
    """A claim for JSON: rows that are known in advance as literals, since JSON has no bytes and no NaN."""
    made: dict[str, Any] = msgspec.to_builtins(claim)
    for name, side in (("left", claim.left), ("right", claim.right)):
        made[name]["value"] = None if side.value is None else [[literal(v) for v in row] for row in side.value]
    return made


def literal(value: Any) -> str:
    """A Python literal of a value: NULL is None, and 1 is not 1.0."""
    return repr(value)


def evidence(case: Case, found: conversation.Contradiction) -> tuple[dict[str, str], dict[str, Any]]:
    """The questions and answers that a report shows, by their labels."""
    if found.claim is None and case.oracle != conversation.LOAD:
        # One question did it, and what the oracle called it says nothing to anybody.
        (text,), (answer,) = found.texts.values(), found.answers.values()
        return {Alone.label: text}, {Alone.label: answer}
    labels = list(found.texts)
    if found.claim is not None:
        labels = list(registry.oracle(case.family, case.oracle).evidence(labels, found.claim))
    texts = {label: found.texts[label] for label in labels}
    return texts, {label: found.answers[label] for label in labels if label in found.answers}


def explained(case: Case, found: conversation.Contradiction, seat: Seat, seats: Seats) -> str:
    """Why a claim must hold. An oracle may say more of a case that is small now, and a family of the difference."""
    claim = found.claim
    if claim is None:
        return UNBROKEN
    oracle, family = registry.oracle(case.family, case.oracle), registry.family(case.family)
    why = oracle.explain(case.scene, case.recipe, seats) or claim.why
    if not all(isinstance(found.answers[step], Rows) for side in (claim.left, claim.right) for step in side.steps):
        return why
    remark = family.remark(
        seat.dialect, claims.fold(claim.left, found.answers), claims.fold(claim.right, found.answers)
    )
    return f"{why} {remark}" if remark else why

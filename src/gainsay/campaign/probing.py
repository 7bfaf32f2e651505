"""Asks a target once what it takes, in a process that may die: what is refused is never drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from gainsay.campaign.seating import HostedPlayer
from gainsay.core import registry
from gainsay.core.answer import Answer, Decision, Died, GaveUp, Refused, Rows
from gainsay.core.model import Probe, Seat, Seats, Target
from gainsay.core.values import is_well, same_bag
from gainsay.errors import EnvironmentProblem

CRASHES = "crashes:"
SETUP = "setup: "  # of a statement that other probes need


def refused(target: Target, family_name: str) -> frozenset[str]:
    """The features that a target does not have; those that end its process are named a second time, as `crashes:`."""
    found = answers(target, family_name)
    return frozenset(found) | {f"{CRASHES}{feature}" for feature, text in found.items() if text.startswith("Died(")}


class Refusal(NamedTuple):
    """What a target was asked for a feature that it does not have, after which statements, and its whole answer."""

    setup: tuple[str, ...]
    text: str
    message: str


def answers(target: Target, family_name: str) -> dict[str, str]:
    """Each refused feature with the first line of what the target said."""
    return {feature: refusal.message.splitlines()[0] for feature, refusal in refusals(target, family_name).items()}


def refusals(target: Target, family_name: str) -> dict[str, Refusal]:
    """Each refused feature with what was asked and said."""
    family = registry.family(family_name)
    engine = registry.engine(target.engine)
    dialect = engine.DIALECT
    quick = tuple(c for c in target.configs if c not in getattr(engine, "SLOW", ()))
    player = HostedPlayer(msgspec.structs.replace(target, configs=quick), hard_s=10.0)
    missing: dict[str, Refusal] = {}
    current: tuple[str, ...] | None = None
    try:
        player.reset()
        text, expected = family.canary(dialect)
        answer = sung(player.ask, text, expected)
        if not is_well(answer, expected):
            shown = answer.rows if isinstance(answer, (Rows, Decision)) else answer
            remedy = getattr(family, "remedy", "Nothing it says can be trusted.")
            raise EnvironmentProblem(f"{target} does not give the known answer {expected} to a simple program; it gives {shown}. {remedy}")
        for probe in family.probes(dialect, lambda feature: feature not in missing):
            if current != probe.setup or probe.feature.startswith(("setting:", "graph:")):  # what these leave behind is in the way of others
                current = fresh(player, probe.setup, missing)
            why = probed(player, probe)
            if why is not None:
                missing[probe.feature] = why
            if why is not None and why.message.startswith("Died("):
                current = None
    finally:
        player.close()
    return missing


def probed(player: HostedPlayer, probe: Probe) -> Refusal | None:
    """Why a target does not have a feature; None if it has it."""
    why: Refusal | None = None
    for text in probe.texts:
        answer = player.ask(text)
        is_refused = isinstance(answer, (Refused, Died)) or (isinstance(answer, GaveUp) and answer.reason == "unknown")
        if is_refused:
            why = why or Refusal(probe.setup, text, whole(answer))
            if isinstance(answer, Died) and probe.is_any:
                fresh(player, probe.setup, {})
        if is_refused != probe.is_any:
            why = Refusal(probe.setup, text, whole(answer)) if is_refused else None
            break
    if why is not None or probe.effect is None:
        return why
    for text in probe.tries:
        player.ask(text)
    question, right = probe.effect
    answer = player.ask(question)
    told = f"taken, but without effect: {question} gives {answer}, not {right}"
    return None if is_well(answer, right) else Refusal((*probe.setup, *probe.texts, *probe.tries), question, told)


class Examined(NamedTuple):
    """A fixed question, what the target said, and what it should have said (None: it said that, or refused the question)."""

    question: str
    said: str
    right: str | None


def examined(seat: Seat, family_name: str) -> list[Examined]:
    """A family's fixed questions to a target, each compared with what its profile says."""
    family = registry.family(family_name)
    player = HostedPlayer(seat.target, hard_s=10.0)
    seats = Seats((seat,))
    seats.lexicon = family.prepare(seats, {})
    dialect = family.dialect(seat.dialect)
    found = []
    try:
        for scene, question, right, rule in family.examination(seats):
            texts = [dialect.text(s) for s in family.script(scene)]
            if player.holding != texts:
                fresh(player, tuple(filter(None, texts)), {})
                player.holding = texts
            answer = player.ask(dialect.text(question))
            if not isinstance(answer, Rows):
                player.holding = None
            is_right = not isinstance(answer, (Rows, Died)) or (isinstance(answer, Rows) and same_bag(answer.rows, right, rule))
            shown = str(answer.rows) if isinstance(answer, Rows) else said(answer)
            found.append(Examined(dialect.text(question), shown, None if is_right else str(right)))
    finally:
        player.close()
    return found


def sung(ask: Callable[[str], Answer], texts: str | Sequence[str], expected: list[Any]) -> Answer:
    """An engine's answer to its canary; where there are several texts, each in another logic, one right answer is enough."""
    answer: Answer = Refused("canary", "nothing was asked")
    for text in [texts] if isinstance(texts, str) else texts:
        answer = ask(text)
        if is_well(answer, expected):
            break
    return answer


def fresh(player: HostedPlayer, setup: tuple[str, ...], missing: dict[str, Refusal]) -> tuple[str, ...]:
    """A fresh session with what probes need. What of that is refused is noted: it is why other features seem to be missing."""
    player.reset()
    for text in setup:
        answer = player.ask(text)
        if isinstance(answer, (Refused, Died)):
            missing[f"{SETUP}{text}"] = Refusal((), text, whole(answer))
    return setup


def said(answer: Answer) -> str:
    return whole(answer).splitlines()[0]


def whole(answer: Answer) -> str:
    """All that an engine said when it refused, gave up or died."""
    if isinstance(answer, Refused) and answer.message.strip():
        return answer.message.strip()
    return f"{answer!r}\n{answer.stderr}".strip() if isinstance(answer, Died) else repr(answer)

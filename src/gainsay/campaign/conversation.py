"""Holding a conversation: load a scene, let an oracle talk, judge its claims.
Hunting, confirming, reducing and replaying all do this."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from gainsay.campaign.seating import Player
from gainsay.core import registry
from gainsay.core.answer import Answer, Died, GaveUp, Refused
from gainsay.core.claim import Claim, Verdict
from gainsay.core.family import Family
from gainsay.core.model import Case, Seats, Step
from gainsay.core.talk import Judged, held, is_broken

LOAD = "load"  # the name that stands for an oracle where the scene itself did it


class Contradiction(msgspec.Struct):
    """A claim that does not hold, or an engine that died or broke, with all that was said."""

    label: str
    claim: Claim | None
    answers: dict[str, Any]
    texts: dict[str, str]
    detail: str = ""
    seat: int = 0  # who died, broke or answered
    asked: dict[str, Any] = {}  # the questions, by label
    before: tuple[tuple[int, str], ...] = ()  # what changed the place before the engine broke: seat and text


class Loaded(msgspec.Struct):
    """How loading went: which statements every seat took, and what broke."""

    accepted: list[int]
    refused: list[str]
    broken: Contradiction | None = None


Ask = Callable[[int, str], Answer]
Run = Callable[[list[str]], list[Answer]]


def trouble(answer: Answer, label: str, text: str, seat: int = 0) -> Contradiction | None:
    """A death or an internal error is a finding by itself."""
    if isinstance(answer, Died):
        return Contradiction(
            answer.how, None, {label: answer}, {label: text}, f"{answer.signal}\n{answer.stderr}".strip(), seat
        )
    if isinstance(answer, Refused) and answer.kind == "internal":
        return Contradiction("internal-error", None, {label: answer}, {label: text}, answer.message, seat)
    return None


def load(ask: Ask, texts: Sequence[Sequence[str]], run: Run | None = None) -> Loaded:
    """Run a script, statement by statement; texts[i][seat]. `run` takes all of them at once, where there is one seat.
    What one seat refuses is not accepted; a death or internal error ends it."""
    if run is not None:
        said = iter(run([text for (text,) in texts if text]))
        return load(lambda seat, text: next(said), texts)
    result = Loaded([], [])
    for index, spelled in enumerate(texts):
        for seat, text in enumerate(spelled):
            if not text:
                continue  # this dialect has nothing to say here
            answer = ask(seat, text)
            if answer.__class__ is Refused or answer.__class__ is Died or answer.__class__ is GaveUp:
                broken = trouble(answer, f"statement {index + 1}", text, seat)
                if broken is not None:
                    result.broken = broken
                    return result
                result.refused.append(f"{text}: {answer.message if isinstance(answer, Refused) else answer}")
                break
        else:
            result.accepted.append(index)
    return result


def spelled(family: Family, scene: Any, seats: Seats) -> list[list[str]]:
    dialects = [family.dialect(s.dialect) for s in seats]
    return [[d.text(node) for d in dialects] for node in family.script(scene)]


def hold(
    case: Case,
    players: Sequence[Player],
    seats: Seats,
    before: Sequence[tuple[int, str]] = (),
    verdicts: list[Verdict] | None = None,
) -> list[Contradiction] | None:
    """Hold a case's conversation on fresh sessions.
    None: the scene or the recipe is not legal (any more). `verdicts` takes what was judged."""
    family = registry.family(case.family)
    texts = spelled(family, case.scene, seats)
    # Where questions change nothing, a scene that is loaded need not be loaded again for the next one.
    if before or not family.is_readonly or any(p.holding != texts for p in players):
        for player in players:
            player.holding = None
            player.reset()
        run = players[0].run_script if len(players) == 1 else None
        loaded = load(lambda seat, text: players[seat].ask(text), texts, run)
        if loaded.broken is not None:
            return [loaded.broken]
        if loaded.refused:
            return None
        for player in players:
            player.holding = texts
    for seat, text in before:
        answer = players[seat].ask(text)
        if answer.__class__ is Died:
            return [c for c in [trouble(answer, "before", text)] if c]
    if case.oracle == LOAD:
        return []
    return talk(case, players, seats, verdicts)


def talk(
    case: Case, players: Sequence[Player], seats: Seats, verdicts: list[Verdict] | None = None
) -> list[Contradiction]:
    """Hold the conversation of a case whose scene is loaded: all that is contradicted, and what broke."""
    dialects = [registry.family(case.family).dialect(s.dialect) for s in seats]
    texts: dict[str, str] = {}
    asked: dict[str, Any] = {}
    by: dict[str, int] = {}
    changes: list[tuple[int, str]] = []
    found: list[Contradiction] = []

    def ask(step: Step) -> Answer:
        text = dialects[step.seat].text(step.node)
        texts[step.label], asked[step.label], by[step.label] = text, step.node, step.seat
        return players[step.seat].ask(text)

    for said in held(registry.oracle(case.family, case.oracle).converse(case.scene, case.recipe, seats), ask):
        if isinstance(said, Judged):
            if verdicts is not None:
                verdicts.append(said.verdict)
            if said.verdict is Verdict.CONTRADICTED:
                claim, given = said.claim, dict(said.given)
                seat = only(claim, by)
                found.append(Contradiction(claim.label, claim, given, dict(texts), seat=seat, asked=dict(asked)))
            continue
        step, answer, _ = said
        if is_broken(answer) or isinstance(answer, GaveUp) or is_lost(answer) or case.recipe.is_alone:
            players[step.seat].holding = None  # the place may be another now, or changed
        broken = trouble(answer, step.label, texts[step.label], step.seat)
        if broken is not None:
            broken.asked = {step.label: step.node}
            broken.before = tuple(changes)
            found.append(broken)
        if case.recipe.is_alone and not isinstance(step.node, registry.family(case.family).question_type):
            changes.append((step.seat, texts[step.label]))
    return found


def only(claim: Claim, by: Mapping[str, int]) -> int:
    """The seat whose answers a claim is about; the first one, where it compares several."""
    seats = {by[label] for label in (*claim.left.steps, *claim.right.steps)}
    return seats.pop() if len(seats) == 1 else 0


def is_lost(answer: Answer) -> bool:
    """Whether the connection was lost over it."""
    return isinstance(answer, Refused) and answer.kind == "connection"

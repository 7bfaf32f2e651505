"""How a finding is called, and what is heard beside it: cases next to its own are held to hear whether they are as
wrong."""

from __future__ import annotations

import itertools
from typing import Any

from gainsay.campaign import conversation, events
from gainsay.campaign.alike import SHAPED, voice, voice_of
from gainsay.campaign.reasons import is_by_chance
from gainsay.core import registry
from gainsay.core.family import EVERYWHERE
from gainsay.core.model import Case
from gainsay.triage import signature
from gainsay.triage.holding import Holding
from gainsay.triage.span import said

MOST = 80  # exchanges that a title is worth
EXCHANGES = {"crash": 20, "memory": 0, "hang": 0}
WORDS = 6  # that a title says what breaks an engine in; where so much matters, the bucket says it


def title(held: Holding, case: Case, found: conversation.Contradiction, finding: events.Finding) -> str:
    """The signature, but for what can be exchanged for another of its kind; and with what can't. Of what broke the
    engine: over what it does, then its own words."""
    family = registry.family(case.family)
    is_broken = finding.kind not in SHAPED
    if is_broken and finding.unreduced:
        return ""  # nobody knows what of it matters
    spared, needed = exchanged(held, case, found, finding.kind)
    bucket = frozenset(finding.bucket)
    # The bucket of what broke the engine leaves out what its words tell apart.
    named = frozenset(finding.shape) | family.seated(held.group.seats[finding.seat]) if is_broken else bucket
    words = family.titled(case.recipe, named, spared, needed) | case.recipe.title_words
    if is_broken:
        words = words if len(words) <= WORDS else bucket - spared or bucket
        words = family.framed(words) if is_by_chance(finding.kind, found.detail) else words
        return signature.title(finding.engine, finding.kind, words, found.detail)
    return signature.signature(finding.engine, finding.kind, words) if words != bucket else ""


def exchanged(
    held: Holding, case: Case, found: conversation.Contradiction, kind: str
) -> tuple[frozenset[str], frozenset[str]]:
    """What was exchanged with the case as wrong as before, and what could not be."""
    tried: dict[tuple[str, Any], list[bool]] = {}
    exchanges = registry.family(case.family).exchanges(case)
    for name, place, (scene, recipe) in itertools.islice(exchanges, EXCHANGES.get(kind, MOST)):
        other = case.with_parts(scene, recipe)
        if held.is_legal(other):
            again = held.same(other)
            # A reduced case has nothing that its cause does not need: what breaks without a part of it breaks for
            # its cause, even where the engine stumbles at another word.
            is_same = again is not None and held.loose_words(again, again.detail) == held.loose_words(
                found, found.detail
            )
            tried.setdefault((name, place), []).append(is_same)
    everywhere = {name for (name, place), seen in tried.items() if place == EVERYWHERE and any(seen)}
    needed = frozenset(name for (name, _), seen in tried.items() if not any(seen)) - everywhere
    return frozenset(name for name, _ in tried) - needed, needed


def beside(held: Holding, case: Case, found: conversation.Contradiction, finding: events.Finding) -> tuple[str, ...]:
    """What the engine says over cases next to a reduced one, where it breaks."""
    engine = held.group.seats[0].target.engine
    heard: dict[str, None] = {}
    if len(held.group.seats) > 1:
        return ()
    parts = registry.family(case.family).beside(case)
    for scene, recipe in itertools.islice(parts, EXCHANGES.get(finding.kind, MOST)):
        other = case.with_parts(scene, recipe)
        for broken in held.all(other) if held.is_legal(other) else ():
            if broken.claim is None:
                heard[voice(engine, broken.label, broken.detail)] = None
            elif said(broken) != said(found):
                return ()  # another wrong answer to what is the same: two causes are in it
    return tuple(words for words in heard if words and words != voice_of(finding))

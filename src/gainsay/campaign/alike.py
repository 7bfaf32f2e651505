"""Whether two findings are one: by the shape of their cases, by what was asked, and by what the engine said when it
broke."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gainsay.campaign import events
from gainsay.campaign.reasons import is_by_chance, words_of
from gainsay.campaign.siblings import GONE, SHOWS, around
from gainsay.core import registry
from gainsay.core.family import Family

LITERALS = re.compile(r"'[^']*'|\"[^\"]*\"|\b\d+(\.\d+)?\b")
FRAME = re.compile(r"^  \S+\((\w+)\)$", re.MULTILINE)  # of a stack in an engine's own crash report: lib.so(function)
FRAMES = 3  # the innermost ones, which name the bug
DEATHS = frozenset({"crash", "hang", "memory"})
SHAPED = ("logic", "incomplete")  # kinds that are known by the shape of their cases, not by what the engine said


def first_line(text: str) -> str:
    return text.partition("\n")[0]


def is_one(family: Family, known: events.Finding, new: events.Finding) -> bool:
    """Whether two findings have one shape, or one is the other with mere surroundings."""
    if known.signature in (new.signature, new.apart[1], *new.also) or new.id in known.aliases:
        return True
    if known.engine == new.engine and is_nobodys(new) and is_by_chance(known.kind, known.detail):
        return True
    if known.engine == new.engine and (is_kin(known, new) or is_beside(known, new)):
        return True
    if (known.engine, known.kind) != (new.engine, new.kind):
        return False
    # One question may break in several words: an internal error is known by its message, or by what was asked.
    # So is a death whose question has a skeleton: broken memory shows in one way today and in another tomorrow.
    if (new.kind == "internal-error" or (new.kind in DEATHS and new.skeleton)) and masked(known) == masked(new):
        return True
    if new.kind in DEATHS and frames_of(new.detail) and frames_of(known.detail) == frames_of(new.detail):
        return True
    return new.kind != "internal-error" and absorbs(family, known, new)


def absorbs(family: Family, known: events.Finding, new: events.Finding) -> bool:
    """Whether a new finding is a known one, or that one with mere surroundings."""
    alike = known.kind in SHAPED or first_line(known.detail) == first_line(new.detail)
    if alike and known.kind in DEATHS:
        core = family.core(frozenset(known.shape))
        if core and core <= set(new.shape):
            return True  # the same end over the same function or value, whatever stands around it
    one, two = frozenset(known.bucket), frozenset(new.bucket)
    # Of two deaths with one end, either may have been met first; a wrong answer is tried in the other's place.
    return alike and bool(family.absorbs(one, two) or (known.kind in DEATHS and family.absorbs(two, one)))


def said(engine: str, detail: str) -> str:
    """What an engine said when it broke, but for numbers and names."""
    return words_of(detail, tuple(registry.engine(engine).name_marks))


def is_kin(one: events.Finding, two: events.Finding) -> bool:
    """Whether a question broke the engine next to one that it answers wrongly, or breaks over in other words."""
    is_next = one.skeleton in two.kin or two.skeleton in one.kin
    return is_next or bool(one.loosest and one.kind == two.kind and one.loosest == two.loosest)


def voice(engine: str, kind: str, detail: str) -> str:
    """What an engine says when it breaks, where that names a bug: its words, or the functions it dies in."""
    if kind == "internal-error":
        return f"{kind}: {said(engine, detail)}"
    frames = frames_of(detail) if kind == "crash" else []
    return f"{kind}: {', '.join(frames)}" if frames else ""


def voice_of(finding: events.Finding) -> str:
    return voice(finding.engine, finding.kind, finding.detail)


def is_beside(one: events.Finding, two: events.Finding) -> bool:
    """Whether a question next to one of two breaks the engine as the other does, or as one next to the other."""
    own, others = ({voice_of(f), *f.heard} for f in (one, two))
    return bool((own | {*one.beside}) & {*two.beside} or others & {*one.beside})


def shows_otherwise(known: events.Finding, new: events.Finding) -> bool:
    """Whether a new finding of a known cause shows it in another way: it breaks the engine, or in other words."""
    if known.kind != new.kind:
        return is_kin(known, new) or is_beside(known, new)
    return bool(voice_of(new)) and voice_of(new) not in (voice_of(known), *known.heard)


def otherwise(finding: events.Finding) -> str:
    """How a cause shows in another way than in its own finding: 'SIGABRT over `RETURN ...`'."""
    how = first_line(finding.detail) if finding.detail and finding.kind not in SHAPED else "a wrong answer"
    return f"{how} over `{'; '.join(finding.texts.values())}`"


def is_nobodys(finding: events.Finding) -> bool:
    """Whether nobody knows what a finding is: a death over broken memory that could not be reduced."""
    return finding.unreduced and is_by_chance(finding.kind, finding.detail)


def says_less(new: events.Finding, known: events.Finding) -> bool:
    """Whether a new finding of a known cause shows that a part of the known one's title does not matter."""
    return (
        (new.kind, new.status) == (known.kind, known.status)
        and not new.unreduced
        and set(new.bucket) < set(known.bucket)
    )


def masked(finding: events.Finding) -> list[str]:
    """What was asked, without the literals."""
    return (
        [finding.skeleton] if finding.skeleton else sorted(LITERALS.sub("_", text) for text in finding.texts.values())
    )


def frames_of(detail: str) -> list[str]:
    """How an engine died, and in which functions, where it says so itself: nothing, if it names too few."""
    frames = FRAME.findall(detail)[:FRAMES]
    return [first_line(detail), *frames] if len(frames) == FRAMES else []


def unexplained(span: Mapping[str, str], findings: Sequence[events.Finding]) -> list[str]:
    """Siblings on which a contradiction shows, though none of these findings does."""
    return [v for v in around(span) if span[v] == SHOWS and all(f.span.get(v) == GONE for f in findings)]

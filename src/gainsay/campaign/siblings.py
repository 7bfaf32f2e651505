"""Siblings of a target: other releases of its engine that are at hand. Where else a contradiction shows tells one cause from another."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gainsay.core import registry
from gainsay.core.model import Seat, Target
from gainsay.engines import releases

MOST = 12
SHOWS, GONE, UNASKABLE = "+", "-", "?"
Span = Mapping[str, str]  # version of a sibling -> whether the contradiction shows there


def siblings(seat: Seat, installed: str) -> tuple[str, ...]:
    """Versions beside a seat's own: those in the cache, and the one that is installed. The nearest ones, if there are many."""
    engine = registry.engine(seat.target.engine)
    if any(key != "lib" for key, _ in seat.target.options) or not engine.requirements("0"):
        return ()  # a server of the user's has no other releases
    found = {installed} | {path.name for path in (releases.cache_dir() / engine.NAME).glob("*") if re.fullmatch(r"\d+(\.(post)?\d+)*", path.name)}
    ordered = sorted(found - {seat.version, ""}, key=releases.numbers)
    older = [v for v in ordered if releases.is_older(v, seat.version)]
    newer = [v for v in ordered if v not in older]
    return tuple(older[-MOST // 3 :] + newer[: MOST - min(len(older), MOST // 3)])


def target_of(seat: Seat, version: str, installed: str) -> Target:
    """A sibling as a target, with the seat's configuration."""
    return Target(seat.target.engine, "" if version == installed else version, seat.target.configs)


def differing(one: Span, other: Span) -> list[str]:
    """The siblings on which just one of two contradictions shows; what can't be asked there tells nothing."""
    return [v for v, shown in one.items() if {shown, other.get(v, UNASKABLE)} == {SHOWS, GONE}]


def fits(cause: Span, span: Span) -> bool:
    """Whether a contradiction may have a cause: it shows wherever the cause shows. Where it shows besides, another cause is behind it too."""
    return not any(shown == SHOWS and span.get(v) == GONE for v, shown in cause.items())


def run(span: Span, version: str, is_newer: bool) -> tuple[str, str]:
    """From a release on, to one side: the last one on which a contradiction shows, and the first on which it is gone ('': none)."""
    ordered = sorted([*span, version], key=releases.numbers)
    place = ordered.index(version)
    last = version
    for v in ordered[place + 1 :] if is_newer else reversed(ordered[:place]):
        if span[v] == GONE:
            return last, v
        last = v if span[v] == SHOWS else last
    return last, ""


def bounds(span: Span, version: str) -> dict[str, str]:
    """What a reducer keeps, so that a case stays with its cause: gone just before and just after its releases, and shown on the newest of them.
    The oldest one is left free: where two causes are in a case, that lets it lose one of them."""
    (_, before), (newest, after) = run(span, version, False), run(span, version, True)
    shown = {newest: SHOWS} if newest != version else {}
    return shown | {v: GONE for v in (before, after) if v}


def told(span: Span, version: str) -> str:
    """The releases around one in which a contradiction shows: '3.26.0 to 3.29.0', 'since 3.26.0', 'until 3.29.0'."""
    (first, before), (last, after) = run(span, version, False), run(span, version, True)
    if not before and not after:
        return "in all releases that were tried"
    return f"until {last}" if not before else f"since {first}" if not after else f"{first} to {last}"

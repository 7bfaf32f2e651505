"""Siblings of a target: other releases or builds of its engine.
Where else a contradiction shows tells one cause from another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gainsay.core import registry
from gainsay.core.model import Seat, Target
from gainsay.engines import releases
from gainsay.errors import UsageError

MOST = 12
SHOWS, GONE, UNASKABLE, OWN = "+", "-", "?", "="
# Name of a sibling -> whether the contradiction shows there; oldest first, the target itself (OWN) among them
Span = Mapping[str, str]


def at_hand(seat: Seat, installed: str) -> tuple[str, ...]:
    """The releases around a seat's own, oldest first: those in the cache, and the one that is installed.
    The nearest ones, if there are many."""
    engine = registry.engine(seat.target.engine)
    if any(key != "lib" for key, _ in seat.target.options) or not engine.requirements("0"):
        return ()  # a server of the user's has no other releases
    found = {installed, *releases.cached(engine)}
    ordered = sorted(found - {seat.version, ""}, key=releases.numbers)
    older = [v for v in ordered if releases.is_older(v, seat.version)]
    newer = [v for v in ordered if v not in older]
    kept = (*older[-MOST // 3 :], name_of(seat.target, seat.version), *newer[: MOST - min(len(older), MOST // 3)])
    return kept if len(kept) > 1 else ()


def chosen(seat: Seat, installed: str, targets: Sequence[Target]) -> tuple[str, ...]:
    """The siblings that a user names, oldest first."""
    named = tuple(name_of(t, t.version or installed) for t in targets)
    if any((t.engine, t.configs) != (seat.target.engine, seat.target.configs) for t in targets):
        raise UsageError(
            f"--sibling: name releases or builds of {seat.target.engine}, in the configuration that is hunted on."
        )
    if len(set(named)) < len(named) or name_of(seat.target, seat.version) not in named:
        raise UsageError(f"--sibling: name each once, oldest first, and {seat.target} itself in its place among them.")
    return named


def name_of(target: Target, version: str) -> str:
    """What a sibling is called: its version, or the whole target if that has options, such as the path of a build."""
    return str(target) if target.options else version


def target_of(seat: Seat, name: str, installed: str) -> Target:
    """A sibling as a target, with the seat's configuration."""
    if "?" in name:
        return Target.parse(name)
    return Target(seat.target.engine, "" if name == installed else name, seat.target.configs)


def run(span: Span, is_newer: bool) -> tuple[str, str]:
    """From the target on, to one side: the last sibling on which a contradiction shows, and the first on which it is
    gone ('': none)."""
    ordered = list(span)
    place = list(span.values()).index(OWN)
    last = ordered[place]
    for name in ordered[place + 1 :] if is_newer else reversed(ordered[:place]):
        if span[name] == GONE:
            return last, name
        last = name if span[name] == SHOWS else last
    return last, ""


def around(span: Span) -> list[str]:
    """The siblings from the one before a contradiction's run to the one after it.
    What it does further off is another bug's."""
    if OWN not in span.values():
        return list(span)
    ordered, (_, before), (_, after) = list(span), run(span, False), run(span, True)
    return ordered[ordered.index(before) if before else 0 : ordered.index(after) + 1 if after else None]


def differing(one: Span, other: Span) -> list[str]:
    """The siblings around two contradictions on which just one of them shows; what can't be asked there tells
    nothing."""
    near = {*around(one), *around(other)}
    return [v for v, shown in one.items() if v in near and {shown, other.get(v, UNASKABLE)} == {SHOWS, GONE}]


def told_apart(family: str, one: Span, other: Span) -> list[str]:
    """The siblings that tell two findings apart. None, where a case does not keep to its releases while it shrinks: on
    which of them it then shows depends on its literals and its graph as much as on its cause."""
    return differing(one, other) if registry.family(family).shrinks_in_span else []


def fits(cause: Span, span: Span) -> bool:
    """Whether a contradiction may have a cause: it shows wherever the cause shows.
    Where it shows besides, another cause is behind it too."""
    return not any(cause[v] == SHOWS and span.get(v) == GONE for v in around(cause))


def bounds(span: Span) -> dict[str, str]:
    """What a reducer keeps, so that a case stays with its cause: gone just before and just after its releases, and
    shown on the newest of them. The oldest one is left free: where two causes are in a case, that lets it lose one of
    them."""
    (_, before), (newest, after) = run(span, False), run(span, True)
    shown = {newest: SHOWS} if span[newest] == SHOWS else {}
    return shown | {v: GONE for v in (before, after) if v}


def told(span: Span) -> str:
    """The releases around one in which a contradiction shows: '3.26.0 to 3.29.0', 'since 3.26.0', 'until 3.29.0'."""
    (first, before), (last, after) = run(span, False), run(span, True)
    if not before and not after:
        return "in all releases that were tried"
    return f"until {last}" if not before else f"since {first}" if not after else f"{first} to {last}"

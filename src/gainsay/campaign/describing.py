"""A target becomes a seat: it is started in a process of its own, asked what it is, and probed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from gainsay.campaign import probing, siblings
from gainsay.campaign.gathering import Gathering
from gainsay.campaign.naming import candidates, newest
from gainsay.campaign.seating import HostedPlayer
from gainsay.core import registry
from gainsay.core.model import Seat, Target
from gainsay.errors import EnvironmentProblem


def describe(target: Target, index: int = 0) -> Seat:
    """Start a target in a process of its own and ask what it is; raise if it is not there or not what was named."""
    player = HostedPlayer(target)
    try:
        return seat_of(player, target, index)
    finally:
        player.close()


def seat_of(player: HostedPlayer, target: Target, index: int = 0) -> Seat:
    version, build, facts = player.describe()
    dialect = registry.engine(target.engine).dialect
    return Seat(
        index, target, version, dialect, build, frozenset(), tuple((k, v) for k, (v, _) in sorted(facts.items()))
    )


def seated(target: Target, known: Mapping[str, Seat], gathering: Gathering | None = None) -> Seat:
    """A described and probed seat, by one start of the target; what an earlier run of this campaign learnt is taken as
    it is."""
    tell = gathering.tell if gathering else probing.silent
    tell(target, 0, 0)
    player = gathering.start(target) if gathering else HostedPlayer(target)
    try:
        seat = seat_of(player, target)
        before = known.get(str(target))
        if before is not None and (before.version, before.build) == (seat.version, seat.build):
            return msgspec.structs.replace(before, target=target)  # what is written down has no credentials
        family = registry.engine(target.engine).family
        return msgspec.structs.replace(seat, refused=probing.refused(seat, family, player, tell))
    finally:
        player.close()


def gathered(targets: Sequence[Target], known: Mapping[str, Seat], tell: probing.Tell = probing.silent) -> Gathering:
    """Start and probe targets side by side, each in the newest release that can be had."""
    return Gathering(targets, lambda target, gathering: seated(newest(target), known, gathering), tell)


def embedded() -> list[Target]:
    """Every engine that is installed here and needs no server."""
    with Gathering(candidates(), lambda target, _: describe(target)) as gathering:
        return [target for target, found in gathering.all() if isinstance(found, Seat)]


def beside(seat: Seat) -> tuple[tuple[str, ...], str]:
    """The siblings of a seat, and which of them is the installed release."""
    try:
        installed = (
            describe(Target(seat.target.engine)).version if seat.target.version or seat.target.options else seat.version
        )
    except EnvironmentProblem:
        installed = ""
    return siblings.at_hand(seat, installed), installed


def helper(family: str, members: Sequence[Target]) -> Seat | None:
    """An installed engine of the family that is none of the targets', for families that want one."""
    used = {t.engine for t in members}
    for name in registry.family(family).helpers:
        if name not in used:
            try:
                return describe(Target(name))
            except EnvironmentProblem:
                continue
    return None

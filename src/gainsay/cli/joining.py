"""A hunt on all that is installed, which begins before all of it is ready."""

from __future__ import annotations

from pathlib import Path

import msgspec

from gainsay.campaign import config, describing, naming, planning, probing
from gainsay.campaign.leasing import Limits
from gainsay.campaign.request import Request
from gainsay.cli.resuming import conflict, known_seats
from gainsay.core import registry
from gainsay.core.model import Seat, Target


def may_join(request: Request, limits: Limits, before: config.Campaign | None = None) -> bool:
    """Whether engines may join later: not where a number of checks is shared out, nor where they are compared with each
    other. `before`: the hunt that is gone on with."""
    if request.targets or limits.checks or (before is not None and before.explicit):
        return False
    oracles = request.oracles or (before.oracles if before else ())
    named = [(f, n) for f, _, n in (name.partition("/") for name in registry.table("gainsay.oracles")) if n in oracles]
    return all(registry.oracle(family, name).min_seats == 1 for family, name in named)


class Joining:
    """A campaign on all that is installed, which grows while it is hunted: it begins with the first engine that is
    ready. Where it goes on with an earlier run, each engine must be what it was then."""

    def __init__(
        self,
        request: Request,
        seed: int,
        tell: probing.Tell,
        out: Path,
        before: config.Campaign | None = None,
    ) -> None:
        self._seed, self._out, self._before = seed, out, before
        self._oracles = request.oracles or (before.oracles if before else ())
        self._settings = request.settings or (before.settings if before else {})
        whole = before.targets if before and before.is_whole else ()
        targets = list(map(Target.parse, whole)) or naming.candidates(self._oracles)
        self._order = [t.engine for t in targets]
        self._gathering = describing.gathered(targets, known_seats(before), tell)
        self._seats: list[Seat] = []

    @property
    def waiting(self) -> list[str]:
        return [str(t) for t in self._gathering.waiting]

    def first(self) -> config.Campaign:
        while not self._seats and self._gathering.waiting:
            self._take(1.0)
        return self._campaign()

    def more(self) -> config.Campaign | None:
        """The campaign with what has come since, if something has."""
        return self._campaign() if self._gathering.waiting and self._take(0.0) else None

    def _take(self, timeout_s: float) -> int:
        found = self._gathering.ready(timeout_s)
        for target, seat in found:
            self._compare(target, seat)
        self._seats = sorted(
            [*self._seats, *(s for _, s in found if isinstance(s, Seat))],
            key=lambda s: self._order.index(s.target.engine),
        )
        return len(found)

    def _compare(self, target: Target, seat: object) -> None:
        """Raise where an engine is not there any more, or not what an earlier run hunted on."""
        before = self._before
        kept = [t for t in before.targets if naming.is_same_target(target, t)] if before else []
        if before is None or not kept:
            return
        if not isinstance(seat, Seat):
            assert isinstance(seat, Exception)
            raise seat
        if str(seat.target) not in kept:
            raise conflict(self._out, before, "target")
        if seat.version != known_seats(before)[str(seat.target)].version:
            raise conflict(self._out, before, "version")

    def _campaign(self) -> config.Campaign:
        made = planning.arranged(
            self._seats,
            self._oracles,
            self._seed,
            self._settings,
            0,
            explicit=False,
            is_whole=not self._gathering.waiting,
        )
        known = {g.key: g.oracles for g in self._before.groups} if self._before else {}
        if self._before and any(known.get(g.key, g.oracles) != g.oracles for g in made.groups):
            raise conflict(self._out, self._before, "oracle")
        return made

    def kept(self, campaign: config.Campaign) -> config.Campaign:
        """What is written down of a campaign: what an earlier run learnt of engines that are not ready yet stays."""
        before = self._before
        if before is None or campaign.is_whole:
            return campaign
        if before.is_whole:
            return before
        missing = tuple(g for g in before.groups if g.key not in {g.key for g in campaign.groups})
        targets = tuple(dict.fromkeys((*campaign.targets, *before.targets)))
        return msgspec.structs.replace(campaign, groups=(*campaign.groups, *missing), targets=targets)

    def close(self) -> None:
        self._gathering.close()

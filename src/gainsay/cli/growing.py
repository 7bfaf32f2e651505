"""A hunt on all that is installed, which begins before all of it is ready."""

from __future__ import annotations

from gainsay.campaign import config, probing
from gainsay.campaign.leasing import Limits
from gainsay.core import registry
from gainsay.core.model import Seat


def can_grow(request: config.Request, limits: Limits) -> bool:
    """Whether engines may join later: not where a number of checks is shared out, nor where they are compared with each
    other."""
    if request.targets or limits.checks:
        return False
    named = [
        (f, n)
        for f, _, n in (name.partition("/") for name in registry.table("gainsay.oracles"))
        if n in request.oracles
    ]
    return all(registry.oracle(family, name).min_seats == 1 for family, name in named)


class Growth:
    """A campaign on all that is installed, which grows while it is hunted: it begins with the first engine that is
    ready."""

    def __init__(self, request: config.Request, seed: int, tell: probing.Tell) -> None:
        self._request, self._seed = request, seed
        self._order = [t.engine for t in config.candidates(request.oracles)]
        self._gathering = config.gathered(config.candidates(request.oracles), {}, tell)
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
        self._seats = sorted(
            [*self._seats, *(s for _, s in found if isinstance(s, Seat))],
            key=lambda s: self._order.index(s.target.engine),
        )
        return len(found)

    def _campaign(self) -> config.Campaign:
        request = self._request
        return config.arranged(
            self._seats,
            request.oracles,
            self._seed,
            request.settings,
            0,
            explicit=False,
            is_whole=not self._gathering.waiting,
        )

    def close(self) -> None:
        self._gathering.close()

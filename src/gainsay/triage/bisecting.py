"""Searches an engine's releases for those between which a contradiction came and went.

`edge` is the search alone. `Search` asks: it brings releases side by side while another one is asked, and keeps what
each of them said, also where it is interrupted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import msgspec

from gainsay.campaign import rungs
from gainsay.campaign.events import Finding
from gainsay.campaign.interval import Interval, Tried
from gainsay.campaign.siblings import GONE, SHOWS, UNASKABLE
from gainsay.core import registry
from gainsay.core.model import Target
from gainsay.triage import again

State = Callable[[int, Sequence[int]], str]  # a place, and those that may be asked next
BROUGHT_AT_ONCE = 2
NEAR = 4  # releases that are tried for a first one that shows it


def edge(end: int, state: State) -> tuple[int, int]:
    """Of places 0, 1, ... end - 1, of which 0 shows a contradiction: the last that shows it, and the first beyond on
    which it is gone (-1: none). What can't be asked is searched around."""
    low = 0
    while low + 1 < end:
        if state(end - 1, ((low + end - 1) // 2,)) == SHOWS:
            return end - 1, -1
        high = end - 1
        while high - low > 1:
            middle = (low + high) // 2
            if state(middle, ((low + middle) // 2, (middle + high) // 2)) == SHOWS:
                low = middle
            else:
                high = middle
        if state(high, ()) == GONE:
            return low, high
        found = beyond(high, end, state)
        if found < 0:
            return low, -1
        if state(found, ()) == GONE:
            return nearest(low, high, found, state)
        low = found
    return low, -1


def beyond(high: int, end: int, state: State) -> int:
    """From a place that can't be asked on, in growing steps: one that can be, or -1."""
    step = 1
    while high + step < end:
        if state(high + step, ()) != UNASKABLE:
            return high + step
        step *= 2
    return end - 1 if state(end - 1, ()) != UNASKABLE else -1


def nearest(low: int, high: int, gone: int, state: State) -> tuple[int, int]:
    """The same between a place that can't be asked and one on which it is gone."""
    while gone - high > 1:
        middle = (high + gone) // 2
        said = state(middle, ())
        if said == GONE:
            gone = middle
        else:
            low, high = (middle if said == SHOWS else low), middle
    return low, gone


class Search:
    """The search for one finding's releases. `tell` is told of each release that was tried."""

    def __init__(
        self,
        finding: Finding,
        target: Target,
        ordered: Sequence[str],
        tell: Callable[[Tried], None] = lambda _: None,
        ask: Callable[[Finding, Target], again.Outcome] = again.asked,
    ) -> None:
        self._finding, self._target, self._ordered = finding, target, ordered
        self._tell, self._ask = tell, ask
        self._engine = registry.engine(target.engine)
        self.tried: dict[str, Tried] = {}
        self._coming: dict[str, Future[str]] = {}
        self._ends = ("", "", "", "")

    def run(self, start: str) -> Interval:
        """Search from a release on which the contradiction shows. KeyboardInterrupt leaves `interval` with what is
        known."""
        with ThreadPoolExecutor(BROUGHT_AT_ONCE) as pool:
            try:
                return self._searched(start, pool)
            finally:
                for coming in self._coming.values():
                    coming.cancel()

    def _searched(self, start: str, pool: ThreadPoolExecutor) -> Interval:
        place = self._start(start, pool)
        if place < 0:
            return self.interval()
        older, newer = list(range(place, -1, -1)), list(range(place, len(self._ordered)))
        self._ends = ("", self._ordered[place], self._ordered[place], "")
        low, gone = edge(len(older), self._state(older, pool))
        self._ends = (self._at(older, gone), self._at(older, low), *self._ends[2:])
        low, gone = edge(len(newer), self._state(newer, pool))
        self._ends = (*self._ends[:2], self._at(newer, low), self._at(newer, gone))
        for number in (older, newer):  # one further on either side: does it come again there?
            self._beside(number, pool)
        return self.interval(is_whole=True)

    def _at(self, places: Sequence[int], n: int) -> str:
        return self._ordered[places[n]] if n >= 0 else ""

    def _start(self, start: str, pool: ThreadPoolExecutor) -> int:
        """The release nearest to the one on which the finding was met that shows it: -1 for none."""
        near = rungs.near(self._ordered, start)[:NEAR]
        return next((n for n in near if self._state([n], pool)(0, ()) == SHOWS), -1)

    def _beside(self, places: Sequence[int], pool: ThreadPoolExecutor) -> None:
        gone = next((n for n, at in enumerate(places) if self._ordered[at] in (self._ends[0], self._ends[3])), -1)
        if 0 <= gone < len(places) - 1:
            self._state(places, pool)(gone + 1, ())

    def _state(self, places: Sequence[int], pool: ThreadPoolExecutor) -> State:
        """What a release says, by its place; the next ones are brought meanwhile."""

        def state(n: int, following: Sequence[int]) -> str:
            version = self._ordered[places[n]]
            if version in self.tried:
                return self.tried[version].state
            for after in (n, *following):
                self._bring(self._ordered[places[after]], pool)
            return self._asked(version).state

        return state

    def _bring(self, version: str, pool: ThreadPoolExecutor) -> None:
        if version not in self._coming and version not in self.tried and not rungs.is_at_hand(self._engine, version):
            self._coming[version] = pool.submit(rungs.brought, self._engine, version)

    def _asked(self, version: str) -> Tried:
        why = self._coming[version].result() if version in self._coming else ""
        outcome = again.Outcome(UNASKABLE, why)
        if not why:
            outcome = self._ask(self._finding, msgspec.structs.replace(self._target, version=version))
        found = self.tried[version] = Tried(version, outcome.state, outcome.why)
        self._tell(found)
        return found

    def interval(self, is_whole: bool = False) -> Interval:
        """What is known by now."""
        ordered = tuple(self.tried[v] for v in self._ordered if v in self.tried)
        name = str(msgspec.structs.replace(self._target, version=""))
        return Interval(name, ordered, len(self._ordered), *self._ends, is_whole=is_whole)


def target_of(finding: Finding, on: Target | None = None) -> Target:
    """Whose releases are searched: those of the engine that is taken for the wrong one, in its configuration."""
    if on is not None:
        return msgspec.structs.replace(on, version="", options=())
    met = again.case_of(finding).seats[finding.seat].target
    return Target(met.engine, "", met.configs)

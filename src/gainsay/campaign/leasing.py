"""Which episodes come next, and for which group: how a hunt's budget is shared out."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from gainsay.campaign import events
from gainsay.campaign.config import Campaign, Group, checks_per_episode
from gainsay.campaign.ledger import Ledger
from gainsay.campaign.slot import Slot

SLICE_S = 4.0  # how long a worker stays with one group when there are several
# Conversations without a claim that a counted hunt allows each group, if it does not want more checks than that
VOID = 300
LEASE_S = 1.0  # how much work a lease should hold
FRUITLESS = 400  # draws of a group that fail before anything of it was answered: then it is given up


class Limits(msgspec.Struct, frozen=True):
    """What ends a hunt (a time or a number of checks), and what its workers may use."""

    for_s: float = 0.0
    checks: int = 0
    workers: int = 1
    memory: int = 2 << 30
    stop_after: int = 0


class Leases:
    """Hands out episodes, each once, but for what a dead worker left."""

    def __init__(self, campaign: Campaign, ledger: Ledger, limits: Limits) -> None:
        self._ledger = ledger
        self._limits = limits
        self.spare: dict[str, list[events.Stint]] = {}  # what dead workers left, by group
        self._upcoming: dict[str, Iterator[int]] = {}
        self._speed: dict[str, float] = {}  # episodes a second
        self._finished: set[str] = set()
        self._more: Counter[str] = Counter()  # conversations beyond a group's share
        self._failed: Counter[str] = Counter()  # draws
        self._answered: Counter[str] = Counter()
        self.fruitless: set[str] = set()  # groups in which nothing but failing draws happens
        self.join(campaign)

    def join(self, campaign: Campaign) -> None:
        """Go on with a campaign that has more groups than before."""
        self._campaign = campaign
        for group in campaign.groups:
            if group.key not in self.spare:
                self._upcoming[group.key] = self._ledger.undone(group.key)
                self.spare[group.key] = []

    # --- which episodes -----------------------------------------------------------------------------------------------

    def take(self, group: Group) -> tuple[events.Stint, ...]:
        """The next episodes of a group, about a second's worth: first what a dead worker left."""
        number = max(1, min(200, int(self._speed.get(group.key, 1.0) * LEASE_S)))
        spare = self.spare[group.key]
        taken = [spare.pop(0) for _ in range(min(number, len(spare)))]
        while len(taken) < number:
            episode = next(self._upcoming[group.key])
            checks = self._checks_of(group, episode)
            if not checks:
                self._finished.add(group.key)
                break
            reached = self._ledger.partial.get(group.key, {}).get(episode, 0)
            if reached < checks:
                taken.append(events.Stint(episode, checks, reached))
        return tuple(taken)

    def _checks_of(self, group: Group, episode: int) -> int:
        """How many checks an episode has: as many as any, but for the last one of a counted hunt."""
        most = checks_per_episode(group.family)
        if not self._limits.checks:
            return most
        return max(0, min(most, self._share(group) + self._more[group.key] - episode * most))

    def _share(self, group: Group) -> int:
        """The checks that a counted hunt wants of a group."""
        share, rest = divmod(self._limits.checks, len(self._campaign.groups))
        return share + (self._campaign.groups.index(group) < rest)

    def extend(self) -> bool:
        """A counted hunt goes on where conversations were held that were no checks, as often as they lack.
        These have a budget of their own, so that a hunt in which nothing applies ends. All have come home: so it is the
        same for any number of workers."""
        is_more = False
        for group in self._campaign.groups if self._limits.checks else ():
            lacking = self._share(group) - self._ledger.made[group.key]
            room = max(self._share(group), VOID) - self._more[group.key]
            if group.key in self._finished and min(lacking, room) > 0:
                self._more[group.key] += min(lacking, room)
                self._finished.discard(group.key)
                self._upcoming[group.key] = self._ledger.undone(group.key)
                is_more = True
        return is_more

    # --- which group --------------------------------------------------------------------------------------------------

    def choose(self, slot: Slot, slots: Sequence[Slot]) -> Group | None:
        """Stay with a group for a while, then move on to the next one that has work."""
        groups = self._campaign.groups
        open_groups = [
            g for g in groups if g.key not in self.fruitless and (g.key not in self._finished or self.spare[g.key])
        ]
        if not open_groups:
            return None
        if slot.group in open_groups and (len(groups) <= 1 or time.monotonic() - slot.since < self._slice_s()):
            return slot.group
        busy = [s.group for s in slots if s.child and s is not slot]
        after = groups.index(slot.group) + 1 if slot.group else slot.number
        order = [groups[(after + i) % len(groups)] for i in range(len(groups))]
        ranked = sorted((g for g in order if g in open_groups), key=lambda g: busy.count(g))
        return ranked[0]

    def _slice_s(self) -> float:
        if not self._limits.for_s:
            return SLICE_S
        return min(SLICE_S, max(1.0, self._limits.for_s * self._limits.workers / (2 * len(self._campaign.groups))))

    # --- what is learned ----------------------------------------------------------------------------------------------

    def measure(self, event: events.Progress) -> None:
        """Learn how many episodes a second a worker runs, to size its leases, and whether a group answers at all."""
        self._answered[event.group] += event.counts.answered
        if event.done:
            before = self._speed.get(event.group, 1.0)
            self._speed[event.group] = min(before * 2, max(1.0, 0.5 * before + 0.5 * len(event.done) * 4))

    def undrawn(self, event: events.Trouble) -> None:
        """An oracle's draw failed.
        A group in which nothing else happens is given up, and with the last group the hunt."""
        self._failed[event.group] += event.times
        if self._failed[event.group] >= FRUITLESS and not self._answered[event.group]:
            self.fruitless.add(event.group)

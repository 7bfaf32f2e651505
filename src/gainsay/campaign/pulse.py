"""The pulse of a hunt: how far it is, kept now and then, so that its course can be drawn later."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import msgspec

from gainsay.campaign import events
from gainsay.campaign.book import Book
from gainsay.limits import own_cpu_seconds, spent_s, tree

SHORTEST_S = 1.0  # between two of them
MOST = 200  # in a run, more or less: a long one has them further apart


class Pulses:
    """Keeps a pulse of a running hunt when it is time for one."""

    def __init__(self, book: Book, clock: Callable[[], float] = time.monotonic) -> None:
        self._book, self._clock = book, clock
        self._begun = clock()
        self._last = float("-inf")

    def step(self, is_last: bool = False) -> None:
        """Keep one, if the last one is old enough."""
        run_s = self._clock() - self._begun
        if not is_last and run_s - self._last < max(SHORTEST_S, run_s / MOST):
            return
        self._last = run_s
        ledger = self._book.ledger
        self._book.note(
            events.Pulse(
                round(time.time(), 2),
                round(run_s, 2),
                round(spent(), 2),
                msgspec.structs.replace(ledger.counts),
                len(ledger.sure()),
                ledger.raw_total,
                ledger.waiting(),
            )
        )


def spent() -> float:
    """CPU time of this process, of those that it has waited for, and of those that run."""
    others = [pid for pid in tree(os.getpid()) if pid != os.getpid()]
    return spent_s() + sum(map(own_cpu_seconds, others))

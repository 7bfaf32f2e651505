"""Asks something of several targets side by side, in threads: what they say is handed over as it comes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Self

from gainsay.campaign import probing
from gainsay.campaign.seating import HostedPlayer
from gainsay.core.model import Target
from gainsay.errors import EnvironmentProblem


class Gathering:
    """Calls `ask(target, gathering)` for each target, as many at once as there are cores.
    Who asks starts hosts by `start` and reports by `tell`."""

    def __init__(
        self, targets: Sequence[Target], ask: Callable[[Target, Gathering], Any], tell: probing.Tell = probing.silent
    ) -> None:
        self._tell = tell
        self._is_stopping = False
        self._players: list[HostedPlayer] = []
        self._pool = ThreadPoolExecutor(os.cpu_count() or 1)
        self._waiting: dict[Future[Any], Target] = {
            self._pool.submit(self._asked, ask, target): target for target in targets
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def waiting(self) -> list[Target]:
        """The targets of which nothing was handed over yet."""
        return list(self._waiting.values())

    def _asked(self, ask: Callable[[Target, Gathering], Any], target: Target) -> Any:
        try:
            return ask(target, self)
        finally:
            self._tell(target, 1, 1)

    def start(self, target: Target) -> HostedPlayer:
        """A host for this target, which ends with the gathering."""
        player = HostedPlayer(target)
        self._players.append(player)
        if self._is_stopping:  # `close` may have come by before this one was listed
            player.kill()
            raise nobody_waits(target)
        return player

    def tell(self, target: Target, done: int, total: int) -> None:
        """How far the questions to a target are."""
        if self._is_stopping:
            raise nobody_waits(target)
        self._tell(target, done, total)

    def ready(self, timeout_s: float = 0.0) -> list[tuple[Target, Any]]:
        """What has come since the last call, in the order of the targets: a result, or the problem of a target that
        can't be asked."""
        wait(self._waiting, timeout_s, FIRST_COMPLETED)
        return [(self._waiting.pop(future), outcome(future)) for future in list(self._waiting) if future.done()]

    def all(self) -> Iterator[tuple[Target, Any]]:
        """What each of the targets says, in their order, each as soon as those before it are through."""
        while self._waiting:
            future = next(iter(self._waiting))
            found = outcome(future)
            yield self._waiting.pop(future), found

    def close(self) -> None:
        """End what still runs."""
        self._is_stopping = True
        self._pool.shutdown(wait=False, cancel_futures=True)
        for player in self._players:
            player.kill()
        self._pool.shutdown()


def nobody_waits(target: Target) -> EnvironmentProblem:
    return EnvironmentProblem(f"{target}: nobody waits for it any more.")


def outcome(future: Future[Any]) -> Any:
    try:
        return future.result()
    except EnvironmentProblem as problem:
        return problem

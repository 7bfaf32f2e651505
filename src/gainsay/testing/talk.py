"""A stage with real players for the kit, and conversations of which every word is kept."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gainsay.campaign import config, events
from gainsay.campaign.episode import Stage
from gainsay.campaign.recorder import Recorder
from gainsay.campaign.seating import HostedPlayer
from gainsay.core import talk as driver
from gainsay.core.answer import Answer
from gainsay.core.claim import Claim, Verdict
from gainsay.core.model import Seat, Seats, Step
from gainsay.core.oracle import Oracle

SEED = 1


class Talk(NamedTuple):
    """What was said in a conversation: all that the oracle yielded, in order, and the answers by label."""

    said: list[Step | Claim]
    given: dict[str, Answer]
    verdicts: list[Verdict]

    @property
    def steps(self) -> list[Step]:
        return [item for item in self.said if isinstance(item, Step)]

    @property
    def claims(self) -> list[Claim]:
        return [item for item in self.said if isinstance(item, Claim)]


def held(oracle: Oracle, scene: Any, recipe: Any, seats: Seats, ask: Callable[[Step], Answer]) -> Talk:
    """Hold a conversation to its end, and keep all that was said."""
    talk = Talk([], {}, [])
    for said in driver.held(oracle.converse(scene, recipe, seats), ask):
        if isinstance(said, driver.Heard):
            talk.said.append(said.step)
            talk.given[said.step.label] = said.answer
        else:
            talk.said.append(said.claim)
            talk.verdicts.append(said.verdict)
    return talk


@contextlib.contextmanager
def staged(
    seats: Sequence[Seat], family: str, oracles: Sequence[str]
) -> Iterator[tuple[Stage, list[HostedPlayer], list[events.Raw]]]:
    """A stage on these seats, each in a host; the raw contradictions that it meets."""
    group = config.Group(" ".join(str(s.target) for s in seats), family, tuple(seats), tuple(oracles))
    raws: list[events.Raw] = []
    players = [HostedPlayer(s.target) for s in seats]
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(
            group, config.seats_of(group, {}), players, SEED, Recorder(Path(folder) / "recorder"), raws.append
        )
        try:
            yield stage, players, raws
        finally:
            stage.close()
            for player in players:
                player.close()

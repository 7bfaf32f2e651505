"""What a triage process is asked to look at, as it travels there."""

from __future__ import annotations

from typing import Any

import msgspec

from gainsay.campaign import config, events
from gainsay.triage.reduce import BUDGET


class Known(msgspec.Struct):
    """A finding with which a new one is compared."""

    id: str
    case: Any
    span: dict[str, str]
    bucket: tuple[str, ...] = ()


class Replay(msgspec.Struct):
    """A likely repetition, and the shapes of the findings that it looks like."""

    raw: events.Raw
    known: dict[str, frozenset[str]]


class Job(msgspec.Struct):
    """A raw contradiction and what is needed to look at it."""

    raw: events.Raw
    seed: int
    group: config.Group
    settings: dict[str, str]
    recorder: str
    hosted: bool
    memory: int
    budget: int = BUDGET
    span: dict[str, str] = {}  # on which siblings it shows, if somebody looked
    # What must stay so on these siblings while the case shrinks: there a known finding is otherwise
    apart: dict[str, str] = {}
    known: tuple[Known, ...] = ()  # findings of which it may be the same cause
    spanned: tuple[events.Raw, ...] = ()  # only say on which siblings these show
    replayed: tuple[Replay, ...] = ()  # only say whether these show without what triggers the known findings

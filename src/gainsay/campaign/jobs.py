"""Has contradictions looked at, one at a time, by a triage process that may die."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from gainsay.campaign import events
from gainsay.campaign.book import Book
from gainsay.campaign.config import Campaign
from gainsay.campaign.process import Begin, Child
from gainsay.campaign.seating import Room
from gainsay.limits import spent_s

BATCH = 20  # contradictions that are only compared with known findings in one job
LONGEST_S = 600  # of wall time for one job


class Jobs:
    """The one job that is looked at now, and the process that does so.

    `tell` is told of new findings ("finding"), of mistakes ("trouble"), and of an engine that is gone for good
    ("gone")."""

    def __init__(
        self,
        campaign: Campaign,
        book: Book,
        rooms: Mapping[str, Room],
        folder: Path,
        memory: int,
        tell: Callable[[str, Any], None],
        begin: Begin = Child,
    ) -> None:
        self.campaign = campaign
        self._book = book
        self._rooms = rooms
        self._folder = folder
        self._memory = memory
        self._tell = tell
        self._begin = begin
        self.child: Child | None = None
        self.raw: events.Raw | None = None  # what is looked at
        self.begun = 0.0
        self.spent_s = 0.0  # CPU-seconds that were spent on looking at contradictions
        self._is_hosted = False
        self._compared: tuple[events.Raw, ...] = ()  # what the job only compares with known findings
        self._is_replay = False  # by taking out their triggers, not on siblings

    # --- giving -------------------------------------------------------------------------------------------------------

    def step(self, is_hunting: bool = True) -> None:
        """Have the next waiting contradiction looked at, if none is."""
        if self.raw is not None:
            if time.monotonic() - self.begun > LONGEST_S:
                self._died("took too long")
            return
        ledger = self._book.ledger
        raw = ledger.fresh(is_hunting)
        compared = ledger.unspanned(BATCH, is_hunting) if raw is None else []
        is_replay = raw is None and not compared
        compared = ledger.unreplayed(BATCH, is_hunting) if is_replay else compared
        raw = raw or (compared[0] if compared else ledger.sample(is_hunting))
        if raw is not None:
            self._give(raw, is_hosted=False, compared=compared, is_replay=is_replay)

    def _give(
        self, raw: events.Raw, is_hosted: bool, compared: Sequence[events.Raw] = (), is_replay: bool = False
    ) -> None:
        group, ledger = self.campaign.group(raw.name.group), self._book.ledger
        if self.child is not None and self.child.group != group.key:
            self.end()
        if self.child is None:
            self.child = self._begin("gainsay.triage.worker", self._rooms[group.key], self._folder / "triage.log")
            self.child.group = group.key
        self.raw, self._is_hosted, self.begun = raw, is_hosted, time.monotonic()
        job = {
            "raw": msgspec.to_builtins(raw),
            "seed": self.campaign.seed,
            "group": msgspec.to_builtins(group),
            "settings": self.campaign.family_settings(group.family),
            "recorder": str(self._folder / "recorder-triage"),
            "hosted": is_hosted,
            "memory": self._memory,
            "span": ledger.span(raw),
            "apart": ledger.apart(raw),
            "known": [{"id": f.id, "case": f.case, "span": f.span, "bucket": f.bucket} for f in ledger.known(raw)]
            if not compared
            else [],
            "spanned": msgspec.to_builtins(() if is_replay else compared),
            "replayed": [
                {"raw": msgspec.to_builtins(each), "known": ledger.triggers(each)}
                for each in (compared if is_replay else ())
            ],
        }
        self._compared, self._is_replay = tuple(compared), is_replay
        self.child.send(msgspec.json.encode(job) + b"\n")

    # --- taking -------------------------------------------------------------------------------------------------------

    def take(self) -> None:
        """Read what the triage process said."""
        child = self.child
        assert child is not None
        for event in child.receive():
            if isinstance(event, (events.Spanned, events.Replayed)):
                self._take_comparison(event)
                continue
            raw, self.raw = self.raw, None
            assert raw is not None, "who answers has been given a job"
            self._take_result(raw, event)
        if not child.is_open:
            self.end()
            if self.raw is not None:
                self._died("the engine died over it")

    def _take_result(self, raw: events.Raw, event: Any) -> None:
        if isinstance(event, events.Finding):
            new = self._book.found(event, raw.claim)
            if new is not None:
                self._tell("finding", new)
        elif isinstance(event, events.Settled):
            self._book.note(event, sync=True)
        elif isinstance(event, events.Gone):
            self._tell("gone", event)
        else:
            self._tell("trouble", event)
            self._unsettled(raw, "gainsay failed over it")

    def _take_comparison(self, event: events.Spanned | events.Replayed) -> None:
        self._book.note(event)
        self._compared = tuple(raw for raw in self._compared if (raw.name, raw.claim) != (event.name, event.claim))
        if not self._compared:
            self.raw = None

    # --- when it fails ------------------------------------------------------------------------------------------------

    def _died(self, why: str) -> None:
        """The process that looked at a contradiction died: look again from outside; the second time, note it."""
        raw, self.raw = self.raw, None
        assert raw is not None
        self.end()
        if self._is_hosted or self._compared:
            self._unsettled(raw, why)
        else:
            self._give(raw, is_hosted=True)

    def _unsettled(self, raw: events.Raw, why: str) -> None:
        """A job failed: note why there is no finding.
        Of contradictions that were only compared with known findings, nothing more is known then."""
        if not self._compared:
            self._book.note(events.Settled(raw.name, raw.claim, "", why), sync=True)
        for each in self._compared:
            alike = self._book.ledger.repeats_of(each)
            self._take_comparison(
                events.Replayed(each.name, each.claim, alike)
                if self._is_replay
                else events.Spanned(each.name, each.claim, {})
            )

    def end(self) -> None:
        """End the process that looks at contradictions.
        What it used of the CPU is known once it has been waited for."""
        if self.child is not None:
            before = spent_s()
            if self.child.is_open:
                self.child.kill()
            else:
                self.child.end()
            self.child = None
            self.spent_s += spent_s() - before

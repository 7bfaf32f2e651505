"""The supervisor: leases episodes to workers, watches their clocks and memory, keeps the journal, and has
contradictions looked at.

It never imports an engine and survives any death of what it started.
"""

from __future__ import annotations

import select
import shutil
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from gainsay.campaign import events, seating
from gainsay.campaign.book import Book
from gainsay.campaign.config import Campaign, Group, checks_per_episode
from gainsay.campaign.jobs import Jobs
from gainsay.campaign.journal import Journal
from gainsay.campaign.leasing import Leases, Limits
from gainsay.campaign.ledger import Ledger
from gainsay.campaign.process import Begin, Child
from gainsay.campaign.pulse import Pulses
from gainsay.campaign.recorder import ASKING, IDLE, LOADING
from gainsay.campaign.seating import Room, signal_name
from gainsay.campaign.slot import Slot, behind, untold, whose
from gainsay.campaign.view import View
from gainsay.core.model import CaseName
from gainsay.errors import GainsayError

HARD_S = seating.HARD_S


class Supervisor:
    """Runs a campaign until its budget is used, then until what was found has been looked at.

    `emit` is told of new findings ("finding"), of mistakes ("trouble"), and ten times a second of how it goes ("tick",
    with a view)."""

    def __init__(
        self,
        campaign: Campaign,
        ledger: Ledger,
        journal: Journal,
        limits: Limits,
        folder: Path,
        emit: Callable[[str, Any], None],
        begin: Begin = Child,
    ) -> None:
        self.campaign = campaign
        self.ledger = ledger
        self.limits = limits
        self.emit = emit
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)  # of a run that was killed
        folder.mkdir()
        self.book = Book(ledger, journal)
        self.rooms: dict[str, Room] = {}
        self.slots = [Slot(i, self.folder, begin) for i in range(limits.workers)]
        self.leases = Leases(campaign, ledger, limits)
        self.jobs = Jobs(campaign, self.book, self.rooms, folder, limits.memory, self._on_job, begin)
        self.join(campaign)
        self.view = View(self)
        self.pulses = Pulses(self.book)
        self.started = time.monotonic()
        self.is_stopping = False
        self.is_interrupted = False  # by the user
        self.is_settling = False
        self.patience_s = 0.0  # for settling; without end with a number of checks
        self.troubles = 0
        self.undrawn: Counter[str] = Counter()  # oracle -> how often its draw failed
        self._met: set[str] = set()  # mistakes that were shown
        self.gone = ""  # why nothing more can be asked

    @staticmethod
    def _room(group: Group) -> Room:
        return seating.room(group.seats[0].target) if len(group.seats) == 1 else Room("", {})

    def join(self, campaign: Campaign) -> None:
        """Go on with a campaign that has more groups than before."""
        for group in campaign.groups:
            if group.key not in self.rooms:
                self.rooms[group.key] = self._room(group)
        self.leases.join(campaign)
        self.ledger.joined = frozenset(self.rooms)
        self.campaign = self.jobs.campaign = campaign

    # --- the two phases -----------------------------------------------------------------------------------------------

    def hunt(self) -> None:
        """Run episodes until the budget is used, or the user ends it."""
        try:
            while not self._is_over():
                for slot in self.slots:
                    self._serve(slot)
                if not any(s.child for s in self.slots) and not self.leases.extend():
                    break
                self._listen(0.1)
                if not self.limits.checks or self.limits.stop_after:
                    self.jobs.step()
                self.pulses.step()
                self.emit("tick", self.view)
        finally:
            for slot in self.slots:
                self._release(slot)

    def settle(self, patience_s: float) -> None:
        """Look at what is still waiting; with a number of checks until nothing is, else or when interrupted for a
        while."""
        self.is_settling, self.patience_s, self.started = True, patience_s, time.monotonic()
        while (self.jobs.raw or self.ledger.waiting()) and not self.gone and (self.is_patient or self.left_s):
            self.jobs.step(is_hunting=False)
            self._listen(0.1)
            self.pulses.step()
            self.emit("tick", self.view)
        self.pulses.step(is_last=True)

    def close(self) -> None:
        for slot in self.slots:
            if slot.child:
                slot.child.kill()
            slot.recorder.close()
        self.jobs.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _is_over(self) -> bool:
        if self.is_stopping or (self.limits.stop_after and len(self.ledger.sure()) >= self.limits.stop_after):
            return True
        return bool(self.limits.for_s) and time.monotonic() - self.started >= self.limits.for_s

    @property
    def is_patient(self) -> bool:
        """Whether all that waits will be looked at, however long that takes: a counted hunt finds the same in each
        run."""
        return bool(self.limits.checks) and not self.is_interrupted

    @property
    def left_s(self) -> float:
        """How much longer this phase may take."""
        return max(
            0.0, (self.patience_s if self.is_settling else self.limits.for_s) - (time.monotonic() - self.started)
        )

    # --- workers ------------------------------------------------------------------------------------------------------

    def _serve(self, slot: Slot) -> None:
        """Start, lease to, watch or replace one worker."""
        if slot.child is not None:
            self._watch(slot, slot.child)
        if slot.child is not None and (slot.lease or not slot.is_ready):
            return
        group = self.leases.choose(slot, self.slots)
        if group is None:
            self._release(slot)
            return
        if slot.child is None or slot.group != group:
            self._release(slot)
            self._start(slot, group)
            return
        episodes = self.leases.take(group)
        if not episodes:
            return
        slot.lease = {stint.episode: stint for stint in episodes}
        slot.is_ready = False
        slot.child.send(events.encode(events.Lease(episodes, self.ledger.shunned(group.key))))

    def _start(self, slot: Slot, group: Group) -> None:
        setup = {
            "seed": self.campaign.seed,
            "group": msgspec.to_builtins(group),
            "settings": self.campaign.family_settings(group.family),
            "recorder": str(slot.recorder_path),
            "memory": self.limits.memory,
        }
        slot.start(group, self.rooms[group.key]).send(msgspec.json.encode(setup) + b"\n")

    def _release(self, slot: Slot) -> None:
        """Stop a worker; episodes that it did not finish are given to another, or stay undone."""
        if slot.child is None:
            return
        self._take(slot)
        if slot.child is not None:
            slot.child.kill()
        self._give_back(slot)

    def _give_back(self, slot: Slot) -> None:
        """What a worker did not finish is left for another.
        Of the episode that it told of last, only the checks that were not counted yet."""
        episode, reached = slot.reached
        if slot.group is not None:
            told = slot.lease.get(episode)
            if told is not None and reached >= told.checks:
                del slot.lease[episode]
                self._done(slot.group, told)
            self.leases.spare[slot.group.key] += [untold(stint, slot.reached) for stint in slot.lease.values()]
        slot.empty()

    # --- listening ----------------------------------------------------------------------------------------------------

    def _listen(self, timeout_s: float) -> None:
        children = {s.child.fd: s for s in self.slots if s.child}
        fds = list(children) + ([self.jobs.child.fd] if self.jobs.child else [])
        if not fds:
            time.sleep(min(timeout_s, 0.02))
            return
        for fd in select.select(fds, [], [], timeout_s)[0]:
            if fd in children:
                self._take(children[fd])
            else:
                self.jobs.take()

    def _take(self, slot: Slot) -> None:
        """Read what a worker said. Raw contradictions are on the disk before anything else happens."""
        child = slot.child
        if child is None:
            return
        said = child.receive()
        self._record(said)
        for event in said:
            if isinstance(event, events.Progress):
                for episode in (*event.done, *event.partial):
                    slot.lease.pop(episode, None)
                slot.reached = event.reached
                self.book.note(event)
                self.leases.measure(event)
            elif isinstance(event, events.Ready):
                slot.is_ready = True
            elif isinstance(event, events.Trouble):
                self._trouble(event)
            elif isinstance(event, events.Gone):
                self._lose(event)
        if not child.is_open:
            code = child.end()
            self._died(slot, child, "crash", signal_name(code))

    def _record(self, said: list[Any]) -> None:
        raws = [event for event in said if isinstance(event, events.Raw)]
        if raws:
            self.book.note(*raws, sync=True)

    def _on_job(self, what: str, value: Any) -> None:
        """An event of the triage process."""
        if what == "trouble":
            self._trouble(value)
        elif what == "gone":
            self._lose(value)
        else:
            self.emit(what, value)

    def _lose(self, event: events.Gone) -> None:
        """An engine is gone for good: end the hunt; what waits, waits for the next run."""
        self.gone, self.is_stopping = event.message, True

    def _trouble(self, event: events.Trouble) -> None:
        """Count a mistake; show it, and keep its traceback, when it is met for the first time."""
        if event.oracle:
            self.undrawn[event.oracle] += event.times
            self.leases.undrawn(event)
        else:
            self.troubles += event.times
        is_new = event.place not in self._met
        self._met.add(event.place)
        kept = event if is_new else msgspec.structs.replace(event, traceback="")
        self.book.journal.append(kept, sync=is_new)
        if is_new:
            self.emit("trouble", event)

    def note(self, event: events.Event) -> None:
        """Keep what was learned outside."""
        self.book.note(event)

    # --- deaths -------------------------------------------------------------------------------------------------------

    def _watch(self, slot: Slot, child: Child) -> None:
        """A worker that uses too much memory, or works on one question too long, is ended; that is a finding."""
        how = slot.overstepped(child, self.limits.memory, HARD_S)
        if how:
            self._record(child.receive())
            child.kill()
            self._died(slot, child, how, "SIGKILL")  # as a host that is ended says too

    def _died(self, slot: Slot, child: Child, how: str, what: str) -> None:
        """Attribute a death to its exact case, and let another worker go on behind it."""
        moment = slot.recorder.read()
        group = slot.group
        assert group is not None
        if moment.phase != IDLE and moment.episode in slot.lease:
            stint = slot.lease.pop(moment.episode)
            oracle = "load" if moment.phase == LOADING else whose(group, moment.check)
            name = CaseName(group.key, moment.episode, oracle, moment.check)
            detail = f"{what}\n{child.tail()}".strip()
            self.book.note(events.Raw(name, how, (), None, (), moment.text, detail), sync=True)
            if moment.phase == ASKING:
                slot.lease[moment.episode] = behind(stint, moment.check, slot.reached)
            else:
                self._done(group, stint)
            self._give_back(slot)
            return
        self._give_back(slot)
        self._trouble(events.Trouble(f"a worker for {group.key} ended ({what})", child.tail()))
        if self.troubles > 5:
            raise GainsayError(f"Workers for {group.key} do not stay alive ({what}): {child.tail().strip()[-300:]}")

    def _done(self, group: Group, stint: events.Stint) -> None:
        """Note an episode as done whose worker can't say so any more."""
        is_whole = stint.checks == checks_per_episode(group.family)
        done = (stint.episode,) if is_whole else ()
        partial = {} if is_whole else {stint.episode: stint.checks}
        self.book.note(events.Progress(group.key, events.Counts(), done, partial))

"""The supervisor: leases episodes to workers, watches their clocks and memory, keeps the journal, and has
contradictions looked at.

It never imports an engine and survives any death of what it started.
"""

from __future__ import annotations

import resource
import select
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from gainsay.campaign import events, seating
from gainsay.campaign.config import Campaign, Group, checks_per_episode, turns
from gainsay.campaign.episode import BLOCK
from gainsay.campaign.journal import Journal
from gainsay.campaign.ledger import Ledger
from gainsay.campaign.process import Child
from gainsay.campaign.recorder import ASKING, IDLE, LOADING, Recorder
from gainsay.campaign.seating import Room, signal_name
from gainsay.core.model import CaseName
from gainsay.errors import GainsayError

HARD_S = seating.HARD_S
SLICE_S = 4.0  # how long a worker stays with one group when there are several
SPANNED = 20  # contradictions that are looked for on siblings in one job
# Conversations without a claim that a counted hunt allows each group, if it does not want more checks than that
VOID = 300
LEASE_S = 1.0  # how much work a lease should hold
FRUITLESS = 400  # draws of a group that fail before anything of it was answered: then it is given up


class Limits(msgspec.Struct, frozen=True):
    for_s: float = 0.0
    checks: int = 0
    workers: int = 1
    memory: int = 2 << 30
    stop_after: int = 0


def whose(group: Group, check: int) -> str:
    """The oracle that a check belongs to."""
    order = turns(group)
    return order[check % len(order)]


class Slot:
    """A worker's place: its process, its recorder, what it was leased."""

    def __init__(self, number: int, folder: Path) -> None:
        self.number = number
        self.recorder_path = folder / f"recorder-{number}"
        self.log = folder / f"worker-{number}.log"
        self.recorder = Recorder(self.recorder_path)
        self.child: Child | None = None
        self.group: Group | None = None
        self.since = 0.0
        self.lease: dict[int, events.Stint] = {}
        self.is_ready = False
        self.reached = (-1, 0)
        self.sequence = -1
        self.stuck_cpu = 0.0
        self.stuck_at = 0.0


def behind(stint: events.Stint, check: int, reached: tuple[int, int] = (-1, 0)) -> events.Stint:
    """What is left of an episode after a death: its block again, without the check that did it.
    `reached`: what the dead worker had told."""
    start = max(stint.start, check - check % BLOCK)
    has_told = reached[0] == stint.episode and reached[1] > stint.start
    uncounted = start - reached[1] if has_told else stint.uncounted + start - stint.start
    return events.Stint(stint.episode, stint.checks, start, max(0, uncounted), (*stint.skip, check))


def untold(stint: events.Stint, reached: tuple[int, int]) -> events.Stint:
    """What is left of an episode of which a worker that is gone had told a part."""
    episode, check = reached
    return (
        events.Stint(episode, stint.checks, check, 0, stint.skip)
        if stint.episode == episode and check > stint.start
        else stint
    )


class Supervisor:
    """Runs a campaign until its budget is used, then until what was found has been looked at."""

    def __init__(
        self,
        campaign: Campaign,
        ledger: Ledger,
        journal: Journal,
        limits: Limits,
        folder: Path,
        emit: Callable[[str, Any], None],
        start: Callable[[str, Room, Path], Child] = Child,
    ) -> None:
        self.campaign = campaign
        self.start = start  # a process of ours: a module, run in a room, with its log
        self.ledger = ledger
        self.journal = journal
        self.limits = limits
        self.emit = emit
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)  # of a run that was killed
        folder.mkdir()
        self.rooms: dict[str, Room] = {}
        self.slots = [Slot(i, self.folder) for i in range(limits.workers)]
        self.speed: dict[str, float] = {}
        self.upcoming: dict[str, Iterator[int]] = {}
        self.spare: dict[str, list[events.Stint]] = {}
        self.join(campaign)
        self.finished: set[str] = set()
        self.more: Counter[str] = Counter()
        self.triage: Child | None = None
        self.triage_s = 0.0  # CPU-seconds that were spent on looking at contradictions
        self.job: Any = None
        self.spanned: tuple[events.Raw, ...] = ()  # what the job only looks for on siblings
        self.job_hosted = False
        self.job_started = 0.0
        self.started = time.monotonic()
        self.is_stopping = False
        self.is_interrupted = False  # by the user
        self.is_settling = False
        self.patience_s = 0.0  # for settling; without end with a number of checks
        self.troubles = 0
        self.undrawn: Counter[str] = Counter()  # oracle -> how often its draw failed
        self.fruitless: set[str] = set()  # groups in which nothing but that happens
        self._failed: Counter[str] = Counter()  # the same by group, and what was answered there
        self._answered: Counter[str] = Counter()
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
                self.upcoming[group.key] = self.ledger.undone(group.key)
                self.spare[group.key] = []
        self.campaign = campaign

    # --- the two phases -----------------------------------------------------------------------------------------------

    def hunt(self) -> None:
        """Run episodes until the budget is used, or the user ends it."""
        try:
            while not self._is_over():
                for slot in self.slots:
                    self._serve(slot)
                if not any(s.child for s in self.slots) and not self._extend():
                    break
                self._listen(0.1)
                if not self.limits.checks or self.limits.stop_after:
                    self._triage_step()
                self.emit("tick", self)
        finally:
            for slot in self.slots:
                self._release(slot)

    def settle(self, patience_s: float) -> None:
        """Look at what is still waiting; with a number of checks until nothing is, else or when interrupted for a
        while."""
        self.is_settling, self.patience_s, self.started = True, patience_s, time.monotonic()
        while (self.job or self.ledger.waiting()) and not self.gone and (self.is_patient or self.left_s):
            self._triage_step(is_hunting=False)
            self._listen(0.1)
            self.emit("tick", self)

    def close(self) -> None:
        for slot in self.slots:
            if slot.child:
                slot.child.kill()
            slot.recorder.close()
        self._end_triage()
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

    @staticmethod
    def cpu_s() -> float:
        spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(u.ru_utime + u.ru_stime for u in spent)

    # --- leases -------------------------------------------------------------------------------------------------------

    def _checks_of(self, group: Group, episode: int) -> int:
        """How many checks an episode has: as many as any, but for the last one of a counted hunt."""
        most = checks_per_episode(group.family)
        if not self.limits.checks:
            return most
        return max(0, min(most, self._share(group) + self.more[group.key] - episode * most))

    def _share(self, group: Group) -> int:
        """The checks that a counted hunt wants of a group."""
        share, rest = divmod(self.limits.checks, len(self.campaign.groups))
        return share + (self.campaign.groups.index(group) < rest)

    def _extend(self) -> bool:
        """A counted hunt goes on where conversations were held that were no checks, as often as they lack.
        These have a budget of their own, so that a hunt in which nothing applies ends. All have come home: so it is the
        same for any number of workers."""
        is_more = False
        for group in self.campaign.groups if self.limits.checks else ():
            lacking = self._share(group) - self.ledger.made[group.key]
            room = max(self._share(group), VOID) - self.more[group.key]
            if group.key in self.finished and min(lacking, room) > 0:
                self.more[group.key] += min(lacking, room)
                self.finished.discard(group.key)
                self.upcoming[group.key] = self.ledger.undone(group.key)
                is_more = True
        return is_more

    def _next(self, group: Group, number: int) -> tuple[events.Stint, ...]:
        """The next episodes of a group: first what a dead worker left."""
        spare = self.spare[group.key]
        taken = [spare.pop(0) for _ in range(min(number, len(spare)))]
        while len(taken) < number:
            episode = next(self.upcoming[group.key])
            checks = self._checks_of(group, episode)
            if not checks:
                self.finished.add(group.key)
                break
            reached = self.ledger.partial.get(group.key, {}).get(episode, 0)
            if reached < checks:
                taken.append(events.Stint(episode, checks, reached))
        return tuple(taken)

    def _choose(self, slot: Slot) -> Group | None:
        """Stay with a group for a while, then move on to the next one that has work."""
        groups = self.campaign.groups
        open_groups = [
            g for g in groups if g.key not in self.fruitless and (g.key not in self.finished or self.spare[g.key])
        ]
        if not open_groups:
            return None
        if slot.group in open_groups and (len(groups) <= 1 or time.monotonic() - slot.since < self._slice_s()):
            return slot.group
        busy = [s.group for s in self.slots if s.child and s is not slot]
        after = groups.index(slot.group) + 1 if slot.group else slot.number
        order = [groups[(after + i) % len(groups)] for i in range(len(groups))]
        ranked = sorted((g for g in order if g in open_groups), key=lambda g: busy.count(g))
        return ranked[0]

    def _slice_s(self) -> float:
        if not self.limits.for_s:
            return SLICE_S
        return min(SLICE_S, max(1.0, self.limits.for_s * self.limits.workers / (2 * len(self.campaign.groups))))

    def _serve(self, slot: Slot) -> None:
        """Start, lease to, watch or replace one worker."""
        if slot.child is not None:
            self._watch(slot)
        if slot.child is not None and (slot.lease or not slot.is_ready):
            return
        group = self._choose(slot)
        if group is None:
            self._release(slot)
            return
        if slot.child is None or slot.group != group:
            self._release(slot)
            self._start(slot, group)
            return
        size = max(1, min(200, int(self.speed.get(group.key, 1.0) * LEASE_S)))
        episodes = self._next(group, size)
        if not episodes:
            return
        slot.lease = {stint.episode: stint for stint in episodes}
        slot.is_ready = False
        slot.child.send(events.encode(events.Lease(episodes, self.ledger.shunned(group.key))))

    def _start(self, slot: Slot, group: Group) -> None:
        if slot.group != group:
            slot.since = time.monotonic()
        slot.group = group
        slot.is_ready = False
        slot.reached = (-1, 0)
        slot.sequence = -1
        slot.stuck_at = time.monotonic()
        slot.stuck_cpu = 0.0
        slot.child = self.start("gainsay.campaign.worker", self.rooms[group.key], slot.log)
        setup = {
            "seed": self.campaign.seed,
            "group": msgspec.to_builtins(group),
            "settings": self.campaign.family_settings(group.family),
            "recorder": str(slot.recorder_path),
            "memory": self.limits.memory,
        }
        slot.child.send(msgspec.json.encode(setup) + b"\n")

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
            self.spare[slot.group.key] += [untold(stint, slot.reached) for stint in slot.lease.values()]
        slot.lease = {}
        slot.child = None
        slot.is_ready = False

    # --- listening and watching ---------------------------------------------------------------------------------------

    def _listen(self, timeout_s: float) -> None:
        children = {s.child.fd: s for s in self.slots if s.child}
        fds = list(children) + ([self.triage.fd] if self.triage else [])
        if not fds:
            time.sleep(min(timeout_s, 0.02))
            return
        for fd in select.select(fds, [], [], timeout_s)[0]:
            if fd in children:
                self._take(children[fd])
            else:
                self._take_triage()

    def _take(self, slot: Slot) -> None:
        """Read what a worker said. Raw contradictions are on the disk before anything else happens."""
        child = slot.child
        if child is None:
            return
        said = child.receive()
        raws = [e for e in said if isinstance(e, events.Raw)]
        if raws:
            self._record(*raws)
        for event in said:
            if isinstance(event, events.Progress):
                for episode in (*event.done, *event.partial):
                    slot.lease.pop(episode, None)
                slot.reached = event.reached
                self._answered[event.group] += event.counts.answered
                self.ledger.take(event)
                self.journal.append(event)
                self._measure(event)
            elif isinstance(event, events.Ready):
                slot.is_ready = True
            elif isinstance(event, events.Trouble):
                self._trouble(event)
            elif isinstance(event, events.Gone):
                self._lose(event)
        if not child.is_open:
            code = child.end()
            self._died(slot, child, "crash", signal_name(code))

    def _lose(self, event: events.Gone) -> None:
        """An engine is gone for good: end the hunt; what waits, waits for the next run."""
        self.gone, self.is_stopping = event.message, True

    def _record(self, *raws: events.Raw) -> None:
        self.journal.append(*raws, sync=True)
        for raw in raws:
            self.ledger.take(raw)

    def _measure(self, event: events.Progress) -> None:
        """Learn how many episodes a second a worker runs, to size its leases."""
        if event.done:
            before = self.speed.get(event.group, 1.0)
            self.speed[event.group] = min(before * 2, max(1.0, 0.5 * before + 0.5 * len(event.done) * 4))

    def _trouble(self, event: events.Trouble) -> None:
        """Count a mistake; show it, and keep its traceback, when it is met for the first time."""
        if event.oracle:
            self._undrawn(event)
        else:
            self.troubles += event.times
        is_new = event.place not in self._met
        self._met.add(event.place)
        self.journal.append(event if is_new else msgspec.structs.replace(event, traceback=""), sync=is_new)
        if is_new:
            self.emit("trouble", event)

    def _undrawn(self, event: events.Trouble) -> None:
        """An oracle's draw failed.
        A group in which nothing else happens is given up, and with the last group the hunt."""
        self.undrawn[event.oracle] += event.times
        self._failed[event.group] += event.times
        if self._failed[event.group] >= FRUITLESS and not self._answered[event.group]:
            self.fruitless.add(event.group)

    def _watch(self, slot: Slot) -> None:
        """A worker that uses too much memory, or works on one question too long, is ended; that is a finding."""
        child = slot.child
        assert child is not None
        if child.memory() > self.limits.memory:
            self._end(slot, "memory")
            return
        now = time.monotonic()
        sequence = slot.recorder.sequence()
        if sequence != slot.sequence:
            slot.sequence, slot.stuck_at, slot.stuck_cpu = sequence, now, -1.0
            return
        if now - slot.stuck_at < min(2.0, HARD_S):
            return
        spent = child.cpu()
        if slot.stuck_cpu < 0:
            slot.stuck_cpu = spent
        elif slot.lease and (spent - slot.stuck_cpu > HARD_S or now - slot.stuck_at > 12 * HARD_S):
            self._end(slot, "hang")

    def _end(self, slot: Slot, how: str) -> None:
        child = slot.child
        assert child is not None
        for event in child.receive():
            if isinstance(event, events.Raw):
                self._record(event)
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
            self._record(events.Raw(name, how, (), None, (), moment.text, f"{what}\n{child.tail()}".strip()))
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
        done = events.Progress(
            group.key,
            events.Counts(),
            (stint.episode,) if is_whole else (),
            {} if is_whole else {stint.episode: stint.checks},
        )
        self.ledger.take(done)
        self.journal.append(done)

    # --- triage -------------------------------------------------------------------------------------------------------

    def _triage_step(self, is_hunting: bool = True) -> None:
        """Have the next waiting contradiction looked at, one at a time."""
        if self.job is not None:
            if time.monotonic() - self.job_started > 600:
                self._triage_ended("took too long")
            return
        raw = self.ledger.fresh(is_hunting)
        spanned = self.ledger.unspanned(SPANNED, is_hunting) if raw is None else []
        raw = raw or (spanned[0] if spanned else self.ledger.sample(is_hunting))
        if raw is not None:
            self._give(raw, hosted=False, spanned=spanned)

    def _give(self, raw: events.Raw, hosted: bool, spanned: Sequence[events.Raw] = ()) -> None:
        group = self.campaign.group(raw.name.group)
        if self.triage is not None and self.triage.group != group.key:
            self._end_triage()
        if self.triage is None:
            self.triage = self.start("gainsay.triage.worker", self.rooms[group.key], self.folder / "triage.log")
            self.triage.group = group.key
        self.job, self.job_hosted, self.job_started = raw, hosted, time.monotonic()
        job = {
            "raw": msgspec.to_builtins(raw),
            "seed": self.campaign.seed,
            "group": msgspec.to_builtins(group),
            "settings": self.campaign.family_settings(group.family),
            "recorder": str(self.folder / "recorder-triage"),
            "hosted": hosted,
            "memory": self.limits.memory,
            "span": self.ledger.span(raw),
            "apart": self.ledger.apart(raw),
            "known": [{"id": f.id, "case": f.case, "span": f.span} for f in self.ledger.known(raw)]
            if not spanned
            else [],
            "spanned": msgspec.to_builtins(spanned),
        }
        self.spanned = tuple(spanned)
        self.triage.send(msgspec.json.encode(job) + b"\n")

    def _take_triage(self) -> None:
        child = self.triage
        assert child is not None
        for event in child.receive():
            if isinstance(event, events.Spanned):
                self._take_span(event)
                continue
            self.job, raw = None, self.job
            if isinstance(event, events.Finding):
                self._found(event, raw.claim)
            elif isinstance(event, events.Settled):
                self.ledger.take(event)
                self.journal.append(event, sync=True)
            elif isinstance(event, events.Gone):
                self._lose(event)
            else:
                self._trouble(event)
                self._unsettled(raw, "gainsay failed over it")
        if not child.is_open:
            self._end_triage()
            if self.job is not None:
                self._triage_ended("the engine died over it")

    def _take_span(self, event: events.Spanned) -> None:
        self.ledger.take(event)
        self.journal.append(event)
        self.spanned = tuple(raw for raw in self.spanned if (raw.name, raw.claim) != (event.name, event.claim))
        if not self.spanned:
            self.job = None

    def _triage_ended(self, why: str) -> None:
        """The process that looked at a contradiction died: look again from outside; the second time, note it."""
        raw, was_hosted = self.job, self.job_hosted
        self.job = None
        self._end_triage()
        if was_hosted or self.spanned:
            self._unsettled(raw, why)
        else:
            self._give(raw, hosted=True)

    def _end_triage(self) -> None:
        """End the process that looks at contradictions.
        What it used of the CPU is known once it has been waited for."""
        if self.triage is not None:
            before = self.cpu_s()
            if self.triage.is_open:
                self.triage.kill()
            else:
                self.triage.end()
            self.triage = None
            self.triage_s += self.cpu_s() - before

    def _unsettled(self, raw: events.Raw, why: str) -> None:
        """A job failed: note why there is no finding.
        Of contradictions that were only looked for on siblings, nothing is known then."""
        if not self.spanned:
            self._settle_job(raw, why)
        for each in self.spanned:
            self._take_span(events.Spanned(each.name, each.claim, {}))

    def _settle_job(self, raw: events.Raw, why: str) -> None:
        verdict = events.Settled(raw.name, raw.claim, "", why)
        self.ledger.take(verdict)
        self.journal.append(verdict, sync=True)

    def note(self, event: events.Event) -> None:
        """Keep what was learned outside."""
        self.ledger.take(event)
        self.journal.append(event)

    def _found(self, finding: events.Finding, claim: str) -> None:
        kept, is_new = self.ledger.found(finding, claim)
        is_told = kept.case is finding.case  # also where a known finding is told by this smaller case from now on
        self.journal.append(
            *([kept] if is_told else []), events.Settled(finding.name, claim, kept.id, alias=finding.id), sync=True
        )
        if is_new:
            self.emit("finding", kept)

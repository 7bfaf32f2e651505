"""A triage process: takes raw contradictions, reduces and confirms each, answers with a finding.
It may die; the job is then given again, hosted."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from gainsay.campaign import config, conversation, events, seating, siblings
from gainsay.campaign.alike import SHAPED
from gainsay.campaign.episode import Stage
from gainsay.campaign.reasons import loosely, words_of
from gainsay.campaign.recorder import Recorder
from gainsay.campaign.seating import HostedPlayer, LocalPlayer, Player
from gainsay.campaign.siblings import SHOWS
from gainsay.core import registry
from gainsay.core.alone import Alone
from gainsay.core.engine import Gone
from gainsay.core.model import Case, Restated, Seats, kind_of
from gainsay.errors import EnvironmentProblem
from gainsay.triage import findings, titles, without
from gainsay.triage.causes import Causes
from gainsay.triage.holding import Before, Holding, shortest
from gainsay.triage.job import Job
from gainsay.triage.reduce import Reducer
from gainsay.triage.span import Siblings

HOSTED_BUDGET = {"crash": 400, "memory": 40, "hang": 40}  # a hang costs its whole time limit
LOOSE_BUDGET = 300  # candidates for what an internal error comes down to
HARD_S = min(20.0, seating.HARD_S)


class Triage:
    """One job: a raw contradiction, from what was met to a finding."""

    def __init__(self, job: Job, siblings: Siblings | None = None) -> None:
        self.job = job
        self.siblings = siblings or Siblings(job.group)
        self.causes = Causes(job.known, self.siblings, lambda: self.holding(True))
        self.seen: conversation.Contradiction | None = None
        self.loosest = ""
        self.kept: Mapping[str, str] = {}  # on which siblings a smaller case must show, and on which not
        self.group = job.group
        # A case that kills its engine is looked at from outside; so is one with several targets.
        self.is_hosted = job.hosted or job.raw.claim in ("crash", "hang", "memory") or len(job.group.seats) > 1

    def players(self, hosted: bool) -> list[Player]:
        if hosted:
            return [HostedPlayer(s.target, self.job.memory, HARD_S) for s in self.group.seats]
        return [LocalPlayer(self.group.seats[0])]

    def holding(self, hosted: bool, seats: Seats | None = None) -> Holding:
        """Players of the group, on which cases are held again."""
        return Holding(self.group, self.players(hosted), seats)

    def case(self) -> Case | None:
        """The case of a raw contradiction; that of a death is drawn again from its name."""
        raw = self.job.raw
        if raw.case is not None:
            return events.read_case(raw.case)
        seats = config.seats_of(self.group, self.job.settings)
        found: list[events.Raw] = []
        players = self.players(True)
        stage = Stage(self.group, seats, players, self.job.seed, Recorder(self.recorder_path()), found.append)
        try:
            scene = stage.laid(raw.name.episode, stage.grow(raw.name.episode))
        finally:
            stage.close()
            for player in players:
                player.close()
        if scene is None:
            return events.read_case(found[0].case) if found else None
        recipe = stage.recipes(raw.name.episode, scene, raw.name.check + 1)[-1]
        return Case(self.group.family, raw.name.oracle, scene, recipe, events.slim(self.group.seats), raw.claim)

    def replayed(self) -> Iterator[events.Replayed]:
        """Each likely repetition with the triggers of known findings taken out."""
        with self.holding(self.is_hosted) as held:
            for replay in self.job.replayed:
                raw = replay.raw
                case = events.read_case(raw.case)
                needed, rest = without.remainder(case, replay.known, lambda new: held.same(new) is not None)
                shape = registry.family(case.family).shape(rest.scene, rest.recipe)
                made = None if needed else msgspec.to_builtins(rest)
                yield events.Replayed(raw.name, raw.claim, needed, made, () if needed else tuple(sorted(shape)))

    def recorder_path(self) -> Path:
        return Path(self.job.recorder)

    def run(self) -> events.Finding | events.Settled:
        """Confirm, reduce, confirm in a fresh process: a finding, or why there is none."""
        raw = self.job.raw
        case = self.case()
        if case is None:
            return events.Settled(raw.name, raw.claim, "", "the case can't be drawn again")
        seats = Seats(self.group.seats)
        family = registry.family(case.family)
        if kind_of(raw.claim) == "logic" and family.is_strict and not family.is_legal(case.scene, case.recipe, seats):
            return events.Settled(raw.name, raw.claim, "", "by the engine's own profile nothing is wrong")
        try:
            with self.holding(self.is_hosted, seats) as held:
                status, before, case, unreduced = self._shrunk(case, held)
        except EnvironmentProblem:
            if self.seen is None or raw.claim not in ("crash", "hang"):
                raise
            # It died over this a second time, and nobody starts it again: that is confirmed, and can't be reduced.
            return self.finding(case, self.seen, "confirmed", (), True)
        with self.holding(True, seats) as fresh:
            return self._confirmed(case, fresh, status, before, unreduced)

    def _confirmed(
        self, case: Case, fresh: Holding, status: str, before: Before, unreduced: bool
    ) -> events.Finding | events.Settled:
        """Look at what is left in fresh processes: the finding, with a title if there is no doubt."""
        found = fresh.same(case, before)
        if found is None and status == "confirmed":
            status, unreduced = "flaky", True
            case = self.case() or case
            found = fresh.same(case, before)
        if found is None:
            why = "not seen again, neither alone nor with what was asked before it"
            return events.Settled(self.job.raw.name, self.job.raw.claim, "", why)
        named = self.finding(case, found, status, before, unreduced)
        if status == "confirmed" and named.id not in {known.id for known in self.job.known}:
            named.title = titles.title(fresh, case, found, named)
            named.beside = titles.beside(fresh, case, found, named)
        return named

    def _restated(self, case: Case, found: conversation.Contradiction, held: Holding) -> Case:
        """The case about one question, where it can be told which of several was answered wrongly, or broke the engine:
        shorter, and one for all oracles."""
        if case.oracle in (conversation.LOAD, registry.ALONE):
            return case
        for other in self._others(case, found, held.seats):
            named = Case(case.family, other.oracle, other.scene, other.recipe, case.seats, other.claim)
            if self._is_still(named, held):
                return named
        return case

    @staticmethod
    def _others(case: Case, found: conversation.Contradiction, seats: Seats) -> Iterator[Restated]:
        """Cases about one of the questions that were asked."""
        if found.claim is None:
            alone = Alone(case.family)
            yield from filter(
                None, (alone.put(case.scene, node, found.seat, found.label) for node in found.asked.values())
            )
        else:
            yield from registry.oracle(case.family, case.oracle).restated(
                case.scene, case.recipe, seats, found.asked, found.answers
            )

    def _shrunk(self, case: Case, held: Holding) -> tuple[str, Before, Case, bool]:
        """Confirm and reduce: (status, texts that must be asked before, the smallest case, whether the budget ended
        first)."""
        raw = self.job.raw
        self.seen = held.same(case)
        if self.seen is not None:
            self.kept = self._bounds(case)
            case = self._restated(case, self.seen, held)
            # From outside a candidate costs a round trip, and a death a new process.
            most = HOSTED_BUDGET.get(raw.claim, 1500)
            budget = min(self.job.budget, most) if self.is_hosted and raw.claim != "internal-error" else self.job.budget
            case, left = self._reduced(case, held, budget)
            # Of a small case it can be told more often which answer is wrong.
            found = held.same(case) if kind_of(raw.claim) == "logic" else None
            other = self._restated(case, found, held) if found is not None else case
            if other is not case:
                case, left = self._reduced(other, held, left)
            self.loosest = self._loosest(case, held)
            return "confirmed", (), case, left <= 0
        before = raw.before
        if before and held.same(case, before) is not None:
            return "stateful", shortest(before, lambda b: held.same(case, b) is not None), case, True
        return "flaky", before, case, True

    def _loosest(self, case: Case, held: Holding) -> str:
        """What an internal error comes down to where the engine may call things otherwise: where a parser stumbles
        depends on what stands behind the cause."""
        family, detail = registry.family(case.family), self.job.raw.detail
        marks = tuple(registry.engine(self.group.seats[0].target.engine).name_marks)
        is_told = words_of(detail, marks) != loosely(detail, marks)
        if case.claim != "internal-error" or case.oracle != registry.ALONE or not is_told:
            return ""

        def is_still(smaller: Case) -> bool:
            found = held.same(smaller)
            return found is not None and loosely(found.detail, marks) == loosely(detail, marks)

        return family.skeleton(Reducer(case, is_still, LOOSE_BUDGET).run().recipe)

    def _reduced(self, case: Case, held: Holding, budget: int) -> tuple[Case, int]:
        """The smallest case, and what is left of the budget."""
        reducer = Reducer(case, lambda c: self._is_still(c, held), budget)
        return reducer.run(), reducer.left

    def _is_still(self, case: Case, held: Holding) -> bool:
        """Whether a smaller case shows the same. Another internal error is another bug."""
        found = held.same(case)
        is_same = found is not None and (
            found.label != "internal-error" or held.words(found, found.detail) == held.words(found, self.job.raw.detail)
        )
        return is_same and self.siblings.holds(case, self.kept)

    def _bounds(self, case: Case) -> dict[str, str]:
        """What ties a case to its cause while it shrinks.
        Otherwise a smaller case may show another bug, and this one is lost."""
        is_kept = self.group.siblings and registry.family(case.family).shrinks_in_span
        if not is_kept or kind_of(case.claim) not in SHAPED:
            return {}
        bounds = siblings.bounds(self.job.span or self.siblings.span(case))
        if SHOWS in self.job.apart.values():  # a known finding explains the rest
            bounds = {v: state for v, state in bounds.items() if state != SHOWS}
        return bounds | self.job.apart

    def finding(
        self, case: Case, found: conversation.Contradiction, status: str, before: Before, unreduced: bool
    ) -> events.Finding:
        """The finding that a case is."""
        made = findings.finding(self.job, self.siblings, self.causes, case, found)
        made.status, made.unreduced, made.loosest = status, unreduced, self.loosest
        made.before = before or made.before
        return made


def main() -> None:
    source, sink = os.fdopen(int(sys.argv[1]), "rb"), int(sys.argv[2])
    siblings: Siblings | None = None  # of the only group that this process ever gets jobs of
    for line in source:
        job = msgspec.json.decode(line, type=Job)
        siblings = siblings or Siblings(job.group)
        data = b"".join(map(events.encode, done(job, siblings)))
        while data:
            data = data[os.write(sink, data) :]


def done(job: Job, siblings: Siblings) -> list[Any]:
    """A job's results."""
    try:
        if job.spanned:
            return [
                events.Spanned(raw.name, raw.claim, siblings.span(events.read_case(raw.case))) for raw in job.spanned
            ]
        triage = Triage(job, siblings)
        return list(triage.replayed()) if job.replayed else [triage.run()]
    except (EnvironmentProblem, Gone) as error:  # the contradiction waits until the engine is there again
        return [events.Gone(str(error))]
    except Exception:  # the process's boundary: a mistake of ours costs one job
        return [events.Trouble(f"triage of {job.raw.name}", traceback.format_exc())]


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    main()

"""A triage process: takes raw contradictions, reduces and confirms each, answers with a finding.
It may die; the job is then given again, hosted."""

from __future__ import annotations

import itertools
import os
import re
import signal
import sys
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from gainsay.campaign import config, conversation, events, seating, siblings
from gainsay.campaign.episode import Stage
from gainsay.campaign.ledger import SHAPED, voice, voice_of
from gainsay.campaign.reasons import loosely, words_of
from gainsay.campaign.recorder import Recorder
from gainsay.campaign.seating import HostedPlayer, LocalPlayer, Player
from gainsay.campaign.siblings import GONE, SHOWS, told, told_apart
from gainsay.core import claim as claims
from gainsay.core import registry
from gainsay.core.alone import Alone
from gainsay.core.engine import Gone
from gainsay.core.family import EVERYWHERE, Family
from gainsay.core.model import Case, Restated, Seat, Seats, kind_of
from gainsay.errors import EnvironmentProblem
from gainsay.triage import opinion as third
from gainsay.triage import signature, without
from gainsay.triage.reduce import BUDGET, Reducer
from gainsay.triage.span import Siblings, said
from gainsay.triage.telling import BROKEN, evidence, explained, shown, stated

HOSTED_BUDGET = {"crash": 400, "memory": 40, "hang": 40}  # a hang costs its whole time limit
LOOSE_BUDGET = 300  # candidates for what an internal error comes down to
MOST = 80  # exchanges that a title is worth
WORDS = 6  # that a title says what breaks an engine in; where so much matters, the bucket says it
EXCHANGES = {"crash": 12, "memory": 0, "hang": 0}
# What C libraries say of memory that something overwrote
BROKEN_MEMORY = re.compile(r"double free|corrupt|munmap_chunk|malloc\(\)|(?:free|realloc)\(\): invalid")
HARD_S = min(20.0, seating.HARD_S)


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


class Triage:
    """One job: a raw contradiction, from what was met to a finding."""

    def __init__(self, job: Job, siblings: Siblings | None = None) -> None:
        self.job = job
        self.siblings = siblings or Siblings(job.group)
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
        seats, players = Seats(self.group.seats), self.players(self.is_hosted)
        try:
            for replay in self.job.replayed:
                raw = replay.raw
                case = events.read_case(raw.case)
                needed, rest = without.remainder(
                    case, replay.known, lambda new: self._same(new, players, seats) is not None
                )
                shape = registry.family(case.family).shape(rest.scene, rest.recipe)
                made = None if needed else msgspec.to_builtins(rest)
                yield events.Replayed(raw.name, raw.claim, needed, made, () if needed else tuple(sorted(shape)))
        finally:
            for player in players:
                player.close()

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
        players = self.players(self.is_hosted)
        try:
            status, before, case, unreduced = self._shrunk(case, seats, players)
        except EnvironmentProblem:
            if self.seen is None or raw.claim not in ("crash", "hang"):
                raise
            # It died over this a second time, and nobody starts it again: that is confirmed, and can't be reduced.
            return self.finding(case, self.seen, "confirmed", (), True)
        finally:
            for player in players:
                player.close()
        fresh = self.players(True)
        try:
            found = self._same(case, fresh, seats, before)
            if found is None and status == "confirmed":
                status, unreduced = "flaky", True
                case = self.case() or case
                found = self._same(case, fresh, seats, before)
            if found is None:
                return events.Settled(
                    raw.name, raw.claim, "", "not seen again, neither alone nor with what was asked before it"
                )
            named = self.finding(case, found, status, before, unreduced)
            if status == "confirmed" and named.id not in {known.id for known in self.job.known}:
                named.title = self._title(case, found, named, fresh, seats)
                named.beside = self._beside(case, found, named, fresh, seats)
            return named
        finally:
            for player in fresh:
                player.close()

    def _restated(self, case: Case, found: conversation.Contradiction, seats: Seats, players: list[Player]) -> Case:
        """The case about one question, where it can be told which of several was answered wrongly, or broke the engine:
        shorter, and one for all oracles."""
        if case.oracle in (conversation.LOAD, registry.ALONE):
            return case
        for other in self._others(case, found, seats):
            named = Case(case.family, other.oracle, other.scene, other.recipe, case.seats, other.claim)
            if self._is_still(named, players, seats):
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

    def _same(
        self, case: Case, players: list[Player], seats: Seats, before: tuple[tuple[int, str], ...] = ()
    ) -> conversation.Contradiction | None:
        found = conversation.hold(case, players, seats, before) or []
        return next((c for c in found if c.label == case.claim), None)

    def _shrunk(
        self, case: Case, seats: Seats, players: list[Player]
    ) -> tuple[str, tuple[tuple[int, str], ...], Case, bool]:
        """Confirm and reduce: (status, texts that must be asked before, the smallest case, whether the budget ended
        first)."""
        raw = self.job.raw
        self.seen = self._same(case, players, seats)
        if self.seen is not None:
            self.kept = self._bounds(case)
            case = self._restated(case, self.seen, seats, players)
            # From outside a candidate costs a round trip, and a death a new process.
            most = HOSTED_BUDGET.get(raw.claim, 1500)
            budget = min(self.job.budget, most) if self.is_hosted and raw.claim != "internal-error" else self.job.budget
            case, left = self._reduced(case, seats, players, budget)
            # Of a small case it can be told more often which answer is wrong.
            found = self._same(case, players, seats) if kind_of(raw.claim) == "logic" else None
            other = self._restated(case, found, seats, players) if found is not None else case
            if other is not case:
                case, left = self._reduced(other, seats, players, left)
            self.loosest = self._loosest(case, seats, players)
            return "confirmed", (), case, left <= 0
        before = raw.before
        if before and self._same(case, players, seats, before) is not None:
            return "stateful", shortest(before, lambda b: self._same(case, players, seats, b) is not None), case, True
        return "flaky", before, case, True

    def _loosest(self, case: Case, seats: Seats, players: list[Player]) -> str:
        """What an internal error comes down to where the engine may call things otherwise: where a parser stumbles
        depends on what stands behind the cause."""
        family, detail = registry.family(case.family), self.job.raw.detail
        marks = tuple(registry.engine(self.group.seats[0].target.engine).name_marks)
        is_told = words_of(detail, marks) != loosely(detail, marks)
        if case.claim != "internal-error" or case.oracle != registry.ALONE or not is_told:
            return ""

        def is_still(smaller: Case) -> bool:
            found = self._same(smaller, players, seats)
            return found is not None and loosely(found.detail, marks) == loosely(detail, marks)

        return family.skeleton(Reducer(case, is_still, LOOSE_BUDGET).run().recipe)

    def _reduced(self, case: Case, seats: Seats, players: list[Player], budget: int) -> tuple[Case, int]:
        """The smallest case, and what is left of the budget."""
        reducer = Reducer(case, lambda c: self._is_still(c, players, seats), budget)
        return reducer.run(), reducer.left

    def _is_still(self, case: Case, players: list[Player], seats: Seats) -> bool:
        """Whether a smaller case shows the same. Another internal error is another bug."""
        found = self._same(case, players, seats)
        is_same = found is not None and (
            found.label != "internal-error"
            or self._words(found, found.detail) == self._words(found, self.job.raw.detail)
        )
        return is_same and self.siblings.holds(case, self.kept)

    def _words(self, found: conversation.Contradiction, detail: str) -> str:
        """What names the bug in an error text of the engine that broke."""
        return words_of(detail, registry.engine(self.group.seats[found.seat].target.engine).name_marks)

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
        self, case: Case, found: conversation.Contradiction, status: str, before: Any, unreduced: bool
    ) -> events.Finding:
        """All that a report, a replay and the next hunt need of a contradiction that was looked at."""
        family, kind, claim = registry.family(case.family), kind_of(found.label), found.claim
        opinion = self._opinion(case, found)
        seat = self.group.seats[opinion.seat or 0]
        shape, bucket = family.shape(case.scene, case.recipe), self._bucket(case, opinion.seat or 0, found)
        text, *also = self._signatures(found, opinion, seat, bucket)
        like = found if family.answers_tell else None
        span = self.siblings.span(case, like) if self.group.siblings and kind in SHAPED else {}
        longer = f"{text} ({told(span)})" if span else text
        dialect = family.dialect(seat.dialect)
        texts, answers = evidence(case, found)
        return events.Finding(
            id=signature.ident(seat.target.engine, case.oracle if claim else kind, text),
            signature=text,
            kind=kind,
            status=status,
            family=case.family,
            oracle=case.oracle,
            engine=seat.target.engine,
            version=seat.version,
            claim=found.label,
            words=claim.words() if claim else BROKEN[kind],
            why=explained(case, found, seat, Seats(self.group.seats)),
            seed=self.job.seed,
            name=self.job.raw.name,
            case=msgspec.to_builtins(case),
            setup=tuple(filter(None, (dialect.text(s) for s in family.script(case.scene)))),
            texts={label: family.legible(asked) for label, asked in texts.items()},
            answers={label: shown(answer) for label, answer in answers.items()},
            left=claims.lines(claim, claim.left, found.answers) if claim else (),
            right=claims.lines(claim, claim.right, found.answers) if claim else (),
            detail=found.detail[:2000],
            shape=tuple(sorted(shape)),
            bucket=tuple(sorted(bucket)),
            before=before or found.before,
            unreduced=unreduced,
            seat=seat.index,
            opinion=opinion.words,
            also=tuple(also),
            span=span,
            same_as=self._same_cause(case, span, bucket),
            apart=(signature.ident(seat.target.engine, case.oracle, longer), longer),
            sides=stated(claim) if claim else {},
            skeleton=family.skeleton(case.recipe),
            loosest=self.loosest,
            kin=tuple(sorted(family.kin(case))) if claim is None else (),
        )

    def _opinion(self, case: Case, found: conversation.Contradiction) -> third.Opinion:
        """Whose answer is taken for the wrong one."""
        is_compared = len(self.group.seats) > 1 and case.recipe.shared_question is not None
        return third.opinion(case, found, self.group.seats) if is_compared else third.Opinion(found.seat, "")

    def _signatures(
        self, found: conversation.Contradiction, opinion: third.Opinion, seat: Seat, bucket: frozenset[str]
    ) -> list[str]:
        """The signature under the name of the blamed engine; where nobody can tell, then under those of the others."""
        detail = self._words(found, found.detail) if found.label in ("crash", "internal-error") else ""
        # An assertion's or an internal error's own words name the bug better than what surrounds it.
        parts = frozenset() if found.label == "internal-error" or "Assertion" in detail else bucket
        others = [s.target.engine for s in self.group.seats] if opinion.seat is None else []
        engines = dict.fromkeys([seat.target.engine, *others])
        return [signature.signature(engine, kind_of(found.label), parts, detail) for engine in engines]

    def _title(
        self,
        case: Case,
        found: conversation.Contradiction,
        finding: events.Finding,
        players: list[Player],
        seats: Seats,
    ) -> str:
        """The signature, but for what can be exchanged for another of its kind; and with what can't. Of what broke the
        engine: over what it does, then its own words."""
        family = registry.family(case.family)
        is_broken = finding.kind not in SHAPED
        if is_broken and finding.unreduced:
            return ""  # nobody knows what of it matters
        tried: dict[tuple[str, Any], list[bool]] = {}
        for name, place, (scene, recipe) in itertools.islice(family.exchanges(case), EXCHANGES.get(finding.kind, MOST)):
            if family.is_legal(scene, recipe, seats):
                again = self._same(case.with_parts(scene, recipe), players, seats)
                is_same = again is not None and self._words(again, again.detail) == self._words(found, found.detail)
                tried.setdefault((name, place), []).append(is_same)
        everywhere = {name for (name, place), seen in tried.items() if place == EVERYWHERE and any(seen)}
        needed = frozenset(name for (name, _), seen in tried.items() if not any(seen)) - everywhere
        spared = frozenset(name for name, _ in tried) - needed
        bucket = frozenset(finding.bucket)
        # The bucket of what broke the engine leaves out what its words tell apart.
        named = frozenset(finding.shape) | family.seated(self.group.seats[finding.seat]) if is_broken else bucket
        words = family.titled(case.recipe, named, spared, needed) | case.recipe.title_words
        if is_broken:
            words = words if len(words) <= WORDS else bucket - spared or bucket
            words = family.framed(words) if is_by_chance(finding.kind, found.detail) else words
            return signature.title(finding.engine, finding.kind, words, found.detail)
        return signature.signature(finding.engine, finding.kind, words) if words != bucket else ""

    def _beside(
        self,
        case: Case,
        found: conversation.Contradiction,
        finding: events.Finding,
        players: list[Player],
        seats: Seats,
    ) -> tuple[str, ...]:
        """What the engine says over cases next to a reduced one, where it breaks."""
        family, engine = registry.family(case.family), self.group.seats[0].target.engine
        heard: dict[str, None] = {}
        if len(self.group.seats) > 1:
            return ()
        for scene, recipe in itertools.islice(family.beside(case), EXCHANGES.get(finding.kind, MOST)):
            if not family.is_legal(scene, recipe, seats):
                continue
            for other in conversation.hold(case.with_parts(scene, recipe), players, seats) or []:
                if other.claim is None:
                    heard[voice(engine, other.label, other.detail)] = None
                elif said(other) != said(found):
                    return ()  # another wrong answer to what is the same: two causes are in it
        return tuple(words for words in heard if words and words != voice_of(finding))

    def _same_cause(self, case: Case, span: Mapping[str, str], bucket: frozenset[str]) -> str:
        """The known finding that shows on the same releases, and a part of which is wrong in this case's place or this
        one's in its place. Where releases tell nothing: one that has more around it, if its part is wrong without."""
        family = registry.family(case.family)
        tried = [k for k in self.job.known if self._is_telling(family, k, span) or self._has_more(family, k, bucket)]
        alike = [k for k in tried if not told_apart(case.family, k.span, span)]
        if not alike:
            return ""
        players, seats = self.players(True), Seats(self.group.seats)
        try:
            for known in alike:
                for scene, recipe in family.swaps(case, events.read_case(known.case), self.group.is_finely_told):
                    oracle, claim = (
                        (case.oracle, case.claim)
                        if isinstance(recipe, type(case.recipe))
                        else (known.case["oracle"], known.case["claim"])
                    )
                    swapped = Case(case.family, oracle, scene, recipe, case.seats, claim)
                    if not self._is_telling(family, known, span) and self._bucket(swapped) != bucket:
                        continue  # it has what stands around the known one
                    if family.is_legal(scene, recipe, seats) and self._same(swapped, players, seats) is not None:
                        if not told_apart(case.family, span, self.siblings.span(swapped)):  # not a third bug
                            return known.id
        finally:
            for player in players:
                player.close()
        return ""

    @staticmethod
    def _is_telling(family: Family, known: Known, span: Mapping[str, str]) -> bool:
        """Whether a part of one case that is wrong in the other's place shows that they are one cause."""
        return family.tells_by_swaps or (GONE in span.values() and GONE in known.span.values())

    @staticmethod
    def _has_more(family: Family, known: Known, bucket: frozenset[str]) -> bool:
        """Whether a known finding is this one with mere surroundings."""
        return bucket < frozenset(known.bucket) and family.absorbs(bucket, frozenset(known.bucket))

    def _bucket(self, case: Case, seat: int = 0, found: conversation.Contradiction | None = None) -> frozenset[str]:
        """What of a case names its cause."""
        family = registry.family(case.family)
        shape = family.shape(case.scene, case.recipe)
        bucket = frozenset(family.bucket(shape | family.seated(self.group.seats[seat])))
        return family.framed(bucket) if found is not None and is_by_chance(found.label, found.detail) else bucket


def is_by_chance(kind: str, detail: str) -> bool:
    """Whether an engine died because it noticed that its memory is broken: what breaks it was done earlier."""
    return kind == "crash" and bool(BROKEN_MEMORY.search(detail))


def shortest(before: tuple[tuple[int, str], ...], still: Any) -> tuple[tuple[int, str], ...]:
    """Drop earlier texts, halves first, as long as the contradiction stays."""
    size = len(before) // 2
    while size:
        start = 0
        while start < len(before):
            rest = before[:start] + before[start + size :]
            if still(rest):
                before = rest
            else:
                start += size
        size //= 2
    return before


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

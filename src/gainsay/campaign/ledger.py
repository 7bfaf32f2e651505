"""What a campaign knows so far, rebuilt from the journal: episodes done, contradictions waiting, findings and their
counts."""

from __future__ import annotations

import itertools
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from gainsay.campaign import events
from gainsay.campaign.alike import (
    DEATHS,
    SHAPED,
    first_line,
    is_nobodys,
    is_one,
    otherwise,
    said,
    says_less,
    shows_otherwise,
    unexplained,
    voice,
    voice_of,
)
from gainsay.campaign.siblings import GONE, SHOWS, fits, told_apart
from gainsay.core import registry
from gainsay.core.family import Family
from gainsay.core.model import kind_of

# So many likely repetitions of a finding are reduced all the same: one may be another bug. What dies is slow to reduce.
REDUCED_PER_FINDING = {"logic": 40, "incomplete": 3, "internal-error": 3, "crash": 1}
REDUCED_WITH_SPAN = 12  # where each was also looked for on other releases, and shows on the same ones as the finding
OFTEN = 3  # deaths or internal errors of one kind, after which they are met less often on purpose
LOGGED = 60  # lines of the log that are kept


class Ledger:
    """Pure bookkeeping: takes events, answers questions. The journal is its memory."""

    def __init__(self, muted: Sequence[Any] = ()) -> None:
        self.muted = muted  # each has covers(signature, shape), and the status of what it covers
        # Groups whose contradictions can be looked at now: of a hunt that is gone on with, others may join later
        self.joined: frozenset[str] | None = None
        self.counts = events.Counts()
        self.refusals: Counter[str] = Counter()
        self.undecided: Counter[str] = Counter()
        self.samples: dict[str, events.Sample] = {}  # the first text of each kind of refusal
        self.pulses: list[events.Pulse] = []
        self.log: deque[str] = deque(maxlen=LOGGED)  # deaths of engines, mistakes of ours, and runs of the command
        self.drawn: dict[str, Counter[str]] = {}  # by group: in how many sampled statements and questions a feature was
        self.taken: dict[str, Counter[str]] = {}  # ... that were not refused
        self.made: Counter[str] = Counter()  # checks, by group
        self.held: Counter[tuple[str, str]] = Counter()  # conversations that came to a claim, by group and oracle
        self.idle: Counter[tuple[str, str]] = Counter()  # ... and those that asked or claimed nothing
        self.done: dict[str, set[int]] = {}
        self.partial: dict[str, dict[int, int]] = {}
        self.raws: dict[tuple[Any, str], events.Raw] = {}  # waiting, in order of arrival
        self.settled: set[tuple[Any, str]] = set()
        self.findings: dict[str, events.Finding] = {}
        self.repeats: dict[tuple[str, str], int] = {}  # by finding and kind: how many were reduced all the same
        self.spans: dict[tuple[Any, str], dict[str, str]] = {}  # of raw contradictions, where they were looked for
        self.replays: dict[tuple[Any, str], str] = {}  # of raw contradictions: the finding whose trigger they need
        self._likely: dict[tuple[Any, str], tuple[int, str]] = {}
        self.raw_total = 0
        self.vanished = 0

    @staticmethod
    def _key(event: Any) -> tuple[Any, str]:
        return event.name, event.claim

    def take(self, event: Any) -> None:
        """Take in an event, in the order of the journal."""
        self._log(event)
        taking: dict[type, Callable[[Any], None]] = {
            events.Progress: self._progress,
            events.Raw: self._raw,
            events.Settled: self._settle,
            events.Spanned: self._span,
            events.Replayed: self._replay,
            events.Proved: self._prove,
            events.Bisected: self._bisect,
            events.Pulse: self.pulses.append,
            events.Finding: self._finding,
            events.Merged: self._merge,
        }
        take = taking.get(type(event))
        if take is not None:
            take(event)

    def _progress(self, event: events.Progress) -> None:
        self.counts.add(event.counts)
        self.refusals.update(event.refusals)
        self.undecided.update(event.undecided)
        self.samples = event.samples | self.samples
        self._draw(event)
        self.made[event.group] += event.counts.checks
        self.held.update({(event.group, oracle): count for oracle, count in event.held.items()})
        self.idle.update({(event.group, oracle): count for oracle, count in event.idle.items()})
        self.done.setdefault(event.group, set()).update(event.done)
        self.partial.setdefault(event.group, {}).update(event.partial)

    def _raw(self, event: events.Raw) -> None:
        if self._key(event) not in self.settled and self._key(event) not in self.raws:
            self.raws[self._key(event)] = event
            self.raw_total += 1

    def _settle(self, event: events.Settled) -> None:
        if self._key(event) not in self.settled:
            self.settled.add(self._key(event))
            if event.finding in self.findings:
                self._count(self.findings[event.finding], event.alias)
            elif not event.finding:
                self.vanished += 1
        self.raws.pop(self._key(event), None)

    def _span(self, event: events.Spanned) -> None:
        self.spans[self._key(event)] = event.span
        self._likely.pop(self._key(event), None)

    def _prove(self, event: events.Proved) -> None:
        if event.id in self.findings:
            self.findings[event.id].proof = event.words

    def _bisect(self, event: events.Bisected) -> None:
        if event.id in self.findings:
            self.findings[event.id].interval = event.interval

    def _finding(self, event: events.Finding) -> None:
        known = self.findings.get(event.id)  # one that is told by a smaller case now
        # Its repetitions count it, and bring their names
        event.count, event.aliases = (known.count, known.aliases) if known else (0, ())
        for field in ("otherwise", "heard", "shapes"):  # how its cause shows besides
            kept = getattr(known, field) if known else ()
            setattr(event, field, tuple(dict.fromkeys((*kept, *getattr(event, field)))))
        event.status = self._status(event)
        self.findings[event.id] = event

    def _merge(self, event: events.Merged) -> None:
        """What was a finding is a repetition of another one, with all of its own repetitions."""
        gone, kept = self.findings.pop(event.id, None), self.findings.get(event.into)
        self._likely.clear()
        if gone is not None and kept is not None:
            kept.count += gone.count
            kept.aliases = tuple(dict.fromkeys((*kept.aliases, gone.id, *gone.aliases)))
            told = (otherwise(gone),) if shows_otherwise(kept, gone) else ()
            kept.otherwise = tuple(dict.fromkeys((*kept.otherwise, *told, *gone.otherwise)))
            kept.heard = tuple(dict.fromkeys((*kept.heard, *filter(None, (voice_of(gone),)), *gone.heard)))
            kept.shapes = tuple(dict.fromkeys((*kept.shapes, *gone.shapes)))

    def _log(self, event: Any) -> None:
        """Note what who watches a hunt wants to see, in a line."""
        if isinstance(event, events.Raw) and event.claim in DEATHS:
            self.log.append(f"{event.claim} of {event.name.group}: {first_line(event.detail)}")
        elif isinstance(event, events.Trouble):
            self.log.append(f"a mistake: {event.where}")
        elif isinstance(event, events.Started):
            self.log.append(f"gainsay {event.version} began with seed {event.seed}")

    def _draw(self, event: events.Progress) -> None:
        """Count what sampled statements and questions were made of."""
        for feature, (drawn, taken) in event.drawn.items():
            self.drawn.setdefault(event.group, Counter())[feature] += drawn
            self.taken.setdefault(event.group, Counter())[feature] += taken

    def _replay(self, event: events.Replayed) -> None:
        """A contradiction needs a known finding's trigger; or it is looked at as what is left of it without."""
        key = self._key(event)
        self._likely.pop(key, None)
        if event.finding:
            self.replays[key] = event.finding
        elif key in self.raws:
            self.raws[key] = msgspec.structs.replace(self.raws[key], case=event.case, shape=event.shape, before=())
            self.spans.pop(key, None)

    @staticmethod
    def _count(finding: events.Finding, alias: str) -> None:
        finding.count += 1
        if alias and alias != finding.id and alias not in finding.aliases:
            finding.aliases = (*finding.aliases, alias)

    def found(self, finding: events.Finding, claim: str = "") -> tuple[events.Finding, bool]:
        """Put a finding into its bucket: (the finding that is kept, whether it is new).
        `claim`: that of the contradiction, if it was another."""
        family = registry.family(finding.family)
        alike = [known for known in self.findings.values() if is_one(family, known, finding)]
        alike.sort(key=lambda known: known.signature != finding.signature)  # its own before what it resembles
        kept = next(
            (known for known in alike if not told_apart(finding.family, known.span, finding.span)),
            self._named(finding.same_as) or finding,
        )
        # The same shape with another span is another cause
        if kept is finding and any(known.signature == finding.signature for known in alike):
            finding.id, finding.signature, finding.title = *finding.apart, ""
            kept = self.findings.get(finding.id, finding)
        is_new = kept is finding
        if is_new:
            finding.status = self._status(finding)
            finding.count = 0
            self.findings[finding.id] = finding
            self._swallow(family, finding, [f for f in self.findings.values() if is_nobodys(f)])
        elif says_less(finding, kept):
            is_taken = any(
                known.signature == finding.signature and known is not kept for known in self.findings.values()
            )
            signature, title = (finding.apart[1], "") if is_taken else (finding.signature, finding.title)
            kept = msgspec.structs.replace(finding, id=kept.id, signature=signature, title=title)
            self.take(kept)
            self._swallow(family, kept, list(self.findings.values()))
        elif shows_otherwise(kept, finding) and finding.id not in kept.aliases:
            kept = msgspec.structs.replace(
                kept,
                otherwise=(*kept.otherwise, otherwise(finding)),
                heard=tuple(dict.fromkeys((*kept.heard, *filter(None, (voice_of(finding),))))),
                shapes=(*kept.shapes, finding.shape) if finding.kind in SHAPED else kept.shapes,
            )
            self.take(kept)
        self.take(events.Settled(finding.name, claim or finding.claim, kept.id, alias=finding.id))
        return kept, is_new

    def _swallow(self, family: Family, kept: events.Finding, others: Sequence[events.Finding]) -> None:
        """Known findings that a new or newly told one explains are none any more."""
        for other in others:
            is_it = other is not kept and is_one(family, kept, other)
            if is_it and not told_apart(family.name, kept.span, other.span):
                self.take(events.Merged(other.id, kept.id))

    def _named(self, name: str) -> events.Finding | None:
        """The finding that has an id, or went by it before it was another one."""
        return next((f for f in self.findings.values() if name and name in (f.id, *f.aliases)), None)

    def _status(self, finding: events.Finding) -> str:
        """Its own, unless somebody has muted it or knows of it."""
        covering = (m.status for m in self.muted if m.covers(finding.signature, finding.shape))
        return next(covering, finding.status)

    def never_applied(self) -> dict[tuple[str, str], int]:
        """Group and oracle of which no conversation came to a claim, with how many were begun."""
        return {key: count for key, count in sorted(self.idle.items()) if not self.held[key]}

    def undone(self, group: str) -> Iterator[int]:
        """Episode numbers that were not finished, without end."""
        done = self.done.get(group, set())
        return (n for n in itertools.count() if n not in done)

    def repeats_of(self, raw: events.Raw) -> str:
        """The finding of which a raw contradiction is most likely a repetition: its shape contains the finding's."""
        key = self._key(raw)
        age, known = self._likely.get(key, (-1, ""))
        if age != len(self.findings):  # a new finding may explain it
            known = self._match(raw)
            self._likely[key] = len(self.findings), known
        return known

    def _match(self, raw: events.Raw) -> str:
        alike = self._alike(raw)
        span = self.spans.get(self._key(raw))
        fitting = [f for f in alike if fits(f.span, span)] if span else alike
        if not fitting or (span and unexplained(span, fitting)):
            return ""
        needed = self.replays.get(self._key(raw), "")
        return needed if any(f.id == needed for f in fitting) else fitting[0].id

    def _alike(self, raw: events.Raw) -> list[events.Finding]:
        """The findings whose shape a raw contradiction contains.
        A death has no shape before it is drawn again: its signal or message must do."""
        shape, kind = set(raw.shape), kind_of(raw.claim)
        near = [f for f in self.findings.values() if f.name.group == raw.name.group]
        listed = [f for f in near if f.kind == kind]
        if kind not in SHAPED:
            alike = [f for f in listed if said(f.engine, f.detail) == said(f.engine, raw.detail)]
            return alike or [f for f in near if voice(f.engine, kind, raw.detail) in f.heard]
        alike = [f for f in listed if shape.issuperset(f.shape)]
        return alike or [f for f in near if any(map(shape.issuperset, f.shapes))]

    def forget_spans(self) -> None:
        """Other siblings are at hand now: what waits is looked for on these."""
        self.spans.clear()
        self._likely.clear()

    def span(self, raw: events.Raw) -> dict[str, str]:
        """On which siblings a raw contradiction shows; nothing, if nobody looked."""
        return self.spans.get(self._key(raw), {})

    def apart(self, raw: events.Raw) -> dict[str, str]:
        """What tells a raw contradiction from the findings that it looks like: siblings, and whether it shows there.
        A reducer must keep it so."""
        span, alike = self.spans.get(self._key(raw), {}), self._alike(raw)
        fitting = [f for f in alike if fits(f.span, span)]
        if fitting:
            return dict.fromkeys(unexplained(span, fitting)[:1], SHOWS)
        chosen: dict[str, str] = {}
        for finding in alike:
            others = [v for v, shown in finding.span.items() if shown == SHOWS and span.get(v) == GONE]
            if others and not chosen.keys() & set(others):
                chosen[others[0]] = GONE
        return chosen

    def known(self, raw: events.Raw) -> list[events.Finding]:
        """Findings that a reduced case is compared with."""
        return [
            f
            for f in self.findings.values()
            if f.name.group == raw.name.group and kind_of(raw.claim) == f.kind and f.kind in SHAPED
        ]

    def unspanned(self, most: int, is_hunting: bool) -> list[events.Raw]:
        """Contradictions of one group that look like a known finding and were not looked for on its siblings yet."""
        found: list[events.Raw] = []
        for raw in self._ordered(is_hunting):
            if len(found) == most:
                break
            if (
                self.repeats_of(raw)
                and self._is_unspanned(raw)
                and (not found or found[0].name.group == raw.name.group)
            ):
                found.append(raw)
        return found

    def unreplayed(self, most: int, is_hunting: bool) -> list[events.Raw]:
        """Contradictions of one group that look like a known finding and were not held without its trigger yet."""
        found: list[events.Raw] = []
        for raw in self._ordered(is_hunting):
            if len(found) == most:
                break
            if self._is_unreplayed(raw) and (not found or found[0].name.group == raw.name.group):
                found.append(raw)
        return found

    def triggers(self, raw: events.Raw) -> dict[str, tuple[str, ...]]:
        """The shapes of the findings that a contradiction looks like, by their ids."""
        return {f.id: f.shape for f in self._alike(raw)}

    def _is_unreplayed(self, raw: events.Raw) -> bool:
        """Whether a contradiction looks like known findings, and nobody has taken out what triggers them."""
        if raw.case is None or kind_of(raw.claim) not in SHAPED or self._key(raw) in self.replays:
            return False
        known = self.repeats_of(raw)
        return bool(known) and registry.family(self.findings[known].family).tells_without

    def _ordered(self, is_hunting: bool) -> list[events.Raw]:
        """What waits: in order of arrival, or of their names where that must be the same in every run."""
        # What may end an engine comes last: a server may be gone after it.
        if is_hunting:
            return sorted(self._askable(), key=lambda r: r.claim in DEATHS)
        return sorted(self._askable(), key=lambda r: (r.claim in DEATHS, r.name, r.claim))

    def _askable(self) -> Iterator[events.Raw]:
        """What waits, of the groups that have joined."""
        return (r for r in self.raws.values() if self.joined is None or r.name.group in self.joined)

    def fresh(self, is_hunting: bool) -> events.Raw | None:
        """The next contradiction that looks like no known finding."""
        return next((raw for raw in self._ordered(is_hunting) if not self.repeats_of(raw)), None)

    def sample(self, is_hunting: bool) -> events.Raw | None:
        """The next one of a few that look known and are reduced all the same."""
        for raw in self._ordered(is_hunting):
            known = self.repeats_of(raw)
            if self._is_due(raw):
                key = known, kind_of(raw.claim)
                self.repeats[key] = self.repeats.get(key, 0) + 1
                return raw
        return None

    def waiting(self) -> int:
        """How many contradictions still have to be looked at."""
        return sum(1 for r in self._askable() if self._is_due(r) or self._is_unspanned(r) or self._is_unreplayed(r))

    def _is_unspanned(self, raw: events.Raw) -> bool:
        """Whether a contradiction looks like a known finding, and nobody has looked yet on which siblings it shows."""
        return (
            raw.case is not None and self._key(raw) not in self.spans and bool(self.findings[self.repeats_of(raw)].span)
        )

    def _is_due(self, raw: events.Raw) -> bool:
        """Whether another likely repetition of a finding should be reduced; anything that looks new should."""
        known, kind = self.repeats_of(raw), kind_of(raw.claim)
        if not known:
            return True
        most = REDUCED_WITH_SPAN if self.findings[known].span else REDUCED_PER_FINDING.get(kind, 0)
        return self.repeats.get((known, kind), 0) < most

    def shunned(self, group: str) -> tuple[tuple[str, ...], ...]:
        """The shapes of deaths and internal errors of a group that were met often enough."""
        known = [f for f in self.findings.values() if f.name.group == group and f.kind not in SHAPED and f.shape]
        tally = self.tally() if known else {}
        return tuple(f.shape for f in known if tally[f.id] >= OFTEN)

    def tally(self) -> dict[str, int]:
        """Each finding's count: confirmed repetitions, and those that were only recognised by their shape."""
        counts = {f.id: f.count for f in self.findings.values()}
        for raw in self.raws.values():
            known = self.repeats_of(raw)
            if known:
                counts[known] += 1
        return counts

    def sure(self) -> list[events.Finding]:
        """Findings that count: confirmed, and not muted."""
        return [f for f in self.findings.values() if f.status in events.SURE]

    def unproved(self) -> list[events.Finding]:
        """Findings whose reproducer was not run yet, and should show them."""
        return [f for f in self.sure() if f.proof is None]

    def shown(self) -> list[events.Finding]:
        """Findings with their counts, muted ones last."""
        tally = self.tally()
        listed = [msgspec.structs.replace(f, count=max(1, tally[f.id])) for f in self.findings.values()]
        return sorted(listed, key=lambda f: (f.status in events.QUIET, f.status == "flaky", f.engine, -f.count, f.id))

"""What a campaign knows so far, rebuilt from the journal: episodes done, contradictions waiting, findings and their counts."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from gainsay.campaign import events
from gainsay.core import registry
from gainsay.core.model import kind_of

# So many likely repetitions of a finding are reduced all the same: one may be another bug. What dies is slow to reduce.
REDUCED_PER_FINDING = {"logic": 40, "incomplete": 3, "internal-error": 3, "crash": 1}
DEATHS = frozenset({"crash", "hang", "memory"})
SHAPED = ("logic", "incomplete")  # kinds that are known by the shape of their cases, not by what the engine said


def first_line(text: str) -> str:
    return text.partition("\n")[0]


class Ledger:
    """Pure bookkeeping: takes events, answers questions. The journal is its memory."""

    def __init__(self, muted: Sequence[Any] = ()) -> None:
        self.muted = muted  # each has covers(signature, shape)
        self.counts = events.Counts()
        self.refusals: Counter[str] = Counter()
        self.made: Counter[tuple[str, str]] = Counter()  # checks by group and oracle
        self.done: dict[str, set[int]] = {}
        self.partial: dict[str, dict[int, int]] = {}
        self.raws: dict[tuple[Any, str], events.Raw] = {}  # waiting, in order of arrival
        self.settled: set[tuple[Any, str]] = set()
        self.findings: dict[str, events.Finding] = {}
        self.repeats: dict[str, int] = {}
        self._likely: dict[tuple[Any, str], tuple[int, str]] = {}
        self.raw_total = 0
        self.vanished = 0

    @staticmethod
    def _key(event: Any) -> tuple[Any, str]:
        return event.name, event.claim

    def take(self, event: Any) -> None:
        if isinstance(event, events.Progress):
            self.counts.add(event.counts)
            self.refusals.update(event.refusals)
            self.made.update({(event.group, oracle): checks for oracle, checks in event.made.items()})
            self.done.setdefault(event.group, set()).update(event.done)
            self.partial.setdefault(event.group, {}).update(event.partial)
        elif isinstance(event, events.Raw):
            if self._key(event) not in self.settled and self._key(event) not in self.raws:
                self.raws[self._key(event)] = event
                self.raw_total += 1
        elif isinstance(event, events.Settled):
            if self._key(event) not in self.settled:
                self.settled.add(self._key(event))
                if event.finding in self.findings:
                    self.findings[event.finding].count += 1
                elif not event.finding:
                    self.vanished += 1
            self.raws.pop(self._key(event), None)
        elif isinstance(event, events.Finding):
            event.count = 0  # its repetitions count it
            event.status = "muted" if self._is_muted(event) else event.status
            self.findings[event.id] = event

    def found(self, finding: events.Finding, claim: str = "") -> tuple[events.Finding, bool]:
        """Put a finding into its bucket: (the finding that is kept, whether it is new). `claim`: that of the contradiction, if it was another."""
        family = registry.family(finding.family)
        for known in self.findings.values():
            same = (known.engine, known.kind) == (finding.engine, finding.kind)
            is_shaped = same and finding.kind != "internal-error"
            if known.signature in (finding.signature, *finding.also) or (is_shaped and self._absorbs(family, known, finding)):
                kept, is_new = known, False
                break
        else:
            kept, is_new = finding, True
            if self._is_muted(finding):
                finding.status = "muted"
            finding.count = 0
            self.findings[finding.id] = finding
        self.take(events.Settled(finding.name, claim or finding.claim, kept.id))
        return kept, is_new

    def _is_muted(self, finding: events.Finding) -> bool:
        return any(m.covers(finding.signature, finding.shape) for m in self.muted)

    @staticmethod
    def _absorbs(family: Any, known: events.Finding, new: events.Finding) -> bool:
        alike = known.kind in SHAPED or first_line(known.detail) == first_line(new.detail)
        return alike and bool(family.absorbs(frozenset(known.bucket), frozenset(new.bucket)))

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
        shape = set(raw.shape)
        kind = kind_of(raw.claim)
        for finding in self.findings.values():
            if finding.kind != kind or finding.name.group != raw.name.group:
                continue
            # A death has no shape before it is drawn again: its signal or message must do.
            if set(finding.shape) <= shape if kind in SHAPED else first_line(finding.detail) == first_line(raw.detail):
                return finding.id
        return ""

    def next(self, is_hunting: bool) -> events.Raw | None:
        """The contradiction to look at next: what looks new first, then a few that look known."""
        later: list[events.Raw] = []
        # What may end an engine comes last: a server may be gone after it.
        waiting = sorted(self.raws.values(), key=lambda r: r.claim in DEATHS) if is_hunting else list(self.raws.values())
        if not is_hunting:
            waiting.sort(key=lambda r: (r.claim in DEATHS, r.name, r.claim))
        for raw in waiting:
            known = self.repeats_of(raw)
            if not known:
                return raw
            if self._is_due(known):
                later.append(raw)
        if not later:
            return None
        first = later[0]
        known = self.repeats_of(first)
        self.repeats[known] = self.repeats.get(known, 0) + 1
        return first

    def waiting(self) -> int:
        """How many contradictions still have to be looked at."""
        return sum(1 for r in self.raws.values() if self._is_due(self.repeats_of(r)))

    def _is_due(self, known: str) -> bool:
        """Whether another likely repetition of a finding should be reduced; anything that looks new should."""
        if not known:
            return True
        return self.repeats.get(known, 0) < REDUCED_PER_FINDING.get(self.findings[known].kind, 0)

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
        return [f for f in self.findings.values() if f.status in ("confirmed", "stateful")]

    def shown(self) -> list[events.Finding]:
        """Findings with their counts, muted ones last."""
        tally = self.tally()
        listed = [msgspec.structs.replace(f, count=max(1, tally[f.id])) for f in self.findings.values()]
        return sorted(listed, key=lambda f: (f.status == "muted", f.status == "flaky", f.engine, -f.count, f.id))

"""`gainsay bench causes DIR`: how many causes a hunt met, how many it reported, and under how many ids.

A cause is told by the releases on which a contradiction shows. Every raw contradiction of the hunt is held on all
releases at hand, and so is the reduced case of every finding. A cause that several raw contradictions met and no
finding has is one that was lost. What does not show again on the hunt's own release tells nothing."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from gainsay.campaign import config, events, journal
from gainsay.campaign.alike import SHAPED
from gainsay.campaign.config import Group
from gainsay.campaign.siblings import GONE, SHOWS
from gainsay.core.model import Target, kind_of
from gainsay.errors import UsageError
from gainsay.triage.span import Siblings, hosted


def rungs(group: Group, targets: Sequence[Target]) -> Siblings:
    """Releases in their order, as targets: finer than versions, since two builds may have the same one."""
    named = {str(t): t for t in targets}
    return Siblings(msgspec.structs.replace(group, siblings=tuple(named)), lambda name: hosted(named[name]))


class Run(NamedTuple):
    """The rungs on which a contradiction shows, around our own: where it may begin, from and to, and where it may end.
    Where a neighbour can't be asked, as it lacks a word of the case, nobody knows whether it would show there."""

    earliest: int
    first: int
    last: int
    latest: int

    def takes(self, first: int, last: int) -> bool:
        """Whether it may be the run of a cause that begins and ends there."""
        return self.earliest <= first <= self.first and self.last <= last <= self.latest


def run_of(span: dict[str, str], own: int) -> Run:
    """The run around our own on which a contradiction shows; what can't be asked there does not end it."""
    states = list(span.values())
    earliest = next((n + 1 for n in range(own - 1, -1, -1) if states[n] == GONE), 0)
    latest = next((n - 1 for n in range(own + 1, len(states)) if states[n] == GONE), len(states) - 1)
    shown = [n for n in range(earliest, latest + 1) if states[n] == SHOWS] or [own]
    return Run(earliest, shown[0], shown[-1], latest)


def counted(runs: Iterable[Run], reported: Iterable[tuple[int, int]]) -> Counter[tuple[int, int]]:
    """How many contradictions met each cause. One of which the releases do not say where it begins or ends counts for
    a cause that it may have: a reported one, else one that others tell exactly, else the run on which it was seen."""
    found: Counter[tuple[int, int]] = Counter()
    known = dict.fromkeys(reported)
    for run in sorted(runs, key=lambda run: (run.first - run.earliest + run.latest - run.last, run)):
        cause = next((each for each in known if run.takes(*each)), (run.first, run.last))
        known.setdefault(cause)
        found[cause] += 1
    return found


def measured(out: Path, ladder: Sequence[Target], say: Any) -> dict[str, Any]:
    """Causes met and reported by the hunt in a folder.
    The ladder's targets come oldest first, and the hunt's own is one of them."""
    campaign = config.saved(out)
    if campaign is None:
        raise UsageError(f"{out} is not the folder of a hunt: it has no campaign.toml. Hunt first, or name the folder.")
    group = campaign.groups[0]
    own = next((n for n, t in enumerate(ladder) if t == group.seats[0].target), None)
    if len(campaign.groups) > 1 or len(group.seats) > 1 or own is None:
        raise UsageError(
            f"'bench causes' wants the hunt of one target, and that target among --on: {', '.join(campaign.targets)} "
            "is hunted on here."
        )
    said = list(journal.read(out / "journal.jsonl"))
    raws = [e for e in said if isinstance(e, events.Raw) and kind_of(e.claim) in SHAPED and e.case is not None]
    found = {e.id: e for e in said if isinstance(e, events.Finding) and e.kind in SHAPED and e.status == "confirmed"}
    releases = rungs(group, ladder)
    begun = time.monotonic()
    try:
        spans = [releases.span(events.read_case(raw.case)) for raw in raws]
        told = [span for span in spans if list(span.values())[own] == SHOWS]
        say(f"{len(raws)} contradictions on {len(ladder)} releases: {time.monotonic() - begun:.0f} s")
        runs = {name: run_of(releases.span(events.read_case(f.case)), own) for name, f in found.items()}
    finally:
        releases.close()
    reported = {name: (run.first, run.last) for name, run in runs.items()}
    met = counted((run_of(span, own) for span in told), reported.values())
    causes = set(reported.values())
    names = [str(t) for t in ladder]
    rows = [
        {
            "from": names[first],
            "to": names[last],
            "met": met.get((first, last), 0),
            "ids": sorted(name for name, run in reported.items() if run == (first, last)),
            "is_union": is_union((first, last), causes),
        }
        for first, last in sorted({*met, *causes})
    ]
    real = [r for r in rows if r["met"] and not r["is_union"]]
    return {
        "raw": len(raws),
        "untold": len(raws) - len(told),
        "causes_met": len(real),
        "causes_reported": sum(bool(r["ids"]) for r in real),
        "ids": len(reported),
        "ids_per_cause": len(reported) / max(1, len(causes)),
        "rows": rows,
    }


def is_union(run: tuple[int, int], causes: set[tuple[int, int]]) -> bool:
    """Whether a run is that of two reported causes together: it begins as one of them and ends as the other, and is
    neither."""
    return run not in causes and any(
        a[0] == run[0] and b[1] == run[1] and a[1] < run[1] and b[0] > run[0] for a in causes for b in causes
    )

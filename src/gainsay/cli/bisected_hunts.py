"""`gainsay hunt --bisect`: every confirmed finding gets the releases between which it came and went. The releases at
these ends then tell causes apart: what looks like a known finding and shows on others of them is looked at as new."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from gainsay.campaign import events, rungs
from gainsay.campaign.config import Campaign, Group
from gainsay.campaign.events import Finding
from gainsay.campaign.interval import Interval, twins
from gainsay.campaign.siblings import GONE, OWN, SHOWS
from gainsay.campaign.supervisor import Supervisor
from gainsay.core import registry
from gainsay.engines import releases
from gainsay.errors import GainsayError
from gainsay.triage import again, bisecting

MOST = 12  # releases that tell causes apart

Say = Callable[[str], None]


def bisect(supervisor: Supervisor, patience_s: float, say: Say) -> None:
    """Search for each finding's releases; then look at what they tell apart, and search for those of what is new."""
    search_all(supervisor, say)
    if not supervisor.is_interrupted and tell_apart(supervisor):
        supervisor.settle(patience_s)
        search_all(supervisor, say)
    found = [(f.id, f.interval) for f in supervisor.ledger.sure() if f.interval is not None]
    for names in twins(found):
        say(f"Came and went in the same releases, so probably one cause: {', '.join(names)}")


def search_all(supervisor: Supervisor, say: Say) -> None:
    """The releases of each finding that has none yet. An engine without releases is told once."""
    told: set[str] = set()
    for finding in supervisor.ledger.sure():
        if supervisor.is_interrupted:
            return
        if finding.interval is not None or len(again.case_of(finding).seats) > 1:
            continue
        target = bisecting.target_of(finding)
        try:
            ordered = rungs.listed(registry.engine(target.engine))
        except GainsayError as error:
            if target.engine not in told:
                told.add(target.engine)
                say(f"! {error}")
            continue
        interval = bisecting.Search(finding, target, ordered).run(finding.version)
        if interval.introduced:
            supervisor.note(events.Bisected(finding.id, interval))
            say(f"{finding.id}: {interval.told()}")


def tell_apart(supervisor: Supervisor) -> bool:
    """Make the ends of the intervals the siblings by which causes are told apart. False: there are none."""
    groups = [with_ends(group, supervisor.ledger.sure()) for group in supervisor.campaign.groups]
    if groups == list(supervisor.campaign.groups):
        return False
    supervisor.jobs.end()  # the process that looks at contradictions has the siblings that were
    campaign: Campaign = msgspec.structs.replace(supervisor.campaign, groups=tuple(groups))
    supervisor.campaign = supervisor.jobs.campaign = campaign
    supervisor.ledger.forget_spans()
    for group in groups:
        for finding in supervisor.ledger.sure():
            if finding.name.group == group.key and finding.interval is not None and group.siblings:
                span = span_of(finding.interval, group.siblings, group.seats[0].version)
                supervisor.note(msgspec.structs.replace(finding, span=span))
    return True


def with_ends(group: Group, findings: Sequence[Finding]) -> Group:
    """A group with the releases at the ends of its findings' intervals as siblings, oldest first."""
    intervals = [f.interval for f in findings if f.name.group == group.key and f.interval is not None]
    telling = [interval for interval in intervals if interval.is_telling]
    if len(group.seats) != 1 or not telling or group.is_finely_told:
        return group
    own = group.seats[0].version
    ends = {v for i in telling for v in (i.before, i.introduced, i.last, i.fixed) if v}
    near = sorted(ends - {own}, key=lambda v: rungs.distance(releases.numbers(v), releases.numbers(own)))[:MOST]
    return msgspec.structs.replace(group, siblings=tuple(sorted({own, *near}, key=releases.numbers)))


def span_of(interval: Interval, siblings: Sequence[str], own: str) -> dict[str, str]:
    """Where a finding shows, by its interval: on every release in it, and on those that said so."""
    asked = {tried.version: tried.state for tried in interval.tried}
    first, last = releases.numbers(interval.introduced), releases.numbers(interval.last)
    span: dict[str, str] = {}
    for version in siblings:
        is_in = first <= releases.numbers(version) <= last
        span[version] = OWN if version == own else asked.get(version, SHOWS if is_in else GONE)
    return span

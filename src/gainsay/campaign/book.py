"""What a hunt has learned: in memory to answer questions, and on the disk to be known again."""

from __future__ import annotations

import msgspec

from gainsay.campaign import events
from gainsay.campaign.alike import otherwise
from gainsay.campaign.journal import Journal
from gainsay.campaign.ledger import Ledger


class Book(msgspec.Struct, frozen=True):
    """The ledger and its journal: what goes into one goes into the other."""

    ledger: Ledger
    journal: Journal

    def note(self, *noted: events.Event, sync: bool = False) -> None:
        """Keep events: on the disk before anybody acts on them."""
        self.journal.append(*noted, sync=sync)
        for event in noted:
            self.ledger.take(event)

    def found(self, finding: events.Finding, claim: str) -> events.Finding | None:
        """Put a finding into its bucket. It is returned if it is new."""
        before = set(self.ledger.findings)
        kept, is_new = self.ledger.found(finding, claim)
        # Also where a known finding is told by this smaller case from now on, or tells how else its cause shows
        is_told = kept.case is finding.case or otherwise(finding) in kept.otherwise
        settled = events.Settled(finding.name, claim, kept.id, alias=finding.id)
        merged = [events.Merged(gone, kept.id) for gone in sorted(before - self.ledger.findings.keys())]
        self.journal.append(*([kept] if is_told else []), *merged, settled, sync=True)
        return kept if is_new else None

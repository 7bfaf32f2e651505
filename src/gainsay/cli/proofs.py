"""Findings of a hunt are shown once their reproducers were run.

A finding may be told by a smaller case later on. Its reproducer is another one then, and is run as well."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from gainsay.campaign.events import QUIET, SURE, Finding, Proved
from gainsay.campaign.ledger import Ledger
from gainsay.report import folder
from gainsay.report.proving import Proving


class Proofs:
    """Writes the folders of findings, has their reproducers run, and shows each finding once."""

    def __init__(
        self,
        out: Path,
        show: Callable[[Finding], None],
        write: Callable[[Finding, Path], Path] = folder.write,
    ) -> None:
        self._out, self._show, self._write = out, show, write
        self._queue = Proving()
        self._waiting: set[str] = set()
        self._shown: set[str] = set()

    def add(self, finding: Finding) -> None:
        """A finding that is new, or that another case tells now."""
        written = self._write(finding, self._out)
        if finding.status in SURE:
            self._queue.add(finding, written)
            self._waiting.add(finding.id)
        elif finding.status not in QUIET:
            self._tell(finding)

    def step(self, ledger: Ledger, note: Callable[[Proved], None]) -> None:
        """Show the findings whose reproducers have been run since."""
        for finding, proved in self._queue.ended():
            self._waiting.discard(finding.id)
            now = ledger.findings.get(finding.id, finding)
            if now.case is not finding.case:
                self.add(now)  # what was run is not its reproducer any more
                continue
            note(proved)
            self._write(ledger.findings.get(finding.id, finding), self._out)  # the report says how it ended
            self._tell(finding)

    def finish(self, ledger: Ledger, note: Callable[[Proved], None]) -> None:
        """Wait until every reproducer was run, also those of findings that a smaller case tells by now."""
        for finding in ledger.unproved():
            if finding.id not in self._waiting:
                self.add(finding)
        while len(self._queue):
            self.step(ledger, note)
            time.sleep(0.05)

    def close(self) -> None:
        self._queue.close()

    def _tell(self, finding: Finding) -> None:
        if finding.id not in self._shown:
            self._shown.add(finding.id)
            self._show(finding)


def written(finding: Finding, out: Path) -> Finding:
    """Write a finding's folder, have its reproducer run, and write what came of that: the finding, which says it."""
    queue = Proving()
    queue.add(finding, folder.write(finding, out))
    try:
        while len(queue) and finding.status in SURE:
            for _, proved in queue.ended():
                finding = msgspec.structs.replace(finding, proof=proved.words)
            time.sleep(0.05)
    finally:
        queue.close()
    folder.write(finding, out)
    return finding

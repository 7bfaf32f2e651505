"""`gainsay regress`: findings of earlier hunts, or a corpus that an engine's project keeps, asked again on a build."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from gainsay.campaign.events import Finding
from gainsay.campaign.siblings import GONE, SHOWS, UNASKABLE
from gainsay.cli import passwords
from gainsay.cli.folders import HUNTS
from gainsay.cli.reporting import told
from gainsay.core.model import Target
from gainsay.core.wording import counted
from gainsay.errors import GainsayError, UsageError
from gainsay.report import junit, machine
from gainsay.report.repro import title
from gainsay.triage.again import Asker, Outcome

WORDS = {SHOWS: "still there", GONE: "gone", UNASKABLE: "not askable"}


class Asked(NamedTuple):
    """A finding, whom it was asked, and what came of it."""

    finding: Finding
    target: str
    outcome: Outcome

    @property
    def words(self) -> str:
        return WORDS[self.outcome.state]


def regress(arguments: argparse.Namespace) -> int:
    """1: some finding is still there; 0: none is."""
    begun = time.monotonic()
    named = [Path(name) for name in (*arguments.folders, *arguments.out)]
    found = list(findings(named or [HUNTS]))
    on = passwords.unlocked(Target.parse(arguments.on)) if arguments.on else None
    is_text = arguments.format == "text"
    asked = []
    for each in all_asked(found, on):
        asked.append(each)
        if is_text:
            print(line(each), flush=True)
    counts = Counter(each.words for each in asked)
    summary = {word: counts[word] for word in WORDS.values()}
    if is_text:
        listed = ", ".join(f"{n} {word}" for word, n in summary.items())
        print(f"{counted(len(asked), 'finding')}: {listed}, in {time.monotonic() - begun:.1f} s.")
    elif arguments.format == "json":
        told(json.dumps({**summary, "findings": [described(each) for each in asked]}), arguments.output)
    else:
        told(junit.report("gainsay regress", map(test, asked)), arguments.output)
    return 1 if summary["still there"] else 0


def findings(folders: Sequence[Path]) -> Iterator[Finding]:
    """Those in the folders, each once. A folder without any is a mistake; a finding that can't be read is told, and the
    others are asked."""
    seen: set[str] = set()
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"There is no folder {folder}.")
        places = sorted(path.parent for path in folder.rglob("finding.json"))
        if not places:
            raise UsageError(f"There are no findings in {folder}: a finding is a folder with a finding.json.")
        for place in places:
            try:
                finding = machine.read_finding(place)
            except GainsayError as error:
                print(f"gainsay: left out: {error}", file=sys.stderr)
                continue
            if finding.id not in seen:
                seen.add(finding.id)
                yield finding


def all_asked(found: Sequence[Finding], on: Target | None) -> Iterator[Asked]:
    """Each finding's outcome; the findings of one engine one after the other, so that it is started once."""
    for target in dict.fromkeys(on or Target(f.engine) for f in found):
        asker = Asker(target)
        try:
            for finding in found:
                if on or finding.engine == target.engine:
                    yield Asked(finding, str(target), asker.ask(finding))
        finally:
            asker.close()


def line(asked: Asked) -> str:
    why = f" ({asked.outcome.why})" if asked.outcome.why else ""
    return f"{asked.words:11}  {asked.finding.id}  {title(asked.finding)}{why}"


def described(asked: Asked) -> dict[str, str]:
    """An outcome for programs."""
    return {
        "id": asked.finding.id,
        "on": asked.target,
        "outcome": asked.words,
        "why": asked.outcome.why,
        "signature": asked.finding.signature,
    }


def test(asked: Asked) -> junit.Test:
    """An outcome as a test: what is still there fails."""
    failures = [junit.failure(asked.finding)] if asked.outcome.state == SHOWS else []
    skipped = asked.outcome.why if asked.outcome.state == UNASKABLE else ""
    return junit.Test(asked.target, f"{asked.finding.id}: {title(asked.finding)}", failures, skipped)

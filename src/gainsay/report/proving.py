"""Runs the reproducers of new findings, beside the hunt: nobody is shown a script that was never run."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, NamedTuple

from gainsay.campaign import probing, seating
from gainsay.campaign.events import SURE, Finding, Proved
from gainsay.report.repro import blamed_seat

MOST = 1  # reproducers at once: the cores are for the engines under test
LIMIT_S = 90.0  # a reproducer gives its own child 60
NOT_RUN = "repro.py was not run: it would ask your server"
NOT_YET = "repro.py was not run yet"
TIMES = {"crash": 3}  # that reproducers are run: a death may depend on where things lie in memory


class Running(NamedTuple):
    """A reproducer that is being run."""

    finding: Finding
    process: subprocess.Popen[bytes]
    printed: IO[bytes]
    since: float
    folder: Path
    codes: tuple[int, ...] = ()  # of the runs before


class Proving:
    """A queue of reproducers."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[Finding, Path]] = deque()
        self._running: list[Running] = []

    def __len__(self) -> int:
        return len(self._waiting) + len(self._running)

    def add(self, finding: Finding, folder: Path) -> None:
        self._waiting.append((finding, folder))

    def ended(self) -> Iterator[tuple[Finding, Proved]]:
        """Findings whose reproducers have ended since, and how. The next ones are started."""
        for run in list(self._running):
            is_late = time.monotonic() - run.since > LIMIT_S
            if run.process.poll() is not None or is_late:
                self._running.remove(run)
                codes, outcome = self._outcome(run, is_late)
                variables = room(run.finding) if len(codes) < TIMES.get(run.finding.kind, 1) and not is_late else None
                if variables is None:
                    yield run.finding, outcome
                else:
                    self._running.append(self._started(run.finding, run.folder, variables, codes))
        while self._waiting and len(self._running) < MOST:
            finding, folder = self._waiting.popleft()
            variables = room(finding)
            if variables is None:
                yield finding, Proved(finding.id, NOT_RUN)
            else:
                self._running.append(self._started(finding, folder, variables))

    @staticmethod
    def _started(finding: Finding, folder: Path, variables: Mapping[str, str], codes: tuple[int, ...] = ()) -> Running:
        printed = tempfile.TemporaryFile()  # noqa: SIM115 # lives as long as the process
        command = [sys.executable, "repro.py"]
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=dict(variables),
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=printed,
            start_new_session=True,
        )
        return Running(finding, process, printed, time.monotonic(), folder, codes)

    @staticmethod
    def _outcome(run: Running, is_late: bool) -> tuple[tuple[int, ...], Proved]:
        if is_late:
            run.process.kill()
        codes = (*run.codes, run.process.wait())
        with run.printed as file:
            file.seek(0)
            said = file.read().decode("utf-8", "replace").strip().splitlines()
        return codes, Proved(run.finding.id, told(codes, is_late, said[-1][:200] if said else ""))

    def close(self) -> None:
        for run in self._running:
            run.process.kill()
            run.process.wait()
            run.printed.close()
        self._running = []


def told(codes: tuple[int, ...], is_late: bool, last: str) -> str:
    """What is said of a reproducer that does not show its finding each time; nothing, if it does."""
    if is_late:
        return f"repro.py did not end within {LIMIT_S:.0f} s"
    shown = codes.count(1)
    if shown == len(codes):
        return ""
    if shown:
        return f"repro.py was run {len(codes)} times and shows it in {shown} of them"
    return f"repro.py was run and does not show it: it exits {codes[-1]} ({last})"


def remark(finding: Finding) -> str:
    """What a reader must know of a reproducer, as a sentence; nothing where it was run and shows the finding."""
    if finding.status not in SURE:
        return ""
    words = NOT_YET if finding.proof is None else finding.proof
    is_run = words not in ("", NOT_RUN, NOT_YET)
    return f"Beware: {words}" if is_run else words


def room(finding: Finding) -> Mapping[str, str] | None:
    """The variables in which the release is found that a finding blames. A server of the user's is left to him."""
    target = blamed_seat(finding).target
    if probing.is_served(target):
        return None
    variables = seating.room(target).environment()
    variables.pop("PYTHONHASHSEED")  # whoever runs it has none
    return variables

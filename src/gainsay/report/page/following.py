"""Follows the journal of a hunt, which may be running: what is new is taken in, and the page is made anew from it."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec

from gainsay.campaign import config, events
from gainsay.campaign.config import Campaign
from gainsay.campaign.ledger import Ledger
from gainsay.errors import UsageError
from gainsay.report.page import page
from gainsay.triage.known import Muted

MOST = 1 << 24  # bytes that are read at once
SHARE = 0.04  # of the time may go into making pages anew
SHORTEST_S = 1.0


class Following:
    """A hunt's folder as it is now. `look` takes in what is new; `version` counts what may be shown."""

    def __init__(self, out: Path, muted: list[Muted]) -> None:
        self.out = out
        self._muted = muted
        self._start()

    def _start(self) -> None:
        campaign = config.saved(self.out)
        if campaign is None:
            raise UsageError(f"{self.out} is not the folder of a hunt: it has no campaign.toml.")
        self.campaign: Campaign = campaign
        self._marked = mark(self.out / "campaign.toml")
        self.ledger = Ledger(self._muted)
        self.version = 0
        self._offset = 0
        self._rest = b""
        self._last = float("-inf")
        self._pause_s = SHORTEST_S
        self._is_dirty = False
        self._sections = ""
        while self.look():
            pass

    def look(self) -> bool:
        """Read what the journal has beyond what was read. A line that is not whole waits for its end."""
        path = self.out / "journal.jsonl"
        try:
            with path.open("rb") as file:
                file.seek(self._offset)
                data = file.read(MOST)
        except OSError:
            return False
        self._offset += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._take(line)
        if mark(self.out / "campaign.toml") != self._marked:  # more targets have joined
            self.campaign = config.saved(self.out) or self.campaign
            self._marked = mark(self.out / "campaign.toml")
        self._is_dirty = self._is_dirty or bool(lines)
        return bool(data)

    def _take(self, line: bytes) -> None:
        try:
            self.ledger.take(events.DECODER.decode(line))
        except (msgspec.DecodeError, msgspec.ValidationError, ValueError):
            return  # `gainsay report` says what is wrong with it; the rest can be shown all the same

    def step(self) -> int:
        """Look, and count a new version if there is one and the last is old enough."""
        while self.look():
            pass
        if self._is_dirty and time.monotonic() - self._last >= self._pause_s:
            self._is_dirty, self._sections = False, ""
            self.version += 1
            self._last = time.monotonic()
        return self.version

    def sections(self) -> str:
        """The parts that change. Made when somebody looks, and not more often than is worth it."""
        if not self._sections:
            begun = time.process_time()
            self._sections = page.sections(self.campaign, self.ledger, self.out)
            self._pause_s = max(SHORTEST_S, (time.process_time() - begun) / SHARE)
        return self._sections

    def page(self, path: str) -> str:
        """The whole page, which renews itself from `path`."""
        return page.page(self.campaign, self.ledger, self.out, {"path": path})


def mark(path: Path) -> tuple[float, int]:
    """What changes when a file does."""
    try:
        found = path.stat()
    except OSError:
        return 0.0, 0
    return found.st_mtime, found.st_size

"""What became of each part, on disk, so that a run goes on where it was ended."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from gainsay.core.records import Records
from gainsay.core.split_analyzer import SplitAnalyzer
from gainsay.split.node import Outcome

FILE = "parts.jsonl"


class Record(msgspec.Struct, frozen=True):
    """What became of a part, and under which limits."""

    key: str
    limit_s: float
    limit_memory: int
    outcome: Outcome


def key_of(analyzer: SplitAnalyzer, contents: Sequence[tuple[str, str]], homes: Sequence[str]) -> str:
    """A name for (analyzer, its version and options, the files of a part with their contents, its homes)."""
    told = (analyzer.name, analyzer.version(), sorted(analyzer.options.items()), sorted(contents), sorted(homes))
    return hashlib.blake2b(repr(told).encode(), digest_size=16).hexdigest()


class Ledger:
    """A finished part is never analyzed again; one that was ended at a limit is, under a higher one."""

    def __init__(self, folder: Path) -> None:
        self._records = Records(folder / FILE, Record)
        self._known: dict[str, Record] = {}
        for record in self._records.before():
            if record.outcome.status != "crash":  # it may have been the machine's fault, or mended since
                self._known[record.key] = record

    def get(self, key: str, limit_s: float, memory: int) -> Outcome | None:
        """What became of a part before, if it would come to the same under these limits."""
        record = self._known.get(key)
        if record is None:
            return None
        status = record.outcome.status
        is_known = (
            status in ("ok", "crash")
            or (status in ("timeout", "hang") and limit_s <= record.limit_s)
            or (status == "memory" and memory <= record.limit_memory)
        )
        return record.outcome if is_known else None

    def put(self, key: str, limit_s: float, memory: int, outcome: Outcome) -> None:
        record = Record(key, limit_s, memory, outcome)
        self._known[key] = record
        self._records.append(record)

    def close(self) -> None:
        self._records.close()

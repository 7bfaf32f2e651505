"""Outcomes on disk, so that nothing is run twice.

A finished run serves every limit above its time, and tells for every limit below it that it would not fit. A run that
was ended at its limit serves every limit up to that one."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path

import msgspec

from gainsay.core.records import Records
from gainsay.core.tailor_analyzer import Allowance, Code, Ingredient, Outcome

FILE = "runs.jsonl"


class Record(msgspec.Struct, frozen=True):
    """A line of the file: what was run, what it was allowed, what it did."""

    key: str
    what: str
    limit_s: float
    limit_memory: int
    outcome: Outcome


def key_of(
    analyzer: str, version: str, options: dict[str, str], code: Code, ingredient: Ingredient, assumed: int
) -> str:
    """A name for (analyzer version, prepared code, ingredient, assumptions)."""
    parts = (analyzer, version, sorted(options.items()), code.digest, str(ingredient), assumed)
    return hashlib.blake2b(repr(parts).encode(), digest_size=16).hexdigest()


def serves(record: Record, allowance: Allowance) -> Outcome | None:
    """What is known of a run with this allowance, if anything."""
    outcome = record.outcome
    if outcome.status in ("ok", "crash"):
        if outcome.cpu_s > allowance.cpu_s:
            return late(outcome)
        return (
            msgspec.structs.replace(outcome, status="memory", verdicts="")
            if outcome.memory > allowance.memory
            else outcome
        )
    if outcome.status == "cut":
        return outcome if outcome.open >= allowance.open else None
    if outcome.status == "memory":
        return outcome if allowance.memory <= record.limit_memory else None
    return late(outcome) if allowance.cpu_s <= record.limit_s else None


def late(outcome: Outcome) -> Outcome:
    return msgspec.structs.replace(outcome, status="hang" if outcome.status == "hang" else "timeout", verdicts="")


class Cache:
    """The outcomes of a folder. May be used by several threads."""

    def __init__(self, folder: Path) -> None:
        self._records = Records(folder / FILE, Record)
        self._lock = threading.Lock()
        self._known: dict[str, list[Record]] = {}
        for record in self._records.before():
            self._known.setdefault(record.key, []).append(record)

    def __len__(self) -> int:
        return sum(map(len, self._known.values()))

    def get(self, key: str, allowance: Allowance) -> Outcome | None:
        for record in self._known.get(key, ()):
            found = serves(record, allowance)
            if found is not None:
                return found
        return None

    def put(self, key: str, what: str, allowance: Allowance, outcome: Outcome) -> None:
        """Keep an outcome, on the disk at once."""
        record = Record(key, what, allowance.cpu_s, allowance.memory, outcome)
        with self._lock:
            self._known.setdefault(key, []).append(record)
            self._records.append(record)

    def close(self) -> None:
        self._records.close()

"""Shapes that were muted: later hunts meet them as before, then skip and count them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from gainsay.errors import EnvironmentProblem, JournalError, UsageError

FILE = "gainsay-muted.json"


class Muted(msgspec.Struct, frozen=True):
    """A signature that nobody wants to see again, and why it is there."""

    id: str
    signature: str
    shape: tuple[str, ...] = ()  # all of its features: another bug with the same signature has others
    status: str = "muted"  # of what it covers; that of a baseline is "known"

    def covers(self, signature: str, shape: Iterable[str]) -> bool:
        return signature == self.signature and set(self.shape) <= set(shape)


def read(*paths: Path) -> list[Muted]:
    """What the lists in these files have; one that is not there has nothing."""
    return list({m.id: m for path in paths for m in listed(path)}.values())


def listed(path: Path) -> list[Muted]:
    if not path.exists():
        return []
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[Muted])
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise JournalError(f"{path} is not a list of muted findings ({error}). Mend it or delete it.") from None


def baseline(path: Path) -> list[Muted]:
    """The findings of a baseline. One that is not there is a mistake."""
    if not path.is_file():
        raise UsageError(f"There is no baseline {path}. 'gainsay baseline DIR --output {path}' writes one.")
    return [Muted(m.id, m.signature, m.shape, "known") for m in listed(path)]


def write(path: Path, found: Iterable[Muted]) -> None:
    """Write a list of findings, in an order that makes small differences."""
    data = msgspec.json.format(msgspec.json.encode(sorted(found, key=lambda m: (m.signature, m.id))), indent=1)
    try:
        path.write_bytes(data + b"\n")
    except OSError as error:
        raise EnvironmentProblem(f"{path} can't be written: {error.strerror}.") from None


def add(path: Path, new: Muted) -> None:
    known = {m.id: m for m in read(path)} | {new.id: new}
    write(path, known.values())

"""Shapes that were muted: later hunts meet them as before, then skip and count them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from gainsay.errors import EnvironmentProblem, JournalError

FILE = "gainsay-muted.json"


class Muted(msgspec.Struct, frozen=True):
    """A signature that nobody wants to see again, and why it is there."""

    id: str
    signature: str
    shape: tuple[str, ...] = ()  # all of its features: another bug with the same signature has others

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


def add(path: Path, new: Muted) -> None:
    known = {m.id: m for m in read(path)} | {new.id: new}
    data = msgspec.json.format(msgspec.json.encode(sorted(known.values(), key=lambda m: m.signature)), indent=1)
    try:
        path.write_bytes(data + b"\n")
    except OSError as error:
        raise EnvironmentProblem(f"{path} can't be written: {error.strerror}.") from None

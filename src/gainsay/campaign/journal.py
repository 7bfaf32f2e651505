"""The journal: append-only JSON lines that survive kill -9.
A raw contradiction is on the disk before anybody acts on it."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from gainsay.campaign import events
from gainsay.errors import DiskFull, EnvironmentProblem, JournalError


class Journal:
    """Appends events. `sync` makes them durable."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise EnvironmentProblem(
                f"{path} can't be written: {error.strerror}. Choose another folder with --out."
            ) from None

    def append(self, *what: Any, sync: bool = False) -> None:
        """Write events, one line each. A full disk is told with the remedy."""
        data = b"".join(events.encode(e) for e in what)
        try:
            while data:
                data = data[os.write(self._fd, data) :]
            if sync:
                os.fsync(self._fd)
        except OSError as error:
            if error.errno == errno.EINVAL:  # a file that can't be synced, such as a device
                return
            if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                raise DiskFull(
                    f"No space left in {self.path.parent}. What was written is safe; free some space and run the same "
                    "command again to go on."
                ) from None
            raise EnvironmentProblem(f"{self.path} can't be written: {error.strerror}.") from None

    def close(self) -> None:
        os.close(self._fd)


def read(path: Path) -> Iterator[Any]:
    """Every event, oldest first.
    A last line that was cut off by a crash is passed over; any other damage is an error."""
    if not path.exists():
        return
    if not path.is_file():
        raise JournalError(f"{path} is not a file. Choose another folder with --out.")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise JournalError(f"{path} can't be read: {error.strerror}.") from None
    lines = data.split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            yield events.DECODER.decode(line)
        except (msgspec.DecodeError, msgspec.ValidationError, ValueError) as error:
            if number == len(lines):
                return  # no newline: the process ended in the middle of a write
            raise JournalError(
                f"{path}, line {number}, is not what was written there ({error}), or another version of gainsay "
                "wrote it. Restore the line, or move the file away and hunt again."
            ) from None


def mend(path: Path) -> None:
    """Cut off a half-written last line, so that the next event starts on a line of its own."""
    if not path.exists() or not path.is_file():
        return
    data = path.read_bytes()
    if data and not data.endswith(b"\n"):
        with open(path, "r+b") as file:
            file.truncate(data.rfind(b"\n") + 1)

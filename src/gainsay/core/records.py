"""Records on disk, so that nothing is done twice: an append-only file of lines, each written whole."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from gainsay.errors import DiskFull

R = TypeVar("R", bound=msgspec.Struct)


class Records(Generic[R]):
    """The records of one file. A line that was cut off by a kill is taken away, one that can't be read is passed over:
    it costs what it saved, and nothing else."""

    def __init__(self, path: Path, kind: type[R]) -> None:
        self._path = path
        self._decode = msgspec.json.Decoder(kind).decode
        self._before = self._read() if path.exists() else []
        self._file = path.open("ab")

    def _read(self) -> list[R]:
        data = self._path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            os.truncate(self._path, len(whole))
        return list(self._readable(whole))

    def _readable(self, lines: bytes) -> Iterator[R]:
        for line in lines.splitlines():
            try:
                yield self._decode(line)
            except msgspec.MsgspecError:
                continue

    def before(self) -> list[R]:
        """What was there when the file was opened, oldest first."""
        return self._before

    def append(self, record: R) -> None:
        """Keep a record, on the disk at once."""
        try:
            self._file.write(msgspec.json.encode(record) + b"\n")
            self._file.flush()
        except OSError as error:
            raise DiskFull(
                f"{self._path} can't be written: {error.strerror}. Make room, then run the same command again."
            ) from None

    def close(self) -> None:
        self._file.close()

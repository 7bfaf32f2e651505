"""The flight recorder: a memory-mapped file that says what a worker is doing.
It survives SIGKILL, so a death has an exact case."""

from __future__ import annotations

import mmap
import os
import struct
from pathlib import Path
from typing import NamedTuple

SIZE = 1 << 20
HEAD = struct.Struct("<QIIQI")  # episode, check, phase, sequence, length of the text
TEXT = struct.Struct("<IIQI")  # all but the first
AT = HEAD.size - TEXT.size
START = HEAD.size
ROOM = SIZE - START
IDLE, LOADING, ASKING = 0, 1, 2


class Moment(NamedTuple):
    """What a worker was doing when its recorder was read."""

    episode: int
    check: int
    phase: int
    sequence: int
    text: str


class Recorder:
    """Written by one worker, read by the supervisor at any time."""

    def __init__(self, path: Path) -> None:
        fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        os.ftruncate(fd, SIZE)
        self._map = mmap.mmap(fd, SIZE)
        os.close(fd)
        self._sequence = self._phase = 0
        self._map[: HEAD.size] = b"\0" * HEAD.size

    def at(self, episode: int, check: int, phase: int) -> None:
        self._sequence += 1
        self._phase = phase
        HEAD.pack_into(self._map, 0, episode, check, phase, self._sequence, 0)

    def stamp(self, check: int, text: str) -> None:
        """Note a text, and whose it is, before it is asked."""
        data = text.encode("utf-8", "surrogatepass")
        size = len(data)
        if size > ROOM:
            data, size = data[:ROOM], ROOM
        self._map[START : START + size] = data
        self._sequence += 1
        TEXT.pack_into(self._map, AT, check, self._phase, self._sequence, size)

    def read(self) -> Moment:
        episode, check, phase, sequence, size = HEAD.unpack_from(self._map, 0)
        text = self._map[HEAD.size : HEAD.size + size].decode("utf-8", "replace")
        return Moment(episode, check, phase, sequence, text)

    def sequence(self) -> int:
        return int(HEAD.unpack_from(self._map, 0)[3])

    def close(self) -> None:
        self._map.close()

"""Folders that a command writes to: ours or empty, and ours alone while it runs."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gainsay.errors import EnvironmentProblem


def own(out: Path, marker: str, noun: str) -> int:
    """Make sure that a folder is ours (it has the marker's file) or empty, and that nobody else writes to it; the descriptor of its lock."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()) and not (out / marker).exists():
            raise EnvironmentProblem(f"{out} is not empty and not the folder of a {noun}. Choose another one with --out.")
        lock = os.open(out / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
    except FileExistsError:
        raise EnvironmentProblem(f"{out} is a file. Choose a folder with --out.") from None
    except OSError as error:
        raise EnvironmentProblem(f"{out} can't be written: {error.strerror}. Choose another folder with --out.") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise EnvironmentProblem(f"Another {noun} is writing to {out}. Choose another folder with --out.") from None
    return lock


def leave(out: Path, markers: tuple[str, ...]) -> None:
    """A folder in which nothing was begun is left as it was found."""
    if not any((out / marker).exists() for marker in markers):
        (out / ".lock").unlink(missing_ok=True)
        if not any(out.iterdir()):
            out.rmdir()


@contextmanager
def owned(out: Path, marker: str, noun: str) -> Iterator[None]:
    """The same for the length of a block."""
    lock = own(out, marker, noun)
    try:
        yield
    except BaseException:
        leave(out, (marker,))
        raise
    finally:
        os.close(lock)

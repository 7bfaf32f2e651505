"""Folders that a command writes to: ours or empty, and ours alone while it runs; and where the hunts are that others
look at."""

from __future__ import annotations

import argparse
import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gainsay.errors import EnvironmentProblem, UsageError
from gainsay.triage import known

HUNTS = Path("gainsay-out")  # where hunts go, each in a folder of its own, if nothing else is said
MARK = "campaign.toml"


def said(arguments: argparse.Namespace) -> Path | None:
    """The folder that the user named, as DIR or with --out; None if he named none."""
    both = [Path(given) for given in (arguments.dir, arguments.out) if given]
    if len({os.path.abspath(each) for each in both}) > 1:
        raise UsageError(f"Two folders are named, {both[0]} and {both[1]}. Name one of them, as DIR or with --out.")
    return both[0] if both else None


def hunts(folder: Path) -> list[Path]:
    """The hunts in a folder, or the one that it is, those first that were written to last."""
    found = [mark.parent for mark in (folder / MARK, *folder.glob(f"*/{MARK}")) if mark.is_file()]
    return sorted(found, key=lambda hunt: (written(hunt), hunt.name), reverse=True)


def written(hunt: Path) -> float:
    try:
        return max((hunt / name).stat().st_mtime for name in (MARK, "journal.jsonl") if (hunt / name).exists())
    except (OSError, ValueError):
        return 0.0


def following(folder: Path, name: str) -> Path:
    """The next folder for a hunt of this name: NAME-1, NAME-2, ..."""
    taken = [
        int(p.name.removeprefix(f"{name}-"))
        for p in folder.glob("*")
        if re.fullmatch(rf"{re.escape(name)}-\d+", p.name)
    ]
    return folder / f"{name}-{max(taken, default=0) + 1}"


def muted(out: Path) -> Path:
    """The list of what is muted for a hunt, wherever we are: beside its folder, or beside the folder in which it is one
    of many."""
    home = Path(os.path.abspath(out)).parent
    return (home.parent if home.name == HUNTS.name else home) / known.FILE


def own(out: Path, marker: str, noun: str) -> int:
    """Make sure that a folder is ours (it has the marker's file) or empty, and that nobody else writes to it; the
    descriptor of its lock."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()) and not (out / marker).exists():
            raise EnvironmentProblem(
                f"{out} is not empty and not the folder of a {noun}. Choose another one with --out."
            )
        lock = os.open(out / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
    except FileExistsError:
        raise EnvironmentProblem(f"{out} is a file. Choose a folder with --out.") from None
    except OSError as error:
        raise EnvironmentProblem(
            f"{out} can't be written: {error.strerror}. Choose another folder with --out."
        ) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise EnvironmentProblem(f"Another {noun} is writing to {out}. Choose another folder with --out.") from None
    return lock


def leave(out: Path, markers: tuple[str, ...]) -> None:
    """A folder in which nothing was begun is left as it was found."""
    if not any((out / marker).exists() for marker in markers):
        (out / ".lock").unlink(missing_ok=True)
        for folder in (out, *((HUNTS,) if out.parent == HUNTS else ())):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()


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

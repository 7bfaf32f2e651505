"""`gainsay cache list|clean`: releases of engines that were brought, and what else is kept to start faster."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from gainsay.engines import releases
from gainsay.errors import UsageError


class Kept(NamedTuple):
    """Something in the cache: what it is of, and how large."""

    name: str
    path: Path
    size: int


def cache(arguments: argparse.Namespace) -> int:
    """`gainsay cache list|clean [ENGINE[@VERSION]...]`"""
    found = [kept for kept in everything() if chosen(kept.name, arguments.names)]
    if arguments.names and not found:
        raise UsageError(f"There is nothing of {', '.join(arguments.names)} in {releases.cache_root()}.")
    if arguments.action == "list":
        for kept in found:
            print(f"{kept.size / 2**20:9,.1f} MB  {kept.name}")
        print(f"{sum(kept.size for kept in found) / 2**20:9,.1f} MB  in all, in {releases.cache_root()}")
        return 0
    for kept in found:
        shutil.rmtree(kept.path) if kept.path.is_dir() else kept.path.unlink()
    print(f"{sum(kept.size for kept in found) / 2**20:,.1f} MB removed from {releases.cache_root()}.")
    return 0


def everything() -> Iterator[Kept]:
    """Releases of engines, one by one; and what else is kept, by its kind."""
    engines = releases.cache_dir()
    for path in sorted(engines.glob("*/*")):
        yield Kept(f"{path.parent.name}@{path.name}", path, size(path) if path.is_dir() else path.lstat().st_size)
    for path in sorted(releases.cache_root().glob("*")):
        if path != engines:
            yield Kept(path.name, path, size(path) if path.is_dir() else path.lstat().st_size)


def chosen(name: str, names: Sequence[str]) -> bool:
    """Whether something in the cache is meant: all, where nothing is named."""
    return not names or name in names or name.partition("@")[0] in names


def size(place: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(path.lstat().st_size for path in place.rglob("*") if path.is_file() and not path.is_symlink())

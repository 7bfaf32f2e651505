"""A code base: the files of a folder that an analyzer reads, by name, with their sizes.
Nothing outside of the folder is ever one of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from gainsay.errors import UsageError

SKIPPED = frozenset({"__pycache__", "node_modules"})


class Code(msgspec.Struct, frozen=True):
    """Names are relative to the folder, with slashes, and sorted.
    `prefix` is where the folder lies in its Python package, such as 'django/'."""

    folder: Path
    names: tuple[str, ...]
    prefix: str = ""
    left_out: tuple[str, ...] = ()  # and why, for the user

    def read(self, name: str) -> bytes:
        return (self.folder / name).read_bytes()

    def inside(self, name: str) -> str:
        """A file's name in a part."""
        return self.prefix + name

    def outside(self, name: str) -> str:
        """And back; a name that is none of the folder's stays as it is."""
        return name.removeprefix(self.prefix)


def gather(folder: Path, suffixes: Sequence[str]) -> Code:
    """The files with one of these suffixes.
    Hidden folders, environments and links that lead out of the folder are left out."""
    if not folder.is_dir():
        raise UsageError(
            f"{folder} is a file. Name the folder that holds the code."
            if folder.is_file()
            else f"There is no folder {folder}."
        )
    names: list[str] = []
    left_out: list[str] = []
    top = folder.resolve()
    for name in walk(folder, left_out):
        if not name.endswith(tuple(suffixes)):
            continue
        try:
            name.encode()
        except UnicodeEncodeError:
            left_out.append(f"{name!r}: its name is not UTF-8")
            continue
        path = folder / name
        if not path.resolve().is_relative_to(top):
            left_out.append(f"{name}: a link that leads out of the folder")
        elif not path.is_file():
            left_out.append(f"{name}: not a file")
        elif not os.access(path, os.R_OK):
            left_out.append(f"{name}: it can't be read")
        else:
            names.append(name)
    if not names:
        why = f" Left out: {'; '.join(left_out[:3])}." if left_out else ""
        raise UsageError(
            f"{folder} holds no {' or '.join(suffixes)} file.{why} Name the files of another language with --suffix, "
            "such as --suffix .c"
        )
    return Code(folder, tuple(sorted(names)), prefix_of(folder) if ".py" in suffixes else "", tuple(sorted(left_out)))


def walk(folder: Path, left_out: list[str] | None = None) -> Iterator[str]:
    """The files below a folder, without hidden folders and environments. `left_out` is told of links to folders."""
    for here, folders, files in os.walk(folder):
        below = Path(here).relative_to(folder).as_posix()
        folders[:] = sorted(
            f
            for f in folders
            if f not in SKIPPED and not f.startswith(".") and not (Path(here) / f / "pyvenv.cfg").exists()
        )
        if left_out is not None:
            left_out += [f"{Path(below) / f}: a link to a folder" for f in folders if (Path(here) / f).is_symlink()]
        for file in files:
            yield file if below == "." else f"{below}/{file}"


def prefix_of(folder: Path) -> str:
    """A folder inside of a Python package keeps its place there, or else no import of its own name is found."""
    parts: list[str] = []
    here = folder.resolve()
    while (here / "__init__.py").is_file() and here.name.isidentifier():
        parts.insert(0, here.name)
        here = here.parent
    return "".join(f"{part}/" for part in parts)


def lines_of(code: Code) -> list[int]:
    """Lines of each file, at least 1."""
    return [max(1, code.read(name).count(b"\n")) for name in code.names]

"""The recipe file: small, with sorted keys and one proof to a word, to be kept with the code.

It drives an analyzer on somebody's machine, so nothing in it is trusted: what is not in the analyzer's tables is an error.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from gainsay import __version__
from gainsay.core import registry
from gainsay.errors import EnvironmentProblem, UsageError
from gainsay.tailor.analyzer import Analyzer, Code, Ingredient, Tuning
from gainsay.tailor.explain import Gain

FORMAT = 1


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The recipe of one file under one limit, and what it was worth. `ids` are the proved properties by function."""

    limit_s: float
    memory: int
    recipe: list[Ingredient]
    proved: int
    cpu_s: float
    default_proved: int | None  # None: the default did not finish
    note: str = ""
    gains: list[Gain] = []
    ids: dict[str, str] = {}


class Unit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file: how many properties it has, and a recipe for each limit."""

    properties: int
    code: str
    limits: list[Entry]


class Book(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    format: int
    gainsay: str
    analyzer: str
    version: str
    options: dict[str, str]
    algorithm: str
    iterations: int
    seed: int
    files: dict[str, Unit]

    def opened(self, where: str, given: Mapping[str, str] | None = None) -> Analyzer:
        """The analyzer that the file names, with its options and those that the user gave; every recipe checked against its tables."""
        kind = registry.analyzer(self.analyzer)
        for key in self.options:
            if key in kind.trusted_only:
                raise UsageError(
                    f"{where} says {key}={self.options[key]}, which a recipe file may not. Give it by hand: --analyzer '{self.analyzer}?{key}=...'"
                )
        analyzer: Analyzer = kind({**self.options, **(given or {})})
        for name, unit in self.files.items():
            for entry in unit.limits:
                analyzer.checked(Tuning(tuple(entry.recipe)), f"{where}, {name}, limit {entry.limit_s:g}s")
                if not (0 < entry.limit_s < 1e6 and 0 < entry.memory < 1 << 50):
                    raise UsageError(f"{where}, {name}: a limit of {entry.limit_s:g} s and {entry.memory} bytes can't be.")
        return analyzer


def ids_of(code: Code, proved: int) -> dict[str, str]:
    """Proved properties as short words, by function."""
    found: dict[str, list[str]] = {}
    for at in code.chosen(proved):
        found.setdefault(at.function, []).append(at.id)
    return {function: " ".join(sorted(ids)) for function, ids in sorted(found.items())}


def read(path: Path) -> Book:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise UsageError(f"There is no recipe file {path}. Make one: gainsay tailor run FILE... --analyzer eva --limit 10s") from None
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}.") from None
    try:
        book = msgspec.json.decode(data, type=Book)
    except msgspec.MsgspecError as error:
        raise UsageError(f"{path} is not a recipe file of 'gainsay tailor': {error}.") from None
    if book.format != FORMAT:
        raise UsageError(f"{path} has format {book.format}, and this gainsay {__version__} reads format {FORMAT}. Run 'gainsay tailor run' again.")
    return book


def write(path: Path, book: Book) -> None:
    """Whole or not at all."""
    plain: Any = msgspec.to_builtins(book)
    text = json.dumps(plain, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    beside = path.with_name(path.name + ".part")
    try:
        beside.write_text(text, "utf-8")
        os.replace(beside, path)
    except OSError as error:
        raise EnvironmentProblem(f"{path} can't be written: {error.strerror}. Choose another place with --output.") from None


def merged(path: Path, book: Book) -> Book:
    """With what an earlier run recorded of other files."""
    if not path.exists():
        return book
    before = read(path)
    if (before.analyzer, before.options) != (book.analyzer, book.options):
        raise UsageError(f"{path} holds recipes for {before.analyzer} {before.options or ''}. Choose another file with --output.")
    if before.version != book.version:
        return book
    files: Mapping[str, Unit] = {**before.files, **book.files}
    return msgspec.structs.replace(book, files=dict(sorted(files.items())))


def key_of(source: str, path: Path) -> str:
    """A source file as the recipe file names it: relative to where that file is."""
    return Path(os.path.relpath(source, path.parent)).as_posix()

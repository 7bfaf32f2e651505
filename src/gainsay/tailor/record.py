"""The recipe file: small, with sorted keys and one proof to a word, to be kept with the code.

It drives an analyzer on somebody's machine, so nothing in it is trusted: what is not in the analyzer's tables is an
error."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from gainsay import __version__
from gainsay.core import registry
from gainsay.core.tailor_analyzer import Code, Ingredient, TailorAnalyzer, Tuning
from gainsay.errors import EnvironmentProblem, UsageError
from gainsay.tailor.explain import Gain
from gainsay.tailor.search import ALGORITHMS

FORMAT = 1
MOST_S, MOST_MEMORY, MOST_ITERATIONS = 1e6, 1 << 50, 100_000


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

    def opened(self, where: str, given: Mapping[str, str] | None = None) -> TailorAnalyzer:
        """The analyzer that the file names, with its options and those that the user gave; every recipe checked against
        its tables."""
        kind = registry.tailor_analyzer(self.analyzer)
        for key in self.options:
            if key in kind.trusted_only:
                raise UsageError(
                    f"{where} says {key}={self.options[key]}, which a recipe file may not. Give it by hand: --analyzer "
                    f"'{self.analyzer}?{key}=...'"
                )
        analyzer = kind({**self.options, **(given or {})})
        if self.algorithm not in ALGORITHMS or not 0 <= self.iterations <= MOST_ITERATIONS:
            raise UsageError(f"{where} says {self.iterations} iterations of {self.algorithm!r}, which can't be.")
        for name, unit in self.files.items():
            if not unit.limits:
                raise UsageError(f"{where}, {name}: there is no recipe.")
            for entry in unit.limits:
                analyzer.checked(Tuning(tuple(entry.recipe)), f"{where}, {name}, limit {entry.limit_s:g}s")
                if not (0 < entry.limit_s <= MOST_S and 0 < entry.memory <= MOST_MEMORY):
                    raise UsageError(
                        f"{where}, {name}: a limit of {entry.limit_s:g} s and {entry.memory} bytes can't be."
                    )
        return analyzer


def ids_of(code: Code, proved: int) -> dict[str, str]:
    """Proved properties as short words, by function."""
    found: dict[str, list[str]] = {}
    for at in code.chosen(proved):
        found.setdefault(at.function, []).append(at.id)
    return {function: " ".join(sorted(ids)) for function, ids in sorted(found.items())}


def read(path: Path) -> Book:
    """A recipe file. What is wrong with it is told with the remedy."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise UsageError(
            f"There is no recipe file {path}. Make one: gainsay tailor run FILE... --analyzer eva --limit 10s"
        ) from None
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}.") from None
    try:
        book = msgspec.json.decode(data, type=Book)
    except msgspec.MsgspecError as error:
        raise UsageError(f"{path} is not a recipe file of 'gainsay tailor': {error}.") from None
    if book.format != FORMAT:
        raise UsageError(
            f"{path} has format {book.format}, and this gainsay {__version__} reads format {FORMAT}. Run 'gainsay "
            "tailor run' again."
        )
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
        raise EnvironmentProblem(
            f"{path} can't be written: {error.strerror}. Choose another place with --output."
        ) from None


def earlier(path: Path, analyzer: TailorAnalyzer, version: str) -> Book | None:
    """What is recorded already, if new recipes can go beside it. Asked before a search, which may take hours."""
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise UsageError(f"--output {path}: there is no such place for a file. Choose another one.")
    if not path.exists():
        return None
    book = read(path)
    if (book.analyzer, book.options) != (analyzer.name, portable(analyzer)):
        raise UsageError(
            f"{path} holds recipes for {book.analyzer} with other options. Choose another file with --output."
        )
    if book.version != version:
        raise UsageError(
            f"{path} holds recipes for {book.analyzer} {book.version}, and {version} is installed. Remove it, or "
            "choose another file with --output."
        )
    return book


def portable(analyzer: TailorAnalyzer) -> dict[str, str]:
    """The options that may stand in a recipe file."""
    return {key: value for key, value in analyzer.options.items() if key not in analyzer.trusted_only}


def merged(before: Book | None, book: Book) -> Book:
    """With what was recorded before of other files and other limits.
    For the same code and limit the better recipe stays: a search that was ended early may have found less."""
    files = dict(before.files) if before is not None else {}
    for name, unit in book.files.items():
        old = {e.limit_s: e for e in files[name].limits} if name in files else {}
        if name in files and files[name].code != unit.code:
            old = {}
        new = {e.limit_s: e for e in unit.limits if e.limit_s not in old or old[e.limit_s].proved <= e.proved}
        entries = sorted({**old, **new}.values(), key=lambda e: e.limit_s)
        files[name] = Unit(unit.properties, unit.code, entries)
    return msgspec.structs.replace(book, files=dict(sorted(files.items())))


def key_of(source: str, path: Path) -> str:
    """A source file as the recipe file names it: relative to where that file is."""
    return Path(os.path.relpath(source, path.parent)).as_posix()

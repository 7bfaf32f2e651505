"""The port of an analyzer that can be run on a part of the code: where it is installed, its command, and what its
report says.

A part is a folder. The analyzer is started in it, sees nothing else of the code base, and may be on another machine.
Every hook has a default or says that it must be written."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import msgspec

from gainsay.errors import UsageError, near
from gainsay.limits import Ended
from gainsay.split import environments

LEVELS = ("error", "warning", "note")  # SARIF's
PIP = {
    "version": "a release of it, as in NAME@1.2.3",
    "with": "further packages for its environment, such as types-requests,django-stubs",
}
# Never an option of pip's, nor an address
PACKAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._\-\[\]]*([=<>!~]=?[A-Za-z0-9._*]+)?")


class Finding(msgspec.Struct, frozen=True, order=True):
    """One thing that an analyzer says of one file.
    The file is named as in the part: relative, with slashes; empty where it says none."""

    file: str
    line: int  # 0 where it says none
    column: int
    rule: str
    message: str
    level: str = "warning"

    @property
    def place(self) -> tuple[str, int, str]:
        """What makes two findings of different runs the same one.
        The message may speak of other files, so it is not part of it."""
        return self.file, self.line, self.rule


NOT_ANALYZED = "not-analyzed"


def not_analyzed(file: str, why: str, line: int = 0, column: int = 0) -> Finding:
    """A finding for a file that the analyzer could not read: who trusts the report must know."""
    return Finding(file, line, column, NOT_ANALYZED, why, "warning")


class NoReport(Exception):
    """The analyzer ended, but what it left is not a report. The text says what it left."""


class Analyzer:
    """What `gainsay split` must know of a tool. It is made anew on each node from its name and its options."""

    name: ClassVar[str]
    about: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = (".py",)
    language: ClassVar[str] = "python"  # whose dependencies count, see gainsay.split.graphs
    # It looks at each file alone, so that a file's dependencies do not matter to it
    is_per_file: ClassVar[bool] = False
    takes_stubs: ClassVar[bool] = False  # it reads .pyi files
    # Its own settings, which each part gets if they lie at the top of the code base
    configs: ClassVar[tuple[str, ...]] = ()
    requirements: ClassVar[tuple[str, ...]] = ()  # what pip installs for it, in an environment of its own
    options: ClassVar[Mapping[str, str]] = {"args": "further arguments, as on a command line"}

    def __init__(self, options: Mapping[str, str]) -> None:
        known = {**self.options, **(PIP if self.requirements else {})}
        for key in options:
            if key not in known:
                raise UsageError(f"{self.name} has no option {key!r}.{near(key, known)}")
        self.given = dict(options)
        self.packages = packages(self.name, self.requirements, options)
        self.arguments = words(options.get("args", ""), f"{self.name}?args=")

    def install(self) -> Path:
        """The folder that holds the tool; made on first use.
        Raise EnvironmentProblem with the remedy if that can't be."""
        return environments.folder(self.name, self.packages)

    @property
    def is_installed(self) -> bool:
        """Whether `install` has nothing to do."""
        return not self.packages or environments.is_made(self.name, self.packages)

    def version(self) -> str:
        """Of what is installed, or of what would be."""
        return self.packages[0].partition("==")[2] if self.packages else "unknown"

    @property
    def title(self) -> str:
        """For the user."""
        return f"{self.name} {self.version()}"

    @property
    def label(self) -> tuple[str, str]:
        """The tool's name and version in a report."""
        return self.name, self.version()

    def extras(self) -> dict[str, bytes]:
        """Files of the user's that each part needs besides code, such as rules: name in the part -> content.
        Raise UsageError if one is missing."""
        return {}

    def command(self, folder: Path, names: Sequence[str], homes: Sequence[str]) -> list[str]:
        """What to start in a part's folder, which has the code `names`; only what is said of `homes` counts.

        No word of it may be mistaken for an option: a file's name may begin with a dash.
        """
        raise NotImplementedError

    def environment(self, folder: Path) -> dict[str, str]:
        """Variables that are set for it. PYTHONPATH, MYPYPATH and the like are never handed on."""
        return {}

    def unblock(self, ended: Ended, found: Sequence[Finding], folder: Path) -> list[str]:
        """Take away, or put something neutral for, files that kept it from looking at the others; their names.
        It is then run again."""
        return []

    def remark(self, ended: Ended, found: Sequence[Finding], folder: Path) -> str:
        """What the user should know of a part that was analyzed; nothing for most."""
        return ""

    def read(self, ended: Ended, folder: Path) -> list[Finding]:
        """What it found. Raise NoReport unless it is sure that the whole part was analyzed."""
        raise NotImplementedError


def packages(name: str, requirements: Sequence[str], options: Mapping[str, str]) -> tuple[str, ...]:
    """What pip installs: our own pins, another release of the tool where one is asked for, and what the user adds."""
    found = list(requirements)
    if options.get("version"):
        found[0] = f"{found[0].partition('==')[0]}=={options['version']}"
    found += [word.strip() for word in options.get("with", "").split(",") if word.strip()]
    for word in found:
        if not PACKAGE.fullmatch(word):
            raise UsageError(
                f"{name}: {word!r} is not a package and a version. Write them as in {name}@1.2.3 or "
                "with=types-requests,attrs==24.1.0."
            )
    return tuple(found)


def words(text: str, name: str) -> list[str]:
    """A command line's words, without a shell."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UsageError(f"{name}{text}: {error}. Quotes must come in pairs.") from None


def relative(name: str, folder: Path) -> str:
    """A file's name as the part has it, whether the analyzer says it with the folder or without."""
    path = Path(name)
    if path.is_absolute():
        for base in (folder, folder.resolve()):
            if path.is_relative_to(base):
                path = path.relative_to(base)
                break
    return path.as_posix().removeprefix("./")

"""The port of an analyzer that `gainsay split` runs on parts of the code: where it is installed, its command, and
what its report says.

A part is a folder. The analyzer is started in it, sees nothing else of the code base, and may be on another machine.
What has no default is abstract."""

from __future__ import annotations

import shlex
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import msgspec

from gainsay.core.analyzer import Analyzer
from gainsay.errors import UsageError
from gainsay.limits import Ended

LEVELS = ("error", "warning", "note")  # SARIF's


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


class SplitAnalyzer(Analyzer):
    """What `gainsay split` must know of a tool. It is made anew on each node from its name and its options."""

    suffixes: ClassVar[tuple[str, ...]] = (".py",)  # of the files that it reads
    language: ClassVar[str] = "python"  # whose dependencies count, see gainsay.split.graphs
    # It looks at each file alone, so that a file's dependencies do not matter to it
    is_per_file: ClassVar[bool] = False
    takes_stubs: ClassVar[bool] = False  # it reads .pyi files
    # Its own settings, which each part gets if they lie at the top of the code base
    configs: ClassVar[tuple[str, ...]] = ()
    # Option -> what it means
    options_known: ClassVar[Mapping[str, str]] = {"args": "further arguments, as on a command line"}

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(options)
        self.arguments = words(options.get("args", ""), f"{self.name}?args=")

    @abstractmethod
    def install(self) -> Path:
        """The folder or program that is the tool; made on first use.
        Raise EnvironmentProblem with the remedy if that can't be."""

    @property
    def is_installed(self) -> bool:
        """Whether `install` has nothing to do."""
        return True

    def version(self) -> str:
        """Of what is installed, or of what would be."""
        return "unknown"

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

    @abstractmethod
    def command(self, folder: Path, names: Sequence[str], homes: Sequence[str]) -> list[str]:
        """What to start in a part's folder, which has the code `names`; only what is said of `homes` counts.

        No word of it may be mistaken for an option: a file's name may begin with a dash.
        """

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

    @abstractmethod
    def read(self, ended: Ended, folder: Path) -> list[Finding]:
        """What it found. Raise NoReport unless it is sure that the whole part was analyzed."""


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

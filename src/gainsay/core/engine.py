"""What an engine offers: a class with a few attributes and methods, and the sessions that it opens.

Everything but a name, a family, a dialect and `open_session` has a default here: an adapter says only what differs.
Standard library only, as in adapters themselves: hosts load both in environments that hold nothing but an engine.
"""

from __future__ import annotations

import importlib
import inspect
import re
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from string import Template
from typing import Any, ClassVar, Union

from gainsay.core.answer import Answer

TOOLS = re.compile(r"  # noqa.*")  # comments that are nothing to the reader of a reproducer
Configs = Mapping[str, Sequence[str]]  # configuration -> texts that only the adapter reads
Options = Mapping[str, str]  # of a target: ?key=value
Facts = Mapping[str, tuple[str, str]]  # fact -> (value, source)
Proofs = Mapping[str, tuple[Union[str, Sequence[str]], Mapping[str, str]]]


class Session(ABC):
    """A connection to a fresh, empty place on an engine."""

    answers_blocks: ClassVar[bool] = False  # `ask_block` is worth it: a process costs more than a question
    runs_scripts: ClassVar[bool] = False  # `run_script` is worth it: a round trip costs more than a statement

    @abstractmethod
    def ask(self, text: str) -> Answer:
        """Run one statement or question. What the engine does is an answer, never an exception."""

    def ask_block(self, texts: Sequence[str]) -> list[Answer]:
        """Answer several independent questions, in order, each as `ask` would."""
        return [self.ask(text) for text in texts]

    def run_script(self, texts: Sequence[str]) -> list[Answer]:
        """Run statements, in order, each as `ask` would: what one does the next one sees."""
        return [self.ask(text) for text in texts]

    def renew(self) -> bool:
        """Become empty again, keeping the process or server. False: that can't be done, so another one is opened."""
        return False

    def spent_s(self) -> float | None:
        """CPU-seconds of the processes that the session started; None where the engine runs in this one."""
        return None

    def close(self) -> None:
        """End it, and leave nothing behind."""


class NotLetIn(RuntimeError):
    """A server of the user's wants another user or password: who is at a terminal is asked for it."""


class Gone(RuntimeError):
    """A server of the user's does not come back: nothing can be asked any more. The one thing that `ask` may raise."""


class Engine(ABC):
    """An adapter to one engine. It has no state: what is opened is a session's.

    `prove`, `version`, `build` and `facts` are called in a host; there ImportError, OSError, RuntimeError and
    AttributeError become one line for the user.
    """

    name: ClassVar[str]  # as in the registry
    family: ClassVar[str]  # of query languages: sql, datalog, cypher, smt
    dialect: ClassVar[str]  # how questions are spelled: one of the family's, or module:attribute
    package: ClassVar[str] = ""  # what to pip install; empty where pip brings nothing
    module: ClassVar[str] = ""  # what to import; empty: the package's name, with _ for -
    configs: ClassVar[Configs] = {"default": ()}  # name -> what it says to the engine: nothing by default
    configs_are_statements: ClassVar[bool] = True  # to be asked first; else they are arguments, settings or the like
    options: ClassVar[Mapping[str, str]] = {}  # key -> what it means, for ?key=value
    proofs: ClassVar[Proofs] = {}  # fact -> a question (or statements, then one), and the answer that each value gives
    code_base: ClassVar[str] = ""  # whose code it runs (a binding, a fork); empty: its own name
    needs_server: ClassVar[bool] = False  # one of the user's, never started by us
    releases: ClassVar[Mapping[str, str]] = {}  # version -> pip requirement, newest first: where numbers differ
    pip: ClassVar[Sequence[str]] = ()  # more arguments for pip, when a release is installed
    is_archive: ClassVar[bool] = False  # what Maven brings of it is an archive of programs, to be unpacked
    takes_seconds: ClassVar[bool] = False  # for each empty place: tests that open many are run apart
    is_stoppable: ClassVar[bool] = True  # a soft limit can end a question; else the end of its process does
    slow: ClassVar[frozenset[str]] = frozenset()  # configurations without which it is probed
    run: ClassVar[str] = ""  # the command that runs a reproducer's script by hand
    extension: ClassVar[str] = ""  # of that script; empty: the family's
    disputed: ClassVar[Mapping[str, str]] = {}  # what it does that is not taken for documented -> why
    name_marks: ClassVar[Sequence[str]] = ()  # words of its error texts behind which a name stands
    old_releases: ClassVar[str] = ""  # how to come by releases that pip does not bring
    title: ClassVar[str] = ""  # what people call it; empty: its name
    # Of a stand-alone script, in Python. A $word stands for what `repro_words` says; $configs for the configurations.
    carried: ClassVar[Sequence[Callable[..., Any]]] = ()  # functions of the adapter, carried as they are
    repro_open: ClassVar[str] = ""  # opens an empty place
    repro_ask: ClassVar[str] = ""  # the body of ask(text): returns rows
    repro_version: ClassVar[str] = ""  # a text with the number that `version` gives; empty: that of the package
    repro_first: ClassVar[Sequence[str]] = ()  # what is asked before anything else

    @abstractmethod
    def open_session(self, configs: Sequence[str], options: Options) -> Session:
        """Open a session on an empty place, in these configurations."""

    def texts(self, configs: Sequence[str]) -> list[str]:
        """The texts of some configurations, one after the other."""
        return [text for config in configs for text in self.configs[config]]

    def version(self) -> str:
        """The version of what really runs: here that of the package, if its module loads."""
        importlib.import_module(self.module or self.package.replace("-", "_"))
        return metadata.version(self.package)

    def build(self) -> Sequence[str]:
        """Build options that change answers, or what is there."""
        return ()

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        """Documented meanings on which engines, releases or builds differ."""
        return {}

    def requirements(self, version: str) -> Sequence[str]:
        """What pip or, as mvn:GROUP:ARTIFACT:VERSION, Maven installs for a version, best first; nothing where
        `@version` only says which one must run."""
        return [f"{self.package}=={version}"] if self.package else []

    def brought_by(self, version: str) -> str:
        """How somebody who reads a report gets a version; '' where there is no telling."""
        for requirement in self.requirements(version):
            if requirement.startswith("mvn:"):
                return f"mvn dependency:copy -Dartifact={requirement.removeprefix('mvn:')}"
            if "==" in requirement:
                return f"pip install {requirement}"
        return ""

    def release_variable(self, folder: str) -> str:
        """What a shell must set so that a reproducer takes the release in a folder: NAME=VALUE."""
        return f"PYTHONPATH={folder}"

    def available(self) -> Mapping[str, str]:
        """Package, or mvn:GROUP:ARTIFACT, -> a pattern whose first group is the engine's version, to name the nearest
        versions."""
        return {self.package: r"^(\d+\.\d+\.\d+)$"} if self.package else {}

    def environment(self, version: str, options: Options) -> Mapping[str, str]:
        """Variables that a process must start with to run this version with these options."""
        return {}

    def is_preferred(self) -> bool:
        """Whether what is installed comes before the newest of `releases`, where a target names no version."""
        return False

    def prove(self, options: Options) -> None:
        """Raise RuntimeError unless this process runs what the options name."""

    def sweep(self, options: Options) -> None:
        """Remove from a server of the user's what sessions left there that were killed. Done when a hunt has ended."""

    def repro_words(self, version: str, options: Options, configs: Sequence[str]) -> Mapping[str, str]:
        """What stands for each $word in a stand-alone script, as Python."""
        return {}

    def repro(self, version: str, options: Options, configs: Sequence[str]) -> str:
        """The part of a stand-alone script that opens the engine: it defines VERSION and ask(text)."""
        number = self.repro_version or f"metadata.version({self.package!r})"
        made = "\n".join(
            (
                self.repro_open.strip("\n"),
                "def ask(text):",
                textwrap.indent(self.repro_ask.strip("\n"), "    "),
                f'VERSION = "{self.title or self.name} " + {number}',
                *(f"ask({text!r})" for text in self.repro_first),
            )
        )
        texts, words = self.texts(configs), self.repro_words(version, options, configs)
        lines = (
            "",
            "from importlib import metadata",
            *(TOOLS.sub("", inspect.getsource(function)) for function in self.carried),
            Template(made).safe_substitute({"configs": repr(texts), **words}),
            *(f"ask({text!r})" for text in texts if self.configs_are_statements),
            "",
        )
        return "\n".join(lines)

    def script_head(self, configs: Sequence[str]) -> Sequence[str]:
        """What a script for the command `run` says first in these configurations."""
        return ()

    def script(self, text: str, configs: Sequence[str]) -> str:
        """A question as the command `run` takes it from a file."""
        return text

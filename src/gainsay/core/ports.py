"""What an engine must offer. Plugins are found by the registry and used only through their ports."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from gainsay.core.answer import Answer


def lacking(port: type, plugin: Any) -> list[str]:
    """The members of a port that a plugin does not have."""
    abstract = getattr(port, "__abstractmethods__", None)
    functions = [name for name, member in vars(port).items() if inspect.isfunction(member) and not name.startswith("_")]
    wanted = [name for name in inspect.get_annotations(port) if not hasattr(port, name)]
    return [name for name in (*wanted, *(functions if abstract is None else sorted(abstract))) if not hasattr(plugin, name)]


class Session(Protocol):
    """A connection to a fresh, empty place on an engine."""

    def ask(self, text: str) -> Answer: ...
    def close(self) -> None: ...


class Engine(Protocol):
    """A module, one per engine. Standard library only at import time: hosts load it in other environments.

    `requirements` gives the pip requirements that bring a version, best first; `environment` the variables that a process must start
    with to use it; `prove` raises RuntimeError unless the process really runs what the options name.
    """

    NAME: str
    FAMILY: str
    DIALECT: str
    PACKAGE: str  # what to pip install; empty for the standard library's
    CONFIGS: Mapping[str, Sequence[str]]
    OPTIONS: Mapping[str, str]  # key -> what it means
    # Where it has them: `PROOFS`, fact -> a question, and the answer by which each value is known; `CODE_BASE`, whose code it runs, where that
    # is not its own name (a binding, a fork): such engines are no witnesses for each other; `NEEDS_SERVER`; `RELEASES` and `PIP`, where wheels
    # have other numbers; `SLOW`, configurations without which it is probed; `RUN`, the command that runs a reproducer's script;
    # `DISPUTED`, what it does that is not taken for documented, and why.

    def version(self) -> str: ...
    def build(self) -> Sequence[str]: ...
    def facts(self, version: str, build: Sequence[str]) -> Mapping[str, tuple[str, str]]: ...  # fact -> (value, source)
    def requirements(self, version: str) -> Sequence[str]: ...
    def environment(self, version: str, options: Mapping[str, str]) -> Mapping[str, str]: ...
    def prove(self, options: Mapping[str, str]) -> None: ...
    def available(self) -> Mapping[str, str]: ...  # PyPI package -> pattern whose first group is the engine's version
    def repro(self, version: str, options: Mapping[str, str], configs: Sequence[str]) -> str: ...  # opens it in a stand-alone script: ask, VERSION
    def open_session(self, configs: Sequence[str], options: Mapping[str, str]) -> Session: ...

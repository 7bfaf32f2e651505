"""Analyzers that pip brings, each into an environment of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from gainsay.core.split_analyzer import SplitAnalyzer
from gainsay.errors import UsageError
from gainsay.split import environments

# Never an option of pip's, nor an address
PACKAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._\-\[\]]*([=<>!~]=?[A-Za-z0-9._*]+)?")


class ByPip(SplitAnalyzer):
    """An analyzer that pip brings."""

    requirements: ClassVar[tuple[str, ...]]  # the tool first, each with its version
    options_known: ClassVar[Mapping[str, str]] = {
        **SplitAnalyzer.options_known,
        "version": "a release of it, as in NAME@1.2.3",
        "with": "further packages for its environment, such as types-requests,django-stubs",
    }

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(options)
        self.packages = packages(self.name, self.requirements, options)

    def install(self) -> Path:
        return environments.folder(self.name, self.packages)

    @property
    def is_installed(self) -> bool:
        return environments.is_made(self.name, self.packages)

    def version(self) -> str:
        return self.packages[0].partition("==")[2]


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

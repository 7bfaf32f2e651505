"""What the analyzers of `gainsay tailor` and `gainsay split` have in common: a name, and options that the user writes
behind it. The two ports, `core/tailor_analyzer` and `core/split_analyzer`, are built on it."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping
from typing import ClassVar

from gainsay.errors import UsageError, near


class Analyzer(ABC):
    """Base of both ports. `options` are those that the user wrote, as in 'eva?main=start'."""

    name: ClassVar[str]  # as in the registry
    about: ClassVar[str]  # one line for the user
    suffixes: ClassVar[tuple[str, ...]] = ()  # of the files that it reads
    options_known: ClassVar[Mapping[str, str]] = {}  # option -> what it means

    def __init__(self, options: Mapping[str, str]) -> None:
        for key in options:
            if key not in self.options_known:
                raise UsageError(f"{self.name} has no option {key!r}.{near(key, self.options_known)}")
        self.options = dict(options)
        self.check_options()

    def check_options(self) -> None:
        """Raise UsageError unless every option has a value that may reach a command line."""

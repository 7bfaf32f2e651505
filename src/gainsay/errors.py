"""Every exception the product raises. Each carries the fact and the remedy, and ends as one line and an exit code."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class GainsayError(Exception):
    """Something the user can mend: printed as one line, exit code 2."""

    exit_code = 2


class UsageError(GainsayError):
    """The command line or a file asks for something that can't be."""


class EnvironmentProblem(GainsayError):
    """An engine, a package, a library or a folder is not as it must be."""


class NotLetIn(EnvironmentProblem):
    """A server of the user's wants another user or password."""


class JournalError(GainsayError):
    """A file that we wrote earlier can't be trusted any more."""


class DiskFull(GainsayError):
    """The output folder takes no more bytes."""


class InternalError(GainsayError):
    """A mistake of ours: printed with a request to report it, exit code 3."""

    exit_code = 3


def near(word: str, choices: Iterable[str]) -> str:
    """Say what was probably meant: ' Did you mean norec?', or which choices there are."""
    names = sorted(set(choices))
    close = difflib.get_close_matches(word, names, n=3, cutoff=0.5)
    if close:
        return f" Did you mean {' or '.join(close)}?"
    return f" There are: {', '.join(names)}." if names else ""

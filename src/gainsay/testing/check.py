"""A check of the kit, and a run of several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple
from unittest import SkipTest

from gainsay.core import registry
from gainsay.errors import GainsayError


class Check(NamedTuple):
    """One thing that must hold, as a sentence, and the function that raises where it does not."""

    sentence: str
    run: Callable[[], None]

    def __call__(self) -> None:
        self.run()

    def __str__(self) -> str:
        return self.sentence


class Outcome(NamedTuple):
    """How a check ended: `ok`, `failed` or `skipped`, and why."""

    check: Check
    state: str
    why: str = ""


def outcomes(checks: Iterable[Check]) -> Iterator[Outcome]:
    """Run checks one after the other; whatever goes wrong in one is its outcome."""
    for check in checks:
        try:
            check()
        except SkipTest as reason:
            yield Outcome(check, "skipped", str(reason))
        except (AssertionError, GainsayError) as error:
            yield Outcome(check, "failed", str(error) or registry.blamed(error))
        except Exception as error:  # the boundary to code that others wrote
            yield Outcome(check, "failed", registry.blamed(error))
        else:
            yield Outcome(check, "ok")


def want(condition: Any, words: str) -> None:
    """Raise unless it holds. Not an assert statement: those are gone under `python -O`."""
    if not condition:
        raise AssertionError(words)

"""What an engine can do when it is asked: a value, never an exception.

Standard library only: this module and the engines' files are also loaded by hosts, in environments that hold nothing
but an engine."""

from __future__ import annotations

from typing import Any, Union


class Rows:
    """Rows as the engine's Python binding gave them."""

    __slots__ = ("rows",)

    def __init__(self, rows: list[Any]) -> None:
        self.rows = rows

    def __repr__(self) -> str:
        return f"Rows({self.rows!r})"


class Decision:
    """A solver's verdict (several words for a script that asks several times), with its model or unsatisfiable core
    where one was asked for."""

    __slots__ = ("core", "model", "verdict")

    def __init__(self, verdict: str, model: str = "", core: str = "") -> None:
        self.verdict = verdict
        self.model = model
        self.core = core

    @property
    def rows(self) -> list[Any]:
        """One row for each check-sat of the script that was asked."""
        return [(word,) for word in self.verdict.split()]

    def __repr__(self) -> str:
        return f"Decision({self.verdict})"


class Refused:
    """The engine answered with an error.
    `kind` is decided by the adapter, once; `internal` is a bug of the engine by itself."""

    __slots__ = ("kind", "message")

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        self.message = message

    def __repr__(self) -> str:
        return f"Refused({self.kind}: {self.message})"

    def __str__(self) -> str:
        return f"{'internal error' if self.kind == 'internal' else 'refused'}: {self.message}"


class GaveUp:
    """The engine reached a soft limit: `timeout` or `memory`; or it gave up by itself: `unknown`."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __repr__(self) -> str:
        return f"GaveUp({self.reason})"

    def __str__(self) -> str:
        return f"gave up: {self.reason}"


class Died:
    """The engine's process ended: `crash`, `hang` or `memory`, and what it printed last."""

    __slots__ = ("how", "signal", "stderr")

    def __init__(self, how: str, signal: str = "", stderr: str = "") -> None:
        self.how = how
        self.signal = signal
        self.stderr = stderr

    def __repr__(self) -> str:
        return f"Died({self.how}, {self.signal})"

    def __str__(self) -> str:
        return f"died: {self.how}{', ' * bool(self.signal)}{self.signal}"


Answer = Union[Rows, Decision, Refused, GaveUp, Died]

"""APSW: another Python binding of SQLite, with its own, always recent build of the library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gainsay.core.answer import Answer, Refused, Rows
from gainsay.engines import sqlite

NAME = "apsw"
FAMILY = "sql"
CODE_BASE = "sqlite"
DIALECT = "sqlite"
PACKAGE = "apsw"
OPTIONS: Mapping[str, str] = {}
CONFIGS = sqlite.CONFIGS
PROOFS = sqlite.PROOFS
REPRO = """
import apsw
VERSION = "SQLite " + apsw.sqlite_lib_version() + " (apsw)"
db = apsw.Connection(":memory:")
def ask(text):
    return list(db.execute(text))
"""


class ApswSession:
    """An empty database in memory, through apsw."""

    def __init__(self, statements: Sequence[str]) -> None:
        import apsw

        self._error: Any = apsw.Error
        self._db = apsw.Connection(":memory:", statementcachesize=0)
        self._execute = self._db.cursor().execute
        self._ticks = 0
        self._db.set_progress_handler(self._tick, sqlite.STEPS)
        for statement in statements:
            self._execute(statement)

    def _tick(self) -> bool:
        self._ticks += 1
        return self._ticks > sqlite.TICKS

    def ask(self, text: str) -> Answer:
        self._ticks = 0
        try:
            return Rows(self._execute(text).fetchall())
        except self._error as error:
            return sqlite.refusal(f"{type(error).__name__.removesuffix('Error').lower()}: {error}")
        except (MemoryError, OverflowError, UnicodeError, ValueError) as error:
            return Refused("binding", str(error))

    def close(self) -> None:
        self._db.close()


def version() -> str:
    import apsw

    return str(apsw.sqlite_lib_version())


def open_session(configs: Sequence[str], options: Mapping[str, str]) -> ApswSession:
    return ApswSession([s for c in configs for s in CONFIGS[c]])


def build() -> Sequence[str]:
    return sqlite.options_of(ApswSession(()))


def facts(version: str, build: Sequence[str]) -> Mapping[str, tuple[str, str]]:
    return sqlite.facts(version, build)


def requirements(version: str) -> Sequence[str]:
    return [f"apsw=={version}.0", f"apsw=={version}"]


def available() -> Mapping[str, str]:
    return sqlite.available()


def environment(version: str, options: Mapping[str, str]) -> Mapping[str, str]:
    return {}


def prove(options: Mapping[str, str]) -> None:
    return None


def repro(version: str, options: Mapping[str, str], configs: Sequence[str] = ()) -> str:
    return REPRO + "".join(f"ask({statement!r})\n" for config in configs for statement in CONFIGS[config])

"""libSQL, Turso's fork of SQLite in C, in process; nothing can end a question but the end of its process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gainsay.core.answer import Answer, Refused, Rows
from gainsay.core.engine import Engine, Facts, Options, Session
from gainsay.engines import sqlite


class LibsqlSession(Session):
    """An empty database in memory. Each statement commits."""

    def __init__(self, statements: Sequence[str]) -> None:
        import libsql

        self._db: Any = libsql.connect(":memory:", isolation_level=None)
        for statement in statements:
            self._db.execute(statement)

    def ask(self, text: str) -> Answer:
        try:
            return Rows(self._db.execute(text).fetchall() or [])
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of the binding is a BaseException
            if type(error).__name__ == "PanicException":
                return Refused("internal", f"PanicException: {error}")
            return sqlite.refusal(str(error), text)

    def close(self) -> None:
        self._db.close()


class LibSQL(sqlite.SQLite):
    """SQLite's dialect, configurations and meanings."""

    name = "libsql"
    code_base = "sqlite"
    package = "libsql"
    options = {}
    old_releases = ""
    is_stoppable = False
    title = "libsql"
    carried = ()
    repro_open = 'import libsql\ndb = libsql.connect(":memory:", isolation_level=None)'
    repro_ask = "return db.execute(text).fetchall() or []"
    repro_version = ""

    def open_session(self, configs: Sequence[str], options: Options) -> LibsqlSession:
        return LibsqlSession(self.texts(configs))

    def version(self) -> str:
        return Engine.version(self)

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        (found,) = self._rows("SELECT sqlite_version()") or [("3.45.1",)]
        return super().facts(found[0], build)

    def requirements(self, version: str) -> Sequence[str]:
        return Engine.requirements(self, version)

    def available(self) -> Mapping[str, str]:
        return Engine.available(self)

    def environment(self, version: str, options: Options) -> Mapping[str, str]:
        return {}

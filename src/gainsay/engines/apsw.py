"""APSW: another Python binding of SQLite, with its own, always recent build of the library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gainsay.core.answer import Answer, Refused
from gainsay.core.engine import Options
from gainsay.engines.sqlite import BY_APSW, STEPS, SQLite, SqliteSession


def library_version() -> str:
    """The version of apsw's own SQLite. Before 3.42 apsw wrote its names without underscores."""
    import apsw

    return str(apsw.sqlite_lib_version() if hasattr(apsw, "sqlite_lib_version") else apsw.sqlitelibversion())


class ApswSession(SqliteSession):
    """An empty database in memory, through apsw."""

    def __init__(self, statements: Sequence[str]) -> None:
        import apsw

        db = apsw.Connection(":memory:", statementcachesize=0)
        super().__init__(db, apsw.Error, statements)
        self._execute = db.cursor().execute

    def _watch(self) -> None:
        is_old = hasattr(self._db, "setprogresshandler")
        (self._db.setprogresshandler if is_old else self._db.set_progress_handler)(self._tick, STEPS)

    def _control(self, mask: int) -> Answer:
        return Refused("missing", "apsw shows no way to sqlite3_test_control")

    def _words(self, error: Exception) -> str:
        return f"{type(error).__name__.removesuffix('Error').lower()}: {error}"


class APSW(SQLite):
    """SQLite's dialect, configurations and facts; its own way in."""

    name = "apsw"
    code_base = "sqlite"
    package = "apsw"
    options = {}
    old_releases = ""

    def open_session(self, configs: Sequence[str], options: Options) -> ApswSession:
        return ApswSession(self.texts(configs))

    def version(self) -> str:
        return library_version()

    def requirements(self, version: str) -> Sequence[str]:
        return [f"apsw=={version}.0", f"apsw=={version}"]

    def environment(self, version: str, options: Options) -> Mapping[str, str]:
        return {}

    def repro_words(self, version: str, options: Options, configs: Sequence[str]) -> Mapping[str, str]:
        return BY_APSW

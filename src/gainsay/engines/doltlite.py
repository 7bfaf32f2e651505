"""Doltlite: SQLite on a versioned store. Its package brings a libsqlite3 that Python's own module is run on."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path

from gainsay.core.engine import Engine, Facts, Options
from gainsay.engines import releases
from gainsay.engines.sqlite import BY_SQLITE3, SQLite

LIBRARY = ("_lib", "libdoltlite.so")
STARTED = "_DOLTLITE_BOOTSTRAPPED"  # the package's own: it need not start Python again
PRELOAD = f"""import importlib.util
LIB = os.path.join(os.path.dirname(importlib.util.find_spec("doltlite").origin), *{LIBRARY})
if LIB not in os.environ.get("LD_PRELOAD", ""):
    os.execve(sys.executable, [sys.executable, *sys.argv], dict(os.environ, LD_PRELOAD=LIB, {STARTED}="1"))
import sqlite3"""


class Doltlite(SQLite):
    """SQLite's dialect, configurations and meanings: its makers call it a drop-in replacement."""

    name = "doltlite"
    code_base = "sqlite"
    package = "doltlite"
    options = {}
    old_releases = ""
    title = "doltlite"

    def version(self) -> str:
        """The package's, if it is its library that answers."""
        found = metadata.version(self.package)
        if not self._rows("SELECT dolt_version()"):
            raise RuntimeError(
                "This Python's sqlite3 module does not run on doltlite's library: it has its own copy of SQLite linked "
                "in. Use a Python whose sqlite3 links libsqlite3 dynamically."
            )
        return found

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        import sqlite3

        return super().facts(sqlite3.sqlite_version, build)

    def requirements(self, version: str) -> Sequence[str]:
        return Engine.requirements(self, version)

    def available(self) -> Mapping[str, str]:
        return Engine.available(self)

    def environment(self, version: str, options: Options) -> Mapping[str, str]:
        """The library comes before the one that Python's module is linked with."""
        if version:
            folder = releases.cache_dir() / self.name / version / self.package
        else:
            spec = importlib.util.find_spec(self.package)
            if spec is None or spec.origin is None:
                return {}
            folder = Path(spec.origin).parent
        return {"LD_PRELOAD": str(folder.joinpath(*LIBRARY)), STARTED: "1"}

    def repro_words(self, version: str, options: Options, configs: Sequence[str]) -> Mapping[str, str]:
        return {**BY_SQLITE3, "library": PRELOAD, "number": 'metadata.version("doltlite")'}

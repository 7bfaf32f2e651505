"""GraphQLite, an extension of SQLite, in process; every release."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from gainsay.core.answer import Answer, GaveUp, Refused, Rows
from gainsay.core.engine import Facts, Options, Session
from gainsay.engines.graph import GraphEngine

SOFT_S = 5.0
STEPS = 10_000  # of SQLite's machine, between two looks at the clock
KINDS = (
    ("PARSE_ERROR", "syntax"), ("syntax error", "syntax"), ("Unknown", "name"), ("Undefined", "name"), ("Unsupported "
        "function", "name"),
    ("TypeError", "type"), ("Overflow", "overflow"), ("Unsupported", "missing"), ("not supported", "missing"),
    ("requires a preceding", "missing"),
    ("Failed to transform", "missing"),
)  # fmt: skip
# A query becomes SQL: what SQLite then says of that is no answer to the query.
INTERNAL = (
    "SQL prepare failed", "no such column", "no such table", "no such function", 'near "', "ambiguous "
        "column", "duplicate WITH table name",
    "ON clause references", "misuse of aggregate", "wrong number of arguments to function", "malformed "
        "JSON", "internal error",
    "GROUP BY term out of range", "aggregate functions are not allowed in",
)  # fmt: skip


def sqlite() -> Any:
    """A module of SQLite that can load extensions; many Pythons' own can't."""
    try:
        import pysqlite3

        return pysqlite3
    except ImportError:
        import sqlite3

        if not hasattr(sqlite3.Connection, "enable_load_extension"):
            raise RuntimeError(
                "This Python's sqlite3 can't load extensions. Run: pip install pysqlite3-binary"
            ) from None
        return sqlite3


def refusal(said: str) -> Answer:
    """What an error says; it comes as JSON."""
    try:
        message = str(json.loads(said)["error"]) if said.startswith("{") else said
    except (ValueError, KeyError, TypeError):
        message = said
    message = message.removeprefix("SQL prepare failed: ")
    if "interrupt" in message:
        return GaveUp("timeout")
    if "out of memory" in message:
        return GaveUp("memory")
    if any(part in message for part in INTERNAL):
        return Refused("internal", message)
    return Refused(next((kind for part, kind in KINDS if part in message), "other"), message)


def rows_of(said: str | None) -> list[tuple[Any, ...]]:
    """Rows from a reply: a list of objects, whose keys are the columns in their order.
    What writes replies otherwise, and has no rows."""
    if not said or said[0] != "[":
        return []
    return [tuple(row.values()) if row.__class__ is dict else (row,) for row in json.loads(said)]


class GraphqliteSession(Session):
    """An empty database in memory, with the extension loaded."""

    def __init__(self, statements: Sequence[str]) -> None:
        import graphqlite

        self._statements = statements
        self._sqlite = sqlite()
        self._path = str(graphqlite.loadable_path())
        self._until = 0.0
        self._open()

    def _open(self) -> None:
        self._db: Any = self._sqlite.connect(":memory:", isolation_level=None)
        self._db.enable_load_extension(True)
        self._db.load_extension(self._path)
        self._db.set_progress_handler(lambda: time.monotonic() > self._until, STEPS)
        self._execute = self._db.execute
        for statement in self._statements:
            self._execute(statement)

    def ask(self, text: str) -> Answer:
        self._until = time.monotonic() + SOFT_S
        try:
            return Rows(rows_of(self._execute("SELECT cypher(?)", (text,)).fetchone()[0]))
        except (self._sqlite.Error, MemoryError) as error:
            return refusal(str(error))
        except ValueError as error:
            return Refused("internal", f"the reply is not JSON: {error}")

    def renew(self) -> bool:
        self._db.close()
        self._open()
        return True

    def close(self) -> None:
        self._db.close()


class GraphQLite(GraphEngine):
    """A configuration is statements of SQLite, which makes the plans."""

    name = "graphqlite"
    dialect = "graphqlite"
    package = "graphqlite pysqlite3-binary"
    configs = {"default": (), "no-automatic-index": ("PRAGMA automatic_index = OFF",)}
    configs_are_statements = False
    title = "GraphQLite"
    carried = (rows_of,)
    repro_open = """
import json
import graphqlite
try:
    import pysqlite3 as sqlite3
except ImportError:
    import sqlite3
db = sqlite3.connect(":memory:")
db.enable_load_extension(True)
db.load_extension(graphqlite.loadable_path())
for text in $configs:
    db.execute(text)
"""
    repro_ask = """
try:
    return rows_of(db.execute("SELECT cypher(?)", (text,)).fetchone()[0])
except sqlite3.Error as error:
    raise RuntimeError(json.loads(str(error))["error"] if str(error).startswith("{") else str(error)) from None
"""
    repro_version = "graphqlite.__version__"

    def version(self) -> str:
        import graphqlite

        return str(graphqlite.__version__)

    def open_session(self, configs: Sequence[str], options: Options) -> GraphqliteSession:
        return GraphqliteSession(self.texts(configs))

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        docs = "https://colliery-io.github.io/graphqlite/latest/reference"
        return {
            "substring": ("from 0", f"{docs}/cypher.html#implementation-notes"),
            "ceil": ("integer", f"{docs}/cypher-functions.html"),
            "list-index": ("from 0", f"{docs}/cypher-operators.html#list-operators"),
        }

    def requirements(self, version: str) -> Sequence[str]:
        return [f"graphqlite=={version}"]

    def available(self) -> Mapping[str, str]:
        return {"graphqlite": r"^(\d+\.\d+\.\d+)$"}

    def prove(self, options: Options) -> None:
        sqlite()

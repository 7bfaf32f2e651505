"""Turso Database, SQLite rewritten in Rust, in process, by its package pyturso; every release."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gainsay.core.answer import Answer, Refused, Rows
from gainsay.core.engine import Engine, Facts, Options, Session
from gainsay.engines import sqlite

COMPAT = "https://github.com/tursodatabase/turso/blob/main/COMPAT.md"
MISSING = re.compile("(?i)not (yet )?supported|not implemented|unsupported|experimental")
SYNTAX = re.compile("(?i)unexpected token|lexererror|incomplete input")


def refusal(error: BaseException) -> Answer:
    """What an exception means. A panic of the engine is a BaseException."""
    if isinstance(error, (KeyboardInterrupt, SystemExit)):
        raise error
    message = " ".join(str(error).split())
    if type(error).__name__ == "PanicException" or "corrupt" in message.lower():
        return Refused("internal", f"{type(error).__name__}: {message}")
    kind = "missing" if MISSING.search(message) else "syntax" if SYNTAX.search(message) else ""
    return Refused(kind, message) if kind else sqlite.refusal(message)


def connect(features: Sequence[str]) -> Any:
    """An empty database in memory, with these features turned on."""
    import turso

    try:
        return turso.connect(":memory:", isolation_level=None, experimental_features=",".join(features) or None)
    except TypeError:  # before 0.4
        return turso.connect(":memory:")


class TursoSession(Session):
    """An empty database in memory. Each statement commits."""

    def __init__(self, features: Sequence[str]) -> None:
        self._db = connect(features)
        if hasattr(self._db, "set_query_timeout"):
            self._db.set_query_timeout(5000)  # ms

    def ask(self, text: str) -> Answer:
        try:
            return Rows(list(self._db.cursor().execute(text).fetchall()))
        except BaseException as error:
            return refusal(error)

    def close(self) -> None:
        self._db.close()


class Turso(Engine):
    """SQLite's meanings: its makers say that a difference is a bug, unless their list of differences has it.
    A configuration is features to turn on."""

    name = "turso"
    family = "sql"
    dialect = "turso"
    package = "pyturso"
    module = "turso"
    configs = {"default": (), "experimental": ("generated_columns", "without_rowid", "vacuum")}
    # The first releases abort over a row value
    proofs = {name: proof for name, proof in sqlite.PROOFS.items() if name not in ("like-blob", "row-null")}
    configs_are_statements = False
    title = "Turso"
    carried = (connect,)
    repro_open = "db = connect($configs)"
    repro_ask = "return db.cursor().execute(text).fetchall()"

    def open_session(self, configs: Sequence[str], options: Options) -> TursoSession:
        return TursoSession(self.texts(configs))

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        followed = sqlite.SQLite().facts("3.50.4", ())
        return {name: (value, COMPAT) for name, (value, _) in followed.items() if name != "like-blob"}

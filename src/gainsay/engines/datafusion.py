"""Apache DataFusion, in process; any release since 33 that has a wheel for this Python."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Sequence
from typing import Any

from gainsay.core.answer import Answer, GaveUp, Refused, Rows
from gainsay.core.engine import Engine, Facts, Options, Proofs, Session

SOFT_S = 5.0
INTERNAL = re.compile(r"Internal error: (.*?)(?:\.?\s*This (?:issue )?was likely|$)", re.DOTALL)
KINDS = (
    ("ParserError", "syntax"), ("No field named", "name"), ("not found", "name"), ("Invalid function", "name"),
    ("not implemented", "missing"), ("NotImplemented", "missing"), ("Cast error", "conversion"),
    ("verflow", "overflow"), ("Divide by zero", "value"), ("Execution error", "value"), ("non-nullable", "constraint"),
    ("planning", "type"),
)  # fmt: skip
PROOFS: Proofs = {
    "like-case": ("SELECT 'a' LIKE 'A'", {"sensitive": "[(False,)]"}),
    "division": ("SELECT 3 / 2", {"integers truncate": "[(1,)]"}),
    "type-names": ("SELECT ARROW_TYPEOF(1)", {"Arrow's": "[('Int64',)]"}),
}


class OutOfTime(Exception):
    """The soft limit: DataFusion looks for signals while it waits for what runs."""


def refusal(error: BaseException) -> Answer:
    """What an exception means. A panic of the engine is a BaseException."""
    if isinstance(error, (KeyboardInterrupt, SystemExit)):
        raise error
    message = str(error)
    if isinstance(error, OutOfTime):
        return GaveUp("timeout")
    if type(error).__name__ == "PanicException":
        return Refused("internal", f"PanicException: {message}")
    if "Resources exhausted" in message or isinstance(error, MemoryError):
        return GaveUp("memory")
    bug = INTERNAL.search(message)
    if bug:
        return Refused("internal", f"Internal error: {' '.join(bug[1].split())}")
    return Refused(next((kind for part, kind in KINDS if part in message), "other"), message)


def plain(column: Any) -> list[Any]:
    """The values of a column. Nanoseconds would be of a class of pandas, where that is installed, or refused."""
    return list((column.cast("timestamp[us]", safe=False) if column.type == "timestamp[ns]" else column).to_pylist())


def run(db: Any, text: str) -> list[tuple[Any, ...]]:
    """The rows of one statement, or of the last of several settings; columns may have the same name."""
    batches: list[Any] = []
    for each in text.split("; ") if text.startswith("SET ") else (text,):
        batches = db.sql(each).collect()
    return [row for b in batches for row in zip(*map(plain, b.columns), strict=True)]


def stop(*_: object) -> None:
    raise OutOfTime


class DatafusionSession(Session):
    """An empty catalog in memory, with one partition: its CPU time is then nearly ours to count."""

    def __init__(self, statements: Sequence[str]) -> None:
        import datafusion

        self._db: Any = datafusion.SessionContext(datafusion.SessionConfig().with_target_partitions(1))
        self._is_main = threading.current_thread() is threading.main_thread()
        if self._is_main:
            signal.signal(signal.SIGALRM, stop)
        for statement in statements:
            run(self._db, statement)

    def ask(self, text: str) -> Answer:
        if self._is_main:
            signal.setitimer(signal.ITIMER_REAL, SOFT_S)
        try:
            return Rows(run(self._db, text))
        except BaseException as error:  # a panic of the engine is a BaseException
            return refusal(error)
        finally:
            if self._is_main:
                signal.setitimer(signal.ITIMER_REAL, 0)


class DataFusion(Engine):
    """A configuration is settings of the session."""

    name = "datafusion"
    family = "sql"
    dialect = "datafusion"
    package = "datafusion"
    configs = {
        "default": (),
        "partitions": ("SET datafusion.execution.target_partitions = 3",),
        "small-batches": ("SET datafusion.execution.batch_size = 1",),
        "merge-join": (
            "SET datafusion.execution.target_partitions = 3",
            "SET datafusion.optimizer.prefer_hash_join = false",
        ),
    }
    proofs = PROOFS
    title = "DataFusion"
    carried = (plain, run)
    repro_open = """
import datafusion
db = datafusion.SessionContext(datafusion.SessionConfig().with_target_partitions(1))
"""
    repro_ask = "return run(db, text)"

    def open_session(self, configs: Sequence[str], options: Options) -> DatafusionSession:
        return DatafusionSession(self.texts(configs))

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        operators = "https://datafusion.apache.org/user-guide/sql/operators.html"
        types = "https://datafusion.apache.org/user-guide/sql/data_types.html"
        return {
            "like-case": ("sensitive", operators),
            "division": ("integers truncate", operators),
            "type-names": ("Arrow's", types),
        }

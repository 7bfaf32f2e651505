"""DuckDB, in process; any release that has a wheel for this Python."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

from gainsay.core.answer import Answer, GaveUp, Refused, Rows
from gainsay.core.engine import Engine, Facts, Options, Proofs, Session

SOFT_S = 5.0
INTERNAL = ("INTERNAL", "Assertion", "Attempted to dereference", "FATAL", "vector::_M_range_check", "std::")
KINDS = (
    ("Parser", "syntax"), ("Catalog", "name"), ("Binder", "type"), ("Conversion", "conversion"),
    ("Constraint", "constraint"), ("Out of Range", "overflow"), ("OutOfRange", "overflow"), ("Overflow", "overflow"),
    ("Invalid Input", "value"), ("Not implemented", "missing"),
)  # fmt: skip
# Fact -> a question, and the answer by which each value is known. Probes verify `facts`; they never invent it.
PROOFS: Proofs = {
    "like-case": ("SELECT 'a' LIKE 'A'", {"sensitive": "[(False,)]"}),
    "division": (
        "SELECT 3 / 2, 1 / 0",
        {
            "integers truncate, by zero is NULL": "[(1, None)]",
            "real, by zero is NULL": "[(1.5, None)]",
            "real, by zero is infinite": "[(1.5, inf)]",
        },
    ),
    "modulo-zero": ("SELECT 5 % 0", {"NULL": "[(None,)]", "error": "refused"}),
    "cast-text": ("SELECT CAST('1x' AS INTEGER)", {"error or NULL": "refused"}),
    "row-null": ("SELECT (1, NULL) = (1, NULL)", {"NULL is a value": "[(True,)]", "NULL is unknown": "[(None,)]"}),
    "substr-negative": ("SELECT SUBSTR('abc', 3, -1)", {"counts from the end, clamped": "[('b',)]"}),
    "hex-null": ("SELECT HEX(NULL::VARCHAR)", {"NULL": "[(None,)]"}),
    "printf-null": ("SELECT PRINTF('%s', NULL::VARCHAR)", {"NULL": "[(None,)]"}),
    "greatest-decimal": ("SELECT GREATEST(1.5, 0.5)", {"real": "[(1.5,)]", "decimal": "[(Decimal('1.5'),)]"}),
    "type-names": ("SELECT TYPEOF(1)", {"the declared type": "[('INTEGER',)]"}),
    "null-order": (
        "SELECT a FROM (VALUES (1), (NULL)) AS v(a) ORDER BY a",
        {"first": "[(None,), (1,)]", "last": "[(1,), (None,)]"},
    ),
}


def refusal(error: BaseException) -> Answer:
    """What an exception means."""
    message = str(error)
    if "INTERRUPT" in message or "Interrupted" in message:
        return GaveUp("timeout")
    if "Out of Memory" in message or isinstance(error, MemoryError):
        return GaveUp("memory")
    if any(part in message for part in INTERNAL):
        # Addresses and paths say nothing elsewhere.
        return Refused("internal", message.partition("Stack Trace")[0].strip())
    return Refused(next((kind for part, kind in KINDS if part in message[:60]), "other"), message)


class DuckdbSession(Session):
    """An empty database in memory, with one thread: its CPU time is then ours to count."""

    def __init__(self, statements: Sequence[str]) -> None:
        import duckdb

        self._errors: tuple[type[BaseException], ...] = (
            duckdb.Error,
            RuntimeError,
            ValueError,
            OverflowError,
            MemoryError,
        )
        self._db: Any = duckdb.connect(":memory:", config={"threads": 1})
        self._execute = self._db.execute
        self._asked = 0.0
        self._closed = threading.Event()
        for statement in statements:
            self._execute(statement)
        if hasattr(self._db, "interrupt"):
            threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        """DuckDB has no statement timeout of its own: interrupt what runs too long."""
        while not self._closed.wait(0.5):
            asked = self._asked
            if asked and time.monotonic() - asked > SOFT_S:
                self._db.interrupt()

    def ask(self, text: str) -> Answer:
        self._asked = time.monotonic()
        try:
            return Rows(self._execute(text).fetchall())
        except self._errors as error:
            return refusal(error)
        finally:
            self._asked = 0.0

    def close(self) -> None:
        self._closed.set()
        self._db.close()


class DuckDB(Engine):
    """A database in memory."""

    name = "duckdb"
    family = "sql"
    dialect = "duckdb"
    package = "duckdb"
    configs = {
        "default": (),
        "no-optimizer": ("PRAGMA disable_optimizer",),
        "threads": ("SET threads = 2",),
        "verify": ("PRAGMA enable_verification",),
    }
    proofs = PROOFS
    title = "DuckDB"
    repro_open = 'import duckdb\ndb = duckdb.connect(":memory:", config={"threads": 1})'
    repro_ask = "return db.execute(text).fetchall()"
    repro_version = "duckdb.__version__"

    def version(self) -> str:
        import duckdb

        return str(duckdb.__version__)

    def open_session(self, configs: Sequence[str], options: Options) -> DuckdbSession:
        return DuckdbSession(self.texts(configs))

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        numbers = tuple(int(p) for p in version.split(".")[:2] if p.isdigit())
        real = "real, by zero is NULL" if numbers < (1, 1) else "real, by zero is infinite"
        division = "integers truncate, by zero is NULL" if numbers < (0, 8) else real
        rows = "NULL is unknown" if numbers == (1, 0) else "NULL is a value"
        operators = "https://duckdb.org/docs/sql/functions/numeric"
        return {
            "like-blob": ("no blobs", "https://duckdb.org/docs/sql/functions/pattern_matching"),
            "like-case": ("sensitive", "https://duckdb.org/docs/sql/functions/pattern_matching"),
            "division": (division, operators),
            "modulo-zero": ("error" if numbers >= (2, 0) else "NULL", operators),
            "cast-text": ("error or NULL", "https://duckdb.org/docs/sql/expressions/cast"),
            "real-digits": ("shortest that reads back", "https://duckdb.org/docs/sql/expressions/cast"),
            "hex-null": ("NULL", "https://duckdb.org/docs/sql/functions/blob"),
            "printf-null": ("NULL", "https://duckdb.org/docs/sql/data_types/nulls"),
            "collation-rules": (
                "functions see collations" if numbers >= (2, 0) else "comparisons see collations",
                "https://duckdb.org/docs/sql/expressions/collations",
            ),
            "type-names": ("the declared type", "https://duckdb.org/docs/sql/functions/utility"),
            "cast-real-text": ("shortest that reads back", "https://duckdb.org/docs/sql/expressions/cast"),
            "row-null": (rows, "https://duckdb.org/docs/sql/data_types/struct#comparison-operators"),
            "substr-negative": ("counts from the end, clamped", "https://duckdb.org/docs/sql/functions/text"),
            "instr-empty": ("engine's own", "https://duckdb.org/docs/sql/functions/text"),
            "replace-empty": ("engine's own", "https://duckdb.org/docs/sql/functions/text"),
            "round-half": ("away from zero, -0.0 kept", operators),
            "trailing-space": ("counts", "https://duckdb.org/docs/sql/data_types/text"),
            "text-order": ("by code point", "https://duckdb.org/docs/sql/expressions/collations"),
            "greatest-decimal": (
                "real" if numbers < (1, 1) else "decimal",
                "https://duckdb.org/docs/sql/meta/duckdb_table_functions#duckdb_functions",  # it lists the signatures
            ),
            "null-order": (
                "first" if numbers < (0, 8) else "last",
                "https://duckdb.org/docs/sql/query_syntax/orderby",
            ),
            "nan-order": ("NaN is greatest", "https://duckdb.org/docs/sql/data_types/numeric#floating-point-types"),
        }

"""ClickHouse, in process, by its package chdb; the version is the package's, not ClickHouse's own."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from gainsay.core.answer import Answer, GaveUp, Refused, Rows
from gainsay.core.engine import Engine, Facts, Options, Proofs, Session

# What SQL says and ClickHouse does only if it is told; how values are printed; limits.
SETTINGS = {
    "default_table_engine": "'MergeTree'",
    "create_table_empty_primary_key_by_default": "1",
    "join_use_nulls": "1",
    "aggregate_functions_null_for_empty": "1",  # else MIN of no rows is 0 where its operand can't be NULL
    "union_default_mode": "'DISTINCT'",
    "intersect_default_mode": "'DISTINCT'",
    "except_default_mode": "'DISTINCT'",
    "mutations_sync": "1",
    "output_format_json_quote_denormals": "1",
    "output_format_json_quote_decimals": "1",
    "output_format_json_quote_64bit_integers": "0",
    "max_execution_time": "5",
    "max_threads": "1",
}
OTHERWISE = "SET default_table_engine = 'Memory'"  # an old release wants an ORDER BY with MergeTree
SET = re.compile(r"\bSET (\w+) =")
CODE = re.compile(r"\(([A-Z_]{4,})\)\s*(?:\(version|$)")
INTERNAL = ("LOGICAL_ERROR", "NOT_FOUND_COLUMN_IN_BLOCK")
KINDS = (
    ("SYNTAX", "syntax"), ("UNKNOWN_TYPE", "type"), ("UNKNOWN", "name"), ("AMBIGUOUS", "name"), ("TYPE", "type"),
    ("NUMBER_OF_ARG", "type"), ("NOT_IMPLEMENTED", "missing"), ("DISABLED", "missing"), ("UNSUPPORTED", "missing"),
    ("JOIN", "missing"), ("PARSE", "conversion"), ("CONVERT", "conversion"), ("OVERFLOW", "overflow"),
    ("DIVISION", "value"), ("CONSTRAINT", "constraint"),
)  # fmt: skip
PROOFS: Proofs = {
    "like-case": ("SELECT 'a' LIKE 'A'", {"sensitive": "[(0,)]"}),
    "division": ("SELECT 3 / 2, 1 / 0", {"real, by zero is infinite": "[(1.5, 'inf')]"}),
    "modulo-zero": ("SELECT 5 % 0", {"error": "refused"}),
    "cast-text": ("SELECT CAST('1x' AS Int32)", {"error or NULL": "refused"}),
    "round-half": ("SELECT ROUND(0.5), ROUND(2.5)", {"to even": "[(0, 2)]"}),
}


def refusal(message: str) -> Answer:
    """What an error means, by the name of its code."""
    found = CODE.findall(message)
    code = found[-1] if found else ""
    if code == "TIMEOUT_EXCEEDED":
        return GaveUp("timeout")
    if code == "MEMORY_LIMIT_EXCEEDED":
        return GaveUp("memory")
    if code in INTERNAL:
        return Refused("internal", message.partition("DB::Exception: ")[2] or message)
    return Refused(next((kind for part, kind in KINDS if part in code), "other"), message)


def run(place: Any, text: str) -> list[tuple[Any, ...]]:
    """The rows of a statement."""
    result = place.query(text, "JSONCompactEachRow")
    said = result.bytes().decode("utf-8", "surrogateescape") if result is not None else ""
    return [tuple(json.loads(line)) for line in said.split("\n") if line]


class ChdbSession(Session):
    """A database in memory; there is one engine for the whole process."""

    def __init__(self, statements: Sequence[str]) -> None:
        from chdb.session import Session as Place

        self._place: Any = Place()
        self._statements = tuple(statements)
        self._changed: dict[str, None] = {}  # settings
        self._empty()

    def _empty(self) -> None:
        for name in self._changed:
            self.ask(f"SET {name} = DEFAULT")
        self._changed = {}
        for text in ("DROP DATABASE IF EXISTS gainsay", "CREATE DATABASE gainsay ENGINE = Memory", "USE gainsay"):
            run(self._place, text)
        for name, value in SETTINGS.items():
            self.ask(f"SET {name} = {value}")  # an old release may not know it
        if isinstance(self.ask("CREATE TABLE plain(c0 Int32)"), Refused):
            run(self._place, OTHERWISE)
        run(self._place, "DROP TABLE IF EXISTS plain")
        for text in self._statements:
            run(self._place, text)
            self._changed.update(dict.fromkeys(SET.findall(text)))

    def ask(self, text: str) -> Answer:
        if text.startswith("SET "):
            self._changed.update(dict.fromkeys(SET.findall(text)))
        try:
            return Rows(run(self._place, text))
        except (RuntimeError, ValueError) as error:
            return refusal(str(error))
        except Exception as error:
            if type(error).__name__ != "ChdbError":
                raise
            return refusal(str(error))

    def renew(self) -> bool:
        self._empty()
        return True

    def close(self) -> None:
        end = getattr(self._place, "close", None) or self._place.cleanup  # before 2.1
        end()


class ChDB(Engine):
    """A configuration is settings of the session."""

    name = "chdb"
    family = "sql"
    dialect = "clickhouse"
    package = "chdb"
    configs = {
        "default": (),
        "no-optimizations": ("SET query_plan_enable_optimizations = 0",),
        "small-blocks": ("SET max_block_size = 1",),
        "merge-join": ("SET join_algorithm = 'full_sorting_merge'",),
    }
    proofs = PROOFS
    title = "chDB"
    carried = (run,)
    repro_open = f"""
import json
from chdb.session import Session
place = Session()
for text in ("CREATE DATABASE gainsay ENGINE = Memory", "USE gainsay"):
    run(place, text)
for name, value in {SETTINGS}.items():
    try:
        run(place, f"SET {{name}} = {{value}}")
    except Exception:
        pass  # an old release does not know it
try:
    run(place, "CREATE TABLE plain(c0 Int32)")
except Exception:
    run(place, {OTHERWISE!r})
"""
    repro_ask = "return run(place, text)"

    def open_session(self, configs: Sequence[str], options: Options) -> ChdbSession:
        return ChdbSession(self.texts(configs))

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        docs = "https://clickhouse.com/docs/sql-reference/functions/"
        return {
            "like-case": ("sensitive", docs + "string-search-functions#like"),
            "division": ("real, by zero is infinite", docs + "arithmetic-functions#divide"),
            "modulo-zero": ("error", docs + "arithmetic-functions#modulo"),
            "cast-text": ("error or NULL", docs + "type-conversion-functions#cast"),
            "round-half": ("to even", docs + "rounding-functions#round"),
        }

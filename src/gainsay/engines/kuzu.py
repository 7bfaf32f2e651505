"""Kùzu, in process; every release, which has a wheel for this Python. Ladybug, its fork, uses the session that is made here."""

from __future__ import annotations

import importlib
import inspect
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from gainsay.core.answer import Answer, GaveUp, Refused, Rows
from gainsay.families.cypher.profile import FACTS

NAME = "kuzu"
FAMILY = "cypher"
DIALECT = "kuzu"
PACKAGE = "kuzu"
OPTIONS: Mapping[str, str] = {}
CONFIGS: Mapping[str, Sequence[str]] = {
    "default": (),
    "no-optimizer": ("CALL enable_plan_optimizer=false",),
    "no-semi-mask": ("CALL enable_semi_mask=false",),
    "no-zone-map": ("CALL enable_zone_map=false",),
    "threads": ("CALL threads=2",),
}
SOFT_MS = 5000
POOL = 128 << 20
SPACE = 1 << 32  # address space for one database; the default of 8 TB makes opening one four times dearer
KINDS = (
    ("Parser", "syntax"), ("Catalog", "name"), ("Binder", "type"), ("Conversion", "conversion"), ("Overflow", "overflow"),
    ("Runtime", "value"),
)  # fmt: skip
# Anywhere in a message, first match wins.
PARTS = (
    ("Implicit cast", "type"), ("does not exist", "name"), ("Cannot find property", "name"), ("not in scope", "name"), ("not supported", "missing"),
    ("not yet", "missing"), ("not implemented", "missing"), ("unsupported", "missing"),
)  # fmt: skip
# What breaks inside comes as an exception of the C++ library, or says itself that it should not have happened.
INTERNAL = (
    "Internal exception", "Assertion failed", "should never happen", "should not happen", "KU_UNREACHABLE", "unreachable", "std::", "::_M_",
    "Lambda paramName",
)  # fmt: skip
OWN = re.compile(r"[A-Z][\w ]* exception: ")
REPRO = """
import MODULE
from importlib import metadata
VERSION = "TITLE " + metadata.version(MODULE.__name__)
db = MODULE.Database(PLACE, buffer_pool_size=128 << 20)
connection = MODULE.Connection(db, num_threads=THREADS)
def ask(text):
    result, rows = connection.execute(text), []
    while result.has_next():
        rows.append(tuple(result.get_next()))
    return rows
"""


def loaded(name: str, rivals: Sequence[str]) -> Any:
    """The binding of this name. Kùzu's and Ladybug's register the same C++ types: the second one to be imported crashes the process."""
    rival = next((r for r in rivals if r in sys.modules), "")
    if rival:
        raise RuntimeError(f"{name} can't be used in a process that has loaded {rival}: give each a process of its own.")
    return importlib.import_module(name)


def refusal(error: BaseException) -> Answer:
    """What an exception means."""
    message = str(error)
    if message.startswith("Interrupted"):
        return GaveUp("timeout")
    if "Buffer manager exception" in message or "bad_alloc" in message or isinstance(error, MemoryError):
        return GaveUp("memory")
    if any(part in message for part in INTERNAL):
        return Refused("internal", message)
    found = next((kind for part, kind in PARTS if part in message), "")
    if not found and not OWN.match(message):
        return Refused("internal", message)
    return Refused(found or next((kind for part, kind in KINDS if message.startswith(part)), "other"), message)


def plain(value: Any) -> Any:
    """A value as other bindings give it: sums are 128 bits wide, and come as Decimal."""
    kind = value.__class__
    if kind is Decimal:
        return int(value) if value == value.to_integral_value() else float(value)
    if kind is list:
        return [plain(v) for v in value]
    if kind is dict:
        return {k: plain(v) for k, v in value.items()}
    return value


def parameters(function: Any) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(function).parameters
    except ValueError:  # the first releases have no Python of their own
        return {}


class KuzuSession:
    """An empty database: in memory where the release has that, else in a folder that goes with it."""

    def __init__(self, module: Any, statements: Sequence[str]) -> None:
        self._make_db: Any = getattr(module, "Database", None) or module.database
        self._connect: Any = getattr(module, "Connection", None) or module.connection
        self._statements = statements
        self._threads = 2 if any("threads" in s for s in statements) else 1
        taken = parameters(self._make_db.__init__)
        limits = {"buffer_pool_size": POOL, "max_db_size": SPACE, "max_num_threads": self._threads}
        self._limits = {name: value for name, value in limits.items() if name in taken or name == "buffer_pool_size"}
        self._has_memory = "database_path" in taken and taken["database_path"].default is None
        self._home = None if self._has_memory else tempfile.TemporaryDirectory(prefix="gainsay-", ignore_cleanup_errors=True)
        self._opened = 0
        self._open()

    def _open(self) -> None:
        self._opened += 1
        self._place = f"{self._home.name}/{self._opened}" if self._home else ":memory:"
        self._db: Any = self._make_db(self._place, **self._limits)
        self._connection: Any = self._connect(self._db, num_threads=self._threads)
        if hasattr(self._connection, "set_query_timeout"):
            self._connection.set_query_timeout(SOFT_MS)
        self._execute = self._connection.execute
        for statement in self._statements:
            self._execute(statement)

    def ask(self, text: str) -> Answer:
        try:
            results = self._execute(text)
            result = results[-1] if results.__class__ is list else results  # one for each statement
            has_next, get_next = (result.has_next, result.get_next) if hasattr(result, "has_next") else (result.hasNext, result.getNext)
            rows = []
            while has_next():
                rows.append(tuple([plain(v) for v in get_next()]))
            result.close()
            return Rows(rows)
        except (RuntimeError, ValueError, IndexError, KeyError, OverflowError, MemoryError) as error:
            return refusal(error)

    def _shut(self) -> None:
        self._execute = None
        for each in (self._connection, self._db):
            if hasattr(each, "close"):
                each.close()
        self._connection = self._db = None  # earlier releases close when nothing refers to them

    def renew(self) -> None:
        self._shut()
        if self._home:
            shutil.rmtree(self._place, ignore_errors=True)
        self._open()

    def close(self) -> None:
        self._shut()
        if self._home:
            self._home.cleanup()


def version() -> str:
    from importlib import metadata

    loaded("kuzu", ("ladybug", "real_ladybug"))
    return metadata.version("kuzu")


def build() -> Sequence[str]:
    return ()


def open_session(configs: Sequence[str], options: Mapping[str, str]) -> KuzuSession:
    return KuzuSession(loaded("kuzu", ("ladybug", "real_ladybug")), [s for c in configs for s in CONFIGS[c]])


DOCS = "https://docs.kuzudb.com/cypher"
TESTS = "https://github.com/kuzudb/kuzu/blob/master/test/test_files"


# What an engine does and nobody but a comment in its source calls right: no documented difference, so hunts show it.
DISPUTED: Mapping[str, str] = {
    "label-on-bound-node": "joined; a comment in src/binder/bind/bind_graph_pattern.cpp says so, and Ladybug's issue 696 calls it a bug",
}


def documented(docs: str, tests: str) -> dict[str, tuple[str, str]]:
    """What Kùzu and Ladybug have in common, with the address of either's documentation."""
    aggregation = f"{docs}/query-clauses/return#group-by-and-aggregations"  # "exactly the same as SQL's semantics"
    return {
        "relationship-uniqueness": ("may be the same", f"{docs}/difference#semantics"),
        "variable-length": ("walk", f"{docs}/difference#variable-length-relationships"),
        "variable-length-limit": ("30", f"{docs}/difference#variable-length-relationships"),
        # Its copy of openCypher's tests: "tck test only returns 1 tuple. Though we shouldn't do so if the semantic of undirected is to match both"
        "undirected-loop": ("twice", f"{tests}/tck/match/match2.test"),
        "labels": ("any", f"{docs}/query-clauses/match#match-nodes-with-multiple-labels"),
        "labels-function": ("string", f"{docs}/expressions/node-rel-functions#label"),
        "sum-of-nothing": ("null", aggregation),
        "collect-of-nothing": ("null", aggregation),
        "concat-null": ("the other", "https://github.com/kuzudb/kuzu/pull/5729"),
        "list-index": ("from 1", f"{docs}/expressions/list-functions"),
        "substring": ("from 1", f"{docs}/expressions/text-functions"),
        "in-null": ("false", f"{tests}/function/list.test"),
        "quantifier-null": ("false", f"{docs}/expressions/list-functions"),  # "if the predicate doesn't hold for any element"
        "list-equality-null": ("a value", f"{tests}/tck/expressions/list/List3.test"),
        "integer-division": ("integer", f"{docs}/expressions/numeric-operators"),
    }


def facts(version: str, build: Sequence[str]) -> Mapping[str, tuple[str, str]]:
    """Documented meanings on which engines or releases differ: fact -> (value, source)."""
    numbers = tuple(int(p) for p in version.split(".")[:2] if p.isdigit())
    found = documented(DOCS, TESTS)
    if numbers < (0, 4):
        del found["concat-null"]
    return found


# Tables for the graphs of the facts' questions.
TABLES = (
    "CREATE NODE TABLE A(id INT64, s STRING, PRIMARY KEY(id))",
    "CREATE NODE TABLE B(id INT64, s STRING, PRIMARY KEY(id))",
    "CREATE REL TABLE T(FROM A TO A, id INT64)",
)
PROOFS: Mapping[str, tuple[tuple[str, ...], Mapping[str, str]]] = {
    name: ((*(TABLES if fact.setup else ()), *fact.setup, fact.question), fact.answers) for name, fact in FACTS.items()
}


def requirements(version: str) -> Sequence[str]:
    return [f"kuzu=={version}"]


def available() -> Mapping[str, str]:
    return {"kuzu": r"^(\d+\.\d+\.\d+)$"}


def environment(version: str, options: Mapping[str, str]) -> Mapping[str, str]:
    return {}


def prove(options: Mapping[str, str]) -> None:
    return None


def opening(module: str, title: str, is_in_memory: bool, statements: Sequence[str]) -> str:
    """The part of a stand-alone script that opens an empty database."""
    place = '":memory:"' if is_in_memory else '__import__("tempfile").mkdtemp() + "/db"'
    threads = "2" if any("threads" in s for s in statements) else "1"
    text = REPRO.replace("MODULE", module).replace("TITLE", title).replace("PLACE", place).replace("THREADS", threads)
    return text + "".join(f"ask({statement!r})\n" for statement in statements)


def repro(version: str, options: Mapping[str, str], configs: Sequence[str] = ()) -> str:
    numbers = tuple(int(p) for p in version.split(".")[:2] if p.isdigit())
    return opening("kuzu", "Kùzu", not version or numbers >= (0, 6), [s for c in configs for s in CONFIGS[c]])

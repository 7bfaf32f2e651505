"""Kùzu, in process; every release that has a wheel for this Python. Ladybug, its fork, derives from it."""

from __future__ import annotations

import importlib
import inspect
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from decimal import Decimal
from importlib import metadata
from typing import Any, ClassVar

from gainsay.core.answer import Answer, GaveUp, Refused, Rows
from gainsay.core.engine import Facts, Options, Session
from gainsay.engines.graph import GraphEngine, proofs_of

SOFT_MS = 5000
POOL = 128 << 20
SPACE = 1 << 32  # address space for one database; the default of 8 TB makes opening one four times dearer
KINDS = (
    ("Parser", "syntax"), ("Catalog", "name"), ("Binder", "type"), ("Conversion", "conversion"),
    ("Overflow", "overflow"),
    ("Runtime", "value"),
)  # fmt: skip
# Anywhere in a message, first match wins.
PARTS = (
    ("Implicit cast", "type"), ("does not exist", "name"), ("Cannot find "
        "property", "name"), ("not in scope", "name"), ("not supported", "missing"),
    ("not yet", "missing"), ("not implemented", "missing"), ("unsupported", "missing"),
)  # fmt: skip
# What breaks inside comes as an exception of the C++ library, or says itself that it should not have happened.
INTERNAL = (
    "Internal exception", "Assertion failed", "should never happen", "should not "
        "happen", "KU_UNREACHABLE", "unreachable", "std::", "::_M_",
    "Lambda paramName",
)  # fmt: skip
BINDER = "src/binder/bind/bind_graph_pattern.cpp"
OWN = re.compile(r"[A-Z][\w ]* exception: ")
# Tables for the graphs of the facts' questions.
TABLES = (
    "CREATE NODE TABLE A(id INT64, s STRING, PRIMARY KEY(id))",
    "CREATE NODE TABLE B(id INT64, s STRING, PRIMARY KEY(id))",
    "CREATE REL TABLE T(FROM A TO A, id INT64)",
)
FOLDER = '__import__("tempfile").mkdtemp() + "/db"'


def loaded(name: str, rivals: Sequence[str]) -> Any:
    """The binding of this name.
    Kùzu's and Ladybug's register the same C++ types: the second one to be imported crashes the process."""
    rival = next((r for r in rivals if r in sys.modules), "")
    if rival:
        raise RuntimeError(
            f"{name} can't be used in a process that has loaded {rival}: give each a process of its own."
        )
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


class KuzuSession(Session):
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
        self._home = (
            None if self._has_memory else tempfile.TemporaryDirectory(prefix="gainsay-", ignore_cleanup_errors=True)
        )
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
            is_later = hasattr(result, "has_next")
            has_next, get_next = (result.has_next, result.get_next) if is_later else (result.hasNext, result.getNext)
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

    def renew(self) -> bool:
        self._shut()
        if self._home:
            shutil.rmtree(self._place, ignore_errors=True)
        self._open()
        return True

    def close(self) -> None:
        self._shut()
        if self._home:
            self._home.cleanup()


class Kuzu(GraphEngine):
    """A configuration is statements that are run first."""

    name = "kuzu"
    dialect = "kuzu"
    package = "kuzu"
    configs = {
        "default": (),
        "no-optimizer": ("CALL enable_plan_optimizer=false",),
        "no-semi-mask": ("CALL enable_semi_mask=false",),
        "no-zone-map": ("CALL enable_zone_map=false",),
        "threads": ("CALL threads=2",),
    }
    proofs = proofs_of(TABLES)
    # Nobody but a comment in its source calls it right: no documented difference, so hunts show it.
    disputed = {
        "label-on-bound-node": f"joined; a comment in {BINDER} says so, and Ladybug's issue 696 calls it a bug",
    }
    title = "Kùzu"
    carried = (plain,)
    repro_open = """
import $module
from decimal import Decimal
db = $module.Database($place, buffer_pool_size=128 << 20)
connection = $module.Connection(db, num_threads=2 if any("threads" in text for text in $configs) else 1)
"""
    repro_ask = """
result, rows = connection.execute(text), []
while result.has_next():
    rows.append(tuple(map(plain, result.get_next())))
return rows
"""
    repro_version = 'metadata.version("$module")'
    docs: ClassVar[str] = "https://docs.kuzudb.com/cypher"
    tests: ClassVar[str] = "https://github.com/kuzudb/kuzu/blob/master/test/test_files"

    def binding(self) -> Any:
        return loaded("kuzu", ("ladybug", "real_ladybug"))

    def version(self) -> str:
        self.binding()
        return metadata.version("kuzu")

    def open_session(self, configs: Sequence[str], options: Options) -> KuzuSession:
        return KuzuSession(self.binding(), self.texts(configs))

    def documented(self) -> dict[str, tuple[str, str]]:
        """What Kùzu and Ladybug have in common, with the address of either's documentation."""
        docs, tests = self.docs, self.tests
        aggregation = f"{docs}/query-clauses/return#group-by-and-aggregations"  # "exactly the same as SQL's semantics"
        return {
            "relationship-uniqueness": ("may be the same", f"{docs}/difference#semantics"),
            "variable-length": ("walk", f"{docs}/difference#variable-length-relationships"),
            "variable-length-limit": ("30", f"{docs}/difference#variable-length-relationships"),
            # Its copy of openCypher's tests: "tck test only returns 1 tuple. Though we shouldn't do so if the semantic
            # of undirected is to match both"
            "undirected-loop": ("twice", f"{tests}/tck/match/match2.test"),
            "labels": ("any", f"{docs}/query-clauses/match#match-nodes-with-multiple-labels"),
            "labels-function": ("string", f"{docs}/expressions/node-rel-functions#label"),
            "sum-of-nothing": ("null", aggregation),
            "collect-of-nothing": ("null", aggregation),
            "concat-null": ("the other", "https://github.com/kuzudb/kuzu/pull/5729"),
            "list-index": ("from 1", f"{docs}/expressions/list-functions"),
            "substring": ("from 1", f"{docs}/expressions/text-functions"),
            "in-null": ("false", f"{tests}/function/list.test"),
            "quantifier-null": (
                "false",
                f"{docs}/expressions/list-functions",
            ),  # "if the predicate doesn't hold for any element"
            "list-equality-null": ("a value", f"{tests}/tck/expressions/list/List3.test"),
            "integer-division": ("integer", f"{docs}/expressions/numeric-operators"),
        }

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        found = self.documented()
        if numbers(version) < (0, 4):
            del found["concat-null"]
        return found

    def repro_words(self, version: str, options: Options, configs: Sequence[str]) -> Mapping[str, str]:
        is_in_memory = not version or numbers(version) >= (0, 6)
        return {"module": "kuzu", "place": '":memory:"' if is_in_memory else FOLDER}


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:3] if part.isdigit())

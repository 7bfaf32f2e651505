"""ArcadeDB, in process: a Java machine beside this Python, of which there is one in a process's life."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from gainsay.core.answer import Answer, GaveUp, Refused, Rows
from gainsay.core.engine import Configs, Facts, Options, Session
from gainsay.engines.graph import GraphEngine

CONFIGS: Configs = {
    "default": (),
    "no-plan-cache": ("arcadedb.opencypher.planCache=0", "arcadedb.opencypher.statementCache=0"),
    "no-parameters": ("arcadedb.queryLiteralParameterization=false",),
}
HEAP = "512m"
MEMORY = "/dev/shm"
# -Xrs: signals stay Python's, so that SIGTERM ends a process by sys.exit. The quick compiler and one collector thread:
# sessions are short, and
# what they compute in other threads is not ours to count. One bucket (file) for a type, and no logs: databases are made
# often and never kept.
FLAGS = (
    "-Xrs", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Darcadedb.typeDefaultBuckets=1", "-Darcadedb.txWAL=false",
    "-Darcadedb.command.timeout=5000", "-Djava.util.logging.config.file=/dev/null", "-XX:+ErrorFileToStderr",
)  # fmt: skip
KINDS = (
    ("CommandParsingException", "syntax"), ("CommandSQLParsingException", "syntax"),
    ("CommandSemanticException", "value"),
    ("ArithmeticErrorException", "value"), ("ArithmeticException", "value"), ("IllegalArgumentException", "type"),
    ("ValidationException", "constraint"), ("DuplicatedKeyException", "constraint"),
    ("NumberFormatException", "conversion"),
    ("UnsupportedOperationException", "missing"),
)  # fmt: skip
# What Java itself throws where the engine did not look; an engine says what it refuses in exceptions of its own.
INTERNAL = (
    "NullPointerException", "ClassCastException", "IndexOutOfBoundsException", "ArrayIndexOutOfBoundsException",
    "StringIndexOutOfBoundsException",
    "NegativeArraySizeException", "StackOverflowError", "ConcurrentModificationException", "NoSuchElementException",
    "IllegalStateException",
    "AssertionError", "NoClassDefFoundError", "NoSuchMethodError", "ArrayStoreException", "EmptyStackException",
)  # fmt: skip
WRITES = (
    "is not idempotent",
    "contains write operations",
    "QueryNotIdempotentException",
)  # what query() says of a statement that writes
MARKS = re.compile(
    r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`|(?P<open>[\[({])|(?P<close>[\])}])|(?P<comma>,)"
    r"|(?P<begin>\bRETURN\b(?:\s+DISTINCT\b)?)"
    r"|(?P<end>\b(?:ORDER\s+BY|SKIP|LIMIT|UNION)\b)",
    re.IGNORECASE,
)


def columns(text: str) -> tuple[str, ...]:
    """The names of what a query returns, in order; earlier releases give rows as sets of named values."""
    depth, start, found = 0, -1, list[str]()
    for mark in MARKS.finditer(text):
        kind = mark.lastgroup
        depth += (kind == "open") - (kind == "close")
        if depth or kind not in ("begin", "comma", "end"):
            continue
        if start >= 0:
            found.append(text[start : mark.start()])
        if kind == "begin":
            found = []
        start = -1 if kind == "end" or (kind == "comma" and start < 0) else mark.end()
    if start >= 0:
        found.append(text[start:])
    return tuple(re.split(r"\bAS\s+", item, flags=re.IGNORECASE)[-1].strip().strip("`;").strip() for item in found)


def plain(value: Any) -> Any:
    """A value without Java in it, which may go to another process."""
    kind = value.__class__
    if value is None or kind in (str, int, float, bool):
        return value
    if kind is list:
        return [plain(v) for v in value]
    if kind is dict:
        return {k: plain(v) for k, v in value.items()}
    return str(value)


def causes(error: BaseException | None) -> Iterator[str]:
    """Names of the exceptions that led to one, the outermost first."""
    while error is not None:
        yield type(error).__name__.rpartition(".")[2]
        error = error.__cause__


def refusal(error: BaseException) -> Answer:
    """What an exception means: Java's own are its causes, and named in its message."""
    names, message = list(causes(error)), str(error)
    for name in re.findall(r"\b(?:java|com\.arcadedb)\.[\w.$]*?(\w+(?:Exception|Error))\b", message):
        names.append(name)
    cause = str(error.__cause__ or "")
    if cause != "Java Exception" and cause not in message:
        message = f"{message}: {names[1]}: {cause}"
    if any("TimeoutException" in name for name in names):
        return GaveUp("timeout")
    if any(name in ("HeapLimitExceededException", "OutOfMemoryError") for name in names):
        return GaveUp("memory")
    is_name = "Undefined" in message or "UnknownFunction" in message
    kind = "name" if is_name else next((kind for part, kind in KINDS if part in names), "")
    if kind not in ("syntax", "name") and any(name in INTERNAL for name in names):
        return Refused("internal", message)
    return Refused(kind or "other", message)


def home() -> tempfile.TemporaryDirectory[str]:
    """A folder for databases.
    It has none in memory; a folder there is the next best, if those that killed processes left are swept away."""
    memory = MEMORY if os.access(MEMORY, os.W_OK) else tempfile.gettempdir()
    for left in Path(memory).glob("gainsay-arcadedb-*"):
        if not Path("/proc", left.name.split("-")[2]).exists():
            shutil.rmtree(left, ignore_errors=True)
    return tempfile.TemporaryDirectory(
        prefix=f"gainsay-arcadedb-{os.getpid()}-", dir=memory, ignore_cleanup_errors=True
    )


class ArcadedbSession(Session):
    """An empty database in a folder that goes with it."""

    def __init__(self, settings: Sequence[str]) -> None:
        import arcadedb_embedded
        import jpype

        self._errors: tuple[type[Exception], ...] = (arcadedb_embedded.ArcadeDBError, jpype.JException)
        self._create: Any = arcadedb_embedded.create_database
        self._home = home()
        self._opened = 0
        with contextlib.chdir(self._home.name):  # the first releases make a folder for logs where they are
            self._open()
        configure(settings)

    def _open(self) -> None:
        self._opened += 1
        self._db: Any = self._create(
            f"{self._home.name}/{self._opened}", jvm_kwargs={"heap_size": HEAP, "jvm_args": list(FLAGS)}
        )
        self._query = self._db.query

    def ask(self, text: str) -> Answer:
        try:
            found = self._query("opencypher", text).to_list()
        except self._errors as error:
            return self._write(text) if any(part in str(error) for part in WRITES) else refusal(error)
        if not found:
            return Rows([])
        names = columns(text)
        if len(names) != len(found[0]) or any(n not in found[0] for n in names):
            names = tuple(found[0])  # text that we can't take apart, or that names no columns
        return Rows([tuple([plain(row.get(n)) for n in names]) for row in found])

    def _write(self, text: str) -> Answer:
        try:
            with self._db.transaction():
                self._db.command("opencypher", text)
            return Rows([])
        except self._errors as error:
            return refusal(error)

    def renew(self) -> bool:
        self._db.drop()
        self._open()
        return True

    def close(self) -> None:
        self._db.drop()
        self._home.cleanup()


def configure(settings: Sequence[str]) -> None:
    """Give the engine's settings their values, and all others that a configuration may have changed their defaults."""
    import jpype

    jpype.JClass("java.util.logging.LogManager").getLogManager().reset()  # it would tell of every index that is built
    table: Any = jpype.JClass("com.arcadedb.GlobalConfiguration")
    chosen = dict(s.split("=", 1) for s in settings)
    for key in sorted({s.split("=", 1)[0] for c in CONFIGS.values() for s in c}):
        entry = table.findByKey(key)
        if entry is None:
            if key in chosen:
                raise RuntimeError(f"This release of ArcadeDB has no setting {key}: choose another configuration.")
            continue
        if key in chosen:
            entry.setValue(chosen[key])
        else:
            entry.reset()


class ArcadeDB(GraphEngine):
    """A configuration is settings, which hold for the whole process."""

    name = "arcadedb"
    dialect = "arcadedb"
    package = "arcadedb-embedded"
    configs = CONFIGS
    configs_are_statements = False
    title = "ArcadeDB"
    repro_open = """
import tempfile
import arcadedb_embedded
machine = {"heap_size": "512m", "jvm_args": [*$flags, *("-D" + setting for setting in $configs)]}
db = arcadedb_embedded.create_database(tempfile.mkdtemp() + "/db", jvm_kwargs=machine)
"""
    repro_ask = """
try:
    return [tuple(row.values()) for row in db.query("opencypher", text).to_list()]
except arcadedb_embedded.ArcadeDBError as error:
    if "idempotent" not in str(error).lower() and "contains write operations" not in str(error):
        raise
with db.transaction():
    db.command("opencypher", text)
return []
"""
    repro_version = "arcadedb_embedded.__version__"

    def open_session(self, configs: Sequence[str], options: Options) -> ArcadedbSession:
        return ArcadedbSession(self.texts(configs))

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        docs = "https://github.com/ArcadeData/arcadedb-docs/blob/main/src/main/asciidoc/reference/cypher"
        return {
            "variable-length": ("trail", f"{docs}/cypher-clauses.adoc#path-mode-walk-trail-acyclic"),
            "substring": ("from 0", f"{docs}/cypher-expressions.adoc#substring"),
        }

    def available(self) -> Mapping[str, str]:
        return {"arcadedb-embedded": r"^(\d+\.\d+\.\d+(?:\.post\d+)?)$"}

    def repro_words(self, version: str, options: Options, configs: Sequence[str]) -> Mapping[str, str]:
        return {"flags": repr([flag for flag in FLAGS if flag.startswith("-D") and "timeout" not in flag])}

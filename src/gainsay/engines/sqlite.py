"""SQLite: the standard library's module, any libsqlite3 by path (?lib=), or a released wheel (@version)."""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from gainsay.core.answer import Answer, GaveUp, Refused, Rows
from gainsay.core.engine import Engine, Facts, Options, Proofs, Session

# pysqlite3-binary's wheels are plain builds; its version numbers say nothing of SQLite's.
WHEELS = {
    "3.39.4": "0.4.7.post8", "3.40.0": "0.5.0", "3.42.0": "0.5.1", "3.43.1": "0.5.2", "3.44.2": "0.5.2.post2",
    "3.45.0": "0.5.2.post3", "3.46.0": "0.5.3", "3.46.1": "0.5.4", "3.51.1": "0.5.4.post2",
}  # fmt: skip
MODULE = "GAINSAY_SQLITE_MODULE"
CONTROL = ".testctrl optimizations "  # as the sqlite3 shell has it
INTERNAL = ("disk image is malformed", "internal error")
UNPLANNED = "no query solution"
KINDS = (
    ("syntax error", "syntax"), ("no such", "name"), ("ambiguous", "name"), ("constraint", "constraint"),
    ("overflow", "overflow"),
    ("too many", "limit"), ("too big", "limit"), ("misuse of aggregate", "misuse"), ("datatype mismatch", "type"),
)  # fmt: skip
STEPS, TICKS = (
    20_000,
    100,
)  # the soft limit counts the engine's own instructions, so it falls at the same place in every run
SWITCHES = re.compile(r"ENABLE_|OMIT_|LIKE_|DQS|CASE_SENSITIVE|DISABLE_")  # compile options that change answers

# How a reproducer comes by a connection
BY_SQLITE3 = {
    "library": "import sqlite3",
    "connection": 'sqlite3.connect(":memory:", isolation_level=None, cached_statements=0)',
    "number": "sqlite3.sqlite_version",
}
BY_APSW = {
    "library": "import apsw",
    "connection": 'apsw.Connection(":memory:")',
    "number": 'next(apsw.Connection(":memory:").cursor().execute("SELECT sqlite_version()"))[0] + " (apsw)"',
}
PRELOAD = """LIB = os.environ.get("SQLITE_LIB", {lib!r})  # SQLITE_LIB= (empty) runs on this Python's own SQLite
if LIB and LIB not in os.environ.get("LD_PRELOAD", ""):
    os.execve(sys.executable, [sys.executable, *sys.argv], dict(os.environ, LD_PRELOAD=LIB))
import sqlite3"""
WHEEL = """try:
    import pysqlite3 as sqlite3
except ImportError:
    import sqlite3"""
# Fact -> a question, and the answer by which each value is known. Probes verify `facts`; they never invent it.
PROOFS: Proofs = {
    "like-blob": ("SELECT x'61' LIKE 'A'", {"never": "[(0,)]", "as text": "[(1,)]"}),
    "like-case": ("SELECT 'a' LIKE 'A'", {"insensitive": "[(1,)]"}),
    "division": ("SELECT 3 / 2, 1 / 0", {"integers truncate, by zero is NULL": "[(1, None)]"}),
    "modulo-zero": ("SELECT 5 % 0", {"NULL": "[(None,)]"}),
    "cast-text": ("SELECT CAST('1x' AS INTEGER)", {"longest numeric prefix": "[(1,)]"}),
    "row-null": ("SELECT (1, NULL) = (1, NULL)", {"NULL unless decided": "[(None,)]"}),
    "substr-negative": ("SELECT SUBSTR('abc', 3, -1)", {"counts from the end": "[('b',)]"}),
    "instr-empty": ("SELECT INSTR('a', '')", {"1": "[(1,)]"}),
    "replace-empty": ("SELECT REPLACE('a', '', 'b')", {"unchanged": "[('a',)]"}),
    "round-half": ("SELECT ROUND(-0.5), ROUND(0.5)", {"away from zero": "[(-1.0, 1.0)]"}),
    "real-digits": ("SELECT LOWER(1 / 3.0)", {"15": "[('0.333333333333333',)]", "17": "[('0.33333333333333332',)]"}),
    "hex-null": ("SELECT HEX(NULL)", {"empty": "[('',)]"}),
    "printf-null": ("SELECT PRINTF('%s', NULL)", {"empty": "[('',)]"}),
    "type-names": ("SELECT TYPEOF(1)", {"the storage class": "[('integer',)]"}),
}


def refusal(message: str, text: str = "") -> Answer:
    """What an error message means. INDEXED BY is a requirement: where its index can't be used, the manual has the
    statement fail."""
    low = message.lower()
    if "interrupted" in low:
        return GaveUp("timeout")
    if "out of memory" in low:
        return GaveUp("memory")
    if UNPLANNED in low and "INDEXED BY" in text:
        return Refused("index", message)
    if UNPLANNED in low or any(part in low for part in INTERNAL):
        return Refused("internal", message)
    return Refused(next((kind for part, kind in KINDS if part in low), "other"), message)


def optimizations(db: Any) -> Callable[[int], Any]:
    """What the shell's .testctrl does: turn optimizations off, by sqlite3_test_control, which no module of Python has.
    A connection object begins with its reference count, its type, and the pointer to SQLite's own."""
    import ctypes
    import sys

    module = sys.modules.get(type(db).__module__.partition(".")[0] + "._sqlite3") or sys.modules["_sqlite3"]
    preloaded = any(name in os.environ.get("LD_PRELOAD", "") for name in ("sqlite", "doltlite"))
    library = ctypes.CDLL(None if preloaded else module.__file__)
    handle = ctypes.c_void_p.from_address(id(db) + 16)
    return lambda mask: library.sqlite3_test_control(ctypes.c_int(15), handle, ctypes.c_uint(mask))


class SqliteSession(Session):
    """An empty database in memory, through a module like the standard library's."""

    def __init__(self, db: Any, error: type[Exception], statements: Sequence[str]) -> None:
        self._error = error
        self._db = db
        self._execute = db.execute
        self._ticks = 0
        self._turn: Callable[[int], Any] | None = None  # made once it is needed: finding the library takes long
        self._watch()
        for statement in statements:
            self._execute(statement)

    def _watch(self) -> None:
        """Have the engine's own instructions counted."""
        self._db.set_progress_handler(self._tick, STEPS)

    def _tick(self) -> bool:
        self._ticks += 1
        return self._ticks > TICKS

    def ask(self, text: str) -> Answer:
        self._ticks = 0
        if text.startswith(CONTROL):
            return self._control(int(text.removeprefix(CONTROL), 0))
        try:
            return Rows(self._execute(text).fetchall())
        except self._error as error:
            return refusal(self._words(error), text)
        except (MemoryError, OverflowError, UnicodeError, ValueError) as error:
            return Refused("binding", str(error))
        except SystemError:  # some releases' binding loses the words in which a constraint is said to fail
            return Refused("binding", "the binding lost the words of an error")

    def _control(self, mask: int) -> Answer:
        try:
            self._turn = self._turn or optimizations(self._db)
            self._turn(mask)
        except (AttributeError, OSError) as error:
            return Refused("missing", str(error))
        return Rows([])

    def _words(self, error: Exception) -> str:
        return str(error)

    def close(self) -> None:
        self._db.close()


class SQLite(Engine):
    """The module that this process was started for: the standard library's, pysqlite3 or apsw."""

    name = "sqlite"
    family = "sql"
    dialect = "sqlite"
    options = {"lib": "path of a libsqlite3 shared library, SQLite 3.25 or later"}
    old_releases = "name a library with --on 'sqlite?lib=PATH', or build them with 'make ladder'"
    configs = {
        "default": (),
        "no-automatic-index": ("PRAGMA automatic_index = 0",),
        "reverse": ("PRAGMA reverse_unordered_selects = 1",),
        "utf16": ("PRAGMA encoding = 'UTF-16le'",),
    }
    proofs = PROOFS
    title = "SQLite"
    carried: ClassVar[Sequence[Callable[..., Any]]] = (optimizations,)
    repro_open = """
import os, sys
$library
db = $connection
"""
    repro_ask = f"""
if text.startswith({CONTROL!r}):  # as in the sqlite3 shell
    optimizations(db)(int(text.split()[-1], 0))
    return []
return list(db.execute(text))
"""
    repro_version = "$number"

    def open_session(self, configs: Sequence[str], options: Options) -> Session:
        chosen = os.environ.get(MODULE) or "sqlite3"
        if chosen == "apsw":
            from gainsay.engines.apsw import ApswSession

            return ApswSession(self.texts(configs))
        module = importlib.import_module(chosen)
        # A cache of prepared statements would only cost: no text is asked twice.
        db = module.connect(":memory:", isolation_level=None, cached_statements=0)
        return SqliteSession(db, module.Error, self.texts(configs))

    def version(self) -> str:
        chosen = os.environ.get(MODULE) or "sqlite3"
        if chosen == "apsw":
            from gainsay.engines.apsw import library_version

            return library_version()
        return str(importlib.import_module(chosen).sqlite_version)

    def build(self) -> Sequence[str]:
        """Compile options that change answers or what is built in."""
        return sorted(row[0] for row in self._rows("PRAGMA compile_options") if SWITCHES.match(row[0]))

    def _rows(self, text: str) -> list[Any]:
        session = self.open_session((), {})
        answer = session.ask(text)
        session.close()
        return answer.rows if isinstance(answer, Rows) else []

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        numbers = tuple(int(p) for p in version.split(".") if p.isdigit())
        blobs = "never" if "LIKE_DOESNT_MATCH_BLOBS" in build else "as text"
        operators = "https://www.sqlite.org/lang_expr.html#operators_and_parse_affecting_attributes"
        return {
            "like-blob": (blobs, "https://www.sqlite.org/compile.html#like_doesnt_match_blobs"),
            "like-case": ("insensitive", "https://www.sqlite.org/lang_expr.html#like"),
            "division": ("integers truncate, by zero is NULL", operators),
            "modulo-zero": ("NULL", operators),
            "cast-text": ("longest numeric prefix", "https://www.sqlite.org/lang_expr.html#castexpr"),
            "real-digits": ("17" if numbers >= (3, 53) else "15", "https://www.sqlite.org/changes.html#version_3_53_0"),
            "hex-null": ("empty", "https://www.sqlite.org/lang_corefunc.html#hex"),
            "printf-null": ("empty", "https://www.sqlite.org/printf.html"),
            "collation-rules": (
                "of a column or an explicit COLLATE",
                "https://www.sqlite.org/datatype3.html#collating_sequences",
            ),
            "type-names": ("the storage class", "https://www.sqlite.org/lang_corefunc.html#typeof"),
            "cast-real-text": ("at most 15 or 17 digits", "https://www.sqlite.org/lang_expr.html#castexpr"),
            "row-null": ("NULL unless decided", "https://www.sqlite.org/rowvalue.html"),
            "substr-negative": ("counts from the end", "https://www.sqlite.org/lang_corefunc.html#substr"),
            "instr-empty": ("1", "https://www.sqlite.org/lang_corefunc.html#instr"),
            "replace-empty": ("unchanged", "https://www.sqlite.org/lang_corefunc.html#replace"),
            "round-half": ("away from zero", "https://www.sqlite.org/lang_corefunc.html#round"),
            "trailing-space": ("counts", "https://www.sqlite.org/datatype3.html#collating_sequences"),
            "nan-order": ("no NaN", "https://www.sqlite.org/datatype3.html"),
        }

    def requirements(self, version: str) -> Sequence[str]:
        """What brings this version, the plain build first."""
        wheels = [f"pysqlite3-binary=={WHEELS[version]}"] if version in WHEELS else []
        return [*wheels, f"apsw=={version}.0"]

    def available(self) -> Mapping[str, str]:
        return {"apsw": r"^(\d+\.\d+\.\d+)\.\d+$"}

    def environment(self, version: str, options: Options) -> Mapping[str, str]:
        if options.get("lib"):
            return {"LD_PRELOAD": os.path.abspath(options["lib"]), MODULE: ""}
        if version:
            return {MODULE: "pysqlite3" if version in WHEELS else "apsw"}
        return {MODULE: ""}

    def prove(self, options: Options) -> None:
        """Raise unless the library that was named is the one that answers."""
        if not options.get("lib"):
            return
        import ctypes

        path = os.path.realpath(options["lib"])
        library = ctypes.CDLL(path)
        library.sqlite3_sourceid.restype = ctypes.c_char_p
        named = library.sqlite3_sourceid().decode()
        running = self._rows("SELECT sqlite_source_id()")[0][0]
        if running != named:
            raise RuntimeError(
                f"{path} is SQLite {named[:19]}, but this Python's sqlite3 module runs {running[:19]}:"
                " the module has its own copy linked in. Use a Python whose sqlite3 links libsqlite3 dynamically."
            )

    def repro_words(self, version: str, options: Options, configs: Sequence[str]) -> Mapping[str, str]:
        if options.get("lib"):
            return {**BY_SQLITE3, "library": PRELOAD.format(lib=os.path.abspath(options["lib"]))}
        if not version:
            return BY_SQLITE3
        requirement = self.requirements(version)[0]
        words = {**BY_SQLITE3, "library": WHEEL} if version in WHEELS else BY_APSW
        comment = f"# {requirement} brings this version: pip install {requirement}"
        return {**words, "library": f"{comment}\n{words['library']}"}

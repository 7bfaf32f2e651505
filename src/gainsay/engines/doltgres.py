"""Doltgres: a server of our own, from a program on PATH or ?bin=, or one that runs already."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from pathlib import Path

from gainsay.core.answer import Answer
from gainsay.core.engine import Facts, Options, Proofs
from gainsay.engines import go_servers, postgres_wire, postgresql, server
from gainsay.engines.postgres_wire import PostgresWire
from gainsay.engines.postgresql import PostgreSQL
from gainsay.engines.sql_server import OURS, House, OwnServer, Place, Wire, listed, options_of

# Its only listener that can be turned off is the socket: the port wants a password, which only we know.
SETTINGS = """log_level: error
listener:
  host: 127.0.0.1
  port: {port}
  socket: {folder}/.s.PGSQL.5432
data_dir: {folder}/data
"""
# What it does otherwise than PostgreSQL's manual says, which is all that it documents: not compared with others.
DENIED = ("collation-rules", "text-order", "greatest-null")
PROOFS: Proofs = {name: proof for name, proof in postgresql.PROOFS.items() if name not in DENIED}
PURGED = 20  # scenes


class DoltgresWire(PostgresWire):
    """A connection to a server that has no limit of time and no way to end a question."""

    def __init__(self, parameters: dict[str, str]) -> None:
        super().__init__(parameters, go_servers.SOFT_S)

    def run(self, texts: Sequence[str]) -> list[Answer]:
        return [go_servers.sorted_by_words(answer) for answer in super().run(texts)]


class OwnDoltgres(OwnServer):
    """doltgres on a Unix socket in its own folder."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.password = secrets.token_hex(16)
        try:
            self._start(path)
        except BaseException:
            self.end()
            raise

    def _start(self, path: str) -> None:
        settings = Path(self.folder) / "config.yaml"
        settings.write_text(SETTINGS.format(folder=self.folder, port=server.free_port()))
        environment = {**go_servers.environment(self.folder), "DOLTGRES_PASSWORD": self.password}
        words = ["-config", str(settings)]
        self.process = server.Server(path, words, "", self.folder, environment=environment, is_nobody=True)
        self.awaited(path)

    def parameters(self) -> dict[str, str]:
        return {"host": self.folder, "user": "postgres", "password": self.password, "dbname": "postgres"}

    def wire(self) -> DoltgresWire:
        return DoltgresWire({**self.parameters(), "client_encoding": "utf8"})


class DoltgresHouse(House):
    """A database for each session: a schema with tables in it can't be dropped."""

    room = "database"
    reconnected = 1  # a temporary table and a setting last as long as their connection
    alarming = go_servers.GoHouse.alarming

    def __init__(self, engine: go_servers.OneProgram, options: Options) -> None:
        self.theirs = engine.theirs(options)
        self._path = engine.path

    def start(self) -> OwnServer:
        return OwnDoltgres(go_servers.installed(self._path()))

    def connect(self, own: OwnServer | None) -> Wire:
        if isinstance(own, OwnDoltgres):
            return own.wire()
        assert self.theirs is not None
        return postgres_wire.connect(self.theirs, "doltgres", DoltgresWire)

    def emptied(self, name: str) -> Sequence[str]:
        home = self.theirs.database if self.theirs and self.theirs.database else "postgres"
        dropped = f"DROP DATABASE IF EXISTS {name}"
        return (f"USE {home}", dropped, f"CREATE DATABASE {name}", f"USE {name}")

    def tuned(self) -> Sequence[str]:
        return ("SET dolt_optimize_json = 1",)

    def left(self, name: str) -> Sequence[str]:
        return self.emptied(name)[:2]

    def grant(self) -> str:
        return "ALTER ROLE ... CREATEDB"

    def claimed(self, name: str) -> Sequence[str]:
        return (f"SELECT get_lock('{name}', 0)",) if self.theirs else ()

    def others(self, wire: Wire) -> Sequence[str]:
        return postgresql.others(wire)

    def forgotten(self, wire: Wire) -> Sequence[str]:
        return [name for name in ours(wire) if listed(wire, f"SELECT is_free_lock('{name}')") == [1]]

    def in_use(self, wire: Wire) -> Sequence[str]:
        return [name for name in ours(wire) if listed(wire, f"SELECT is_free_lock('{name}')") == [0]]

    def died(self, own: OwnServer, log: str) -> tuple[str, str]:
        found = re.search(r"panic: (.*)", log)
        signal, told = super().died(own, log)
        return (f"panic: {found[1]}" if found else signal), told

    def upkeep(self, scenes: int) -> Sequence[str]:
        return ("SELECT dolt_purge_dropped_databases()",) if scenes % PURGED == 0 else ()


def ours(wire: Wire) -> list[str]:
    """The databases of ours."""
    return [name for name in listed(wire, "SELECT datname FROM pg_database") if name.startswith(OURS)]


class Doltgres(go_servers.OneProgram, PostgreSQL):
    """A configuration is statements for the connection."""

    name = "doltgres"
    program = "doltgres"
    remedy = "Install Doltgres (docs.doltgres.com/introduction/installation)"
    version_argument = "--version"
    dialect = "doltgres"
    package = ""
    is_archive = False
    version_question = "SELECT dolt_version()"
    options = options_of("doltgres", "postgresql", 5432)
    configs = {"default": (), "plain-json": ("SET dolt_optimize_json = 0",)}
    proofs = PROOFS
    old_releases = "build one, and name its folder: doltgres?bin=FOLDER"

    def house(self, configs: Sequence[str], options: Options) -> House:
        return DoltgresHouse(self, options)

    def connected(self, theirs: Place) -> Wire:
        return postgres_wire.connect(theirs, self.name, DoltgresWire)

    def is_preferred(self) -> bool:
        return False

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        return {name: fact for name, fact in super().facts(version, build).items() if name not in DENIED}

    def repro(self, version: str, options: Options, configs: Sequence[str]) -> str:
        theirs = self.theirs(options)
        words = {"where": postgresql.where_of(theirs) if theirs else "", "own": "" if theirs else OWN}
        words |= {"variable": f"GAINSAY_{self.name.upper()}_PASSWORD", "decoders": postgresql.decoders()}
        text = postgresql.OPENING.format(head=HEAD.format(**words), **words)
        return text + BEGUN + "".join(f"ask({each!r})\n" for each in self.texts(configs))


HEAD = "# It needs a server: one of yours, by PGDATABASE_URL and {variable}; or gainsay, which starts one."
OWN = """
own = None
if not WHERE:
    from gainsay.core import registry
    own = registry.engine("doltgres").house((), {}).start()
    WHERE = " ".join(k + "=" + v for k, v in own.parameters().items())
""".lstrip()
BEGUN = """
VERSION = "Doltgres " + ask("SELECT dolt_version()")[0][0]
ask("DROP DATABASE IF EXISTS gainsay_repro")
ask("CREATE DATABASE gainsay_repro")
ask("USE gainsay_repro")
""".lstrip()

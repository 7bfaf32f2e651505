"""OceanBase seekdb: a server of our own, by the program that its package brings, or one that runs already."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from gainsay.core.answer import GaveUp
from gainsay.core.engine import Engine, Facts, Options
from gainsay.engines import mysql_wire, server
from gainsay.engines.mysql import MYSQL_PROOFS, PADDED, facts_of, opened
from gainsay.engines.mysql_wire import MysqlEngine, MysqlHouse, MysqlWire, OwnMysql
from gainsay.engines.sql_server import House, OwnServer, Place, Wire, options_of

ARGUMENTS = (
    "--base-dir={folder}", "--embedded", "--nodaemon", "--log-level=ERROR", "--parameter", "memory_limit=1G",
    "--parameter", "log_disk_size=2G",
)  # fmt: skip
RESETS = ("SET ob_query_timeout = 5000000", "SET cte_max_recursion_depth = 4294967295")


class SeekWire(MysqlWire):
    """OceanBase has numbers of its own beside MySQL's."""

    numbers = {
        **MysqlWire.numbers,
        "internal": (*MysqlWire.numbers["internal"], 600, 4016, 4377),
        "timeout": (*MysqlWire.numbers["timeout"], 4012),
        "memory": (*MysqlWire.numbers["memory"], 4013, 4030),
    }


class OwnSeek(OwnMysql):
    """An embedded server ends when nobody holds a lock on its list of clients: we are one."""

    def __init__(self, program: str, environment: Mapping[str, str]) -> None:
        super().__init__(program, ARGUMENTS, environment)
        run = Path(self.folder) / "run"
        run.mkdir()
        self._clients = open(run / "seekdb.clients", "a+")  # noqa: SIM115 # as long-lived as the server
        fcntl.flock(self._clients, fcntl.LOCK_SH)
        server.hand_over(run)
        self.socket = f"{run}/sql.sock"

    def start(self) -> None:
        """It answers some seconds before it knows names, and a question that has one waits until then."""
        super().start()
        wire = self.wire()
        try:
            wire.run(["SET ob_query_timeout = 100000"])
            until = time.monotonic() + server.START_S
            while isinstance(wire.run(["SELECT no_such_name"])[0], GaveUp) and time.monotonic() < until:
                time.sleep(0.1)
        finally:
            wire.close()

    def wire(self) -> MysqlWire:
        return SeekWire(unix_socket=self.socket, user="root")

    def end(self) -> None:
        super().end()
        self._clients.close()


class SeekHouse(MysqlHouse):
    """The program beside the package's module."""

    reconnected = 1  # a setting lasts as long as its connection

    def start(self) -> OwnServer:
        import seekdb

        home = Path(seekdb.__file__).parent
        found = Path(server.reachable(str(home), "seekdb"))
        libraries = f"{found}:{server.reachable(str(home.parent / 'seekdb.libs'), 'seekdb-libs')}"
        own = OwnSeek(f"{found}/seekdb", {**os.environ, "LD_LIBRARY_PATH": libraries, "TZ": "UTC"})
        own.start()
        return own

    def connect(self, own: OwnServer | None) -> Wire:
        if isinstance(own, OwnSeek):
            return own.wire()
        assert self.theirs is not None
        return mysql_wire.connect(self.theirs, self._engine, SeekWire)


class Seekdb(MysqlEngine):
    """A configuration is statements for the connection."""

    name = "seekdb"
    dialect = "seekdb"
    package = "seekdb"
    version_question = "SELECT SUBSTRING_INDEX(VERSION(), 'seekdb-v', -1)"
    options = options_of("seekdb", "mysql", 2881)
    port = 2881
    takes_seconds = True
    configs = {
        "default": (),
        "no-rewriting": ("SET ob_enable_transformation = 0",),
        "no-plan-cache": ("SET ob_enable_plan_cache = 0",),
    }
    by_hand = """
pip install seekdb
python -c 'import seekdb, time; kept = seekdb.open(db_dir="/tmp/repro"); time.sleep(99999)' &
MYSQL_SOCKET=/tmp/repro/run/sql.sock MYSQL_USER=root python repro.py
"""
    proofs = MYSQL_PROOFS

    def house(self, configs: Sequence[str], options: Options) -> House:
        return SeekHouse(self.theirs(options), self.name, RESETS, PADDED)

    def connected(self, theirs: Place) -> Wire:
        return mysql_wire.connect(theirs, self.name, SeekWire)

    def own_version(self) -> str:
        return Engine.version(self)

    def available(self) -> Mapping[str, str]:
        return {self.package: r"^(\d+\.\d+\.\d+\S*)$"}

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        return facts_of("ignored")

    def repro(self, version: str, options: Options, configs: Sequence[str]) -> str:
        theirs = self.theirs(options)
        number = 'ask("SELECT VERSION()")[0][0].rpartition("seekdb-v")[2]'
        if theirs is None:
            number = '__import__("importlib.metadata").metadata.version("seekdb")'
        return opened(self, theirs, PADDED, configs, number)

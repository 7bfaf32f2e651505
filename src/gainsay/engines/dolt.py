"""Dolt: a server of our own, from a program on PATH or ?bin=, or one that runs already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gainsay.core.answer import Rows
from gainsay.core.engine import Facts, Options, Proofs
from gainsay.engines import go_servers, mysql_wire
from gainsay.engines.mysql import MYSQL_PROOFS, facts_of, opened
from gainsay.engines.mysql_wire import MysqlEngine
from gainsay.engines.sql_server import House, options_of

VARIABLE = "GAINSAY_DOLT_BIN"
COLLATION = "utf8mb4_0900_bin"
REMEDY = "Install Dolt (docs.dolthub.com/introduction/installation)"
ARGUMENTS = ("sql-server", "--data-dir={folder}", "-H127.0.0.1", "-P{port}", "--socket={folder}/s", "-lerror")
# What it does otherwise than MySQL's manual says, which is all that it documents: not compared with others.
DENIED = ("row-null", "like-case", "round-half", "collation-rules")
PROOFS: Proofs = {name: proof for name, proof in MYSQL_PROOFS.items() if name not in DENIED}
PURGED = 20  # scenes


class DoltHouse(go_servers.GoHouse):
    """A database that is dropped is kept beside the others until it is purged."""

    def command(self) -> tuple[str, Sequence[str]]:
        return go_servers.program("dolt", VARIABLE, REMEDY), ARGUMENTS

    def upkeep(self, scenes: int) -> Sequence[str]:
        return ("CALL dolt_purge_dropped_databases()",) if scenes % PURGED == 0 else ()


class Dolt(MysqlEngine):
    """A configuration is statements for the connection."""

    name = "dolt"
    dialect = "dolt"
    options = options_of("dolt", "mysql", 3306)
    configs = {
        "default": (),
        "no-merge-join": ("SET disable_merge_join = 1",),
        "joins-in-memory": ("SET inmemory_joins = 1",),
        "plain-json": ("SET dolt_optimize_json = 0",),
    }
    proofs = PROOFS
    old_releases = "build one, and name its folder: dolt?bin=FOLDER"

    def house(self, configs: Sequence[str], options: Options) -> House:
        return DoltHouse(self.theirs(options), self.name, (), COLLATION)

    def version(self) -> str:
        theirs = self.theirs({})
        if theirs is None:
            return go_servers.version_of(go_servers.program("dolt", VARIABLE, REMEDY), "version")
        wire = mysql_wire.connect(theirs, self.name)
        try:
            (answer,) = wire.run(["SELECT dolt_version()"])
        finally:
            wire.close()
        return str(answer.rows[0][0]) if isinstance(answer, Rows) else "unknown"

    def requirements(self, version: str) -> Sequence[str]:
        return []

    def available(self) -> Mapping[str, str]:
        return {}

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        return {name: fact for name, fact in facts_of("counts").items() if name not in DENIED}

    def repro(self, version: str, options: Options, configs: Sequence[str]) -> str:
        text = opened(self, self.theirs(options), "Dolt", COLLATION, configs)
        # A sum of integers is a DOUBLE here
        text = text.replace("FIELD_TYPE.NEWDECIMAL: decimal", "FIELD_TYPE.NEWDECIMAL: decimal, FIELD_TYPE.DOUBLE: real")
        real = 'def real(text):\n    return int(text) if text.lstrip("-").isdigit() else float(text)\nHOW ='
        return text.replace("SELECT VERSION()", "SELECT dolt_version()").replace("HOW =", real)

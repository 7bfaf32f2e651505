"""Dolt: a server of our own, from a program on PATH or ?bin=, or one that runs already."""

from __future__ import annotations

from collections.abc import Sequence

from gainsay.core.engine import Facts, Options, Proofs
from gainsay.engines import go_servers
from gainsay.engines.mysql import MYSQL_PROOFS, facts_of, opened
from gainsay.engines.mysql_wire import MysqlEngine
from gainsay.engines.sql_server import House, options_of

COLLATION = "utf8mb4_0900_bin"
# What it does otherwise than MySQL's manual says, which is all that it documents: not compared with others.
DENIED = ("row-null", "like-case", "round-half", "collation-rules")
PROOFS: Proofs = {name: proof for name, proof in MYSQL_PROOFS.items() if name not in DENIED}
PURGED = 20  # scenes


class DoltHouse(go_servers.GoHouse):
    """A database that is dropped is kept beside the others until it is purged."""

    arguments = ("sql-server", "--data-dir={folder}", "-H127.0.0.1", "-P{port}", "--socket={folder}/s", "-lerror")
    password_variable = "DOLT_ROOT_PASSWORD"

    def upkeep(self, scenes: int) -> Sequence[str]:
        return ("CALL dolt_purge_dropped_databases()",) if scenes % PURGED == 0 else ()


class Dolt(go_servers.OneProgram, MysqlEngine):
    """A configuration is statements for the connection."""

    name = "dolt"
    title = "Dolt"
    dialect = "dolt"
    program = "dolt"
    remedy = "Install Dolt (docs.dolthub.com/introduction/installation)"
    version_question = "SELECT dolt_version()"
    options = options_of("dolt", "mysql", 3306)
    configs = {
        "default": (),
        "no-merge-join": ("SET disable_merge_join = 1",),
        "joins-in-memory": ("SET inmemory_joins = 1",),
        "plain-json": ("SET dolt_optimize_json = 0",),
    }
    proofs = PROOFS
    by_hand = """
mkdir /tmp/repro
dolt sql-server --data-dir=/tmp/repro -H 127.0.0.1 -P 3307 &
MYSQL_HOST=127.0.0.1 MYSQL_PORT=3307 MYSQL_USER=root python repro.py
"""
    old_releases = "build one, and name its folder: dolt?bin=FOLDER"

    def house(self, configs: Sequence[str], options: Options) -> House:
        return DoltHouse(self, options, (), COLLATION)

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        return {name: fact for name, fact in facts_of("counts").items() if name not in DENIED}

    def repro(self, version: str, options: Options, configs: Sequence[str]) -> str:
        number = 'ask("SELECT dolt_version()")[0][0].partition("-")[0]'
        text = opened(self, self.theirs(options), COLLATION, configs, number)
        # A sum of integers is a DOUBLE here
        text = text.replace("FIELD_TYPE.NEWDECIMAL: decimal", "FIELD_TYPE.NEWDECIMAL: decimal, FIELD_TYPE.DOUBLE: real")
        real = 'def real(text):\n    return int(text) if text.lstrip("-").isdigit() else float(text)\nHOW ='
        return text.replace("HOW =", real)

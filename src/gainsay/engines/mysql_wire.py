"""MySQL's protocol through PyMySQL: for MySQL, MariaDB and all that speak it; and servers of ours that do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, ClassVar

from gainsay.core.answer import Answer, GaveUp, Refused, Rows
from gainsay.core.engine import NotLetIn
from gainsay.engines import server
from gainsay.engines.served_engine import ServedEngine
from gainsay.engines.sql_server import (
    OURS,
    House,
    Lost,
    OwnServer,
    Place,
    Unreachable,
    Wire,
    listed,
)

# Numbers of errors -> the kind of refusal
KINDS: Mapping[str, tuple[int, ...]] = {
    "syntax": (1064, 1149), "name": (1054, 1146, 1305, 1049, 1051, 1091), "overflow": (1264, 1690, 1441),
    "constraint": (1062, 1048, 1452, 3819, 4025, 1364), "conversion": (1366, 1292, 1411, 1406, 3141, 4038),
    "missing": (1235, 1178, 1289, 1112, 1221), "internal": (1815, 1105, 1030, 1712, 126, 1034, 1194, 1195),
    "permission": (1044, 1045, 1142, 1227),
    "type": (1222, 1241, 1210, 1271, 1267, 1270),
}  # fmt: skip
TIMEOUT, MEMORY = (3024, 1969, 1317, 1028), (1041, 1037, 1038, 1135)
AWAY = (2006, 2013, 2014, 2055, 1053, 1927, 0)
GREETING_S = 10  # a port may be held by something that never says a word


def decimal(text: str) -> Any:
    return Decimal(text) if "." in text else int(text)


class MysqlWire(Wire):
    """A connection to a server that speaks MySQL's protocol."""

    numbers: ClassVar[Mapping[str, tuple[int, ...]]] = {**KINDS, "timeout": TIMEOUT, "memory": MEMORY}

    @staticmethod
    def real(text: str) -> Any:
        """How a DOUBLE is read."""
        return float(text)

    def __init__(self, **parameters: Any) -> None:
        import pymysql
        from pymysql.constants import CLIENT, FIELD_TYPE
        from pymysql.converters import conversions

        self._error: tuple[type[BaseException], ...] = (pymysql.err.MySQLError, OSError)
        # A sum of integers is a DECIMAL without a fraction
        reals = {FIELD_TYPE.DOUBLE: self.real, FIELD_TYPE.FLOAT: self.real}
        conv = {**conversions, **reals, FIELD_TYPE.NEWDECIMAL: decimal, FIELD_TYPE.DECIMAL: decimal}
        try:
            self._connection: Any = pymysql.connect(
                charset="utf8mb4",
                autocommit=True,
                client_flag=CLIENT.MULTI_STATEMENTS,
                conv=conv,
                ssl_disabled=True,
                connect_timeout=5,
                read_timeout=GREETING_S,
                **parameters,
            )
            self._connection._read_timeout = None  # a question has limits of its own
        except self._error as error:
            number, message = told(error)
            if number in (1045, 1698):
                raise NotLetIn(message) from None
            if number in (1044, 1049):
                raise RuntimeError(message) from None
            raise Unreachable(message) from None
        except RuntimeError:  # PyMySQL's, for passwords that MySQL 8 keeps in its own way
            raise ImportError(
                "This server keeps passwords in MySQL 8's way, for which PyMySQL needs one more package. Run: pip "
                "install cryptography"
            ) from None

    def run(self, texts: Sequence[str]) -> list[Answer]:
        """All in one string, whose answers come in a row.
        The first refusal ends it, and the rest is sent again. A text of several statements goes by itself."""
        answers: list[Answer] = []
        while len(answers) < len(texts):
            left = texts[len(answers) :]
            several = next((n for n, text in enumerate(left) if ";" in text), len(left))
            answers += self._sent("; ".join(left[: several or 1]), several or 1)
        return answers

    def _sent(self, said: str, most: int) -> list[Answer]:
        connection = self._connection
        answers: list[Answer] = []
        try:
            connection.query(said.encode("utf-8", "surrogatepass"))
            while True:
                result = connection._result
                answers.append(Rows(list(result.rows) if result.rows else []))
                if not result.has_next:
                    break
                connection.next_result()
        except self._error as error:
            answers.append(refusal(error, self.numbers))
        if most == 1 and len(answers) > 1:
            return [next((a for a in answers if not isinstance(a, Rows)), answers[-1])]
        return answers

    def close(self) -> None:
        try:
            self._connection.close()
        except self._error:
            pass  # it is gone anyway


def told(error: BaseException) -> tuple[int, str]:
    """The number and the words of an error."""
    number = error.args[0] if error.args and isinstance(error.args[0], int) else 0
    return number, str(error.args[1] if len(error.args) > 1 else error)


def refusal(error: BaseException, numbers: Mapping[str, tuple[int, ...]] = MysqlWire.numbers) -> Answer:
    """What an error means. Raises Lost where it means that the server is gone."""
    number, message = told(error)
    if number in AWAY or isinstance(error, OSError):
        raise Lost(message or "the connection is gone") from None
    kind = next((kind for kind, listed in numbers.items() if number in listed), "other")
    if kind in ("timeout", "memory"):
        return GaveUp(kind)
    return Refused(kind, f"{message} ({number})" if kind == "internal" else message)


def connect(place: Place, engine: str, wire: type[MysqlWire] = MysqlWire) -> MysqlWire:
    """A connection to a server of the user's, or an error that says what to do, without the password."""
    where = {"host": place.host, "port": place.port, "user": place.user, "password": place.password}
    try:
        return wire(**where, **({"database": place.database} if place.database else {}))
    except Unreachable as error:
        raise Unreachable(f"No {engine} answers at {place}: {error}. Start it, or give another address.") from None
    except RuntimeError as error:
        raise type(error)(
            f"The server at {place} does not let us in: {error}. Give the right user and database; the password in the "
            f"environment as {place.variable}."
        ) from None


class OwnMysql(OwnServer):
    """A server of ours on a Unix socket in its own folder."""

    password = ""  # of root, where more than the socket is open

    def __init__(self, program: str, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
        super().__init__()
        self.socket = f"{self.folder}/s"
        self._program, self._arguments, self._environment = program, list(arguments), environment

    def start(self) -> None:
        """Wait until it answers."""
        try:
            words = [a.format(folder=self.folder) for a in self._arguments]
            self.process = server.Server(
                self._program, words, "", self.folder, environment=self._environment, is_nobody=True
            )
            self.awaited(self._program, 2 * server.START_S)
        except BaseException:
            self.end()
            raise

    def wire(self) -> MysqlWire:
        return MysqlWire(unix_socket=self.socket, user="root")


class MysqlHouse(House):
    """Our own server, or the user's; a database for each session."""

    room = "database"
    alarming = re.compile(r"^.*(?:Assertion|mysqld got signal|mariadbd got signal|corrupt).*$", re.MULTILINE)

    def __init__(
        self, theirs: Place | None, engine: str, resets: Sequence[str], collation: str = "utf8mb4_bin"
    ) -> None:
        self.theirs = theirs
        self._engine = engine
        self._resets = (f"SET NAMES utf8mb4 COLLATE {collation}", *resets)
        self._database = f"CHARACTER SET utf8mb4 COLLATE {collation}"

    def start(self) -> OwnServer:
        raise RuntimeError(f"{self._engine} is hunted on a server of yours: give ?host=HOST&port=PORT&user=USER.")

    def connect(self, own: OwnServer | None) -> Wire:
        if isinstance(own, OwnMysql):
            return own.wire()
        assert self.theirs is not None
        return connect(self.theirs, self._engine)

    def emptied(self, name: str) -> Sequence[str]:
        return (f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name} {self._database}", f"USE {name}")

    def tuned(self) -> Sequence[str]:
        return self._resets

    def left(self, name: str) -> Sequence[str]:
        return (f"DROP DATABASE IF EXISTS {name}",)

    def grant(self) -> str:
        return f"GRANT ALL ON `{OURS.replace('_', chr(92) + '_')}%`.* TO ..."

    def claimed(self, name: str) -> Sequence[str]:
        return (f"SELECT GET_LOCK('{name}', 0)",) if self.theirs else ()

    def others(self, wire: Wire) -> Sequence[str]:
        return listed(wire, "SHOW TABLES") if self.theirs and self.theirs.database else []

    def forgotten(self, wire: Wire) -> Sequence[str]:
        return [name for name in ours(wire) if listed(wire, f"SELECT IS_FREE_LOCK('{name}')") == [1]]

    def in_use(self, wire: Wire) -> Sequence[str]:
        return [name for name in ours(wire) if listed(wire, f"SELECT IS_FREE_LOCK('{name}')") == [0]]

    def died(self, own: OwnServer, log: str) -> tuple[str, str]:
        signal, log = super().died(own, own.log(max(0, own.log_size() - 20_000)))
        return signal, "\n".join(telling(log))


def ours(wire: Wire) -> list[str]:
    """The databases of ours."""
    return [name for name in listed(wire, "SHOW DATABASES") if name.startswith(OURS)]


def telling(log: str) -> list[str]:
    """The lines of a log that say what happened: the signal, an assertion, the functions of the stack."""
    wanted = re.compile(r"got signal|Assert|InnoDB: Failing|\(\S*?(\w+)\S*\+0x|[\w:~]+\(.*\)\s*(?:\+0x|at )")
    found = [re.sub(r"0x[0-9a-f]+|^\S+ \d+ ", "", line).strip() for line in log.splitlines() if wanted.search(line)]
    return found[:14]


class MysqlEngine(ServedEngine):
    """An engine that speaks MySQL's protocol."""

    schemes = ("mysql", "mariadb")
    port = 3306
    run = "mysql <"
    by_hand: ClassVar[str]  # how a server is started, in a shell, and a reproducer run on it

    def connected(self, theirs: Place) -> Wire:
        return connect(theirs, self.name)

"""PostgreSQL's protocol through libpq: for PostgreSQL itself and all that speak it."""

from __future__ import annotations

import json
import re
import select
import time
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from gainsay.core.answer import Answer, GaveUp, Refused, Rows
from gainsay.core.engine import NotLetIn
from gainsay.engines.server import START_S
from gainsay.engines.sql_server import QUESTION, Lost, Place, Stuck, Unreachable, Wire

# SQLSTATE, or the beginning of it -> the kind of refusal
KINDS: Sequence[tuple[str, str]] = (
    ("XX", "internal"), ("42601", "syntax"), ("42703", "name"), ("42P01", "name"), ("42883", "name"), ("42704", "name"),
    ("42804", "type"), ("42846", "type"), ("42809", "type"), ("42P18", "type"), ("42P22", "type"), ("42", "other"),
    ("22003", "overflow"), ("22008", "overflow"), ("22P02", "conversion"), ("22", "value"), ("21", "value"),
    ("23", "constraint"), ("0A", "missing"), ("54", "limit"), ("25", "transaction"),
)  # fmt: skip
TIMEOUT, MEMORY = ("57014",), ("53200", "53100")
AWAY = ("57P01", "57P02", "57P03", "08")
ON_ITS_WAY = "the database system is"  # starting up, shutting down, in recovery mode, not yet accepting connections
Decode = Callable[[bytes], Any]


def as_text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def boolean(value: bytes) -> bool:
    return value == b"t"


def numeric(value: bytes) -> Decimal:
    return Decimal(value.decode())


def interval(value: bytes) -> str:
    """An interval by its length, as it is compared: a month is 30 days of 24 hours."""
    said, total = value.decode(), Decimal(0)
    for number, unit in re.findall(r"([+-]?\d+) (year|mon|day)", said):
        total += int(number) * {"year": 360, "mon": 30, "day": 1}[unit] * 86400
    clock = re.search(r"([+-]?)(\d+):(\d+):([\d.]+)", said)
    if clock:
        seconds = int(clock[2]) * 3600 + int(clock[3]) * 60 + Decimal(clock[4])
        total += -seconds if clock[1] == "-" else seconds
    return f"{total.normalize():f} s"


def json_value(value: bytes) -> Any:
    """A JSON value as Python's; its null is no NULL."""
    found = json.loads(value, parse_float=Decimal)
    return "null" if found is None else found


# By the type's number in pg_type; everything else as its text
DECODED: Mapping[int, Decode] = {
    16: boolean,
    20: int,
    21: int,
    23: int,
    26: int,
    700: float,
    701: float,
    1186: interval,
    1700: numeric,
    3802: json_value,
}
PG_TUPLES, PG_DONE, PG_EMPTY, PG_SYNC = 2, 1, 0, 10
PIPED = 64  # statements at once: what the server says of them fits into its buffers
FIRST_PIPES = 140000  # the release of libpq


def rows(result: Any) -> Rows:
    """The rows of a result as tuples of plain values."""
    width = range(result.nfields)
    decode = [DECODED.get(result.ftype(j), as_text) for j in width]
    get = result.get_value
    found = []
    for i in range(result.ntuples):
        row = [get(i, j) for j in width]
        found.append(tuple([None if v is None else d(v) for v, d in zip(row, decode, strict=True)]))
    return Rows(found)


class PostgresWire(Wire):
    """A connection to a server that speaks PostgreSQL's protocol.
    `limit_s`: how long an answer may take on a server that has no such limit itself; 0: as long as it likes.
    `is_piped`: whether statements may be sent before those in front of them are done."""

    def __init__(self, parameters: Mapping[str, str], limit_s: float = 0.0, is_piped: bool = False) -> None:
        from psycopg import OperationalError, pq

        self._pq: Any = pq
        self._error: type[Exception] = OperationalError
        self._limit_s = limit_s
        self._is_piped = is_piped and pq.version() >= FIRST_PIPES
        said = " ".join(f"{k}='{escaped(v)}'" for k, v in parameters.items() if v)
        self._connection: Any = pq.PGconn.connect(said.encode())
        if self._connection.status != pq.ConnStatus.OK:
            message = as_text(self._connection.error_message).strip()
            self._connection.finish()
            raise Unreachable(message)

    def run(self, texts: Sequence[str]) -> list[Answer]:
        """Questions in one string, whose answers come in a row.
        The first refusal ends it, and the rest is asked again. Statements would be one transaction so."""
        if len(texts) > 1 and not all(map(QUESTION.match, texts)):
            return self._piped(texts) if self._is_piped else [self._sent(each, 1)[0] for each in texts]
        answers: list[Answer] = []
        while len(answers) < len(texts):
            left = texts[len(answers) :]
            answers += self._sent("; ".join(left), len(left))
        return answers

    def _piped(self, texts: Sequence[str]) -> list[Answer]:
        """Statements one behind the other, each a transaction of its own, without waiting for what it says.
        A text of several statements goes by itself."""
        answers: list[Answer] = []
        while len(answers) < len(texts):
            left = texts[len(answers) :]
            several = next((n for n, text in enumerate(left) if ";" in text), len(left))
            answers += self._in_pipe(left[: min(several, PIPED)]) if several else self._sent(left[0], 1)
        return answers

    def _in_pipe(self, texts: Sequence[str]) -> list[Answer]:
        connection = self._connection
        try:
            connection.enter_pipeline_mode()
            for text in texts:
                connection.send_query_params(text.encode("utf-8", "surrogatepass"), None)
                connection.pipeline_sync()
            answers: list[Answer] = []
            while len(answers) < len(texts):
                answers.append(self._answer(connection.get_result()))
                while (result := connection.get_result()) is None or result.status != PG_SYNC:
                    if connection.status != self._pq.ConnStatus.OK:
                        raise Lost(as_text(connection.error_message).strip())
            connection.exit_pipeline_mode()
        except self._error as error:
            raise Lost(str(error)) from None
        return answers

    def _answer(self, result: Any) -> Answer:
        if result.status == PG_TUPLES:
            return rows(result)
        return Rows([]) if result.status in (PG_DONE, PG_EMPTY) else self._refusal(result)

    def _sent(self, said: str, most: int) -> list[Answer]:
        connection = self._connection
        try:
            connection.send_query(said.encode("utf-8", "surrogatepass"))
            answers: list[Answer] = []
            while (result := self._next()) is not None:
                answers.append(self._answer(result))
        except self._error as error:
            raise Lost(str(error)) from None
        if connection.status != self._pq.ConnStatus.OK:
            raise Lost(as_text(connection.error_message).strip())
        if most == 1 and len(answers) > 1:
            # Several statements that are one of ours: it did what it should if all did
            return [next((a for a in answers if not isinstance(a, Rows)), answers[-1])]
        return answers or [Rows([])]

    def _next(self) -> Any:
        """The next answer, or None behind the last. Raises Stuck where it takes longer than it may."""
        connection = self._connection
        until = time.monotonic() + self._limit_s
        while self._limit_s and connection.is_busy():
            left_s = until - time.monotonic()
            if left_s <= 0 or not select.select([connection.socket], [], [], left_s)[0]:
                raise Stuck
            connection.consume_input()
        return connection.get_result()

    def _refusal(self, result: Any) -> Answer:
        field = self._pq.DiagnosticField
        code = as_text(result.error_field(field.SQLSTATE) or b"")
        message = as_text(result.error_field(field.MESSAGE_PRIMARY) or result.error_message or b"").strip()
        if code in TIMEOUT:
            return GaveUp("timeout")
        if code in MEMORY:
            return GaveUp("memory")
        if not code or code.startswith(AWAY):
            raise Lost(message)
        kind = next((kind for start, kind in KINDS if code.startswith(start)), "other")
        if kind == "internal":
            place = as_text(result.error_field(field.SOURCE_FUNCTION) or b"")
            message = f"{message} ({code}{', in ' + place if place else ''})"
        return Refused(kind, message)

    def close(self) -> None:
        self._connection.finish()


def piped(parameters: Mapping[str, str]) -> PostgresWire:
    """A connection to PostgreSQL itself."""
    return PostgresWire(parameters, is_piped=True)


def escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("'", "\\'")


def awaited(wire: Callable[[], PostgresWire], limit_s: float = START_S) -> PostgresWire:
    """A connection to a server that may be on its way up or down: it says so itself, and does not stay so."""
    until = time.monotonic() + limit_s
    while True:
        try:
            return wire()
        except Unreachable as error:
            if ON_ITS_WAY not in str(error) or time.monotonic() > until:
                raise
        time.sleep(0.05)


def connect(place: Place, engine: str, wire: Callable[[dict[str, str]], PostgresWire] = PostgresWire) -> PostgresWire:
    """A connection to a server of the user's, or an error that says what to do, without the password."""
    try:
        return awaited(
            lambda: wire(
                {
                    "host": place.host,
                    "port": str(place.port),
                    "user": place.user,
                    "password": place.password,
                    "dbname": place.database or "postgres",
                    "connect_timeout": "5",
                    "client_encoding": "utf8",
                }
            )
        )
    except Unreachable as error:
        said = str(error).replace(place.password, "***") if place.password else str(error)
        if "authentication" in said or "password" in said or "does not exist" in said:
            kind = RuntimeError if "does not exist" in said else NotLetIn
            raise kind(
                f"The server at {place} does not let us in: {said.splitlines()[-1]}. Give the right user and database; "
                f"the password in the environment as {place.variable}."
            ) from None
        raise Unreachable(
            f"No {engine} answers at {place}: {said.splitlines()[0].strip()}. Start it, or give another url."
        ) from None

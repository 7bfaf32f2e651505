"""The Redis protocol, as far as a graph module needs it: a connection, the typed values of `GRAPH.QUERY --compact`,
crash reports.

Standard library only, as hosts load it.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

# The thread that crashed has an asterisk
STANZA = re.compile(r"^\d+ [^\n]*\*\n(.*?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)
FRAME = re.compile(r"^(?:\S*/)?([^/\s(]+)[^(\n]*\((\w*)[^)]*\)", re.MULTILINE)
SAID = re.compile(r"crashed by|Accessing address|ASSERTION FAILED|==>|Guru Meditation|OUT OF MEMORY")


class ErrorReply(Exception):
    """The server's own words against a command."""


class Unreachable(RuntimeError):
    """Nothing listens there, or what does so gives no answer."""


class Place(NamedTuple):
    """Where a server is, and who we are there."""

    host: str
    port: int
    username: str = ""
    password: str = ""

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class Wire:
    """A connection.
    A reply that does not come in time, or not at all, is an OSError or an EOFError; then it is of no more use."""

    def __init__(self, place: Place, timeout_s: float) -> None:
        self._socket = socket.create_connection((place.host, place.port), timeout=timeout_s)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._file = self._socket.makefile("rb")

    def call(self, *words: str) -> Any:
        parts = [b"*%d\r\n" % len(words)]
        for word in words:
            encoded = word.encode("utf-8", "surrogatepass")
            parts.append(b"$%d\r\n%b\r\n" % (len(encoded), encoded))
        self._socket.sendall(b"".join(parts))
        found = self._next()
        if isinstance(found, ErrorReply):
            raise found
        return found

    def _next(self) -> Any:
        line = self._file.readline()
        if not line.endswith(b"\r\n"):
            raise EOFError("the server closed the connection")
        sign, rest = line[:1], line[1:-2]
        if sign == b"*":
            return [self._next() for _ in range(int(rest))]
        if sign == b":":
            return int(rest)
        if sign == b"$":
            size = int(rest)
            return None if size < 0 else self._exactly(size + 2)[:-2]
        return ErrorReply(rest.decode("utf-8", "replace")) if sign == b"-" else rest

    def _exactly(self, size: int) -> bytes:
        found = self._file.read(size)
        if len(found) < size:
            raise EOFError("the server closed the connection")
        return found

    def close(self) -> None:
        self._file.close()
        self._socket.close()


def connect(place: Place, timeout_s: float, variable: str) -> Wire:
    """A connection, or a RuntimeError that says what to do, without the password.
    `variable` is the one of the environment that may hold it."""
    try:
        wire = Wire(place, timeout_s)
    except OSError as error:
        why = error.strerror or str(error) or type(error).__name__
        raise Unreachable(f"No server answers at {place} ({why}). Start it, or give another host and port.") from None
    try:
        refused = ""
        if place.password:
            try:
                wire.call("AUTH", *filter(None, (place.username, place.password)))
            except ErrorReply as error:
                refused = str(error)
        wire.call("PING")  # a server that wants no password takes any: GDsmith's configurations name one for each
    except ErrorReply as error:
        wire.close()
        if (refused or str(error)).startswith(("LOADING", "BUSY", "MASTERDOWN")):  # a server that is starting
            raise Unreachable(
                f"The server at {place} is not ready ({str(error).split()[0]}). Wait until it is."
            ) from None
        who = f"the user {place.username!r}" if place.username else "us"
        raise RuntimeError(
            f"The server at {place} does not let {who} in ({(refused or str(error)).split()[0]}). "
            f"Give the right username and password; the password as an option, or in the environment as {variable}."
        ) from None
    except (OSError, EOFError, ValueError) as error:
        wire.close()
        raise Unreachable(
            f"What listens at {place} does not answer as a Redis server does ({type(error).__name__}). Give another "
            "host and port."
        ) from None
    return wire


def text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def members(raw: list[Any]) -> list[Any]:
    return [value(cell) for cell in raw]


def mapping(raw: list[Any]) -> dict[str, Any]:
    return {text(key): value(cell) for key, cell in zip(raw[::2], raw[1::2], strict=True)}


# By the number of a value's type, as in the clients' specification of result sets.
READ: Mapping[int, Callable[[Any], Any]] = {
    1: lambda raw: None,
    2: text,
    3: int,
    4: lambda raw: raw == b"true",
    5: float,
    6: members,
    10: mapping,
}


def value(cell: list[Any]) -> Any:
    """A typed value. Nodes, relationships and paths are not asked for: they stay as they came."""
    kind, raw = cell
    read = READ.get(kind)
    return read(raw) if read else (kind, repr(raw))


def rows(reply: list[Any]) -> list[tuple[Any, ...]]:
    """The rows of a reply: header, rows, statistics; a text that only writes has no header and no rows."""
    return [tuple([value(cell) for cell in row]) for row in reply[1]] if len(reply) == 3 else []


def crash_report(log: str) -> tuple[str, str]:
    """From a server's log: the function that failed, and the report in short (what happened, the frames of that thread,
    the query)."""
    _, mark, report = log.rpartition("=== REDIS BUG REPORT START")
    if not mark:
        return "", "\n".join(log.splitlines()[-12:])[-1500:]
    said = [line.partition("# ")[2] or line for line in report.splitlines()[1:40] if SAID.search(line)]
    trace = report.partition("STACK TRACE ------")[2].partition("STACK TRACE DONE")[0]
    stanza = STANZA.search(trace)
    frames = [f for f in FRAME.findall(stanza[1] if stanza else trace) if not f[0].startswith("libc.")]
    said += [f"  {library}({name or '?'})" for library, name in frames[:30]]
    said += re.findall(r"^graph_command:.*", report, re.MULTILINE)[:1]
    return next((name for _, name in frames if name), ""), "\n".join(said)[:3000]

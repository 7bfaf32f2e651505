"""What SQL servers share: one of our own or of the user's, a session on it, and what becomes of it when that dies.

Standard library only, as hosts load it. The user's data is sacred: we work in a schema or database of our own."""

from __future__ import annotations

import os
import platform
import re
import time
import zlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple
from urllib.parse import unquote, urlsplit

from gainsay.core.answer import Answer, Refused, Rows
from gainsay.core.engine import Options
from gainsay.engines import server

OPTIONS: Mapping[str, str] = {
    "url": "where a server of yours is: {scheme}://USER@HOST:PORT/DATABASE",
    "host": "the same, without a url",
    "port": "the same, without a url (default {port})",
    "user": "a user of that server",
    "username": "the same",
    "database": "a database of that server",
    "password": "that user's password; better in the environment as {variable}",
    "name": "a label of your own",
    "restart": "the shell command that starts that server again after it died",
    "wipe": "1: work in that database although it is not empty and not ours",
    "bin": "the folder with the programs of a server that we start",
}
KEYS = ("url", "host", "port", "user", "username", "database", "password", "restart", "wipe", "bin")
OURS = "gainsay_"
QUESTION = re.compile(r"\s*\(*\s*(SELECT|WITH|VALUES|TABLE|SHOW|EXPLAIN)\b", re.IGNORECASE)
LOG_KEPT = 3000
# In a log or an answer: no fault of the engine's
NUMBERS = re.compile(r"\d+(?:\.\d+)+|\d+(?:devel|beta\d+|rc\d+)")


class Lost(Exception):
    """The connection is gone: the server died, or somebody ended it."""


class Stuck(Exception):
    """Nothing can end what the server is at: one of ours is given up with it."""


class Unreachable(RuntimeError):
    """Nothing that we can talk to listens there."""


class Place(NamedTuple):
    """Where a server of the user's is, who we are there, and what the user allows."""

    host: str
    port: int
    user: str
    password: str
    database: str
    restart: str
    wipe: bool
    variable: str  # of the password

    def __str__(self) -> str:
        return f"{self.host}:{self.port}" if self.port else self.host


def place(engine: str, schemes: Sequence[str], port: int, options: Options) -> Place | None:
    """The user's server, from options or from variables that `environment` made of them; None: one of our own."""
    prefix = f"GAINSAY_{engine.upper()}_"
    given = {key: options.get(key) or os.environ.get(prefix + key.upper(), "") for key in KEYS}
    if not (given["url"] or given["host"] or given["port"]):
        return None
    try:
        parts = urlsplit(given["url"])
        number = int(given["port"] or parts.port or port)
    except ValueError:
        raise RuntimeError("The port of a server is a number from 1 to 65535.") from None
    if parts.password is not None:
        raise RuntimeError(
            f"A url holds no password, since it is written down. Give it in the environment as {prefix}PASSWORD."
        )
    if given["url"] and (parts.scheme not in schemes or not parts.hostname):
        raise RuntimeError(f"{given['url']!r} is no address of a server. Write {schemes[0]}://USER@HOST:PORT/DATABASE.")
    return Place(
        given["host"] or unquote(parts.hostname or "") or "localhost",
        number,
        given["user"] or given["username"] or unquote(parts.username or ""),
        given["password"],
        given["database"] or unquote(parts.path.strip("/")),
        given["restart"],
        given["wipe"] == "1",
        f"{prefix}PASSWORD",
    )


def named(last: str) -> str:
    """A schema or database of this process: others know by it who made it."""
    return f"{OURS}{os.getpid():x}_{machine()}_{last}"


def machine() -> str:
    """A mark of this machine: a process has its number on one only."""
    return f"{zlib.crc32(platform.node().encode()):x}"


class Wire(ABC):
    """A connection. What the server says is an answer; Lost is raised where it says nothing any more."""

    @abstractmethod
    def run(self, texts: Sequence[str]) -> list[Answer]:
        """Statements, one after the other: a refusal of one is none of the others."""

    def close(self) -> None:
        """Hang up."""


def listed(wire: Wire, question: str) -> list[Any]:
    """The first column of an answer; nothing where there is none."""
    (answer,) = wire.run([question])
    return [row[0] for row in answer.rows] if isinstance(answer, Rows) else []


class OwnServer(ABC):
    """A server of ours, in a folder that goes with it."""

    def __init__(self) -> None:
        self.folder = server.folder()
        self.process: server.Server | None = None

    @abstractmethod
    def wire(self) -> Wire:
        """A connection. Unreachable where it does not answer."""

    def awaited(self, title: str, limit_s: float = server.START_S) -> None:
        """Wait until it answers; a RuntimeError with what it said last if it does not."""
        until = time.monotonic() + limit_s
        while time.monotonic() < until and self.process is not None and not self.process.has_ended():
            try:
                self.wire().close()
                return
            except Unreachable:
                time.sleep(0.01)
        if server.FULL.search(self.log()):
            raise RuntimeError(server.NO_ROOM.format(self.folder))
        last = " ".join(self.log().strip().splitlines()[-3:])[-500:]
        raise RuntimeError(f"{title} does not start. The last that it said: {last}")

    @property
    def log_file(self) -> Path:
        return Path(self.folder) / server.PRINTED

    def log(self, since: int = 0) -> str:
        """What it wrote since a place in its log."""
        try:
            with self.log_file.open("rb") as file:
                file.seek(since)
                return file.read().decode("utf-8", "replace")
        except OSError:
            return ""

    def log_size(self) -> int:
        try:
            return self.log_file.stat().st_size
        except OSError:
            return 0

    def spent_s(self) -> float:
        return self.process.spent_s() if self.process else 0.0

    def end(self) -> None:
        if self.process is not None:
            self.process.end()
        server.remove(self.folder)


class House(ABC):
    """How sessions of an engine come by a server, and what they find there."""

    theirs: Place | None = None
    reconnected: ClassVar[int] = 500  # scenes after which a connection is opened anew
    room: ClassVar[str] = "schema"  # what a session has to itself on a server; or a database
    alarming: ClassVar[re.Pattern[str]] = re.compile(r"(?!)")  # in a log: what the client may not have been told

    @abstractmethod
    def start(self) -> OwnServer:
        """A server of our own."""

    @abstractmethod
    def connect(self, own: OwnServer | None) -> Wire:
        """A connection to it, or to the user's. Unreachable where nothing answers."""

    def apart(self, wire: Wire, name: str) -> Wire:
        """The connection as the session of this name has it, where no schema or database keeps sessions apart."""
        return wire

    @abstractmethod
    def emptied(self, name: str) -> Sequence[str]:
        """What makes the schema or database of this name an empty one, and the connection's own."""

    def empty(self, wire: Wire, name: str) -> None:
        """What must be looked up before it can be removed, where `emptied` is not enough."""

    def tuned(self) -> Sequence[str]:
        """What makes the connection as it was opened, but for our limits. What a server does not know of it is left."""
        return ()

    def is_inside(self, wire: Wire, name: str) -> bool:
        """Whether what is made now is made there. Some take a statement that says so, and do not look at it."""
        return True

    @abstractmethod
    def left(self, name: str) -> Sequence[str]:
        """What removes it."""

    def grant(self) -> str:
        """The statement that lets a user make one."""
        return ""

    def claimed(self, name: str) -> Sequence[str]:
        """What shows others that somebody uses it. What a server does not know of it is left."""
        return ()

    def others(self, wire: Wire) -> Sequence[str]:
        """What is in the user's database that is not ours."""
        return ()

    def forgotten(self, wire: Wire) -> Sequence[str]:
        """The schemas or databases of ours that nobody uses: sessions left them that were killed."""
        return ()

    def in_use(self, wire: Wire) -> Sequence[str]:
        """Those that somebody uses."""
        return ()

    def died(self, own: OwnServer, log: str) -> tuple[str, str]:
        """How a server of ours died, by its log: the signal, and what else tells."""
        ended = own.process is not None and own.process.has_ended(1.0)
        return (server.signal_name(own.process.code) if ended and own.process else "connection lost"), log[-LOG_KEPT:]

    def upkeep(self, scenes: int) -> Sequence[str]:
        """What a server of ours needs now and then, so that thousands of scenes leave nothing behind."""
        return ()


def removed(house: House, wire: Wire, name: str) -> None:
    """Remove a schema or database of ours, whatever is in it."""
    house.empty(wire, name)
    wire.run(house.left(name))


def plain(answer: Answer, name: str) -> Answer:
    """A refusal without a name that is another one each time."""
    if isinstance(answer, Refused) and name in answer.message:
        return Refused(answer.kind, answer.message.replace(name, ""))
    return answer


def worded(answer: Answer) -> str:
    """What an answer says that is no rows."""
    return answer.message if isinstance(answer, Refused) else repr(answer)


def is_orphaned(name: str) -> bool:
    """Whether a place was made by a process of this machine that is gone."""
    pid, made_on, _ = [*name.removeprefix(OURS).split("_"), "", ""][:3]
    try:
        return made_on == machine() and not Path(f"/proc/{int(pid, 16)}").exists()
    except ValueError:
        return False


def options_of(engine: str, scheme: str, port: int) -> Mapping[str, str]:
    """The options of an engine, with its own words in them."""
    words = {"scheme": scheme, "port": port, "variable": f"GAINSAY_{engine.upper()}_PASSWORD"}
    return {key: text.format(**words) for key, text in OPTIONS.items()}

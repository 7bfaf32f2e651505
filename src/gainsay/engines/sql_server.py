"""What SQL servers share: one of our own or of the user's, a session on it, and what becomes of it when that dies.

Standard library only, as hosts load it. The user's data is sacred: we work in a schema or database of our own."""

from __future__ import annotations

import os
import platform
import re
import secrets
import time
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple
from urllib.parse import unquote, urlsplit

from gainsay.core.answer import Answer, Died, GaveUp, Refused, Rows
from gainsay.core.engine import Engine, Options, Session
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
FULL = re.compile(r"No space left on device|[Dd]isk (?:is )?full")  # in a log: no fault of the engine's
NUMBERS = re.compile(r"\d+(?:\.\d+)+|\d+(?:devel|beta\d+|rc\d+)")
SWEPT_S = 7.0  # a question that a killed process asked may take so long


NO_ROOM = (
    "The disk under our server is full ({}). Free some space there, or set TMPDIR to a folder that has more, and run "
    "the same command again to go on."
)


OUTSIDE = (
    "The server at {0} lets us make a {1} and then makes our tables outside of it, so that we can't be kept apart from "
    "yours. We leave it alone."
)


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
        """The connection as the session of this name has it, where a schema or database does not keep sessions apart."""
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


def is_up(connect: Callable[[], Wire]) -> bool:
    """Whether a server answers."""
    try:
        connect().close()
    except Unreachable:
        return False
    return True


def reached(theirs: Place, connect: Callable[[], Wire]) -> Wire:
    """A connection to the user's server; where it is gone, as soon as the user's command has started it again.
    A process that begins while another one waits for that must wait as well."""
    try:
        return connect()
    except Unreachable:
        if not theirs.restart:
            raise
    server.restart(theirs.restart, str(theirs), lambda: is_up(connect))
    return connect()


def is_internal(answer: Answer) -> bool:
    """Whether the client was told that the engine broke inside."""
    return isinstance(answer, Refused) and answer.kind == "internal"


def has_done(text: str, answer: Answer) -> bool:
    """Whether a text changed the place."""
    return isinstance(answer, Rows) and not QUESTION.match(text)


class ServerSession(Session):
    """An empty schema or database on a server; its connection, and the scene that it holds."""

    answers_blocks = True
    runs_scripts = True

    def __init__(self, house: House, statements: Sequence[str]) -> None:
        self._house = house
        self._statements = tuple(statements)  # of the configuration
        self._own: OwnServer | None = None
        self._wire: Wire | None = None
        self._name = named(secrets.token_hex(4))
        self._scene: list[str] = []  # what was done since it was empty
        self._logged = 0
        self._spent_s = 0.0
        self._scenes = 0
        try:
            self._open()
        except BaseException:
            self._leave()
            raise

    def _open(self) -> None:
        """A server that answers, and an empty place on it."""
        house = self._house
        if house.theirs is not None:
            wire = reached(house.theirs, lambda: house.connect(None))
        else:
            if self._own is not None and self._own.process is not None and self._own.process.has_ended():
                self._drop_own()
            self._own = self._own or house.start()
            try:
                wire = house.connect(self._own)
            except Unreachable:  # it is dying, and may take its time over it
                self._drop_own()
                self._own = house.start()
                wire = house.connect(self._own)
            self._logged = self._own.log_size()
        self._wire = house.apart(wire, self._name)
        self._empty()

    def _empty(self) -> None:
        assert self._wire is not None
        self._wire.run(self._house.claimed(self._name))
        self._house.empty(self._wire, self._name)
        self._do(self._house.emptied(self._name))
        self._wire.run(self._house.tuned())
        self._do(self._statements)

    def _do(self, texts: Sequence[str]) -> None:
        assert self._wire is not None
        for text, answer in zip(texts, self._wire.run(texts), strict=True):
            if isinstance(answer, GaveUp) and answer.reason == "memory" and self._own is not None:
                raise RuntimeError(NO_ROOM.format(self._own.folder))
            if not isinstance(answer, Rows):
                raise RuntimeError(f"The server refuses {text!r}: {getattr(answer, 'message', answer)}")

    def _drop_own(self) -> None:
        if self._own is not None:
            self._spent_s += self._own.spent_s()
            self._own.end()
            self._own = None

    def ask(self, text: str) -> Answer:
        if self._wire is None:
            self._reopen()
        assert self._wire is not None
        try:
            (answer,) = self._wire.run([text])
        except Lost as lost:
            return self._bury(str(lost))
        except Stuck:
            self._forsake()
            return GaveUp("timeout")
        alarm = self._alarm()
        if alarm and not is_internal(answer):
            return Refused("internal", alarm)
        if has_done(text, answer):
            self._scene.append(text)
        return answer

    def ask_block(self, texts: Sequence[str]) -> list[Answer]:
        """Many questions in one go; where something goes wrong that is not a plain refusal, one by one."""
        if self._wire is None:
            self._reopen()
        assert self._wire is not None
        if not all(map(QUESTION.match, texts)):
            return [self.ask(text) for text in texts]
        try:
            answers = self._wire.run(texts)
            if not self._alarm() or any(map(is_internal, answers)):
                return answers
        except Lost:
            self._wire.close()
            self._wire = None
        except Stuck:
            self._forsake()
        return [self.ask(text) for text in texts]

    def run_script(self, texts: Sequence[str]) -> list[Answer]:
        """Many statements in one go; where something goes wrong that is not a plain refusal, one by one, in a place as
        it was before: then it is seen which of them did it."""
        if self._wire is None:
            self._reopen()
        assert self._wire is not None
        try:
            answers = self._wire.run(texts)
            if not self._alarm() or any(map(is_internal, answers)):
                self._scene += [text for text, answer in zip(texts, answers, strict=True) if has_done(text, answer)]
                return answers
            self._empty()
            self._load(self._scene)
        except Lost:
            self._wire.close()
            self._wire = None
        except Stuck:
            self._forsake()
        return [self.ask(text) for text in texts]

    def _load(self, scene: list[str]) -> None:
        self._scene = []
        for text in scene:
            self.ask(text)

    def _alarm(self) -> str:
        """A line of our server's log that tells of something the client may not have been told."""
        if self._own is None:
            return ""
        size = self._own.log_size()
        if size == self._logged:
            return ""
        said = self._own.log(self._logged)
        self._logged = size
        found = self._house.alarming.search(said)
        return f"in the server's log: {found[0].strip()}" if found else ""

    def _bury(self, said: str) -> Died:
        signal, detail = "connection lost", said
        if self._own is not None:
            if FULL.search(self._own.log(self._logged)):
                raise RuntimeError(NO_ROOM.format(self._own.folder))
            signal, log = self._house.died(self._own, self._own.log(self._logged))
            detail = f"{said}\n{log}".strip()
        if self._wire is not None:
            self._wire.close()
            self._wire = None
        return Died("crash", signal, detail)

    def _forsake(self) -> None:
        """Leave a server that does not answer; the next question finds the scene on another one."""
        if self._wire is not None:
            self._wire.close()
            self._wire = None
        self._drop_own()

    def _reopen(self) -> None:
        """After a death: the same server if it came back, else another one, with the scene as it was."""
        theirs = self._house.theirs
        if theirs is not None:
            server.restart(theirs.restart, str(theirs), lambda: is_up(lambda: self._house.connect(None)))
        self._open()
        self._load(self._scene)

    def renew(self) -> bool:
        self._scene = []
        self._scenes += 1
        try:
            if self._wire is None:
                self._reopen()
                return True
            if self._scenes % self._house.reconnected == 0:
                self._wire.close()  # a connection remembers what it has seen of the catalog, and what was set
                self._wire = self._house.apart(self._house.connect(self._own), self._name)
            self._empty()
            if self._own is not None:
                self._do(self._house.upkeep(self._scenes))
        except Lost:
            self._wire = None
            self._reopen()
        return True

    def spent_s(self) -> float | None:
        return None if self._house.theirs is not None else self._spent_s + (self._own.spent_s() if self._own else 0.0)

    def _leave(self) -> None:
        if self._wire is not None:
            if self._house.theirs is not None:
                try:
                    removed(self._house, self._wire, self._name)
                except (Lost, RuntimeError):
                    pass  # the next hunt looks for it
            self._wire.close()
            self._wire = None
        self._drop_own()

    def close(self) -> None:
        self._leave()


class ServedEngine(Engine):
    """An engine behind a server: one of our own, or the user's by ?url= or ?host=&port=."""

    family = "sql"
    schemes: ClassVar[Sequence[str]]
    port: ClassVar[int]
    version_question: ClassVar[str] = "SELECT VERSION()"

    @abstractmethod
    def connected(self, theirs: Place) -> Wire:
        """A connection to the user's server, or an error that says what to do."""

    @abstractmethod
    def own_version(self) -> str:
        """That of the programs that we would start."""

    def version(self) -> str:
        theirs = self.theirs({})
        if theirs is None:
            return self.own_version()
        wire = self.connected(theirs)
        try:
            found = NUMBERS.search(str(listed(wire, self.version_question)))
        finally:
            wire.close()
        return found[0] if found else "unknown"

    @abstractmethod
    def house(self, configs: Sequence[str], options: Options) -> House:
        """Where sessions in these configurations are opened."""

    def open_session(self, configs: Sequence[str], options: Options) -> ServerSession:
        return ServerSession(self.house(configs, options), self.texts(configs))

    def theirs(self, options: Options) -> Place | None:
        return place(self.name, self.schemes, self.port, options)

    def prove(self, options: Options) -> None:
        """A database of the user's holds nothing that is not ours, unless he lets us work beside it; and we may make
        a place of our own there."""
        theirs = self.theirs(options)
        if theirs is None:
            return
        house = self.house((), options)
        wire = house.connect(None)
        try:
            found = house.others(wire)
            if found and not theirs.wipe:
                raise RuntimeError(told_of_others(theirs, house.room, found))
            for name in house.forgotten(wire):
                removed(house, wire, name)
            if not house.room:
                return
            name = named("probe")
            try:
                for text in house.emptied(name):
                    (said,) = wire.run([text])
                    if not isinstance(said, Rows):
                        raise RuntimeError(
                            f"The user {theirs.user!r} may not create a {house.room} there: "
                            f"{getattr(said, 'message', said)}. Give another user, or let this one: {house.grant()}"
                        )
                if not house.is_inside(wire, name):
                    raise RuntimeError(OUTSIDE.format(theirs, house.room))
            finally:
                removed(house, wire, name)
        finally:
            wire.close()

    def sweep(self, options: Options) -> None:
        """Those of processes of ours that were killed a moment ago may be in use for as long as a question takes."""
        if self.theirs(options) is None:
            return
        house = self.house((), options)
        wire = house.connect(None)
        try:
            until = time.monotonic() + SWEPT_S
            while any(is_orphaned(name) for name in house.in_use(wire)) and time.monotonic() < until:
                time.sleep(0.1)
            for name in house.forgotten(wire):
                removed(house, wire, name)
        finally:
            wire.close()

    def environment(self, version: str, options: Options) -> Mapping[str, str]:
        return {f"GAINSAY_{self.name.upper()}_{key.upper()}": options[key] for key in KEYS if options.get(key)}


def removed(house: House, wire: Wire, name: str) -> None:
    """Remove a schema or database of ours, whatever is in it."""
    house.empty(wire, name)
    wire.run(house.left(name))


def told_of_others(theirs: Place, room: str, found: Sequence[str]) -> str:
    """What is said of a database that has something in it."""
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    told = f"The database {theirs.database} at {theirs} is not empty: it has {found[0]}{more}. ".replace("  ", " ")
    place = f"in a {room} of our own" if room else f"with tables whose names begin with {OURS}"
    return f"{told}Name an empty database, or say --wipe: we then work beside it, {place}."


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

"""What Neo4j and Memgraph share: a session over Bolt with the official driver, on a server of the user's.

His data is sacred: we work in a database of our own where the server can have several, else only in one that is empty
or bears our mark."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple
from urllib.parse import urlsplit

from gainsay.core.answer import Answer, Died, GaveUp, Refused, Rows
from gainsay.core.engine import NotLetIn, Options, Session
from gainsay.engines import server
from gainsay.engines.graph import GraphEngine

OPTIONS: Mapping[str, str] = {
    "url": "where the server is: bolt://HOST:PORT",
    "host": "the same, without a url (default localhost)",
    "port": "the same, without a url (default 7687)",
    "user": "a user of that server",
    "username": "the same",
    "password": "that user's password",
    "name": "a label of your own",
    "restart": "the shell command that starts that server again after it died",
    "wipe": "1: empty its database, if that is not empty and not ours",
}
KEYS = ("url", "host", "port", "user", "username", "password", "restart", "wipe")
SOFT_S = 5.0
PORT = 7687
IDLE_S = 1.0
TRIES = 3  # of what is only for the moment
SCHEMA = re.compile(r"\s*CREATE\s+(?:\w+\s+)?(?:INDEX|CONSTRAINT)\b", re.IGNORECASE)
# Plain words on a value, with the code of an internal error
VALUE = re.compile(r"Cannot handle negative|Expected an integer between")
BY_CODE: Sequence[tuple[str, str]] = (
    (r"\.DatabaseError\.", "internal"),
    (r"\.SyntaxError$", "syntax"),
    (r"\.TypeError$", "type"),
    (r"\.Arithmetic\w*$|\.Argument\w*$|\.ParameterMissing$", "value"),
    (r"\.Constraint\w+$", "constraint"),
    (r"\.\w*(?:NotFound|Missing)$", "name"),
    (r"\.Unsupported\w*|\.FeatureDeprecated\w*", "missing"),
    (r"\.Security\.", "permission"),
    (r"TransientError", "transient"),
)
BY_WORDS: Sequence[tuple[str, str]] = (
    (r"[Uu]nknown function|not defined|Unbound variable|doesn't exist|does not exist", "name"),
    (r"[Tt]ype mismatch|Invalid type|expected .* but was|must be an? ", "type"),
    (r"[Dd]ivision by zero|overflow", "value"),
    (r"not (?:yet )?(?:supported|implemented)", "missing"),
    (r"[Ii]nvalid input|mismatched input|no viable alternative|extraneous input", "syntax"),
)


class Place(NamedTuple):
    """Where a server is, who we are there, and what the user allows."""

    url: str
    user: str
    password: str
    restart: str
    wipe: bool
    variable: str  # of the password


class Customs(NamedTuple):
    """How an engine does what no standard tells."""

    version: str  # a question; its first row has it
    fresh: str  # a database of our own; empty where there is no such thing
    drop: str
    schema: Callable[[Any], list[str]]  # the texts that drop each index and constraint, but for the mark
    is_marked: Callable[[Any], bool]
    mark: str
    unmark: str
    settle: str  # wait until indexes are whole


def place(name: str, options: Mapping[str, str]) -> Place:
    """From options, or from variables that `environment` made of them."""
    prefix = f"GAINSAY_{name.upper()}_"
    given = {key: options.get(key) or os.environ.get(prefix + key.upper(), "") for key in KEYS}
    url = given["url"] or f"bolt://{given['host'] or 'localhost'}:{given['port'] or PORT}"
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise RuntimeError("The port of a server is a number from 1 to 65535.") from None
    if "@" in parts.netloc:
        raise RuntimeError(
            "A url names no user and no password: give user=NAME, and the password in the environment as "
            f"{prefix}PASSWORD."
        )
    if not re.fullmatch(r"(bolt|neo4j)(\+s|\+ssc)?", parts.scheme):
        raise RuntimeError(f"{url!r} is no address of a server. Write bolt://HOST:PORT.")
    return Place(
        url,
        given["user"] or given["username"],
        given["password"],
        given["restart"],
        given["wipe"] == "1",
        f"{prefix}PASSWORD",
    )


def connect(chosen: Place) -> Any:
    """A driver that was answered, or a RuntimeError that says what to do, without the password."""
    import neo4j
    from neo4j import exceptions

    auth = (chosen.user, chosen.password) if chosen.user or chosen.password else None
    driver = neo4j.GraphDatabase.driver(
        chosen.url,
        auth=auth,
        connection_timeout=5.0,
        max_transaction_retry_time=0.0,
        notifications_min_severity="OFF",
        telemetry_disabled=True,
    )
    try:
        driver.verify_connectivity()
    except exceptions.AuthError as error:
        driver.close()
        who = f"the user {chosen.user!r}" if chosen.user else "us"
        raise NotLetIn(
            f"The server at {chosen.url} does not let {who} in ({(error.code or 'no access').rpartition('.')[2]}). "
            f"Give the right user and password; the password as an option, or in the environment as {chosen.variable}."
        ) from None
    except (exceptions.DriverError, exceptions.Neo4jError, OSError, ValueError) as error:
        driver.close()
        raise Unreachable(
            f"No server answers at {chosen.url} ({type(error).__name__}). Start it, or give another url."
        ) from None
    return driver


class Unreachable(RuntimeError):
    """Nothing listens there, or what does so speaks no Bolt."""


def refusal(code: str, message: str) -> Answer:
    """What an error means."""
    if "TimedOut" in code or "imed out" in message or "timeout" in message.lower():
        return GaveUp("timeout")
    if "OutOfMemory" in code or "emory limit" in message:
        return GaveUp("memory")
    kind = next((kind for pattern, kind in BY_CODE if re.search(pattern, code)), "other")
    if kind == "internal" and VALUE.search(message):
        kind = "value"
    if kind in ("syntax", "other"):
        kind = next((found for pattern, found in BY_WORDS if re.search(pattern, message)), kind)
    return Refused(kind, message)


class BoltSession(Session):
    """An empty graph: a database of our own, or the only one that a server has."""

    def __init__(self, chosen: Place, customs: Customs) -> None:
        self._place = chosen
        self._customs = customs
        self._driver: Any = None
        self._session: Any = None
        self._database: str | None = None
        self._turn: server.Turn | None = None
        self._has_schema = True
        self._mutex = threading.Lock()
        self._asked = time.monotonic()
        self._closed = threading.Event()
        try:
            self._open()
        except RuntimeError:
            self._leave()
            raise
        threading.Thread(target=self._watch, daemon=True).start()

    def _open(self) -> None:
        self._driver = connect(self._place)
        self._database = self._own_database()
        self._session = self._driver.session(database=self._database, fetch_size=-1)
        if self._database is None:
            self._turn = self._turn or server.Turn(self._place.url)
            self._turn.take()
            self._claim()
        self._empty()

    def _own_database(self) -> str | None:
        """Where a server has several databases, one for us alone."""
        from neo4j.exceptions import Neo4jError

        if not self._customs.fresh:
            return None
        name = f"gainsay-{secrets.token_hex(6)}"
        try:
            with self._driver.session(database="system") as session:
                session.run(self._customs.fresh % name).consume()
            return name
        except Neo4jError:
            return None  # one database for all, or we may make none

    def _claim(self) -> None:
        """Mark the only database as ours, if it is empty or its owner says so; else leave it alone."""
        if self._customs.is_marked(self._session):
            return
        is_empty = not self._session.run("MATCH (n) RETURN n LIMIT 1").single() and not self._customs.schema(
            self._session
        )
        if not is_empty and not self._place.wipe:
            raise RuntimeError(
                f"The database at {self._place.url} is not empty and not ours. "
                "Give another server; or, if all that is in it may be deleted, --wipe (in a target: wipe=1)."
            )
        self._session.run(self._customs.mark).consume()

    def _empty(self) -> None:
        self._session.run("MATCH (n) DETACH DELETE n").consume()
        if self._has_schema:
            for text in self._customs.schema(self._session):
                self._session.run(text).consume()
            self._has_schema = False

    def _watch(self) -> None:
        """Give up the turn where nobody asks: another process may wait for it."""
        while not self._closed.wait(IDLE_S / 2):
            if (
                self._turn is not None
                and time.monotonic() - self._asked > IDLE_S
                and self._mutex.acquire(blocking=False)
            ):
                self._turn.give()
                self._mutex.release()

    def ask(self, text: str) -> Answer:
        with self._mutex:
            self._asked = time.monotonic()
            if self._session is None:
                return Refused("connection", "the server died")
            if self._turn is not None and not self._turn.take():
                self._drop()
                return GaveUp("unknown")  # somebody else had the turn: what we made is gone
            try:
                return self._answer(text)
            finally:
                self._asked = time.monotonic()

    def _answer(self, text: str) -> Answer:
        from neo4j.exceptions import DriverError, Neo4jError

        import neo4j

        for attempt in range(TRIES):
            try:
                found = [tuple(record.values()) for record in self._session.run(neo4j.Query(text, timeout=SOFT_S))]
                if SCHEMA.match(text):
                    self._has_schema = True
                    if self._customs.settle:
                        self._session.run(self._customs.settle).consume()
                return Rows(found)
            except Neo4jError as error:
                answer = refusal(error.code or "", error.message or str(error))
                if not (isinstance(answer, Refused) and answer.kind == "transient" and attempt < TRIES - 1):
                    return answer
            except (DriverError, OSError) as error:
                return self._obituary(error)
        return GaveUp("unknown")

    def _obituary(self, error: BaseException) -> Answer:
        self._drop()
        closed = f"the server at {self._place.url} closed the connection ({type(error).__name__})"
        for _ in range(10):
            try:
                self._driver = connect(self._place)
            except Unreachable:
                return Died("crash", "", f"{closed}, and answers no more")
            except RuntimeError:
                time.sleep(0.2)  # it may be going down
            else:
                self._session = self._driver.session(database=self._database, fetch_size=-1)
                return Refused("connection", f"{closed}, and lives")
        return Died("crash", "", closed)

    def _drop(self) -> None:
        from neo4j.exceptions import DriverError, Neo4jError

        for each in (self._session, self._driver):
            if each is not None:
                with contextlib.suppress(DriverError, Neo4jError, OSError):
                    each.close()
        self._session = self._driver = None

    def renew(self) -> bool:
        """Empty again; another process may have its turn before that."""
        from neo4j.exceptions import DriverError, Neo4jError

        with self._mutex:
            self._asked = time.monotonic()
            is_ours = True
            if self._turn is not None:
                self._turn.give()
                time.sleep(0.005)
                is_ours = self._turn.take()
            try:
                if self._session is not None:
                    if not is_ours:
                        self._has_schema = True
                        self._claim()
                    self._empty()
                    return True
            except (DriverError, Neo4jError, OSError):
                self._drop()
            server.restart(self._place.restart, self._place.url, self._is_up)
            self._has_schema = True
            self._open()
        return True

    def _is_up(self) -> bool:
        try:
            connect(self._place).close()
        except Unreachable:
            return False
        return True

    def close(self) -> None:
        """Leave nothing behind."""
        from neo4j.exceptions import DriverError, Neo4jError

        self._closed.set()
        with self._mutex:
            with contextlib.suppress(DriverError, Neo4jError, OSError, RuntimeError):
                if self._session is not None and self._database is not None:
                    self._session.close()
                    with self._driver.session(database="system") as session:
                        session.run(self._customs.drop % self._database).consume()
                elif self._session is not None and self._turn is not None:
                    self._turn.take()
                    self._has_schema = True
                    self._empty()
                    self._session.run(self._customs.unmark).consume()
            self._leave()

    def _leave(self) -> None:
        self._drop()
        if self._turn is not None:
            self._turn.close()
            self._turn = None


class BoltEngine(GraphEngine):
    """A server of the user's, never started by us."""

    package = "neo4j"  # the driver of both
    needs_server = True
    options = OPTIONS
    customs: ClassVar[Customs]
    repro_open = """
import atexit, os, re, sys
import neo4j
USER, PASSWORD = $user, os.environ.get("$variable", "")
URL = os.environ.get("${prefix}_URL") or $url
AUTH = (USER, PASSWORD) if USER else None
driver = neo4j.GraphDatabase.driver(URL, auth=AUTH, notifications_min_severity="OFF")
session = driver.session()
if session.run("MATCH (n) RETURN n LIMIT 1").single():
    sys.exit("The database is not empty: set ${prefix}_URL to that of a server without data.")
atexit.register(lambda: session.run("MATCH (n) DETACH DELETE n").consume())
"""
    repro_ask = r'''
"""The rows; 139 is the exit status of a server that died."""
try:
    found = [tuple(record.values()) for record in session.run(text)]
    if $settle and re.match(r"\s*CREATE\s+(\w+\s+)?INDEX", text, re.I):
        session.run($settle).consume()
    return found
except neo4j.exceptions.DriverError:
    sys.stderr.write("the server died\n")
    os._exit(139)
'''
    repro_version = "str(session.run($asked).single()[0])"

    def open_session(self, configs: Sequence[str], options: Options) -> BoltSession:
        return BoltSession(place(self.name, options), self.customs)

    def version(self) -> str:
        driver = connect(place(self.name, {}))
        try:
            with driver.session() as session:
                return str(session.run(self.customs.version).single()[0]).removeprefix("v")
        finally:
            driver.close()

    def prove(self, options: Options) -> None:
        """It answers, lets us in, and has a place for us."""
        self.open_session((), options).close()

    def environment(self, version: str, options: Options) -> Mapping[str, str]:
        """What `version`, which has no options, must know."""
        told = [key for key in KEYS if options.get(key) and key not in ("restart", "wipe")]
        return {f"GAINSAY_{self.name.upper()}_{key.upper()}": options[key] for key in told}

    def requirements(self, version: str) -> Sequence[str]:
        return []  # a driver brings no server

    def available(self) -> Mapping[str, str]:
        return {}

    def repro_words(self, version: str, options: Options, configs: Sequence[str]) -> Mapping[str, str]:
        chosen = place(self.name, {key: value for key, value in options.items() if key != "password"})
        return {
            "prefix": f"GAINSAY_{self.name.upper()}",
            "variable": chosen.variable,
            "url": repr(chosen.url),
            "user": repr(chosen.user),
            "asked": repr(self.customs.version),
            "settle": repr(self.customs.settle),
        }

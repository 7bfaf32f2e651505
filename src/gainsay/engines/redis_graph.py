"""What FalkorDB and RedisGraph share: a session on a graph of its own, on a server that we start or on one of the
user's.

Only graphs named gainsay_* are ever made or deleted. Standard library only, as hosts load it.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gainsay.core.answer import Answer, Died, GaveUp, Refused, Rows
from gainsay.core.engine import Facts, Options, Session
from gainsay.engines import server
from gainsay.engines.graph import GraphEngine
from gainsay.engines.redis_server import SOFT_S, OwnServer
from gainsay.engines.resp import ErrorReply, Place, Unreachable, Wire, connect, crash_report, rows

KEYS = ("host", "port", "username", "password", "lib")  # what `version`, which has no options, must know
OPTIONS: Mapping[str, str] = {
    "host": "a server that runs already (default localhost, where a port is given)",
    "port": "its port (default 6379, where a host is given)",
    "username": "a user of that server",
    "password": "that user's password",
    "name": "a label of your own",
    "restart": "the shell command that starts that server again after it died",
    "wipe": "1: first delete the graphs named gainsay_* that are on that server",
}
HARD_S = 60.0  # of wall time; its own limit did not hold
OURS = "gainsay_"
INDEX = re.compile(r"\s*CREATE\s+(?:\w+\s+)?INDEX\b|\s*CALL\s+db\.idx\.", re.IGNORECASE)
STATUS = "CALL db.indexes() YIELD status RETURN status"
KINDS: Sequence[tuple[str, str]] = (
    # "We don't support pattern comprehension in where": a maintainer in FalkorDB's issue 310, which is kept as a wish
    # for a new feature.
    (r"Unable to (?:resolve filtered alias '|locate a value with alias )\[(?:\w+ = )?\(", "missing"),
    (r"nternal|ssert|unhandled|corrupt|Unable to resolve|Unable to locate a value", "internal"),
    (r"errMsg: |[Pp]arse|must be a RETURN", "syntax"),
    (r"Unknown function|not defined|[Uu]nknown|undefined", "name"),
    (r"[Tt]ype mismatch|but was", "type"),
    (r"Division by zero|out of range|verflow|Invalid", "value"),
    (r"NOPERM|NOAUTH|WRONGPASS", "permission"),
    (r"support|currently|not yet|cannot|must", "missing"),
)


class Service(NamedTuple):
    """What a session needs: a place of the user's (or none), his restart command; or the programs of a server of our
    own."""

    place: Place | None
    restart: str
    variable: str  # of the password
    programs: tuple[str, str] = ("", "")  # redis-server and the module
    arguments: tuple[str, ...] = ()  # of the module


def service(name: str, options: Mapping[str, str]) -> Service:
    """A server of the user's by options, or by variables that `environment` made of them; without host and port the
    place is None."""
    prefix = f"GAINSAY_{name.upper()}_"
    given = {
        key: options.get(key) or os.environ.get(prefix + key.upper(), "")
        for key in ("host", "port", "username", "password", "restart")
    }
    if not given["host"] and not given["port"]:
        return Service(None, "", f"{prefix}PASSWORD")
    if given["port"] and not (given["port"].isdigit() and 0 < int(given["port"]) < 65536):
        raise RuntimeError(f"port={given['port']}: give a number from 1 to 65535.")
    place = Place(given["host"] or "localhost", int(given["port"] or 6379), given["username"], given["password"])
    return Service(place, given["restart"], f"{prefix}PASSWORD")


def refusal(message: str) -> Answer:
    """What an error means."""
    if "timed out" in message:
        return GaveUp("timeout")
    if "mem consumption" in message or message.startswith("OOM") or "out of memory" in message.lower():
        return GaveUp("memory")
    return Refused(next((kind for pattern, kind in KINDS if re.search(pattern, message)), "other"), message)


class GraphSession(Session):
    """An empty graph of our own. After a death, `renew` has another server started, by us or by the user's command."""

    def __init__(self, chosen: Service) -> None:
        self._service = chosen
        self._own: OwnServer | None = None
        self._wire: Wire | None = None
        self._spent_s = 0.0
        self._name = ""
        self._run = ""
        self._log: Path | None = None
        self._open()

    def _open(self) -> None:
        place = self._service.place
        if place is None:
            self._own = OwnServer(self._service.programs, self._service.arguments)
            place = self._own.place
        self._wire = connect(place, HARD_S, self._service.variable)
        self._more = () if self._own else ("timeout", str(int(SOFT_S * 1000)))
        self._run = run_id(self._wire)
        self._log = None if self._own else log_of(self._wire, place)
        if self._name and self._own is None:
            self._delete()  # what was there when the server died, if it kept it
        self._name = f"{OURS}{secrets.token_hex(6)}"

    def ask(self, text: str) -> Answer:
        if self._wire is None:
            return Refused("connection", "the server died")
        try:
            found = Rows(rows(self._wire.call("GRAPH.QUERY", self._name, text, "--compact", *self._more)))
            if INDEX.match(text):
                self._settle()
            return found
        except ErrorReply as error:
            # The server's own limit is lower, or it has none for what writes
            if self._more and "TIMEOUT" in str(error):
                return self._without_limit(text)
            return refusal(str(error))
        except (OSError, EOFError) as error:
            return self._obituary(isinstance(error, TimeoutError))

    def _without_limit(self, text: str) -> Answer:
        more, self._more = self._more, ()
        try:
            return self.ask(text)
        finally:
            self._more = more

    def _settle(self) -> None:
        """An index is made in the background: until it is whole, plans do not use it."""
        assert self._wire is not None
        until = time.monotonic() + HARD_S
        while any(
            "OPERATIONAL" not in str(row)
            for row in rows(self._wire.call("GRAPH.QUERY", self._name, STATUS, "--compact"))
        ):
            if time.monotonic() > until:
                raise TimeoutError
            time.sleep(0.002)

    def _obituary(self, is_late: bool) -> Answer:
        self._drop()
        return self._own_death(self._own, is_late) if self._own else self._users_death(is_late)

    def _own_death(self, own: OwnServer, is_late: bool) -> Answer:
        if is_late or not own.has_ended(server.DYING_S):
            self._bury()
            return Died("hang", "SIGKILL", f"no answer within {HARD_S:.0f} s, though its own limit is {SOFT_S:.0f} s")
        name = server.signal_name(own.code)
        function, report = crash_report(own.log())
        self._bury()
        how = "memory" if "OUT OF MEMORY" in report or name == "SIGKILL" else "crash"
        return Died(how, f"{name}: {function}" if function else name, report)

    def _users_death(self, is_late: bool) -> Answer:
        """A dying server takes connections for a while, but does not answer on them."""
        place = self._service.place
        assert place is not None
        if is_late:
            return Died("hang", "", f"the server at {place} gave no answer within {HARD_S:.0f} s")
        until = time.monotonic() + server.DYING_S
        while time.monotonic() < until:
            try:
                wire = connect(place, 1.0, self._service.variable)
                run = run_id(wire)
            except (Unreachable, OSError, EOFError) as error:
                if "refused" in str(error):
                    break
            else:
                if run == self._run:
                    self._wire = wire
                    return Refused("connection", f"the server at {place} closed the connection, and lives")
                wire.close()
                return self._reported(
                    f"the server at {place} closed the connection, and was started again by somebody else"
                )
            time.sleep(0.05)
        return self._reported(f"the server at {place} closed the connection, and answers no more")

    def _reported(self, said: str) -> Died:
        """The user's server may write its log where we can read it."""
        function, report = (
            crash_report(self._log.read_text("utf-8", "replace")) if self._log and self._log.is_file() else ("", "")
        )
        is_crash = "crashed by" in report or "ASSERTION" in report
        return Died("crash", function if is_crash else "", f"{said}\n{report}" if is_crash else said)

    def _drop(self) -> None:
        if self._wire is not None:
            self._wire.close()
            self._wire = None

    def _bury(self) -> None:
        if self._own is not None:
            self._own.end()
            self._spent_s += self._own.spent_s()
            self._own = None

    def renew(self) -> bool:
        """Another empty graph, on another server where the last one died."""
        if self._wire is not None:
            try:
                self._delete()
                self._name = f"{OURS}{secrets.token_hex(6)}"
                return True
            except (OSError, EOFError):
                self._drop()
                self._bury()
        place = self._service.place
        if place is not None:
            server.restart(self._service.restart, str(place), lambda: is_up(place, self._service.variable))
        self._open()
        return True

    def _delete(self) -> None:
        assert self._wire is not None
        with contextlib.suppress(ErrorReply):  # there is none before the first question
            self._wire.call("GRAPH.DELETE", self._name)

    def close(self) -> None:
        if self._wire is not None and self._own is None:
            with contextlib.suppress(OSError, EOFError):
                self._delete()
        self._drop()
        self._bury()

    def version(self) -> str:
        """The version of the graph module: 4.16.3 is 41603 there."""
        assert self._wire is not None
        number = module_version(self._wire.call("MODULE", "LIST"))
        if not number:
            raise RuntimeError(
                f"The server at {self._service.place} has no graph module. Start one that has, or give another host "
                "and port."
            )
        return f"{number // 10000}.{number // 100 % 100}.{number % 100}"

    def wipe(self) -> None:
        """Delete graphs that bear our name, whoever left them."""
        assert self._wire is not None
        for name in [raw.decode("utf-8", "replace") for raw in self._wire.call("GRAPH.LIST")]:
            if name.startswith(OURS):
                self._wire.call("GRAPH.DELETE", name)

    def spent_s(self) -> float:
        """CPU time of our servers; of a user's we know nothing."""
        return self._spent_s + (self._own.spent_s() if self._own else 0.0)


def is_up(place: Place, variable: str) -> bool:
    try:
        connect(place, 1.0, variable).close()
    except Unreachable:
        return False
    return True


def log_of(wire: Wire, place: Place) -> Path | None:
    """The log of a server on this machine, where it writes one to a file and tells us."""
    if place.host not in ("localhost", "127.0.0.1", "::1"):
        return None
    try:
        folder, name = (wire.call("CONFIG", "GET", key)[1].decode() for key in ("dir", "logfile"))
    except (ErrorReply, IndexError, UnicodeDecodeError):
        return None
    return Path(folder) / name if name else None


def run_id(wire: Wire) -> str:
    """Changes when a server is started again."""
    try:
        found = re.search(r"run_id:(\w+)", wire.call("INFO", "server").decode("utf-8", "replace"))
    except ErrorReply:
        return ""
    return found[1] if found else ""


def module_version(modules: list[Any]) -> int:
    for module in modules:
        fields = dict(zip(module[::2], module[1::2], strict=False))
        if fields.get(b"name") == b"graph":
            return int(fields[b"ver"])
    return 0


THEIRS = 'db = FalkorDB(host={host!r}, port={port}, username={username!r}, password=os.environ.get("{variable}"))'

DOCS = "https://docs.falkordb.com/cypher"


class RedisGraphEngine(GraphEngine):
    """A graph module in a Redis server."""

    dialect = "falkordb"
    options = OPTIONS
    configs_are_statements = False
    repro_open = """
import os, re, socket, subprocess, sys, tempfile, time
import redis
from falkordb import FalkorDB
$start
module = next(m for m in db.connection.module_list() if "'graph'" in str(m))
number = int(re.search(r"ver\\W+(\\d+)", str(module))[1])
graph = db.select_graph("gainsay_repro")
try:
    graph.delete()
except redis.ResponseError:
    pass  # there was none
"""
    repro_ask = r'''
"""The rows. An index is made in the background: wait until it is whole."""
try:
    found = [tuple(row) for row in graph.query(text).result_set]
    status = "CALL db.indexes() YIELD status RETURN status"
    while re.match(r"\s*CREATE\s+(\w+\s+)?INDEX", text, re.I) and any(
        "OPERATIONAL" not in str(row) for row in graph.query(status).result_set
    ):
        time.sleep(0.01)
    return found
except redis.ConnectionError:
    sys.stderr.write("the server died\n")
    sys.exit($died)
'''
    repro_version = 'f"{number // 10000}.{number // 100 % 100}.{number % 100}"'

    def service(self, configs: Sequence[str], options: Options) -> Service:
        """The server to use."""
        return service(self.name, options)

    def open_session(self, configs: Sequence[str], options: Options) -> GraphSession:
        return GraphSession(self.service(configs, options))

    def version(self) -> str:
        session = self.open_session((), {})
        try:
            return session.version()
        finally:
            session.close()

    def prove(self, options: Options) -> None:
        """The server has the module; where the user says so, what other hunts left on it is deleted."""
        session = self.open_session((), options)
        try:
            session.version()
            if options.get("wipe") == "1":
                session.wipe()
        finally:
            session.close()

    def environment(self, version: str, options: Options) -> Mapping[str, str]:
        return {f"GAINSAY_{self.name.upper()}_{key.upper()}": options[key] for key in KEYS if options.get(key)}

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        """FalkorDB's documentation is RedisGraph's, handed down."""
        return {
            "relationship-uniqueness": (
                "may be the same",
                "https://github.com/FalkorDB/FalkorDB/issues/694",
            ),  # a maintainer: by design, too dear
            "unreferenced-edge": ("exists", f"{DOCS}/known-limitations#relationship-uniqueness-in-patterns"),
            "float-to-integer": ("down", f"{DOCS}/functions#type-conversion-functions"),
            "round-half": ("away from zero", f"{DOCS}/functions#mathematical-functions"),
            "substring": ("from 0", f"{DOCS}/functions#string-functions"),
        }

    def repro_words(self, version: str, options: Options, configs: Sequence[str]) -> Mapping[str, str]:
        """For a server of the user's: the password is read from the environment."""
        start = THEIRS.format(
            host=options.get("host") or "localhost",
            port=int(options.get("port") or 6379),
            username=options.get("username") or None,
            variable=f"GAINSAY_{self.name.upper()}_PASSWORD",
        )
        return {"start": start, "died": "139"}

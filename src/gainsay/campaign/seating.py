"""Players: how a seat is really asked, in this process or in a host, and what its process needs around it."""

from __future__ import annotations

import json
import os
import pickle
import select
import signal
import struct
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import gainsay
from gainsay.campaign import host
from gainsay.core import answer as answers
from gainsay.core import registry
from gainsay.core.answer import Answer, Died
from gainsay.core.engine import Engine, Session
from gainsay.core.model import Seat, Target
from gainsay.engines import releases
from gainsay.errors import EnvironmentProblem, NotLetIn, UsageError, near
from gainsay.limits import own_cpu_seconds, resident, tree

ROOT = str(Path(gainsay.__file__).parent.parent)
HARD_S = float(os.environ.get("GAINSAY_HARD_S", "50"))  # ten times the soft limit, in CPU time
OUTSIDE = "GAINSAY_OUTSIDE"  # tells a process in a room what its variables were outside
GOING_S = 2.0  # for a host to end by itself
CLASSES = {c.__name__: c for c in (answers.Rows, answers.Decision, answers.Refused, answers.GaveUp, answers.Died)}


class Room(NamedTuple):
    """What a process needs to run a target: a folder with its release (or none) and variables."""

    folder: str
    variables: Mapping[str, str]

    def environment(self) -> dict[str, str]:
        outer = outside()
        path = [p for p in (self.folder, ROOT, outer.get("PYTHONPATH", "")) if p]
        inner = {**self.variables, "PYTHONPATH": os.pathsep.join(path), "PYTHONHASHSEED": "0"}
        return {**outer, **inner, OUTSIDE: json.dumps({name: outer.get(name) for name in inner})}


def outside() -> dict[str, str]:
    """The user's variables, also from within a room: a process that one release runs in starts others, and they must
    not get its library."""
    found = dict(os.environ)
    for name, value in json.loads(found.pop(OUTSIDE, "{}")).items():
        found.pop(name, None)
        if value is not None:
            found[name] = value
    return found


def check(target: Target) -> Engine:
    """The engine of a target, if all of its parts are known."""
    engine = registry.engine(target.engine)
    for config in target.configs:
        if config not in engine.configs:
            raise UsageError(f"{target.engine} has no configuration {config!r}.{near(config, engine.configs)}")
    for key, value in target.options:
        if key not in engine.options:
            raise UsageError(f"{target.engine} has no option {key!r}.{near(key, engine.options)}")
        if not value:
            raise UsageError(f"{target}: the option {key!r} has no value ({engine.options[key]}).")
    return engine


def code_base(engine: str) -> str:
    """Whose code an engine runs. Engines of one code base may share a bug, so they are no witnesses for each other."""
    return registry.engine(engine).code_base or engine


def options(target: Target) -> dict[str, str]:
    """The options of a target, with a cached library where its version has one."""
    found = dict(target.options)
    engine = registry.engine(target.engine)
    cached = releases.library(engine, target.version) if target.version else ""
    if cached and "lib" in engine.options:
        found.setdefault("lib", cached)
    return found


def unnamed(engine: Engine) -> str:
    """The release that a target without a version runs, where nothing is installed and Maven brings one."""
    return releases.newest(engine) if releases.is_from_maven(engine) and not engine.is_preferred() else ""


def room(target: Target) -> Room:
    """What a process needs around it to run a target: its release is brought where it is not there yet."""
    engine = check(target)
    chosen = options(target)
    path = chosen.get("lib", "")
    if path and not os.path.isfile(path):
        wanted = engine.options["lib"]
        raise EnvironmentProblem(f"There is no library {path}. {target.engine}?lib= wants a path: {wanted}.")
    version = target.version or ("" if target.options else unnamed(engine))
    is_release = version and not path and engine.requirements(version)
    folder = str(releases.folder(engine, version)) if is_release else ""
    return Room(folder, engine.environment("" if path else target.version, chosen))


class Player(ABC):
    """Answers for one seat."""

    ask: Callable[[str], Answer]  # what the engine says to a text; in this process the session's own method
    holding: Any = None  # the texts of the scene that is loaded, where that is known
    ask_block: Callable[[list[str]], list[Answer]] | None = None  # several questions at once, where a process is dear
    run_script: Callable[[list[str]], list[Answer]] | None = None  # the statements of a scene at once, where that pays
    inside_s: float = 0.0  # CPU time inside the engine, where it is measured

    @abstractmethod
    def reset(self) -> None:
        """Make the session a fresh, empty one."""

    def spent_s(self) -> float | None:
        """CPU time of the engine's own processes, where it has some."""
        return None

    def close(self) -> None:
        """End the session, and what was started for it."""


class LocalPlayer(Player):
    """A seat in this process: nothing between us and the engine."""

    def __init__(self, seat: Seat) -> None:
        self._target = seat.target
        self._engine = registry.engine(seat.target.engine)
        self._configs = seat.target.configs
        self._options = options(seat.target)
        self._session: Session | None = None
        self.ask: Any = None

    def reset(self) -> None:
        try:
            self._session = host.renewed(self._engine, self._session, self._configs, self._options)
        except RuntimeError as error:
            raise EnvironmentProblem(f"{self._target}: {error}") from None
        self.ask = self._session.ask
        self.ask_block = self._session.ask_block if self._session.answers_blocks else None
        self.run_script = self._session.run_script if self._session.runs_scripts else None

    def spent_s(self) -> float | None:
        """CPU time of the engine's own processes, where it has such: then that is the engine's time, and not what
        passes in this one."""
        return self._session.spent_s() if self._session is not None else None

    def close(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None


class HostedPlayer(Player):
    """A seat in a process of its own, which may die: then the answer is Died, and the next reset starts another."""

    def __init__(self, target: Target, memory: int = 0, hard_s: float = HARD_S) -> None:
        self._target = target
        self._engine = check(target)
        self._room = room(target)
        self._options = options(target)
        self._memory = memory
        self.hard_s = hard_s
        self._process: subprocess.Popen[bytes] | None = None
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 # as long-lived as the player
        self._read = self._write = -1

    def start(self) -> None:
        """Start the host, in the target's room, with a pipe each way."""
        theirs_read, self._write = os.pipe()
        self._read, theirs_write = os.pipe()
        name = registry.table("gainsay.engines")[self._target.engine]
        command = [sys.executable, host.__file__, name, str(theirs_read), str(theirs_write), ROOT, self._room.folder]
        self._log.seek(0)
        self._log.truncate()
        self._process = subprocess.Popen(
            command,
            env=self._room.environment(),
            pass_fds=(theirs_read, theirs_write),
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
        )
        os.close(theirs_read)
        os.close(theirs_write)

    def talk(self, *message: object) -> Any:
        """Send a message and wait for its reply; Died if there will be none."""
        if self._process is None:
            self.start()
        try:
            host.send(self._write, message)
            return self._receive()
        except (EOFError, BrokenPipeError):
            return self._bury("crash")

    def _receive(self) -> Any:
        begun = time.monotonic()
        spent = own_cpu_seconds(self._process.pid) if self._process else 0.0
        wait = 0.02
        while not select.select([self._read], [], [], wait)[0]:
            wait = 0.05
            assert self._process is not None
            if self._memory and resident(self._process.pid) > self._memory:
                return self._bury("memory")
            busy = own_cpu_seconds(self._process.pid) - spent
            # A deadlock uses no CPU: wall time, with much patience, ends it too.
            if busy > self.hard_s or time.monotonic() - begun > 6 * self.hard_s:
                return self._bury("hang")
        size = struct.unpack("<I", host.exactly(self._read, 4))[0]
        return pickle.loads(host.exactly(self._read, size))

    def _bury(self, how: str) -> Died:
        process = self._process
        assert process is not None
        if how != "crash":
            process.kill()
        code = process.wait()
        self._forget()
        self._log.seek(0)
        said = self._log.read()[-4000:].decode("utf-8", "replace")
        return Died(how, signal_name(code), said)

    def _forget(self) -> None:
        for fd in (self._read, self._write):
            if fd >= 0:
                os.close(fd)
        self._read = self._write = -1
        self._process = None

    @property
    def pid(self) -> int:
        return self._process.pid if self._process else 0

    def describe(self) -> tuple[str, tuple[str, ...], dict[str, tuple[str, str]]]:
        """Version, build options and documented facts of what really runs; an error that says what to do if it
        can't."""
        _, version, build, facts, denied = self._told("describe")
        target = self._target
        if target.version and version.startswith(target.version + "."):
            raise EnvironmentProblem(f"{target} is version {version}: write {target.engine}@{version}.")
        if target.version and version != target.version:
            raise EnvironmentProblem(
                f"{target} runs version {version}: another copy of {target.engine} hides the release that was asked "
                "for."
            )
        # A fact that the engine denies holds for this target alone: nothing that depends on it is compared.
        facts |= {name: (f"NOT AS DOCUMENTED: {said}", facts[name][1]) for name, said in denied.items()}
        return version, build, facts

    def version(self) -> str:
        """The version alone, for which hardly any engine has to open a session."""
        return str(self._told("version")[1])

    def sweep(self) -> str:
        """Have what killed sessions left on the user's server removed. Why that could not be, or nothing."""
        reply = self.talk("sweep", self._options)
        return f"{self._target} does not answer" if isinstance(reply, Died) else "" if reply[0] == "ok" else reply[2]

    def _told(self, verb: str) -> Any:
        """What a host says about its engine; an error with the remedy where that can't be."""
        reply = self.talk(verb, self._options)
        engine, target, path = self._engine, self._target, self._options.get("lib", "")
        unloadable = (
            f"{path} is not what {engine.name}?lib= wants, or can't be loaded here: {engine.options.get('lib')}."
        )
        if isinstance(reply, Died):
            if path:
                raise EnvironmentProblem(unloadable)
            raise EnvironmentProblem(
                f"{target} does not start ({reply.signal}): {reply.stderr.strip().splitlines()[-1:] or ''}"
            )
        if reply[0] == "error":
            if reply[1] in ("ModuleNotFoundError", "ImportError") and engine.package and not target.version:
                package = engine.package
                raise EnvironmentProblem(f"The package {package} is not installed. Run: pip install {package}")
            if reply[1] == NotLetIn.__name__:
                raise NotLetIn(f"{target}: {reply[2]}")
            if path and reply[1] in ("OSError", "AttributeError", "ImportError"):
                raise EnvironmentProblem(unloadable)
            raise EnvironmentProblem(f"{target}: {reply[2]}")
        return reply

    def reset(self) -> None:
        reply = self.talk("open", self._target.configs, self._options)
        if isinstance(reply, Died):
            raise EnvironmentProblem(
                f"{self._target} can't open a session ({reply.signal}): {reply.stderr.strip()[-200:]}"
            )
        if reply[0] == "error":
            raise EnvironmentProblem(f"{self._target}: {reply[1]}")

    def ask(self, text: str) -> Answer:
        reply = self.talk("ask", text)
        if isinstance(reply, Died):
            return reply
        name, *fields = reply
        made = CLASSES[name]
        found: Answer = made(**dict(zip(sorted(made.__slots__), fields, strict=True)))
        return found

    def spent_s(self) -> float | None:
        return sum(map(own_cpu_seconds, tree(self.pid))) if self.pid else 0.0

    def kill(self) -> None:
        """End it while somebody else waits for its answer: that one is told of a death."""
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        if self._process is not None:
            process = self._process
            self._forget()  # the end of its pipe tells it to go
            try:
                process.wait(GOING_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def signal_name(code: int) -> str:
    if code >= 0:
        return f"exit status {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"

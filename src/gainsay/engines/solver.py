"""What the SMT engines share: a solver process spoken to in SMT-LIB over a pipe, and how its replies are read.

Standard library only, as hosts load it. A reply is never guessed at: what is not a verdict where one is due is a
refusal."""

from __future__ import annotations

import ctypes
import os
import resource
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from gainsay.core.answer import Answer, Refused, Rows
from gainsay.core.engine import Session
from gainsay.engines.replies import SOFT_S, Ended, is_whole, obituary, reading
from gainsay.limits import cpu_seconds, tree

CPU_S = 2 * SOFT_S  # of one question, unless ?time= says more: then its process is ended
WALL = 8  # times as much wall time: a deadlock uses no CPU
LOOK_S = 0.1
MEMORY = 4 << 30
PRINTED = 64 << 20  # more than that is no answer
RENEWALS = 200  # after so many a process is replaced: what (reset) leaves behind adds up
LIBC = ctypes.CDLL(None)
SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl
# Memory is kept from one script to the next: else z3 may spend most of its time giving it back (8 of 10 ms of a small
# script).
MALLOC = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_TOP_PAD_": str(1 << 26),
    "MALLOC_TRIM_THRESHOLD_": str(1 << 30),
    "MALLOC_MMAP_THRESHOLD_": str(1 << 30),
}
MODELS = "(set-option :produce-models true)"
CORES = "(set-option :produce-unsat-cores true)"


class Plan(NamedTuple):
    """How a solver is started and spoken to.
    `stacked` is for whole scripts with push or several checks, `resident` for what stays loaded."""

    command: Sequence[str]
    resident: Sequence[str]
    stacked: Sequence[str]
    prelude: Sequence[str] = ()
    strings: str = ""  # said before a text that has strings, and no other
    has_reset: bool = True
    resident_has_reset: bool = True
    limit_s: float = CPU_S


def beside(package: str, program: str) -> str:
    """The path of a program that came with a Python package; the package is found, not imported."""
    from importlib import util

    spec = util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"No module named {package!r}", name=package)
    home = os.path.abspath(next(iter(spec.submodule_search_locations)))
    site = os.path.dirname(home)
    above = os.path.dirname(os.path.dirname(os.path.dirname(site)))
    places = [os.path.join(folder, "bin", program) for folder in (home, site, above)]  # noqa: PTH118 # for hosts
    found = next((p for p in places if os.access(p, os.X_OK)), None)
    if found is None:
        raise RuntimeError(
            f"The package that holds {package!r} has no program {program}: it is in none of {', '.join(places)}."
        )
    return found


def ending_with_us(ending: signal.Signals = signal.SIGKILL) -> Callable[[], None]:
    """What a solver's process does before it starts, so that it is killed when we are.
    One that computes would not notice the end of its pipe."""
    us = os.getpid()

    def tie() -> None:
        LIBC.prctl(SET_DEATH_SIGNAL, ending)
        if os.getppid() != us:  # we were killed before the kernel knew of the tie
            os._exit(1)

    return tie


class Process:
    """A solver on a pipe; started when it is first needed, and again after it ended."""

    def __init__(self, command: Sequence[str], limit_s: float = CPU_S) -> None:
        self._command = list(command)
        self._limit_s = limit_s
        self._process: subprocess.Popen[bytes] | None = None
        self._spent_s = 0.0
        self._mark = 0
        self._buffer = bytearray()
        self.ended = Ended(0, b"", False)

    @property
    def is_alive(self) -> bool:
        return self._process is not None

    def start(self) -> None:
        """Start the solver on pipes, within its limits; it ends with us."""
        pipe, room = subprocess.PIPE, {**os.environ, **MALLOC}
        self._process = subprocess.Popen(
            self._command,
            stdin=pipe,
            stdout=pipe,
            stderr=subprocess.STDOUT,
            bufsize=0,
            env=room,
            preexec_fn=ending_with_us(),
        )
        assert self._process.stdin is not None
        os.set_blocking(self._process.stdin.fileno(), False)
        self._buffer.clear()
        try:
            resource.prlimit(self._process.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
        except OSError:
            pass  # it ended already: reading will tell

    def exchange(self, parts: Sequence[bytes]) -> list[tuple[bytes, float]]:
        """Say all parts, and read the reply to each, with the seconds it took.
        Fewer replies than parts: `ended` tells why."""
        if self._process is None:
            self.start()
        first = self._mark + 1
        self._mark += len(parts)
        data = memoryview(b"".join([b'%b\n(echo "gainsay-%d")\n' % (part, n) for n, part in enumerate(parts, first)]))
        assert self._process is not None and self._process.stdin is not None and self._process.stdout is not None
        source, sink = self._process.stdout.fileno(), self._process.stdin.fileno()
        poll = select.poll()
        poll.register(source, select.POLLIN)
        poll.register(sink, select.POLLOUT)
        replies: list[tuple[bytes, float]] = []
        last = looked = begun = time.monotonic()
        watched, base = -1, 0.0
        while len(replies) < len(parts):
            for fd, _ in poll.poll(LOOK_S * 1000):
                if fd == sink:
                    data = self._write(sink, data)
                    if not data:
                        poll.unregister(sink)
                elif not self._read(source):
                    self.end(is_late=False)
                    return replies
            now = time.monotonic()
            for reply in self._replies(first + len(replies), first + len(parts)):
                replies.append((reply, now - last))
                last = now
            if now - looked < LOOK_S:
                continue
            looked = now
            spent = cpu_seconds(self._process.pid)
            if watched != len(replies):
                watched, base, begun = len(replies), spent, now
            elif spent - base > self._limit_s or now - begun > WALL * self._limit_s or len(self._buffer) > PRINTED:
                self.end(is_late=True)
                return replies
            elif self._has_ended():  # what it started may keep the pipe open
                self.end(is_late=False)
                return replies
        return replies

    def _write(self, sink: int, data: memoryview) -> memoryview:
        try:
            return data[os.write(sink, data[: 1 << 16]) :]
        except BlockingIOError:
            return data
        except BrokenPipeError:
            return data[:0]  # it ended; what it printed is still to be read

    def _read(self, source: int) -> bool:
        chunk = os.read(source, 1 << 18)
        self._buffer += chunk
        return bool(chunk)

    def _replies(self, number: int, end: int) -> Iterator[bytes]:
        """Replies that are complete.
        A mark ends its line: in an error that quotes the text, a parenthesis or dots follow it."""
        buffer, start, scan = self._buffer, 0, 0
        while number < end:
            mark = b"gainsay-%d" % number
            at = buffer.find(mark, scan)
            line_end = buffer.find(b"\n", at)
            if at < 0 or line_end < 0:
                break
            if bytes(buffer[at + len(mark) : line_end]).strip() not in (b"", b'"'):
                scan = at + 1
                continue
            yield bytes(buffer[start : at - 1 if at > start and buffer[at - 1] == 34 else at])
            start = scan = line_end + 1
            number += 1
        del buffer[:start]

    def _has_ended(self) -> bool:
        assert self._process is not None
        return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def end(self, is_late: bool = False) -> None:
        """End it if it lives, and keep account of it."""
        process = self._process
        if process is None:
            return
        self._process = None
        assert process.stdin is not None and process.stdout is not None
        process.stdin.close()
        if is_late or not waited(process.pid):
            for pid in reversed(list(tree(process.pid))):
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stdout.close()
        self._spent_s += usage.ru_utime + usage.ru_stime
        self.ended = Ended(process.returncode, bytes(self._buffer), is_late)

    def spent_s(self) -> float:
        return self._spent_s + (cpu_seconds(self._process.pid) if self._process else 0.0)


def waited(pid: int, patience_s: float = 1.0) -> bool:
    """Whether a process that has nothing more to read or say ends by itself."""
    until = time.monotonic() + patience_s
    while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        if time.monotonic() > until:
            return False
        time.sleep(0.002)
    return True


class SolverSession(Session):
    """Whole scripts, which begin with "(reset)", go to a process that starts each from nothing; other texts to one that
    keeps what it was told."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._prelude = "".join(f"{line}\n" for line in plan.prelude)
        self._single = Process(plan.command, plan.limit_s)
        self._stacked = self._single if plan.stacked == plan.command else Process(plan.stacked, plan.limit_s)
        self._resident = Process(plan.resident, plan.limit_s)
        self._loads: list[str] = []
        self._renewals = 0
        self._is_stale = False
        self._sick: Answer | None = None
        self._strings = ""  # what the resident process was told of them

    def ask(self, text: str) -> Answer:
        return self.ask_block((text,))[0]

    def ask_block(self, texts: Sequence[str]) -> list[Answer]:
        """Independent scripts, and texts for the resident process in their order; a text that ends a process does not
        stop the others."""
        answers: dict[int, Answer] = {}
        routes: dict[int, tuple[Process, list[int]]] = {}
        for i, text in enumerate(texts):
            if is_whole(text):
                process = self._route(text)
                routes.setdefault(id(process), (process, []))[1].append(i)
            else:
                answers[i] = Refused("script", "a parenthesis, a text or a quoted symbol has no end")
        for process, at in routes.values():
            answers.update(zip(at, self._talk(process, [texts[i] for i in at]), strict=True))
        return [answers[i] for i in range(len(texts))]

    def _route(self, text: str) -> Process:
        if not text.startswith("(reset)"):
            return self._resident
        return (
            self._stacked
            if self._stacked is not self._single and ("(push" in text or text.count("(check-sat") > 1)
            else self._single
        )

    def _talk(self, process: Process, texts: Sequence[str]) -> list[Answer]:
        answers: list[Answer] = []
        is_resident = process is self._resident
        starts_anew = not is_resident and not self._plan.has_reset
        while len(answers) < len(texts):
            ill = self._wake() if is_resident else None
            if ill is not None:
                answers.append(ill)
                continue
            rest = texts[len(answers) : len(answers) + 1 if starts_anew else None]
            replies = process.exchange([self._spelled(text) for text in rest])
            for text, (reply, seconds) in zip(rest, replies, strict=False):
                answers.append(reading(text, reply, seconds))
                if is_resident and isinstance(answers[-1], Rows):
                    self._loads.append(text)
            if len(replies) < len(rest):
                answers.append(obituary(rest[len(replies)], process.ended))
            if starts_anew:
                process.end()
        return answers

    def _spelled(self, text: str) -> bytes:
        strings = self._plan.strings if self._plan.strings and ("str." in text or "String" in text) else ""
        if not text.startswith("(reset)"):
            strings, self._strings = ("" if self._strings else strings), self._strings or strings
            return (strings + text).encode("utf-8", "replace")
        wanted = strings + needed(text)
        return f"{'(reset)' if self._plan.has_reset else ''}\n{self._prelude}{wanted}{text[7:]}".encode(
            "utf-8", "replace"
        )

    def _wake(self) -> Answer | None:
        """The resident process as it should be: started, with the prelude and what was loaded.
        What it says against that, or nothing."""
        if self._resident.is_alive and not self._is_stale:
            return self._sick
        loading = self._prelude + self._strings + "\n".join(self._loads)
        opening = ("(reset)\n" if self._resident.is_alive else "") + MODELS
        self._is_stale = False
        replies = self._resident.exchange([opening.encode(), loading.encode("utf-8", "replace")])
        if len(replies) < 2:
            return obituary(loading, self._resident.ended)
        found = reading(loading, replies[1][0], replies[1][1])
        self._sick = None if isinstance(found, Rows) else found
        return self._sick

    def renew(self) -> bool:
        """Back to an empty state."""
        self._loads, self._strings = [], ""
        self._sick = None
        self._renewals += 1
        if self._plan.resident_has_reset and self._renewals % RENEWALS:
            self._is_stale = self._resident.is_alive
        else:
            self._is_stale = False
            self._resident.end(is_late=True)
        return True

    def close(self) -> None:
        for process in (self._single, self._stacked, self._resident):
            process.end(is_late=True)

    def spent_s(self) -> float:
        """CPU time of all solver processes so far."""
        return sum(p.spent_s() for p in {id(p): p for p in (self._single, self._stacked, self._resident)}.values())


def needed(text: str) -> str:
    """Options without which a solver would not answer what the text inquires."""
    models = (
        MODELS
        if "(get-" in text and ("(get-model" in text or "(get-value" in text) and ":produce-models" not in text
        else ""
    )
    return models + (CORES if "(get-unsat-core" in text and ":produce-unsat-cores" not in text else "")

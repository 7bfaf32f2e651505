"""Servers: one that we start, watch and end ourselves; and how one of the user's is started again.

Standard library only, as hosts load it. A server of ours is killed when we end, however that comes; its folder goes
with it."""

from __future__ import annotations

import fcntl
import glob
import os
import re
import resource
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gainsay.core.engine import Gone
from gainsay.engines.solver import ending_with_us
from gainsay.limits import cpu_seconds

START_S = 60.0
TURN_S = 200.0  # an episode on a slow server
DYING_S = 20.0  # writing a crash report takes a second or so
MEMORY = 8 << 30  # of addresses; a server asks for more than it uses
MEMORY_FILES = "/dev/shm"
ROOM = 1 << 30
NOBODY = 65534
ENDING_S = 5.0
FOLDER = "gainsay-server-"
PRINTED = "printed"
FULL = re.compile(r"No space left on device|[Dd]isk (?:is )?full|\b(?:errno|Errcode|error):? 28\b")
NO_ROOM = "The disk under our server is full ({}). Free some space there, or set TMPDIR to a folder that has more."
FOREIGN = (
    "it is for another platform, or lacks a library. Name a release, which Maven brings for this one, or a server."
)


def free_port() -> int:
    """A port that is free now; who starts a server on it must see whether it still was."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def folder() -> str:
    """An empty folder for a server of ours, in memory where there is room.
    Those of processes that were killed, and so could not clear up, are removed."""
    place = MEMORY_FILES if has_room(MEMORY_FILES) else tempfile.gettempdir()
    for old in (*glob.glob(f"{place}/{FOLDER}*"), *glob.glob(f"{tempfile.gettempdir()}/{FOLDER}*")):
        pid = Path(old).name.removeprefix(FOLDER).partition("-")[0]
        if pid.isdigit() and not Path(f"/proc/{pid}").exists() and not is_guarded(old):
            shutil.rmtree(old, ignore_errors=True)
    made = tempfile.mkdtemp(prefix=f"{FOLDER}{os.getpid()}-", dir=place)
    if is_root():
        os.chown(made, NOBODY, NOBODY)
    return made


def is_guarded(folder: str) -> bool:
    """Whether a guard is still at it: it clears more than the folder, and reads there what."""
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            words = Path(path).read_bytes().split(b"\0")
        except OSError:
            continue
        if b"gainsay-guard" in words and folder.encode() in words:
            return True
    return False


def remove(folder: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def hand_over(folder: Path) -> None:
    """Make a folder, and what is in it, the server's own."""
    if is_root():
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)


def has_room(place: str) -> bool:
    """Whether a file system can be written to, and has room for a server."""
    return os.access(place, os.W_OK) and shutil.disk_usage(place).free > ROOM


def is_root() -> bool:
    return os.geteuid() == 0


def unprivileged() -> dict[str, Any]:
    """Arguments of Popen with which a program is nobody's: most servers refuse to run as root, and none should."""
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []} if is_root() else {}


def copy(source: str | Path, destination: Path) -> None:
    """Copy a folder to where a server of ours works; a full disk there is told with its remedy."""
    try:
        shutil.copytree(source, destination, symlinks=True)
    except OSError as error:
        if not FULL.search(str(error)):
            raise
        raise RuntimeError(NO_ROOM.format(destination.parent)) from None


def begin_data(kept: Path, data: Path, command: Sequence[str], environment: Mapping[str, str]) -> None:
    """The data that a server of ours begins with: made by a command, once for all, and kept; copied from there on."""
    if kept.exists():
        copy(kept, data)
        hand_over(data)
        return
    made = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd="/", env=environment, **unprivileged()
    )
    if made.returncode:
        raise RuntimeError(f"{command[0]} can't make its data: {(made.stderr.strip().splitlines() or ['?'])[-1]}")
    fresh = kept.with_name(f"{kept.name}.{os.getpid()}")
    try:
        shutil.copytree(data, fresh, symlinks=True)
        fresh.rename(kept)
    except OSError:  # somebody else was quicker, or nothing can be kept
        remove(str(fresh))


def reachable(programs: str, name: str) -> str:
    """A folder of programs that a server of ours can read: itself, or where only root can look into it, a copy of it
    that is made once for all."""
    if not is_root() or all(p.stat().st_mode & 0o005 == 0o005 for p in (Path(programs), *Path(programs).parents)):
        return programs
    kept = Path(tempfile.gettempdir()) / f"gainsay-programs-{name}-{int(Path(programs).stat().st_mtime)}"
    if not kept.exists():
        with tempfile.TemporaryDirectory(dir=tempfile.gettempdir()) as room:
            fresh = Path(room) / "x"
            copy(programs, fresh)
            os.chmod(fresh, 0o755)
            try:
                fresh.rename(kept)
            except OSError:
                pass  # somebody else was quicker
    return str(kept)


class Guard:
    """Ends a server and clears its folder when we are gone, however that came: it waits for the end of our pipe.
    `clearing`: what a shell does then about things outside of the folder, which is $3 to it."""

    WATCH = (
        'cat > /dev/null; kill -"$1" "$2"; n=0; '
        'while kill -0 "$2" && [ $n -lt 50 ]; do sleep 0.1; n=$((n+1)); done; kill -9 "$2"; (eval "$4"); '
        'rm -rf "$3"'
    )

    def __init__(self, pid: int, folder: str, ending: int, clearing: str = "") -> None:
        self._process = subprocess.Popen(
            ["sh", "-c", self.WATCH, "gainsay-guard", str(ending), str(pid), folder, clearing],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
        )
        # A program that has just begun may not have its words yet, and by these others know that it is at it
        end = time.monotonic() + ENDING_S
        while not is_guarded(folder) and self._process.poll() is None and time.monotonic() < end:
            time.sleep(0.001)

    def dismiss(self) -> None:
        """The server has ended: there is nothing to guard."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)  # with what it has begun, which bears its words at first
        self._process.wait()
        assert self._process.stdin is not None
        self._process.stdin.close()


class Server:
    """A server process of ours.
    `said` goes to its standard input; what it prints goes to a file in its folder, away from our pipes. `ending` is the
    signal that ends it and all that it started; `clearing` is done after its death, as the guard would."""

    def __init__(
        self,
        program: str,
        arguments: list[str],
        said: str,
        folder: str,
        ending: signal.Signals = signal.SIGKILL,
        environment: Mapping[str, str] | None = None,
        is_nobody: bool = False,
        clearing: str = "",
    ) -> None:
        self._ending, self._folder, self._clearing = ending, folder, clearing
        with open(Path(folder) / PRINTED, "wb") as out:
            self._process = subprocess.Popen(
                [program, *arguments],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=out,
                cwd=folder,
                preexec_fn=ending_with_us(ending),
                env=environment,
                **(unprivileged() if is_nobody else {}),
            )
        self._guard: Guard | None = Guard(self._process.pid, folder, ending, clearing)
        try:
            resource.prlimit(self._process.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.prlimit(self._process.pid, resource.RLIMIT_CORE, (0, 0))
            assert self._process.stdin is not None
            self._process.stdin.write(said.encode())
            self._process.stdin.close()
        except OSError:
            pass  # it ended already: who waits for it will see
        self._spent_s = 0.0

    def has_ended(self, patience_s: float = 0.0) -> bool:
        """Whether the server has ended, or does so within a time; then what it used is known."""
        until = time.monotonic() + patience_s
        while (
            self._process.returncode is None
            and os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        ):
            if time.monotonic() >= until:
                return False
            time.sleep(0.005)
        self._bury()
        return True

    def _bury(self) -> None:
        if self._process.returncode is None:
            _, status, usage = os.wait4(self._process.pid, 0)
            self._process.returncode = os.waitstatus_to_exitcode(status)
            self._spent_s = usage.ru_utime + usage.ru_stime

    @property
    def code(self) -> int:
        """Its exit status, or minus the signal that ended it."""
        return self._process.returncode or 0

    @property
    def pid(self) -> int:
        return self._process.pid

    def end(self) -> None:
        """End it, in its own way if that is soon enough."""
        if self._process.returncode is None:
            if self._ending is not signal.SIGKILL:
                os.kill(self._process.pid, self._ending)
                self.has_ended(ENDING_S)
        if self._process.returncode is None:
            os.kill(self._process.pid, signal.SIGKILL)
            self._bury()
        if self._clearing:
            words = ["sh", "-c", self._clearing, "gainsay-clearing", "", "", self._folder]
            subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if self._guard is not None:
            self._guard.dismiss()
            self._guard = None

    def spent_s(self) -> float:
        return self._spent_s if self._process.returncode is not None else cpu_seconds(self._process.pid)


class Turn:
    """One process at a time, on a server that has one place for all: worker and triage both want it.

    A process has the turn while it asks; one that is idle gives it up, and is told if somebody else had it since.
    """

    def __init__(self, place: str) -> None:
        self._token = secrets.token_hex(8)
        self._file = open(lock_path("turn", place), "a+")  # noqa: SIM115 # as long-lived as the session
        self._is_mine = False

    def take(self) -> bool:
        """Wait for the turn. Whether nobody else had it since we did."""
        if self._is_mine:
            return True
        until = time.monotonic() + TURN_S
        while not self._has_lock():
            if time.monotonic() > until:
                raise RuntimeError(
                    "Another hunt uses this server's only database. Wait until it has ended, or use another server."
                )
            time.sleep(0.001)
        self._is_mine = True
        self._file.seek(0)
        is_ours = self._file.read() == self._token
        self._file.truncate(0)
        self._file.write(self._token)
        self._file.flush()
        return is_ours

    def _has_lock(self) -> bool:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def give(self) -> None:
        if self._is_mine:
            self._is_mine = False
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        self._is_mine = False
        self._file.close()


def lock_path(kind: str, place: str) -> Path:
    return (
        Path(tempfile.gettempdir())
        / f"gainsay-{kind}-{os.getuid()}-{''.join(c if c.isalnum() else '-' for c in place)}"
    )


def signal_name(code: int) -> str:
    try:
        return signal.Signals(-code).name if code < 0 else f"exit status {code}"
    except ValueError:
        return f"signal {-code}"


def restart(command: str, place: str, answers: Callable[[], bool]) -> None:
    """Run the user's command, unless the server answers already, and wait until it does.
    Other processes may want the same: one at a time."""
    with open(lock_path("restart", place), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if answers():
            return
        if not command:
            raise Gone(
                f"The server at {place} is gone. Start it again; or give the command that does, as restart=COMMAND."
            )
        with tempfile.TemporaryFile() as said:
            # Its own session: what it starts is the user's server, and outlives us.
            runs = subprocess.Popen(
                command, shell=True, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True
            )
            until = time.monotonic() + START_S
            while not answers():
                if runs.poll():
                    said.seek(0)
                    last = said.read().decode("utf-8", "replace").strip().splitlines()[-1:]
                    raise Gone(
                        f"The restart command of the server at {place} failed with exit status {runs.returncode}: "
                        f"{' '.join(last)}"
                    )
                if time.monotonic() > until:
                    raise Gone(
                        f"The server at {place} does not answer {START_S:.0f} s after its restart command was run. "
                        "Look at its log."
                    )
                time.sleep(0.05)

"""A child process of ours with a pipe of events each way: workers and triage are both run so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gainsay.campaign import events
from gainsay.campaign.seating import Room
from gainsay.limits import own_cpu_seconds, resident


class Child:
    """A module of ours, run in a room. What it or its engine prints goes to `log`."""

    group = ""  # the key of the group in whose room it was started

    def __init__(self, module: str, place: Room, log: Path) -> None:
        theirs_read, self._write = os.pipe()
        self.fd, theirs_write = os.pipe()
        os.set_blocking(self.fd, False)
        self.log = log
        with open(log, "wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", module, str(theirs_read), str(theirs_write)],
                env=place.environment(),
                pass_fds=(theirs_read, theirs_write),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
        os.close(theirs_read)
        os.close(theirs_write)
        self._rest = b""
        self.is_open = True

    def send(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._write, data) :]
        except BrokenPipeError:
            return  # its end is seen when its pipe is read

    def receive(self) -> list[Any]:
        """The events that have come; `is_open` is False once there will be no more."""
        while True:
            try:
                part = os.read(self.fd, 1 << 20)
            except BlockingIOError:
                break
            if not part:
                self.is_open = False
                break
            self._rest += part
        *lines, self._rest = self._rest.split(b"\n")
        return [events.DECODER.decode(line) for line in lines if line]

    def group_pids(self) -> list[int]:
        """This process and what it started: hosts and engine processes share its session."""
        wanted = str(self.process.pid)
        found = []
        for name in os.listdir("/proc") if os.path.isdir("/proc") else []:
            if name.isdigit():
                try:
                    with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as file:
                        if file.read().rpartition(")")[2].split()[3] == wanted:
                            found.append(int(name))
                except (OSError, IndexError):
                    continue
        return found

    def cpu(self) -> float:
        return sum(own_cpu_seconds(pid) for pid in self.group_pids())

    def memory(self) -> int:
        return resident(self.process.pid)

    def kill(self) -> int:
        """End it and all it started; its exit code. It is asked first, so that it can wait for its own children."""
        try:
            self.process.terminate()
            self.process.wait(0.7)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self.process.kill()
        code = self.process.wait()
        self.close()
        return code

    def end(self) -> int:
        """Wait for one that is about to end by itself."""
        code = self.process.wait()
        try:
            os.killpg(self.process.pid, signal.SIGKILL)  # hosts that outlived it
        except (ProcessLookupError, PermissionError):
            pass
        self.close()
        return code

    def close(self) -> None:
        for fd in (self.fd, self._write):
            try:
                os.close(fd)
            except OSError:
                continue
        self.fd = self._write = -1

    def tail(self) -> str:
        try:
            return self.log.read_bytes()[-4000:].decode("utf-8", "replace")
        except OSError:
            return ""


Begin = Callable[[str, Room, Path], Child]  # how a process of ours is started: a module, its room, its log

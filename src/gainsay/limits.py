"""Runs an outside program under limits of CPU time and memory, over all processes that it starts.
Standard library only."""

from __future__ import annotations

import math
import os
import resource
import select
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
LOOK_S = 0.1  # between two looks at a program that runs
SOON_S = 0.01  # where its limit is near
WALL = 8  # times the CPU limit, and a little: a program that waits for ever uses no CPU
WALL_MORE_S = 10.0
PRINTED = 64 << 20  # bytes that are read of what it prints


def tree(pid: int) -> Iterator[int]:
    """A process and those it started, from any of its threads."""
    yield pid
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return
    for thread in threads:
        try:
            with open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as file:
                children = file.read().split()
        except OSError:
            continue
        for child in children:
            yield from tree(int(child))


def cpu_seconds(pid: int) -> float:
    """User and system time of a process and of those it started."""
    return sum(sum(_ticks(each)) for each in tree(pid)) / TICKS


def own_cpu_seconds(pid: int) -> float:
    """User and system time of one process, without those it started; 0 where there is none."""
    return sum(_ticks(pid)[:2]) / TICKS


def children_s() -> float:
    """CPU time of the processes that this one has started and waited for."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def spent_s() -> float:
    """CPU time of this process and of those that it has started and waited for."""
    return time.process_time() + children_s()


def _ticks(pid: int) -> list[int]:
    """User and system time of a process, then of the children that it has waited for."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return [int(field) for field in file.read().rpartition(")")[2].split()[11:15]]
    except (OSError, ValueError):
        return []


def resident(pid: int) -> int:
    """Bytes of memory that a process has in use."""
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * PAGE
    except (OSError, IndexError):
        return 0


def proportional(pid: int) -> int:
    """Bytes of memory that a process has in use; what it shares with others is divided among them."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            return next((int(line.split()[1]) << 10 for line in file if line.startswith("Pss:")), 0)
    except (OSError, IndexError, ValueError):
        return resident(pid)


def queued_s(pid: int) -> dict[int, float]:
    """How long each thread of a process, and of those it started, was ready and waited for a core."""
    return {thread: waited for each in tree(pid) for thread, waited in _queued(f"/proc/{each}/task")}


def _queued(threads: str) -> Iterator[tuple[int, float]]:
    for thread in os.listdir(threads) if os.path.isdir(threads) else ():
        try:
            with open(f"{threads}/{thread}/schedstat", encoding="ascii") as file:
                yield int(thread), int(file.read().split()[1]) * 1e-9
        except (OSError, IndexError, ValueError):
            continue


def high_water(pid: int) -> int:
    """The most memory that a process has had in use since it began its program, in bytes."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
            return next((int(line.split()[1]) << 10 for line in file if line.startswith("VmHWM:")), 0)
    except (OSError, IndexError, ValueError):
        return 0


class Stopped(Exception):
    """Somebody asked for the end while a program ran."""


class Ended(NamedTuple):
    """How a program ended. `why` is empty if it ended by itself; else "timeout", "memory", "hang" or "cut"."""

    why: str
    code: int
    cpu_s: float
    wall_s: float
    memory: int  # the most that was seen, in bytes
    printed: str


def run(
    command: Sequence[str],
    folder: Path,
    cpu_s: float,
    memory: int,
    *,
    stop: threading.Event | None = None,
    environment: Mapping[str, str] | None = None,
    is_pointless: Callable[[int], bool] | None = None,
    hidden: Collection[str] = (),
) -> Ended:
    """Run a program in a folder.
    `cpu_s` and `memory` are for its whole process tree. It does not see our variables that are `hidden`.

    `is_pointless` is asked now and then, with the descriptor of what was printed so far; if it says so, the program is
    ended ("cut")."""
    with tempfile.TemporaryFile() as printed:
        ours = {name: value for name, value in os.environ.items() if name not in hidden}
        # Some programs ask for PWD, not for where they are
        room = {**ours, **(environment or {}), "PWD": str(folder.resolve())}
        process = subprocess.Popen(
            list(command),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT,
            env=room,
            start_new_session=True,
        )
        try:
            _backstop(process.pid, cpu_s)
            why, seen_s, most, wall_s = _watch(process, printed.fileno(), cpu_s, memory, stop, is_pointless)
        finally:
            used = _end(process)
        size = os.fstat(printed.fileno()).st_size
        text = os.pread(printed.fileno(), min(size, PRINTED), max(0, size - PRINTED)).decode("utf-8", "replace")
    if stop is not None and stop.is_set():
        raise Stopped
    spent = max(used.ru_utime + used.ru_stime, seen_s)
    # The kernel's own figure begins with our memory, out of which the program was started: it serves for those that
    # ended before we looked.
    return Ended(why, process.returncode, spent, wall_s, most or used.ru_maxrss * 1024, text)


def _backstop(pid: int, cpu_s: float) -> None:
    """If we are killed, the kernel still ends the program.
    It does so late, so it is not what our own limit rests on."""
    seconds = math.ceil(cpu_s) + 2
    try:
        resource.prlimit(pid, resource.RLIMIT_CPU, (seconds, seconds + 1))
    except OSError:
        pass  # it has ended already


def _watch(
    process: subprocess.Popen[bytes],
    printed: int,
    cpu_s: float,
    memory: int,
    stop: threading.Event | None,
    is_pointless: Callable[[int], bool] | None,
) -> tuple[str, float, int, float]:
    """Wait for the end, or for a reason to end it: the reason, CPU seconds seen, the most memory seen, wall seconds."""
    begun = time.monotonic()
    handle = os.pidfd_open(process.pid)
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    spent, most, wall_s = 0.0, 0, 0.0
    try:
        while True:
            pause = min(LOOK_S, max(SOON_S, cpu_s - spent))
            ended = poll.poll(pause * 1000)
            wall_s = time.monotonic() - begun
            if ended:
                return "", spent, most, wall_s
            spent = max(spent, cpu_seconds(process.pid))
            processes = list(tree(process.pid))
            most = max(most, sum(map(resident, processes)), *map(high_water, processes))
            if stop is not None and stop.is_set():
                return "cut", spent, most, wall_s
            if spent > cpu_s:
                return "timeout", spent, most, wall_s
            if most > memory:
                return "memory", spent, most, wall_s
            if wall_s > WALL * cpu_s + WALL_MORE_S:
                return "hang", spent, most, wall_s
            if is_pointless is not None and is_pointless(printed):
                return "cut", spent, most, wall_s
    finally:
        os.close(handle)


def _end(process: subprocess.Popen[bytes]) -> resource.struct_rusage:
    """End what is left of a program and of all it started; what it used."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used

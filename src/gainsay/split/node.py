"""What happens on a node: a part is unpacked into a folder of its own, the analyzer is run there under limits, and its report is read."""

from __future__ import annotations

import gzip
import io
import os
import socket
import sys
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path

import msgspec

from gainsay.core import registry
from gainsay.limits import run
from gainsay.split.analyzer import Analyzer, Finding, NoReport
from gainsay.split.environments import HIDDEN

# The analyzer dies with the node's process: nobody would read its report, and it would take time from the others.
LEASH = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
if os.getppid() == int(sys.argv[1]):
    os.execvp(sys.argv[2], sys.argv[2:])
"""
SAID = 2000  # characters of what an analyzer printed that are kept of a failure


class Task(msgspec.Struct, frozen=True):
    """All that a node needs to analyze a part: nothing is read from a shared disk."""

    analyzer: str
    options: dict[str, str]
    names: list[str]  # the code; the archive may hold stubs and settings too
    homes: list[str]  # those of them whose findings count
    archive: bytes
    limit_s: float  # CPU-seconds
    memory: int


class Outcome(msgspec.Struct, frozen=True):
    """What became of a part. `status` is ok, timeout, memory, hang or crash."""

    status: str
    said: str
    cpu_s: float
    wall_s: float
    memory: int
    findings: list[Finding]
    node: str = ""

    @property
    def is_ok(self) -> bool:
        return self.status == "ok"


def pack(files: Mapping[str, bytes]) -> bytes:
    """Files as one archive; the same bytes for the same files."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return gzip.compress(packed.getvalue(), 1, mtime=0)


def analyze(task: Task) -> Outcome:
    """Analyze one part. Raise EnvironmentProblem if the analyzer can't be had on this node."""
    analyzer: Analyzer = registry.split_analyzer(task.analyzer)(task.options)
    analyzer.install()
    with tempfile.TemporaryDirectory(prefix="gainsay-part-") as room:
        folder = Path(room).resolve() / "part"
        folder.mkdir()
        with tarfile.open(fileobj=io.BytesIO(task.archive)) as archive:
            archive.extractall(folder, filter="data")
        return attempt(analyzer, folder, task)


def attempt(analyzer: Analyzer, folder: Path, task: Task) -> Outcome:
    """Run the analyzer, again without those files that keep it from looking at the others."""
    node = f"{socket.gethostname()}:{os.getpid()}"
    own = set(task.names)
    names, homes, kept = list(task.names), list(task.homes), list[Finding]()
    cpu_s, wall_s, memory = 0.0, 0.0, 0
    while True:
        command = [sys.executable, "-I", "-S", "-c", LEASH, str(os.getpid()), *analyzer.command(folder, names, homes)]
        ended = run(command, folder, task.limit_s - cpu_s, task.memory, environment=analyzer.environment(folder), hidden=HIDDEN)
        cpu_s, wall_s, memory = cpu_s + ended.cpu_s, wall_s + ended.wall_s, max(memory, ended.memory)
        if ended.why:
            return Outcome(ended.why, ended.printed[-SAID:], cpu_s, wall_s, memory, [], node)
        try:
            found = [f for f in analyzer.read(ended, folder) if f.file in own or not (folder / f.file).is_file()]  # not what we have put there
        except NoReport as problem:
            return Outcome("crash", f"{problem}"[:SAID], cpu_s, wall_s, memory, [], node)
        blocked = [name for name in analyzer.unblock(ended, found, folder) if name in names]
        kept += found
        names, homes = [[name for name in some if name not in blocked] for some in (names, homes)]
        if not blocked or not homes:
            return Outcome("ok", "", cpu_s, wall_s, memory, sorted(set(kept)), node)
        if cpu_s >= task.limit_s:
            return Outcome("timeout", "", cpu_s, wall_s, memory, [], node)

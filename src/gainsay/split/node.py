"""What happens on a node: a part is unpacked into a folder of its own, the analyzer is run there under limits, and its
report is read."""

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
from gainsay.core.split_analyzer import Finding, NoReport, SplitAnalyzer
from gainsay.limits import run
from gainsay.split.environments import HIDDEN

# The analyzer and all that it started die with the node's process: nobody would read its report, and it would take time
# from the others.
KEEPER = """
import ctypes, os, signal, sys
signal.signal(signal.SIGTERM, lambda *_: os.killpg(0, signal.SIGKILL))
ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
if os.getppid() != int(sys.argv[1]):
    os._exit(1)
child = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) % 256)
"""
ROUNDS = 50  # of an analyzer that one file after the other keeps from looking at the rest
PART = "part"
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
    """Files as one archive; the same bytes for the same files.
    What is named ../x lies beside the part's folder, where no tool takes it for code."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(name.removeprefix("../") if name.startswith("../") else f"{PART}/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return gzip.compress(packed.getvalue(), 1, mtime=0)


def analyze(task: Task) -> Outcome:
    """Analyze one part. Raise EnvironmentProblem if the analyzer can't be had on this node."""
    analyzer = registry.split_analyzer(task.analyzer)(task.options)
    analyzer.install()
    with tempfile.TemporaryDirectory(prefix="gainsay-part-") as room:
        folder = Path(room).resolve() / PART
        folder.mkdir()
        with tarfile.open(fileobj=io.BytesIO(task.archive)) as archive:
            archive.extractall(room, filter="data")
        return attempt(analyzer, folder, task)


def attempt(analyzer: SplitAnalyzer, folder: Path, task: Task) -> Outcome:
    """Run the analyzer, again without those files that keep it from looking at the others.
    What is said of files that we have laid there ourselves does not count."""
    node = f"{socket.gethostname()}:{os.getpid()}"
    own = set(task.names)
    names, homes, kept = list(task.names), list(task.homes), list[Finding]()
    cpu_s, wall_s, memory = 0.0, 0.0, 0
    for _ in range(ROUNDS):
        command = [sys.executable, "-I", "-S", "-c", KEEPER, str(os.getpid()), *analyzer.command(folder, names, homes)]
        ended = run(
            command, folder, task.limit_s - cpu_s, task.memory, environment=analyzer.environment(folder), hidden=HIDDEN
        )
        cpu_s, wall_s, memory = cpu_s + ended.cpu_s, wall_s + ended.wall_s, max(memory, ended.memory)
        if ended.why:
            # What it had found by then says nothing of why
            said = "" if ended.why == "timeout" else ended.printed[-SAID:]
            return Outcome(ended.why, said, cpu_s, wall_s, memory, [], node)
        try:
            found = analyzer.read(ended, folder)
            blocked = analyzer.unblock(ended, found, folder)
        except NoReport as problem:
            said = f"{problem}".replace(f"{folder}/", "").replace(str(folder), ".")  # the same words in every part
            return Outcome("crash", said[:SAID], cpu_s, wall_s, memory, [], node)
        except Exception as problem:  # a node's boundary: whatever a report holds, only this part suffers
            return Outcome("crash", f"its report can't be read: {problem!r}"[:SAID], cpu_s, wall_s, memory, [], node)
        kept += [
            f
            for f in found
            if (not blocked or f.file in blocked) and (f.file in own or not (folder / f.file).is_file())
        ]
        names, homes = [[name for name in some if name not in blocked] for some in (names, homes)]
        if not blocked or not homes:
            return Outcome(
                "ok", analyzer.remark(ended, found, folder)[:SAID], cpu_s, wall_s, memory, sorted(set(kept)), node
            )
        if cpu_s >= task.limit_s:
            return Outcome("timeout", "", cpu_s, wall_s, memory, [], node)
    return Outcome(
        "crash",
        f"after {ROUNDS} rounds files still keep it from looking at the others",
        cpu_s,
        wall_s,
        memory,
        [],
        node,
    )

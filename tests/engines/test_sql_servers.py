"""Servers of ours during a hunt: whatever is killed, the hunt goes on or can be gone on with, and nothing stays."""

import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from gainsay.limits import tree

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import many_scenes

NO_MARIADB = "no mariadbd: apt-get install mariadb-server-core, or maven for one that Maven brings"
KINDS = [
    pytest.param("postgresql", id="postgresql"),
    pytest.param(
        "mariadb",
        id="mariadb",
        marks=[
            pytest.mark.more,  # servers are started, killed and emptied by the same code as PostgreSQL's
            pytest.mark.skipif(not (shutil.which("mariadbd") or shutil.which("mvn")), reason=NO_MARIADB),
        ],
    ),
]
ON_PATH = [  # without a version, which Maven would bring
    KINDS[0],
    pytest.param(
        "mariadb",
        id="mariadb",
        marks=pytest.mark.skipif(
            not shutil.which("mariadbd"), reason="no mariadbd: apt-get install mariadb-server-core"
        ),
    ),
]
PROGRAMS = {"postgresql": "postgres", "mariadb": "mariadbd"}
WAIT_S = 90


def command_of(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace").strip()
    except OSError:
        return ""


def is_running(pid):
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


class Hunting:
    """A hunt with one worker, and all processes that were ever seen below it."""

    def __init__(self, engine, folder):
        self.engine, self.out, self.seen = engine, folder / "out", {}
        self.words = ["hunt", engine, "--set", "sql.mix=small", "--workers", "1", "--seed", "3", "--out", str(self.out)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gainsay.cli.main", *self.words, "--for", "10m"],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def checks(self):
        """What the journal has counted."""
        path = self.out / "journal.jsonl"
        lines = path.read_text().splitlines() if path.exists() else []
        told = [json.loads(line) for line in lines if line.startswith('{"type":"progress"') and line.endswith("}")]
        return sum(event["counts"]["checks"] for event in told)

    def goes_on(self):
        """Wait until more was checked than now."""
        before, until = self.checks(), time.monotonic() + WAIT_S
        while self.checks() <= before:
            assert self.process.poll() is None and time.monotonic() < until, "the hunt does not go on"
            self.look()
            time.sleep(0.1)

    def look(self):
        self.seen |= {pid: command for pid in tree(self.process.pid) if (command := command_of(pid))}

    def worker(self):
        self.look()
        return next(p for p in tree(self.process.pid) if "gainsay.campaign.worker" in command_of(p))

    def server(self):
        """The server of the worker."""
        return next(p for p in tree(self.worker()) if PROGRAMS[self.engine] in command_of(p).split(" ")[0])

    def backend(self):
        """PostgreSQL has a process for each connection."""
        return next(p for p in tree(self.server()) if "[local]" in command_of(p))


@pytest.mark.parametrize("engine", KINDS)
def test_whatever_is_killed_nothing_is_lost_and_nothing_stays(engine, tmp_path):
    hunting = Hunting(engine, tmp_path)
    hunting.goes_on()
    victims = [hunting.backend] * (engine == "postgresql") + [hunting.server, hunting.worker]
    for victim in victims:
        os.kill(victim(), signal.SIGKILL)
        hunting.goes_on()
    before = hunting.checks()
    hunting.look()
    hunting.process.kill()
    hunting.process.wait()
    folders = [f for pid in hunting.seen for f in glob.glob(f"/dev/shm/gainsay-server-{pid}-*")]
    until = time.monotonic() + WAIT_S
    while time.monotonic() < until and (any(map(is_running, hunting.seen)) or any(map(os.path.exists, folders))):
        time.sleep(0.1)
    assert not {pid: told for pid, told in hunting.seen.items() if is_running(pid)}
    assert folders and not [f for f in folders if os.path.exists(f)]
    again = Hunting(engine, tmp_path)
    again.goes_on()
    assert again.checks() > before
    again.process.send_signal(signal.SIGINT)
    assert again.process.wait(WAIT_S) in (0, 1)


MADE_SMALL = "mount -t tmpfs -o size=$0m,mode=1777 tmpfs /dev/shm && mount -t tmpfs -o size=$0m,mode=1777 tmpfs . && "


def can_mount():
    """Whether this process may have file systems of its own."""
    return subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode == 0


@pytest.fixture
def small():
    """A folder that nobody's processes can go into too."""
    with tempfile.TemporaryDirectory() as made:
        os.chmod(made, 0o755)
        yield made


@pytest.mark.skipif(not shutil.which("unshare") or not can_mount(), reason="only root may mount a small disk")
@pytest.mark.parametrize("engine", KINDS)
def test_a_full_disk_under_a_server_ends_the_hunt_with_the_remedy(engine, tmp_path, small):
    """The disk has room for a fresh server, and no more."""
    size = {"postgresql": "42", "mariadb": "45"}[engine]
    words = ["hunt", engine, "--set", "sql.mix=small", "--workers", "1", "--seed", "3", "--out", f"{tmp_path}/out"]
    command = f"{MADE_SMALL} TMPDIR=$PWD exec {sys.executable} -m gainsay.cli.main {' '.join(words)} --for 5m"
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", command, size],
        cwd=small,
        env={**os.environ, "GAINSAY_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2 and "The disk under our server is full" in done.stderr, done.stdout + done.stderr
    assert "mistakes of gainsay" not in done.stdout
    kept = (tmp_path / "out" / "journal.jsonl").read_text() if (tmp_path / "out").exists() else ""
    assert '"finding"' not in kept and '"trouble"' not in kept


FILLS = """
import sys
from gainsay.core import registry
session = registry.engine(sys.argv[1]).open_session((), {})
session.ask("CREATE TABLE t0(c0 INT)")
session.ask("INSERT INTO t0 VALUES (1)")
try:
    for _ in range(25):
        answer = session.ask("INSERT INTO t0 SELECT * FROM t0")
    print(answer)
except RuntimeError as error:
    print(error)
session.close()
"""


@pytest.mark.skipif(not shutil.which("unshare") or not can_mount(), reason="only root may mount a small disk")
@pytest.mark.parametrize("engine", ON_PATH)
def test_what_is_refused_for_a_full_disk_is_no_refusal(engine, tmp_path, small):
    (tmp_path / "fills.py").write_text(FILLS)
    command = f"{MADE_SMALL} TMPDIR=$PWD exec {sys.executable} {tmp_path}/fills.py {engine}"
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", command, "70"], cwd=small, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("The disk under our server is full"), done.stdout + done.stderr


@pytest.mark.more
@pytest.mark.parametrize("engine", ON_PATH)
def test_hundreds_of_scenes_leave_nothing_behind(engine):
    sizes = many_scenes.grown(engine, 600, 1)
    early, late = sizes[len(sizes) // 2], sizes[-1]
    assert late.catalog < early.catalog + 60  # a scene's own
    assert late.disk_mb < early.disk_mb * 1.5 + 10
    assert late.memory_mb < early.memory_mb * 1.3 + 10

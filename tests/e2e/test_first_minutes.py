"""What a new user meets first: lists that fit, folders that are found, mistakes that are told at once, hunts that
begin soon."""

import importlib.metadata
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from fcntl import ioctl
from pathlib import Path

import pytest

from gainsay.campaign import config

OLD = "sqlite@3.40.0"


@pytest.fixture
def noted_as(tmp_path, plugin):
    """The environment in which an engine of noted.py is installed as `noted`, with a cache of its own; what it noted is
    in the file `notes`."""

    def installed(name):
        code = (Path(__file__).parent / "noted.py").read_text()
        env = plugin("noted", code, "gainsay.engines", "noted", f"noted:{name}")
        (tmp_path / "notes").write_text("")
        return {**env, "NOTED": str(tmp_path / "notes"), "GAINSAY_CACHE": str(tmp_path / "cache")}

    return installed


@pytest.fixture
def noted(noted_as):
    return noted_as("NotedSQLite")


@pytest.fixture
def late(noted_as):
    """The same with an engine of Datalog, of which few others are probed beside it."""
    return noted_as("NotedClingo")


def notes(tmp_path):
    return (tmp_path / "notes").read_text().split()


def at_a_terminal(cwd, *arguments, columns=80, timeout=120, **env):
    """What the command writes to a terminal of that width."""
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(cwd)
        os.execvpe(
            sys.executable,
            [sys.executable, "-m", "gainsay.cli.main", *arguments],
            {**os.environ, **env, "TERM": "xterm"},
        )
    ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    said, end = b"", time.monotonic() + timeout
    while time.monotonic() < end:
        if select.select([fd], [], [], 0.1)[0]:
            try:
                said += os.read(fd, 1 << 16)
            except OSError:  # it has ended
                break
    os.close(fd)
    os.waitpid(pid, 0)
    return said.decode("utf-8", "replace")


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """A folder with a hunt that found something, and one that did not look for anything else."""
    home = tmp_path_factory.mktemp("found")
    command = [sys.executable, "-m", "gainsay.cli.main", "hunt", OLD, "--checks", "80", "--seed", "5", "--json"]
    done = subprocess.run(command, cwd=home, capture_output=True, text=True, check=False)
    return home, json.loads(done.stdout.splitlines()[-1])["findings"][0]["id"]


def test_ids_are_whole_on_a_narrow_terminal(found):
    home, ident = found
    assert ident in at_a_terminal(home, "findings", columns=80)
    assert ident in at_a_terminal(home, "findings", columns=40)


def test_the_folder_is_named_in_one_way_by_all_commands(found, gainsay):
    home, ident = found
    hunt = home / "gainsay-out" / f"{OLD}-1"
    for command in (["show", ident], ["replay", ident], ["findings"], ["report"]):
        for where in ([], [str(hunt)], ["--out", str(hunt)], ["gainsay-out"]):
            result = gainsay(*command, *where, cwd=home)
            assert result.code in (0, 1) and ("sqlite" in result.out), result.err
    for where in ([], [str(hunt)], ["--out", str(hunt)], ["gainsay-out"]):
        asked = gainsay("regress", *where, "--on", "apsw", "--format", "json", cwd=home)
        assert any(f["id"] == ident for f in asked.json["findings"]), asked.err
    behind = gainsay("replay", ident, "--on", "apsw", str(hunt), cwd=home)
    assert behind.code == 0 and "Not there" in behind.out, behind.err


def test_mute_writes_where_a_hunt_reads_whatever_the_current_folder(found, gainsay, tmp_path):
    home, ident = found
    hunt = home / "gainsay-out" / f"{OLD}-1"
    (tmp_path / "elsewhere").mkdir()
    try:
        assert gainsay("mute", ident, "--out", str(hunt), cwd=tmp_path / "elsewhere").code == 0
        assert not list((tmp_path / "elsewhere").iterdir())
        again = gainsay("hunt", OLD, "--checks", "80", "--out", str(hunt), "--json", cwd=tmp_path)
        assert {f["id"]: f["status"] for f in again.json["findings"]}[ident] == "muted"
    finally:
        (home / "gainsay-muted.json").unlink()


def test_the_list_of_engines_fits_and_starts_each_once(gainsay, noted, tmp_path):
    lines = [line for line in at_a_terminal(tmp_path, "engines", **noted).splitlines() if not line.startswith("\x1b")]
    assert max(map(len, lines)) <= 80, lines
    assert any(re.fullmatch(r"noted +sql +3\.[\d.]+", line) for line in lines), lines
    assert notes(tmp_path) == ["version"], "nothing is opened to list it"
    for name in ("z3", "kuzu"):
        shown = gainsay("engines", name)
        assert "Configurations" in shown.out and "default" in shown.out and shown.code == 0
    assert re.search(r"falkordb \(cypher\): [\d.]+; a hunt brings [\d.]+", gainsay("engines", "falkordb").out)


MISTAKES = [
    (["--set", "sql.mix=smal"], "Did you mean small"),
    (["--set", "sql.mx=small"], "Did you mean mix"),
    (["--oracle", "cq"], "none of these targets has that oracle"),
    (["--oracle", "differential"], "two or more"),
    (["--out", "other"], "another target"),
]


@pytest.mark.parametrize(("arguments", "part"), MISTAKES, ids=[" ".join(m[0]) for m in MISTAKES])
def test_a_mistake_is_told_before_anything_is_started(gainsay, noted, tmp_path, arguments, part):
    if "--out" in arguments:
        gainsay("hunt", "apsw", "--checks", "10", "--out", "other")
    result = gainsay("hunt", "noted", *arguments, env=noted)
    assert result.code == 2 and part in result.err, result.err
    assert notes(tmp_path) == []


def test_a_second_hunt_does_not_probe_again_but_a_check_does(gainsay, noted, tmp_path):
    first = gainsay("hunt", "noted", "--checks", "10", env=noted)
    assert "Probing noted" in first.out
    second = gainsay("hunt", "noted", "--checks", "10", "--out", "another", env=noted)
    assert second.code == 0 and "Probing" not in second.out
    (memo,) = (tmp_path / "cache" / "probed").iterdir()
    right = memo.read_bytes()
    memo.write_text('{"function:wrong": "no such thing"}')
    checked = gainsay("engines", "check", "noted", "--json", env=noted)
    assert "function:wrong" not in checked.json["refused"]
    assert memo.read_bytes() == right, "what was wrong does not stay"


def test_without_targets_hunting_begins_before_all_are_ready(gainsay, late, tmp_path):
    result = gainsay("hunt", "--oracle", "cq", "--for", "16s", "--workers", "1", env={**late, "NOTED_S": "7"})
    at = {word: result.out.index(word) for word in ("Hunting on cozo", "checks (", "Hunting on noted")}
    assert at["Hunting on cozo"] < at["checks ("] < at["Hunting on noted"], result.out
    toml = (tmp_path / "gainsay-out/all-1/campaign.toml").read_text()
    # On a busy machine others may not be ready by then: that is said.
    assert '"noted"' in toml and ("is_whole = true" in toml) != ("Not started and probed in time" in result.out)
    assert "Going on" in gainsay("hunt", "--oracle", "cq", "--for", "1s", "--workers", "1", env=late).out


def test_what_was_not_ready_in_time_joins_the_next_run(gainsay, late, tmp_path):
    first = gainsay("hunt", "--oracle", "cq", "--for", "2s", "--workers", "1", env={**late, "NOTED_S": "60"})
    assert "Not started and probed in time" in first.out and "noted" in first.out
    second = gainsay("hunt", "--oracle", "cq", "--for", "1s", "--workers", "1", env=late)
    assert "Going on" in second.out and "Hunting on noted" in second.out


def test_a_hunt_without_targets_that_goes_on_waits_for_nobody_either(gainsay, late, tmp_path):
    command = ("hunt", "--oracle", "cq", "--workers", "1", "--for")
    assert "Hunting on noted" in gainsay(*command, "6s", env=late).out
    second = gainsay(*command, "2s", env={**late, "NOTED_S": "60"})
    assert "Going on" in second.out and "Hunting on cozo" in second.out, second.out + second.err
    assert "Not started and probed in time: noted" in second.out
    kept = config.saved(tmp_path / "gainsay-out/all-1")
    assert kept.group("noted").seats[0].facts, "what was learnt of it stays"
    third = gainsay(*command, "4s", env=late)
    assert "Going on" in third.out and "Hunting on noted" in third.out


def test_ctrl_c_while_targets_start_says_interrupted_and_leaves_nothing(noted, tmp_path):
    env = {**os.environ, **noted, "NOTED_S": "60"}
    env["PYTHONPATH"] = os.pathsep.join(filter(None, (noted["PYTHONPATH"], os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-m", "gainsay.cli.main", "hunt", "noted"]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Tests that run in the background of a shell have it switched off
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    end = time.monotonic() + 60
    while not notes(tmp_path) and time.monotonic() < end:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert (process.returncode, err.strip()) == (130, "gainsay: interrupted.")
    assert not (tmp_path / "gainsay-out").exists()


def test_the_live_screen_shows_rates_by_oracle_and_what_each_worker_does(tmp_path):
    said = at_a_terminal(tmp_path, "hunt", "apsw", "--for", "6s", "--workers", "2", "--seed", "20")
    for part in ("norec ", "tlp ", "/s", "worker 1: apsw, episode", "worker 2: apsw", "asking SELECT", "none new for"):
        assert part in said, part
    book = (tmp_path / "gainsay-out/apsw-1/journal.jsonl").read_text().splitlines()
    progress = [e for e in map(json.loads, book) if e["type"] == "progress"]
    assert 0 < sum(sum(e["held"].values()) for e in progress) <= sum(e["counts"]["checks"] for e in progress)


@pytest.mark.parametrize(
    ("kept", "target", "line"),
    [
        ("99.0.1", "clingo", "! clingo is {} here, and 99.0.1 can be had: gainsay hunt clingo@99.0.1"),
        ("0.1.0", "clingo", ""),
        ("99.0.1", OLD, ""),  # just this one is wanted
    ],
)
def test_a_hunt_says_in_one_line_that_a_newer_release_can_be_had(gainsay, tmp_path, kept, target, line):
    """What an index said is remembered for a day: here it is in the cache already."""
    cache = tmp_path / "cache" / "newest"
    cache.mkdir(parents=True)
    for engine in ("clingo", "sqlite"):
        (cache / engine).write_text(kept)
    shared = Path(os.environ.get("GAINSAY_CACHE") or Path.home() / ".cache" / "gainsay") / "engines"
    if target == OLD and shared.exists():
        (cache.parent / "engines").symlink_to(shared)
    result = gainsay("hunt", target, "--checks", "40", env={"GAINSAY_CACHE": str(cache.parent)})
    told = [text for text in (result.out + result.err).splitlines() if "can be had" in text]
    assert told == ([line.format(importlib.metadata.version("clingo"))] if line else [])

"""The installed command on graph engines, as a user or a script runs it: embedded ones, and a server that stands for
the user's."""

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from summary_keys import KEYS

HOME = Path(__file__).parent


def run_repro(folder, finding, **env):
    return subprocess.run(
        [sys.executable, folder / finding["path"] / "repro.py"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, **env},
    )


# --- an embedded engine, from end to end ---


@pytest.fixture(scope="module")
def hunted(tmp_path_factory):
    """A short hunt on graphqlite: its folder and its summary. The fixed questions alone find something."""
    folder = tmp_path_factory.mktemp("graphqlite")
    command = [
        sys.executable,
        "-m",
        "gainsay.cli.main",
        "hunt",
        "graphqlite",
        "--oracle",
        "reference",
        "--checks",
        "45",
        "--seed",
        "1",
        "--out",
        "o",
        "--json",
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    return folder, json.loads(done.stdout.strip().splitlines()[-1])


def test_a_hunt_finds_something_within_seconds(hunted):
    folder, summary = hunted
    assert summary.keys() >= KEYS
    confirmed = [f for f in summary["findings"] if f["status"] == "confirmed"]
    assert confirmed and any(f["kind"] == "logic" for f in confirmed)
    for finding in confirmed:
        assert {"finding.json", "report.md", "repro.py", "repro.cypher"} <= {
            p.name for p in (folder / finding["path"]).iterdir()
        }
        setup = json.loads((folder / finding["path"] / "finding.json").read_text())["setup"]
        assert len(setup) <= 3, setup


def test_a_reproducer_shows_the_bug(hunted):
    folder, summary = hunted
    for finding in summary["findings"]:
        done = run_repro(folder, finding)
        assert done.returncode == 1, done.stdout + done.stderr
        assert ("BUG" if finding["kind"] == "logic" else "expected: an answer or a refusal") in done.stdout, (
            done.stdout + done.stderr
        )


def test_a_reproducer_of_an_internal_error_shows_what_the_engine_said(hunted):
    folder, summary = hunted
    broken = [run_repro(folder, f).stdout for f in summary["findings"] if f["kind"] == "internal-error"]
    assert broken and not any("all last)" in said or "Traceback" in said for said in broken), broken


def test_a_finding_is_shown_replayed_and_reported(hunted, gainsay):
    folder, summary = hunted
    first = next(f["id"] for f in summary["findings"] if f["kind"] == "logic")
    shown = gainsay("show", first, "--out", "o", cwd=folder)
    assert shown.code == 0 and "RETURN" in shown.out and "Why it must hold" in shown.out
    again = gainsay("replay", first, "--out", "o", cwd=folder)
    assert again.code == 1, again.out + again.err
    report = gainsay("report", "o", "--format", "md", cwd=folder)
    assert report.code == 0 and first in report.out


def test_engines_check_prints_the_profile(gainsay):
    result = gainsay("engines", "check", "graphqlite")
    assert result.code == 0, result.err
    assert "list-index: from 0  (http" in result.out and "Probed:" in result.out and "Fixed questions:" in result.out


@pytest.mark.parametrize("engines", [("kuzu", "ladybug"), ("ladybug", "kuzu")])
def test_bindings_that_can_not_share_a_process_do_not(engines, gainsay):
    result = gainsay(
        "hunt", *engines, "--oracle", "differential", "--checks", "24", "--seed", "1", "--workers", "1", "--json"
    )
    assert result.code in (0, 1) and "Traceback" not in result.err, result.err
    assert result.json["asks"] >= 48 and result.json["valid"] > 0.9
    assert not [f for f in result.json["findings"] if f["kind"] in ("crash", "hang")]
    assert "can't be used in a process" not in result.out + result.err


# --- an engine that dies, breaks and lies on a word ---


@pytest.fixture
def grafty(tmp_path):
    """The environment in which the engine `grafty` is installed."""
    home = tmp_path / "plugin"
    info = home / "grafty-0.1.dist-info"
    info.mkdir(parents=True)
    (home / "cypher_faulty.py").write_text((HOME / "cypher_faulty.py").read_text())
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: grafty\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text("[gainsay.engines]\ngrafty = cypher_faulty:Grafty\n")
    return {
        "PYTHONPATH": os.pathsep.join(filter(None, [str(home), str(HOME.parent), os.environ.get("PYTHONPATH", "")]))
    }


def finding_of(summary, folder, kind):
    found = [f for f in summary["findings"] if f["kind"] == kind]
    assert found, summary
    return found[0], json.loads((folder / found[0]["path"] / "finding.json").read_text())


def test_a_crash_is_attributed_to_its_question_confirmed_and_reduced(gainsay, grafty, tmp_path):
    result = gainsay(
        "hunt", "grafty?dies=XOR", "--oracle", "reference", "--checks", "160", "--seed", "1", "--json", env=grafty
    )
    assert result.code == 1, result.out + result.err
    finding, details = finding_of(result.json, tmp_path, "crash")
    assert finding["status"] == "confirmed" and finding["oracle"] == "reference"
    (text,) = details["texts"].values()
    assert "XOR" in text and len(text) < 60 and len(details["setup"]) <= 1, details["texts"]
    assert result.json["checks"] >= 160
    assert len(result.json["findings"]) == 1


def test_an_internal_error_is_a_finding_and_the_hunt_goes_on(gainsay, grafty, tmp_path):
    result = gainsay(
        "hunt", "grafty?breaks=XOR", "--oracle", "reference", "--checks", "160", "--seed", "1", "--json", env=grafty
    )
    finding, details = finding_of(result.json, tmp_path, "internal-error")
    assert finding["status"] == "confirmed" and "broken invariant" in details["detail"]
    assert result.json["checks"] == 160 and len(result.json["findings"]) == 1


def test_a_crash_is_found_where_the_engine_also_breaks(gainsay, grafty, tmp_path):
    target = "grafty?breaks=IS NOT NULL&dies=XOR"
    result = gainsay(
        "hunt",
        target,
        "--oracle",
        "reference",
        "--checks",
        "200",
        "--seed",
        "1",
        "--workers",
        "1",
        "--json",
        env=grafty,
    )
    finding, details = finding_of(result.json, tmp_path, "crash")
    assert finding["status"] == "confirmed" and "XOR" in str(details["texts"])
    assert {f["kind"] for f in result.json["findings"]} == {"crash", "internal-error"}


def test_a_wrong_answer_is_found_by_each_oracle(gainsay, grafty):
    result = gainsay("hunt", "grafty?lies=CASE", "--checks", "80", "--seed", "1", "--json", env=grafty)
    assert {f["kind"] for f in result.json["findings"]} == {"logic"}
    assert any("case" in f["signature"] for f in result.json["findings"] if f["status"] == "confirmed"), result.json[
        "findings"
    ]


def test_an_engine_without_a_fault_has_no_finding(gainsay, grafty):
    result = gainsay("hunt", "grafty", "--checks", "400", "--seed", "3", "--json", env=grafty)
    assert result.code == 0 and result.json["findings"] == [], result.json
    assert result.json["checks"] == 400 and result.json["valid"] == 1 and result.json["nonempty"] > 0.95


@pytest.mark.parametrize(
    ("option", "checks"), [pytest.param("lies=CASE", "60", marks=pytest.mark.more), ("breaks=XOR", "160")]
)
def test_a_counted_hunt_is_the_same_whatever_the_number_of_workers(option, checks, gainsay, grafty):
    one, two = (
        gainsay(
            "hunt",
            f"grafty?{option}",
            "--checks",
            checks,
            "--seed",
            "2",
            "--workers",
            n,
            "--out",
            f"out{n}",
            "--json",
            env=grafty,
        ).json
        for n in ("1", "2")
    )
    for key in ("checks", "asks", "valid", "nonempty", "undecidable", "raw", "scenes"):
        assert one[key] == two[key], key
    assert [{**f, "path": ""} for f in one["findings"]] == [{**f, "path": ""} for f in two["findings"]]
    assert one["findings"]


def test_deaths_do_not_count_checks_twice(gainsay, grafty):
    target = "grafty?dies=CASE&slow=30"
    result = gainsay(
        "hunt", target, "--oracle", "reference", "--checks", "60", "--seed", "1", "--workers", "1", "--json", env=grafty
    )
    assert result.json["checks"] == 60


def test_two_configurations_of_one_engine_agree(gainsay, grafty):
    result = gainsay(
        "hunt",
        "grafty",
        "grafty?lies=XOR",
        "--oracle",
        "differential",
        "--checks",
        "60",
        "--seed",
        "1",
        "--json",
        env=grafty,
    )
    assert result.code == 1 and {f["kind"] for f in result.json["findings"]} == {"logic"}
    assert all("XOR" in f["signature"] for f in result.json["findings"]), result.json["findings"]


# --- a server of the user's ---


@pytest.fixture
def server(tmp_path):
    """FalkorDB's server with a password, started by somebody else, with a graph of his. Gives port, password and the
    command that starts it."""
    from gainsay.engines import falkordb
    from gainsay.engines import server as servers
    from gainsay.engines.resp import Place, connect

    folder = tmp_path / "server"
    folder.mkdir()
    port, password = servers.free_port(), secrets.token_hex(12)
    program, module = falkordb.redis_server(), falkordb.on_path(*falkordb.MODULES)
    words = [
        program, "--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", folder, "--logfile", folder / "log",
        "--requirepass", password, "--loadmodule", module,
    ]  # fmt: skip
    started = []

    def start():
        silent = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        started.append(subprocess.Popen([str(w) for w in words], **silent))
        until = time.monotonic() + 30
        while True:
            try:
                connect(Place("127.0.0.1", port, "", password), 5.0, "").close()
                return
            except RuntimeError:
                assert time.monotonic() < until
                time.sleep(0.05)

    def wire():
        return connect(Place("127.0.0.1", port, "", password), 5.0, "")

    start()
    wire().call("GRAPH.QUERY", "theirs", "CREATE (:Precious {x: 1})")
    # The password is the server's own business: whoever starts it passes it by the environment.
    script = folder / "again.sh"
    listed = " ".join(f"'{w}'" if w != password else '"$SECRET"' for w in map(str, words))
    script.write_text(f"#!/bin/sh\n{listed} >/dev/null 2>&1 </dev/null &\necho $! >> {folder}/pids\n")
    script.chmod(0o755)
    yield port, password, script, wire
    for each in started:
        each.kill()
        each.wait()
    for pid in (folder / "pids").read_text().split() if (folder / "pids").exists() else ():
        try:
            os.kill(int(pid), signal.SIGKILL)
        except ProcessLookupError:
            pass


def config(tmp_path, **entry):
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"falkordb@mine": {"host": "127.0.0.1", **entry}}))
    return str(path)


def files_with(folder, secret):
    return [str(p) for p in folder.rglob("*") if p.is_file() and secret.encode() in p.read_bytes()]


def test_a_server_is_hunted_on_without_a_trace_of_its_password_and_its_graphs_are_left_alone(gainsay, tmp_path, server):
    port, password, _, wire = server
    # fmt: off
    result = gainsay("hunt", "--targets", config(tmp_path, port=port, password=password), "--oracle", "reference",
    "--checks", "40", "--seed", "1", "--workers", "1",
                     "--out", "o", "--json", timeout=120)
    # fmt: on
    assert result.code in (0, 1) and "Traceback" not in result.err, result.out + result.err
    assert result.json["checks"] >= 40 and result.json["valid"] > 0.9
    assert files_with(tmp_path / "o", password) == []
    assert password not in result.out + result.err
    assert wire().call("GRAPH.QUERY", "theirs", "MATCH (n) RETURN n.x")[1] == [[1]]
    assert not [g for g in wire().call("GRAPH.LIST") if g != b"theirs"], "what we made is gone"
    for finding in result.json["findings"][:1]:
        done = run_repro(tmp_path, finding, GAINSAY_FALKORDB_PASSWORD=password)
        assert done.returncode in (0, 1) and password not in done.stdout + done.stderr, done.stderr


def test_a_server_that_dies_is_started_again_by_the_users_command_and_the_hunt_goes_on(gainsay, tmp_path, server):
    """Somebody kills it while it is hunted on; it may also die by itself (F5 of the known bugs)."""
    port, password, script, _ = server
    entry = {"port": port, "password": password, "restart-command": str(script)}
    killer = subprocess.Popen(
        [sys.executable, "-c", KILL, str(tmp_path / "o"), str(tmp_path / "server" / "log")],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        # fmt: off
        result = gainsay("hunt", "--targets", config(tmp_path, **entry), "--oracle", "reference", "--checks", "200",
        "--seed", "1", "--workers", "1", "--out", "o",
                         "--json", timeout=200, env={"SECRET": password})
        # fmt: on
    finally:
        killer.kill()
        killer.wait()
    assert result.code in (0, 1) and "Traceback" not in result.err, result.out + result.err
    assert (tmp_path / "server" / "pids").exists(), "the command was run"
    assert result.json["checks"] >= 200 and result.json["valid"] > 0.8, result.json
    assert files_with(tmp_path / "o", password) == []


def test_a_server_that_nobody_starts_again_ends_the_hunt_and_what_waits_stays(gainsay, tmp_path, server):
    port, password, _, _ = server
    killer = subprocess.Popen(
        [sys.executable, "-c", KILL, str(tmp_path / "o"), str(tmp_path / "server" / "log")],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    targets = config(tmp_path, port=port, password=password)
    try:
        result = gainsay(
            "hunt", "--targets", targets, "--checks", "4000", "--seed", "1", "--workers", "1", "--out", "o", timeout=200
        )
    finally:
        killer.kill()
        killer.wait()
    said = result.out + result.err
    assert result.code in (1, 2) and "is gone. Start it again" in said and "Traceback" not in said, said
    assert "mistake" not in said and "not seen again" not in said, said
    events = [json.loads(line) for line in (tmp_path / "o" / "journal.jsonl").read_text().splitlines()]
    assert not [e for e in events if e["type"] == "trouble"]
    assert sum(len(e["done"]) for e in events if e["type"] == "progress") < 50, (
        "episodes that were never asked are not done"
    )


def test_a_reproducer_that_can_not_be_run_decides_nothing(hunted):
    folder, summary = hunted
    logic = next(f for f in summary["findings"] if f["kind"] == "logic")
    broken = (folder / logic["path"] / "repro.py").read_text().replace("import graphqlite", "import no_such_engine")
    ended = subprocess.run([sys.executable, "-c", broken], capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode == 2 and "Not decided here: ModuleNotFoundError" in ended.stderr, ended


# Kills the server once, when the hunt has begun to count.
KILL = """
import os, pathlib, re, signal, sys, time
journal, log = pathlib.Path(sys.argv[1]) / "journal.jsonl", pathlib.Path(sys.argv[2])
while not (journal.exists() and b'"progress"' in journal.read_bytes()):
    time.sleep(0.02)
os.kill(int(re.findall(r"^(\\d+):M", log.read_text(), re.M)[-1]), signal.SIGKILL)
"""


# --- wrong moves ---


def one_line(result, part):
    assert result.code == 2, result.out + result.err
    assert "Traceback" not in result.err
    lines = result.err.strip().splitlines()
    assert len(lines) == 1 and part in lines[0], lines


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["grafty", "--set", "cypher.clauses=0"], "1 to 9"),
        (["grafty", "--set", "cypher.guidance=foo"], "no such guidance"),
        (["grafty", "--set", "cypher.nodes=many"], "1 to 128"),
        (["grafty", "--set", "cypher.clausen=3"], "Did you mean clauses"),
        (["grafty", "--wipe"], "--wipe"),
        (["falkordb?port=1&password=hush-hush"], "No server answers at localhost:1"),
        (["falkordb?port=x"], "port"),
        (["graphqlight"], "Did you mean graphqlite"),
        (["--targets", "nowhere.json"], "nowhere.json"),
    ],
    ids=lambda v: " ".join(v) if isinstance(v, list) else "",
)
def test_a_wrong_move_gets_one_line_and_the_remedy(arguments, part, gainsay, grafty, tmp_path):
    result = gainsay("hunt", *arguments, "--checks", "10", env=grafty)
    one_line(result, part)
    assert "hush-hush" not in result.err
    assert not (tmp_path / "gainsay-out").exists(), "nothing is left behind"


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ('{"falkordb@1": {"port": 7687,}}', "line 1"),
        ('{"falcordb@1": {}}', "Did you mean falkordb"),
        ('{"graphqlite@1": {}}', "no server"),
        ('{"falkordb@1": {"port": 1, "password": "hush-hush"}}', "falkordb"),
        ("[]", "no targets"),
        ("\\xff", "config.json"),
    ],
)
def test_a_wrong_file_of_targets_gets_one_line_and_the_remedy(content, part, gainsay, tmp_path):
    (tmp_path / "config.json").write_bytes(content.encode() if content != "\\xff" else b"\xff\xfe{")
    result = gainsay("hunt", "--targets", "config.json", "--checks", "10")
    one_line(result, part)
    assert "hush-hush" not in result.err and not (tmp_path / "gainsay-out").exists()


def test_a_wrong_password_gets_one_line_without_it(gainsay, tmp_path, server):
    port, password, _, _ = server
    one_line(
        gainsay("hunt", "--targets", config(tmp_path, port=port, password="wrong-" + password), "--checks", "10"),
        "password",
    )
    assert files_with(tmp_path, "wrong-" + password) == [str(tmp_path / "config.json")]

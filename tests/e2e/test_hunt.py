"""The installed command, as a user or a script runs it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gainsay.engines.releases import cache_dir
from summary_keys import KEYS

FINDING = {"id", "engine", "version", "oracle", "kind", "status", "count", "signature", "path"}
OLD = "sqlite@3.40.0"  # a wheel brings it; hunts find generated REAL columns that lose their type there
FINDING_HUNT = ("hunt", OLD, "--checks", "480", "--seed", "4", "--json")  # which finds one
FINDING_MORE = ("hunt", OLD, "--checks", "2000", "--seed", "4", "--json")  # another thing too, in its 25th episode


@pytest.fixture
def faulty(plugin):
    """The environment in which the engine `faulty` is installed."""
    return plugin(
        "faulty", (Path(__file__).parent / "faulty.py").read_text(), "gainsay.engines", "faulty", "faulty:Faulty"
    )


def start(*arguments, cwd, env=None):
    command = [sys.executable, "-m", "gainsay.cli.main", *arguments]
    return subprocess.Popen(
        command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, **(env or {})}
    )


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen in time")


def leftovers():
    """Processes of ours that nobody waits for."""
    found = subprocess.run(["ps", "-eo", "ppid,args"], capture_output=True, text=True, check=True).stdout
    return [
        line
        for line in found.splitlines()
        if line.split()[0] == "1" and "gainsay" in line and ("host.py" in line or "worker" in line)
    ]


def test_a_hunt_that_finds_something_leaves_folders_that_prove_it(gainsay, tmp_path):
    result = gainsay(*FINDING_HUNT)
    assert result.code == 1, result.out + result.err
    summary = result.json
    assert summary.keys() >= KEYS
    assert summary["findings"], "3.40.0 has bugs that are found with this seed"
    for finding in summary["findings"]:
        assert finding.keys() >= FINDING
        folder = tmp_path / finding["path"]
        assert {"finding.json", "report.md", "repro.py", "repro.sql"} <= {p.name for p in folder.iterdir()}
        shown = gainsay("show", finding["id"])
        assert "Why it must hold" in shown.out
        setup = json.loads((folder / "finding.json").read_text())["setup"]
        assert len(setup) <= 6, setup
        here = subprocess.run([sys.executable, folder / "repro.py"], capture_output=True, text=True, check=False)
        assert "expected:" in here.stdout and "actual:" in here.stdout
        cache = cache_dir() / "sqlite" / "3.40.0"
        there = subprocess.run(
            [sys.executable, folder / "repro.py"],
            env={**os.environ, "PYTHONPATH": str(cache)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert there.returncode == 1, there.stdout + there.stderr
        assert gainsay("replay", finding["id"]).code == 1
        newest = gainsay("replay", finding["id"], "--on", "apsw")
        assert newest.code == 0, "all of this seed's findings are right in the newest release"
    first = summary["findings"][0]["id"]
    assert gainsay("reduce", first).code == 0
    kept = tmp_path / summary["findings"][0]["path"] / "finding.json"
    assert json.loads(kept.read_text())["proof"] == "", "the new reproducer was run, and shows it"
    assert first in gainsay("findings").out
    assert first in gainsay("report", "gainsay-out", "--format", "md").out  # the newest of the hunts in it
    assert json.loads(gainsay("report", "gainsay-out", "--format", "json").out)["findings"][0]["setup"]
    assert gainsay("mute", first).code == 0
    again = gainsay(*FINDING_HUNT, "--out", "second")
    muted = {f["id"]: f["status"] for f in again.json["findings"]}
    assert muted[first] == "muted"
    assert again.code == (1 if "confirmed" in muted.values() else 0)


@pytest.mark.parametrize(
    "hunt",
    [FINDING_MORE, ("hunt", "faulty?on=GLOB&how=internal", "--checks", "240", "--seed", "2", "--json")],
    ids=["an old release", "an engine that breaks often"],
)
def test_a_counted_hunt_is_the_same_whatever_the_number_of_workers(gainsay, faulty, hunt):
    one, three = (gainsay(*hunt, "--workers", n, "--out", f"out{n}", env=faulty).json for n in ("1", "3"))
    for key in ("checks", "asks", "valid", "nonempty", "undecidable", "raw", "scenes"):
        assert one[key] == three[key], key
    assert [{**f, "path": ""} for f in one["findings"]] == [{**f, "path": ""} for f in three["findings"]]
    assert one["findings"]


def test_kill_9_of_the_supervisor_loses_no_raw_contradiction(gainsay, tmp_path):
    process = start("hunt", OLD, "--for", "120s", "--seed", "3", "--out", "o", cwd=tmp_path)
    journal = tmp_path / "o" / "journal.jsonl"
    wait_for(lambda: journal.exists() and b'"type":"raw"' in journal.read_bytes())
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = [json.loads(line) for line in journal.read_bytes().split(b"\n")[:-1]]
    raws = [(e["name"]["episode"], e["name"]["check"]) for e in before if e["type"] == "raw"]
    done = {n for e in before if e["type"] == "progress" for n in e["done"]}
    result = gainsay("hunt", OLD, "--for", "4s", "--out", "o", "--workers", "1", "--json")
    assert result.code == 1
    after = [json.loads(line) for line in journal.read_bytes().splitlines()]
    settled = [(e["name"]["episode"], e["name"]["check"]) for e in after if e["type"] == "settled"]
    assert raws and set(raws) <= set(settled) | {
        (e["name"]["episode"], e["name"]["check"]) for e in after if e["type"] == "raw"
    }
    assert result.json["raw"] >= len(set(raws))
    again = [n for e in after[len(before) :] if e["type"] == "progress" for n in e["done"]]
    assert not done & set(again), "no episode is run twice"
    every = done | set(again)
    assert set(range(len(done))) - every <= set(range(max(every) + 1)) - every
    wait_for(lambda: not leftovers(), 10)


def test_the_first_ctrl_c_ends_with_the_summary(tmp_path):
    process = start("hunt", "sqlite", "--for", "100s", "--seed", "4", cwd=tmp_path)
    book = tmp_path / "gainsay-out/sqlite-1/journal.jsonl"
    wait_for(lambda: book.exists() and b"progress" in book.read_bytes())
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert process.returncode in (0, 1)
    assert "checks on sqlite" in out and "Next:" in out
    assert "Interrupted" in out
    assert not leftovers()


def test_the_same_command_goes_on_and_another_hunt_gets_a_folder_of_its_own(gainsay, tmp_path):
    first = gainsay("hunt", "apsw", "--checks", "960", "--seed", "20", "--json").json
    second = gainsay("hunt", "apsw", "--checks", "1920", "--json").json
    whole = gainsay("hunt", "apsw", "--checks", "1920", "--seed", "20", "--json", "--out", "whole").json
    assert 960 <= first["checks"] < second["checks"] == whole["checks"] >= 1920
    assert second["asks"] == whole["asks"]
    other = gainsay("hunt", "duckdb", "--checks", "10", "--json")
    assert other.json["checks"] >= 10
    assert sorted(p.name for p in (tmp_path / "gainsay-out").iterdir()) == ["apsw-1", "duckdb-1"]
    turned_away = gainsay("hunt", "duckdb", "--checks", "10", "--out", "whole")
    assert turned_away.code == 2 and "--out" in turned_away.err


@pytest.mark.parametrize("how", ["SIGSEGV", pytest.param("SIGABRT", marks=pytest.mark.more), "SIGKILL"])
def test_a_death_is_attributed_to_its_exact_case(gainsay, faulty, how, tmp_path):
    result = gainsay(
        "hunt", f"faulty?on=GLOB&how={how}", "--oracle", "norec", "--checks", "40", "--seed", "2", "--json", env=faulty
    )
    assert result.code == 1, result.out + result.err
    assert result.json["raw"] > 3 and result.json["checks"] == 40, "the hunt goes on behind each death"
    crashes = [f for f in result.json["findings"] if f["kind"] == "crash"]
    assert crashes and all(how in f["signature"] for f in crashes)
    finding = json.loads((tmp_path / crashes[0]["path"] / "finding.json").read_text())
    assert any("GLOB" in text for text in (*finding["setup"], *finding["texts"].values()))
    assert len(finding["setup"]) <= 2, finding["setup"]


@pytest.mark.parametrize(("how", "memory"), [("hang", "2G"), ("memory", "150M")])
def test_a_hang_and_a_memory_hog_are_findings(gainsay, faulty, how, memory):
    line = ("hunt", f"faulty?on=GLOB&how={how}", "--oracle", "norec", "--checks", "40", "--seed", "2", "--json")
    result = gainsay(*line, "--memory", memory, env={**faulty, "GAINSAY_HARD_S": "0.3"})
    assert [f["kind"] for f in result.json["findings"]] == [how], result.out + result.err
    assert result.json["checks"] == 40


def test_an_internal_error_is_a_finding(gainsay, faulty):
    result = gainsay("hunt", "faulty?on=GLOB&how=internal", "--checks", "160", "--seed", "2", "--json", env=faulty)
    kinds = {(f["kind"], f["status"]) for f in result.json["findings"]}
    assert ("internal-error", "confirmed") in kinds
    assert len([f for f in result.json["findings"] if f["kind"] == "internal-error"]) == 1, "one message, one finding"


def test_what_depends_on_earlier_questions_is_stateful(gainsay, faulty, tmp_path):
    result = gainsay(
        "hunt",
        "faulty?on=GLOB&how=stateful",
        "--oracle",
        "tlp",
        "--checks",
        "160",
        "--seed",
        "2",
        "--json",
        env=faulty,
    )
    stateful = [f for f in result.json["findings"] if f["status"] == "stateful"]
    assert stateful, result.out + result.err
    finding = json.loads((tmp_path / stateful[0]["path"] / "finding.json").read_text())
    assert finding["before"], "the questions that must be asked before are kept"
    assert gainsay("replay", stateful[0]["id"], env=faulty).code == 1


def test_what_comes_and_goes_is_never_called_confirmed(gainsay, faulty):
    result = gainsay(
        "hunt", "faulty?on=GLOB&how=flaky", "--oracle", "tlp", "--checks", "400", "--seed", "2", "--json", env=faulty
    )
    assert result.json["raw"] > 0
    for finding in result.json["findings"]:
        assert finding["status"] in ("flaky", "confirmed", "stateful")
    assert len([f for f in result.json["findings"] if f["status"] == "flaky"]) < result.json["raw"]


def test_plain_lines_in_a_pipe(gainsay):
    result = gainsay("hunt", "apsw", "--for", "6s", "--seed", "20", "--workers", "1")
    assert "\x1b[" not in result.out
    assert "checks (" in result.out and "Next:" in result.out


def test_two_versions_and_two_engines_take_part_in_one_case(gainsay):
    result = gainsay("hunt", OLD, "apsw", "--oracle", "differential", "--checks", "880", "--seed", "3", "--json")
    assert result.code == 1, result.out + result.err
    told = {finding["oracle"] for finding in result.json["findings"]}
    assert "reference" in told, "our semantics tells which of them is wrong, where it can"
    crossed = gainsay(
        "hunt", "duckdb", "apsw", "--oracle", "differential", "--checks", "80", "--seed", "3", "--json", "--out", "x"
    )
    assert crossed.code in (0, 1) and crossed.json["checks"] >= 80

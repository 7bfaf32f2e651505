"""What people do with a finding: search its release, look at a page, hand it to other tools, ask it again."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from xml.etree import ElementTree

import pytest

OLD = "cozo@0.7.0"  # 0.7.1 has mended what is reduced here
PROGRAM = "p[h0] := h0 = 0\np[h0] := p[0], h0 = 1\nout[x] := p[x], p[y], y != 0\n?[c0] := out[c0]\n"


@pytest.fixture(scope="module")
def hunted(tmp_path_factory):
    """A folder with one finding of an old release, made by reducing a script."""
    home = tmp_path_factory.mktemp("after")
    (home / "case.cozo").write_text(PROGRAM)
    command = [sys.executable, "-m", "gainsay.cli.main", "reduce", "--case", "case.cozo", "--on", OLD, "--out", "hunt"]
    done = subprocess.run(command, cwd=home, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    return home


@pytest.fixture
def folder(hunted, tmp_path):
    """A copy of it, and the ID of the finding."""
    shutil.copytree(hunted / "hunt", tmp_path / "hunt")
    (found,) = (tmp_path / "hunt" / "findings").iterdir()
    return found.name


def test_the_release_that_mended_it_is_found_and_becomes_a_part_of_the_finding(gainsay, folder, tmp_path):
    result = gainsay("bisect", folder, "./hunt", "--from", "0.7.0", "--json")
    assert result.code == 0, result.err
    said = result.json
    assert (said["last"], said["fixed"], said["still_there_in_newest"]) == ("0.7.0", "0.7.1", False)
    assert {t["release"]: t["answer"] for t in said["tried"]}.items() >= {("0.7.0", "wrong"), ("0.7.1", "right")}
    assert len(said["tried"]) < said["releases"] + 1
    report = (tmp_path / "hunt" / "findings" / folder / "report.md").read_text()
    assert "## Releases" in report and "| 0.7.1 | right |" in report
    listed = json.loads(gainsay("report", "./hunt", "--format", "json").out)
    assert listed["findings"][0]["interval"]["fixed"] == "0.7.1"
    assert "0.7.1" in gainsay("report", "./hunt", "--format", "html").out


def test_a_search_that_can_not_be_made_says_why(gainsay, folder):
    for arguments, words in (
        (("--from", "9.9.9"), "no release from 9.9.9"),
        (("--on", "souffle"), "no releases of souffle"),
        (("--on", "duckdb"), "not of the family"),
        (("--from", "new"), "write a release"),
        (("--repo", "."), "--build is missing"),
    ):
        result = gainsay("bisect", folder, "./hunt", *arguments)
        assert result.code == 2, (arguments, result.out)
        assert words in result.err and "Traceback" not in result.err, result.err
    assert gainsay("bisect", "nothing", "./hunt").code == 2


def solvers(home):
    """Z3, and Z3 behind a pipe that takes (> x 0) for false: as scripts, which a build copies."""
    z3 = Path(sys.executable).parent / "z3"
    for name, text in (("right", f"exec {z3} -in"), ("wrong", f"exec sed -u 's/(> x 0)/false/' | {z3} -in")):
        (home / f"{name}.sh").write_text(f"#!/bin/sh\n{text}\n")
        (home / f"{name}.sh").chmod(0o755)
    (home / "case.smt2").write_text("(set-logic QF_LIA)\n(declare-fun x () Int)\n(assert (> x 0))\n(check-sat)\n")


@pytest.fixture
def engine(gainsay, tmp_path):
    """A finding of a solver, and a function that searches commits: states, good, bad -> result."""
    solvers(tmp_path)
    made = gainsay("reduce", "--case", "case.smt2", "--on", f"smtlib?cmd={tmp_path}/wrong.sh", "--out", "found")
    assert made.code == 1, made.out + made.err
    (finding,) = (tmp_path / "found" / "findings").iterdir()

    def search(states, good, bad):
        repo = tmp_path / "engine"
        commits = repository(repo, states)
        (repo / "mine.txt").write_text("uncommitted work")
        build = f"test $(cat state) != broken && cp {tmp_path}/$(cat state).sh solver"
        result = gainsay(
            "bisect", finding.name, "./found", "--repo", "engine", "--build", build, "--good", commits[good],
            "--bad", commits[bad], "--on", "smtlib?cmd={repo}/solver",
        )  # fmt: skip
        assert git(repo, "status", "--porcelain").strip() == "?? mine.txt"
        assert len(git(repo, "worktree", "list").splitlines()) == 1
        assert git(repo, "rev-parse", "HEAD").strip() == commits[-1]
        return result

    return search


def test_the_commit_that_broke_it_is_found_and_one_that_does_not_build_is_skipped(engine):
    result = engine(["right", "right", "wrong", "broken", "wrong", "wrong"], 0, 5)
    assert result.code == 0, result.out + result.err
    assert re.search(r"^Broken by [0-9a-f]+ A, .*: 2 wrong$", result.out, re.MULTILINE), result.out
    assert "Traceback" not in result.err


def test_the_commit_that_mended_it_is_found(engine):
    result = engine(["wrong", "wrong", "right", "right"], 3, 0)
    assert re.search(r"^Mended by [0-9a-f]+ A, .*: 2 right$", result.out, re.MULTILINE), result.out + result.err


def test_commits_that_do_not_build_leave_some_in_doubt(engine):
    result = engine(["right", "broken", "wrong"], 0, 2)
    assert result.code == 2
    assert "Only commits that can't be asked are left" in result.err


def test_ends_that_are_not_what_they_are_said_to_be_are_told(engine):
    result = engine(["right", "right"], 0, 1)
    assert result.code == 2
    assert "--bad" in result.err and "is right" in result.err


def git(repo, *arguments):
    identity = ["-c", "user.name=A", "-c", "user.email=a@b"]
    command = ["git", "-C", str(repo), *identity, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def repository(repo, states):
    repo.mkdir()
    git(repo, "init", "-q")
    commits = []
    for number, state in enumerate(states):
        (repo / "state").write_text(state)
        (repo / "number").write_text(str(number))
        git(repo, "add", ".")
        git(repo, "commit", "-qm", f"{number} {state}")
        commits.append(git(repo, "rev-parse", "HEAD").strip())
    return commits


# --- for other tools --------------------------------------------------------------------------------------------------


def test_a_corpus_is_asked_again_on_a_build(gainsay, folder, tmp_path):
    old = gainsay("regress", "hunt", "--on", OLD)
    assert old.code == 1 and "still there" in old.out, old.out + old.err
    new = gainsay("regress", "hunt", "--on", "cozo", "--format", "json")
    assert new.code == 0, new.out
    assert [f["outcome"] for f in new.json["findings"]] == ["gone"]
    other = gainsay("regress", "hunt", "--on", "sqlite", "--format", "junit", "--output", "regress.xml")
    assert other.code == 0
    assert ElementTree.parse(tmp_path / "regress.xml").getroot().get("skipped") == "1"
    corpus = tmp_path / "corpus" / folder
    shutil.copytree(tmp_path / "hunt" / "findings" / folder, corpus)
    (tmp_path / "corpus" / "broken").mkdir()
    (tmp_path / "corpus" / "broken" / "finding.json").write_text("{")
    earlier = json.loads((corpus / "finding.json").read_text())
    del earlier["words"]  # a field that came later
    (tmp_path / "corpus" / "earlier").mkdir()
    (tmp_path / "corpus" / "earlier" / "finding.json").write_text(json.dumps(earlier))
    both = gainsay("regress", "corpus", "hunt", "--on", OLD)
    assert "1 finding: 1 still there" in both.out and both.err.count("left out") == 2
    assert "missing required field `words`" in both.err and "another version of gainsay" in both.err


def test_a_folder_without_findings_is_told(gainsay, tmp_path):
    (tmp_path / "empty").mkdir()
    for name in ("empty", "nowhere"):
        result = gainsay("regress", name)
        assert result.code == 2 and name in result.err
    assert gainsay("hunt", "sqlite", "--baseline", "nowhere.json").code == 2
    assert gainsay("report", "./empty", "--format", "sarif").code == 2


def test_what_is_in_a_baseline_is_shown_last_and_no_reason_to_fail(gainsay, tmp_path):
    hunt = ("hunt", "sqlite@3.40.0", "--checks", "80", "--seed", "5", "--json")
    first = gainsay(*hunt, "--out", "one")
    assert first.code == 1, first.out + first.err
    written = gainsay("baseline", "./one")
    assert written.code == 0 and (tmp_path / "gainsay-baseline.json").exists()
    again = gainsay(*hunt, "--out", "two", "--baseline", "gainsay-baseline.json")
    assert again.code == 0, again.out
    assert {f["status"] for f in again.json["findings"]} == {"known"}
    assert all(f["count"] for f in again.json["findings"])
    sarif = json.loads(gainsay("report", "./two", "--format", "sarif").out)
    assert all("suppressions" in r for r in sarif["runs"][0]["results"])
    junit = ElementTree.fromstring(gainsay("report", "./two", "--format", "junit").out)
    assert junit.get("failures") == "0"


# --- live -------------------------------------------------------------------------------------------------------------


def asked(address):
    with urllib.request.urlopen(address, timeout=10) as answer:
        return answer.read().decode()


def test_a_hunt_shows_its_page_while_it_runs_and_ends_it_with_itself(tmp_path):
    command = [sys.executable, "-m", "gainsay.cli.main", "hunt", "sqlite", "--for", "60s", "--workers", "1", "--page"]
    hunt = subprocess.Popen(
        [*command, "--out", "live"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    try:
        line = next(line for line in hunt.stdout if "is shown at" in line)
        address = line.split()[-1]
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{20,}/", address)
        end = time.monotonic() + 60
        while "checks" not in asked(f"{address}sections") and time.monotonic() < end:
            time.sleep(0.3)
        assert "What was hunted" in asked(address)
    finally:
        hunt.send_signal(signal.SIGINT)
        hunt.communicate(timeout=60)
    with pytest.raises(urllib.error.URLError):
        asked(address)


def test_a_server_that_can_not_be_is_told(gainsay, hunted):
    for arguments, words in (
        (("--host", "0.0.0.0"), "--token"),
        (("--token", "short"), "16 letters"),
        (("--port", "x"), "not a whole number"),
        (("--out", "nowhere"), "not the folder of a hunt"),
    ):
        result = gainsay("serve", *(() if "--out" in arguments else ("./hunt",)), *arguments, cwd=hunted)
        assert result.code == 2 and words in result.err, (arguments, result.err)


# --- upkeep -----------------------------------------------------------------------------------------------------------


def test_doctor_says_what_is_there_and_what_brings_the_rest(gainsay):
    said = gainsay("doctor", "--json").json
    engines = {check["name"]: check for check in said["engines"]}
    assert engines["sqlite"]["is_there"] and engines["duckdb"]["is_there"]
    assert not engines["cockroachdb"]["is_there"] and engines["cockroachdb"]["remedy"]
    assert all(check["is_there"] for check in said["needed"])


def test_the_cache_is_listed_and_cleaned(gainsay, tmp_path):
    env = {"GAINSAY_CACHE": str(tmp_path / "cache")}
    kept = tmp_path / "cache" / "engines" / "duckdb" / "1.0.0"
    kept.mkdir(parents=True)
    (kept / "file").write_bytes(b"x" * 3_000_000)
    (tmp_path / "cache" / "engines" / "cozo" / "0.7.0").mkdir(parents=True)
    assert "2.9 MB  duckdb@1.0.0" in gainsay("cache", "list", env=env).out
    assert gainsay("cache", "clean", "nothing", env=env).code == 2
    assert "2.9 MB removed" in gainsay("cache", "clean", "duckdb", env=env).out
    assert not kept.exists()
    assert (tmp_path / "cache" / "engines" / "cozo" / "0.7.0").exists()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_its_completion(gainsay, shell):
    result = gainsay("completion", shell)
    assert result.code == 0 and "gainsay" in result.out and "_ARGCOMPLETE" in result.out


def test_targets_oracles_and_findings_are_offered(folder, tmp_path):
    (tmp_path / "gainsay-out").mkdir()
    shutil.move(tmp_path / "hunt", tmp_path / "gainsay-out" / "hunt")
    for line, offered in (
        ("gainsay hunt duck", "duckdb"),
        ("gainsay hunt sqlite --oracle nor", "norec"),
        ("gainsay show cozo", folder),
        ("gainsay replay cozo --on cozo@0.7.0", "cozo@0.7.0"),
    ):
        env = {
            **os.environ, "_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line)),
            "_ARGCOMPLETE_IFS": "\n", "_ARGCOMPLETE_STDOUT_FILENAME": str(tmp_path / "said"), "COMP_TYPE": "9",
        }  # fmt: skip
        command = [sys.executable, "-m", "gainsay.cli.main"]
        subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert offered in (tmp_path / "said").read_text(), line


def test_the_version_names_the_engines_at_hand(gainsay):
    said = gainsay("--version").out.splitlines()
    assert said[0].startswith("gainsay ")
    assert any(line.startswith("sqlite 3.") for line in said)

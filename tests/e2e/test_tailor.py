"""`gainsay tailor` as a user or a script runs it, with Z3. Eva has the same in tests/analyzers."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from gainsay.tailor.analyzers.z3 import Z3

TEXTS = {
    "easy.smt2": "(set-logic QF_LIA)(declare-const x Int)(assert (and (> x 0) (< x 0)))(check-sat)",
    "two.smt2": "(declare-const p Bool)(push)(assert (and p (not p)))(check-sat)(pop)(assert (xor p p))(check-sat)",
    "three.smt2": "(declare-const q Bool)(push)(assert (and q (not q)))(check-sat)(pop)(assert (xor q q))(check-sat)",
    "false.smt2": "(set-logic QF_LIA)(declare-const x Int)(assert (> x 3))(check-sat)",
    # Three cubes that sum to 33: nobody finds them in the time that there is.
    "cubes.smt2": "(declare-const a Int)(declare-const b Int)(declare-const c Int)(assert (= (+ (* a a a) (* b b b) "
    "(* c c c)) 33))(check-sat)",
}
RUN = ("tailor", "run", "code", "--analyzer", "z3", "--limit", "1s", "--iterations", "8", "--functions", "0")
QUICK = ("tailor", "run", "code", "--analyzer", "z3", "--i-dom", "0", "--i-set", "1", "--no-ladder", "--functions", "0")
# Real Z3, but for some settings: with one it crashes, with another it eats memory, with a third it hangs.
SICK = """#!{python}
import os, subprocess, sys, time
text = open(sys.argv[-1]).read() if sys.argv[-1].endswith(".smt2") else ""
if ":smt.phase_selection 5" in text:
    os.abort()
if ":smt.restart_strategy 2" in text:
    hog = bytearray(300 << 20)
    for i in range(0, len(hog), 4096):
        hog[i] = 1
    time.sleep(30)
if ":smt.relevancy 0" in text:
    time.sleep(600)
sys.exit(subprocess.run([{z3!r}, *sys.argv[1:]]).returncode)
"""


def laid(folder: Path) -> Path:
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def code(tmp_path: Path) -> Path:
    return laid(tmp_path / "code")


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """The folder of a run and what it said, made once for all tests that only read it or change a copy."""
    known: dict[tuple[str, ...], tuple[Path, dict[str, Any]]] = {}

    def run(*line: str) -> tuple[Path, dict[str, Any]]:
        if line not in known:
            home = tmp_path_factory.mktemp("tailored")
            laid(home / "code")
            command = [sys.executable, "-m", "gainsay.cli.main", *line, "--json"]
            done = subprocess.run(command, cwd=home, check=True, capture_output=True, text=True)
            known[line] = home, json.loads(done.stdout.splitlines()[-1])
        return known[line]

    return run


@pytest.fixture
def book(made, code: Path, tmp_path: Path) -> Path:
    """A recipe file with a recipe that was searched for."""
    (tmp_path / "tailor.json").write_text((made(*RUN)[0] / "tailor.json").read_text())
    return tmp_path / "tailor.json"


@pytest.fixture
def quick_book(made, code: Path, tmp_path: Path) -> Path:
    """A recipe file with the first recipe that came."""
    (tmp_path / "tailor.json").write_text((made(*QUICK, "--limit", "1s")[0] / "tailor.json").read_text())
    return tmp_path / "tailor.json"


def refused(result, *parts):
    assert result.code == 2, result.out + result.err
    assert "Traceback" not in result.err
    last = result.err.strip().splitlines()[-1]
    for part in parts:
        assert part in last, last


def test_run_finds_a_recipe_and_keeps_it(made):
    home, said = made(*RUN)
    (row,) = said["files"]
    assert row["assertions"] == 7 and row["proved"] == 5 and row["cpu_s"] <= 1
    assert said["recipes"] >= 9 and said["is_whole"] and said["runs"] > 0
    book = json.loads((home / "tailor.json").read_text())
    assert book["analyzer"] == "z3" and book["version"] == Z3({}).version()
    assert book["files"]["code"]["limits"][0]["proved"] == row["proved"]
    assert (home / "tailor.json").read_text().count("\n") > 20


def test_the_same_folder_goes_on_without_running_anything_again(gainsay, made):
    home, first = made(*RUN)
    before = (home / "tailor.json").read_text()
    for workers in ("1", "3"):
        again = gainsay(*RUN, "--json", "--workers", workers, cwd=home).json
        assert again["runs"] == 0 and again["files"] == first["files"]
    assert (home / "tailor.json").read_text() == before


def test_several_limits_come_from_one_search(gainsay, code, tmp_path):
    both = gainsay(*RUN, "--limit", "500ms", "--json").json
    assert [row["limit_s"] for row in both["files"]] == [0.5, 1.0]
    assert both["known"] > 0 and both["files"][0]["proved"] <= both["files"][1]["proved"]
    assert all(row["cpu_s"] <= row["limit_s"] for row in both["files"])


@pytest.mark.parametrize("algorithm", ["rs", "dars"])
def test_the_same_seed_tries_the_same_recipes_in_another_folder(gainsay, code, algorithm):
    (code / "cubes.smt2").unlink()  # its time limit is no part of what is drawn

    def tried(*more: str) -> list[list[str]]:
        result = gainsay(*RUN[:-2], "--functions", "0", "--no-union", "--algorithm", algorithm, "--json", *more).json
        return [t["recipe"] for t in result["files"][0]["tried"]]

    first = tried("--out", "one", "--output", "one.json")
    assert tried("--out", "two", "--output", "two.json", "--workers", "3") == first
    assert tried("--out", "three", "--output", "three.json", "--seed", "5") != first


def test_show_tells_recipe_gains_and_command(gainsay, book):
    shown = gainsay("tailor", "show", "tailor.json")
    assert shown.code == 0 and "ingredient 1:" in shown.out and "within the limit only by effort" in shown.out
    assert "(set-option :rlimit" in shown.out
    assert gainsay("tailor", "show", "tailor.json", "--json").json["files"]["code"]["limits"][0]["commands"]


def test_check_passes_until_a_proof_is_lost(gainsay, book, code):
    good = gainsay("tailor", "check", "tailor.json", "code")
    assert good.code == 0 and good.out.startswith("ok")
    (code / "easy.smt2").write_text(TEXTS["easy.smt2"].replace("(< x 0)", "(< x 9)"))
    bad = gainsay("tailor", "check", "tailor.json", "code")
    assert bad.code == 1 and "WORSE" in bad.out and "lost: easy.smt2" in bad.out
    (code / "easy.smt2").unlink()  # what is gone is not lost
    assert gainsay("tailor", "check", "tailor.json", "code").code == 0


def test_retune_searches_again_where_more_is_lost_than_allowed(gainsay, book):
    told = json.loads(book.read_text())
    entry = told["files"]["code"]["limits"][0]
    entry["recipe"] = [{"domain": "rewrite", "settings": []}]  # as if the code had outgrown its recipe
    book.write_text(json.dumps(told))
    mild = gainsay("tailor", "check", "tailor.json", "code", "--retune", "99")
    assert mild.code == 1 and "searching again" not in mild.out
    result = gainsay("tailor", "check", "tailor.json", "code", "--retune", "5")
    assert result.code == 1 and "New recipes are in tailor.json" in result.out
    assert json.loads(book.read_text())["files"]["code"]["limits"][0]["proved"] >= entry["proved"]
    assert gainsay("tailor", "check", "tailor.json", "code").code == 0


def test_recipes_for_other_limits_and_better_ones_stay(gainsay, code, tmp_path):
    gainsay(*QUICK, "--limit", "1s")
    gainsay(*QUICK, "--limit", "600ms")
    assert [e["limit_s"] for e in json.loads((tmp_path / "tailor.json").read_text())["files"]["code"]["limits"]] == [
        0.6,
        1.0,
    ]
    changed(tmp_path / "tailor.json", lambda book: book["files"]["code"]["limits"][0].update(proved=99))
    gainsay(*QUICK, "--limit", "600ms")
    assert json.loads((tmp_path / "tailor.json").read_text())["files"]["code"]["limits"][0]["proved"] == 99


def test_ctrl_c_before_anything_is_known_ends_without_a_traceback_and_without_a_recipe(code, tmp_path):
    command = [
        sys.executable,
        "-m",
        "gainsay.cli.main",
        "tailor",
        "run",
        "code",
        "--analyzer",
        "z3",
        "--limit",
        "60s",
        "--no-ladder",
    ]
    (code / "easy.smt2").rename(code / "zero.smt2")
    (code / "a.smt2").write_text(TEXTS["cubes.smt2"])
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert "Traceback" not in err and process.returncode in (0, 130)
    assert not (tmp_path / "tailor.json").exists()


def test_ctrl_c_keeps_the_best_so_far(gainsay, code, tmp_path):
    command = [sys.executable, "-m", "gainsay.cli.main", *RUN, "--iterations", "4000"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wait_for_runs(tmp_path, 6)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0 and "Stopped early: the best so far is kept" in out
    assert json.loads((tmp_path / "tailor.json").read_text())["files"]["code"]["limits"][0]["proved"] == 5


def test_a_kill_loses_no_run(gainsay, code, tmp_path):
    command = [sys.executable, "-m", "gainsay.cli.main", *RUN, "--iterations", "4000"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    made = wait_for_runs(tmp_path, 6)
    process.kill()
    process.wait()
    again = gainsay(*RUN, "--iterations", "8", "--json").json
    assert again["known"] >= made - 1


def wait_for_runs(folder: Path, wanted: int) -> int:
    path = folder / "gainsay-tailor-out" / "runs.jsonl"
    for _ in range(600):
        made = path.read_bytes().count(b"\n") if path.exists() else 0
        if made >= wanted:
            return made
        time.sleep(0.1)
    raise AssertionError("no runs")


# --- analyzers that misbehave ---


def test_a_sick_analyzer_costs_its_recipes_and_nothing_else(gainsay, code, tmp_path):
    sick = tmp_path / "sick"
    sick.write_text(SICK.format(python=sys.executable, z3=Z3({}).program()))
    sick.chmod(sick.stat().st_mode | stat.S_IXUSR)
    result = gainsay(
        "tailor", "run", "code", "--analyzer", f"z3?bin={sick}", "--limit", "1s", "--memory", "200M", "--i-dom", "0",
        "--i-set", "16",
        "--functions", "0", "--no-ladder", "--seed", "4", "--json",
    )  # fmt: skip
    assert result.code == 0, result.err
    assert result.json["failed"] >= 2 and result.json["files"][0]["proved"] == 5
    statuses = {
        json.loads(line)["outcome"]["status"]
        for line in (tmp_path / "gainsay-tailor-out" / "runs.jsonl").read_text().splitlines()
    }
    assert {"crash", "memory", "hang", "ok"} <= statuses, statuses


def test_if_every_recipe_times_out_the_default_is_returned_and_that_is_said(gainsay, code):
    result = gainsay(*RUN[:4], "z3", "--limit", "1ms", "--iterations", "6")
    assert result.code == 0 and "no recipe finished within the limit: this is the analyzer's default" in result.out
    shown = gainsay("tailor", "show", "tailor.json")
    assert "ingredient 1: default" in shown.out and "note: no recipe finished" in shown.out


def test_what_one_recipe_proves_and_another_refutes_is_reported_as_a_bug_of_the_analyzer(gainsay, code, tmp_path):
    liar = tmp_path / "liar"
    liar.write_text(
        f"#!{sys.executable}\nimport subprocess, sys\n"
        f"out = subprocess.run([{Z3({}).program()!r}, *sys.argv[1:]], capture_output=True, text=True).stdout\n"
        "text = open(sys.argv[-1]).read() if sys.argv[-1].endswith('.smt2') else ''\n"
        "print(out.replace('unsat', 'sat', 1) if 'then simplify smt' in text else out, end='')\n"
    )
    liar.chmod(liar.stat().st_mode | stat.S_IXUSR)
    result = gainsay(
        "tailor",
        "run",
        "code",
        "--analyzer",
        f"z3?bin={liar}",
        "--limit",
        "1s",
        "--i-dom",
        "8",
        "--i-set",
        "0",
        "--functions",
        "0",
    )
    assert result.code == 1, result.out
    assert "refuted by [smt" in result.out and "One of the two is a bug of the analyzer." in result.out


# --- bench ---


def test_bench_writes_tables_and_plots(gainsay, code, tmp_path):
    (code / "cubes.smt2").unlink()
    versions = tmp_path / "versions" / "one"
    for number in ("1.0", "1.2", "1.10"):
        (versions / number).mkdir(parents=True)
        (versions / number / "a.smt2").write_text(TEXTS["two.smt2"] + f"(assert (= {number} 0.5))")
    limits = ("--limit", "300ms", "--limit", "600ms", "--iterations", "4")
    result = gainsay("tailor", "bench", "code", "--analyzer", "z3", *limits, "--versions", "versions")
    assert result.code == 0, result.err
    folder = tmp_path / "gainsay-tailor-out" / "bench"
    text = (folder / "report.md").read_text()
    figures = [f"5.{number}" for number in range(4, 11)]
    for part in ("RQ1", "RQ3", "guard", "most precise", *(f"Figure {name}" for name in figures)):
        assert part in text, part
    for name in figures:
        assert (folder / f"figure-{name}.svg").read_text().startswith("<svg")
    rows = json.loads((folder / "results.json").read_text())
    assert [row["version"] for row in rows["rq4"]] == ["1.2", "1.10"]
    searched = {"default", "most precise", "rs", "dars", "sa", "hc", "tpe", "tailor", "dars 8", "rlimit 200000"}
    assert {t["way"] for t in rows["rq1"]} >= searched


# --- wrong moves ---


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (("run", "code", "--analyzer", "z3", "--limit", "0"), ("--limit 0", "positive")),
        (("run", "code", "--analyzer", "z4", "--limit", "1s"), ("no analyzer 'z4'", "z3")),
        (("run", "absent.c", "--analyzer", "z3", "--limit", "1s"), ("no file absent.c",)),
        (
            ("run", "code", "--analyzer", "z3", "--iterations", "40", "--i-dom", "5", "--i-set", "11"),
            ("--iterations 40", "= 41"),
        ),
        (("run", "code", "--analyzer", "z3", "--iterations", "0"), ("--iterations 0",)),
        (("run", "code", "--analyzer", "z3", "--algorithm", "dar"), ("dars",)),
        (("run", "code", "--analyzer", "z3", "--p-gt", "0.9"), ("more than 1 together",)),
        (("run", "code", "--analyzer", "z3", "--p-add", "2"), ("from 0 to 1",)),
        (("run", "code", "--analyzer", "z3@4.8", "--limit", "1s"), ("installed one",)),
        (("run", "code", "--analyzer", "z3?bim=x", "--limit", "1s"), ("no option 'bim'", "bin")),
        (("run", "code", "--analyzer", "z3", "--memory", "1K"), ("--memory",)),
        (("run", "empty", "--analyzer", "z3"), ("no .smt2 file",)),
        (("run", "nothing.smt2", "--analyzer", "z3"), ("nothing to prove",)),
        (("run", "broken.smt2", "--analyzer", "z3"), ("not SMT-LIB", "line 1")),
        (("run", "code", "--analyzer", "z3", "--output", "empty"), ("no such place",)),
        (("run", "code", "--analyzer", "z3", "--output", "absent/t.json"), ("no such place",)),
        (("run", "code", "--analyzer", "z3", "--limit", "9" * 30 + "h"), ("or less",)),
        (("run", "code", "--analyzer", "z3", "--memory", "2000T"), ("no machine",)),
        (("run", "deep.smt2", "--analyzer", "z3"), ("deeper than",)),
        (("run", "code", "--analyzer", "z3?bin=./nothing.smt2"), ("nothing.smt2",)),
        (("bench", "code", "--analyzer", "z3", "--versions", "absent"), ("no folder absent",)),
        (("show", "absent.json"), ("no recipe file",)),
        (("show", "nothing.smt2"), ("not a recipe file",)),
        (("bench", "absent", "--analyzer", "z3"), ("no folder absent",)),
        (("bench", "code", "--analyzer", "z3", "--only", "rq5"), ("rq5",)),
        (("bench", "code", "--analyzer", "z3", "--only", "rq4"), ("--versions",)),
    ],
)
def test_a_wrong_move_gets_one_line_with_the_remedy(gainsay, code, tmp_path, arguments, parts):
    (tmp_path / "empty").mkdir()
    (tmp_path / "nothing.smt2").write_text("(declare-const x Int)")
    (tmp_path / "broken.smt2").write_text("(declare-const x")
    (tmp_path / "deep.smt2").write_text("(push 99999999999) (check-sat)")
    refused(gainsay("tailor", *arguments), *parts)
    assert not (tmp_path / "tailor.json").exists()


def test_an_analyzer_that_is_not_installed_is_named_with_what_to_install(gainsay, tmp_path):
    (tmp_path / "x.c").write_text("int main(void) { return 0; }")
    done = subprocess.run(
        [sys.executable, "-m", "gainsay.cli.main", "tailor", "run", "x.c", "--analyzer", "eva", "--limit", "1s"],
        cwd=tmp_path, env={**os.environ, "PATH": str(tmp_path)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 2 and "apt-get install frama-c-base" in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "gainsay-tailor-out").exists()


def changed(path: Path, change) -> None:
    book = json.loads(path.read_text())
    change(book)
    path.write_text(json.dumps(book))


def ingredient(book):
    return book["files"]["code"]["limits"][0]["recipe"][0]


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda b: ingredient(b).update(settings=[["effort", "1) (include evil"]]), "effort can't be"),
        (lambda b: ingredient(b)["settings"].append(["regular-output-channel", "evil"]), "no setting"),
        (lambda b: ingredient(b).update(domain="(then skip)"), "no domain"),
        (lambda b: b["options"].update(bin="./evil"), "may not"),
        (lambda b: b["options"].update(load="evil"), "no option"),
        (lambda b: b.update(analyzer="os"), "no analyzer"),
        (lambda b: b.update(script="evil"), "not a recipe file"),
        (lambda b: b.update(format=99), "format 99"),
        (lambda b: b["files"]["code"]["limits"][0].update(recipe=[]), "no ingredient"),
        (lambda b: b["files"]["code"].update(limits=[]), "no recipe"),
        (lambda b: b.update(algorithm="foo"), "can't be"),
        (lambda b: ingredient(b)["settings"].extend([["phase", "0"], ["phase", "3"]]), "twice"),
        (lambda b: b["files"]["code"]["limits"][0].update(limit_s=-1), "can't be"),
    ],
)
def test_a_recipe_file_is_not_trusted(gainsay, quick_book, tmp_path, change, part):
    (tmp_path / "evil").write_text("#!/bin/sh\ntouch ran\n")
    (tmp_path / "evil").chmod(0o755)
    changed(quick_book, change)
    for command in (("check", "tailor.json", "code"), ("show", "tailor.json")):
        refused(gainsay("tailor", *command), part)
    assert not (tmp_path / "ran").exists()


def test_recipes_of_another_version_are_not_checked_unasked(gainsay, quick_book):
    changed(quick_book, lambda book: book.update(version="4.8.7"))
    refused(gainsay("tailor", "check", "tailor.json", "code"), "made with z3 4.8.7", "--any-version")
    assert gainsay("tailor", "check", "tailor.json", "code", "--any-version").code == 0


def test_a_file_without_a_recipe_is_named(gainsay, quick_book, tmp_path):
    (tmp_path / "other.smt2").write_text(TEXTS["easy.smt2"])
    refused(gainsay("tailor", "check", "tailor.json", "other.smt2"), "no recipe for other.smt2", "code")
    refused(gainsay("tailor", "check", "tailor.json", "code", "--limit", "7s"), "7s")

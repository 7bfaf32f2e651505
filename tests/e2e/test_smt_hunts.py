"""The installed command on SMT solvers, as a user or a script runs it."""

import json
import subprocess
import sys

import pytest

from gainsay.core import registry
from summary_keys import KEYS

Z3 = registry.engine("z3")
FINDING = {"id", "engine", "version", "oracle", "kind", "status", "count", "signature", "path"}
GOOD = (
    "(set-logic QF_LIA)(declare-fun x () Int)(declare-fun y () Int)(assert (and (< x y) (or (= x 3) (> y "
    "7))))(check-sat)"
)
TYPO = "(set-logic QF_LIA)(declare-fun x () Int)(assert (< x yy))(check-sat)"
EMPTY = "(set-logic QF_LIA)(declare-fun x () Int)(check-sat)"
OPEN = "(set-logic QF_LIA)(declare-fun x () Int)(assert (< x 1)"
# A solver that is z3 but for one thing: it refutes what shifts a word to the left, one script at a time.
LIAR = """#!{python}
import subprocess, sys
if "--version" in sys.argv:
    print("liar 1.2.3")
    sys.exit(0)
real = subprocess.Popen([{z3!r}, "-in"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
seen = False
for line in sys.stdin:
    if line.startswith("(reset)"):
        seen = False
    seen = seen or "bvshl" in line
    real.stdin.write(line)
    if line.startswith("(echo"):
        real.stdin.flush()
        mark = line.split('"')[1]
        while True:
            said = real.stdout.readline()
            if not said or said.strip().strip('"') == mark:
                sys.stdout.write(said)
                break
            sys.stdout.write("unsat\\n" if said == "sat\\n" and seen else said)
        sys.stdout.flush()
real.stdin.close()
for said in real.stdout:  # what was asked without a mark: by a script that runs the program once
    sys.stdout.write("unsat\\n" if said == "sat\\n" and seen else said)
"""


def one_line(result, part):
    assert result.code == 2, result.out + result.err
    assert "Traceback" not in result.err
    lines = result.err.strip().splitlines()
    assert part in lines[-1], lines
    return lines


# --- hunts ---


def test_a_hunt_on_z3_ends_with_its_json(gainsay):
    result = gainsay(
        "hunt",
        "z3",
        "--checks",
        "600",
        "--seed",
        "1",
        "--set",
        "smt.logics=QF_BV,QF_LIA,QF_LRA,QF_UF,QF_DT",
        "--out",
        "o",
        "--json",
    )
    summary = result.json
    assert result.code == (1 if any(f["status"] == "confirmed" for f in summary["findings"]) else 0), result.err
    assert summary.keys() >= KEYS
    assert (summary["seed"], summary["targets"]) == (1, ["z3"])
    assert set(summary["oracles"]) >= {"storm", "terms", "model", "unsat-by-construction", "consistency"}
    assert summary["checks"] >= 600 and summary["valid"] > 0.95 and summary["nonempty"] > 0.8
    assert [f for f in summary["findings"] if f["kind"] == "logic"] == []
    assert not (result.code and not summary["findings"])


def test_the_same_seed_asks_the_same(gainsay):
    arguments = ("--oracle", "terms", "--checks", "120", "--seed", "5", "--json", "--set", "smt.logics=QF_BV")
    one, two = (gainsay("hunt", "yices", *arguments, "--out", out).json for out in ("one", "two"))
    assert [one[k] for k in ("checks", "asks", "valid", "nonempty", "raw")] == [
        two[k] for k in ("checks", "asks", "valid", "nonempty", "raw")
    ]


def test_two_solvers_are_compared(gainsay):
    result = gainsay(
        "hunt",
        "z3",
        "yices",
        "--oracle",
        "differential",
        "--checks",
        "100",
        "--seed",
        "2",
        "--set",
        "smt.logics=QF_BV,QF_LIA",
        "--json",
    )
    assert result.code == 0, result.out + result.err
    assert result.json["asks"] >= 200 and result.json["valid"] > 0.95


def test_any_program_that_reads_smtlib_is_hunted_on(gainsay):
    result = gainsay(
        "hunt", f"smtlib?cmd={Z3.binary()} -in", "--checks", "60", "--seed", "1", "--set", "smt.logics=QF_BV", "--json"
    )
    assert result.code == 0, result.out + result.err
    assert result.json["checks"] >= 60 and result.json["valid"] > 0.95


# --- a finding from end to end ---


@pytest.fixture(scope="module")
def lied(tmp_path_factory):
    """A hunt on a solver that lies: its folder and its summary."""
    folder = tmp_path_factory.mktemp("lied")
    liar = folder / "liar"
    liar.write_text(LIAR.format(python=sys.executable, z3=Z3.binary()))
    liar.chmod(0o755)
    # fmt: off
    command = [sys.executable, "-m", "gainsay.cli.main", "hunt", f"smtlib?cmd={liar}", "--oracle", "storm", "--oracle",
    "terms", "--checks", "120", "--seed", "1",
               "--set", "smt.logics=QF_BV", "--set", "storm.mode=one-shot", "--set", "storm.a_max=6", "--out", "o",
               "--json"]
    # fmt: on
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    return folder, json.loads(done.stdout.strip().splitlines()[-1])


def test_a_liar_is_found_and_its_finding_reduced(lied):
    folder, summary = lied
    logic = [f for f in summary["findings"] if f["kind"] == "logic" and f["status"] == "confirmed"]
    assert logic
    for finding in logic:
        assert finding.keys() >= FINDING
        assert (finding["engine"], finding["version"]) == ("smtlib", "1.2.3")
        assert {"finding.json", "report.md", "repro.py", "repro.smt2"} <= {
            p.name for p in (folder / finding["path"]).iterdir()
        }
        script = (folder / finding["path"] / "repro.smt2").read_text()
        lines = [line for line in script.splitlines() if line and not line.startswith(";")]
        assert "bvshl" in script and len(lines) <= 8, script


def test_a_reproducer_stands_alone_and_shows_the_bug(lied):
    folder, summary = lied
    for finding in summary["findings"]:
        script = folder / finding["path"] / "repro.py"
        done = subprocess.run(
            [sys.executable, "-I", str(script)], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 1 and "BUG:" in done.stdout, done.stdout + done.stderr


def test_a_reproducer_of_a_solver_that_was_mended_says_so(lied, tmp_path):
    folder, summary = lied
    text = (folder / summary["findings"][0]["path"] / "repro.py").read_text()
    script = tmp_path / "repro.py"
    script.write_text(text.replace(str(folder / "liar"), f"{Z3.binary()} -in"))
    done = subprocess.run([sys.executable, "-I", str(script)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0 and "No bug here." in done.stdout, done.stdout + done.stderr


def test_a_finding_is_shown_and_replayed(lied, gainsay):
    folder, summary = lied
    ident = summary["findings"][0]["id"]
    shown = gainsay("show", ident, "--out", "o", cwd=folder)
    assert shown.code == 0 and "(check-sat)" in shown.out and "bvshl" in shown.out, shown.err
    again = gainsay("replay", ident, "--out", "o", cwd=folder)
    assert again.code == 1, again.out + again.err
    elsewhere = gainsay("replay", ident, "--on", "z3", "--out", "o", cwd=folder)
    assert elsewhere.code == 0 and "Traceback" not in elsewhere.err, elsewhere.out + elsewhere.err


def test_the_report_says_why_it_is_wrong(lied):
    folder, summary = lied
    report = (folder / summary["findings"][0]["path"] / "report.md").read_text()
    assert "so the instance is satisfiable" in report
    assert "Every assertion is true in the model" in report


# --- seeds ---


@pytest.fixture
def folder(tmp_path):
    def made(**files):
        (tmp_path / "seeds").mkdir(exist_ok=True)
        for name, text in files.items():
            (tmp_path / "seeds" / f"{name}.smt2").write_text(text)
        return "seeds"

    return made


def test_a_seed_that_can_not_be_used_is_named_and_the_rest_goes_on(gainsay, folder):
    seeds = folder(good=GOOD, typo=TYPO, empty=EMPTY, open=OPEN)
    result = gainsay("hunt", "z3", "--seeds", seeds, "--oracle", "storm", "--checks", "60", "--seed", "1", "--json")
    assert result.code == 0, result.err
    assert "1 of 4 seeds are used." in result.err
    for name in ("typo", "empty", "open"):
        assert f"seed {name}.smt2 is skipped: " in result.err
    assert "it has no assert" in result.err and "good.smt2" not in result.err
    assert result.json["checks"] >= 60 and result.json["valid"] > 0.95


def test_no_seed_that_can_be_used_ends_the_hunt(gainsay, folder):
    lines = one_line(gainsay("hunt", "z3", "--seeds", folder(typo=TYPO), "--checks", "10"), "None of the seeds")
    assert any("typo.smt2" in line for line in lines)


@pytest.mark.parametrize(
    ("arguments", "part"), [(["--seeds", "seeds"], "no .smt2 file"), (["--seeds", "nowhere"], "no such folder")]
)
def test_a_wrong_folder_of_seeds_gets_one_line_and_the_remedy(gainsay, folder, tmp_path, arguments, part):
    folder()
    one_line(gainsay("hunt", "z3", *arguments, "--checks", "10"), part)
    assert not (tmp_path / "gainsay-out").exists(), "nothing is left behind"


# --- wrong moves ---


@pytest.mark.parametrize(
    ("setting", "part"),
    [
        ("storm.a_max=0", "from 1 to"), ("storm.nc=-1", "from 1 to"), ("storm.d_max=x", "from 1 to"),
        ("storm.tactics=2", "from 0 to 1"),
        ("storm.mode=residant", "resident"), ("smt.logics=QF_XX", "no logic 'QF_XX'"), ("smt.fuel=99", "from 1 to"),
        ("smt.fule=3", "Did you mean fuel"),
        ("strom.nc=3", "Did you mean storm"), ("terms.nc=3", "no parameter"),
    ],
)  # fmt: skip
def test_a_bad_setting_gets_one_line_and_the_remedy(gainsay, tmp_path, setting, part):
    one_line(gainsay("hunt", "yices", "--set", setting, "--checks", "10"), part)
    assert not (tmp_path / "gainsay-out").exists(), "nothing is left behind"


@pytest.mark.parametrize(
    ("target", "part"),
    [
        ("smtlib?cmd=/nonexistent", "not a program that can be run"),
        ("smtlib?cmd=cat&time=0.1", "known answer"),
        ("smtlib?cmd=true", "known answer"),
        ("smtlib", "no command was given"),
        ("smtlib?cdm=x", "Did you mean cmd"),
        ("z3:nosuchconfig", "no configuration 'nosuchconfig'"),
    ],
)
def test_a_target_that_is_no_solver_gets_one_line_and_the_remedy(gainsay, tmp_path, target, part):
    one_line(gainsay("hunt", target, "--checks", "10"), part)
    assert not (tmp_path / "gainsay-out").exists(), "nothing is left behind"


def test_a_solver_that_takes_no_logic_that_is_wanted_is_told_so(gainsay):
    one_line(
        gainsay("hunt", "bitwuzla", "--set", "smt.logics=QF_LIA", "--checks", "10"),
        "do not share any of the logics QF_LIA",
    )


def test_the_oracles_are_listed(gainsay):
    names = json.dumps(json.loads(gainsay("oracles", "--json").out))
    assert all(
        f'"{name}"' in names
        for name in ("storm", "terms", "model", "unsat-by-construction", "consistency", "differential")
    )

"""The shell of action.yml, run as a runner does: what CI gets of a build with a bug, and where the bug is known."""

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

HERE = Path(__file__).parent
ACTION = yaml.safe_load((HERE.parents[1] / "action.yml").read_text())
HUNT = next(step for step in ACTION["runs"]["steps"] if step.get("id") == "hunt")
INPUTS = dict.fromkeys(HUNT["env"], "")
TARGET = "faulty?on=GLOB&how=internal"


@pytest.fixture
def run(plugin, tmp_path):
    """The hunt of the action with these inputs, with `faulty` installed: exit code, and what the runner is told."""
    own = plugin("faulty", (HERE / "faulty.py").read_text(), "gainsay.engines", "faulty", "faulty:Faulty")
    home = tmp_path / "checkout"
    home.mkdir()

    def run(**inputs):
        told = {name: str(tmp_path / name) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for path in told.values():
            Path(path).write_text("")
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", HUNT["run"]], cwd=home, check=False,
            env={**os.environ, **own, **told, "PATH": path, **INPUTS, **inputs}, capture_output=True, text=True,
        )  # fmt: skip
        return done, {name: Path(path).read_text() for name, path in told.items()}, home

    return run


def test_every_input_is_handed_to_a_step():
    used = {value for step in ACTION["runs"]["steps"] for value in step.get("env", {}).values()}
    assert used == {f"${{{{ inputs.{name} }}}}" for name in ACTION["inputs"]}


def test_a_build_with_a_bug_fails_the_job_and_leaves_its_reports(run):
    few = "--seed 2 --oracle norec --workers 1 --set sql.mix=small"
    given = {"TARGET": TARGET, "BASE": "sqlite", "TIME": "3s", "ARGUMENTS": few}
    done, told, home = run(**given)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "page=gainsay.html" in told["GITHUB_OUTPUT"] and "broken invariant" in told["GITHUB_STEP_SUMMARY"]
    assert "broken invariant" in (home / "gainsay.html").read_text()
    assert int(ElementTree.parse(home / "gainsay.xml").getroot().get("failures")) >= 1
    assert (home / "gainsay.sarif").stat().st_size > 500
    # The same bug, known
    subprocess.run([sys.executable, "-m", "gainsay.cli.main", "baseline", "./gainsay-hunt"], cwd=home, check=True)
    (home / "gainsay-hunt").rename(home / "corpus")
    done, told, home = run(**given, BASELINE="gainsay-baseline.json")
    assert done.returncode == 0, done.stdout + done.stderr
    # ... and as one of the corpus, which must not be there
    done, told, home = run(**given, BASELINE="gainsay-baseline.json", CORPUS="corpus/findings")
    assert done.returncode == 1, done.stdout + done.stderr
    assert int(ElementTree.parse(home / "gainsay-regress.xml").getroot().get("failures")) == 1

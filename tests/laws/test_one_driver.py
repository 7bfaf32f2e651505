"""Conversations are held by core/talk, and by the hot loop that another law ties to it: by nobody's own `next` and
`send`."""

import ast
from pathlib import Path

import gainsay

SOURCE = Path(gainsay.__file__).parent
HOT = SOURCE / "campaign" / "episode.py"  # tests/laws/test_laws.py compares it with core/talk
DRIVERS = {"held", "opening", "Talk"}
FOLDERS = (SOURCE, Path(__file__).parents[1], SOURCE.parents[1] / "tools")


def by_hand(tree: ast.AST) -> list[int]:
    """The lines on which a conversation is begun and not handed to a driver."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    handed = {id(word) for call in calls if name_of(call) in DRIVERS for word in call.args}
    return [call.lineno for call in calls if name_of(call) == "converse" and id(call) not in handed]


def name_of(call: ast.Call) -> str:
    """What is called, without where it stands."""
    return ast.unparse(call.func).rpartition(".")[2]


def test_every_conversation_is_held_by_the_driver():
    read = [path for folder in FOLDERS for path in sorted(folder.rglob("*.py")) if path != HOT]
    assert len(read) > 500
    found = {str(path): by_hand(ast.parse(path.read_text("utf-8"))) for path in read}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_the_law_sees_a_driver_of_ones_own():
    assert by_hand(ast.parse("held(oracle.converse(a), ask)\nwords = oracle.converse(a)\nnext(words)")) == [2]

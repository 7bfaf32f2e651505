"""A port says of each of its hooks what it is: who fills one in reads nothing else."""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

import gainsay
from gainsay.core import registry
from gainsay.core.engine import Session
from gainsay.core.family import Dialect
from gainsay.core.oracle import Recipe
from gainsay.core.tree import Node

PORTS = [*registry.PORTS.values(), Session, Dialect, Recipe]
WITH_BASES = {base for port in PORTS for base in port.__mro__ if base.__module__.startswith("gainsay.core")}


def untold(kind: type) -> Iterator[str]:
    """The public names in a class body without a docstring, a comment on their line, or one right above."""
    text = textwrap.dedent(inspect.getsource(kind))
    lines = text.split("\n")
    for node in ast.parse(text).body[0].body:
        if isinstance(node, ast.FunctionDef):
            name, is_told = node.name, bool(ast.get_docstring(node))
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            name = (node.targets[0] if isinstance(node, ast.Assign) else node.target).id
            behind = lines[node.end_lineno - 1].encode()[node.end_col_offset :].decode()
            is_told = behind.strip().startswith("#") or lines[node.lineno - 2].strip().startswith("#")
            is_told = is_told or f"`{name}`" in (ast.get_docstring(ast.parse(text).body[0]) or "")
        else:
            continue
        if not name.startswith("_") and not is_told:
            yield name


@pytest.mark.parametrize("kind", sorted(WITH_BASES, key=lambda kind: kind.__name__))
def test_every_public_hook_says_what_it_is(kind):
    assert list(untold(kind)) == [], f"{kind.__module__}.{kind.__name__}: a docstring or a comment, please"


def test_the_law_looks_at_every_port_and_sees_what_lacks_words():
    class Port:
        """`told` stands here."""

        told = 1
        plain = 1  # a comment
        # above it
        other = 2
        bare = 3

        def run(self):
            return 1

    assert {*PORTS, Node} <= WITH_BASES and len(WITH_BASES) >= 10
    assert list(untold(Port)) == ["bare", "run"]


ROOT = Path(gainsay.__file__).parent
NAMES = ("family", "oracle", "engine", "dialect", "analyzer")


def untyped(text: str) -> list[int]:
    """The lines on which a plugin is handed over, or given back, as anything."""
    loose = rf"\b({'|'.join(NAMES)}): Any\b|def ({'|'.join(NAMES)})\(.*\) -> Any:"
    return [n for n, line in enumerate(text.split("\n"), 1) if re.search(loose, line)]


def test_a_plugin_is_handed_on_as_its_port():
    read = {path: path.read_text("utf-8") for path in sorted(ROOT.rglob("*.py"))}
    assert len(read) > 300
    assert [(str(path.relative_to(ROOT)), n) for path, text in read.items() for n in untyped(text)] == []


def test_the_law_sees_a_plugin_that_is_anything():
    assert untyped("def oracle(check) -> Any:\n    pass\n\ndef f(family: Any): pass\n") == [1, 4]

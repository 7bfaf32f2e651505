"""The code stays readable at a glance: what can be measured of that is."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import gainsay

ROOT = Path(gainsay.__file__).parent
LONGEST = 50  # lines of a function
WIDEST = 120  # characters of a line
COMPLEX = 15  # branches of a function, as ruff counts them
PLAIN = 10  # lines of a function that may go without a docstring
REASONS: dict[str, str] = {}  # "path: function" -> why it is more complex than that
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Defined(NamedTuple):
    """A class or function in a file, by its qualified name."""

    path: str
    name: str
    node: Function | ast.ClassDef
    is_public: bool

    def __str__(self) -> str:
        return f"{self.path}: {self.name}"

    @property
    def lines(self) -> int:
        return (self.node.end_lineno or 0) - self.node.lineno + 1

    @property
    def is_told(self) -> bool:
        """Whether there is a docstring: its own or, where a port has the same method, the port's."""
        if ast.get_docstring(self.node):
            return True
        if isinstance(self.node, ast.ClassDef) or "." not in self.name:
            return False
        module = importlib.import_module(f"gainsay.{self.path.removesuffix('.py').replace('/', '.')}")
        owner, _, method = self.name.rpartition(".")
        found = module
        for part in owner.split("."):
            found = getattr(found, part)
        return any(inspect.getdoc(vars(base).get(method)) for base in found.__mro__[1:] if method in vars(base))


def files() -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for path in ROOT.rglob("*.py") if "templates" not in path.parts)


def defined(path: str) -> Iterator[Defined]:
    yield from within(ast.parse((ROOT / path).read_text("utf-8")), path, "", is_public=True)


def within(parent: ast.AST, path: str, prefix: str, is_public: bool) -> Iterator[Defined]:
    """What is defined below a node. What a function defines for itself is nobody else's."""
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, Function | ast.ClassDef):
            is_seen = is_public and not node.name.startswith("_")
            yield Defined(path, f"{prefix}{node.name}", node, is_seen)
            yield from within(node, path, f"{prefix}{node.name}.", is_seen and isinstance(node, ast.ClassDef))
        else:
            yield from within(node, path, prefix, is_public)


def beside() -> list[str]:
    """The tests and the tools."""
    above = ROOT.parents[1]
    return sorted(str(path) for folder in ("tests", "tools") for path in (above / folder).rglob("*.py"))


def test_no_line_is_too_wide():
    """ruff says so of most, but lets comments pass that are for a tool."""
    read = {path: (ROOT / path).read_text("utf-8") for path in (*files(), *beside())}
    lines = [(path, n, line) for path, text in read.items() for n, line in enumerate(text.split("\n"))]
    assert len(lines) > 70_000
    assert [(path, n + 1) for path, n, line in lines if len(line) > WIDEST] == []


@pytest.mark.parametrize("path", files() + beside())
def test_no_function_is_longer_than_a_screen(path):
    assert [str(d) for d in defined(path) if isinstance(d.node, Function) and d.lines > LONGEST] == []


@pytest.mark.parametrize("path", files())
def test_every_public_class_and_longer_function_says_what_it_is_for(path):
    wanted = [d for d in defined(path) if d.is_public and (isinstance(d.node, ast.ClassDef) or d.lines > PLAIN)]
    assert [str(d) for d in wanted if not d.is_told] == []


def test_no_function_is_too_complex_without_a_reason():
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "C901", "--output-format", "json"]
    limit = ["--config", f"lint.mccabe.max-complexity={COMPLEX}"]
    told = subprocess.run([*command, *limit, str(ROOT)], capture_output=True, text=True, check=False)
    found = [f"{Path(f['filename']).relative_to(ROOT)}: {f['message'].split('`')[1]}" for f in json.loads(told.stdout)]
    assert sorted(found) == sorted(REASONS)

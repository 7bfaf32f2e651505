"""Generic code knows no family and no engine by name: what differs between them is a hook of their ports."""

import ast
from collections.abc import Iterator
from pathlib import Path

import gainsay
from gainsay.core import registry

ROOT = Path(gainsay.__file__).parent
GENERIC = ("core", "campaign", "triage", "report", "testing")
TABLES = ("core/registry.py",)  # where the names of plugins belong
ENGINES = frozenset(registry.BUILT_IN["gainsay.engines"])
FAMILIES = frozenset(registry.BUILT_IN["gainsay.families"])


def nodes(*packages: str) -> Iterator[tuple[str, ast.AST]]:
    """All syntax of some packages, with the file it stands in."""
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = str(path.relative_to(ROOT))
            if name not in TABLES:
                yield from ((name, node) for node in ast.walk(ast.parse(path.read_text("utf-8"))))


def is_one_of(names: frozenset[str], node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value in names


def test_generic_code_names_no_family_and_no_engine():
    found = [(name, n.lineno, n.value) for name, n in nodes(*GENERIC) if is_one_of(ENGINES | FAMILIES, n)]
    assert found == []


def test_the_command_line_compares_nothing_with_the_name_of_an_engine():
    compared = [(name, n) for name, n in nodes("cli") if isinstance(n, ast.Compare)]
    assert [(name, n.lineno) for name, n in compared if any(is_one_of(ENGINES, p) for p in ast.walk(n))] == []


def test_the_law_sees_a_comparison_where_there_is_one():
    assert any(is_one_of(ENGINES, n) for n in ast.walk(ast.parse("engine == 'sqlite'")))
    assert len(list(nodes(*GENERIC))) > 10_000

"""Generic code knows no family and no engine by name: what differs between them is a hook of their ports."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import gainsay
from gainsay.core import registry

ROOT = Path(gainsay.__file__).parent
GENERIC = ("core", "campaign", "triage", "report", "testing")
TABLES = ("core/registry.py",)  # where the names of plugins belong
ENGINES = frozenset(registry.BUILT_IN["gainsay.engines"])
FAMILIES = frozenset(registry.BUILT_IN["gainsay.families"])
ORACLES = frozenset(name.rpartition("/")[2] for name in registry.BUILT_IN["gainsay.oracles"]) - {"model"}  # a word
# Words of one family's language. A docstring may tell of them; what code says and compares may not.
FOREIGN = re.compile(
    r"\b(?:un)?sat\b|\b(?:check-sat|declare-fun|define-fun|get-model|get-value)\b|\((?:set-|assert\b|push\b|pop\b)|:-"
    r"|\b(?:SELECT|FROM|WHERE|INSERT|UPDATE|DELETE|CREATE|DROP|JOIN|UNION|PRAGMA|MATCH|MERGE|RETURN|UNWIND)\b"
)
# Labels of oracles' steps that are words of generic code as well
COMMON = frozenset({
    "before",  # keys of an interval
    "core",  # a core of the processor
    "statement",  # the label of what makes a scene, in campaign/conversation
})  # fmt: skip


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


def told_by_code(tree: ast.AST) -> Iterator[ast.Constant]:
    """The texts in code that are no docstrings."""
    above = (ast.Module, ast.ClassDef, ast.FunctionDef)
    told = [n.body[0] for n in ast.walk(tree) if isinstance(n, above) and n.body]
    docs = {id(first.value) for first in told if isinstance(first, ast.Expr)}
    found = (n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str))
    return (n for n in found if id(n) not in docs)


def texts(*packages: str) -> Iterator[tuple[str, ast.Constant]]:
    """The same of some packages, with the file it stands in."""
    modules = ((name, node) for name, node in nodes(*packages) if isinstance(node, ast.Module))
    return ((name, told) for name, tree in modules for told in told_by_code(tree))


def labels() -> set[str]:
    """What our oracles call their steps."""
    calls = (n for _, n in nodes("oracles") if isinstance(n, ast.Call) and isinstance(n.func, ast.Name))
    named = (n.args[0] for n in calls if n.func.id == "Step" and n.args)
    return {label.value for label in named if isinstance(label, ast.Constant)}


def test_generic_code_says_no_word_of_a_familys_language():
    listed = list(texts(*GENERIC))
    assert len(listed) > 2_000
    assert [(name, n.lineno, n.value[:60]) for name, n in listed if FOREIGN.search(n.value)] == []


def test_generic_code_knows_no_oracles_steps():
    own = labels() - COMMON
    assert {"original", "rewritten", "optimized", "instance"} <= own
    assert [(name, n.lineno, n.value) for name, n in texts(*GENERIC) if n.value in own] == []


def test_the_command_line_compares_nothing_with_the_name_of_an_engine_or_an_oracle():
    compared = [(name, n) for name, n in nodes("cli", *GENERIC) if isinstance(n, ast.Compare)]
    named = ENGINES | ORACLES
    assert [(name, n.lineno) for name, n in compared if any(is_one_of(named, p) for p in ast.walk(n))] == []


def test_the_law_sees_a_comparison_where_there_is_one():
    assert any(is_one_of(ENGINES, n) for n in ast.walk(ast.parse("engine == 'sqlite'")))
    assert len(list(nodes(*GENERIC))) > 10_000
    told = ast.parse('def f():\n    """SELECT, sat."""\n    return "sat", f"{x} WHERE", "(set-logic A)", "saturday"')
    assert [n.value for n in told_by_code(told) if FOREIGN.search(n.value)] == ["sat", "(set-logic A)", " WHERE"]

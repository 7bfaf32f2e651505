"""Every family has the same plan, and ARCHITECTURE.md tells it as it is."""

import ast
import re
from pathlib import Path

import pytest

import gainsay
from gainsay.core import registry

SOURCE = Path(gainsay.__file__).parent
PAGE = SOURCE.parents[1] / "ARCHITECTURE.md"
FOLDERS = ("language", "meaning", "drawing", "reducing")
FAMILIES = sorted(p.name for p in (SOURCE / "families").iterdir() if (p / "family.py").exists())


def modules(folder):
    return {p.stem for p in folder.glob("*.py")} - {"__init__"}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_has_a_front_door_a_probe_and_the_four_folders(family):
    home = SOURCE / "families" / family
    assert modules(home) == {"family", "probe"}
    assert {p.name for p in home.iterdir() if p.is_dir()} - {"__pycache__"} == set(FOLDERS)
    for folder, needed in zip(
        FOLDERS, ({"ir", "ops"}, {"types", "legal"}, {"lexicon"}, {"shrink", "size"}), strict=True
    ):
        lacking = needed - modules(home / folder)
        assert lacking <= ({"types"} if family == "datalog" else set()), lacking  # there `legal` has them


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_page_names_every_module_of_the_plan_and_no_other(folder):
    row = next(line for line in PAGE.read_text().splitlines() if line.startswith(f"| `{folder}/` |"))
    _, _, common, own, _ = row.split("|")
    told = {family: set(re.findall(r"`(\w+)`", common)) for family in FAMILIES}
    for part in own.split(";"):
        names = re.findall(r"`(\w+)`", part)
        for family in (f for f in FAMILIES if f in part.partition("`")[0]):
            told[family].update(names)
    for family in FAMILIES:
        found = modules(SOURCE / "families" / family / folder)
        assert found <= told[family], f"not told: {sorted(found - told[family])}"
        assert not told[family] - found - set(re.findall(r"`(\w+)`", common)), f"told, but not there: {family}"


def test_every_package_is_told():
    page = PAGE.read_text()
    for package in (p.name for p in SOURCE.iterdir() if (p / "__init__.py").exists()):
        assert f"`{package}`" in page, package


# Where a family's dialects are told apart: their tables, what is written, and readers of what others wrote
TOLD_APART = {"dialects", "ops", "parse", "spoken", "syntax"}


def told_apart(node):
    """The texts with which something is compared, by which it is looked up, or that are asked for."""
    if isinstance(node, ast.Compare):
        parts = [node.left, *node.comparators]
    else:
        parts = node.keys if isinstance(node, ast.Dict) else node.args if isinstance(node, ast.Call) else ()
    return {n.value for part in parts if part for n in ast.walk(part) if isinstance(n, ast.Constant)}


@pytest.mark.parametrize("family", FAMILIES)
def test_no_dialect_is_named_but_where_dialects_are_told(family):
    names = {e.dialect for e in map(registry.engine, registry.BUILT_IN["gainsay.engines"]) if e.family == family}
    for module in (SOURCE / "families" / family).rglob("*.py"):
        if not TOLD_APART & {module.stem, module.parent.name}:
            told = set().union(*map(told_apart, ast.walk(ast.parse(module.read_text()))))
            assert not told & names, module.name

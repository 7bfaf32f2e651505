"""The table of sizes counts what it says, on any checkout."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
made = importlib.util.spec_from_file_location("sizes", ROOT / "tools" / "sizes.py")
tool = importlib.util.module_from_spec(made)
made.loader.exec_module(tool)

REGISTRY = """A = {
    "one": "gainsay.engines.one:One",
    "two": "gainsay.engines.one:Two",
    "three": "gainsay.engines.three:Three",
    "sql/four": "gainsay.oracles.four:Four",
}
"""


@pytest.fixture
def checkout(tmp_path):
    home = tmp_path / "src" / "gainsay"
    for name, text in {
        "core/registry.py": REGISTRY,
        "engines/one.py": "x = 1\n" * 10,
        "engines/three.py": "x = 1\n" * 20,
        "engines/base.py": "x = 1\n" * 500,
        "oracles/four.py": "def f():\n" + "    x = 1\n" * 50,
        "families/sql/family.py": "getattr(self.family, 'x')\ngetattr(other, 'x')\n" + f"y = '{'y' * 120}'\n",
        "cli/templates/a.py": "this is no Python",
    }.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    return tmp_path


def test_a_checkout_is_counted(checkout):
    found = tool.counted(checkout)
    assert found["an engine's lines, median"] == "15", "of the files that the registry names, each once"
    assert found["an oracle's lines, median"] == "51"
    assert found["hasattr and getattr"] == "2" and found["... on a plugin's object outside of core"] == "1"
    assert found["functions above 50 lines: src; tests, tools"] == "1; 0"
    assert found["lines above 120: src; tests, tools"] == "1; 0"
    assert found["lines of families/sql (files)"] == "3 (1)"
    assert found["complexity above 15 in src"] == "0"


def test_checkouts_stand_beside_each_other():
    told = tool.table({"old": {"lines": "1"}, "new": {"lines": "2", "more": "3"}})
    assert told.splitlines() == ["|  | old | new |", "| --- | --- | --- |", "| lines | 1 | 2 |", "| more |  | 3 |"]

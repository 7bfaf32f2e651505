"""What two fingerprints of the same seed differ in, and on which engines they are taken."""

import importlib.util
from pathlib import Path

PATH = Path(__file__).parents[2] / "tools" / "fingerprints.py"
made = importlib.util.spec_from_file_location("fingerprints", PATH)
tool = importlib.util.module_from_spec(made)
made.loader.exec_module(tool)

SUMMARY = {
    "checks": 10, "scenes": 1, "asks": 20, "valid": 1.0, "nonempty": 0.5, "undecidable": 0, "raw": 2, "wall_s": 3.0,
    "findings": [{"id": "b", "signature": "two", "count": 1}, {"id": "a", "signature": "one", "count": 1}],
}  # fmt: skip


def test_a_fingerprint_leaves_out_what_a_clock_decides():
    found = tool.printed(SUMMARY)
    assert found == tool.printed({**SUMMARY, "wall_s": 9.0, "findings": SUMMARY["findings"][::-1]})
    assert found["findings"] == ["a: one", "b: two"]


def test_another_count_and_another_finding_are_told():
    one, two = tool.printed(SUMMARY), tool.printed({**SUMMARY, "raw": 3, "findings": SUMMARY["findings"][:1]})
    assert tool.differences(one, one) == []
    assert tool.differences(one, two) == ["raw: 2 / 3", "only in the first: a: one"]
    assert tool.differences(one, {})[0] == "checks: 10 / None"


def test_servers_and_what_is_not_installed_are_left_out():
    listed = [
        {"engine": "here", "installed": "1.2", "options": {}},
        {"engine": "away", "installed": "The package away is not installed", "options": {}},
        {"engine": "server", "installed": "3", "options": {"url": "where it is"}},
    ]
    assert tool.embedded(listed) == ["here"]


def test_a_tree_is_a_checkout_or_a_folder_with_the_package(tmp_path):
    (tmp_path / "src" / "gainsay").mkdir(parents=True)
    assert tool.source(tmp_path) == tool.source(tmp_path / "src") == tmp_path / "src"

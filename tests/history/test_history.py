"""Known past bugs, pinned to releases: hunts find and reduce them, and the releases that fixed them are right."""

import json
from pathlib import Path

import pytest

from gainsay.engines.releases import cache_dir

KNOWN = Path(__file__).parent / "known"


def ladder(version):
    """A release of SQLite that has no wheel."""
    return pytest.mark.skipif(
        not (cache_dir() / "sqlite" / version).exists(), reason="run 'make ladder' first (needs npm and cc)"
    )


@pytest.mark.parametrize(
    ("target", "oracle", "checks", "least"),
    [
        pytest.param("sqlite@3.28.0", "norec", 60_000, 5, marks=ladder("3.28.0")),
        pytest.param("sqlite@3.30.1", "norec", 150_000, 3, marks=ladder("3.30.1")),
        ("sqlite@3.40.0", "norec", 40_000, 1),
        ("duckdb@0.7.1", "tlp", 8_000, 1),
    ],
)
def test_a_hunt_finds_reduced_logic_bugs_that_the_newest_release_does_not_have(
    target, oracle, checks, least, gainsay, tmp_path
):
    result = gainsay("hunt", target, "--oracle", oracle, "--checks", str(checks), "--seed", "3", "--json", timeout=1200)
    logic = [f for f in result.json["findings"] if f["kind"] == "logic" and f["status"] == "confirmed"]
    assert len(logic) >= least, result.json
    newest = "duckdb" if target.startswith("duckdb") else "apsw"
    gone = 0
    for finding in logic:
        setup = json.loads((tmp_path / finding["path"] / "finding.json").read_text())["setup"]
        assert len(setup) <= 8, setup
        gone += gainsay("replay", finding["id"], "--on", newest).code == 0
    assert gone >= least


def test_two_releases_of_duckdb_differ_where_a_bug_was_fixed(gainsay):
    result = gainsay(
        "hunt",
        "duckdb@1.2.2",
        "duckdb",
        "--oracle",
        "differential",
        "--checks",
        "12000",
        "--seed",
        "3",
        "--json",
        timeout=1200,
    )
    assert any(f["kind"] == "logic" and "subquery" in f["signature"] for f in result.json["findings"]), result.json


@pytest.mark.parametrize(("file", "least"), [("sqlite.json", 34), ("duckdb.json", 2)])
def test_known_bugs_are_seen_by_some_oracle(file, least, gainsay):
    if file == "sqlite.json" and not (cache_dir() / "sqlite" / "3.28.0").exists():
        pytest.skip("run 'make ladder' first (needs npm and cc)")
    rows = json.loads(gainsay("bench", "known", str(KNOWN / file), "--json").out)
    seen = [r for r in rows if any(v == "sees it" for v in r["oracles"].values())]
    assert len(seen) >= least

"""Known past bugs of graph engines, pinned to releases that a wheel brings: hunts find them and reduce them to a few
lines; other releases are right."""

import json
from pathlib import Path

import pytest

KNOWN = Path(__file__).parent / "known" / "cypher.json"


def hunted(gainsay, folder, target, checks, seed):
    """Confirmed wrong answers of a hunt: their signatures, queries and folders."""
    result = gainsay(
        "hunt",
        target,
        "--oracle",
        "reference",
        "--oracle",
        "norec",
        "--checks",
        str(checks),
        "--seed",
        str(seed),
        "--out",
        "o",
        "--json",
        timeout=300,
    )
    assert result.code == 1, result.out + result.err
    found = [f for f in result.json["findings"] if f["status"] == "confirmed"]
    return [(f, json.loads((folder / f["path"] / "finding.json").read_text())) for f in found]


def of_kind(found, *features):
    return [(f, d) for f, d in found if all(part in f["signature"] for part in features)]


@pytest.mark.parametrize(
    ("target", "checks", "seed", "kinds", "right"),
    [
        # K5: CASE takes the value of another row; K2: count(DISTINCT) beside other aggregates.
        ("kuzu@0.11.3", 200, 1, [("logic", "case"), ("logic", "distinct aggregate")], "kuzu@0.6.1"),
        # G2: a label on a node that is bound already is not looked at; G1: min of texts is a number.
        ("graphqlite@0.12.0", 60, 1, [("logic", "label on a bound node")], ""),
        # A1: a condition on both ends of an edge is asked before both are known.
        ("arcadedb@26.10.2.post1", 500, 2, [("logic", "condition on two variables")], ""),
    ],
)
def test_a_known_bug_is_found_by_hunting_and_reduced(target, checks, seed, kinds, right, gainsay, tmp_path):
    found = hunted(gainsay, tmp_path, target, checks, seed)
    for kind in kinds:
        seen = of_kind(found, *kind)
        assert seen, (kind, [f["signature"] for f, _ in found])
        for _, details in seen[:1]:
            assert max(len(t) for t in details["texts"].values()) < 160, details["texts"]
            assert len([s for s in details["setup"] if "TABLE" not in s]) <= 2, details["setup"]
        if right:
            assert any(gainsay("replay", f["id"], "--on", right, "--out", "o").code == 0 for f, _ in seen), (
                "an earlier release is right"
            )


def test_known_bugs_are_seen_by_some_oracle(gainsay):
    rows = json.loads(gainsay("bench", "known", str(KNOWN), "--json", timeout=600).out)
    seen = [r for r in rows if any(v == "sees it" for v in r["oracles"].values())]
    assert len(seen) >= 12, rows

"""Known past bugs of solvers, pinned to releases that a wheel brings: hunts find them, and reduce them to a few
lines."""

import pytest

LONGEST = 12  # lines of a reduced script


def wrong(gainsay, folder, *arguments):
    """Confirmed wrong verdicts of a hunt, each with its reduced script."""
    result = gainsay("hunt", *arguments, "--seed", "1", "--out", "o", "--json", timeout=300)
    assert result.code == 1, result.out + result.err
    logic = [f for f in result.json["findings"] if f["kind"] == "logic" and f["status"] == "confirmed"]
    return [(f, (folder / f["path"] / "repro.smt2").read_text()) for f in logic]


def length(script):
    return len([line for line in script.splitlines() if line.strip() and not line.startswith(";")])


@pytest.mark.parametrize(
    ("target", "fixed", "time"),
    # The second is rarer: with 20 s and all logics, one of two seeds that were tried did not meet it.
    [
        ("z3@4.8.7:dom-simplify", "z3:dom-simplify", "20s"),
        ("z3@4.8.8:reduce-invertible", "z3:reduce-invertible", "60s"),
    ],
)
def test_a_tactic_that_was_wrong_is_found_and_reduced(target, fixed, time, gainsay, tmp_path):
    found = wrong(gainsay, tmp_path, target, "--for", time, "--stop-after", "2")
    assert found
    assert min(length(script) for _, script in found) <= LONGEST
    assert any(gainsay("replay", f["id"], "--on", fixed, "--out", "o").code == 0 for f, _ in found), (
        "and the newest release is right"
    )


def test_boolector_has_a_wrong_verdict_in_quantified_words(gainsay, tmp_path):
    """The last release of a solver that is no longer maintained."""
    found = wrong(gainsay, tmp_path, "boolector", "--for", "30s", "--set", "smt.logics=BV")
    assert found
    for finding, script in found:
        assert length(script) <= LONGEST, script
        assert gainsay("replay", finding["id"], "--on", "z3", "--out", "o").code == 0, "z3 is right"

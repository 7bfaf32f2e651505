"""Known past bugs of Datalog engines, pinned to releases that a wheel brings: hunts find them, and the releases that
fixed them are right."""

import json
from pathlib import Path

import pytest

KNOWN = Path(__file__).parent / "known"


@pytest.mark.parametrize("oracle", ["rules", "reference"])
def test_cozo_0_7_0_gives_its_semi_naive_bug_within_ten_cpu_seconds(oracle, gainsay):
    result = gainsay("hunt", "cozo@0.7.0", "--oracle", oracle, "--for", "5s", "--seed", "3", "--json", timeout=120)
    logic = [
        f
        for f in result.json["findings"]
        if f["kind"] == "logic" and f["status"] == "confirmed" and "functor" not in f["signature"]
    ]
    assert logic, result.json
    # "Fixed in 0.7.1": at least one of them is gone there.
    assert any(gainsay("replay", f["id"], "--on", "cozo@0.7.1").code == 0 for f in logic)


@pytest.mark.parametrize("oracle", ["cq", "apg", "reference"])
def test_z3_4_8_9_gives_the_bug_of_three_copies_of_an_atom(oracle, gainsay):
    result = gainsay("hunt", "muz@4.8.9", "--oracle", oracle, "--for", "60s", "--seed", "2", "--json", timeout=300)
    logic = [f for f in result.json["findings"] if f["kind"] == "logic" and f["status"] == "confirmed"]
    assert any(gainsay("replay", f["id"], "--on", "muz@4.8.10").code == 0 for f in logic), result.json


def test_known_bugs_are_seen_by_some_oracle(gainsay):
    rows = json.loads(gainsay("bench", "known", str(KNOWN / "datalog.json"), "--json", timeout=900).out)
    seen = [r["id"] for r in rows if any(v == "sees it" for v in r["oracles"].values())]
    # The .dl reader of Z3 is not one of our front ends; Soufflé's are seen where it is installed.
    assert {"cozo-101", "cozo-122", "cozo-113", "cozo-99", "muz-4870"} <= set(seen), rows

"""The installed command on Datalog engines, as a user or a script runs it."""

import json

import pytest

from summary_keys import KEYS

FINDING = {"id", "engine", "version", "oracle", "kind", "status", "count", "signature", "path"}
GOOD = (
    "edge[a, b] <- [[1, 2], [2, 3]]\npath[a, b] := edge[a, b]\npath[a, c] := path[a, b], edge[b, c]\n"
    "?[a, b] := path[a, b]\n"
)
TYPO = (
    "edge[a, b] <- [[1, 2], [2, 3]]\npath[a, b] := egde[a, b]\npath[a, b] := edge[a, b], a <<< b\n"
    "?[a, b] := path[a, b]\n"
)
STORED = "?[a] := *stored[a]\n"


def one_line(result, part):
    assert result.code == 2, result.out + result.err
    assert "Traceback" not in result.err
    lines = result.err.strip().splitlines()
    assert part in lines[-1], lines
    return lines


def test_a_hunt_ends_with_its_json(gainsay, tmp_path):
    result = gainsay("hunt", "cozo", "--oracle", "reference", "--checks", "200", "--seed", "1", "--out", "o", "--json")
    summary = result.json
    assert result.code == (1 if any(f["status"] == "confirmed" for f in summary["findings"]) else 0), result.err
    assert summary.keys() >= KEYS
    assert (summary["seed"], summary["targets"], summary["oracles"], summary["checks"]) == (
        1,
        ["cozo"],
        ["reference"],
        200,
    )
    assert summary["valid"] > 0.95 and summary["nonempty"] > 0.8
    for finding in summary["findings"]:
        assert finding.keys() >= FINDING
        assert {"finding.json", "report.md", "repro.py", "repro.dl"} <= {
            p.name for p in (tmp_path / finding["path"]).iterdir()
        }


def test_all_oracles_hunt_together(gainsay):
    result = gainsay("hunt", "clingo", "--checks", "150", "--seed", "2", "--json")
    assert result.code == 0, result.out + result.err
    assert {"cq", "apg", "rules", "reference"} <= set(result.json["oracles"])
    assert result.json["checks"] >= 150 and result.json["valid"] > 0.95


def test_two_engines_of_different_dialects_are_compared(gainsay):
    result = gainsay("hunt", "clingo", "nemo", "--oracle", "differential", "--checks", "100", "--seed", "2", "--json")
    assert result.code in (0, 1), result.out + result.err
    assert result.json["asks"] >= 200


def test_the_same_seed_asks_the_same(gainsay):
    one, two = (
        gainsay("hunt", "nemo", "--oracle", "cq", "--checks", "60", "--seed", "5", "--out", out, "--json").json
        for out in ("one", "two")
    )
    assert [one[k] for k in ("checks", "asks", "valid", "nonempty", "raw")] == [
        two[k] for k in ("checks", "asks", "valid", "nonempty", "raw")
    ]


# --- seeds ---


@pytest.fixture
def folder(tmp_path):
    def made(**files):
        (tmp_path / "seeds").mkdir(exist_ok=True)
        for name, text in files.items():
            (tmp_path / "seeds" / f"{name}.cozo").write_text(text)
        return "seeds"

    return made


def test_a_seed_that_can_not_be_used_is_named_and_the_rest_goes_on(gainsay, folder):
    seeds = folder(good=GOOD, typo=TYPO, stored=STORED)
    result = gainsay("hunt", "cozo", "--seeds", seeds, "--oracle", "cq", "--checks", "60", "--seed", "1", "--json")
    assert result.code in (0, 1), result.err
    assert "1 of 3 seeds are used." in result.err
    assert "seed typo.cozo is skipped: " in result.err and "seed stored.cozo is skipped: " in result.err
    assert "good.cozo" not in result.err
    assert result.json["checks"] >= 60 and result.json["nonempty"] > 0.5


def test_programs_build_on_the_seed(gainsay, folder, tmp_path):
    result = gainsay(
        "hunt", "cozo", "--seeds", folder(good=GOOD), "--checks", "60", "--seed", "1", "--out", "o", "--json"
    )
    assert result.code in (0, 1), result.err
    campaign = (tmp_path / "o" / "campaign.toml").read_text()
    assert "good.cozo" in campaign and str(tmp_path / "seeds") in campaign, (
        "so that the same folder resumes with the same seeds"
    )


def test_no_seed_that_can_be_used_ends_the_hunt(gainsay, folder):
    lines = one_line(gainsay("hunt", "cozo", "--seeds", folder(stored=STORED), "--checks", "10"), "None of the seeds")
    assert any("stored.cozo" in line for line in lines)


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["cozo", "--seeds", "seeds"], "no file that ends in .cozo"),
        (["cozo", "--seeds", "nowhere"], "does not exist"),
        (["cozo", "--seeds", "file.cozo"], "not a folder"),
        (["cozo", "clingo", "--seeds", "seeds"], "dialect"),
        (["sqlite", "--seeds", "seeds"], "no seeds"),
        (["--seeds", "seeds"], "name the target"),
    ],
    ids=["empty folder", "missing folder", "file", "two dialects", "another family", "no target"],
)
def test_a_wrong_folder_of_seeds_gets_one_line_and_the_remedy(gainsay, folder, tmp_path, arguments, part):
    folder()
    (tmp_path / "file.cozo").write_text(GOOD)
    assert len(one_line(gainsay("hunt", *arguments, "--checks", "10"), part)) == 1
    assert not (tmp_path / "gainsay-out").exists(), "nothing is left behind"


# --- settings ---


@pytest.mark.parametrize(
    ("setting", "part"),
    [
        ("rules.max_rules=0", "from 1 to"),
        ("rules.max_rules=many", "number"),
        ("rules.max_att=0", "from 1 to"),
        ("rules.max_iter=-1", "from 1 to"),
        ("rules.p_head=2", "from 0 to 1"),
        ("rules.p_empty=x", "from 0 to 1"),
        ("datalog.p_empty=nan", "from 0 to 1"),
        ("rules.drop=some", "inline, keywords or all"),
        ("rules.unstratified=yes", "0 or 1"),
        ("datalog.extremes=2", "0 or 1"),
        ("datalog.mix=big", "small or full"),
        ("datalog.mx=small", "Did you mean mix"),
        ("rules.maxrules=3", "Did you mean max_rules"),
        ("rulez.max_att=3", "Did you mean rules"),
        ("cq.max_att=3", "no parameter"),
        ("rules", "--set"),
    ],
)
def test_a_bad_setting_gets_one_line_and_the_remedy(gainsay, tmp_path, setting, part):
    assert len(one_line(gainsay("hunt", "clingo", "--set", setting, "--checks", "10"), part)) == 1
    assert not (tmp_path / "gainsay-out").exists(), "nothing is left behind"


def test_a_good_setting_is_kept_with_the_hunt(gainsay, tmp_path):
    result = gainsay(
        "hunt",
        "clingo",
        "--oracle",
        "rules",
        "--set",
        "rules.max_rules=3",
        "--checks",
        "20",
        "--seed",
        "1",
        "--out",
        "o",
        "--json",
    )
    assert result.code == 0, result.err
    assert '"rules.max_rules" = "3"' in (tmp_path / "o" / "campaign.toml").read_text()


# --- looking around ---


def test_a_target_says_what_it_takes(gainsay):
    result = gainsay("engines", "check", "clingo", "--json")
    assert result.code == 0, result.err
    assert result.json["probed"] > 20


def test_the_oracles_are_listed(gainsay):
    names = json.dumps(json.loads(gainsay("oracles", "--json").out))
    assert all(f'"{name}"' in names for name in ("cq", "apg", "rules", "reference", "differential"))


def test_a_replay_where_the_dialect_lacks_a_word_is_not_decided_and_no_traceback(gainsay):
    """Functors of floats have no spelling in muZ: the case can't be asked there."""
    result = gainsay("hunt", "cozo", "--oracle", "reference", "--checks", "800", "--seed", "1", "--json", timeout=200)
    said = [gainsay("replay", f["id"], "--on", "muz") for f in result.json["findings"] if "functor" in f["signature"]]
    assert said and all(r.code == 0 and "Not decided" in r.out and "Traceback" not in r.err for r in said), [
        r.err for r in said
    ]

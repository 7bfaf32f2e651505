"""What a hunt says that it has done is what it has done."""

import json
import os
import re
from pathlib import Path

import pytest


@pytest.fixture
def idle(tmp_path):
    """The environment in which oracles that check nothing are installed."""
    home = tmp_path / "plugin"
    info = home / "idle-0.1.dist-info"
    info.mkdir(parents=True)
    (home / "idle.py").write_text((Path(__file__).parent / "idle.py").read_text())
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: idle\nVersion: 0.1\n")
    own = "".join(f"sql/{name.lower()} = idle:{name}\n" for name in ("Silent", "Curious", "Knowing"))
    (info / "entry_points.txt").write_text(f"[gainsay.oracles]\n{own}")
    return {"PYTHONPATH": os.pathsep.join(filter(None, [str(home), os.environ.get("PYTHONPATH")]))}


@pytest.mark.parametrize("oracle", ["silent", "curious", "knowing"])
def test_an_oracle_that_never_comes_to_a_claim_makes_no_check_and_is_told(gainsay, idle, oracle):
    result = gainsay(
        "hunt", "sqlite", "--oracle", oracle, "--checks", "400", "--seed", "1", "--workers", "1", "--json", env=idle
    )
    assert result.code == 2, result.out + result.err
    assert result.json["checks"] == 0
    assert result.json["never_applied"] == [{"targets": "sqlite", "oracle": oracle, "conversations": 800}], (
        "as many again as were wanted, then it ends"
    )
    assert f"{oracle} never applied to sqlite" in result.err and "Traceback" not in result.err


def test_an_oracle_that_nobody_named_only_says_so(gainsay, idle):
    result = gainsay("hunt", "apsw", "--checks", "400", "--seed", "20", "--workers", "1", "--json", env=idle)
    assert result.code == 0, result.out + result.err
    assert {n["oracle"] for n in result.json["never_applied"]} == {"silent", "curious", "knowing"}
    assert "silent never applied to apsw" in result.err


def test_the_checks_that_were_asked_for_are_made_for_any_number_of_workers(gainsay, idle):
    """Half of the conversations are no checks: as many more are held."""
    named = ("hunt", "sqlite", "--oracle", "norec", "--oracle", "silent", "--checks", "240", "--seed", "2", "--json")
    one, three = (gainsay(*named, "--workers", n, "--out", f"out{n}", env=idle) for n in ("1", "3"))
    assert one.code == 2, "one that was named checked nothing"
    assert one.json["checks"] >= 235 and one.json["void"] >= 235
    assert [one.json[k] for k in ("checks", "void", "asks", "raw")] == [
        three.json[k] for k in ("checks", "void", "asks", "raw")
    ]


def test_what_was_refused_is_kept_with_a_statement_and_the_whole_message(gainsay, tmp_path):
    result = gainsay("hunt", "duckdb", "--checks", "320", "--seed", "3", "--workers", "1", "--out", "o", "--json")
    kinds = result.json["refusals"]
    assert kinds, "DuckDB refuses something with this seed"
    files = [p.read_text() for p in sorted((tmp_path / "o" / "refused").iterdir())]
    assert len(files) >= len(kinds) and "kinds of refusals is in o/refused" in result.err
    for text in files:
        statement, answer = re.search(r"\n\nStatement:\n(.+)\n\nAnswer:\n(.+)", text, re.DOTALL).groups()
        assert statement.split()[0] in (
            "SELECT",
            "INSERT",
            "CREATE",
            "UPDATE",
            "DELETE",
            "WITH",
            "ALTER",
            "SET",
            "PRAGMA",
            "ANALYZE",
        ), statement
        assert answer.strip()


def test_engines_check_shows_each_refused_statement_and_the_whole_message(gainsay):
    shown = gainsay("engines", "check", "duckdb", "--refused")
    assert shown.code == 0, shown.err
    assert "\nvirtual:rtree:\n  CREATE VIRTUAL TABLE" in shown.out
    assert re.search(
        r'    > Parser Error: syntax error at or near "VIRTUAL"\n    > *\n    > LINE 1: CREATE VIRTUAL', shown.out
    )
    data = gainsay("engines", "check", "duckdb", "--refused", "--json").json
    assert data["refusals"].keys() == data["refused"].keys()
    assert data["refusals"]["virtual:rtree"]["text"].startswith("CREATE VIRTUAL TABLE")
    assert "\n" in data["refusals"]["virtual:rtree"]["message"]
    assert "refusals" not in json.loads(gainsay("engines", "check", "sqlite", "--json").out)


def test_refused_without_a_target_gets_one_line_and_the_remedy(gainsay):
    result = gainsay("engines", "--refused")
    assert result.code == 2 and "engines check TARGET --refused" in result.err and "Traceback" not in result.err

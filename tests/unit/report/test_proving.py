"""Every reproducer is run once before its finding is shown; one that disagrees is told."""

import os
import time

import msgspec
import pytest

from gainsay.campaign.events import Finding, Proved
from gainsay.campaign.ledger import Ledger
from gainsay.core.model import CaseName
from gainsay.report import proving
from gainsay.report.terminal import one_line


def finding(name="sqlite-norec-1"):
    return Finding(
        id=name, signature="sqlite: logic: view", kind="logic", status="confirmed", family="sql", oracle="norec",
        engine="sqlite", version="3",
        claim="c", words="", why="", seed=1, name=CaseName("sqlite", 1, "norec", 1), case={}, setup=(), texts={},
        answers={},
    )  # fmt: skip


@pytest.fixture
def queue(monkeypatch):
    monkeypatch.setattr(proving, "room", lambda finding: dict(os.environ))
    made = proving.Proving()
    yield made
    made.close()


def outcomes(queue):
    found = {}
    while len(queue):
        found |= {f.id: proved.words for f, proved in queue.ended()}
        time.sleep(0.01)
    return found


def scripts(queue, tmp_path, **texts):
    for name, text in texts.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "repro.py").write_text(text)
        queue.add(finding(name), tmp_path / name)


def test_a_reproducer_that_shows_its_finding_says_nothing_and_any_other_is_told(queue, tmp_path):
    scripts(
        queue, tmp_path, right="raise SystemExit(1)", wrong="print('No bug here.')", undecided="raise SystemExit(2)"
    )
    told = outcomes(queue)
    assert told["right"] == ""
    assert told["wrong"] == "repro.py was run and does not show it: it exits 0 (No bug here.)"
    assert "exits 2" in told["undecided"]


def test_the_reproducer_of_a_death_is_run_several_times_and_how_often_it_shows_it_is_told(queue, tmp_path):
    for name, codes in (("always", "1, 1, 1"), ("once", "0, 1, 0"), ("never", "0, 0, 0")):
        (tmp_path / name).mkdir()
        counted = f"codes = [{codes}]\nplace = __import__('pathlib').Path('runs')\nplace.open('a').write('x')\n"
        (tmp_path / name / "repro.py").write_text(f"{counted}raise SystemExit(codes[len(place.read_text()) - 1])")
        queue.add(msgspec.structs.replace(finding(name), kind="crash"), tmp_path / name)
    told = outcomes(queue)
    assert told["always"] == "" and told["never"].startswith("repro.py was run and does not show it: it exits 0")
    assert told["once"] == "repro.py was run 3 times and shows it in 1 of them"


def test_one_that_does_not_end_is_ended(queue, tmp_path, monkeypatch):
    monkeypatch.setattr(proving, "LIMIT_S", 0.3)
    scripts(queue, tmp_path, endless="while True: pass", right="raise SystemExit(1)")
    assert outcomes(queue) == {"endless": "repro.py did not end within 0 s", "right": ""}


def test_a_server_of_the_users_is_left_to_him(queue, tmp_path, monkeypatch):
    monkeypatch.setattr(proving, "room", lambda finding: None)
    scripts(queue, tmp_path, theirs="print(1 / 0)")
    assert outcomes(queue) == {"theirs": proving.NOT_RUN}


@pytest.mark.parametrize(
    ("proof", "told"),
    [
        ("", ""),
        (None, "repro.py was not run yet"),
        (proving.NOT_RUN, "repro.py was not run: it would ask your server"),
        ("repro.py did not end within 90 s", "Beware: repro.py did not end within 90 s"),
    ],
)
def test_a_report_says_of_a_reproducer_that_was_not_run_or_shows_nothing(proof, told):
    made = finding()
    made.proof = proof
    assert proving.remark(made) == told
    made.status = "flaky"
    assert proving.remark(made) == ""


def test_the_ledger_knows_what_was_run_also_after_a_restart():
    ledger = Ledger()
    ledger.take(finding())
    assert [f.id for f in ledger.unproved()] == ["sqlite-norec-1"]
    ledger.take(Proved("sqlite-norec-1", "repro.py was run and does not show it: it exits 0 ()"))
    assert not ledger.unproved()
    assert "! repro.py was run and does not show it" in one_line(ledger.findings["sqlite-norec-1"])

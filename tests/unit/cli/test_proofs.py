"""A finding is shown once, when its reproducer was run; a smaller case that tells it later has its own one run, too."""

import os

import msgspec
import pytest

from gainsay.campaign.events import Finding
from gainsay.campaign.ledger import Ledger
from gainsay.cli import proofs
from gainsay.cli.proofs import Proofs
from gainsay.core.model import CaseName
from gainsay.report import proving


def finding(name="one", status="confirmed", exits=1):
    return Finding(
        id=name, signature=name, kind="logic", status=status, family="sql", oracle="norec", engine="sqlite",
        version="3", claim="c",
        words="", why="", seed=1, name=CaseName("sqlite", 1, "norec", 1), case={"exits": exits}, setup=(), texts={},
        answers={},
    )  # fmt: skip


class Written:
    """Folders with reproducers that end as their case says; what was written and shown."""

    def __init__(self, out):
        self.shown, self.written = [], []
        self.proofs = Proofs(out, lambda f: self.shown.append(f.id), self.write)

    def write(self, finding, out):
        self.written.append((finding.id, finding.case["exits"]))
        folder = out / finding.id
        folder.mkdir(exist_ok=True)
        (folder / "repro.py").write_text(f"raise SystemExit({finding.case['exits']})")
        return folder


@pytest.fixture
def made(tmp_path, monkeypatch):
    monkeypatch.setattr(proving, "room", lambda finding: dict(os.environ))
    hunt = Written(tmp_path)
    yield hunt
    hunt.proofs.close()


def kept(*findings):
    ledger = Ledger()
    for each in findings:
        ledger.take(each)
    return ledger


def test_a_finding_is_shown_when_its_reproducer_was_run(made):
    one = finding()
    ledger = kept(one)
    made.proofs.add(one)
    made.proofs.step(ledger, ledger.take)
    assert made.shown == []
    made.proofs.finish(ledger, ledger.take)
    assert made.shown == ["one"] and one.proof == ""


def test_a_smaller_case_is_run_too_and_its_word_counts(made):
    one = finding(exits=1)
    ledger = kept(one)
    made.proofs.add(one)
    made.proofs.step(ledger, ledger.take)  # it runs
    smaller = msgspec.structs.replace(one, case={"exits": 0})
    ledger.take(smaller)
    made.proofs.finish(ledger, ledger.take)
    assert made.written == [("one", 1), ("one", 0), ("one", 0)] and made.shown == ["one"]
    assert "does not show it" in ledger.findings["one"].proof


def test_one_that_a_smaller_case_tells_after_it_was_shown_is_not_shown_again(made):
    one = finding()
    ledger = kept(one)
    made.proofs.add(one)
    made.proofs.finish(ledger, ledger.take)
    ledger.take(msgspec.structs.replace(one, case={"exits": 1}, proof=None))
    made.proofs.finish(ledger, ledger.take)
    assert len(made.written) == 4 and made.shown == ["one"] and not ledger.unproved()


def test_what_is_flaky_is_shown_at_once_and_what_is_muted_never(made):
    flaky, muted = finding("flaky", "flaky"), finding("muted", "muted")
    ledger = kept(flaky, muted)
    made.proofs.add(flaky)
    made.proofs.add(muted)
    made.proofs.finish(ledger, ledger.take)
    assert made.shown == ["flaky"] and made.written == [("flaky", 1), ("muted", 1)]


@pytest.mark.parametrize(("exits", "told"), [(1, ""), (0, "repro.py was run and does not show it")])
def test_a_command_that_writes_one_finding_has_its_reproducer_run(exits, told, tmp_path, monkeypatch):
    monkeypatch.setattr(proving, "room", lambda finding: dict(os.environ))
    reports = []

    def write(each, out):
        (out / "repro.py").write_text(f"raise SystemExit({exits})")
        reports.append(proving.remark(each))
        return out

    monkeypatch.setattr(proofs.folder, "write", write)
    done = proofs.written(finding(), tmp_path)
    assert done.proof is not None and done.proof.startswith(told)
    assert reports[0] == proving.NOT_YET and reports[-1] == proving.remark(done)

"""A journal that grows is followed, also where it was cut off in the middle of a line."""

import pytest

import hostile
from gainsay.campaign import config, events
from gainsay.errors import UsageError
from gainsay.report.page.following import Following


@pytest.fixture
def out(tmp_path):
    campaign, _ = hostile.hunt()
    config.save(campaign, tmp_path)
    (tmp_path / "journal.jsonl").write_bytes(events.encode(events.Started("0", 1)))
    return tmp_path


def append(out, *what, tail=b""):
    with (out / "journal.jsonl").open("ab") as file:
        file.write(b"".join(map(events.encode, what)) + tail)


def test_what_is_new_is_shown_and_counted(out):
    following = Following(out, [])
    first = following.step()
    assert "No findings" in following.sections()
    append(out, events.Progress(hostile.GROUP, events.Counts(checks=7)))
    following._last = float("-inf")  # long ago
    assert following.step() == first + 1
    assert "7 on 0 scenes" in following.sections()
    following._last = float("-inf")
    assert following.step() == first + 1  # nothing is new


def test_a_line_that_is_not_whole_waits_for_its_end(out):
    line = events.encode(events.Progress(hostile.GROUP, events.Counts(checks=7)))
    append(out, tail=line[:20])
    following = Following(out, [])
    assert following.ledger.counts.checks == 0
    append(out, tail=line[20:])
    following.step()
    assert following.ledger.counts.checks == 7


def test_a_damaged_line_is_passed_over(out):
    append(out, tail=b"{nonsense}\n")
    append(out, events.Progress(hostile.GROUP, events.Counts(checks=7)))
    assert Following(out, []).ledger.counts.checks == 7


def test_pages_are_not_made_more_often_than_is_worth_it(out):
    following = Following(out, [])
    before = following.step()
    for _ in range(5):
        append(out, events.Progress(hostile.GROUP, events.Counts(checks=1)))
        following.step()
    assert following.version == before  # all within a second of the first
    assert following.ledger.counts.checks == 5


def test_a_folder_that_is_no_hunt_is_told(tmp_path):
    with pytest.raises(UsageError, match="not the folder of a hunt"):
        Following(tmp_path, [])

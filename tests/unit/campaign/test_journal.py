import msgspec
import pytest

from gainsay.campaign import events, journal
from gainsay.campaign.ledger import Ledger
from gainsay.core.model import CaseName
from gainsay.errors import DiskFull, JournalError, UsageError
from gainsay.report import machine
from gainsay.triage.known import Muted


def raw(episode, shape=(), claim="filtered rows"):
    return events.Raw(CaseName("sqlite", episode, "norec", 1), claim, shape, text="SELECT 1")


def written(path, *what):
    book = journal.Journal(path)
    book.append(*what, sync=True)
    book.close()


def test_a_last_line_that_was_cut_off_is_passed_over_and_mended(tmp_path):
    path = tmp_path / "journal.jsonl"
    written(path, raw(1), raw(2))
    whole = path.read_bytes()
    for cut in range(1, 60, 7):
        path.write_bytes(whole[:-cut])
        assert [e.name.episode for e in journal.read(path)] == ([1] if cut > 1 else [1, 2])
    journal.mend(path)
    written(path, raw(3))
    assert [e.name.episode for e in journal.read(path)] == [1, 3]


def test_any_other_damage_names_the_line(tmp_path):
    path = tmp_path / "journal.jsonl"
    written(path, raw(1), raw(2), raw(3))
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([lines[0], lines[1].replace(b'"raw"', b'"roh"'), lines[2], b""]))
    with pytest.raises(JournalError, match="line 2"):
        list(journal.read(path))


def test_a_full_disk_is_one_clear_error(tmp_path):
    path = tmp_path / "journal.jsonl"
    path.symlink_to("/dev/full")  # every write to it fails for want of space
    with pytest.raises(DiskFull, match="free some space"):
        journal.Journal(path).append(raw(1), sync=True)


def finding(shape, number, bucket=None):
    from gainsay.triage import signature

    bucket = tuple(sorted(bucket or shape))
    text = signature.signature("sqlite", "logic", bucket)
    return events.Finding(
        id=signature.ident("sqlite", "norec", text), signature=text, kind="logic", status="confirmed", family="sql",
        oracle="norec",
        engine="sqlite", version="3", claim="filtered rows", words="", why="", seed=1,
        name=CaseName("sqlite", number, "norec", 1), case={},
        setup=(), texts={}, answers={}, shape=tuple(sorted(shape)), bucket=bucket,
    )  # fmt: skip


def test_the_ledger_counts_one_cause_once(tmp_path):
    ledger = Ledger()
    for number in range(6):
        ledger.take(raw(number, ("left join", "comparison", "index")))
    kept, is_new = ledger.found(finding({"left join", "comparison"}, 0, {"left join", "condition"}))
    again, again_new = ledger.found(finding({"left join", "null test"}, 1, {"left join", "condition"}))
    assert (is_new, again_new, again.id) == (True, False, kept.id)
    assert [f.count for f in ledger.shown()] == [6], "two reduced, four recognised by their shape"


def test_the_ledger_is_rebuilt_from_its_events():
    ledger = Ledger()
    for event in (
        raw(1),
        raw(2),
        events.Progress("sqlite", events.Counts(checks=5), (1, 2)),
        events.Settled(raw(1).name, "filtered rows", "", "gone"),
    ):
        ledger.take(event)
        ledger.take(event) if isinstance(event, events.Raw) else None
    assert ledger.raw_total == 2
    assert [r.name.episode for r in ledger.raws.values()] == [2]
    undone = ledger.undone("sqlite")
    assert [next(undone), next(undone)] == [0, 3]


def test_a_muted_signature_is_counted_but_muted():
    new = finding({"left join"}, 0)
    ledger = Ledger([Muted(new.id, new.signature, new.shape)])
    kept, _ = ledger.found(new)
    assert kept.status == "muted"
    other = Ledger([Muted(new.id, new.signature, ("left join", "subquery exists"))])
    kept, _ = other.found(finding({"left join"}, 0))
    assert kept.status == "confirmed", "the same signature with other features is another bug"


def test_a_contradiction_that_is_told_in_another_way_is_settled_all_the_same():
    ledger = Ledger()
    found = finding({"left join", "comparison"}, 0, {"left join", "condition"})
    ledger.take(events.Raw(found.name, "partitions", (), None))
    assert ledger.waiting() == 1
    ledger.found(found, "partitions")
    assert ledger.waiting() == 0 and found.claim != "partitions"


def test_ids_of_what_went_into_the_bucket_of_another_keep_working(tmp_path):
    path = tmp_path / "journal.jsonl"
    first, second = finding({"outer join", "condition"}, 1), finding({"outer join", "condition", "view"}, 2)
    ledger = Ledger()
    for new in (first, second):
        ledger.take(raw(new.name.episode))
        kept, is_new = ledger.found(new)
        written(path, *([kept] if is_new else []), events.Settled(new.name, new.claim, kept.id, alias=new.id))
    assert kept.id == first.id != second.id, "one absorbs the other"
    assert kept.aliases == (second.id,)
    again = Ledger()
    for event in journal.read(path):
        again.take(event)
    assert again.findings[first.id].aliases == (second.id,), "the journal keeps it"
    home = tmp_path / "findings" / first.id
    home.mkdir(parents=True)
    (home / "finding.json").write_bytes(msgspec.json.encode(again.shown()[0]))
    assert machine.find([tmp_path], second.id) == home
    assert machine.find([tmp_path], first.id.replace("norec", "tlp")) == home, (
        "another oracle met it first in another hunt"
    )
    with pytest.raises(UsageError, match="no finding"):
        machine.find([tmp_path], "sqlite-norec-00000000")


def test_events_that_were_written_before_there_were_aliases_are_read():
    old = (
        b'{"type":"settled","name":{"group":"sqlite","episode":1,"oracle":"norec","check":1},"claim":"filtered '
        b'rows","finding":"x","note":""}'
    )
    assert events.DECODER.decode(old).alias == ""
    data = {k: v for k, v in msgspec.to_builtins(finding({"left join"}, 1)).items() if k != "aliases"}
    assert events.DECODER.decode(msgspec.json.encode(data)).aliases == ()

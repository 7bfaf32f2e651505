"""Records on disk: what was written is there again, and a broken line costs nothing but itself."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from gainsay.core.records import Records
from gainsay.errors import DiskFull


class Mark(msgspec.Struct, frozen=True):
    key: str
    number: int


def records(path: Path) -> Records[Mark]:
    return Records(path, Mark)


def test_what_was_written_is_there_when_the_file_is_opened_again(tmp_path: Path) -> None:
    first = records(tmp_path / "marks")
    assert first.before() == []
    first.append(Mark("a", 1))
    first.append(Mark("b", 2))  # not closed: each line is on the disk at once
    assert records(tmp_path / "marks").before() == [Mark("a", 1), Mark("b", 2)]


def test_a_line_that_was_cut_off_is_taken_away_and_the_next_one_stands_alone(tmp_path: Path) -> None:
    path = tmp_path / "marks"
    records(path).append(Mark("a", 1))
    with path.open("ab") as file:
        file.write(b'{"key":"b","num')
    again = records(path)
    again.append(Mark("c", 3))
    assert records(path).before() == [Mark("a", 1), Mark("c", 3)]


def test_a_line_that_can_not_be_read_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "marks"
    path.write_bytes(b'not a record\n{"key":"a","number":1}\n')
    assert records(path).before() == [Mark("a", 1)]


def test_a_full_disk_is_told_with_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = records(tmp_path / "marks")
    with Path("/dev/full").open("wb", buffering=0) as full:  # every write to it fails for want of space
        monkeypatch.setattr(kept, "_file", full)
        with pytest.raises(DiskFull, match="Make room, then run the same command again"):
            kept.append(Mark("a", 1))

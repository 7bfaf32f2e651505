"""Where hunts go, which of them a command means, and what is seen to be wrong before anything is started."""

import argparse
import os
from pathlib import Path

import pytest

from gainsay.campaign import config, planning
from gainsay.campaign.request import Request
from gainsay.cli import folders, resuming
from gainsay.cli.request import without_folder
from gainsay.core.model import Seat, Target
from gainsay.errors import UsageError
from gainsay.report import machine

SEAT = Seat(0, Target("sqlite"), "3.40.1", "sqlite")


def request(*targets, oracles=(), settings=None, seeds="", seed=None):
    return Request(tuple(map(Target.parse, targets)), tuple(oracles), settings or {}, seeds, seed)


def hunt(place, *seats, oracles=(), seed=1, settings=None, explicit=True, at=0):
    place.mkdir(parents=True)
    config.save(planning.arranged(seats or (SEAT,), oracles, seed, settings or {}, 0, explicit), place)
    os.utime(place / folders.MARK, (at, at))
    return place


def arguments(out=None, dir=None):
    return argparse.Namespace(out=out, dir=dir)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_each_hunt_gets_a_folder_of_its_own_and_the_same_one_goes_on(here):
    assert resuming.place_of(arguments(), request("sqlite")) == (Path("gainsay-out/sqlite-1"), True)
    hunt(Path("gainsay-out/sqlite-1"), at=1)
    assert resuming.place_of(arguments(), request("sqlite"))[0] == Path("gainsay-out/sqlite-1")
    assert resuming.place_of(arguments(), request("duckdb"))[0] == Path("gainsay-out/duckdb-1")
    assert resuming.place_of(arguments(), request("sqlite", "duckdb"))[0] == Path("gainsay-out/sqlite+duckdb-1")
    assert resuming.place_of(arguments(), request())[0] == Path("gainsay-out/all-1")


@pytest.mark.parametrize(
    "other", [{"oracles": ["tlp"]}, {"settings": {"sql.mix": "small"}}, {"seed": 7}, {"seeds": "/s"}]
)
def test_other_oracles_settings_or_seed_are_another_hunt(here, other):
    hunt(Path("gainsay-out/sqlite-1"))
    assert resuming.place_of(arguments(), request("sqlite", **other))[0] == Path("gainsay-out/sqlite-2")


@pytest.mark.parametrize("other", [{"oracles": ["tlp"]}, {"settings": {"sql.mix": "small"}}, {"explicit": False}])
def test_a_hunt_that_was_asked_for_more_narrowly_is_not_the_plain_one(here, other):
    hunt(Path("gainsay-out/sqlite-1"), **other)
    assert resuming.place_of(arguments(), request("sqlite"))[0] == Path("gainsay-out/sqlite-2")


def test_of_several_that_would_do_the_newest_goes_on(here):
    hunt(Path("gainsay-out/sqlite-1"), seed=1, at=50)
    hunt(Path("gainsay-out/sqlite-2"), seed=2, at=90)
    assert resuming.place_of(arguments(), request("sqlite"))[0] == Path("gainsay-out/sqlite-2")
    assert resuming.place_of(arguments(), request("sqlite", seed=1))[0] == Path("gainsay-out/sqlite-1")


def test_a_folder_that_was_named_is_taken_as_it_is_or_refused_at_once(here):
    hunt(Path("mine"))
    assert resuming.place_of(arguments("mine"), request("sqlite")) == (Path("mine"), False)
    assert resuming.place_of(arguments("new"), request("sqlite")) == (Path("new"), False)
    for other, word in (
        (request("duckdb"), "target"),
        (request("sqlite", seed=2), "seed"),
        (request("sqlite", oracles=["tlp"]), "oracle"),
    ):
        with pytest.raises(UsageError, match=f"another {word}.*--out"):
            resuming.place_of(arguments("mine"), other)


def test_a_folder_is_named_as_dir_or_with_out_but_not_as_two(here):
    assert folders.said(arguments()) is None
    assert (
        folders.said(arguments("a"))
        == folders.said(arguments(None, "a"))
        == folders.said(arguments("a", "./a"))
        == Path("a")
    )
    with pytest.raises(UsageError, match="Two folders"):
        folders.said(arguments("a", "b"))


def test_among_targets_a_folder_is_what_has_a_slash(here):
    words = ["sqlite?lib=/x/y.so", "./mine", "smtlib?cmd=/bin/z3"]
    assert without_folder(words) == "./mine" and words == ["sqlite?lib=/x/y.so", "smtlib?cmd=/bin/z3"]
    (here / "mine").mkdir()
    with pytest.raises(UsageError, match="--out mine"):
        without_folder(["sqlite", "mine"])


def test_a_folder_that_is_called_as_a_target_hides_no_target(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sqlite@3.28.0").mkdir()
    words = ["sqlite@3.28.0"]
    assert without_folder(words) is None and words == ["sqlite@3.28.0"]


def test_a_finding_is_looked_for_in_the_newest_hunt_first(here):
    for name, at, ids in (("a-1", 10, ["x-12", "y-34"]), ("b-1", 20, ["x-12"])):
        place = hunt(Path("gainsay-out") / name, at=at)
        for each in ids:
            (place / "findings" / each).mkdir(parents=True)
    hunts = folders.hunts(Path("gainsay-out"))
    assert [h.name for h in hunts] == ["b-1", "a-1"]
    assert machine.find(hunts, "x-12") == machine.find(hunts, "12") == Path("gainsay-out/b-1/findings/x-12")
    assert machine.find(hunts, "34") == Path("gainsay-out/a-1/findings/y-34")
    with pytest.raises(UsageError, match="several"):
        machine.find(hunts, "-")


def test_the_list_of_muted_findings_has_one_place_for_each_hunt(here):
    assert folders.muted(Path("gainsay-out/sqlite-1")) == folders.muted(Path("mine")) == here / "gainsay-muted.json"
    assert (
        folders.muted(Path("/a/gainsay-out/sqlite-1"))
        == folders.muted(Path("/a/mine"))
        == Path("/a/gainsay-muted.json")
    )


def test_the_newest_release_that_was_taken_for_a_name_is_still_meant():
    before = planning.arranged((Seat(0, Target("falkordb", "4.22.1"), "4.22.1", "falkordb"),), (), 1, {}, 0)
    assert not request("falkordb").differs(before)
    assert request("falkordb@4.16.3").differs(before) == "target"

"""Which release is the newest, and which one a target without a version means."""

import time

import pytest

from gainsay.campaign import naming, rungs
from gainsay.core import registry
from gainsay.core.engine import Engine
from gainsay.core.model import Target
from gainsay.engines import releases
from gainsay.errors import EnvironmentProblem


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """How often the index was asked; it knows three releases."""
    calls = []
    monkeypatch.setenv("GAINSAY_CACHE", str(tmp_path))
    monkeypatch.setattr(releases, "listed", lambda engine: calls.append(engine.name) or ["1.9.0", "1.10.2", "1.2.0"])
    return calls


def test_the_newest_release_is_asked_for_once_a_day(asked, tmp_path, monkeypatch):
    engine = type("Pebble", (Engine,), {"name": "pebble", "open_session": None})()
    assert releases.newest(engine, is_asking=False) == ""
    assert [releases.newest(engine), releases.newest(engine), releases.newest(engine, is_asking=False)] == [
        "1.10.2"
    ] * 3
    assert asked == ["pebble"]
    monkeypatch.setattr(time, "time", lambda: (tmp_path / "newest" / "pebble").stat().st_mtime + releases.DAY_S + 1)
    assert releases.newest(engine) == "1.10.2"
    assert asked == ["pebble", "pebble"]


@pytest.mark.parametrize(
    ("one", "two", "older"),
    [("3.40.1", "3.54.1", True), ("1.10.0", "1.9.0", False), ("1.2", "1.2", False), ("?", "1", False)],
)
def test_versions_are_compared_by_their_numbers(one, two, older):
    assert releases.is_older(one, two) is older


def test_without_a_version_falkordb_is_the_newest_that_we_know_of(monkeypatch):
    """Its package holds 4.16.3, and another one brings 4.22.1."""
    monkeypatch.setattr(releases, "folder", lambda engine, version: None)
    assert naming.newest(Target("falkordb")) == Target("falkordb", "4.22.1")
    assert naming.newest(Target("falkordb", "4.16.3")) == Target("falkordb", "4.16.3")
    assert naming.newest(Target("falkordb", options=(("port", "6379"),))).version == ""
    assert naming.newest(Target("sqlite")) == Target("sqlite")

    def offline(engine, version):
        raise EnvironmentProblem("no index")

    monkeypatch.setattr(releases, "folder", offline)
    assert naming.newest(Target("falkordb")) == Target("falkordb")


@pytest.mark.parametrize("name", ["cockroachdb", "pgwire", "neo4j", "redisgraph"])
def test_no_index_is_asked_for_a_server_of_the_user_s(asked, name):
    """They are PostgreSQL's kin in code, and none of its releases is theirs."""
    assert naming.newest(Target(name)) == Target(name)
    assert asked == []


def test_a_search_over_releases_does_not_look_for_others_where_one_can_not_be_had(monkeypatch, tmp_path):
    """To name the nearest that can takes as long as several installs, and a search has no use for it."""
    monkeypatch.setenv("GAINSAY_CACHE", str(tmp_path))
    monkeypatch.setattr(releases, "nearest", lambda *_: pytest.fail("others were looked for"))
    said = rungs.brought(registry.engine("duckdb"), "99.0.0")
    assert said.startswith("duckdb@99.0.0 can't be installed here: ")

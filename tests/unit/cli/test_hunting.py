"""What a hunt says of a target whose newer release can be had."""

import pytest

from gainsay.cli import hunting
from gainsay.core.model import Seat, Target
from gainsay.engines import releases


class Said(list):
    """A screen of which only what it says is kept."""

    say = list.append


@pytest.fixture
def told(monkeypatch):
    monkeypatch.setattr(releases, "newest", lambda engine, is_asking: "1.5.6" if is_asking else "")

    def tell(target, version="1.5.2", is_asking=True):
        said = Said()
        hunting.tell_newer(Seat(0, target, version, "duckdb"), is_asking, said)
        return said

    return tell


def test_that_a_newer_release_can_be_had_is_said_in_one_line(told):
    assert told(Target("duckdb")) == ["! duckdb is 1.5.2 here, and 1.5.6 can be had: gainsay hunt duckdb@1.5.6"]


@pytest.mark.parametrize(
    ("target", "version", "is_asking"),
    [
        (Target("duckdb"), "1.5.6", True),
        (Target("duckdb", "1.5.2"), "1.5.2", True),
        (Target("duckdb", options=(("lib", "x"),)), "1.5.2", True),
        (Target("duckdb"), "1.5.2", False),
    ],
    ids=["newest", "by version", "by option", "nobody asked an index"],
)
def test_nothing_is_said_where_it_is_the_newest_or_the_one_that_is_wanted(told, target, version, is_asking):
    assert told(target, version, is_asking) == []

"""The conformance kit: what every embedded SQL engine's adapter must do, on the real engine."""

import pytest

from gainsay.campaign import config, probing
from gainsay.campaign.seating import HostedPlayer, LocalPlayer
from gainsay.core import registry
from gainsay.core.answer import GaveUp, Refused, Rows
from gainsay.core.model import Target

ENGINES = ["sqlite", "apsw", "duckdb"]
LONG = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r WHERE x < 100000000) SELECT COUNT(*) FROM r"


@pytest.fixture(params=ENGINES)
def engine(request):
    return request.param


@pytest.fixture(params=["local", "hosted"])
def player(request, engine, seat_of):
    made = LocalPlayer(seat_of(engine)) if request.param == "local" else HostedPlayer(Target(engine))
    made.reset()
    yield made
    made.close()


def test_rows_come_as_tuples_of_plain_values(player):
    player.ask("CREATE TABLE t(a INTEGER, b VARCHAR)")
    player.ask("INSERT INTO t VALUES (1, 'x'), (NULL, '')")
    answer = player.ask("SELECT a, b FROM t ORDER BY b DESC")
    assert isinstance(answer, Rows)
    assert answer.rows == [(1, "x"), (None, "")]


def test_an_error_is_a_refusal_with_a_kind(player):
    answer = player.ask("SELEKT 1")
    assert isinstance(answer, Refused)
    assert answer.kind == "syntax"
    answer = player.ask("SELECT * FROM missing")
    assert isinstance(answer, Refused)
    assert answer.kind == "name"
    assert isinstance(player.ask("SELECT 1"), Rows), "and the session goes on"


def test_a_reset_is_an_empty_place(player):
    player.ask("CREATE TABLE t(a INTEGER)")
    player.reset()
    assert isinstance(player.ask("SELECT * FROM t"), Refused)


def test_what_takes_too_long_is_given_up_and_the_session_goes_on(player):
    answer = player.ask(LONG)
    assert isinstance(answer, GaveUp), answer
    assert answer.reason == "timeout"
    assert isinstance(player.ask("SELECT 1"), Rows)


def test_the_version_is_asked_of_the_running_engine(engine):
    seat = config.describe(Target(engine))
    assert seat.version.count(".") == 2
    assert dict(seat.facts)["like-case"] in ("sensitive", "insensitive")


def test_probing_finds_what_is_there(engine):
    missing = probing.answers(Target(engine), "sql")
    for feature in ("join:LEFT JOIN", "clause:subquery", "stmt:view", "stmt:index"):
        assert feature not in missing
    strict = registry.engine(engine).DIALECT == "duckdb"
    assert ("table:strict" in missing) == strict
    assert ("op:&/int,int" in missing) is False and ("join:no on" in missing) == strict


def test_build_options_are_part_of_the_target():
    facts = dict(config.describe(Target("apsw")).facts)
    assert facts["like-blob"] == "never"
    assert "LIKE_DOESNT_MATCH_BLOBS" in config.describe(Target("apsw")).build


def test_every_configuration_opens(engine):
    for name in registry.engine(engine).CONFIGS:
        player = HostedPlayer(Target(engine, configs=(name,)))
        player.reset()
        assert player.ask("SELECT 1").rows == [(1,)]
        player.close()

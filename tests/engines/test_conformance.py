"""The conformance kit: what every embedded SQL engine's adapter must do, on the real engine."""

import subprocess
import sys

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


def test_a_library_by_path_is_proved_to_be_the_one_that_answers(gainsay):
    """The standard library's own libsqlite3, named by its path: same version, and the process says so itself."""
    code = "import sqlite3, re; print(sqlite3.sqlite_version); print(*re.findall(r'/\\S*libsqlite3\\S*', open('/proc/self/maps').read())[:1])"
    version, *paths = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    if not paths:
        pytest.skip("this Python's sqlite3 has its own copy linked in: use one that links libsqlite3 dynamically (Debian: libsqlite3-0)")
    result = gainsay("engines", "check", f"sqlite?lib={paths[0]}", "--json")
    assert result.code == 0, result.err
    assert result.json["version"] == version
    assert result.json["probed"] > 90


def test_a_release_from_pypi_runs_beside_the_installed_one(gainsay):
    result = gainsay("engines", "check", "sqlite@3.46.1", "--json")
    assert result.json["version"] == "3.46.1", result.err
    assert result.json["facts"]["like-blob"][0] == "as text", "a plain build, unlike apsw's"


def test_no_fact_of_an_installed_engine_is_denied_by_it(engine):
    facts = dict(config.describe(Target(engine)).facts)
    assert not [name for name, value in facts.items() if value.startswith("NOT AS DOCUMENTED")]

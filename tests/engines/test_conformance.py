"""The conformance kit (gainsay.testing) on our own engines and oracles, and what is particular to SQLite and DuckDB."""

import shutil
import subprocess
import sys
from importlib import metadata
from unittest import SkipTest

import pytest

from gainsay.campaign import describing, naming, seating
from gainsay.campaign.seating import HostedPlayer, LocalPlayer
from gainsay.core import registry
from gainsay.core.answer import Refused, Rows
from gainsay.core.model import Target
from gainsay.engines.go_servers import OneProgram
from gainsay.engines.on_path import OnPath
from gainsay.testing import engine_checks, oracle_checks

LONG = ("what takes too long", "every configuration opens", "a short hunt")
ORACLES = list(registry.BUILT_IN["gainsay.oracles"])


def is_here(engine):
    """Whether an engine can be started without a server or a command of the user's."""
    if isinstance(engine, OnPath):
        return shutil.which(engine.name) is not None
    if isinstance(engine, OneProgram):
        return shutil.which(engine.program) is not None
    is_brought = all(map(is_installed, engine.package.split()))
    return naming.is_at_hand(engine) and "cmd" not in engine.options and is_brought


def is_installed(package):
    return any(True for _ in metadata.distributions(name=package))


HERE = [e for e in map(registry.engine, registry.BUILT_IN["gainsay.engines"]) if is_here(e)]


def is_dear(name):
    """Whether all checks of an engine are for `make test-more`."""
    return registry.engine(name).takes_seconds


def param(name):
    return pytest.param(name, marks=[pytest.mark.more] if is_dear(name) else [])


@pytest.fixture(params=[param(e.name) for e in HERE if e.family == "sql"])
def engine(request):
    return request.param


def whole():
    """The engines that `make test` puts to every check: those of SQL, which have no other tests, and of each other
    family the one with the fewest configurations (but several). The long checks of the others are for `make test-more`:
    tests of their families do as much."""
    by_family = {}
    for engine in HERE:
        if len(engine.configs) > 1:
            by_family.setdefault(engine.family, []).append(engine)
    chosen = [min(engines, key=lambda e: len(e.configs)) for engines in by_family.values()]
    return {e.name for e in (*chosen, *(e for e in HERE if e.family == "sql"))}


def checks():
    for name in [e.name for e in HERE]:
        for check in engine_checks(name):
            is_more = is_dear(name) or (name not in whole() and str(check).startswith(LONG))
            yield pytest.param(check, id=f"{name}: {check}", marks=[pytest.mark.more] if is_more else [])


@pytest.mark.parametrize("check", list(checks()))
def test_an_engine_conforms(check):
    check()


def test_every_family_has_an_engine_that_is_put_to_every_check():
    assert (
        {registry.engine(name).family for name in whole()}
        == {e.family for e in HERE}
        == set(registry.BUILT_IN["gainsay.families"])
    )


@pytest.mark.parametrize("check", [pytest.param(c, id=f"{name}: {c}") for name in ORACLES for c in oracle_checks(name)])
def test_an_oracle_conforms(check):
    check()


def too_long(target, **more):
    return next(c for c in engine_checks(target, **more) if "too long" in str(c))


@pytest.mark.parametrize("engine", ["clingo", "cozo", "muz", "nemo"])
def test_a_datalog_engine_that_nothing_can_stop_is_ended_with_its_process(engine):
    too_long(engine)()


def test_an_engine_that_says_it_can_be_stopped_must_be_stopped_by_itself(monkeypatch):
    monkeypatch.setattr(registry.engine("clingo").__class__, "is_stoppable", True)
    monkeypatch.setattr(seating, "HARD_S", 1.0)
    with pytest.raises(AssertionError, match="is_stoppable"):
        too_long("clingo")()


def test_what_is_not_long_is_no_time_out():
    with pytest.raises(AssertionError, match="takes very long gives"):
        too_long("clingo", long="o(1).\n#show o/1.")()


def test_what_has_nothing_to_go_by_is_skipped_and_not_passed():
    with pytest.raises(SkipTest, match="long=TEXT"):
        too_long("clingo", long="this is ( no question")()


@pytest.fixture(params=["local", "hosted"])
def player(request, engine, seat_of):
    made = LocalPlayer(seat_of(engine)) if request.param == "local" else HostedPlayer(Target(engine))
    made.reset()
    yield made
    made.close()


def spoken(engine):
    return registry.family("sql").dialect(registry.engine(engine).dialect)


def test_rows_come_as_tuples_of_plain_values(player, engine):
    spell = spoken(engine).spell
    player.ask(f"CREATE TABLE t(a {spell.get('INTEGER', 'INTEGER')}, b {spell.get('TEXT', 'VARCHAR(9)')})")
    player.ask("INSERT INTO t VALUES (1, 'x'), (NULL, '')")
    answer = player.ask("SELECT a, b FROM t ORDER BY b DESC")
    assert isinstance(answer, Rows)
    assert answer.rows == [(1, "x"), (None, "")]


def test_a_refusal_says_whether_it_is_about_syntax_or_a_name(player):
    for text, kind in (("SELEKT 1", "syntax"), ("SELECT * FROM missing", "name")):
        answer = player.ask(text)
        assert isinstance(answer, Refused)
        assert answer.kind == kind


def test_the_version_has_numbers(engine):
    seat = describing.describe(Target(engine))
    assert seat.version.count(".") in (1, 2, 3)
    assert dict(seat.facts)["like-case"] in ("sensitive", "insensitive")


def is_refused(engine, player, feature):
    """Whether an engine refuses a feature, asked for by itself."""
    probe = next(p for p in registry.family("sql").probes(registry.engine(engine).dialect) if p.feature == feature)
    return [type(player.ask(text)) for text in (*probe.setup, *probe.texts)][-1] is Refused


def test_probing_finds_what_is_there(engine, player, seat_of):
    missing = seat_of(engine).refused
    for feature in ("join:LEFT JOIN", "clause:subquery", "stmt:view"):
        assert feature not in missing
    assert ("stmt:index" in missing) == is_refused(engine, player, "stmt:index")
    strict = not spoken(engine).loose
    assert ("table:strict" in missing) == strict
    assert ("op:&/int,int" in missing) is False and ("join:no on" in missing) == strict


def test_build_options_are_part_of_the_target():
    facts = dict(describing.describe(Target("apsw")).facts)
    assert facts["like-blob"] == "never"
    assert "LIKE_DOESNT_MATCH_BLOBS" in describing.describe(Target("apsw")).build


def test_a_library_by_path_is_proved_to_be_the_one_that_answers(gainsay):
    """The standard library's own libsqlite3, named by its path: same version, and the process says so itself."""
    code = (
        "import sqlite3, re; print(sqlite3.sqlite_version); print(*re.findall(r'/\\S*libsqlite3\\S*', "
        "open('/proc/self/maps').read())[:1])"
    )
    version, *paths = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    if not paths:
        pytest.skip(
            "this Python's sqlite3 has its own copy linked in: use one that links libsqlite3 dynamically (Debian: "
            "libsqlite3-0)"
        )
    result = gainsay("engines", "check", f"sqlite?lib={paths[0]}", "--json")
    assert result.code == 0, result.err
    assert result.json["version"] == version
    assert result.json["probed"] > 90


def test_a_release_from_pypi_runs_beside_the_installed_one(gainsay):
    result = gainsay("engines", "check", "sqlite@3.46.1", "--json")
    assert result.json["version"] == "3.46.1", result.err
    assert result.json["facts"]["like-blob"][0] == "as text", "a plain build, unlike apsw's"

"""PostgreSQL's adapter: values, refusals, releases."""

import os
import shutil
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from gainsay.core import registry
from gainsay.core.answer import Refused, Rows
from gainsay.engines import postgres_wire, postgresql


@pytest.fixture(scope="module")
def session():
    made = registry.engine("postgresql").open_session((), {})
    yield made
    made.close()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1), ("1::BIGINT", 1), ("TRUE", True), ("0.50", Decimal("0.50")), ("'-0'::FLOAT8", -0.0), ("'a'", "a"),
        ("NULL", None), ("'{1,NULL}'::INT[]", "{1,NULL}"), ("'1.0'::JSONB", Decimal("1.0")), ("'null'::JSONB", "null"),
        ("INTERVAL '1 day'", "86400 s"), ("INTERVAL '24:00:00'", "86400 s"), ("INTERVAL '-1 month'", "-2592000 s"),
        ("INTERVAL '1 day -01:00:00'", "82800 s"),
    ],
)  # fmt: skip
def test_a_value_is_plain(session, text, value):
    assert session.ask(f"SELECT {text}").rows == [(value,)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("SELEKT", "syntax"), ("SELECT x", "name"), ("SELECT 1 / 0", "value"), ("SELECT 2147483647 + 1", "overflow"),
        ("SELECT 'a'::INT", "conversion"), ("SELECT 1 = TRUE", "name"),
    ],
)  # fmt: skip
def test_a_refusal_has_a_kind(session, text, kind):
    answer = session.ask(text)
    assert isinstance(answer, Refused) and answer.kind == kind, answer


def test_an_internal_error_is_told_with_its_place():
    assert ("XX", "internal") in postgres_wire.KINDS


def test_several_statements_that_are_one_of_ours_do_all_or_are_refused(session):
    session.renew()
    session.ask("CREATE TABLE t0(c0 INT) PARTITION BY LIST (c0); CREATE TABLE t0_0 PARTITION OF t0 DEFAULT")
    session.ask("INSERT INTO t0 VALUES (1)")
    assert session.ask("SELECT * FROM t0").rows == [(1,)]
    assert isinstance(session.ask("SELECT 1; SELECT x; SELECT 2"), Refused)


@pytest.mark.parametrize(("version", "artifact"), [("16.2", "16.2.0"), ("9.6.24", "9.6.24")])
def test_a_release_is_a_maven_artifact(version, artifact):
    assert registry.engine("postgresql").requirements(version) == [f"mvn:{postgresql.ARTIFACT}:{artifact}"]


def test_the_log_is_told_without_times_and_process_numbers():
    log = (
        "2026-01-01 00:00:00.000 UTC [17] LOG:  client backend (PID 99) was terminated by signal 11: Segmentation "
        "fault\n"
    )
    assert postgresql.telling(log) == ["LOG:  client backend  was terminated by signal 11: Segmentation fault"]


def test_a_program_in_the_folder_that_we_are_in_is_not_taken(tmp_path, monkeypatch):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "postgres").write_text("#!/bin/sh\necho something else\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), "", *sys.path])
    assert not postgresql.program().startswith((str(tmp_path), "bin"))


@pytest.fixture
def hidden(tmp_path):
    """The package in a folder that only root can look into."""
    package = Path(postgresql.program()).parents[2]
    for name in (package.name, f"{package.name}.libs"):
        shutil.copytree(package.parent / name, tmp_path / name, symlinks=True)
    tmp_path.chmod(0o700)
    return tmp_path / Path(postgresql.program()).relative_to(package.parent)


AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root has folders that the server's user can't look into")


@AS_ROOT
def test_a_package_in_a_folder_of_roots_makes_its_first_cluster(hidden, monkeypatch, tmp_path):
    monkeypatch.setenv("GAINSAY_CACHE", str(tmp_path / "cache"))
    own = postgresql.OwnPostgres(str(hidden))
    try:
        (answer,) = own.wire().run(["SELECT 1"])
        assert isinstance(answer, Rows) and answer.rows == [(1,)]
    finally:
        own.end()


@AS_ROOT
def test_a_reproducer_runs_a_release_in_a_folder_of_roots(hidden, tmp_path):
    script = tmp_path / "repro.py"
    script.write_text(postgresql.PostgreSQL().repro("", {}, ()) + "\nprint(ask('SELECT 1 + 1'))\n")
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "POSTGRES_BIN": str(hidden.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "[(2,)]", done.stderr

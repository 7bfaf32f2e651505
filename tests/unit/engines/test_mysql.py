"""MySQL's kin: what a reproducer says where it can't come by a server."""

import os
import signal
import subprocess
import sys

import pytest

from gainsay.core import registry
from gainsay.core.answer import Refused
from user_servers import NO_MARIADB, NO_MYSQL, has_mariadb, has_mysql


@pytest.mark.parametrize(("hidden", "said"), [("pymysql", "pip install PyMySQL"), ("gainsay", "No module named")])
def test_a_reproducer_says_what_it_needs(tmp_path, hidden, said):
    (tmp_path / f"{hidden}.py").write_text(f"raise ImportError(\"No module named '{hidden}'\")")
    text = registry.engine("tidb").repro("", {}, ())
    kept = {k: v for k, v in os.environ.items() if not k.startswith("MYSQL_")}
    result = subprocess.run(
        [sys.executable, "-c", text],
        env={**kept, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    told = result.stderr.strip().splitlines()[-1]
    assert said in told and "set MYSQL_HOST" in told and "GAINSAY_TIDB_PASSWORD" in told and "repro.sql" in told


@pytest.mark.parametrize(
    "engine",
    [
        pytest.param("mysql", marks=pytest.mark.skipif(not has_mysql(), reason=NO_MYSQL)),
        pytest.param("mariadb", marks=pytest.mark.skipif(not has_mariadb(), reason=NO_MARIADB)),
    ],
)
def test_the_commands_of_a_reproducer_start_a_server_and_run_it_there(tmp_path, engine):
    text = registry.engine(engine).repro("8.0.33" if engine == "mysql" else "11.4.5", {}, ())
    (tmp_path / "repro.py").write_text(text + 'print(ask("SELECT 7"))\n')
    noted = text.partition("By hand:\n")[2].partition("\nimport")[0]
    commands = "\n".join(line.removeprefix("#   ") for line in noted.splitlines()).replace(
        "/tmp/repro", str(tmp_path / "d")
    )
    commands = commands.replace("python repro.py", f"{sys.executable} repro.py")
    env = {**os.environ, "PYTHONPATH": ""}
    with open(tmp_path / "said", "w") as said:  # a server that goes on would keep a pipe open
        shell = subprocess.Popen(
            ["sh", "-e", "-c", commands], cwd=tmp_path, env=env, stdout=said, stderr=said, start_new_session=True
        )
        try:
            assert shell.wait(120) == 0, (tmp_path / "said").read_text()
        finally:
            os.killpg(shell.pid, signal.SIGKILL)
    assert "[(7,)]" in (tmp_path / "said").read_text()


@pytest.mark.skipif(not has_mariadb(), reason=NO_MARIADB)
@pytest.mark.parametrize("storage", ["INNODB", "MYISAM"])
def test_what_cannot_be_stored_is_refused_in_every_storage_engine(storage):
    session = registry.engine("mariadb").open_session((), {})
    session.ask(f"CREATE TABLE t0(c0 DATETIME NOT NULL) ENGINE = {storage}")
    for values in ("(0)", "('2000-01-01'), (NULL)", "('2000-01-01'), ('2000-00-01')"):
        assert isinstance(session.ask(f"INSERT INTO t0 VALUES {values}"), Refused)
    assert session.ask("SELECT * FROM t0 WHERE c0 IS NULL").rows == []
    session.close()

"""A server of the user's, SQL: what it is asked for, what is left there, and what is said where something is wrong."""

import json
import os
import pty
import signal
import subprocess
import sys
import time

import pytest

from user_servers import (
    NO_MARIADB,
    NO_MYSQL,
    PASSWORD,
    UserMariadb,
    UserMysql,
    UserPostgres,
    has_mariadb,
    has_mysql,
)

KINDS = [
    pytest.param(UserPostgres, id="postgresql"),
    pytest.param(UserMariadb, id="mariadb", marks=pytest.mark.skipif(not has_mariadb(), reason=NO_MARIADB)),
    pytest.param(UserMysql, id="mysql", marks=pytest.mark.skipif(not has_mysql(), reason=NO_MYSQL)),
]
# One oracle and one seed: an engine that breaks by chance is not what is tested here
SMALL = ("--set", "sql.mix=small", "--workers", "1", "--oracle", "norec", "--seed", "7")


@pytest.fixture(scope="module", params=KINDS)
def theirs(request, tmp_path_factory):
    made = request.param(tmp_path_factory.mktemp("theirs"))
    yield made
    made.close()


@pytest.fixture
def known(theirs):
    """The environment in which the password is known."""
    return {theirs.variable: PASSWORD}


def test_a_wrong_password_is_told_without_it(gainsay, theirs):
    result = gainsay("engines", "check", theirs.target(database="empty"), env={theirs.variable: "wrong-0815"})
    assert result.code == 2 and "does not let us in" in result.err and theirs.variable in result.err
    assert "wrong-0815" not in result.err + result.out


def test_without_a_password_and_without_a_terminal_it_is_told_where_one_is_looked_for(gainsay, theirs):
    result = gainsay("engines", "check", theirs.target(database="empty"), env={theirs.variable: ""})
    assert result.code == 2 and theirs.variable in result.err


def typed(arguments, answers, cwd, env):
    """Run the command at a terminal, and type an answer whenever it asks for a password."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(cwd)
        os.execve(sys.executable, [sys.executable, "-m", "gainsay.cli.main", *arguments], env)
    said = b""
    waiting = list(answers)
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:
            break
        if not part:
            break
        said += part
        if said.count(b"The password for") > len(answers) - len(waiting) and waiting:
            time.sleep(0.2)  # until it no longer shows what is typed
            os.write(terminal, waiting.pop(0).encode() + b"\n")
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), said.decode("utf-8", "replace")


def test_at_a_terminal_the_password_is_asked_for_and_shown_nowhere(theirs, tmp_path):
    env = {k: v for k, v in os.environ.items() if k != theirs.variable}
    words = ["hunt", theirs.target(database="empty"), "--checks", "40", *SMALL, "--out", str(tmp_path / "out")]
    code, said = typed(words, ["wrong-0815", PASSWORD], tmp_path, env)
    assert code in (0, 1) and "Hunting on" in said, said
    assert PASSWORD not in said
    written = [p for p in (tmp_path / "out").rglob("*") if p.is_file()]
    assert written and not any(PASSWORD.encode() in p.read_bytes() for p in written)


def test_whoever_gives_no_password_at_a_terminal_is_told_what_is_wrong(theirs, tmp_path):
    env = {k: v for k, v in os.environ.items() if k != theirs.variable}
    code, said = typed(["engines", "check", theirs.target(database="empty")], [""], tmp_path, env)
    assert code == 2 and "does not let us in" in said


def test_a_user_who_may_only_read_is_told_what_to_grant(gainsay, theirs, known):
    result = gainsay("engines", "check", theirs.target("reader", database="empty"), env=known)
    assert result.code == 2 and "may not create" in result.err and "GRANT" in result.err
    assert theirs.left() == []


def test_a_database_with_tables_of_others_is_left_alone(gainsay, theirs, known):
    result = gainsay("engines", "check", theirs.target(database="theirs"), env=known)
    assert result.code == 2 and "precious" in result.err and "--wipe" in result.err
    hunted = gainsay("hunt", theirs.target(database="theirs"), "--wipe", "--checks", "40", *SMALL, env=known)
    assert hunted.code in (0, 1), hunted.err
    assert theirs.precious() == [(42,)] and theirs.left() == []


def test_a_hunt_leaves_nothing_there(gainsay, theirs, known):
    result = gainsay("hunt", theirs.target(database="empty"), "--for", "4s", *SMALL, env=known)
    assert result.code in (0, 1), result.err
    assert theirs.left() == []


def test_a_finding_has_a_reproducer_that_shows_it_there(gainsay, theirs, known, tmp_path):
    if theirs.engine == "postgresql":
        pytest.skip("its hunts find nothing")
    words = ("--for", "120s", "--stop-after", "1", "--workers", "1", "--seed", "15", "--out", "out")
    result = gainsay("hunt", theirs.target(database="empty"), *words, env=known)
    assert result.code == 1, result.out + result.err
    (repro, *_) = sorted((tmp_path / "out" / "findings").glob("*/repro.py"))
    env = {**os.environ, **known, "PATH": "/nowhere"}
    done = subprocess.run([sys.executable, str(repro)], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    theirs.ask("DROP DATABASE gainsay_repro")


class Hunting:
    """A hunt that goes on until it is ended."""

    def __init__(self, theirs, folder, words=()):
        words = words or ["hunt", theirs.target(database="empty"), "--for", "10m", *SMALL, "--out", str(folder / "out")]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gainsay.cli.main", *words],
            cwd=folder,
            env={**os.environ, theirs.variable: PASSWORD},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        said = ""
        for line in self.process.stdout:
            said += line
            if "checks (" in line and " 0 checks" not in line:
                return
        raise AssertionError(said)


def is_there(theirs):
    """Whether something of ours is there: between two scenes there is nothing for a moment."""
    for _ in range(100):
        if theirs.left():
            return True
        time.sleep(0.05)
    return False


def test_ctrl_c_leaves_nothing_there(theirs, tmp_path):
    hunting = Hunting(theirs, tmp_path)
    assert is_there(theirs)
    hunting.process.send_signal(signal.SIGINT)
    hunting.process.communicate(timeout=60)
    assert theirs.left() == []


def test_what_a_killed_hunt_left_is_removed_by_the_next_one(gainsay, theirs, known, tmp_path):
    hunting = Hunting(theirs, tmp_path)
    children = subprocess.run(
        ["pgrep", "-f", "gainsay.campaign.worker|gainsay.triage.worker"], capture_output=True, text=True, check=False
    ).stdout.split()
    mine = [int(pid) for pid in children if f"{theirs.variable}={PASSWORD}" in environment(pid)]
    for pid in (hunting.process.pid, *mine):
        os.kill(pid, signal.SIGKILL)
    hunting.process.communicate(timeout=60)
    time.sleep(0.5)  # the server sees that they hung up
    assert is_there(theirs)
    result = gainsay("hunt", theirs.target(database="empty"), "--checks", "40", *SMALL, "--out", "another", env=known)
    assert result.code in (0, 1), result.err
    assert theirs.left() == []


def environment(pid):
    try:
        with open(f"/proc/{pid}/environ", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def test_a_file_of_targets_names_sql_servers_too(gainsay, theirs, tmp_path):
    entry = {"host": "127.0.0.1", "port": theirs.port, "username": "me", "password": PASSWORD, "database": "empty"}
    (tmp_path / "config.json").write_text(json.dumps({f"{theirs.engine}@mine": entry}))
    result = gainsay("hunt", "--targets", "config.json", "--checks", "40", *SMALL)
    assert result.code in (0, 1), result.err
    assert theirs.left() == []
    assert PASSWORD not in result.out + result.err


BEGINS = """
import json, sys
from gainsay.core import registry
session = registry.engine(sys.argv[1]).open_session((), json.loads(sys.argv[2]))
print(session.ask("SELECT 7").rows)
session.close()
"""


def test_a_process_that_begins_while_the_server_is_away_has_it_started_again(theirs, known):
    options = {"host": "127.0.0.1", "port": str(theirs.port), "user": "me", "database": "empty"}
    words = [theirs.engine, json.dumps({**options, "restart": theirs.restart_command()})]
    theirs.stop()
    env = {**os.environ, **known}
    said = subprocess.run([sys.executable, "-c", BEGINS, *words], env=env, capture_output=True, text=True, check=False)
    theirs.stop()
    theirs.start()  # a child of ours again
    assert said.stdout == "[(7,)]\n", said.stderr


def test_a_server_that_does_not_come_back_is_no_mistake_of_ours(theirs, known, tmp_path):
    entry = {"host": "127.0.0.1", "port": theirs.port, "username": "me", "restart-command": "exit 7"}
    if theirs.engine == "postgresql":
        theirs.ask("GRANT CREATE ON DATABASE postgres TO me")
    (tmp_path / "config.json").write_text(json.dumps({f"{theirs.engine}@mine": entry}))
    words = ["hunt", "--targets", "config.json", "--for", "60s", *SMALL, "--out", "out"]
    hunting = Hunting(theirs, tmp_path, words)
    theirs.stop()
    out, _ = hunting.process.communicate(timeout=120)
    try:
        assert hunting.process.returncode in (1, 2) and "failed with exit status 7" in out, out
        assert "mistake" not in out and '"trouble"' not in (tmp_path / "out" / "journal.jsonl").read_text()
    finally:
        theirs.start()


@pytest.mark.parametrize("has_command", [True, False])
def test_a_server_that_goes_away_is_started_again_by_its_owners_command(gainsay, theirs, known, tmp_path, has_command):
    entry = {"host": "127.0.0.1", "port": theirs.port, "username": "me"}
    if theirs.engine == "postgresql":
        theirs.ask("GRANT CREATE ON DATABASE postgres TO me")
    if has_command:
        entry["restart-command"] = theirs.restart_command()
    (tmp_path / "config.json").write_text(json.dumps({f"{theirs.engine}@mine": entry}))
    words = ["hunt", "--targets", "config.json", "--for", "14s" if has_command else "60s", *SMALL, "--out", "out"]
    process = subprocess.Popen(
        [sys.executable, "-m", "gainsay.cli.main", *words],
        cwd=tmp_path,
        env={**os.environ, **known},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for line in process.stdout:
        if "checks (" in line and " 0 checks" not in line:
            break
    theirs.stop()
    out, err = process.communicate(timeout=120)
    try:
        if has_command:
            assert process.returncode in (0, 1), out + err
            assert (theirs.folder / "restarts").exists()
            assert theirs.left() == []
        else:
            assert process.returncode in (1, 2), out + err  # 1 where it had findings before
            assert "is gone" in err and "restart=COMMAND" in err
    finally:
        if not has_command:
            theirs.start()

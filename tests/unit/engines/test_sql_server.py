"""Servers of ours: PostgreSQL is real here, as everywhere in these tests."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from gainsay.core import registry
from gainsay.core.answer import Died, GaveUp, Refused, Rows
from gainsay.engines import mysql_wire, postgres_wire, server, sql_server
from gainsay.limits import tree


@pytest.fixture
def session():
    made = registry.engine("postgresql").open_session((), {})
    yield made
    made.close()


def backend(session):
    return session.ask("SELECT pg_backend_pid()").rows[0][0]


def test_a_scene_is_gone_when_the_session_is_renewed(session):
    session.ask("CREATE TABLE t0(c0 INT)")
    session.ask("CREATE TEMPORARY TABLE t1(c0 INT)")
    assert session.renew()
    assert isinstance(session.ask("SELECT * FROM t0"), Refused)
    assert isinstance(session.ask("SELECT * FROM t1"), Refused)


def test_a_setting_is_gone_when_the_session_is_renewed(session):
    session.ask("SET enable_seqscan = off")
    session.renew()
    assert session.ask("SHOW enable_seqscan").rows == [("on",)]


def test_an_error_in_a_block_voids_its_own_question_only(session):
    session.ask("CREATE TABLE t0(c0 INT)")
    session.ask("INSERT INTO t0 VALUES (0)")
    asked = ["SELECT 1", "SELECT 1 / c0 FROM t0", "SELECT 2", "SELECT nothing", "SELECT c0 FROM t0"]
    found = session.ask_block(asked)
    assert [a.rows if isinstance(a, Rows) else a.kind for a in found] == [[(1,)], "value", [(2,)], "name", [(0,)]]


def test_a_refusal_does_not_name_our_schema(session):
    session.ask("CREATE TABLE t0(c0 INT)")
    asked = "SELECT pg_column_size(c0) FROM t0 WHERE c0 = CAST(current_schema() || '.t0' AS INT)"
    session.ask("INSERT INTO t0 VALUES (0)")
    for said in (session.ask(asked), session.ask_block([asked])[0], session.run_script([asked])[0]):
        assert said.message == 'invalid input syntax for type integer: "t0"'


def test_a_backend_that_dies_is_a_death_and_the_scene_is_there_again(session):
    session.ask("CREATE TABLE t0(c0 INT)")
    session.ask("INSERT INTO t0 VALUES (7)")
    os.kill(backend(session), signal.SIGSEGV)
    time.sleep(0.1)
    died = session.ask("SELECT c0 FROM t0")
    assert isinstance(died, Died) and died.signal == "SIGSEGV" and "terminated by signal 11" in died.stderr
    assert session.ask("SELECT c0 FROM t0").rows == [(7,)]


def test_a_server_that_dies_in_a_block_is_started_again_with_the_scene(session):
    session.ask("CREATE TABLE t0(c0 INT)")
    session.ask("INSERT INTO t0 VALUES (7)")
    os.kill(session._own.process.pid, signal.SIGKILL)
    time.sleep(0.2)
    assert [a.rows for a in session.ask_block(["SELECT c0 FROM t0", "SELECT 1"])] == [[(7,)], [(1,)]]


def test_what_takes_too_long_is_given_up(session):
    session.ask("SET statement_timeout = 50")
    assert isinstance(session.ask("SELECT pg_sleep(5)"), GaveUp)
    assert session.ask("SELECT 1").rows == [(1,)]


def test_a_line_in_the_log_that_nobody_was_told_of_is_an_internal_error(session):
    with open(session._own.log_file, "ab") as log:
        log.write(b"TRAP: failed Assert somewhere\n")
    answer = session.ask("SELECT 1")
    assert isinstance(answer, Refused) and answer.kind == "internal" and "TRAP: failed Assert" in answer.message
    assert session.ask("SELECT 1").rows == [(1,)]


def test_a_server_that_dies_of_a_full_disk_is_no_finding(session):
    with open(session._own.log_file, "ab") as log:
        log.write(b'PANIC:  could not write to file "pg_wal/xlogtemp.1": No space left on device\n' * 50)
    os.kill(session._own.process.pid, signal.SIGKILL)
    time.sleep(0.2)
    with pytest.raises(RuntimeError, match=r"The disk under our server is full .*TMPDIR"):
        session.ask("SELECT 1")


def test_a_server_ends_with_its_owner_and_leaves_no_folder():
    code = (
        "from gainsay.core import registry; s = registry.engine('postgresql').open_session((), {}); "
        "print(s._own.process.pid, s._own.folder, flush=True); import time; time.sleep(60)"
    )
    owner = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    pid, folder = owner.stdout.readline().split()
    children = list(tree(int(pid)))
    assert Path(folder).exists() and len(children) > 1
    owner.kill()
    owner.wait()
    until = time.monotonic() + 15
    while time.monotonic() < until and (Path(folder).exists() or any(map(is_running, children))):
        time.sleep(0.05)
    assert not Path(folder).exists()
    assert not any(map(is_running, children))


def segment(folder):
    """The number of the shared memory that PostgreSQL keeps in the kernel."""
    return (Path(folder) / "data" / "postmaster.pid").read_text().splitlines()[6].split()[1]


def segments():
    return {line.split()[1] for line in Path("/proc/sysvipc/shm").read_text().splitlines()[1:]}


def test_a_server_of_ours_is_nobodys_and_open_to_nobody(session):
    own = session._own
    assert Path(f"/proc/{own.process.pid}").stat().st_uid == (server.NOBODY if os.geteuid() == 0 else os.geteuid())
    assert Path(own.folder).stat().st_mode & 0o077 == 0
    settings = ("listen_addresses", "fsync", "synchronous_commit", "unix_socket_directories")
    assert [session.ask(f"SHOW {name}").rows[0][0] for name in settings] == ["", "off", "off", own.folder]


def test_a_server_that_was_killed_leaves_no_shared_memory(session):
    own, made = session._own, segment(session._own.folder)
    assert made in segments()
    assert session.ask("SHOW dynamic_shared_memory_type").rows == [("mmap",)]  # in its folder, which goes with it
    os.kill(own.process.pid, signal.SIGKILL)
    session.close()
    assert made not in segments()


@pytest.fixture
def apart():
    """A folder for servers that no other process on this machine looks into."""
    with tempfile.TemporaryDirectory() as made:
        os.chmod(made, 0o755)
        yield made


def test_a_server_that_was_killed_with_its_owner_leaves_no_shared_memory(apart):
    code = (
        f"from gainsay.engines import server; server.MEMORY_FILES = {apart!r}; from gainsay.core import registry; "
        "s = registry.engine('postgresql').open_session((), {}); "
        "print(s._own.process.pid, s._own.folder, flush=True); import time; time.sleep(60)"
    )
    owner = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    pid, folder = owner.stdout.readline().split()
    made = segment(folder)
    os.kill(int(pid), signal.SIGKILL)
    owner.kill()
    owner.wait()
    until = time.monotonic() + 15
    while time.monotonic() < until and (Path(folder).exists() or made in segments()):
        time.sleep(0.05)
    assert made not in segments() and not Path(folder).exists()


def test_a_folder_of_a_dead_process_is_cleared_by_its_guard_or_by_the_next_of_us(monkeypatch, tmp_path):
    monkeypatch.setattr(server, "MEMORY_FILES", str(tmp_path))
    old = tmp_path / f"{server.FOLDER}4194304-x"  # no process has such a number
    old.mkdir()
    guard = server.Guard(4194304, str(old), signal.SIGKILL)
    server.remove(server.folder())
    assert old.exists()
    guard.dismiss()
    server.remove(server.folder())
    assert not old.exists()


def is_running(pid):
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def test_closing_leaves_no_folder_and_no_process(session):
    folder, pid = session._own.folder, session._own.process.pid
    session.close()
    assert not Path(folder).exists() and not is_running(pid)


@pytest.mark.parametrize(("engine", "program"), [("postgresql", "postgres"), ("mysql", "mysqld"), ("dolt", "dolt")])
def test_a_program_for_another_platform_is_told_with_what_to_do(gainsay, tmp_path, engine, program):
    (tmp_path / program).write_bytes(b"\x7fELF and nothing that runs here")
    (tmp_path / program).chmod(0o755)
    result = gainsay("engines", "check", f"{engine}?bin={tmp_path}")
    assert result.code == 2 and "for another platform" in result.err and "Errno" not in result.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"url": "postgresql://me:secret@localhost/x"}, "holds no password"),
        ({"url": "http://localhost"}, "is no address"),
        ({"url": "postgresql://localhost:port/x"}, "The port of a server"),
    ],
)
def test_a_bad_address_is_told_without_the_password(options, said):
    with pytest.raises(RuntimeError, match=said) as error:
        sql_server.place("postgresql", ("postgresql",), 5432, options)
    assert "secret" not in str(error.value)


def test_a_place_is_read_from_a_url_and_from_single_options():
    url = {"url": "postgresql://me@db:5433/test"}
    found = sql_server.place("postgresql", ("postgresql",), 5432, url)
    assert (found.host, found.port, found.user, found.database) == ("db", 5433, "me", "test")
    found = sql_server.place("mysql", ("mysql",), 3306, {"host": "127.0.0.1", "user": "me"})
    assert (found.host, found.port, found.user) == ("127.0.0.1", 3306, "me")
    assert sql_server.place("mysql", ("mysql",), 3306, {}) is None


@pytest.mark.parametrize("word", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
def test_a_port_that_something_else_holds_is_told(monkeypatch, word):
    monkeypatch.setattr(mysql_wire, "GREETING_S", 1)
    kept = []
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        threading.Thread(target=lambda: kept.append(other.accept()[0]) or kept[0].sendall(word), daemon=True).start()
        options = {"host": "127.0.0.1", "port": str(other.getsockname()[1]), "user": "me", "password": "secret"}
        with pytest.raises(sql_server.Unreachable, match=r"No mysql answers at 127\.0\.0\.1") as error:
            mysql_wire.connect(sql_server.place("mysql", ("mysql",), 3306, options), "mysql")
    assert "Start it, or give another address." in str(error.value) and "secret" not in str(error.value)


def test_a_port_that_something_else_holds_is_told_of_postgresql_too():
    kept = []
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        word = b"HTTP/1.1 400 Bad Request\r\n\r\n"
        threading.Thread(target=lambda: kept.append(other.accept()[0]) or kept[0].sendall(word), daemon=True).start()
        options = {"host": "127.0.0.1", "port": str(other.getsockname()[1]), "user": "me", "password": "secret"}
        with pytest.raises(sql_server.Unreachable, match=r"No postgresql answers at 127\.0\.0\.1") as error:
            postgres_wire.connect(sql_server.place("postgresql", ("postgresql",), 5432, options), "postgresql")
    assert "Start it, or give another url." in str(error.value) and "secret" not in str(error.value)


def test_a_server_that_says_it_is_on_its_way_is_waited_for():
    said = [
        "FATAL: the database system is shutting down",
        "FATAL: the database system is not yet accepting connections",
    ]

    def wire():
        if said:
            raise sql_server.Unreachable(said.pop())
        return "a connection"

    assert postgres_wire.awaited(wire) == "a connection" and not said


@pytest.mark.parametrize("message", ["connection refused", "FATAL: the database system is starting up"])
def test_one_that_is_not_there_or_takes_too_long_is_told_of(message):
    def wire():
        raise sql_server.Unreachable(message)

    with pytest.raises(sql_server.Unreachable, match=message):
        postgres_wire.awaited(wire, limit_s=0.0)

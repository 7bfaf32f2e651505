"""What speaks PostgreSQL's protocol and lacks something of it. PostgreSQL stands in, with that taken away."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gainsay.core import registry
from gainsay.core.answer import Refused, Rows
from gainsay.engines import maven, server
from gainsay.engines.postgres_wire import PostgresWire
from gainsay.engines.sql_server import Unreachable, named
from user_servers import PASSWORD, UserPostgres

SMALL = ("--set", "sql.mix=small", "--workers", "1")
NO_CASCADE = """
CREATE OR REPLACE FUNCTION no_cascade() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
  IF current_query() ~* 'drop schema.*cascade' THEN RAISE EXCEPTION 'CASCADE is not yet supported'; END IF; END $$;
CREATE EVENT TRIGGER no_cascade ON ddl_command_start WHEN TAG IN ('DROP SCHEMA') EXECUTE FUNCTION no_cascade()
"""


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    made = UserPostgres(tmp_path_factory.mktemp("theirs"))
    yield made
    made.close()


def options(theirs, database):
    return {"host": "127.0.0.1", "port": str(theirs.port), "user": "me", "password": PASSWORD, "database": database}


def session(theirs, database="empty", engine="questdb"):
    return registry.engine(engine).open_session((), options(theirs, database))


def tables(theirs, database="empty"):
    wire = theirs.wire(database)
    (found,) = wire.run(["SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"])
    wire.close()
    return sorted(row[0] for row in found.rows)


def test_without_schemas_sessions_leave_one_anothers_tables_alone(theirs):
    one, other = session(theirs), session(theirs)
    for number, each in ((1, one), (2, other)):
        each.ask("CREATE TABLE t0(c0 TEXT)")
        each.ask(f"INSERT INTO t0 VALUES ('t0 {number}')")
        each.ask("CREATE VIEW v0 AS SELECT c0 FROM t0")
    assert len(tables(theirs)) == 4
    assert [each.ask("SELECT v0.c0 FROM v0").rows for each in (one, other)] == [[("t0 1",)], [("t0 2",)]]
    assert one.renew() and isinstance(one.ask("SELECT * FROM t0"), Refused)
    assert other.ask("SELECT c0 FROM t0").rows == [("t0 2",)]
    one.close()
    other.close()
    assert tables(theirs) == []


def test_what_is_said_of_a_table_has_its_own_name(theirs):
    made = session(theirs)
    assert made.ask("SELECT * FROM t7").message == 'relation "t7" does not exist'
    made.close()


def test_tables_of_a_process_that_is_gone_are_dropped_and_those_of_another_machine_are_not(theirs):
    pid = f"gainsay_{os.getpid():x}_"
    dead = named("1_t0").replace(pid, "gainsay_400000_")  # no process has such a number
    elsewhere = "gainsay_400000_0_1_t0"
    wire = theirs.wire("empty")
    wire.run([f"CREATE TABLE public.{name}(c0 INT); GRANT ALL ON SCHEMA public TO me" for name in (dead, elsewhere)])
    wire.run([f"ALTER TABLE {name} OWNER TO me" for name in (dead, elsewhere)])
    registry.engine("questdb").prove(options(theirs, "empty"))
    assert tables(theirs) == [elsewhere]
    wire.run([f"DROP TABLE {elsewhere}"])
    wire.close()


def test_without_schemas_tables_of_others_stay_too(gainsay, theirs):
    env = {"GAINSAY_QUESTDB_PASSWORD": PASSWORD}
    told = gainsay("engines", "check", theirs.target(engine="questdb", database="theirs"), env=env)
    assert told.code == 2 and "precious" in told.err and "--wipe" in told.err
    made = session(theirs, "theirs")
    made.ask("CREATE TABLE t0(c0 INT)")
    made.close()
    assert theirs.precious() == [(42,)] and tables(theirs, "theirs") == ["precious"]


@pytest.fixture
def without_cascade(theirs):
    wire = theirs.wire("empty")
    wire.run([NO_CASCADE])
    assert isinstance(wire.run(["DROP SCHEMA IF EXISTS nothing CASCADE"])[0], Refused)
    yield theirs
    wire.run(["DROP EVENT TRIGGER no_cascade"])
    wire.close()


def test_a_schema_that_does_not_go_with_its_tables_is_emptied(without_cascade):
    made = session(without_cascade, engine="pgwire")
    for text in (
        "CREATE TYPE mood AS ENUM ('a')",
        "CREATE TABLE t0(c0 mood)",
        "CREATE TABLE t1() INHERITS (t0)",
        "CREATE VIEW v0 AS SELECT * FROM t0",
        "CREATE MATERIALIZED VIEW v1 AS SELECT * FROM v0",
    ):
        assert isinstance(made.ask(text), Rows)
    assert made.renew() and isinstance(made.ask("SELECT * FROM t0"), Refused)
    assert isinstance(made.ask("CREATE TYPE mood AS ENUM ('b')"), Rows)
    made.close()
    assert without_cascade.left() == []


def test_a_hunt_without_cascade_leaves_nothing_there(gainsay, without_cascade):
    target = without_cascade.target(engine="pgwire", database="empty")
    env = {"GAINSAY_PGWIRE_PASSWORD": PASSWORD}
    result = gainsay("hunt", target, "--checks", "200", *SMALL, "--json", env=env)
    assert result.code in (0, 1), result.err
    assert result.json["checks"] >= 200 and without_cascade.left() == []


ASKED = """
ask("CREATE TABLE t0(c0 TEXT)")
ask("INSERT INTO t0 VALUES ('t0')")
print(ask("SELECT t0.c0 FROM t0"), VERSION)
"""


@pytest.mark.parametrize("engine", ["pgwire", "questdb"])
def test_a_reproducer_can_be_run_again(without_cascade, engine):
    where = {k: v for k, v in options(without_cascade, "empty").items() if k != "password"}
    text = registry.engine(engine).repro("", where, ()) + ASKED
    env = {**os.environ, f"GAINSAY_{engine.upper()}_PASSWORD": PASSWORD}
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env=env, check=False)
        assert done.stdout.startswith(f"[('t0',)] {engine} "), done.stderr
    drop = "DROP SCHEMA IF EXISTS gainsay_repro" if engine == "pgwire" else ""
    wire = without_cascade.wire("empty")
    wire.run(["DROP TABLE IF EXISTS gainsay_repro.t0, gainsay_repro_t0", drop])
    wire.close()


QUESTDB = "mvn:org.questdb:questdb:7.4.2"


@pytest.fixture(scope="module")
def questdb():
    """A real one, as a user has it."""
    home = Path(server.folder())
    assert maven.bring(QUESTDB, home / "jar", False) == ""
    wire, http = server.free_port(), server.free_port()
    (home / "data" / "conf").mkdir(parents=True)
    (home / "data" / "conf" / "server.conf").write_text(
        f"pg.net.bind.to=127.0.0.1:{wire}\nhttp.net.bind.to=127.0.0.1:{http}\nhttp.min.enabled=false\n"
        f"line.tcp.enabled=false\nline.udp.enabled=false\ntelemetry.enabled=false\n"
    )
    command = ["java", "-p", str(next((home / "jar").glob("*.jar"))), "-m", "io.questdb/io.questdb.ServerMain"]
    with open(home / "printed", "wb") as out:
        process = subprocess.Popen([*command, "-d", str(home / "data")], stdout=out, stderr=out)
    until = time.monotonic() + 60
    while True:
        try:
            PostgresWire({"host": "127.0.0.1", "port": str(wire), "user": "admin", "password": "quest"}).close()
            break
        except Unreachable:
            assert time.monotonic() < until and process.poll() is None, (home / "printed").read_text()[-2000:]
            time.sleep(0.1)
    yield wire
    process.kill()
    process.wait()
    shutil.rmtree(home)


@pytest.mark.more
@pytest.mark.skipif(not (shutil.which("java") and shutil.which("mvn")), reason="needs Java: apt-get install maven")
def test_a_hunt_on_questdb_decides_what_it_asks(gainsay, questdb):
    target = f"questdb?host=127.0.0.1&port={questdb}&user=admin&database=qdb"
    result = gainsay("hunt", target, "--checks", "600", *SMALL, "--json", env={"GAINSAY_QUESTDB_PASSWORD": "quest"})
    assert result.code in (0, 1), result.err
    assert result.json["undecidable"] < 0.3 * result.json["checks"]
    wire = PostgresWire({"host": "127.0.0.1", "port": str(questdb), "user": "admin", "password": "quest"})
    (left,) = wire.run(["SELECT table_name FROM information_schema.tables WHERE table_name LIKE 'gainsay%'"])
    wire.close()
    assert left.rows == []

"""Servers as a user has them: on a port, with users and passwords. Real ones, started for a test and ended with it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gainsay.engines import mysql_programs, mysql_wire, postgres_wire, server
from gainsay.engines.postgresql import program as postgres_program
from gainsay.engines.sql_server import Unreachable

PASSWORD = "sekret-4711"
TABLES = Path("/usr/share/mysql")
NO_MARIADB = "no mariadbd with its system tables: apt-get install mariadb-server-core"


NO_MYSQL = "no mysqld of MySQL: put the bin folder of a release on PATH"


def has_mysql() -> bool:
    found = shutil.which("mysqld")
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout if found else ""
    return "Ver " in said and "MariaDB" not in said


def has_mariadb() -> bool:
    found = shutil.which("mariadbd") or shutil.which("mariadbd", path="/usr/sbin")
    return bool(found) and (TABLES / "mysql_system_tables.sql").exists()


class UserServer:
    """A server of somebody else's: `target` is how gainsay reaches it, `variable` where it looks for the password."""

    engine: str
    variable: str

    def __init__(self, folder: Path) -> None:
        self.folder = Path(server.folder())
        self.port = server.free_port()
        self.process: subprocess.Popen[bytes] | None = None
        try:
            self.make()
            self.start()
            self.populate()
        except BaseException:
            self.close()
            raise

    def command(self) -> Sequence[str]:
        raise AssertionError("each kind has its own")

    def make(self) -> None:
        """Its data."""

    def populate(self) -> None:
        """Users, and a table of somebody's."""

    def wire(self) -> Any:
        """A connection of its owner's."""

    def start(self) -> None:
        until = time.monotonic() + 60
        self._launch()
        while True:
            try:
                self.wire().close()
                return
            except Unreachable:
                assert time.monotonic() < until, self.said()
                if self.process.poll() is not None:  # what was killed before it has not ended yet
                    time.sleep(0.5)
                    self._launch()
                time.sleep(0.05)

    def _launch(self) -> None:
        with open(self.folder / "printed", "ab") as out:
            self.process = subprocess.Popen(
                self.command(), stdout=out, stderr=out, cwd="/", start_new_session=True, **server.unprivileged()
            )

    def said(self) -> str:
        return (self.folder / "printed").read_text("utf-8", "replace")[-2000:]

    def restart_command(self) -> str:
        """A shell command that starts it again, as its owner would."""
        nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups " if server.is_root() else ""
        words = " ".join(f"'{word}'" for word in self.command())
        return f"echo again >> {self.folder}/restarts; {nobody}{words} > {self.folder}/printed 2>&1"

    def ask(self, text: str) -> list[Any]:
        wire = self.wire()
        try:
            (answer,) = wire.run([text])
            return answer.rows
        finally:
            wire.close()

    def left(self) -> list[str]:
        """What is there of ours."""
        raise AssertionError("each kind has its own")

    def target(self, user: str = "me", engine: str = "", **options: str) -> str:
        more = "".join(f"&{key}={value}" for key, value in options.items())
        return f"{engine or self.engine}?host=127.0.0.1&port={self.port}&user={user}{more}"

    def stop(self) -> None:
        """As when it is killed."""
        pids = subprocess.run(
            ["pgrep", "-f", str(self.folder)], capture_output=True, text=True, check=False
        ).stdout.split()
        for pid in pids:
            try:
                os.kill(int(pid), signal.SIGKILL)
            except ProcessLookupError:
                continue
        if self.process is not None:
            self.process.wait()
        until = time.monotonic() + 20  # one that a restart command started is buried by whoever has it now
        while any(Path(f"/proc/{pid}").exists() for pid in pids) and time.monotonic() < until:
            time.sleep(0.02)

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class UserPostgres(UserServer):
    """PostgreSQL that wants a password on its port, and none from its owner on the socket."""

    engine = "postgresql"
    variable = "GAINSAY_POSTGRESQL_PASSWORD"

    def programs(self) -> Path:
        return Path(server.reachable(str(Path(postgres_program()).parents[1]), "postgresql")) / "bin"

    def command(self) -> Sequence[str]:
        where = ["-D", f"{self.folder}/data", "-k", str(self.folder), "-p", str(self.port)]
        return [str(self.programs() / "postgres"), *where, "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"]

    def make(self) -> None:
        words = ["-U", "postgres", "--auth-local=trust", "--auth-host=scram-sha-256", "-N", "--locale=C", "-E", "UTF8"]
        subprocess.run(
            [str(self.programs() / "initdb"), "-D", f"{self.folder}/data", *words],
            check=True, capture_output=True, cwd="/", **server.unprivileged(),
        )  # fmt: skip

    def wire(self, database: str = "postgres") -> Any:
        where = {"host": str(self.folder), "port": str(self.port), "user": "postgres", "dbname": database}
        return postgres_wire.PostgresWire(where)

    def populate(self) -> None:
        for text in (
            f"CREATE ROLE me LOGIN PASSWORD '{PASSWORD}' CREATEDB",
            f"CREATE ROLE reader LOGIN PASSWORD '{PASSWORD}'",
            "CREATE DATABASE empty OWNER me",
            "CREATE DATABASE theirs OWNER me",
        ):
            self.ask(text)
        wire = self.wire("theirs")
        wire.run(["CREATE TABLE precious(a INT)", "INSERT INTO precious VALUES (42)"])
        wire.close()

    def precious(self) -> list[Any]:
        wire = self.wire("theirs")
        (answer,) = wire.run(["SELECT a FROM precious"])
        wire.close()
        return answer.rows

    def left(self) -> list[str]:
        found = []
        for database in ("empty", "theirs", "postgres"):
            wire = self.wire(database)
            (answer,) = wire.run(["SELECT nspname FROM pg_namespace WHERE nspname LIKE 'gainsay%'"])
            wire.close()
            found += [row[0] for row in answer.rows]
        return found


class UserMariadb(UserServer):
    """MariaDB with its tables of users."""

    engine = "mariadb"
    variable = "GAINSAY_MARIADB_PASSWORD"

    def program(self) -> str:
        return shutil.which("mariadbd") or shutil.which("mariadbd", path="/usr/sbin") or ""

    def common(self) -> list[str]:
        return [self.program(), "--no-defaults", f"--datadir={self.folder}/data", f"--lc-messages-dir={TABLES}"]

    def command(self) -> Sequence[str]:
        where = [f"--socket={self.folder}/s", f"--port={self.port}", "--bind-address=127.0.0.1"]
        small = ["--innodb-buffer-pool-size=24M", "--innodb-flush-method=nosync", "--skip-ssl", "--skip-name-resolve"]
        return [*self.common(), *where, *small, f"--pid-file={self.folder}/pid"]

    def make(self) -> None:
        (self.folder / "data" / "mysql").mkdir(parents=True)
        server.hand_over(self.folder)
        scripts = ("mysql_system_tables.sql", "mysql_performance_tables.sql", "mysql_system_tables_data.sql")
        said = "use mysql;\nSET @auth_root_socket=NULL;\nSET @current_hostname='localhost';\n"
        said += "\n".join((TABLES / name).read_text("utf-8") for name in scripts)
        subprocess.run(
            [*self.common(), "--bootstrap", "--skip-ssl"],
            input=said.encode(), check=True, capture_output=True, cwd="/", **server.unprivileged(),
        )  # fmt: skip

    def wire(self) -> Any:
        return mysql_wire.MysqlWire(unix_socket=f"{self.folder}/s", user="root")

    def populate(self) -> None:
        for text in (
            f"CREATE USER me@'%' IDENTIFIED BY '{PASSWORD}'",
            "GRANT ALL ON *.* TO me@'%'",
            f"CREATE USER reader@'%' IDENTIFIED BY '{PASSWORD}'",
            "GRANT SELECT ON *.* TO reader@'%'",
            "CREATE DATABASE `empty`",  # a word of MySQL's own
            "CREATE DATABASE theirs",
            "CREATE TABLE theirs.precious(a INT)",
            "INSERT INTO theirs.precious VALUES (42)",
        ):
            self.ask(text)

    def precious(self) -> list[Any]:
        return self.ask("SELECT a FROM theirs.precious")

    def left(self) -> list[str]:
        return [row[0] for row in self.ask("SHOW DATABASES LIKE 'gainsay%'")]


class UserMysql(UserMariadb):
    """MySQL, which asks for passwords in its own way."""

    engine = "mysql"
    variable = "GAINSAY_MYSQL_PASSWORD"

    def program(self) -> str:
        return mysql_programs.reachable(shutil.which("mysqld") or "", "mysql")

    def common(self) -> list[str]:
        home = Path(self.program()).parents[1]
        return [self.program(), "--no-defaults", f"--datadir={self.folder}/data", f"--lc-messages-dir={home}/share"]

    def command(self) -> Sequence[str]:
        return [*super().command(), "--mysqlx=OFF"]

    def make(self) -> None:
        words = [*self.common(), "--initialize-insecure"]
        subprocess.run(words, check=True, capture_output=True, cwd="/", **server.unprivileged())

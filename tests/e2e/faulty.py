"""An engine for tests of ourselves only: the standard library's SQLite in a process that dies, hangs or eats memory on
a word.

It is found like any third-party engine: through an entry point.
"""

import os
import signal
import sqlite3
import time

from gainsay.core.answer import Refused, Rows
from gainsay.engines.sqlite import SQLite, SqliteSession


class FaultySession(SqliteSession):
    def __init__(self, options):
        super().__init__(sqlite3.connect(":memory:", isolation_level=None, cached_statements=0), sqlite3.Error, ())
        self._on, self._how = options.get("on", "BETWEEN"), options.get("how", "SIGSEGV")
        self._asked = 0

    def ask(self, text):
        if text.startswith("SELECT"):
            self._asked += 1
            if self._on in text and "FROM p" not in text:
                answer = self._do(text)
                if answer is not None:
                    return answer
        return super().ask(text)

    def _do(self, text):
        if self._how.startswith("SIG"):
            os.kill(os.getpid(), getattr(signal, self._how))
            time.sleep(5)
        if self._how == "hang":
            while True:
                pass
        if self._how == "memory":
            self.hoard = [bytearray(1 << 20) for _ in range(600)]
            time.sleep(30)
        if self._how == "internal":
            return Refused("internal", "internal error: broken invariant 42")
        if self._how == "stateful" and self._asked > 20:
            return Rows(super().ask(text).rows[1:])
        if self._how == "flaky" and int(time.monotonic() * 1000) % 2:
            return Rows(super().ask(text).rows[1:])
        return None


class Faulty(SQLite):
    name = "faulty"
    options = {
        "on": "the word in a query that does it",
        "how": "SIGSEGV, SIGABRT, SIGKILL, hang, memory, internal, stateful or flaky",
    }

    def open_session(self, configs, options):
        return FaultySession(options)

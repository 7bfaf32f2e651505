"""An engine for tests: SQLite, or clingo, that notes in the file NOTED each time it is asked for its version or a
session, and may take NOTED_S for it."""

import os
import time

from gainsay.engines.clingo import Clingo
from gainsay.engines.sqlite import SQLite


def note(what):
    with open(os.environ["NOTED"], "a") as file:
        file.write(f"{what}\n")


class Noting:
    name = "noted"

    def version(self):
        note("version")
        time.sleep(float(os.environ.get("NOTED_S", "0")))
        return super().version()

    def open_session(self, configs, options):
        note("session")
        return super().open_session(configs, options)


class NotedSQLite(Noting, SQLite):
    pass


class NotedClingo(Noting, Clingo):
    pass

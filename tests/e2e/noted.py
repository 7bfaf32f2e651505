"""An engine for tests: SQLite that notes in the file NOTED each time it is asked for its version or a session, and may take NOTED_S for it."""

import os
import time

from gainsay.engines.sqlite import *  # noqa: F403
from gainsay.engines.sqlite import open_session as opened
from gainsay.engines.sqlite import version as told

NAME = "noted"


def note(what):
    with open(os.environ["NOTED"], "a") as file:
        file.write(f"{what}\n")


def version():
    note("version")
    time.sleep(float(os.environ.get("NOTED_S", "0")))
    return told()


def open_session(configs, options):
    note("session")
    return opened(configs, options)

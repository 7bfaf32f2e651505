"""Several sessions in one database of a server that has no schemas: each has its own names there.

A table t0 is asked for as gainsay_..._t0, and what the server says of that is told of t0."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence

from gainsay.core.answer import Answer, Rows
from gainsay.engines.sql_server import OURS, Wire, plain

OUR_NAMES = re.compile(r"[tvxyi]\d+[A-Z]?(_twin|_back)?|pi?|ty|xc|z[tie]")  # of scenes, of copies of them, of probes
WORDS = re.compile(rf"'(?:[^']|'')*'|\b(?:{OUR_NAMES.pattern})\b")
TABLES = f"SELECT table_name FROM information_schema.tables WHERE table_name LIKE '{OURS}%'"
PASSES = 5  # a view may stand on another one
NOT_DROPPED = "The server does not let us drop {}, which is ours. Drop it by hand, or name another database."


class ApartWire(Wire):
    """A connection on which tables have names that begin with `prefix`, and nobody sees it."""

    def __init__(self, wire: Wire, prefix: str) -> None:
        self._wire = wire
        self._prefix = prefix

    def run(self, texts: Sequence[str]) -> list[Answer]:
        asked = [renamed(text, self._prefix) for text in texts]
        return [plain(answer, self._prefix) for answer in self._wire.run(asked)]

    def close(self) -> None:
        self._wire.close()


def renamed(text: str, prefix: str) -> str:
    """A statement with the prefix before each name of ours: SELECT 't0' FROM t0 -> SELECT 't0' FROM gainsay_t0."""
    return WORDS.sub(lambda found: found[0] if found[0].startswith("'") else prefix + found[0], text)


def tables(wire: Wire) -> list[str]:
    """Tables and views of all sessions of ours."""
    (answer,) = wire.run([TABLES])
    return [name for (name,) in answer.rows if name.startswith(OURS)] if isinstance(answer, Rows) else []


def cleared(wire: Wire, prefix: str) -> None:
    """Drop what has this prefix."""
    for _ in range(PASSES):
        found = [name for name in tables(wire) if name.startswith(prefix)]
        if not found:
            return
        for name in found:
            for kind in ("VIEW", "TABLE"):
                wire.run([f"DROP {kind} IF EXISTS {name}"])
    raise RuntimeError(NOT_DROPPED.format(found[0]))


def owner(name: str) -> str:
    """The session that a table is of: gainsay_1f_2e_3d_t0_twin -> gainsay_1f_2e_3d."""
    return "_".join(name.split("_")[:4])


def begun() -> str:
    """The part of a stand-alone script that gives its tables names of their own, and drops those of the last run."""
    return f"WORDS = re.compile({WORDS.pattern!r})\n{inspect.getsource(renamed)}{SCRIPT}"


SCRIPT = """
for (name,) in tried("SELECT table_name FROM information_schema.tables WHERE table_name LIKE 'gainsay_repro_%'"):
    tried("DROP VIEW IF EXISTS " + name)
    tried("DROP TABLE IF EXISTS " + name)
plainly = ask
def ask(text):
    return plainly(renamed(text, "gainsay_repro_"))
"""

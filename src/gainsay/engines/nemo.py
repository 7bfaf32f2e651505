"""The Nemo rule engine, in process, by its package nemo-python (the module is called nmo_python)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gainsay.core.answer import Answer, Refused, Rows
from gainsay.core.engine import Engine, Facts, Options, Session

OUTPUT = re.compile(r"^@output (\w+) \.$", re.MULTILINE)


def plain(value: Any) -> Any:
    if value.__class__ is str and value[:1] == '"' and value[-1:] == '"':
        return value[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    # Anything else that is no number is a name or a typed literal: not to be taken for a text.
    return value if value.__class__ in (int, float) else ("iri", str(value))


class NemoSession(Session):
    """Programs are independent: each has an engine of its own."""

    def __init__(self) -> None:
        import nmo_python

        self._nemo = nmo_python

    def ask(self, text: str) -> Answer:
        output = OUTPUT.search(text)
        if output is None:
            return Refused("syntax", "the program has no @output statement")
        try:
            engine = self._nemo.NemoEngine(self._nemo.load_string(text))
            engine.reason()
            return Rows([tuple(map(plain, row)) for row in engine.result(output[1])])
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of the engine is a BaseException
            kind = "internal" if type(error).__name__ == "PanicException" else "other"
            return Refused(kind, f"{type(error).__name__}: {error}")


class Nemo(Engine):
    """Programs as text."""

    name = "nemo"
    family = "datalog"
    is_stoppable = False  # nothing interrupts it
    dialect = "nemo"
    package = "nemo-python"
    module = "nmo_python"
    proofs = {
        "sum": ("r(1). r(2).\no(#sum(?A)) :- r(?A).\n@output o .", {"an integer": "[(3,)]"}),
        "aggregate-bag": (
            "r(1,2). r(1,3).\no(#sum(?A)) :- r(?A,?B).\n@output o .",
            {"over distinct values of the named variables": "[(1,)]"},
        ),
    }
    title = "Nemo"
    carried = (plain,)
    repro_open = "import re\nimport nmo_python"
    repro_ask = r"""
engine = nmo_python.NemoEngine(nmo_python.load_string(text))
engine.reason()
output = re.search(r"^@output (\w+) \.$", text, re.MULTILINE)[1]
return [tuple(map(plain, row)) for row in engine.result(output)]
"""

    def open_session(self, configs: Sequence[str], options: Options) -> NemoSession:
        return NemoSession()

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        docs = "https://knowsys.github.io/nemo-doc/reference/aggregates/"
        return {"sum": ("an integer", docs), "aggregate-bag": ("over distinct values of the named variables", docs)}

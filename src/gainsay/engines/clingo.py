"""clingo, in process. Grounding alone computes a stratified program; what it leaves open is solved."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gainsay.core.answer import Answer, GaveUp, Refused, Rows
from gainsay.core.engine import Engine, Facts, Options, Session

SHOW = re.compile(r"^#show (\w+)/(\d+)\.$", re.MULTILINE)


def plain(symbol: Any) -> Any:
    """A number or a text; f(1) is not "f(1)"."""
    kind = symbol.type.name
    return symbol.number if kind == "Number" else symbol.string if kind == "String" else ("symbol", str(symbol))


class ClingoSession(Session):
    """Programs are independent: each has a control of its own."""

    def __init__(self, arguments: Sequence[str]) -> None:
        import clingo

        self._clingo = clingo
        self._arguments = ["--warn=none", "--models=2", *arguments]

    def ask(self, text: str) -> Answer:
        said: list[str] = []
        shown = SHOW.search(text)
        if shown is None:
            return Refused("syntax", "the program has no #show statement")
        try:
            control = self._clingo.Control(self._arguments, logger=lambda code, message: said.append(message))
            control.add("base", [], text)
            control.ground([("base", [])])
            atoms = list(control.symbolic_atoms.by_signature(shown[1], int(shown[2])))
            if all(a.is_fact for a in atoms):
                return Rows([tuple(map(plain, a.symbol.arguments)) for a in atoms])
            found: list[list[Any]] = []
            with control.solve(yield_=True) as handle:
                for model in handle:
                    found.append([tuple(map(plain, s.arguments)) for s in model.symbols(shown=True)])
            return Rows(found[0]) if len(found) == 1 else GaveUp("unknown")
        except RuntimeError as error:
            return Refused("syntax", " ".join([*said, str(error)]))
        except MemoryError as error:
            return Refused("memory", str(error))


class Clingo(Engine):
    """A configuration is arguments of a control."""

    name = "clingo"
    family = "datalog"
    is_stoppable = False  # grounding can't be interrupted
    dialect = "clingo"
    package = "clingo"
    configs = {
        "default": (),
        "no-preprocessing": ("--eq=0", "--sat-prepro=0"),
        "keep-facts": ("--keep-facts",),
    }
    proofs = {
        "sum": ("r(1). r(2).\no(S) :- S = #sum { A : r(A) }.\n#show o/1.", {"an integer": "[(3,)]"}),
    }
    configs_are_statements = False
    carried = (plain,)
    repro_open = "import re\nimport clingo"
    repro_ask = r"""
name, arity = re.search(r"^#show (\w+)/(\d+)\.$", text, re.MULTILINE).groups()
control = clingo.Control(["--warn=none", *$configs])
control.add("base", [], text)
control.ground([("base", [])])
atoms = list(control.symbolic_atoms.by_signature(name, int(arity)))
if all(a.is_fact for a in atoms):
    return [tuple(map(plain, a.symbol.arguments)) for a in atoms]
with control.solve(yield_=True) as handle:
    for model in handle:
        return [tuple(map(plain, s.arguments)) for s in model.symbols(shown=True)]
return []
"""
    repro_version = "clingo.__version__"

    def version(self) -> str:
        import clingo

        return str(clingo.__version__)

    def open_session(self, configs: Sequence[str], options: Options) -> ClingoSession:
        return ClingoSession(self.texts(configs))

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        guide = "https://potassco.org/ (guide, aggregates)"
        return {"sum": ("an integer", guide), "aggregate-bag": ("over tuples of terms", guide)}

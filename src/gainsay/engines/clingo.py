"""clingo, in process. Grounding alone computes a stratified program; what it leaves open is solved."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gainsay.core.answer import Answer, GaveUp, Refused, Rows
from gainsay.core.engine import Engine, Facts, Options, Session


def plain(symbol: Any) -> Any:
    """A number or a text; f(1) is not "f(1)"."""
    kind = symbol.type.name
    return symbol.number if kind == "Number" else symbol.string if kind == "String" else ("symbol", str(symbol))


def models(text: str, arguments: Sequence[str], said: list[str]) -> list[list[Any]]:
    """The rows that a program shows, of each of its models."""
    import clingo

    name, arity = re.findall(r"^#show (\w+)/(\d+)\.$", text, re.MULTILINE)[0]
    control = clingo.Control(["--warn=none", "--models=2", *arguments], logger=lambda _, message: said.append(message))
    control.add("base", [], text)
    control.ground([("base", [])])
    atoms = list(control.symbolic_atoms.by_signature(name, int(arity)))
    if all(a.is_fact for a in atoms):
        return [[tuple(map(plain, a.symbol.arguments)) for a in atoms]]
    with control.solve(yield_=True) as handle:
        return [[tuple(map(plain, s.arguments)) for s in model.symbols(shown=True)] for model in handle]


class ClingoSession(Session):
    """Programs are independent: each has a control of its own."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._arguments = arguments

    def ask(self, text: str) -> Answer:
        said: list[str] = []
        try:
            found = models(text, self._arguments, said)
            return Rows(found[0]) if len(found) == 1 else GaveUp("unknown")
        except IndexError:
            return Refused("syntax", "the program has no #show statement")
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
    configs = {"default": (), "no-preprocessing": ("--eq=0", "--sat-prepro=0"), "keep-facts": ("--keep-facts",)}
    proofs = {"sum": ("r(1). r(2).\no(S) :- S = #sum { A : r(A) }.\n#show o/1.", {"an integer": "[(3,)]"})}
    configs_are_statements = False
    carried = (plain, models)
    repro_open = "import re\nimport clingo"
    repro_ask = "return models(text, $configs, [])[0]"
    repro_version = "clingo.__version__"

    def version(self) -> str:
        import clingo

        return str(clingo.__version__)

    def open_session(self, configs: Sequence[str], options: Options) -> ClingoSession:
        return ClingoSession(self.texts(configs))

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        guide = "https://potassco.org/ (guide, aggregates)"
        return {"sum": ("an integer", guide), "aggregate-bag": ("over tuples of terms", guide)}

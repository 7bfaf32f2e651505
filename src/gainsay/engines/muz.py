"""Z3's fixed points (muZ), in process: programs through the Fixedpoint API, or as a whole script (`:smtlib`)."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gainsay.core.answer import Answer, GaveUp, Refused, Rows
from gainsay.core.engine import Engine, Facts, Options, Session

WIDTH = 6
SOFT_MS = 5000
QUERY = re.compile(r"\(query (\S+)\)\s*$")
VAR = re.compile(r"\(:var (\d+)\)")
TOKEN = re.compile(r"\(|\)|[^\s()]+")


def read(tokens: Iterator[str]) -> Any:
    token = next(tokens)
    if token != "(":
        return token
    items: list[Any] = []
    while True:
        item = read(tokens)
        if item == ")":
            return items
        items.append(item)


def holds(formula: Any, row: Sequence[int]) -> Any:
    """A formula of an answer on a row. KeyError for what is not known."""
    if isinstance(formula, str):
        if formula in ("true", "false"):
            return formula == "true"
        return {"#b": lambda t: int(t, 2), "#x": lambda t: int(t, 16)}[formula[:2]](formula[2:])
    name, args = formula[0], formula[1:]
    if name == ":var":
        return row[int(args[0])]
    if name == "and":
        return all(holds(a, row) for a in args)
    if name == "or":
        return any(holds(a, row) for a in args)
    values = [holds(a, row) for a in args]
    known: dict[str, Any] = {
        "=": lambda a, b: a == b, "not": lambda a: not a, "bvule": lambda a, b: a <= b, "bvult": lambda a, b: a < b,
        "bvuge": lambda a, b: a >= b, "bvugt": lambda a, b: a > b, "distinct": lambda a, b: a != b,
    }  # fmt: skip
    return known[name](*values)


def rows(answer: str, arity: int) -> Answer:
    """The rows of an answer: nearly always it lists them; else it is a formula, which is tried on the whole domain."""
    if answer == "false":
        return Rows([])
    if arity == 0:
        return Rows([()])
    formula = read(iter(TOKEN.findall(answer)))
    listed = formula[1:] if formula[0] == "or" else [formula]
    found = []
    for item in listed:
        parts = item[1:] if item[0] == "and" else [item]
        if len(parts) != arity or not all(
            p[0] == "=" and p[1][0] == ":var" and isinstance(p[2], str) for p in parts if isinstance(p, list)
        ):
            break
        try:
            values = {int(p[1][1]): int(p[2][2:], 2) for p in parts}
        except (ValueError, TypeError, IndexError):
            break
        if len(values) != arity:
            break
        found.append(tuple([values[i] for i in range(arity)]))
    else:
        return Rows(found)
    if arity > 2:
        return GaveUp("unknown")
    try:
        return Rows([row for row in itertools.product(range(1 << WIDTH), repeat=arity) if holds(formula, row)])
    except (KeyError, TypeError, ValueError):
        return GaveUp("unknown")


class MuzSession(Session):
    """Programs are independent: each has a fixed point, or a context, of its own."""

    def __init__(self, settings: Sequence[str]) -> None:
        import z3

        self._z3 = z3
        self._as_script = "smtlib" in settings
        pairs = [s.partition("=")[::2] for s in settings if "=" in s]
        self._settings = [(k, v == "true" if v in ("true", "false") else v) for k, v in pairs]
        self._options = "".join(f"(set-option :fp.{k} {v})" for k, v in pairs)

    def ask(self, text: str) -> Answer:
        query = QUERY.search(text)
        if query is None:
            return Refused("syntax", "the program has no query")
        declared = re.search(rf"\(declare-rel {re.escape(query[1])} \(((?:\(_ BitVec \d+\) ?)*)\)\)", text)
        arity = declared[1].count("BitVec") if declared else 0
        try:
            answer = self._script(text, query) if self._as_script else self._api(text)
        except self._z3.Z3Exception as error:
            said = error.value.decode("utf-8", "replace") if isinstance(error.value, bytes) else str(error.value)
            if said.strip() in ("canceled", "timeout"):
                return GaveUp("timeout")
            return Refused("internal" if "ASSERTION" in said or "unreachable" in said.lower() else "other", said)
        return GaveUp("unknown") if answer is None else rows(" ".join(answer.split()), arity)

    def _api(self, text: str) -> str | None:
        z3 = self._z3
        fixedpoint = z3.Fixedpoint()
        fixedpoint.set(engine="datalog", timeout=SOFT_MS)
        for key, value in self._settings:
            fixedpoint.set(key, value)
        asked = fixedpoint.parse_string(text)[0]
        begun = time.monotonic()
        result = fixedpoint.query(asked)
        if result == z3.unsat:
            return "false"
        if result == z3.unknown:
            if time.monotonic() - begun >= SOFT_MS / 1000:  # it gives no reason then
                raise z3.Z3Exception("timeout")
            return None
        # The API counts the variables of an answer from the last column on; a script from the first.
        last = asked.num_args() - 1
        return VAR.sub(lambda found: f"(:var {last - int(found[1])})", fixedpoint.get_answer().sexpr())

    def _script(self, text: str, query: re.Match[str]) -> str | None:
        z3 = self._z3
        context = z3.Context()
        script = f"(set-option :fp.engine datalog){self._options}" + text[: query.start()]
        said = z3.Z3_eval_smtlib2_string(context.ref(), script + f"(query {query[1]} :print-answer true)")
        verdict, _, answer = str(said).strip().partition("\n")
        if "error" in said or verdict not in ("sat", "unsat", "unknown"):
            raise z3.Z3Exception(said)  # an error is never read as an answer
        return "false" if verdict == "unsat" else None if verdict == "unknown" else answer or "true"


class MuZ(Engine):
    """A configuration is names of fixedpoint parameters and their values; `smtlib` is how the text is given."""

    name = "muz"
    family = "datalog"
    is_stoppable = False  # the timeout does not end a join
    code_base = "z3"
    dialect = "muz"
    package = "z3-solver"
    configs = {
        "default": (),
        "smtlib": ("smtlib",),
        "magic": ("xform.magic=true",),
        "no-slice": ("xform.slice=false",),
        "no-inline": ("xform.inline_eager=false", "xform.inline_linear=false"),
        "no-coi": ("xform.coi=false",),
        "no-compress": ("datalog.unbound_compressor=false", "datalog.similarity_compressor=false"),
        "subsumption": ("xform.subsumption_checker=true",),
        "pentagon": ("datalog.default_relation=pentagon",),
        "all-or-nothing-deltas": ("datalog.all_or_nothing_deltas=true",),
    }
    extension = "smt2"
    run = "z3"  # its own program, which brings the answer's rows too
    configs_are_statements = False
    title = "Z3"
    repro_open = """
import re
import time
import z3
PAIRS = [text.split("=") for text in $configs if "=" in text]
"""
    repro_ask = r'''
"""The rows of an answer that lists them; any other answer as one row of text."""
fixedpoint = z3.Fixedpoint()
fixedpoint.set(engine="datalog")
for key, value in PAIRS:
    fixedpoint.set(key, value == "true" if value in ("true", "false") else value)
asked = fixedpoint.parse_string(text)[0]
if fixedpoint.query(asked) == z3.unsat:
    return []
answer = " ".join(fixedpoint.get_answer().sexpr().split())
one = r"\(= \(:var \d+\) #b[01]+\)"
parts = re.findall(rf"\(and((?: {one})+)\)", answer) or re.findall(one, answer)
listed = [[(-int(k), v) for k, v in re.findall(r":var (\d+)\) #b([01]+)", part)] for part in parts]
rows = [tuple(int(v, 2) for _, v in sorted(pairs)) for pairs in listed]
return rows or [(answer,)]
'''
    repro_version = "z3.get_version_string()"

    def version(self) -> str:
        import z3

        return str(z3.get_version_string())

    def open_session(self, configs: Sequence[str], options: Options) -> MuzSession:
        return MuzSession(self.texts(configs))

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        guide = "https://microsoft.github.io/z3guide/docs/fixedpoints/intro"
        return {"numbers": ("bit-vectors, unsigned", guide)}

    def requirements(self, version: str) -> Sequence[str]:
        return [f"z3-solver=={version}.0", f"z3-solver=={version}"]

    def available(self) -> Mapping[str, str]:
        return {"z3-solver": r"^(\d+\.\d+\.\d+)(?:\.0)?$"}

    def script(self, text: str, configs: Sequence[str]) -> str:
        """With the engine and the parameters that are asked for, and an answer that is printed."""
        pairs = [text.split("=") for text in self.texts(configs) if "=" in text]
        given = [f"(set-option :fp.{key} {value})" for key, value in pairs]
        asked = QUERY.sub(r"(query \1 :print-answer true)", text)
        return "\n".join(["(set-option :fp.engine datalog)", *given, asked])

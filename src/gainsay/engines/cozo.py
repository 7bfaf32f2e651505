"""CozoDB, in process; every release since 0.5.1 that has a wheel for this Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gainsay.core.answer import Answer, GaveUp, Refused, Rows
from gainsay.core.engine import Engine, Facts, Options, Session

VALUE = ("zero", "overflow", "range")  # evaluation errors that are the program's own fault


def refusal(error: BaseException) -> Answer:
    """What an exception means. What we ask is typed: when an expression fails, the engine gave it a wrong value."""
    if isinstance(error, (KeyboardInterrupt, SystemExit)):
        raise error
    if type(error).__name__ == "PanicException":
        return Refused("internal", f"panic: {error}")
    said = error.args[0] if error.args else ""
    if isinstance(said, dict):
        code, message = str(said.get("code", "")), str(said.get("message", ""))
        if "timeout" in code or "killed" in code:
            return GaveUp("timeout")
        help_ = str(said.get("help", "")) + str(said.get("display", ""))
        if code == "eval::throw" and not any(word in help_ for word in VALUE):
            return Refused("internal", f"{code}: {message} {said.get('help', '')}".strip())
        return Refused(code.partition("::")[0] or "other", f"{code}: {message}")
    return Refused("other", str(error))


def frozen(value: Any) -> Any:
    return tuple(frozen(v) for v in value) if value.__class__ is list else value


class CozoSession(Session):
    """An empty database in memory. Programs store nothing, so that one database serves a whole episode."""

    def __init__(self, lines: Sequence[str]) -> None:
        from cozo_embedded import CozoDbPy

        self._db: Any = CozoDbPy("mem", "", "{}")
        self._more = "".join(f"\n{line}" for line in lines)
        run: Any = self._db.run_script
        self._run: Any
        try:
            run("?[a] <- [[1]]", {}, False)
            self._run = lambda text: run(text, {}, False)
        except TypeError:  # 0.7.1 and earlier
            self._run = lambda text: run(text, {})

    def ask(self, text: str) -> Answer:
        try:
            rows = self._run(text + self._more)["rows"]
            return Rows([tuple([v if v.__class__ is not list else frozen(v) for v in row]) for row in rows])
        except BaseException as error:  # a panic of the engine is a BaseException
            return refusal(error)

    def close(self) -> None:
        self._db.close()


class Cozo(Engine):
    """A configuration is a line that is added to each program."""

    name = "cozo"
    family = "datalog"
    is_stoppable = False  # :timeout does not end a join
    dialect = "cozo"
    package = "cozo-embedded"
    configs = {"default": (), "no-magic": (":disable_magic_rewrite true",)}
    proofs = {
        "sum": ("r[a] <- [[1], [2]]\n?[sum(a)] := r[a]", {"always a float": "[(3.0,)]"}),
        "aggregate-bag": (
            "r[a, b] <- [[1, 2], [1, 3]]\n?[count(a)] := r[a, b]",
            {"over all bindings of the body": "[(2,)]"},
        ),
        "one-and-one-point-zero": ("r[a] <- [[1], [1.0]]\n?[count(a)] := r[a]", {"two values": "[(2,)]"}),
    }
    configs_are_statements = False
    title = "CozoDB"
    carried = (frozen,)
    repro_open = """
from cozo_embedded import CozoDbPy
db = CozoDbPy("mem", "", "{}")
MORE = "".join("\\n" + line for line in $configs)
"""
    repro_ask = """
try:
    found = db.run_script(text + MORE, {}, False)
except TypeError:  # 0.7.1 and earlier
    found = db.run_script(text + MORE, {})
return [tuple(map(frozen, row)) for row in found["rows"]]
"""

    def open_session(self, configs: Sequence[str], options: Options) -> CozoSession:
        return CozoSession(self.texts(configs))

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        docs = "https://docs.cozodb.org/en/latest/aggregations.html"
        return {
            "sum": ("always a float", docs),
            "aggregate-bag": ("over all bindings of the body", docs),
            "one-and-one-point-zero": ("two values", "https://docs.cozodb.org/en/latest/datatypes.html"),
        }

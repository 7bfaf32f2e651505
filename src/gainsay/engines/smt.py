"""What the SMT engines have in common: how each is opened, proved and asked in a reproducer.

A configuration's texts are told apart by how they begin: `-` is an argument of the command, `(check-sat-using` replaces
every check, any other `(` is a line of the prelude.
"""

from __future__ import annotations

import re
import subprocess
import sys
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata, util
from typing import ClassVar

from gainsay.core.engine import Engine, Options
from gainsay.engines import shell
from gainsay.engines.on_path import NUMBER
from gainsay.engines.solver import CPU_S, Plan, SolverSession, beside


def limit(options: Options) -> float:
    """CPU-seconds for one question."""
    try:
        found = float(options.get("time", CPU_S))
        if not 0 < found <= 3600:
            raise ValueError
        return found
    except ValueError:
        raise RuntimeError(f"time={options['time']}: give a number of CPU-seconds, such as time=10") from None


def own_ms(options: Options) -> int:
    """What a solver is asked to stop after by its own means: half of what it may use."""
    return int(500 * limit(options))


class Solver(Engine):
    """An SMT solver that is spoken to over a pipe."""

    family = "smt"
    dialect = "smtlib"
    options = {"time": f"CPU-seconds for one question, before its process is ended (default {CPU_S:g})"}
    prelude: ClassVar[Sequence[str]] = ()  # said before anything else
    strings: ClassVar[str] = ""  # said before a text that has strings, and no other
    configs_are_statements = False
    # In a reproducer: the command, as Python; `is_stacked` tells whether a script wants an incremental solver.
    repro_command: ClassVar[str] = "[PROGRAM]"
    repro_ask = r'''
"""All that the solver prints for a whole script."""
text = text.removeprefix("(reset)")
if $strings and ("str." in text or "String" in text):
    text = $strings + text
models, cores = ("(get-model", "(get-value"), ("(get-unsat-core",)
for option, words in (("produce-models", models), ("produce-unsat-cores", cores)):
    if any(word in text for word in words) and option not in text:
        text = f"(set-option :{option} true)\n" + text
is_stacked = "(push" in text or text.count("(check-sat") > 1
printed = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
ended = subprocess.run($command + $arguments, input=$prelude + text, text=True, **printed)
if ended.returncode < 0 or ended.returncode > 100:
    sys.stderr.write(ended.stdout)
    sys.exit(ended.returncode if ended.returncode > 0 else 128 - ended.returncode)
return ended.stdout
'''

    @abstractmethod
    def plan(self, configs: Sequence[str], options: Options) -> Plan:
        """The commands that start it; prelude, strings and limit are filled in."""

    def open_session(self, configs: Sequence[str], options: Options) -> SolverSession:
        plan, lines = self.plan(configs, options), self.lines(configs)
        return SolverSession(plan._replace(prelude=lines, strings=self.strings, limit_s=limit(options)))

    def lines(self, configs: Sequence[str]) -> list[str]:
        """The prelude, with the lines of these configurations."""
        said = [text for text in self.texts(configs) if text.startswith("(")]
        return [*self.prelude, *(text for text in said if not text.startswith("(check-sat-using"))]

    def arguments(self, configs: Sequence[str]) -> list[str]:
        """The arguments of these configurations."""
        return [text for text in self.texts(configs) if text.startswith("-")]

    def script_head(self, configs: Sequence[str]) -> list[str]:
        return [text for text in self.texts(configs) if text.startswith("(set-")]

    def repro_words(self, version: str, options: Options, configs: Sequence[str]) -> Mapping[str, str]:
        prelude = "".join(f"{line}\n" for line in self.lines(configs))
        told = {"prelude": prelude, "arguments": self.arguments(configs), "strings": self.strings}
        return {"command": self.repro_command, **{word: repr(value) for word, value in told.items()}}


class Program(Solver):
    """A solver whose package brings a program."""

    program: ClassVar[str]
    says: ClassVar[str]  # a pattern for what --version prints; its first group is the version
    carried = (beside,)
    repro_open = """
import importlib.util, os, re, subprocess, sys
PROGRAM = beside($module, $program) if importlib.util.find_spec($module) else $program
PROGRAM = os.environ.get("$variable") or PROGRAM  # $variable= names another one
SAID = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True).stdout
"""
    repro_version = NUMBER

    def binary(self) -> str:
        return beside(self.module, self.program)

    def version(self) -> str:
        command = [self.binary(), "--version"]
        said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout
        found = re.search(self.says, said)
        return found[1] if found else "unknown"

    def prove(self, options: Options) -> None:
        limit(options)
        self.binary()

    def repro_words(self, version: str, options: Options, configs: Sequence[str]) -> Mapping[str, str]:
        words = {"module": repr(self.module), "program": repr(self.program), "says": repr(self.says)}
        return {**super().repro_words(version, options, configs), "variable": self.name.upper(), **words}


class Binding(Solver):
    """A solver that is a Python binding only: it runs in a process of its own (`shell`)."""

    resident_has_reset: ClassVar[bool] = True
    solve: ClassVar[str] = ""  # a Python program that reads a script and prints the answer, for reproducers
    repro_open = "import subprocess, sys\nSOLVE = $solve"
    repro_command = "[sys.executable, '-c', SOLVE]"

    @abstractmethod
    def runner(self, is_resident: bool, limit_ms: int) -> Callable[[str], None]:
        """In a process of its own: what runs a script in the binding, and prints as the solver's program would."""

    def plan(self, configs: Sequence[str], options: Options) -> Plan:
        command = [sys.executable, "-P", shell.__file__, f"{type(self).__module__}:{type(self).__name__}"]
        once, resident = ([*command, kind, str(own_ms(options))] for kind in ("once", "resident"))
        return Plan(once, resident, once, resident_has_reset=self.resident_has_reset)

    def version(self) -> str:
        """That of the package. The binding is found, not loaded: solvers stay out of our processes."""
        if util.find_spec(self.package) is None:
            raise ModuleNotFoundError(f"No module named {self.package!r}", name=self.package)
        return metadata.version(self.package)

    def prove(self, options: Options) -> None:
        limit(options)
        self.version()

    def repro_words(self, version: str, options: Options, configs: Sequence[str]) -> Mapping[str, str]:
        escaped = self.solve.replace("\\", "\\\\")
        return {**super().repro_words(version, options, configs), "solve": f'"""{escaped}"""'}

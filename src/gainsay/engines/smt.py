"""What the SMT engines have in common: how each is opened, proved and asked in a reproducer.

A configuration's texts are told apart by how they begin: `-` is an argument of the command, `(check-sat-using` replaces
every check, any other `(` is a line of the prelude.
"""

from __future__ import annotations

import re
import subprocess
import sys
from abc import abstractmethod
from collections.abc import Sequence
from importlib import metadata, util
from typing import ClassVar

from gainsay.core.engine import Engine, Options
from gainsay.engines import shell
from gainsay.engines.solver import CPU_S, Plan, SolverSession, beside

ASKING = '''PRELUDE = {prelude!r}
def ask(text):
    """All that the solver prints for a whole script."""
    text = text.removeprefix("(reset)")
    if {strings!r} and ("str." in text or "String" in text):
        text = {strings!r} + text
    models, cores = ("(get-model", "(get-value"), ("(get-unsat-core",)
    for option, words in (("produce-models", models), ("produce-unsat-cores", cores)):
        if any(word in text for word in words) and option not in text:
            text = f"(set-option :{{option}} true)\\n" + text
    printed = {{"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}}
    ended = subprocess.run({command} + {arguments!r}, input=PRELUDE + text, text=True, **printed)
    if ended.returncode < 0 or ended.returncode > 100:
        sys.stderr.write(ended.stdout)
        sys.exit(ended.returncode if ended.returncode > 0 else 128 - ended.returncode)
    return ended.stdout
'''


# The program that a package brought; {variable}= names another one.
FOUND = """
import importlib.util, os, shutil, subprocess, sys
def found():
    spec = importlib.util.find_spec({module!r})
    home = list(spec.submodule_search_locations)[0] if spec else ""
    ways = ([], [".."], ["..", "..", "..", ".."])
    places = [os.path.join(home, *up, "bin", {program!r}) for up in ways] if spec else []
    return next((p for p in places if os.access(p, os.X_OK)), None) or shutil.which({program!r}) or {program!r}
{variable} = os.environ.get("{variable}") or found()
VERSION = subprocess.run([{variable}, "--version"], capture_output=True, text=True).stdout.split("\\n")[0]
"""
# In a reproducer: whether a script wants an incremental solver.
STACKS = "'(push' in text or text.count('(check-sat') > 1"


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

    def asking(self, command: str, configs: Sequence[str]) -> str:
        """The `ask` of a reproducer, for a command given as Python text."""
        prelude = "".join(f"{line}\n" for line in self.lines(configs))
        return ASKING.format(command=command, prelude=prelude, arguments=self.arguments(configs), strings=self.strings)


class Program(Solver):
    """A solver whose package brings a program."""

    program: ClassVar[str]
    says: ClassVar[str]  # a pattern for what --version prints; its first group is the version

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

    def found(self) -> str:
        """The opening of a reproducer; the program is then in a variable that is named like the engine."""
        return FOUND.format(module=self.module, program=self.program, variable=self.name.upper())


class Binding(Solver):
    """A solver that is a Python binding only: it runs in a process of its own (`shell`)."""

    resident_has_reset: ClassVar[bool] = True
    title: ClassVar[str]
    solve: ClassVar[str] = ""  # a Python program that reads a script and prints the answer, for reproducers

    def plan(self, configs: Sequence[str], options: Options) -> Plan:
        command = [sys.executable, "-P", shell.__file__, self.name]
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

    def repro(self, version: str, options: Options, configs: Sequence[str]) -> str:
        opening = (
            "\nimport subprocess, sys\nfrom importlib import metadata\n"
            f'VERSION = "{self.title} " + metadata.version("{self.package}")\n'
            f'SOLVE = """{self.solve.replace(chr(92), 2 * chr(92))}"""\n'
        )
        return opening + self.asking("[sys.executable, '-c', SOLVE]", configs)

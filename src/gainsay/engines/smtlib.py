"""Any solver that reads SMT-LIB from standard input: smtlib?cmd=PROGRAM+ARGUMENTS."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence

from gainsay.core.engine import Options
from gainsay.engines.smt import Solver, limit
from gainsay.engines.solver import Plan

VARIABLE = "GAINSAY_SMTLIB"  # the command that a process uses: version() is asked of its program


def command() -> list[str]:
    return shlex.split(os.environ.get(VARIABLE, ""))


class SmtLib(Solver):
    """The user says how it is started, and whether it knows (reset)."""

    name = "smtlib"
    options = {
        **Solver.options,
        "cmd": "the program and its arguments; it reads SMT-LIB from standard input",
        "incremental": "more arguments for push, pop and several checks",
        "reset": "no, if the solver does not know (reset)",
    }
    prelude = ("(set-option :print-success false)",)
    repro_open = "import shlex, subprocess, sys\nCOMMAND = shlex.split($given)"
    repro_version = "COMMAND[0]"

    def version(self) -> str:
        """A number in the first line that the program prints of its version; else that line, or the program's name."""
        program = command()[:1]
        asked, nothing = [*program, "--version"], subprocess.DEVNULL
        try:
            said = subprocess.run(asked, stdin=nothing, capture_output=True, text=True, timeout=20, check=False).stdout
        except (OSError, subprocess.TimeoutExpired):
            said = ""
        lines = [line.strip() for line in said.splitlines() if line.strip()]
        found = re.search(r"\d+(?:\.\d+)+[\w.-]*", lines[0]) if lines else None
        return found[0] if found else lines[0][:60] if lines else os.path.basename(program[0])

    def plan(self, configs: Sequence[str], options: Options) -> Plan:
        found = command() or shlex.split(options.get("cmd", ""))
        stacked = [*found, *shlex.split(options.get("incremental", ""))]
        has_reset = options.get("reset") != "no"
        return Plan(found, stacked, stacked, has_reset=has_reset, resident_has_reset=has_reset)

    def environment(self, version: str, options: Options) -> Mapping[str, str]:
        return {VARIABLE: options["cmd"]} if "cmd" in options else {}

    def prove(self, options: Options) -> None:
        """Raise unless there is a program of that name. Whether it is a solver, the canary tells."""
        limit(options)
        if not command():
            remedy = "Name one that reads SMT-LIB from standard input, such as 'smtlib?cmd=z3+-in'."
            raise RuntimeError(f"no command was given. {remedy}")
        if shutil.which(command()[0]) is None:
            remedy = "Give its path, as in 'smtlib?cmd=/path/to/solver+--an-option'."
            raise RuntimeError(f"{command()[0]} is not a program that can be run. {remedy}")

    def repro_words(self, version: str, options: Options, configs: Sequence[str]) -> Mapping[str, str]:
        stacked = shlex.split(options.get("incremental", ""))
        words = {"given": repr(options.get("cmd", "")), "command": f"COMMAND + {stacked!r} * is_stacked"}
        return {**super().repro_words(version, options, configs), **words}

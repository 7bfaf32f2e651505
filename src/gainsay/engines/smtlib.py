"""Any solver that reads SMT-LIB from standard input: smtlib?cmd=PROGRAM+ARGUMENTS."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence

from gainsay.engines import solver

NAME = "smtlib"
FAMILY = "smt"
DIALECT = "smtlib"
PACKAGE = ""
OPTIONS: Mapping[str, str] = {
    **solver.TIME,
    "cmd": "the program and its arguments; it reads SMT-LIB from standard input",
    "incremental": "more arguments for push, pop and several checks",
    "reset": "no, if the solver does not know (reset)",
}
PRELUDE: Sequence[str] = ("(set-option :print-success false)",)
CONFIGS: Mapping[str, Sequence[str]] = {"default": ()}
VARIABLE = "GAINSAY_SMTLIB"  # the command that a process uses: version() is asked of its program
REPRO = """
import shlex, subprocess, sys
COMMAND = shlex.split({command!r})
VERSION = COMMAND[0]
"""


def command() -> list[str]:
    return shlex.split(os.environ.get(VARIABLE, ""))


def version() -> str:
    """A number in the first line that the program prints about its version; else that line, or the program's name."""
    program = command()[:1]
    try:
        said = subprocess.run([*program, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        said = ""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    found = re.search(r"\d+(?:\.\d+)+[\w.-]*", lines[0]) if lines else None
    return found[0] if found else lines[0][:60] if lines else os.path.basename(program[0])


def build() -> Sequence[str]:
    return ()


def open_session(configs: Sequence[str], options: Mapping[str, str]) -> solver.Session:
    found = command() or shlex.split(options.get("cmd", ""))
    stacked = [*found, *shlex.split(options.get("incremental", ""))]
    has_reset = options.get("reset") != "no"
    return solver.Session(
        solver.Plan(found, stacked, stacked, solver.prelude(PRELUDE, CONFIGS, configs), "", has_reset, has_reset, limit_s=solver.limit(options))
    )


def facts(version: str, build: Sequence[str]) -> Mapping[str, tuple[str, str]]:
    return {}


PROOFS: Mapping[str, tuple[str, Mapping[str, str]]] = {}


def requirements(version: str) -> Sequence[str]:
    return []


def available() -> Mapping[str, str]:
    return {}


def environment(version: str, options: Mapping[str, str]) -> Mapping[str, str]:
    return {VARIABLE: options["cmd"]} if "cmd" in options else {}


def prove(options: Mapping[str, str]) -> None:
    """Raise unless there is a program of that name. Whether it is a solver, a question with a known answer tells."""
    solver.limit(options)
    if not command():
        raise RuntimeError("no command was given. Name one that reads SMT-LIB from standard input, such as 'smtlib?cmd=z3+-in'.")
    if shutil.which(command()[0]) is None:
        raise RuntimeError(f"{command()[0]} is not a program that can be run. Give its path, as in 'smtlib?cmd=/path/to/solver+--an-option'.")


def repro(version: str, options: Mapping[str, str], configs: Sequence[str] = ()) -> str:
    stacked = shlex.split(options.get("incremental", ""))
    spelled = f"COMMAND + {stacked!r} * ('(push' in text or text.count('(check-sat') > 1)" if stacked else "COMMAND"
    return REPRO.format(command=options.get("cmd", "")) + solver.asking(spelled, solver.prelude(PRELUDE, CONFIGS, configs), ())

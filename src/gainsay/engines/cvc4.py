"""CVC4, by its command line: a binary on PATH, or cvc4?bin=PATH. It ends at its first error."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence

from gainsay.engines import solver

NAME = "cvc4"
FAMILY = "smt"
CODE_BASE = "cvc5"
DIALECT = "smtlib"
RUN = "cvc4 --lang smt2 --incremental"  # for a file, by hand
PACKAGE = ""
OPTIONS: Mapping[str, str] = {**solver.TIME, "bin": "the path of a cvc4 binary"}
PRELUDE: Sequence[str] = ()
VARIABLE = "GAINSAY_CVC4"  # the binary that a process uses: version() is asked of it too
FLOOR = ("-q", "--lang", "smt2", "--no-interactive")
STRINGS = "(set-option :strings-exp true)"  # without it most operators on strings are refused; it makes every logic a quantified one
CONFIGS: Mapping[str, Sequence[str]] = {
    "default": (),
    "finite-model-find": ("--finite-model-find",),
    "no-simplification": ("--simplification=none",),
    "unconstrained-simp": ("--unconstrained-simp",),
    "decision-internal": ("--decision=internal",),
    "decision-justification": ("--decision=justification",),
    "bv-to-bool": ("--bv-to-bool",),
    "bool-to-bv": ("--bool-to-bv=ite",),
    "ackermann": ("--ackermann",),
    "ext-rew-prep": ("--ext-rew-prep",),
    "ite-simp": ("--ite-simp",),
    "repeat-simp": ("--repeat-simp",),
    "no-static-learning": ("--no-static-learning",),
    "sort-inference": ("--sort-inference",),
    "macros-quant": ("--macros-quant",),
    "pre-skolem-quant": ("--pre-skolem-quant",),
    "no-nl-ext": ("--no-nl-ext",),
    "nl-ext-tplanes": ("--nl-ext-tplanes",),
    "strings-fmf": ("--strings-fmf",),
    "no-strings-lazy-pp": ("--no-strings-lazy-pp",),
    "re-elim": ("--re-elim",),
    "arith-rewrite-equalities": ("--arith-rewrite-equalities",),
}
REPRO = """
import os, subprocess, sys
CVC4 = os.environ.get("CVC4") or {binary!r}
VERSION = subprocess.run([CVC4, "--version"], capture_output=True, text=True).stdout.split("\\n")[0]
"""


def binary() -> str:
    return os.environ.get(VARIABLE) or "cvc4"


def said_version() -> str:
    said = subprocess.run([binary(), "--version"], capture_output=True, text=True, timeout=60, check=False)
    return said.stdout + said.stderr


def version() -> str:
    found = re.search(r"version (\d+(?:\.\d+)+\S*)", said_version())
    return found[1] if found else "unknown"


def build() -> Sequence[str]:
    return ()


def open_session(configs: Sequence[str], options: Mapping[str, str]) -> solver.Session:
    command = [binary(), *FLOOR, f"--tlimit-per={solver.own_ms(options)}", *solver.arguments(CONFIGS, configs)]
    single, stacked = [*command, "--no-incremental"], [*command, "--incremental"]
    return solver.Session(solver.Plan(single, stacked, stacked, solver.prelude(PRELUDE, CONFIGS, configs), STRINGS, limit_s=solver.limit(options)))


def facts(version: str, build: Sequence[str]) -> Mapping[str, tuple[str, str]]:
    return {}


PROOFS: Mapping[str, tuple[str, Mapping[str, str]]] = {}


def requirements(version: str) -> Sequence[str]:
    return []


def available() -> Mapping[str, str]:
    return {}


def environment(version: str, options: Mapping[str, str]) -> Mapping[str, str]:
    return {VARIABLE: os.path.abspath(options["bin"])} if "bin" in options else {}


def prove(options: Mapping[str, str]) -> None:
    """Raise unless the binary is there and is CVC4."""
    solver.limit(options)
    path = binary()
    if shutil.which(path) is None:
        if "bin" in options:
            raise RuntimeError(f"{path} is not a program that can be run. Give the path of a cvc4 binary, as cvc4?bin=PATH.")
        raise RuntimeError("there is no cvc4 on PATH. Install CVC4, or name its binary: cvc4?bin=PATH.")
    try:
        said = said_version()
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RuntimeError(f"{path} can't be run: {error}") from None
    if "CVC4" not in said:
        first = (said.strip().splitlines() or [""])[0][:80]
        raise RuntimeError(f"{path} is not CVC4: it says '{first}' when asked for its version. Give the path of a cvc4 binary, as cvc4?bin=PATH.")


def repro(version: str, options: Mapping[str, str], configs: Sequence[str] = ()) -> str:
    path = os.path.abspath(options["bin"]) if "bin" in options else "cvc4"
    floor = ", ".join(repr(a) for a in FLOOR)
    command = f"[CVC4, {floor}, '--incremental' if '(push' in text or text.count('(check-sat') > 1 else '--no-incremental']"
    opening = REPRO.format(binary=path)
    return opening + solver.asking(command, solver.prelude(PRELUDE, CONFIGS, configs), solver.arguments(CONFIGS, configs), STRINGS)

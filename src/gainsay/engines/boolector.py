"""Boolector, by its Python binding in a process of its own (`shell`): bit-vectors, arrays, functions. No unsatisfiable cores, no (reset)."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from gainsay.engines import shell, solver

NAME = "boolector"
FAMILY = "smt"
CODE_BASE = "bitwuzla"
DIALECT = "smtlib"
PACKAGE = "pyboolector"
OPTIONS: Mapping[str, str] = solver.TIME
PRELUDE: Sequence[str] = ()
CONFIGS: Mapping[str, Sequence[str]] = {
    "default": (),
    **{f"rewrite-{n}": (f"(set-option :rewrite-level {n})",) for n in (0, 1, 2)},
    "ackermannize": ("(set-option :ackermannize 1)",),
    "beta-reduce": ("(set-option :beta-reduce 1)",),
    "eliminate-slices": ("(set-option :eliminate-slices 0)",),
    "no-var-subst": ("(set-option :var-subst 0)",),
    "ucopt": ("(set-option :ucopt 1)",),
    "no-normalize": ("(set-option :normalize 0)",),
    "no-normalize-add": ("(set-option :normalize-add 0)",),
    "fun-preprop": ("(set-option :fun-preprop 1)",),
    "fun-dual-prop": ("(set-option :fun-dual-prop 1)",),
    "fun-just": ("(set-option :fun-just 1)",),
    "fun-store-lambdas": ("(set-option :fun-store-lambdas 1)",),
    "no-skeleton-preproc": ("(set-option :skeleton-preproc 0)",),
    "no-extract-lambdas": ("(set-option :extract-lambdas 0)",),
    "merge-lambdas": ("(set-option :merge-lambdas 0)",),
    "nondestr-subst": ("(set-option :nondestr-subst 1)",),
    "seed": ("(set-option :seed 17)",),
}
SOLVE = """
import os, sys, pyboolector
text = sys.stdin.read()
handle = os.memfd_create("script")
os.write(handle, text.encode())
solver = pyboolector.Boolector()
if "(push" in text or text.count("(check-sat") > 1:
    solver.Set_opt(pyboolector.BtorOption.BTOR_OPT_INCREMENTAL, 1)
message = ""
try:
    message = solver.Parse("/proc/self/fd/" + str(handle))[2]
except pyboolector.BoolectorException as error:
    message = str(error)
if message:
    sys.stdout.write('(error "' + message.strip() + '")\\n')
"""
REPRO = '''
import subprocess, sys
from importlib import metadata
VERSION = "Boolector " + metadata.version("pyboolector")
SOLVE = """{solve}"""
'''


def version() -> str:
    from importlib import metadata, util

    if util.find_spec("pyboolector") is None:
        raise ModuleNotFoundError("No module named 'pyboolector'", name="pyboolector")
    return metadata.version("pyboolector")


def build() -> Sequence[str]:
    return ()


def open_session(configs: Sequence[str], options: Mapping[str, str]) -> solver.Session:
    command = [sys.executable, "-P", shell.__file__, "boolector"]
    once, resident = ([*command, kind, str(solver.own_ms(options))] for kind in ("once", "resident"))
    return solver.Session(
        solver.Plan(once, resident, once, solver.prelude(PRELUDE, CONFIGS, configs), resident_has_reset=False, limit_s=solver.limit(options))
    )


def facts(version: str, build: Sequence[str]) -> Mapping[str, tuple[str, str]]:
    return {}


PROOFS: Mapping[str, tuple[str, Mapping[str, str]]] = {}


def requirements(version: str) -> Sequence[str]:
    return [f"pyboolector=={version}"]


def available() -> Mapping[str, str]:
    return {"pyboolector": r"^(\d+\.\d+\.\d+(?:\.\d+)*)$"}


def environment(version: str, options: Mapping[str, str]) -> Mapping[str, str]:
    return {}


def prove(options: Mapping[str, str]) -> None:
    solver.limit(options)
    version()


def repro(version: str, options: Mapping[str, str], configs: Sequence[str] = ()) -> str:
    opening = REPRO.format(solve=SOLVE.replace("\\", "\\\\"))
    return opening + solver.asking("[sys.executable, '-c', SOLVE]", solver.prelude(PRELUDE, CONFIGS, configs), ())

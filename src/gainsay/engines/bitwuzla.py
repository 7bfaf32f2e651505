"""Bitwuzla, by its Python binding in a process of its own (`shell`): bit-vectors, floating point, arrays, functions, quantifiers."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from gainsay.engines import shell, solver

NAME = "bitwuzla"
FAMILY = "smt"
DIALECT = "smtlib"
PACKAGE = "bitwuzla"
OPTIONS: Mapping[str, str] = solver.TIME
PRELUDE: Sequence[str] = ()
CONFIGS: Mapping[str, Sequence[str]] = {
    "default": (),
    "prop": ('(set-option :bv-solver "prop")',),
    "preprop": ('(set-option :bv-solver "preprop")',),
    "rewrite-0": ("(set-option :rewrite-level 0)",),
    "rewrite-1": ("(set-option :rewrite-level 1)",),
    "no-preprocess": ("(set-option :preprocess false)",),
    "abstraction": ("(set-option :abstraction true)", "(set-option :abstraction-bv-size 3)"),
    "abstraction-add": ("(set-option :abstraction true)", "(set-option :abstraction-bv-size 3)", "(set-option :abstraction-bv-add true)"),
    "abstraction-ite": ("(set-option :abstraction true)", "(set-option :abstraction-bv-size 3)", "(set-option :abstraction-ite true)"),
    "abstraction-assert": ("(set-option :abstraction true)", "(set-option :abstraction-bv-size 3)", "(set-option :abstraction-assert true)"),
    "elim-bv-udiv": ("(set-option :pp-elim-bv-udiv true)",),
    "no-contradicting-ands": ("(set-option :pp-contradicting-ands false)",),
    "no-embedded-constr": ("(set-option :pp-embedded-constr false)",),
    "no-flatten-and": ("(set-option :pp-flatten-and false)",),
    "no-normalize": ("(set-option :pp-normalize false)",),
    "no-skeleton-preproc": ("(set-option :pp-skeleton-preproc false)",),
    "no-variable-subst": ("(set-option :pp-variable-subst false)",),
    "seed": ("(set-option :seed 17)",),
}
SOLVE = """
import sys, bitwuzla
terms = bitwuzla.TermManager()
try:
    bitwuzla.Parser(terms, bitwuzla.Options()).parse(sys.stdin.read(), False, False)
except bitwuzla.BitwuzlaException as error:
    sys.stdout.write('(error "' + str(error) + '")\\n')
"""
REPRO = '''
import subprocess, sys
from importlib import metadata
VERSION = "Bitwuzla " + metadata.version("bitwuzla")
SOLVE = """{solve}"""
'''


def version() -> str:
    from importlib import metadata, util

    if util.find_spec("bitwuzla") is None:
        raise ModuleNotFoundError("No module named 'bitwuzla'", name="bitwuzla")
    return metadata.version("bitwuzla")


def build() -> Sequence[str]:
    return ()


def open_session(configs: Sequence[str], options: Mapping[str, str]) -> solver.Session:
    command = [sys.executable, "-P", shell.__file__, "bitwuzla"]
    once, resident = ([*command, kind, str(solver.own_ms(options))] for kind in ("once", "resident"))
    return solver.Session(solver.Plan(once, resident, once, solver.prelude(PRELUDE, CONFIGS, configs), limit_s=solver.limit(options)))


def facts(version: str, build: Sequence[str]) -> Mapping[str, tuple[str, str]]:
    return {}


PROOFS: Mapping[str, tuple[str, Mapping[str, str]]] = {}


def requirements(version: str) -> Sequence[str]:
    return [f"bitwuzla=={version}"]


def available() -> Mapping[str, str]:
    return {"bitwuzla": r"^(\d+\.\d+\.\d+)$"}


def environment(version: str, options: Mapping[str, str]) -> Mapping[str, str]:
    return {}


def prove(options: Mapping[str, str]) -> None:
    solver.limit(options)
    version()


def repro(version: str, options: Mapping[str, str], configs: Sequence[str] = ()) -> str:
    opening = REPRO.format(solve=SOLVE.replace("\\", "\\\\"))
    return opening + solver.asking("[sys.executable, '-c', SOLVE]", solver.prelude(PRELUDE, CONFIGS, configs), ())

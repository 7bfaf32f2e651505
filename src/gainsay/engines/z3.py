"""Z3, by the program that comes with the package z3-solver; every release since 4.8.5."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence

from gainsay.engines import solver

NAME = "z3"
FAMILY = "smt"
DIALECT = "smtlib"
RUN = "z3"  # for a file, by hand
PACKAGE = "z3-solver"
OPTIONS: Mapping[str, str] = solver.TIME
PRELUDE: Sequence[str] = ()
THEN_SMT = (
    "simplify", "dom-simplify", "ctx-simplify", "ctx-solver-simplify", "propagate-values", "solve-eqs", "elim-uncnstr", "reduce-invertible",
    "purify-arith", "nla2bv", "lia2card", "lia2pb", "der", "macro-finder", "quasi-macros", "qe", "qe-light", "max-bv-sharing", "bv1-blast",
    "reduce-bv-size", "reduce-args", "elim-term-ite", "cofactor-term-ite", "propagate-ineqs", "propagate-bv-bounds", "normalize-bounds",
    "factor", "degree-shift", "elim-and", "symmetry-reduce", "blast-term-ite", "distribute-forall", "snf", "nnf", "tseitin-cnf", "fpa2bv",
    "recover-01", "add-bounds", "injectivity", "card2bv", "bvarray2uf", "ackermannize_bv",
)  # fmt: skip
ALONE = ("smt", "horn", "qffd", "qfbv", "qfaufbv", "qfnra", "qfnia", "qflia", "qfnra-nlsat", "qsat", "default")
CONFIGS: Mapping[str, Sequence[str]] = {
    "default": (),
    **{name: (f"(check-sat-using (then {name} smt))",) for name in THEN_SMT},
    **{name if name != "default" else "default-tactic": (f"(check-sat-using {name})",) for name in ALONE},
    "bit-blast": ("(check-sat-using (then simplify bit-blast smt))",),
    "bit-blast-sat": ("(check-sat-using (then simplify bit-blast sat))",),
    "z3str3": ("(set-option :smt.string_solver z3str3)",),
    "arith-2": ("(set-option :smt.arith.solver 2)",),
    "arith-5": ("(set-option :smt.arith.solver 5)",),
    "arith-6": ("(set-option :smt.arith.solver 6)",),
    "sat-euf": ("(set-option :sat.euf true)", "(set-option :tactic.default_tactic smt)"),
    "seed": ("(set-option :smt.random_seed 17)",),
    "no-relevancy": ("(set-option :smt.relevancy 0)",),
    "case-split-3": ("(set-option :smt.case_split 3)",),
    "no-ematching": ("(set-option :smt.ematching false)",),
    "no-mbqi": ("(set-option :smt.mbqi false)",),
    "no-nl-grobner": ("(set-option :smt.arith.nl.grobner false)",),
    "no-flat": ("(set-option :rewriter.flat false)",),
    "sort-sums": ("(set-option :rewriter.sort_sums true)",),
    "arith-lhs": ("(set-option :rewriter.arith_lhs true)",),
    "hoist-mul": ("(set-option :rewriter.hoist_mul true)",),
    "pull-cheap-ite": ("(set-option :rewriter.pull_cheap_ite true)",),
    "push-ite-bv": ("(set-option :rewriter.push_ite_bv true)",),
    "elim-to-real": ("(set-option :rewriter.elim_to_real true)",),
    "som": ("(set-option :rewriter.som true)",),
}
REPRO = """
import importlib.util, os, shutil, subprocess, sys
def found():
    spec = importlib.util.find_spec("z3")
    site = os.path.dirname(os.path.dirname(os.path.abspath(spec.origin))) if spec else ""
    places = [os.path.join(site, "bin", "z3"), os.path.join(site, "..", "..", "..", "bin", "z3")] if spec else []
    return next((p for p in places if os.access(p, os.X_OK)), None) or shutil.which("z3") or "z3"
Z3 = os.environ.get("Z3") or found()
VERSION = subprocess.run([Z3, "--version"], capture_output=True, text=True).stdout.strip()
"""


def binary() -> str:
    return solver.beside("z3", "z3")


def version() -> str:
    said = subprocess.run([binary(), "--version"], capture_output=True, text=True, timeout=60, check=False).stdout
    found = re.search(r"version (\d+(?:\.\d+)*)", said)
    return found[1] if found else "unknown"


def build() -> Sequence[str]:
    return ()


def open_session(configs: Sequence[str], options: Mapping[str, str]) -> solver.Session:
    # No -t: its timer is a thread for each question, which costs more than most questions. One that takes too long is ended with its process.
    command = [binary(), "-in", *solver.arguments(CONFIGS, configs)]
    return solver.Session(solver.Plan(command, command, command, solver.prelude(PRELUDE, CONFIGS, configs), limit_s=solver.limit(options)))


def facts(version: str, build: Sequence[str]) -> Mapping[str, tuple[str, str]]:
    return {}


PROOFS: Mapping[str, tuple[str, Mapping[str, str]]] = {}


def requirements(version: str) -> Sequence[str]:
    return [f"z3-solver=={version}.0", f"z3-solver=={version}"]


def available() -> Mapping[str, str]:
    return {"z3-solver": r"^(\d+\.\d+\.\d+)(?:\.0)?$"}


def environment(version: str, options: Mapping[str, str]) -> Mapping[str, str]:
    return {}


def prove(options: Mapping[str, str]) -> None:
    solver.limit(options)
    binary()


def repro(version: str, options: Mapping[str, str], configs: Sequence[str] = ()) -> str:
    return REPRO + solver.asking("[Z3, '-in']", solver.prelude(PRELUDE, CONFIGS, configs), solver.arguments(CONFIGS, configs))

"""Z3, by the program that comes with the package z3-solver; every release since 4.8.5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gainsay.core.engine import Options
from gainsay.engines.smt import Program
from gainsay.engines.solver import Plan

THEN_SMT = (
    "simplify", "dom-simplify", "ctx-simplify", "ctx-solver-simplify", "propagate-values", "solve-eqs",
    "elim-uncnstr", "reduce-invertible",
    "purify-arith", "nla2bv", "lia2card", "lia2pb", "der", "macro-finder", "quasi-macros", "qe", "qe-light",
    "max-bv-sharing", "bv1-blast",
    "reduce-bv-size", "reduce-args", "elim-term-ite", "cofactor-term-ite", "propagate-ineqs", "propagate-bv-bounds",
    "normalize-bounds",
    "factor", "degree-shift", "elim-and", "symmetry-reduce", "blast-term-ite", "distribute-forall", "snf", "nnf",
    "tseitin-cnf", "fpa2bv",
    "recover-01", "add-bounds", "injectivity", "card2bv", "bvarray2uf", "ackermannize_bv",
)  # fmt: skip
ALONE = ("smt", "horn", "qffd", "qfbv", "qfaufbv", "qfnra", "qfnia", "qflia", "qfnra-nlsat", "qsat", "default")
CHECKS = {
    **{name: (f"(check-sat-using (then {name} smt))",) for name in THEN_SMT},
    **{name if name != "default" else "default-tactic": (f"(check-sat-using {name})",) for name in ALONE},
    "bit-blast": ("(check-sat-using (then simplify bit-blast smt))",),
    "bit-blast-sat": ("(check-sat-using (then simplify bit-blast sat))",),
}


class Z3(Program):
    """Its configurations are tactics, and options that choose another solver or rewriting."""

    name = "z3"
    package = "z3-solver"
    module = "z3"
    program = "z3"
    title = "Z3"
    repro_command = "[PROGRAM, '-in']"
    says = r"version (\d+(?:\.\d+)*)"
    run = "z3"
    configs = {
        "default": (),
        **CHECKS,
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

    def plan(self, configs: Sequence[str], options: Options) -> Plan:
        # No -t: its timer is a thread for each question, which costs more than most questions. One that takes too long
        # is ended with its process.
        command = [self.binary(), "-in", *self.arguments(configs)]
        return Plan(command, command, command)

    def requirements(self, version: str) -> Sequence[str]:
        return [f"z3-solver=={version}.0", f"z3-solver=={version}"]

    def available(self) -> Mapping[str, str]:
        return {"z3-solver": r"^(\d+\.\d+\.\d+)(?:\.0)?$"}

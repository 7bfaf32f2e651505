"""CVC4, by its command line: a binary on PATH, or cvc4?bin=PATH. It ends at its first error."""

from __future__ import annotations

from collections.abc import Sequence

from gainsay.core.engine import Options
from gainsay.engines.cvc5 import STRINGS
from gainsay.engines.on_path import OnPath
from gainsay.engines.smt import Solver, limit, own_ms
from gainsay.engines.solver import Plan

FLOOR = ("-q", "--lang", "smt2", "--no-interactive")


class CVC4(OnPath, Solver):
    """cvc5's predecessor."""

    name = "cvc4"
    code_base = "cvc5"
    title = "CVC4"
    mark = "CVC4"
    says = r"version (\d+(?:\.\d+)+\S*)"
    run = "cvc4 --lang smt2 --incremental"
    options = {**Solver.options, "bin": "the path of a cvc4 binary"}
    strings = STRINGS
    repro_command = f"[PROGRAM, *{FLOOR!r}, '--incremental' if is_stacked else '--no-incremental']"
    configs = {
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

    def plan(self, configs: Sequence[str], options: Options) -> Plan:
        command = [self.binary(), *FLOOR, f"--tlimit-per={own_ms(options)}", *self.arguments(configs)]
        stacked = [*command, "--incremental"]
        return Plan([*command, "--no-incremental"], stacked, stacked)

    def prove(self, options: Options) -> None:
        limit(options)
        super().prove(options)

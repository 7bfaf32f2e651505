"""cvc5, by its Python binding in a process of its own (`shell`); every release since 1.1.0.

That is the first whose binding reads SMT-LIB.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping
from typing import Any

from gainsay.core.engine import Options
from gainsay.engines import shell
from gainsay.engines.smt import Binding

# Without it most operators on strings are refused; it makes every logic a quantified one.
PUSH = re.compile(r"\((push|pop)\s*(\d*)\s*\)")
STRINGS = "(set-option :strings-exp true)"


class CVC5(Binding):
    """The package brings no program."""

    name = "cvc5"
    package = "cvc5"
    title = "cvc5"
    strings = STRINGS
    solve = """
import sys, cvc5
text = sys.stdin.read()
terms = cvc5.TermManager() if hasattr(cvc5, "TermManager") else None
solver = cvc5.Solver(terms) if terms else cvc5.Solver()
solver.setOption("incremental", "true" if "(push" in text or text.count("(check-sat") > 1 else "false")
parser = cvc5.InputParser(solver)
parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "script")
try:
    while not (command := parser.nextCommand()).isNull():
        said = command.invoke(solver, parser.getSymbolManager())
        sys.stdout.write(said if isinstance(said, str) else said.decode())
except RuntimeError as error:
    sys.stdout.write('(error "' + str(error) + '")\\n')
"""
    configs = {
        "default": (),
        "finite-model-find": ("(set-option :finite-model-find true)",),
        "nl-cov": ("(set-option :nl-cov true)",),
        "no-nl-ext": ("(set-option :nl-ext none)",),
        "nl-ext-light": ("(set-option :nl-ext light)",),
        "nl-ext-tplanes": ("(set-option :nl-ext-tplanes true)",),
        "nl-icp": ("(set-option :nl-icp true)",),
        "bitblast-internal": ("(set-option :bv-solver bitblast-internal)",),
        "bv-as-int": ("(set-option :solve-bv-as-int sum)",),
        "bv-to-bool": ("(set-option :bv-to-bool true)",),
        "bool-to-bv": ("(set-option :bool-to-bv ite)",),
        "bv-gauss-elim": ("(set-option :bv-gauss-elim true)",),
        "decision-internal": ("(set-option :decision internal)",),
        "decision-justification": ("(set-option :decision justification)",),
        "decision-stoponly": ("(set-option :decision stoponly)",),
        "no-simplification": ("(set-option :simplification none)",),
        "unconstrained-simp": ("(set-option :unconstrained-simp true)",),
        "ackermann": ("(set-option :ackermann true)",),
        "sort-inference": ("(set-option :sort-inference true)",),
        "ext-rew-prep": ("(set-option :ext-rew-prep agg)",),
        "learned-rewrite": ("(set-option :learned-rewrite true)",),
        "static-learning": ("(set-option :static-learning false)",),
        "ite-simp": ("(set-option :ite-simp true)",),
        "repeat-simp": ("(set-option :repeat-simp true)",),
        "global-negate": ("(set-option :global-negate true)",),
        "macros-quant": ("(set-option :macros-quant true)",),
        "pre-skolem-quant": ("(set-option :pre-skolem-quant on)",),
        "enum-inst": ("(set-option :enum-inst true)",),
        "mbqi": ("(set-option :mbqi true)",),
        "cegqi-all": ("(set-option :cegqi-all true)",),
        "no-cegqi": ("(set-option :cegqi false)",),
        "strings-fmf": ("(set-option :strings-fmf true)",),
        "no-strings-lazy-pp": ("(set-option :strings-lazy-pp false)",),
        "no-strings-eager-solver": ("(set-option :strings-eager-solver false)",),
        "re-elim": ("(set-option :re-elim agg)",),
        "arrays-weak-equiv": ("(set-option :arrays-weak-equiv true)",),
        "arrays-eager-index": ("(set-option :arrays-eager-index false)",),
        "arith-rewrite-equalities": ("(set-option :arith-rewrite-equalities true)",),
        "arith-eq-solver": ("(set-option :arith-eq-solver true)",),
        "soi": ("(set-option :use-soi true)",),
        "fc-simplex": ("(set-option :use-fcsimplex true)",),
        "minisat-simplification-none": ("(set-option :minisat-simplification none)",),
        "central-equality-engine": ("(set-option :ee-mode central)",),
        "care-graph": ("(set-option :tc-mode care-graph)",),
        "dt-share-sel": ("(set-option :dt-share-sel false)",),
        "fp-exp": ("(set-option :fp-exp true)",),
    }

    def runner(self, is_resident: bool, limit_ms: int) -> Callable[[str], None]:
        binding: Any = importlib.import_module("cvc5")
        state: dict[str, Any] = {}

        def renew(is_incremental: bool) -> None:
            state.clear()  # the parser goes before its solver
            has_terms = hasattr(binding, "TermManager")  # from 1.2 on
            state["terms"] = binding.TermManager() if has_terms else None
            solver = binding.Solver(state["terms"]) if has_terms else binding.Solver()
            solver.setOption("tlimit-per", str(limit_ms))
            solver.setOption("incremental", "true" if is_incremental else "false")
            state["solver"] = solver

        def say(text: str, levels: list[int]) -> None:
            solver = state["solver"]
            # A parser for each text: one that is given text piece by piece reads nothing more in 1.1, and is of no use
            # after an error.
            parser = (
                binding.InputParser(solver, state["symbols"]) if "symbols" in state else binding.InputParser(solver)
            )
            state["symbols"] = parser.getSymbolManager()
            parser.setStringInput(binding.InputLanguage.SMT_LIB_2_6, text, "script")
            while not (command := parser.nextCommand()).isNull():
                said = command.invoke(solver, state["symbols"])
                if said:
                    shell.printed(said if isinstance(said, str) else said.decode())
                name = command.getCommandName()
                if name in ("push", "pop"):
                    found = PUSH.match(str(command))
                    levels[0] += int(found[2] or 1) * (1 if name == "push" else -1) if found else 0

        def run(text: str) -> None:
            if text.startswith("(reset)") or "solver" not in state:
                renew(is_resident or shell.stacks(text))
                text = text.removeprefix("(reset)")
            levels = [0]
            try:
                say(text, levels)
            except Exception as error:  # the binding raises RuntimeError for nearly all
                shell.failed(error)
                if is_resident and levels[0] > 0:  # the text's own pop was not reached
                    say(f"(pop {levels[0]})", levels)

        return run

    def available(self) -> Mapping[str, str]:
        return {"cvc5": r"^((?:1\.[1-9]\d*|[2-9]\d*\.\d+)\.\d+)$"}

    def prove(self, options: Options) -> None:
        super().prove(options)
        found = self.version()
        if tuple(int(n) for n in found.split(".")[:2] if n.isdigit()) < (1, 1):
            remedy = "Use cvc5 1.1.0 or later, such as cvc5@1.1.0."
            raise RuntimeError(f"the Python binding of cvc5 {found} reads no SMT-LIB. {remedy}")

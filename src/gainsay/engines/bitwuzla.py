"""Bitwuzla, by its Python binding in a process of its own (`shell`).

Bit-vectors, floating point, arrays, functions, quantifiers.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

from gainsay.engines import shell
from gainsay.engines.smt import Binding

ABSTRACTION = ("(set-option :abstraction true)", "(set-option :abstraction-bv-size 3)")


class Bitwuzla(Binding):
    """Its configurations are other solvers of bit-vectors, abstraction, and passes that are left out."""

    name = "bitwuzla"
    package = "bitwuzla"
    title = "Bitwuzla"
    configs = {
        "default": (),
        "prop": ('(set-option :bv-solver "prop")',),
        "preprop": ('(set-option :bv-solver "preprop")',),
        "rewrite-0": ("(set-option :rewrite-level 0)",),
        "rewrite-1": ("(set-option :rewrite-level 1)",),
        "no-preprocess": ("(set-option :preprocess false)",),
        "abstraction": ABSTRACTION,
        "abstraction-add": (*ABSTRACTION, "(set-option :abstraction-bv-add true)"),
        "abstraction-ite": (*ABSTRACTION, "(set-option :abstraction-ite true)"),
        "abstraction-assert": (*ABSTRACTION, "(set-option :abstraction-assert true)"),
        "elim-bv-udiv": ("(set-option :pp-elim-bv-udiv true)",),
        "no-contradicting-ands": ("(set-option :pp-contradicting-ands false)",),
        "no-embedded-constr": ("(set-option :pp-embedded-constr false)",),
        "no-flatten-and": ("(set-option :pp-flatten-and false)",),
        "no-normalize": ("(set-option :pp-normalize false)",),
        "no-skeleton-preproc": ("(set-option :pp-skeleton-preproc false)",),
        "no-variable-subst": ("(set-option :pp-variable-subst false)",),
        "seed": ("(set-option :seed 17)",),
    }
    solve = """
import sys, bitwuzla
terms = bitwuzla.TermManager()
try:
    bitwuzla.Parser(terms, bitwuzla.Options()).parse(sys.stdin.read(), False, False)
except bitwuzla.BitwuzlaException as error:
    sys.stdout.write('(error "' + str(error) + '")\\n')
"""

    def runner(self, is_resident: bool, limit_ms: int) -> Callable[[str], None]:
        binding: Any = importlib.import_module("bitwuzla")
        state: dict[str, Any] = {}

        def run(text: str) -> None:
            if text.startswith("(reset)") or not state:
                state.clear()
                options = binding.Options()
                options.set("time-limit-per", limit_ms)
                state["terms"] = binding.TermManager()
                state["parser"] = binding.Parser(state["terms"], options)
                text = text.removeprefix("(reset)")
            try:
                state["parser"].parse(text, False, False)
            except Exception as error:
                shell.failed(error)
                if is_resident:  # the parser takes nothing more: what was loaded has to be loaded again
                    sys.exit(1)

        return run

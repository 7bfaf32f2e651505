"""Bitwuzla, by its Python binding in a process of its own (`shell`).

Bit-vectors, floating point, arrays, functions, quantifiers.
"""

from __future__ import annotations

from gainsay.engines.smt import Binding


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
        "abstraction": ("(set-option :abstraction true)", "(set-option :abstraction-bv-size 3)"),
        "abstraction-add": (
            "(set-option :abstraction true)",
            "(set-option :abstraction-bv-size 3)",
            "(set-option :abstraction-bv-add true)",
        ),
        "abstraction-ite": (
            "(set-option :abstraction true)",
            "(set-option :abstraction-bv-size 3)",
            "(set-option :abstraction-ite true)",
        ),
        "abstraction-assert": (
            "(set-option :abstraction true)",
            "(set-option :abstraction-bv-size 3)",
            "(set-option :abstraction-assert true)",
        ),
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

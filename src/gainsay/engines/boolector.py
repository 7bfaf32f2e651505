"""Boolector, by its Python binding in a process of its own (`shell`): bit-vectors, arrays, functions.

It has no unsatisfiable cores and no (reset).
"""

from __future__ import annotations

from collections.abc import Mapping

from gainsay.engines.smt import Binding


class Boolector(Binding):
    """Its code went into Bitwuzla."""

    name = "boolector"
    code_base = "bitwuzla"
    package = "pyboolector"
    title = "Boolector"
    resident_has_reset = False
    configs = {
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
    solve = """
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

    def available(self) -> Mapping[str, str]:
        return {"pyboolector": r"^(\d+\.\d+\.\d+(?:\.\d+)*)$"}

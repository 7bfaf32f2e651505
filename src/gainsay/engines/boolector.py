"""Boolector, by its Python binding in a process of its own (`shell`): bit-vectors, arrays, functions.

It has no unsatisfiable cores and no (reset).
"""

from __future__ import annotations

import ctypes
import importlib
import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from gainsay.engines import shell
from gainsay.engines.smt import Binding


def parse(binding: Any, path: str, is_incremental: bool, until: float = 0.0) -> bool:
    """Run a file; whether all of it was understood.
    The limit is one for the whole file: the solver does not say when a check begins."""
    solver = binding.Boolector()
    if until:
        solver.Set_term(lambda _: time.monotonic() > until, (None,))
    if is_incremental:
        solver.Set_opt(binding.BtorOption.BTOR_OPT_INCREMENTAL, 1)
    try:
        result, _, message = solver.Parse(path)
    except Exception as error:
        shell.failed(error)
        return False
    if result == solver.PARSE_ERROR:
        shell.failed(ValueError(message))
    return bool(result != solver.PARSE_ERROR)


def serve(binding: Any) -> NoReturn:
    """Boolector keeps symbols for one file only: so its file is the pipe, with marks and all."""
    library = ctypes.CDLL(None)
    library.setvbuf(ctypes.c_void_p.in_dll(library, "stdout"), None, 1, 1 << 16)  # by the line
    real = binding.os

    class Path:
        isfile = exists = staticmethod(lambda path: True)  # the binding takes regular files only

        def __getattr__(self, name: str) -> Any:
            return getattr(real.path, name)

    class System:
        path = Path()

        def __getattr__(self, name: str) -> Any:
            return getattr(real, name)

    binding.os = System()
    sys.exit(0 if parse(binding, "/dev/stdin", True) else 1)


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

    def runner(self, is_resident: bool, limit_ms: int) -> Callable[[str], None]:
        binding: Any = importlib.import_module("pyboolector")
        if is_resident:
            serve(binding)

        def run(text: str) -> None:
            handle = os.memfd_create("script")
            try:
                os.write(handle, text.removeprefix("(reset)").encode())
                parse(binding, f"/proc/self/fd/{handle}", shell.stacks(text), time.monotonic() + limit_ms / 1000)
            finally:
                os.close(handle)

        return run

    def available(self) -> Mapping[str, str]:
        return {"pyboolector": r"^(\d+\.\d+\.\d+(?:\.\d+)*)$"}

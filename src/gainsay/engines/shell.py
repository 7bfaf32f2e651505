"""Makes a solver's Python binding look like a solver on a pipe: `python -P shell.py cvc5|bitwuzla|boolector
once|resident`.

Reads text up to a line that begins with the mark's echo, runs it, prints what the solver prints and then the mark. A
text that begins with "(reset)" has a new solver to itself. Run with -P: this folder holds modules named like the
bindings."""

from __future__ import annotations

import ctypes
import importlib
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

MARK = '(echo "gainsay-'
PUSH = re.compile(r"\((push|pop)\s*(\d*)\s*\)")


def stacks(text: str) -> bool:
    return "(push" in text or text.count("(check-sat") > 1


def printed(words: str) -> None:
    """Print in the right order: the solver's library has a buffer of its own."""
    ctypes.CDLL(None).fflush(None)
    sys.stdout.write(words)
    sys.stdout.flush()


def failed(error: BaseException) -> None:
    said = (
        "out of memory"
        if isinstance(error, MemoryError)
        else str(error).replace('"', "'").strip() or type(error).__name__
    )
    printed(f'(error "{said}")\n')


def texts() -> Iterator[tuple[str, str]]:
    """Each text, and the word that is to be echoed after it."""
    lines: list[str] = []
    for line in sys.stdin:
        if line.startswith(MARK):
            yield "".join(lines), line[7 : line.rindex('"')]
            lines = []
        else:
            lines.append(line)


def cvc5(is_resident: bool, limit_ms: int) -> Callable[[str], None]:
    """What runs a script in cvc5's binding, and prints as its program would."""
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
        parser = binding.InputParser(solver, state["symbols"]) if "symbols" in state else binding.InputParser(solver)
        state["symbols"] = parser.getSymbolManager()
        parser.setStringInput(binding.InputLanguage.SMT_LIB_2_6, text, "script")
        while not (command := parser.nextCommand()).isNull():
            said = command.invoke(solver, state["symbols"])
            if said:
                printed(said if isinstance(said, str) else said.decode())
            name = command.getCommandName()
            if name in ("push", "pop"):
                found = PUSH.match(str(command))
                levels[0] += int(found[2] or 1) * (1 if name == "push" else -1) if found else 0

    def run(text: str) -> None:
        if text.startswith("(reset)") or "solver" not in state:
            renew(is_resident or stacks(text))
            text = text.removeprefix("(reset)")
        levels = [0]
        try:
            say(text, levels)
        except Exception as error:  # the binding raises RuntimeError for nearly all
            failed(error)
            if is_resident and levels[0] > 0:  # the text's own pop was not reached
                say(f"(pop {levels[0]})", levels)

    return run


def bitwuzla(is_resident: bool, limit_ms: int) -> Callable[[str], None]:
    """The same for Bitwuzla's binding."""
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
            failed(error)
            if is_resident:  # the parser takes nothing more: what was loaded has to be loaded again
                sys.exit(1)

    return run


def boolector(is_resident: bool, limit_ms: int) -> Callable[[str], None]:
    """The same for Boolector's, which reads files only."""
    binding: Any = importlib.import_module("pyboolector")

    def run(text: str) -> None:
        handle = os.memfd_create("script")
        try:
            os.write(handle, text.removeprefix("(reset)").encode())
            parse(binding, f"/proc/self/fd/{handle}", stacks(text), time.monotonic() + limit_ms / 1000)
        finally:
            os.close(handle)

    return run


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
        failed(error)
        return False
    if result == solver.PARSE_ERROR:
        failed(ValueError(message))
    return bool(result != solver.PARSE_ERROR)


def boolector_resident() -> None:
    """Boolector keeps symbols for one file only: so its file is the pipe, with marks and all."""
    binding: Any = importlib.import_module("pyboolector")
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


def main() -> None:
    name, manner, limit_ms = sys.argv[1:4]
    sys.path[:] = [p for p in sys.path if os.path.abspath(p) != os.path.dirname(os.path.abspath(__file__))]
    if (name, manner) == ("boolector", "resident"):
        boolector_resident()
    run = {"cvc5": cvc5, "bitwuzla": bitwuzla, "boolector": boolector}[name](manner == "resident", int(limit_ms))
    for text, mark in texts():
        run(text)
        printed(f"{mark}\n")


if __name__ == "__main__":
    main()

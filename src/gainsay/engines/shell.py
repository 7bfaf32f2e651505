"""Makes a solver's Python binding look like a solver on a pipe: `python -P shell.py MODULE:CLASS once|resident MS`; the
class is that of its adapter.

Reads text up to a line that begins with the mark's echo, runs it, prints what the solver prints and then the mark. A
text that begins with "(reset)" has a new solver to itself. Run with -P: this folder holds modules named like the
bindings."""

from __future__ import annotations

import ctypes
import importlib
import os
import sys
from collections.abc import Iterator

MARK = '(echo "gainsay-'
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


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


def main() -> None:
    place, manner, limit_ms = sys.argv[1:4]
    sys.path[:] = [p for p in sys.path if os.path.abspath(p) != os.path.dirname(os.path.abspath(__file__))]
    sys.path.append(ROOT)  # where nothing but the solver is installed
    module, _, name = place.partition(":")
    run = getattr(importlib.import_module(module), name)().runner(manner == "resident", int(limit_ms))
    for text, mark in texts():
        run(text)
        printed(f"{mark}\n")


if __name__ == "__main__":
    main()

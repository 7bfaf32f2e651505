"""STORM's pools as text: every formula's line of definition and the lines it needs, so that an instance is put together
by joining strings.

One define-fun for each formula keeps text small, however deep a formula is. Solvers read such a definition as a macro.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import compress
from operator import or_

from gainsay.families.smt.language.ir import Decl, Scene

AS_TRUTH = bytes(int(c == ord("1")) for c in range(256))  # the digits of a binary number as selectors
SYMBOL = re.compile(r'"(?:[^"]|"")*"|\|[^|]*\||[^\s()"|]+')


def declared(decl: Decl) -> str:
    return f"(declare-fun {decl.name} ({' '.join(decl.args)}) {decl.sort})"


def set_logic(logic: str) -> list[str]:
    """The command that names the logic; a reduced instance may do without."""
    return [f"(set-logic {logic})"] if logic else []


def free_prefix(names: Iterable[str], prefix: str) -> str:
    """What our own names begin with: none of these names does so."""
    names = list(names)
    while any(n.startswith(prefix) and n[len(prefix) :].isdigit() for n in names):
        prefix += "_"
    return prefix


class Pool:
    """A scene's formulas, ready to be joined. `truths[i]` asserts formula i, or its negation.

    Every declaration and definition is a line with a number, in an order in which each comes after what it needs. What
    a formula needs is a set of bits; those of several formulas are put together by `or`, and select the lines. No line
    is looked at in Python."""

    def __init__(self, scene: Scene) -> None:
        self._prefix = prefix = free_prefix([*(d.name for d in scene.decls), *(d.name for d in scene.defs)], "p")
        self.head = "\n".join([*set_logic(scene.logic), *scene.prelude])
        self._lines: list[str] = []
        known: dict[str, int] = {d.name: self._numbered(declared(d)) for d in scene.decls}
        for d in scene.defs:
            known[d.name] = needed(known, d.text) | self._numbered(f"(define-fun {d.name} () {d.sort} {d.text})")
        self.values = [f.value for f in scene.pool]
        self.needs = [
            needed(known, f.text) | self._numbered(f"(define-fun {prefix}{i} () Bool {f.text})")
            for i, f in enumerate(scene.pool)
        ]
        for built in scene.built:
            self._build(built.one, built.two)
        self.truths = [
            f"(assert {prefix}{i})" if v else f"(assert (not {prefix}{i}))" for i, v in enumerate(self.values)
        ]
        self.initial = len(scene.pool)
        self._ended = [f"{line}\n" for line in self._lines]

    def _numbered(self, line: str) -> int:
        self._lines.append(line)
        return 1 << len(self._lines) - 1

    def _build(self, one: int, two: int) -> None:
        index, prefix = len(self.values), self._prefix
        if two < 0:
            self.values.append(not self.values[one])
            self.needs.append(
                self.needs[one] | self._numbered(f"(define-fun {prefix}{index} () Bool (not {prefix}{one}))")
            )
            return
        self.values.append(self.values[one] and self.values[two])
        line = self._numbered(f"(define-fun {prefix}{index} () Bool (and {prefix}{one} {prefix}{two}))")
        self.needs.append(self.needs[one] | self.needs[two] | line)

    @property
    def statements(self) -> Sequence[str]:
        """All declarations and definitions."""
        return self._lines

    def lines(self, picks: Iterable[int]) -> str:
        """The declarations and definitions that some formulas need, each once and in order, with an end of line
        each."""
        bits = f"{reduce(or_, map(self.needs.__getitem__, picks), 0):b}".encode().translate(AS_TRUTH)[::-1]
        return "".join(compress(self._ended, bits))

    def script(self, picks: Sequence[int], check: str) -> str:
        """A whole instance."""
        return (
            f"(reset)\n{self.head}\n{self.lines(picks)}" + "\n".join(map(self.truths.__getitem__, picks)) + f"\n{check}"
        )

    def resident(self, picks: Sequence[int], check: str) -> str:
        """The same where the scene's definitions are loaded."""
        return "(push 1)\n" + "\n".join(map(self.truths.__getitem__, picks)) + f"\n{check}\n(pop 1)"


def needed(known: dict[str, int], text: str) -> int:
    """The lines that the symbols of a text need."""
    return reduce(or_, (known[symbol] for symbol in SYMBOL.findall(text) if symbol in known), 0)

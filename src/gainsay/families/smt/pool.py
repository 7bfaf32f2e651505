"""STORM's pools as text: every formula's line of definition and the lines it needs, so that an instance is put together by joining strings.

One define-fun for each formula keeps text small, however deep a formula is. Solvers read such a definition as a macro.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain

from gainsay.families.smt.ir import Decl, Scene

SYMBOL = re.compile(r'"(?:[^"]|"")*"|\|[^|]*\||[^\s()"|]+')


def declared(decl: Decl) -> str:
    return f"(declare-fun {decl.name} ({' '.join(decl.args)}) {decl.sort})"


def set_logic(logic: str) -> str:
    return f"(set-logic {logic or 'ALL'})"


def free_prefix(names: Iterable[str], prefix: str) -> str:
    """What our own names begin with: none of these names does so."""
    names = list(names)
    while any(n.startswith(prefix) and n[len(prefix) :].isdigit() for n in names):
        prefix += "_"
    return prefix


class Pool:
    """A scene's formulas, ready to be joined. `needs[i]` are the lines that formula i needs, itself last; `truths[i]` asserts it, or its negation."""

    def __init__(self, scene: Scene) -> None:
        self._prefix = prefix = free_prefix([*(d.name for d in scene.decls), *(d.name for d in scene.defs)], "p")
        self.head = "\n".join([set_logic(scene.logic), *scene.prelude])
        lines: dict[str, tuple[str, ...]] = {d.name: (declared(d),) for d in scene.decls}
        for d in scene.defs:
            lines[d.name] = (*merged(lines, d.text), f"(define-fun {d.name} () {d.sort} {d.text})")
        self.values = [f.value for f in scene.pool]
        self.depths = [f.depth for f in scene.pool]
        self.needs = [(*merged(lines, f.text), f"(define-fun {prefix}{i} () Bool {f.text})") for i, f in enumerate(scene.pool)]
        for built in scene.built:
            self._build(built.one, built.two)
        self.truths = [f"(assert {prefix}{i})" if v else f"(assert (not {prefix}{i}))" for i, v in enumerate(self.values)]
        self.initial = len(scene.pool)
        self.statements = tuple(dict.fromkeys(chain.from_iterable(self.needs)))

    def _build(self, one: int, two: int) -> None:
        index, prefix = len(self.values), self._prefix
        if two < 0:
            self.values.append(not self.values[one])
            self.depths.append(self.depths[one] + 1)
            self.needs.append((*self.needs[one], f"(define-fun {prefix}{index} () Bool (not {prefix}{one}))"))
            return
        self.values.append(self.values[one] and self.values[two])
        self.depths.append(max(self.depths[one], self.depths[two]) + 1)
        needed = dict.fromkeys(chain(self.needs[one], self.needs[two]))
        self.needs.append((*needed, f"(define-fun {prefix}{index} () Bool (and {prefix}{one} {prefix}{two}))"))

    def lines(self, picks: Iterable[int]) -> str:
        """The declarations and definitions that some formulas need, each once and in order."""
        needs = self.needs
        return "\n".join(dict.fromkeys(chain.from_iterable([needs[i] for i in picks])))

    def script(self, picks: Sequence[int], check: str) -> str:
        """A whole instance."""
        truths = self.truths
        return f"(reset)\n{self.head}\n{self.lines(picks)}\n" + "\n".join([truths[i] for i in picks]) + f"\n{check}"

    def resident(self, picks: Sequence[int], check: str) -> str:
        """The same where the scene's definitions are loaded."""
        truths = self.truths
        return "(push 1)\n" + "\n".join([truths[i] for i in picks]) + f"\n{check}\n(pop 1)"


def merged(lines: dict[str, tuple[str, ...]], text: str) -> list[str]:
    """What the symbols of a text need, in order, each once."""
    found: dict[str, None] = {}
    for symbol in SYMBOL.findall(text):
        for line in lines.get(symbol, ()):
            found[line] = None
    return list(found)

"""The annotated precedence graph (Mansur, Wüstholz, Christakis: DLSmith; thesis, chapter 4): who depends on whom, with
which sign.

A node is a relation. An edge u -> v says that a rule of v reads u: + through a positive atom, - through a negated one,
? where v is not a monotone function of u (aggregates, subsumption, choice). A node's ancestry is the sign of all its
paths to the output: + if an increase there can only increase the output, - if only decrease it, ? if both, none if
there is no path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from gainsay.core import graph
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.meaning.semantics import head_of, uses

FLIP = {"+": "-", "-": "+", "?": "?"}
EQU, CON, EXP = "equivalent", "contracting", "expanding"


class Graph(NamedTuple):
    """The annotated precedence graph of a program: who reads whom, and how."""

    edges: tuple[tuple[str, str, str], ...]  # from, to, sign
    ancestry: Mapping[str, str]
    after: Mapping[str, frozenset[str]]  # who reads a node, directly

    def descendants(self, rel: str) -> set[str]:
        """All that depends on a relation, itself included."""
        return graph.reach(self.after, [rel])

    def lift(self, effect: str, rel: str) -> str:
        """What a change of a relation does to the output; empty where nobody can say."""
        sign = self.ancestry.get(rel, "none")
        if effect == EQU or sign == "none":
            return EQU
        return effect if sign == "+" else {CON: EXP, EXP: CON}[effect] if sign == "-" else ""

    def is_monotone_above(self, rel: str) -> bool:
        """queryFuzz's condition: nothing that depends on the relation is other than monotone."""
        above = self.descendants(rel)
        return all(sign == "+" for source, _, sign in self.edges if source in above)


def annotate(program: ir.Program) -> Graph:
    """The annotated precedence graph of a program."""
    rels = {r.name: r for r in program.rels}
    odd = {r.rel for r in program.rules if isinstance(r, ir.Subsumes)} | {r.name for r in program.rels if r.choice}
    edges: dict[tuple[str, str, str], None] = {}
    for rule in program.rules:
        head = head_of(rule)
        for rel, sign in uses(rule):
            if not isinstance(rule, ir.Subsumes):
                edges[rel, head, "?" if head in odd else sign] = None
    before: dict[str, list[tuple[str, str]]] = {}
    after: dict[str, set[str]] = {name: set() for name in rels}
    for source, target, sign in edges:
        before.setdefault(target, []).append((source, sign))
        after.setdefault(source, set()).add(target)
    # Backwards from the output, to the fixpoint: a set of signs for each node.
    signs: dict[str, set[str]] = {program.output: {"?" if program.output in odd else "+"}}
    work = [program.output]
    while work:
        target = work.pop()
        for source, sign in before.get(target, ()):
            got = {"?"} if sign == "?" or source in odd else {FLIP[s] if sign == "-" else s for s in signs[target]}
            known = signs.setdefault(source, set())
            if not got <= known:
                known |= got
                work.append(source)
    ancestry = dict.fromkeys((*rels, *(r.name for r in program.seeded)), "none")
    for name, found in signs.items():
        ancestry[name] = next(iter(found)) if len(found) == 1 else "?"
    return Graph(tuple(edges), ancestry, {k: frozenset(v) for k, v in after.items()})

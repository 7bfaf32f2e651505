"""How simple a case is: reduction ends because each accepted step makes the size smaller."""

from __future__ import annotations

from typing import Any

from gainsay.core.tree import Node, walk
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.language.binding import variables
from gainsay.families.datalog.language.ops import plainer
from gainsay.families.datalog.meaning.legal import rules_of

WEIGHTS: dict[type, int] = {
    ir.Rule: 12, ir.Subsumes: 12, ir.Rel: 6, ir.Fact: 5, ir.Atom: 6, ir.Not: 3, ir.Compare: 6, ir.Holds: 6,
    ir.Either: 6, ir.Aggregate: 10,
    ir.Fold: 8, ir.Call: 5, ir.Record: 5, ir.Var: 3, ir.Const: 2, ir.Wild: 1, ir.TypeDef: 6, ir.Rules: 0, ir.Scene: 0,
}  # fmt: skip


def weight(value: Any) -> int:
    """How much a tree says: more for what is rare or special."""
    if isinstance(value, tuple):
        return sum(weight(v) for v in value)
    if not isinstance(value, Node):
        return 0
    own = WEIGHTS.get(value.__class__, 10)
    if isinstance(value, ir.Rel):
        return own + sum(2 if t == "number" else 3 for t in value.types) + 4 * len(value.marks) + 4 * len(value.choice)
    if isinstance(value, ir.Scene) and value.seed:
        own = 20 + len(value.seed) + 1000
    if isinstance(value, ir.Rules):
        own = 6 * len(value.pragmas)
    if isinstance(value, ir.Rule):
        own += 4 * len(value.plan)
    if isinstance(value, ir.Fact):
        return own + len(value.values)
    if isinstance(value, ir.Call):
        own += len(plainer(value.fn))
    if isinstance(value, ir.Rule):
        # Variables that differ cost more: merging them is progress.
        own += 2 * len(set(variables(value.head) + variables(value.body)))
    return own + sum(
        weight(getattr(value, f))
        for f in value.__struct_fields__
        if isinstance(getattr(value, f), (Node, tuple)) and f != "known"
    )


def plainness(value: Any) -> int:
    """How far values are from the simplest ones."""
    total = 0
    for _, node in walk(value):
        if isinstance(node, ir.Const):
            total += distance(node.value)
        elif isinstance(node, ir.Fact):
            total += sum(distance(v) for v in node.values)
    return total


def distance(value: Any) -> int:
    if value is None:
        return 0
    if isinstance(value, str):
        return 1 + 2 * len(value) + sum(ord(c) - 97 if "a" <= c <= "z" else 30 for c in value)
    if isinstance(value, tuple):
        return sum(distance(v) for v in value)
    return int(abs(value) * 2) + (1 if value < 0 else 0)


def position(scene: ir.Scene, recipe: Any) -> int:
    """Earlier relations first: an atom that reads an input is simpler than one that reads what was derived."""
    rules = next(rules_of(recipe), None)
    order = {r.name: i for i, r in enumerate((*scene.rels, *(rules.rels if rules else ())))}
    return sum(order.get(n.rel, 0) for _, n in walk(recipe) if isinstance(n, ir.Atom)) + (
        order.get(rules.output, 0) if rules else 0
    )


def size(scene: ir.Scene, recipe: Any) -> tuple[int, ...]:
    return weight(scene) + weight(recipe), plainness((scene, recipe)), position(scene, recipe)

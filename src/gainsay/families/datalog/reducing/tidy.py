"""Readable names for a reduced case: inputs a, b, c; derived relations p, q, r; the asked one out; variables x, y,
z."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from gainsay.core.tree import Node, transform, walk
from gainsay.families.datalog.drawing import rewrites
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.meaning.legal import parts

INPUTS = ("a", "b", "c", "d", "e", "f", "g", "h")
DERIVED = ("p", "q", "r", "s", "t", "u", "v", "w")
VARIABLES = ("x", "y", "z", "u", "v", "w")
replace = msgspec.structs.replace


def name(pool: tuple[str, ...], index: int) -> str:
    return pool[index] if index < len(pool) else f"{pool[index % len(pool)]}{index // len(pool)}"


class Renaming:
    """New names for relations and, rule by rule, for variables; and new keys for rules."""

    def __init__(self, scene: ir.Scene, rules: ir.Rules) -> None:
        rels = {r.name: name(INPUTS, i) for i, r in enumerate(scene.rels)}
        derived = [r.name for r in rules.rels if r.name != rules.output]
        rels |= {r: name(DERIVED, i) for i, r in enumerate(derived)}
        if any(r.name == rules.output for r in rules.rels):
            rels[rules.output] = "out"
        taken = {r.name for r in scene.seeded}
        self.rels = {old: new + "_" if new in taken else new for old, new in rels.items()}
        self.variables = {rule.key: mapping(rule) for rule in rules.rules}
        self.keys = {rule.key: number + 1 for number, rule in enumerate(rules.rules)}
        self.last = max(self.keys, default=0)

    def key(self, old: int) -> int:
        """The key of a rule; one that a rewrite adds comes after all others, then as before."""
        return self.keys[old] if old in self.keys else old - self.last + len(self.keys) if old > self.last else old

    def steps(self, nodes: tuple[Any, ...]) -> tuple[Any, ...]:
        """One after the other: a rule that a double negation adds has the variables of the rule that it came from."""
        made, coming = [], self.last + 1
        for node in nodes:
            made.append(self.recipe(node))
            if isinstance(node, rewrites.NegEqu):
                self.variables[coming] = self.variables.get(node.rule, {})
            coming += isinstance(node, (rewrites.NegEqu, rewrites.AddRule, rewrites.AddRelEdges, rewrites.AddSelfEdge))
        return tuple(made)

    def node(self, node: Any, variables: Mapping[str, str]) -> Any:
        def renamed(part: Any) -> Any:
            changes: dict[str, Any] = {}
            if isinstance(part, ir.Rel):
                changes["name"] = self.rels.get(part.name, part.name)
            for field in ("rel", "output"):
                if isinstance(getattr(part, field, None), str):
                    changes[field] = self.rels.get(getattr(part, field), getattr(part, field))
            if isinstance(part, ir.Aggregate):
                changes["var"] = variables.get(part.var, part.var)
            if isinstance(part, ir.Var):
                changes["name"] = variables.get(part.name, part.name)
            return replace(part, **changes) if changes else part

        return transform(node, renamed)

    def recipe(self, node: Any) -> Any:
        """A rule has its own variables; a rewrite uses those of the rule that it names, and leaves alone those that
        rewrites made."""
        if isinstance(node, tuple):
            return self.steps(node)
        if not isinstance(node, Node):
            return node
        if isinstance(node, ir.Rules):
            made = tuple(replace(self.node(r, self.variables[r.key]), key=self.keys[r.key]) for r in node.rules)
            return replace(self.node(replace(node, rules=()), {}), rules=made)
        if getattr(node, "sort", "") == "rewrite":
            if not hasattr(node, "rule"):
                return self.node(node, {})
            return replace(self.node(node, self.variables.get(node.rule, {})), rule=self.key(node.rule))
        parts_ = {
            f: self.recipe(getattr(node, f))
            for f in node.__struct_fields__
            if isinstance(getattr(node, f), (Node, tuple))
        }
        return replace(node, **parts_) if parts_ else node


def mapping(rule: Any) -> dict[str, str]:
    """New names for the variables of a rule, in the order in which they are met."""
    found: dict[str, str] = {}
    for _, node in walk(rule):
        old = node.name if isinstance(node, ir.Var) else node.var if isinstance(node, ir.Aggregate) else ""
        if old and old not in found:
            found[old] = name(VARIABLES, len(found))
    return found


def tidy(scene: ir.Scene, recipe: Any) -> tuple[ir.Scene, Any]:
    rules = next(parts(recipe), None)
    if rules is None:
        return scene, recipe
    new = Renaming(scene, rules)
    return new.node(scene, {}), new.recipe(recipe)

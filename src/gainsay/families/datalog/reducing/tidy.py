"""Readable names for a reduced case: inputs a, b, c; derived relations p, q, r; the asked one out; variables x, y,
z."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from gainsay.core import names
from gainsay.core.tree import Node
from gainsay.families.datalog.drawing import rewrites
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.meaning.legal import rules_of

INPUTS, DERIVED, VARIABLES = "abcdefgh", "pqrstuvw", "xyzuvw"
replace = msgspec.structs.replace


class Renaming:
    """New names for relations and, rule by rule, for variables; and new keys for rules."""

    def __init__(self, scene: ir.Scene, rules: ir.Rules) -> None:
        rels = dict(zip((r.name for r in scene.rels), names.fresh(INPUTS), strict=False))
        derived = (r.name for r in rules.rels if r.name != rules.output)
        rels |= dict(zip(derived, names.fresh(DERIVED), strict=False))
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
            coming += isinstance(node, rewrites.Rewrite) and node.adds_rule
        return tuple(made)

    def node(self, node: Any, variables: Mapping[str, str]) -> Any:
        new = {"relation": self.rels, "variable": variables}
        return names.renamed(node, lambda name: new[name.kind].get(name.text, name.text))

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
        if isinstance(node, rewrites.OfRule):
            return replace(self.node(node, self.variables.get(node.rule, {})), rule=self.key(node.rule))
        if isinstance(node, rewrites.Rewrite):
            return self.node(node, {})
        parts_ = {
            f: self.recipe(getattr(node, f))
            for f in node.__struct_fields__
            if isinstance(getattr(node, f), (Node, tuple))
        }
        return replace(node, **parts_) if parts_ else node


def mapping(rule: Any) -> dict[str, str]:
    """New names for the variables of a rule, in the order in which they are met."""
    return dict(zip(names.met(rule, "variable"), names.fresh(VARIABLES), strict=False))


def tidy(scene: ir.Scene, recipe: Any) -> tuple[ir.Scene, Any]:
    rules = next(rules_of(recipe), None)
    if rules is None:
        return scene, recipe
    new = Renaming(scene, rules)
    return new.node(scene, {}), new.recipe(recipe)

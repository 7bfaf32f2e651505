"""Readable names for a reduced case: inputs a, b, c; derived relations p, q, r; the asked one out; variables x, y, z."""

from __future__ import annotations

from typing import Any

import msgspec

from gainsay.core.tree import Node, transform
from gainsay.families.datalog import ir
from gainsay.families.datalog.legal import parts

INPUTS = ("a", "b", "c", "d", "e", "f", "g", "h")
DERIVED = ("p", "q", "r", "s", "t", "u", "v", "w")
VARIABLES = ("x", "y", "z", "u", "v", "w")
replace = msgspec.structs.replace


def name(pool: tuple[str, ...], index: int) -> str:
    return pool[index] if index < len(pool) else f"{pool[index % len(pool)]}{index // len(pool)}"


def tidy(scene: ir.Scene, recipe: Any) -> tuple[ir.Scene, Any]:
    rules = next(parts(recipe), None)
    if rules is None:
        return scene, recipe
    rels = {r.name: name(INPUTS, i) for i, r in enumerate(scene.rels)}
    derived = [r.name for r in rules.rels if r.name != rules.output]
    rels |= {r: name(DERIVED, i) for i, r in enumerate(derived)}
    if any(r.name == rules.output for r in rules.rels):
        rels[rules.output] = "out"
    taken = {r.name for r in scene.seeded}
    rels = {old: new + "_" if new in taken else new for old, new in rels.items()}
    variables: dict[str, str] = {}

    def named(old: str) -> str:
        if old not in variables:
            variables[old] = name(VARIABLES, len(variables))
        return variables[old]

    def renamed(node: Any) -> Any:
        changes: dict[str, Any] = {}
        if isinstance(node, ir.Rel):
            changes["name"] = rels.get(node.name, node.name)
        for field in ("rel", "output"):
            if isinstance(getattr(node, field, None), str):
                changes[field] = rels.get(getattr(node, field), getattr(node, field))
        if isinstance(node, ir.Aggregate):
            changes["var"] = named(node.var)
        if isinstance(node, ir.Var):
            changes["name"] = named(node.name)
        return replace(node, **changes) if changes else node

    def each(part: Any) -> Any:
        """A rule has its own variables; a rewrite uses those of the rule that it names."""
        return transform(part, renamed)

    return each(scene), by_rule(recipe, rules, variables, each)


def by_rule(recipe: Any, rules: ir.Rules, variables: dict[str, str], each: Any) -> Any:
    """Rename rule by rule, each with variables of its own, and the rewrites with those of their rule."""
    names: dict[int, dict[str, str]] = {}
    made = []
    for rule in rules.rules:
        variables.clear()
        made.append(each(rule))
        names[rule.key] = dict(variables)
    keys = {rule.key: number + 1 for number, rule in enumerate(made)}
    new_rules = tuple(replace(rule, key=keys[rule.key]) for rule in made)

    def rebuilt(node: Any) -> Any:
        if isinstance(node, ir.Rules):
            variables.clear()
            bare = each(replace(node, rules=()))
            return replace(bare, rules=new_rules)
        if isinstance(node, tuple):
            return tuple(rebuilt(n) for n in node)
        if not isinstance(node, Node):
            return node
        if getattr(node, "sort", "") == "rewrite":
            variables.clear()
            variables.update(names.get(getattr(node, "rule", 0), {}))
            renumbered = keys.get(getattr(node, "rule", 0))
            return replace(each(node), rule=renumbered) if renumbered is not None else each(node)
        parts_ = {f: rebuilt(getattr(node, f)) for f in node.__struct_fields__ if isinstance(getattr(node, f), (Node, tuple))}
        return replace(node, **parts_) if parts_ else node

    return rebuilt(recipe)

"""What a case is made of, for telling causes apart: its shape, the bucket of a reduced shape, and when one bucket
absorbs another."""

from __future__ import annotations

from typing import Any

from gainsay.core import graph
from gainsay.core.tree import walk
from gainsay.families.datalog.drawing.rewrites import Rewrite
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.language.ops import group
from gainsay.families.datalog.meaning.legal import rules_of
from gainsay.families.datalog.meaning.semantics import head_of, uses

# What is special about a program: it names the cause. The rest (constants, wildcards, joins) is in nearly every
# program.
SPECIAL = (
    "aggregate", "subsumption", "eqrel", "choice", "plan", "record", "subtype", "inline", "magic", "brie", "btree",
    "no_inline", "no_magic",
    "pragma", "disjunction", "seed",
)  # fmt: skip
# One of these names the cause where nothing special does.
PLAIN = (
    "recursion", "negation", "repeated atom", "functor", "test", "order", "inequality", "equality", "wildcard",
    "constant", "several rules", "join",
)  # fmt: skip
KEYWORDS = frozenset({"subsumption", "eqrel", "choice", "plan", "inline", "magic", "brie", "no_inline", "no_magic"})
# A type is part of the cause where something is computed.
TYPES = frozenset({"float", "unsigned"})
SURROUNDINGS = frozenset(PLAIN[2:3] + PLAIN[5:]) | TYPES | {"no_inline", "no_magic", "btree"}


def shape(scene: ir.Scene, recipe: Any) -> frozenset[str]:
    """The features that a case is made of."""
    found: set[str] = set()
    rules = next(rules_of(recipe), None)
    if scene.seed:
        found.add("seed")
    for _, node in (*walk(scene), *walk(recipe)):
        found |= of_node(node)
    if rules is not None:
        depends: dict[str, list[str]] = {}
        heads = [head_of(r) for r in rules.rules if isinstance(r, ir.Rule)]
        for rule in rules.rules:
            if isinstance(rule, ir.Rule):
                depends.setdefault(rule.head.rel, []).extend(rel for rel, _ in uses(rule))
        if any(len(part) > 1 or part[0] in depends.get(part[0], ()) for part in graph.components(depends)):
            found.add("recursion")
        if len(set(heads)) < len(heads):
            found.add("several rules")
        found |= {f"pragma {p.split()[-1].strip(chr(34))}" for p in rules.pragmas}
        found |= {"pragma"} if rules.pragmas else set()
    steps = [n.__class__.__name__ for _, n in walk(recipe) if isinstance(n, Rewrite)]
    return frozenset(found | {f"by {s}" for s in steps})


def of_node(node: Any) -> set[str]:
    """What a node adds to the shape of a case."""
    if isinstance(node, ir.Rel):
        kinds = {"float", "unsigned", "any"} & set(node.types)
        return set(node.marks) | ({"choice"} if node.choice else set()) | {k for k in kinds if k != "any"}
    if isinstance(node, ir.TypeDef):
        return {"record" if node.fields else "subtype"}
    if isinstance(node, (ir.Fold, ir.Aggregate)):
        return {"aggregate", f"aggregate {node.fn}"}
    if isinstance(node, ir.Call):
        return {"functor", f"functor {group(node.fn)}"}
    if isinstance(node, ir.Holds):
        return {"test", f"test {node.fn.removeprefix('!')}"}
    if isinstance(node, ir.Compare):
        return {"equality" if node.op == "=" else "inequality" if node.op == "!=" else "order"}
    if isinstance(node, ir.Rule):
        atoms = [lit.rel for lit in node.body if isinstance(lit, ir.Atom)]
        plan = {"plan"} if node.plan else set()
        return plan | ({"repeated atom"} if len(set(atoms)) < len(atoms) else {"join"} if len(atoms) > 1 else set())
    simple = {
        ir.Not: "negation",
        ir.Either: "disjunction",
        ir.Subsumes: "subsumption",
        ir.Record: "record",
        ir.Wild: "wildcard",
        ir.Const: "constant",
    }
    return {simple[node.__class__]} if node.__class__ in simple else set()


def bucket(features: frozenset[str]) -> frozenset[str]:
    """The part of a reduced shape that names the cause: all that is special, and the plainest of the rest."""
    special = {f for f in features if f in SPECIAL or f.startswith(("aggregate ", "pragma "))} - {"aggregate", "pragma"}
    if len(special & KEYWORDS) > 1:
        # Two keywords that do not go together are the cause, whatever the rules are
        return frozenset(special & KEYWORDS)
    telling = [f for f in PLAIN if f in features]
    functors = sorted(f for f in features if f.startswith(("functor ", "test ")))
    if telling[:1] in (["functor"], ["test"]) and not special:
        return frozenset(special | set(functors[:1]) | (features & TYPES))
    return frozenset(special | set(telling[:1]))


def absorbs(known: frozenset[str], new: frozenset[str]) -> bool:
    """Whether a new bucket is a known one with mere surroundings."""
    return known == new or (bool(known) and known < new and (new - known <= SURROUNDINGS or len(known & KEYWORDS) > 1))

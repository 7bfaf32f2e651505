"""What an instance is made of: operators, ways of asking, logics. A reduced shape names its cause."""

from __future__ import annotations

from typing import Any

from gainsay.core.tree import walk
from gainsay.families.smt.drawing.pool import SYMBOL
from gainsay.families.smt.language import ops
from gainsay.families.smt.language.ir import RawScript, Scene, Term
from gainsay.families.smt.language.ops import OPERATORS
from gainsay.families.smt.meaning import legal
from gainsay.families.smt.meaning.operations import head
from gainsay.families.smt.reducing.tidy import FUNCTIONS


def shape(scene: Scene, recipe: Any) -> frozenset[str]:
    """The features that a case is made of."""
    found = legal.instance_of(recipe)
    features = set()
    if found is not None:
        _, instance = found
        features |= {f"mode {instance.mode}"} if instance.mode != "one-shot" else set()
        features |= {f"tactic {instance.tactic}"} if instance.tactic else set()
        for index in instance.picks:
            if index < len(scene.pool):
                features |= {feature(s) for s in SYMBOL.findall(scene.pool[index].text)} - {""}
        if instance.picks:
            features |= {feature(s) for f in scene.pool for s in SYMBOL.findall(f.text)} - {""}
    features |= recipe.features
    if isinstance(recipe.shared_question, RawScript):
        features |= {feature(s) for s in SYMBOL.findall(recipe.shared_question.text)} - {""}
    for _, value in walk(recipe):
        if isinstance(value, Term):
            row = OPERATORS.get(value.op)
            is_drawn = row is not None and row.weight > 0  # a constant that is drawn as operators are: re.all
            features.add(feature(head(value.op)[0]) if value.args or is_drawn else "")
            if value.op.startswith("(as const"):
                features.add("const")
    return frozenset(features - {""})


def feature(name: str) -> str:
    """What an operator or a symbol is called in a shape; nothing where it says nothing."""
    row = OPERATORS.get(name)
    if row is None:
        return "function" if name in FUNCTIONS else ""
    if row.role == ops.CONNECTIVE:
        return f"({name})"
    is_named = row.role == ops.STRUCTURE or (row.meaning is not None and row.role != ops.LITERAL)
    return (row.group or name) if is_named else ""


def with_role(*roles: str) -> frozenset[str]:
    return frozenset(feature(name) for name, row in OPERATORS.items() if row.role in roles)


OBSERVERS = with_role(ops.OBSERVER)
AROUND = with_role(ops.OBSERVER, ops.MERE)


def bucket(features: frozenset[str]) -> frozenset[str]:
    """The operators of a theory, and how it was asked; connectives only where there is nothing else."""
    tactics = frozenset(f for f in features if f.startswith(("by ", "tactic ")))
    telling = frozenset(f for f in features if not f.startswith("(")) - tactics
    if tactics:
        alone = telling - OBSERVERS
        return tactics | (alone if len(alone) == 1 else frozenset())  # a tactic may be wrong in several ways
    return telling - OBSERVERS or telling or features


def absorbs(known: frozenset[str], new: frozenset[str]) -> bool:
    """Whether a bucket is a known one with connectives and comparisons around it.
    An operator that is wrong all alone explains all that has it."""
    is_alone = len(known) == 1 and not any(f.startswith(("(", "mode ", "by ", "tactic ")) or f in AROUND for f in known)
    return known <= new and (is_alone or all(f.startswith(("(", "mode ")) or f in AROUND for f in new - known))

"""What a title names: a case with one operator exchanged for another of its kind, or asked in the plainest way. Where
that is as wrong, the operator or the way is not the cause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from gainsay.core.tree import put, walk
from gainsay.families.smt.language import signatures
from gainsay.families.smt.language.ir import Instance, Scene, Term
from gainsay.families.smt.language.ops import OPERATORS
from gainsay.families.smt.meaning import legal
from gainsay.families.smt.meaning.operations import head
from gainsay.families.smt.reducing import shape

Pair = tuple[Scene, Any]
FEW = 4  # operators that are tried in an operator's place
PLAIN = "one-shot"


def exchanges(scene: Scene, recipe: Any) -> Iterator[tuple[str, Any, Pair]]:
    """What could be named, where it stands, and a case without it."""
    for path, node in walk(recipe):
        if isinstance(node, Term) and node.args:
            name = shape.feature(head(node.op)[0])
            for other in alike(node)[:FEW] if name else ():
                yield name, path, (scene, put(recipe, path, msgspec.structs.replace(node, op=other)))
    for path, instance in instances(recipe):
        if instance.mode != PLAIN:
            yield f"mode {instance.mode}", path, (scene, put(recipe, path, asked(instance, PLAIN, instance.tactic)))
        if instance.tactic:
            yield f"tactic {instance.tactic}", path, (scene, put(recipe, path, asked(instance, instance.mode, "")))


def alike(node: Term) -> list[str]:
    """Operators of other groups and the same theories that take and give the same."""
    name = head(node.op)[0]
    own, sorts = OPERATORS.get(name), tuple(a.sort for a in node.args)
    if own is None or own.indices:
        return []
    return [
        other
        for other, row in OPERATORS.items()
        if row.theories == own.theories
        and row.weight
        and not row.of
        and not row.indices
        and isinstance(row.signature, str)
        and row.signature
        and shape.feature(other) != shape.feature(name)
        and signatures.rule(row.signature)(sorts) == node.sort
    ]


def instances(recipe: Any) -> Iterator[tuple[Any, Instance]]:
    found = legal.instance_of(recipe)
    return iter([found] if found is not None else [])


def asked(instance: Instance, mode: str, tactic: str) -> Instance:
    moves = instance.moves if mode == instance.mode else ()
    return msgspec.structs.replace(instance, mode=mode, tactic=tactic, moves=moves)


def titled(named: frozenset[str], spared: frozenset[str], needed: frozenset[str]) -> frozenset[str]:
    """What a title names: of the bucket or the shape what can't be exchanged, and what else is needed, but for
    connectives where there is anything else."""
    left = (named - spared) | needed
    return frozenset(name for name in left if not name.startswith("(")) or named

"""How a rule binds its variables: which ones a literal binds, and an order of the literals in which each is bound
before it is tested."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from gainsay.families.datalog.language import ir


class Unsafe(Exception):
    """A variable is used and never bound."""


def variables(node: Any) -> list[str]:
    """Names of the variables in a term, a literal or a sequence of them, in order, repeated as they are."""
    cls = node.__class__
    if cls is ir.Var:
        return [node.name]
    if cls is tuple or cls is list:
        return [name for part in node for name in variables(part)]
    if cls is ir.Atom or cls is ir.Call or cls is ir.Record or cls is ir.Holds:
        return variables(node.args)
    if cls is ir.Not:
        return variables(node.atom.args)
    if cls is ir.Compare:
        return variables(node.left) + variables(node.right)
    if cls is ir.Either:
        return [name for arm in node.arms for name in variables(arm)]
    if cls is ir.Aggregate:
        return [node.var, *variables(node.body)]
    if cls is ir.Fold:
        return [node.arg.name]
    return []


def patterns(terms: Iterable[Any]) -> set[str]:
    """Variables that an atom binds: those that stand alone or in a record, not those inside a functor."""
    found: set[str] = set()
    for term in terms:
        if term.__class__ is ir.Var:
            found.add(term.name)
        elif term.__class__ is ir.Record:
            found |= patterns(term.args)
    return found


def needed(terms: Iterable[Any]) -> set[str]:
    """Variables inside functors: they must be bound before."""
    found: set[str] = set()
    for term in terms:
        if term.__class__ is ir.Call:
            found |= set(variables(term))
        elif term.__class__ is ir.Record:
            found |= needed(term.args)
    return found


def binds(literal: Any, bound: set[str]) -> set[str] | None:
    """What is bound after a literal that is reached with `bound`; None where it can't be evaluated yet."""
    cls = literal.__class__
    if cls is ir.Atom:
        return None if needed(literal.args) - bound else bound | patterns(literal.args)
    if cls is ir.Compare:
        left, right = literal.left, literal.right
        open_right = set(variables(right)) - bound
        if not open_right:
            if not set(variables(left)) - bound:
                return bound
            if literal.op == "=" and left.__class__ is ir.Var:
                return bound | {left.name}
        elif literal.op == "=" and right.__class__ is ir.Var and not set(variables(left)) - bound:
            return bound | {right.name}
        return None
    if cls is ir.Not or cls is ir.Holds:
        return None if set(variables(literal)) - bound else bound
    if cls is ir.Either:
        after = []
        for arm in literal.arms:
            try:
                after.append(order(arm, bound)[1])
            except Unsafe:
                return None
        return set.intersection(*after) if after else bound
    if cls is ir.Aggregate:
        try:
            inside = order(literal.body, bound)[1]
        except Unsafe:
            return None
        return None if literal.target is not None and literal.target.name not in inside else bound | {literal.var}
    raise TypeError(cls)


def order(body: Sequence[Any], bound: Iterable[str] = ()) -> tuple[list[Any], set[str]]:
    """The literals in an order that binds before it tests: tests as early as they can be, else as written; and what is
    bound at the end."""
    have = set(bound)
    waiting = list(body)
    ordered: list[Any] = []
    # An aggregate fixes what the rest of the rule binds, so it comes last; nothing else may need what it binds sooner.
    waiting.sort(key=lambda lit: lit.__class__ is ir.Aggregate)
    while waiting:
        chosen = -1
        for index, literal in enumerate(waiting):
            after = binds(literal, have)
            if after is None:
                continue
            if chosen < 0 or after == have:
                chosen = index
            if after == have:
                break
        if chosen < 0:
            raise Unsafe(", ".join(sorted(set(variables(waiting)) - have)))
        literal = waiting.pop(chosen)
        have = binds(literal, have) or have
        ordered.append(literal)
    return ordered, have

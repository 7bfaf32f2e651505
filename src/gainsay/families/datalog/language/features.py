"""What a program is made of, in words that a report shows: which functors, aggregates and kinds of rules a hunt has
drawn, and which it says nothing about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gainsay.core.tree import Words, said
from gainsay.families.datalog.language import ir

# Kinds of features, and what a report calls them
KINDS = {
    "functor": "functors", "compare": "comparisons", "test": "tests", "fold": "aggregates in heads",
    "aggregate": "aggregates", "rule": "rules", "mark": "qualifiers of relations", "pragma": "pragmas",
    "type": "types",
}  # fmt: skip
# Kinds of which every feature that is probed is one that may be drawn, and each draw is told
COMPLETE = frozenset({"functor", "compare", "test", "fold", "aggregate", "mark", "pragma", "type"})


def called(kind: str) -> Callable[[Any], Iterator[str]]:
    """Of what calls a function of a kind: which one."""
    return lambda node: iter([f"{kind}:{node.fn.removeprefix('!')}"])


def relation(node: ir.Rel) -> Iterator[str]:
    """Of a relation: the types of its columns, and how it is treated."""
    yield from (f"type:{name}" for name in node.types)
    yield from (f"mark:{name}" for name in node.marks)


WORDS: Words = {
    ir.Call: called("functor"), ir.Holds: called("test"), ir.Fold: called("fold"), ir.Aggregate: called("aggregate"),
    ir.Compare: "compare:{.op}", ir.Rel: relation,
    ir.Program: lambda node: (f"pragma:{text}" for text in node.pragmas),
    ir.Not: "rule:negation", ir.Either: "rule:disjunction", ir.Subsumes: "rule:subsumption", ir.Record: "rule:record",
    ir.Wild: "rule:wildcard",
}  # fmt: skip


def uses(root: Any) -> Iterator[str]:
    """Kind and name of everything in a program, as in 'functor:add:number', 'rule:negation'."""
    return said(root, WORDS)

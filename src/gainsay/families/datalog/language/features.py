"""What a program is made of, in words that a report shows: which functors, aggregates and kinds of rules a hunt has
drawn, and which it says nothing about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gainsay.core.tree import nodes
from gainsay.families.datalog.language import ir

# Kinds of which every feature that is probed is one that may be drawn, and each draw is told
# Kinds of features, and what a report calls them
KINDS = {
    "functor": "functors", "compare": "comparisons", "test": "tests", "fold": "aggregates in heads",
    "aggregate": "aggregates", "rule": "rules", "mark": "qualifiers of relations", "pragma": "pragmas",
    "type": "types",
}  # fmt: skip
COMPLETE = frozenset({"functor", "compare", "test", "fold", "aggregate", "mark", "pragma", "type"})
FUNCTIONS: Mapping[type, str] = {ir.Call: "functor", ir.Holds: "test", ir.Fold: "fold", ir.Aggregate: "aggregate"}
RULES: Mapping[type, str] = {
    ir.Not: "negation", ir.Either: "disjunction", ir.Subsumes: "subsumption", ir.Record: "record", ir.Wild: "wildcard",
}  # fmt: skip


def uses(root: Any) -> Iterator[str]:
    """Kind and name of everything in a program, as in 'functor:add:number', 'rule:negation'."""
    for node in nodes(root):
        if isinstance(node, (ir.Call, ir.Holds, ir.Fold, ir.Aggregate)):
            yield f"{FUNCTIONS[type(node)]}:{node.fn.removeprefix('!')}"
        elif isinstance(node, ir.Compare):
            yield f"compare:{node.op}"
        elif isinstance(node, ir.Rel):
            yield from (f"type:{name}" for name in node.types)
            yield from (f"mark:{name}" for name in node.marks)
        elif isinstance(node, ir.Program):
            yield from (f"pragma:{text}" for text in node.pragmas)
        elif type(node) in RULES:
            yield f"rule:{RULES[type(node)]}"

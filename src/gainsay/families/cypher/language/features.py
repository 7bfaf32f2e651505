"""What a statement or a query is made of, in words that a report shows: which operators, clauses and expressions a hunt
has drawn, and which it says nothing about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gainsay.core.tree import Words, said
from gainsay.families.cypher.language import ir

# Kinds of features, and what a report calls them
KINDS = {
    "op": "operators and functions", "aggregate": "aggregates", "clause": "clauses", "expression": "expressions",
    "pattern": "patterns", "statement": "statements",
}  # fmt: skip
COMPLETE = frozenset({"op"})  # kinds of which every feature that is probed may be drawn, and each draw is told
PARTS = ("distinct", "order", "skip", "limit", "star")


def matches(node: ir.Match) -> Iterator[str]:
    """Of MATCH: whether it may find nothing, and whether it has a condition."""
    yield f"clause:{'OPTIONAL ' * node.optional}MATCH"
    if node.where is not None:
        yield "clause:WHERE"


def results(node: ir.With | ir.Return) -> Iterator[str]:
    """Of WITH and RETURN: what they have."""
    yield f"clause:{node.__class__.__name__.upper()}"
    had = [name for name in PARTS if getattr(node, name, None) not in (None, False, ())]
    yield from (f"clause:{name.upper()}" for name in had)


WORDS: Words = {
    ir.Op: "op:{.op}", ir.Match: matches, ir.With: results, ir.Return: results, ir.Unwind: "clause:UNWIND",
    ir.Agg: lambda n: [f"aggregate:{n.fn}{' DISTINCT' * n.distinct}"], ir.Quantified: "expression:{.kind}()",
    ir.SubQuery: lambda n: [f"expression:{n.kind.upper()} {{}}"], ir.Case: "expression:CASE",
    ir.Comprehension: "expression:list comprehension", ir.Reduce: "expression:reduce",
    ir.PatternList: "expression:pattern comprehension", ir.HasLabel: "expression:label", ir.MapOf: "expression:map",
    ir.ListOf: "expression:list", ir.RelPat: lambda n: [f"pattern:{'variable length' if n.length else n.direction}"],
    ir.Create: "statement:CREATE", ir.NodeTable: "statement:CREATE NODE TABLE",
    ir.EdgeTable: "statement:CREATE REL TABLE", ir.Index: "statement:CREATE INDEX",
    ir.DropIndex: "statement:DROP INDEX", ir.SetKey: "statement:SET", ir.Drop: "statement:DELETE",
}  # fmt: skip


def uses(root: Any) -> Iterator[str]:
    """Kind and name of everything in a tree, as in 'op:STARTS WITH', 'clause:MATCH'."""
    return said(root, WORDS)

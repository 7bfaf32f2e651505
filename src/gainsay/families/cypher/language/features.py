"""What a statement or a query is made of, in words that a report shows: which operators, clauses and expressions a hunt
has drawn, and which it says nothing about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gainsay.core.tree import nodes
from gainsay.families.cypher.language import ir

# Kinds of features, and what a report calls them
KINDS = {
    "op": "operators and functions", "aggregate": "aggregates", "clause": "clauses", "expression": "expressions",
    "pattern": "patterns", "statement": "statements",
}  # fmt: skip
COMPLETE = frozenset({"op"})  # kinds of which every feature that is probed may be drawn, and each draw is told
EXPRESSIONS: Mapping[type, str] = {
    ir.Case: "CASE", ir.Comprehension: "list comprehension", ir.Reduce: "reduce",
    ir.PatternList: "pattern comprehension", ir.HasLabel: "label", ir.MapOf: "map", ir.ListOf: "list",
}  # fmt: skip
STATEMENTS: Mapping[type, str] = {
    ir.Create: "CREATE", ir.NodeTable: "CREATE NODE TABLE", ir.EdgeTable: "CREATE REL TABLE", ir.Index: "CREATE INDEX",
    ir.DropIndex: "DROP INDEX", ir.SetKey: "SET", ir.Drop: "DELETE",
}  # fmt: skip
PARTS = ("distinct", "order", "skip", "limit", "star")


def uses(root: Any) -> Iterator[str]:
    """Kind and name of everything in a tree, as in 'op:STARTS WITH', 'clause:MATCH'."""
    for node in nodes(root):
        if isinstance(node, ir.Op):
            yield f"op:{node.op}"
        elif isinstance(node, ir.Match):
            yield f"clause:{'OPTIONAL ' * node.optional}MATCH"
            if node.where is not None:
                yield "clause:WHERE"
        elif isinstance(node, (ir.With, ir.Return)):
            yield f"clause:{'WITH' if isinstance(node, ir.With) else 'RETURN'}"
            had = [name for name in PARTS if getattr(node, name, None) not in (None, False, ())]
            yield from (f"clause:{name.upper()}" for name in had)
        else:
            yield from other(node)


def other(node: Any) -> Iterator[str]:
    """Of everything else."""
    if isinstance(node, ir.Agg):
        yield f"aggregate:{node.fn}{' DISTINCT' * node.distinct}"
    elif isinstance(node, ir.Quantified):
        yield f"expression:{node.kind}()"
    elif isinstance(node, ir.SubQuery):
        yield f"expression:{node.kind.upper()} {{}}"
    elif isinstance(node, ir.RelPat):
        yield f"pattern:{'variable length' if node.length else node.direction}"
    elif isinstance(node, ir.Unwind):
        yield "clause:UNWIND"
    elif type(node) in EXPRESSIONS:
        yield f"expression:{EXPRESSIONS[type(node)]}"
    elif type(node) in STATEMENTS:
        yield f"statement:{STATEMENTS[type(node)]}"

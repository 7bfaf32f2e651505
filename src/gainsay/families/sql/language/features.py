"""What a statement or a query is made of, in words that a report shows: which operators, clauses, types and statements
a hunt has drawn, and which it says nothing about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gainsay.core.tree import nodes
from gainsay.families.sql.language import ir

# Kinds of which every feature that is probed is one that may be drawn, and each draw is told
# Kinds of features, and what a report calls them
KINDS = {
    "op": "operators and functions", "join": "joins", "window": "window functions", "frame": "window frames",
    "grouping": "grouping", "type": "types", "setting": "settings", "clause": "clauses", "statement": "statements",
    "aggregate": "aggregates", "subquery": "subqueries",
}  # fmt: skip
COMPLETE = frozenset({"op", "join", "window", "frame", "grouping", "type", "setting"})
# ... but for these, which stand for a way to combine others
ASIDE = frozenset({"join:, before ON", "join:FULL JOIN by =", "join:no on", "frame:exclude", "window:filter"})
CLAUSES = ("where", "having", "order", "limit", "offset", "distinct", "distinct_on", "group", "ctes")
STATEMENTS: Mapping[type, str] = {
    ir.CreateTable: "CREATE TABLE", ir.CreateVirtual: "CREATE VIRTUAL TABLE", ir.CreateIndex: "CREATE INDEX",
    ir.CreateView: "CREATE VIEW", ir.CreateTrigger: "CREATE TRIGGER", ir.Update: "UPDATE", ir.Delete: "DELETE",
    ir.RenameTable: "ALTER TABLE RENAME TO", ir.RenameColumn: "ALTER TABLE RENAME COLUMN",
    ir.AddColumn: "ALTER TABLE ADD COLUMN", ir.DropColumn: "ALTER TABLE DROP COLUMN", ir.Mark: "transaction",
    ir.Extra: "extra",
}  # fmt: skip


def uses(root: Any) -> Iterator[str]:
    """Kind and name of everything in a tree, as in 'op:LIKE', 'clause:WHERE'."""
    for node in nodes(root):
        if isinstance(node, ir.Op):
            yield f"op:{node.op}"
        elif isinstance(node, (ir.Select, ir.Compound)):
            yield from clauses(node)
        else:
            yield from other(node)


def clauses(node: ir.Select | ir.Compound) -> Iterator[str]:
    """Of a query: the clauses that it has."""
    for name in CLAUSES:
        if getattr(node, name, None):
            yield f"clause:{CLAUSE_WORDS.get(name, name.upper())}"
    if isinstance(node, ir.Compound):
        yield f"clause:{node.op}"
    elif node.grouping:
        yield f"grouping:{node.grouping}"


CLAUSE_WORDS = {"order": "ORDER BY", "group": "GROUP BY", "ctes": "WITH", "distinct_on": "DISTINCT ON"}


def other(node: Any) -> Iterator[str]:
    """Of everything else."""
    if isinstance(node, ir.Join):
        yield from ([f"join:{node.kind}"] if node.kind else [])
        yield from (["clause:USING"] if node.using else [])
    elif isinstance(node, ir.Agg):
        yield f"aggregate:{node.fn}"
    elif isinstance(node, ir.Over):
        yield f"window:{node.fn}"
    elif isinstance(node, ir.Frame):
        yield f"frame:{node.unit}"
    elif isinstance(node, ir.SubExpr):
        yield f"subquery:{node.kind}"
    elif isinstance(node, ir.Column):
        yield f"type:{node.type}"
    elif isinstance(node, ir.Setting):
        yield f"setting:{node.text}"
    elif isinstance(node, ir.Insert):
        yield f"statement:{node.verb}"
        yield from (["statement:ON CONFLICT"] if node.upsert is not None else [])
        yield from (["statement:INSERT of a query"] if node.query is not None else [])
    elif type(node) in STATEMENTS:
        yield f"statement:{STATEMENTS[type(node)]}"

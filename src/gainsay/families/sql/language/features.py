"""What a statement or a query is made of, in words that a report shows: which operators, clauses, types and statements
a hunt has drawn, and which it says nothing about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from gainsay.core.tree import said
from gainsay.families.sql.language import ir

# Kinds of features, and what a report calls them
KINDS = {
    "op": "operators and functions", "join": "joins", "window": "window functions", "frame": "window frames",
    "grouping": "grouping", "type": "types", "setting": "settings", "clause": "clauses", "statement": "statements",
    "aggregate": "aggregates", "subquery": "subqueries",
}  # fmt: skip
# Kinds of which every feature that is probed is one that may be drawn, and each draw is told
COMPLETE = frozenset({"op", "join", "window", "frame", "grouping", "type", "setting"})
# ... but for these, which stand for a way to combine others
ASIDE = frozenset({"join:, before ON", "join:FULL JOIN by =", "join:no on", "frame:exclude", "window:filter"})
CLAUSES = {
    "where": "WHERE", "having": "HAVING", "order": "ORDER BY", "limit": "LIMIT", "offset": "OFFSET",
    "distinct": "DISTINCT", "distinct_on": "DISTINCT ON", "group": "GROUP BY", "ctes": "WITH",
}  # fmt: skip


def clauses(node: ir.Select | ir.Compound) -> Iterator[str]:
    """Of a query: the clauses that it has."""
    yield from (f"clause:{word}" for field, word in CLAUSES.items() if getattr(node, field, None))
    if isinstance(node, ir.Compound):
        yield f"clause:{node.op}"
    elif node.grouping:
        yield f"grouping:{node.grouping}"


def joins(node: ir.Join) -> Iterator[str]:
    """Of what is joined: how."""
    if node.kind:
        yield f"join:{node.kind}"
    if node.using:
        yield "clause:USING"


def inserts(node: ir.Insert) -> Iterator[str]:
    """Of an INSERT: its verb, and what it has beside rows."""
    yield f"statement:{node.verb}"
    if node.upsert is not None:
        yield "statement:ON CONFLICT"
    if node.query is not None:
        yield "statement:INSERT of a query"


WORDS: Mapping[type, str | Callable[[Any], Iterator[str]]] = {
    ir.Op: "op:{.op}", ir.Agg: "aggregate:{.fn}", ir.Over: "window:{.fn}", ir.Frame: "frame:{.unit}",
    ir.SubExpr: "subquery:{.kind}", ir.Column: "type:{.type}", ir.Setting: "setting:{.text}",
    ir.Select: clauses, ir.Compound: clauses, ir.Join: joins, ir.Insert: inserts,
    ir.CreateTable: "statement:CREATE TABLE", ir.CreateVirtual: "statement:CREATE VIRTUAL TABLE",
    ir.CreateIndex: "statement:CREATE INDEX", ir.CreateView: "statement:CREATE VIEW",
    ir.CreateTrigger: "statement:CREATE TRIGGER", ir.Update: "statement:UPDATE", ir.Delete: "statement:DELETE",
    ir.RenameTable: "statement:ALTER TABLE RENAME TO", ir.RenameColumn: "statement:ALTER TABLE RENAME COLUMN",
    ir.AddColumn: "statement:ALTER TABLE ADD COLUMN", ir.DropColumn: "statement:ALTER TABLE DROP COLUMN",
    ir.Mark: "statement:transaction", ir.Extra: "statement:extra",
}  # fmt: skip


def uses(root: Any) -> Iterator[str]:
    """Kind and name of everything in a tree, as in 'op:LIKE', 'clause:WHERE'."""
    return said(root, WORDS)

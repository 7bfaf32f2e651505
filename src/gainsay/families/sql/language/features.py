"""What a statement or a query is made of, in words that a report shows: which operators, clauses, types and statements
a hunt has drawn, and which it says nothing about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gainsay.core.tree import nodes
from gainsay.families.sql.language import ir

# Kinds of features, and what a report calls them
KINDS = {
    "op": "operators and functions", "join": "joins", "window": "window functions", "frame": "window frames",
    "grouping": "grouping", "type": "types", "setting": "settings", "clause": "clauses", "statement": "statements",
    "aggregate": "aggregates", "subquery": "subqueries", "column": "columns", "table": "tables", "index": "indexes",
    "foreign": "foreign keys", "virtual": "virtual tables", "extra": "beside tables",
    "rows": "functions that give rows",
}  # fmt: skip
# Kinds of which every feature that is probed is one that may be drawn, and each draw is told
COMPLETE = frozenset(KINDS) - {"clause", "statement", "subquery"}
# ... but for these, which stand for a way to combine others
ASIDE = frozenset({"join:, before ON", "join:FULL JOIN by =", "join:no on", "window:filter"})
# Probed features that have another name here
ROWS = {
    "join:using": "clause:USING", "agg:filter": "clause:FILTER", "clause:with": "clause:WITH",
    "clause:recursive": "clause:WITH RECURSIVE", "clause:limit": "clause:LIMIT", "clause:all": "clause:ALL",
    "clause:nulls": "clause:NULLS FIRST or LAST", "clause:values": "clause:VALUES",
    "clause:union all": "clause:UNION ALL",
    "stmt:ANALYZE": "setting:ANALYZE", "stmt:REINDEX": "setting:REINDEX", "stmt:VACUUM": "setting:VACUUM",
    "stmt:index": "statement:CREATE INDEX", "stmt:view": "statement:CREATE VIEW",
    "stmt:upsert": "statement:ON CONFLICT",
    "stmt:insert select": "statement:INSERT of a query", "stmt:trigger": "statement:CREATE TRIGGER",
    "stmt:savepoint": "statement:SAVEPOINT", "stmt:transaction": "statement:BEGIN",
    "view:temporary": "statement:CREATE TEMPORARY VIEW", "alter:rename table": "statement:ALTER TABLE RENAME TO",
    "alter:rename column": "statement:ALTER TABLE RENAME COLUMN",
    "alter:add column": "statement:ALTER TABLE ADD COLUMN",
    "alter:drop column": "statement:ALTER TABLE DROP COLUMN", "update:from": "statement:UPDATE FROM",
    "update:row": "statement:UPDATE of a row", "returning:insert": "statement:INSERT RETURNING",
    "returning:update": "statement:UPDATE RETURNING", "returning:delete": "statement:DELETE RETURNING",
}  # fmt: skip
VERBS = ("stmt:INSERT ", "stmt:UPDATE ", "stmt:BEGIN ")  # which a statement begins with
MADE = ("INSERT ", "CREATE ")  # begins a text that sets nothing: what a type needs, or a copy of a table
# What a node is, whatever its fields say
NODES: Mapping[type, str] = {
    ir.CreateTable: "statement:CREATE TABLE", ir.CreateIndex: "statement:CREATE INDEX",
    ir.CreateView: "statement:CREATE VIEW", ir.CreateTrigger: "statement:CREATE TRIGGER", ir.Delete: "statement:DELETE",
    ir.RenameTable: "statement:ALTER TABLE RENAME TO", ir.RenameColumn: "statement:ALTER TABLE RENAME COLUMN",
    ir.AddColumn: "statement:ALTER TABLE ADD COLUMN", ir.DropColumn: "statement:ALTER TABLE DROP COLUMN",
    ir.RowList: "clause:VALUES",
}  # fmt: skip
# What it tells where a field says something
FIELDS: Mapping[type, Mapping[str, str]] = {
    ir.Select: {
        "where": "clause:WHERE", "having": "clause:HAVING", "distinct": "clause:DISTINCT", "group": "clause:GROUP BY",
        "distinct_on": "clause:DISTINCT ON", "is_all": "clause:ALL", "order": "clause:ORDER BY",
        "limit": "clause:LIMIT", "offset": "clause:OFFSET", "ctes": "clause:WITH",
    },
    ir.Compound: {
        "order": "clause:ORDER BY", "limit": "clause:LIMIT", "offset": "clause:OFFSET", "ctes": "clause:WITH"
    },
    ir.Cte: {"is_recursive": "clause:WITH RECURSIVE"},
    ir.Order: {"nulls": "clause:NULLS FIRST or LAST"},
    ir.Join: {"using": "clause:USING", "is_lateral": "clause:LATERAL"},
    ir.Agg: {"where": "clause:FILTER"},
    ir.Over: {"where": "clause:FILTER"},
    ir.Frame: {"exclude": "frame:exclude"},
    ir.Column: {
        "primary": "column:primary", "unique": "column:unique", "not_null": "column:not null",
        "default": "column:default", "check": "column:check", "generated": "column:generated",
        "stored": "column:stored", "collate": "column:collate", "desc": "column:primary desc",
        "is_counted": "column:counted", "on_conflict": "column:on conflict", "on_null": "column:on conflict",
    },
    ir.CreateTable: {
        "strict": "table:strict", "without_rowid": "table:without rowid", "primary": "table:primary",
        "foreign": "table:foreign key", "checks": "table:check", "on_conflict": "table:on conflict",
    },
    ir.CreateIndex: {"where": "index:partial"},
    ir.CreateView: {"is_temporary": "statement:CREATE TEMPORARY VIEW"},
    ir.ForeignKey: {"is_deferred": "foreign:deferred"},
    ir.Insert: {"upsert": "statement:ON CONFLICT", "query": "statement:INSERT of a query"},
    ir.Update: {"source": "statement:UPDATE FROM", "is_row": "statement:UPDATE of a row"},
}  # fmt: skip
# ... and with what stands in a field behind it
NAMED: Mapping[type, Mapping[str, str]] = {
    ir.Op: {"op": "op"}, ir.Compound: {"op": "clause"}, ir.Select: {"grouping": "grouping"}, ir.Join: {"kind": "join"},
    ir.Call: {"row": "rows"}, ir.Agg: {"fn": "aggregate"}, ir.Over: {"fn": "window"}, ir.Frame: {"unit": "frame"},
    ir.SubExpr: {"kind": "subquery"}, ir.CreateTable: {"kind": "table"},
    ir.CreateIndex: {"kind": "index"}, ir.CreateVirtual: {"module": "virtual"}, ir.Extra: {"row": "extra"},
    ir.ForeignKey: {"on_delete": "foreign", "on_update": "foreign"}, ir.Insert: {"verb": "statement"},
    ir.Update: {"verb": "statement"},
}  # fmt: skip


def uses(root: Any) -> Iterator[str]:
    """Kind and name of everything in a tree, as in 'op:LIKE', 'clause:WHERE'."""
    for node in nodes(root):
        cls = type(node)
        if cls in NODES:
            yield NODES[cls]
        for field, name in FIELDS.get(cls, {}).items():
            value = getattr(node, field)
            if value is not None and value != () and value is not False and value != "":
                yield name
        for field, kind in NAMED.get(cls, {}).items():
            if getattr(node, field):
                yield f"{kind}:{getattr(node, field)}"
        yield from other(node)


def other(node: Any) -> Iterator[str]:
    """What takes a look at more than one field."""
    if isinstance(node, ir.Column):
        yield f"type:{node.type}"  # which may be none
    elif isinstance(node, ir.Setting) and not node.text.startswith(MADE):
        yield f"setting:{node.text}"
    elif isinstance(node, ir.CreateVirtual):
        beside = "auxiliary" if node.module.startswith("rtree") else "unindexed"
        yield from (f"virtual:{node.module} {more}" for more in (*node.options, *([beside] if node.beside else ())))
    elif isinstance(node, ir.Mark):
        yield f"statement:{node.text.partition(' TO ')[0].removesuffix(' s0')}"
    elif isinstance(node, ir.Returning):
        yield f"statement:{type(node.statement).__name__.upper()} RETURNING"
    elif isinstance(node, (ir.CreateTable, ir.CreateIndex)):
        kind, keys = ("table", node.primary) if isinstance(node, ir.CreateTable) else ("index", node.keys)
        if any(key.desc for key in keys):
            yield "table:primary desc" if kind == "table" else "index:desc"
        if kind == "index" and any(key.collate for key in keys):
            yield "index:collate"
        if kind == "index" and not all(isinstance(key.expr, ir.Col) for key in keys):
            yield "index:expression"


def row_of(feature: str) -> str:
    """What `uses` calls a probed feature; nothing where it is none of those that are told in full."""
    if feature in ROWS:
        return ROWS[feature]
    if feature.startswith(VERBS):
        return f"statement:{feature.removeprefix('stmt:')}"
    kind, _, name = feature.partition(":")
    if kind == "agg":
        kind = "aggregate"
    if kind == "op":  # without the operands: op:</int,int#1
        before, _, _ = name.rpartition("/")
        name = before or name
    return f"{kind}:{name}" if kind in COMPLETE and feature not in ASIDE else ""

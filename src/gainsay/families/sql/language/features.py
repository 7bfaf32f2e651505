"""What a statement or a query is made of, in words that a report shows: which operators, clauses, types and statements
a hunt has drawn, and which it says nothing about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gainsay.core.tree import Words, said
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


def settings(node: ir.Setting) -> Iterator[str]:
    """Of a setting: what it says."""
    if not node.text.startswith(MADE):
        yield f"setting:{node.text}"


def virtual(node: ir.CreateVirtual) -> Iterator[str]:
    """Of a virtual table: its options, and columns that are kept beside."""
    beside = "auxiliary" if node.module.startswith("rtree") else "unindexed"
    yield from (f"virtual:{node.module} {more}" for more in (*node.options, *([beside] if node.beside else ())))


def keyed(node: ir.CreateTable) -> Iterator[str]:
    """Of a primary key of several columns: its order."""
    if any(key.desc for key in node.primary):
        yield "table:primary desc"


def indexed(node: ir.CreateIndex) -> Iterator[str]:
    """Of an index: what is special in its keys."""
    if any(key.desc for key in node.keys):
        yield "index:desc"
    if any(key.collate for key in node.keys):
        yield "index:collate"
    if not all(isinstance(key.expr, ir.Col) for key in node.keys):
        yield "index:expression"


def marks(node: ir.Mark) -> Iterator[str]:
    """Of the borders of transactions: the word."""
    yield f"statement:{node.text.partition(' TO ')[0].removesuffix(' s0')}"


def returning(node: ir.Returning) -> Iterator[str]:
    """Of RETURNING: what returns."""
    yield f"statement:{type(node.statement).__name__.upper()} RETURNING"


WORDS: Words = {
    ir.Op: "op:{.op}", ir.SubExpr: "subquery:{.kind}", ir.Call: "rows:{.row}", ir.Extra: "extra:{.row}",
    ir.RowList: "clause:VALUES", ir.Setting: settings, ir.Mark: marks, ir.Returning: returning,
    ir.Agg: ["aggregate:{.fn}", ("where", "clause:FILTER")], ir.Over: ["window:{.fn}", ("where", "clause:FILTER")],
    ir.Frame: ["frame:{.unit}", ("exclude", "frame:exclude")], ir.Cte: [("is_recursive", "clause:WITH RECURSIVE")],
    ir.Order: [("nulls", "clause:NULLS FIRST or LAST")],
    ir.Join: [("kind", "join:{.kind}"), ("using", "clause:USING"), ("is_lateral", "clause:LATERAL")],
    ir.Compound: [
        "clause:{.op}", ("order", "clause:ORDER BY"), ("limit", "clause:LIMIT"), ("offset", "clause:OFFSET"),
        ("ctes", "clause:WITH"),
    ],
    ir.Select: [
        ("where", "clause:WHERE"), ("having", "clause:HAVING"), ("distinct", "clause:DISTINCT"),
        ("group", "clause:GROUP BY"), ("distinct_on", "clause:DISTINCT ON"), ("is_all", "clause:ALL"),
        ("order", "clause:ORDER BY"), ("limit", "clause:LIMIT"), ("offset", "clause:OFFSET"), ("ctes", "clause:WITH"),
        ("grouping", "grouping:{.grouping}"),
    ],
    ir.Column: [
        "type:{.type}", ("primary", "column:primary"), ("unique", "column:unique"), ("not_null", "column:not null"),
        ("default", "column:default"), ("check", "column:check"), ("generated", "column:generated"),
        ("stored", "column:stored"), ("collate", "column:collate"), ("desc", "column:primary desc"),
        ("is_counted", "column:counted"), ("on_conflict", "column:on conflict"), ("on_null", "column:on conflict"),
    ],
    ir.CreateTable: [
        "statement:CREATE TABLE", ("kind", "table:{.kind}"), ("strict", "table:strict"),
        ("without_rowid", "table:without rowid"), ("primary", "table:primary"), ("foreign", "table:foreign key"),
        ("checks", "table:check"), ("on_conflict", "table:on conflict"), keyed,
    ],
    ir.ForeignKey: [
        ("on_delete", "foreign:{.on_delete}"), ("on_update", "foreign:{.on_update}"),
        ("is_deferred", "foreign:deferred"),
    ],
    ir.CreateIndex: ["statement:CREATE INDEX", ("kind", "index:{.kind}"), ("where", "index:partial"), indexed],
    ir.CreateView: ["statement:CREATE VIEW", ("is_temporary", "statement:CREATE TEMPORARY VIEW")],
    ir.CreateVirtual: ["virtual:{.module}", virtual], ir.CreateTrigger: "statement:CREATE TRIGGER",
    ir.Insert: [
        "statement:{.verb}", ("upsert", "statement:ON CONFLICT"), ("query", "statement:INSERT of a query"),
    ],
    ir.Update: ["statement:{.verb}", ("source", "statement:UPDATE FROM"), ("is_row", "statement:UPDATE of a row")],
    ir.Delete: "statement:DELETE", ir.RenameTable: "statement:ALTER TABLE RENAME TO",
    ir.RenameColumn: "statement:ALTER TABLE RENAME COLUMN", ir.AddColumn: "statement:ALTER TABLE ADD COLUMN",
    ir.DropColumn: "statement:ALTER TABLE DROP COLUMN",
}  # fmt: skip


def uses(root: Any) -> Iterator[str]:
    """Kind and name of everything in a tree, as in 'op:LIKE', 'clause:WHERE'."""
    return said(root, WORDS)


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

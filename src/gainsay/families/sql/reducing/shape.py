"""What a case is made of, for telling causes apart: its shape, the bucket of a reduced shape, and when one bucket
absorbs another."""

from __future__ import annotations

from typing import Any

from gainsay.core.tree import walk
from gainsay.families.sql.language import dialects, ir
from gainsay.families.sql.language.aggregates import AGGREGATES
from gainsay.families.sql.reducing.size import weight


def shape(scene: Any, recipe: Any) -> frozenset[str]:
    """The features that a case is made of: equal sets are taken for one cause, a superset for a likely repetition."""
    found: set[str] = set()
    for statement in scene.statements:
        found |= of_statement(statement)
    for _, node in walk((scene, recipe)):
        found |= of_node(node)
    found |= recipe.features
    return frozenset(found)


def of_statement(s: ir.Statement) -> set[str]:
    """What a statement makes that changes how queries are planned."""
    found: set[str] = set()
    if isinstance(s, ir.CreateIndex):
        found |= (
            {"index"}
            | ({"partial index"} if s.where is not None else set())
            | ({"unique index"} if s.unique else set())
        )
        found |= {"index on expression" for k in s.keys if not isinstance(k.expr, ir.Col)}
        found |= {f"index: {s.kind}"} if s.kind else set()
    elif isinstance(s, ir.CreateTable):
        found |= {"without rowid"} if s.without_rowid else set()
        found |= {"strict"} if s.strict else set()
        found |= {f"table: {s.kind}"} if s.kind else set()
        found |= {"foreign key"} if s.foreign else set()
        found |= {f"foreign key {a.lower()}" for k in s.foreign for a in (k.on_delete, k.on_update) if a}
        for c in s.columns:
            found |= {"collation"} if c.collate and c.collate != "BINARY" else set()
            found |= {"unique"} if c.unique or c.primary else set()
            found |= {"generated column"} if c.generated is not None else set()
            found |= {f"on conflict {word.lower()}" for word in (c.on_conflict, c.on_null, s.on_conflict) if word}
    elif isinstance(s, ir.CreateVirtual):
        found.add(s.module)
        found |= {f"{s.module}: {option}" for option in s.options}
    elif isinstance(s, ir.CreateTrigger):
        found.add("trigger")
    elif isinstance(s, ir.Update):
        found |= {"update from"} if s.source else set()
        found |= {s.verb.lower()} if s.verb != "UPDATE" else set()
    elif isinstance(s, ir.CreateView):
        found.add("stored view" if s.is_stored else "view")
    elif isinstance(s, ir.Extra):
        found.add(f"extra: {s.row}")
    elif isinstance(s, ir.Setting) and not s.text.startswith("CREATE"):  # that makes a type
        found.add(s.text)
    return found


def of_node(node: Any) -> set[str]:
    """What a node is called in a shape."""
    found: set[str] = set()
    if isinstance(node, ir.Op):
        found.add(group(node.op))
    elif isinstance(node, ir.Lit) and node.kind in NESTED:
        found.add(node.kind)
    elif isinstance(node, ir.SubExpr):
        found.add(f"subquery {node.kind}")
    elif isinstance(node, ir.Agg):
        found.add(summary(node.fn))
        found |= {"filter"} if node.where is not None else set()
    elif isinstance(node, ir.Over):
        found |= {"window"} | ({f"frame {node.frame.unit.lower()}"} if node.frame is not None else set())
    elif isinstance(node, ir.Join):
        found |= {node.way.lower()} if weight(node.way) > 2 else set()
        found |= {"natural join"} if node.kind.startswith("NATURAL") else {"using"} if node.using else set()
        found |= {"lateral" if node.is_lateral else "derived table"} if node.sub is not None else set()
    elif isinstance(node, ir.Call):
        found.add(f"rows: {node.row}")
    elif isinstance(node, ir.Select):
        found |= {"distinct"} if node.distinct else set()
        found |= {"distinct on"} if node.distinct_on else set()
        found |= {"group by"} if node.group else set()
        found |= {"with"} if node.ctes else set()
        found |= {"limit"} if node.limit is not None else set()
        found |= {node.grouping.lower()} if node.grouping else set()
    elif isinstance(node, ir.Compound):
        found.add(node.op.lower())
        found |= {"limit"} if node.limit is not None else set()
    elif isinstance(node, ir.RowList):
        found.add("values")
    elif isinstance(node, ir.Cte) and node.is_recursive:
        found.add("recursive")
    return found


def group(name: str) -> str:
    """What an operator is called in a shape."""
    row = dialects.row(name)
    return (row.group if row else "") or name


def summary(fn: str) -> str:
    """What an aggregate is called in a shape."""
    return AGGREGATE + (dialects.aggregate(fn).group or fn)


NESTED = ("list", "struct")
AGGREGATE = "aggregate "
COMMON = frozenset(AGGREGATE + (row.group or fn) for fn, row in AGGREGATES.items() if row.is_common)
# Operators as classes of causes: the most telling one of a reduced case is part of its signature.
CLASSES = (
    ("subquery in", ("subquery in", "subquery not in")),
    ("subquery exists", ("subquery exists",)),
    ("subquery scalar", ("subquery scalar",)),
    ("row value", ("row value",)),
    ("pattern", ("pattern",)),
    ("in", ("in",)),
    ("conversion", ("cast", "collate")),
    (
        "condition",
        ("comparison", "is", "null test", "truth test", "and/or", "not", "case", "likely", "+x"),
    ),
)
STRUCTURE = frozenset({
    "index", "partial index", "unique index", "index on expression", "without rowid", "strict", "collation", "unique",
    "generated column", "foreign key", "trigger", "update from", "returning", "insert", "update", "delete",
    "fts4", "fts5", "rtree", "rtree_i32",
    "view", "stored view", "with", "group by", "left join", "right join", "full join", "natural join",
    "using", "on conflict ignore", "on conflict replace", "on conflict abort",
    "cross join",
    "distinct", "distinct on", "lateral", "derived table", "union",
    "union all", "except", "intersect", "limit", "window", "recursive", "rollup", "cube", "grouping sets", "filter",
}) | COMMON  # fmt: skip


KINDS = ("index: ", "table: ", "extra: ", "switch: ", "rows: ")  # rows of a dialect's tables
OUTER = frozenset({"left join", "right join", "full join"})
# Where a smaller known cause is met again with no more than these around it, it is the same cause.
SURROUNDINGS = frozenset({
    "condition", "view", "with", "group by", "rtree", "rtree_i32", "fts4", "fts5", "unique", "index",
    "distinct", "cross join",
    "union all",
}) | COMMON  # fmt: skip


# What stands around a function or a value over which an engine dies.
PLAIN = SURROUNDINGS | {
    "comparison",
    "is",
    "null test",
    "truth test",
    "and/or",
    "not",
    "case",
    "in",
    "row value",
    "pattern",
    "arithmetic",
    "coalesce",
}


def core(shape: frozenset[str]) -> frozenset[str]:
    """The features of a death that name its cause: functions and values, not what stands around them.
    Empty where there is nothing else."""
    return frozenset(f for f in shape - PLAIN if not f.startswith("subquery"))


def absorbs(known: frozenset[str], new: frozenset[str]) -> bool:
    """Whether a new bucket is a known one with mere surroundings."""
    return known == new or (len(known) > 1 and known < new and new - known <= SURROUNDINGS)


def bucket(shape: frozenset[str]) -> frozenset[str]:
    """The part of a reduced shape that names the cause: its structure, and one class of operators."""
    kept = frozenset(f for f in shape if f in STRUCTURE or f.startswith(("PRAGMA", "SET", "ANALYZE", *KINDS)))
    if "with" in kept:
        kept = kept - {"with"} | {"view"}
    if kept & OUTER:
        kept = kept - OUTER | {"outer join"}
    if "partial index" in kept or "index on expression" in kept or "unique index" in kept:
        kept -= {"index"}
    if "returning" in kept:
        return kept  # what is told of a row is wrong, whatever is computed of it
    ops = frozenset(f for f in shape - STRUCTURE if not f.startswith(KINDS))
    for name, members in CLASSES:
        if ops & set(members):
            return kept | {name}
    # A function is named where nothing else tells the cause.
    return kept | ({"function"} if kept and ops else set(sorted(ops)[:1]))

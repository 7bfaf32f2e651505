"""What a reducer must know of SQL beyond trees: changes that go through several statements at once, simplest terms, size and shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from gainsay.core.tree import Node, put, transform, walk
from gainsay.families.sql import ir

replace = msgspec.structs.replace
SIMPLEST = (ir.NULL, ir.Lit("int", "0"), ir.Lit("int", "1"), ir.Lit("text", "''"), ir.Lit("text", "'a'"), ir.TRUE)
PLAIN_JOINS = ("JOIN", "LEFT JOIN", ",")
# Where one operator can stand for another, the plainer one: equal causes then end in equal shapes.
PLAINER = {
    **dict.fromkeys(("<", "<=", ">", ">=", "<>", "is", "is not distinct", "in 1", "not in 1"), "="),
    "<=": ">=", "<": ">", "not between": "between", "not in 2": "in 2", "is distinct": "<>", "is not": "<>",
    "isnull": "is null", "notnull": "is not null", "is not true": "is true", "is not false": "is false", "is false": "is true",
    "or": "and", "-": "+", "*": "+", "|": "&", "upper": "lower", "ltrim": "trim", "rtrim": "trim", "glob": "ilike", "like": "ilike",
    "not like": "like", "unlikely": "likely", "likelihood": "likely", "max": "min", "collate rtrim": "collate nocase",
    "row <": "row =", "row >": "row <", "row <=": "row =", "row >=": "row <=", "row <>": "row =", "ifnull": "coalesce",
    "cast real": "cast int", "cast numeric": "cast int", "cast blob": "cast text",
}  # fmt: skip


def simplest(node: Node) -> Sequence[Node]:
    """Smaller nodes that may stand where this one stands."""
    if isinstance(node, ir.Lit):
        return tuple(v for v in SIMPLEST if cost_of(v) < cost_of(node))
    if isinstance(node, ir.Op):
        plainer = PLAINER.get(node.op)
        same = (replace(node, op=plainer),) if plainer and arity(plainer) == len(node.args) else ()
        return (*SIMPLEST, *same)
    return SIMPLEST if node.sort == "expr" else ()


ARITY = {"=": 2, "in 1": 2, "in 2": 3, "between": 3, "is null": 1, "is not null": 1, "is true": 1, "trim": 1, "lower": 1, "likely": 1}


def arity(op: str) -> int:
    return ARITY.get(op, 4 if op.startswith("row ") else 1 if op.startswith(("cast", "collate")) else 2)


def cost_of(value: ir.Lit) -> tuple[int, int, str]:
    order = ("null", "int", "text", "bool", "real")
    return (order.index(value.kind) if value.kind in order else len(order), len(value.text), value.text)


def shrinks(scene: ir.Scene, recipe: Any) -> Iterator[tuple[ir.Scene, Any]]:
    """Coordinated changes: drop a column everywhere, a whole relation, make a row apart, change a join, put a view's text in place."""
    yield from without_relation(scene, recipe)
    yield from without_column(scene, recipe)
    yield from split_rows(scene, recipe)
    yield from plainer_statements(scene, recipe)
    yield from plainer_joins(scene, recipe)
    yield from other_relation(scene, recipe)
    yield from inline_view(scene, recipe)


def inline_view(scene: ir.Scene, recipe: Any) -> Iterator[tuple[ir.Scene, Any]]:
    """A query on a plain view becomes one on what the view reads. SELECT v.c0 FROM v -> SELECT t.c0 + 1 FROM t."""
    for view in scene.statements:
        if not isinstance(view, ir.CreateView) or not isinstance(view.query, ir.Select):
            continue
        inner = view.query
        if inner.where is not None or inner.distinct or inner.group or any(isinstance(i, ir.Agg) for i in inner.items):
            continue
        meaning = {c.name: i for c, i in zip(view.columns, inner.items, strict=False)}

        def change(node: Any, view: ir.CreateView = view, inner: ir.Select = inner, meaning: dict[str, Any] = meaning) -> Any:
            if isinstance(node, ir.Select) and len(node.source) == 1 and node.source[0].rel == view.name:
                return replace(node, source=inner.source)
            if isinstance(node, ir.Col) and node.rel == view.name:
                return meaning.get(node.name, node)
            return node

        kept = tuple(s for s in scene.statements if s is not view)
        yield ir.Scene(kept), transform(recipe, change)


TYPES = {"any": "", "text": "VARCHAR", "bool": "BOOLEAN", "real": "DOUBLE", "date": "DATE", "timestamp": "TIMESTAMP"}


def other_relation(scene: ir.Scene, recipe: Any) -> Iterator[tuple[ir.Scene, Any]]:
    """A relation of the query gives way to a plainer one of the scene, column by column."""
    listed = creations(scene)
    order = {s.name: (not isinstance(s, ir.CreateTable), i) for i, s in enumerate(listed)}
    for old in listed:
        for new in listed:
            if order[new.name] < order[old.name]:
                yield scene, swap(recipe, old, new)
    for _, cte in walk(recipe):
        if isinstance(cte, ir.Cte):
            for new in listed:
                yield scene, transform(swap(recipe, cte, new), without_ctes)


def without_ctes(node: Any) -> Any:
    return replace(node, ctes=()) if isinstance(node, ir.Select) and node.ctes else node


def swap(recipe: Any, old: Any, new: Any) -> Any:
    names = [c if isinstance(c, str) else c.name for c in old.columns]
    others = [c if isinstance(c, str) else c.name for c in new.columns]
    match = {n: others[min(i, len(others) - 1)] for i, n in enumerate(names)}
    taken = any(isinstance(j, ir.Join) and j.rel == new.name and not j.alias for _, j in walk(recipe))
    aliases = {j.alias for _, j in walk(recipe) if isinstance(j, ir.Join) and j.rel == old.name and j.alias} | {old.name}

    def change(node: Any) -> Any:
        if isinstance(node, ir.Join) and node.rel == old.name:
            return replace(node, rel=new.name, alias=node.alias or ("a9" if taken else ""))
        if isinstance(node, ir.Col) and node.rel in aliases:
            rel = node.rel if node.rel != old.name else "a9" if taken else new.name
            return ir.Col(rel, match.get(node.name, node.name))
        return node

    return transform(recipe, change)


def creations(scene: ir.Scene) -> list[Any]:
    return [s for s in scene.statements if isinstance(s, (ir.CreateTable, ir.CreateView, ir.CreateVirtual))]


def without_relation(scene: ir.Scene, recipe: Any) -> Iterator[tuple[ir.Scene, Any]]:
    """A relation leaves with all that is about it, in the scene and in the query; what used its columns becomes NULL."""
    for gone in reversed(creations(scene)):
        name = gone.name
        kept = tuple(s for s in scene.statements if s is not gone and getattr(s, "table", "") != name)

        def drop(node: Any, name: str = name) -> Any:
            if isinstance(node, ir.Col) and node.rel == name:
                return ir.NULL
            if isinstance(node, ir.Select) and any(j.rel == name for j in node.source) and len(node.source) > 1:
                rest = [j for j in node.source if j.rel != name]
                return replace(node, source=(replace(rest[0], kind="", on=None), *rest[1:])) if rest else node
            return node

        yield ir.Scene(transform(kept, drop)), transform(recipe, drop)


def without_column(scene: ir.Scene, recipe: Any) -> Iterator[tuple[ir.Scene, Any]]:
    for made in creations(scene):
        if isinstance(made, ir.CreateVirtual) or len(made.columns) < 2:
            continue
        for position, column in enumerate(made.columns):
            yield drop_column(scene, recipe, made, position, column.name)


def drop_column(scene: ir.Scene, recipe: Any, made: Any, position: int, name: str) -> tuple[ir.Scene, Any]:
    rest = (*made.columns[:position], *made.columns[position + 1 :])

    aliases = {made.name} | {j.alias for _, j in walk((scene, recipe)) if isinstance(j, ir.Join) and j.rel == made.name and j.alias}

    def drop(node: Any) -> Any:
        return ir.NULL if isinstance(node, ir.Col) and node.name == name and node.rel in aliases else node

    statements: list[Any] = []
    for s in scene.statements:
        if s is made and isinstance(s, ir.CreateTable):
            statements.append(replace(s, columns=rest, keys=tuple(k for k in s.keys if name not in k)))
        elif s is made and isinstance(s.query, ir.Select):
            listed = s.query.items
            statements.append(replace(s, columns=rest, query=replace(s.query, items=(*listed[:position], *listed[position + 1 :]))))
        elif isinstance(s, ir.Insert) and s.table == made.name and name in s.columns:
            at = s.columns.index(name)
            rows = tuple(ir.Values((*r.values[:at], *r.values[at + 1 :])) for r in s.rows)
            if len(s.columns) > 1:
                statements.append(replace(s, columns=(*s.columns[:at], *s.columns[at + 1 :]), rows=rows))
        elif isinstance(s, ir.Update) and s.table == made.name and s.column == name:
            continue
        elif isinstance(s, ir.CreateIndex) and s.table == made.name:
            keys = tuple(k for k in s.keys if not uses(k, name))
            if keys:
                statements.append(replace(s, keys=keys))
        else:
            statements.append(s)
    return ir.Scene(transform(tuple(statements), drop)), transform(transform(recipe, mark(aliases, name)), drop)


def mark(aliases: set[str], name: str) -> Any:
    """A column that stands by itself in a select list leaves the list, as long as something stays."""

    def change(node: Any) -> Any:
        if isinstance(node, ir.Select) and len(node.items) > 1:
            kept = tuple(i for i in node.items if not (isinstance(i, ir.Col) and i.rel in aliases and i.name == name))
            return replace(node, items=kept) if kept and len(kept) < len(node.items) else node
        return node

    return change


def uses(node: Any, name: str) -> bool:
    return any(isinstance(n, ir.Col) and n.name == name for _, n in walk(node))


def split_rows(scene: ir.Scene, recipe: Any) -> Iterator[tuple[ir.Scene, Any]]:
    """One INSERT instead of several for the same table and columns."""
    for i, s in enumerate(scene.statements):
        for j in range(i + 1, len(scene.statements)):
            other = scene.statements[j]
            if isinstance(s, ir.Insert) and isinstance(other, ir.Insert) and (s.table, s.columns) == (other.table, other.columns):
                joined = replace(s, rows=s.rows + other.rows, verb="INSERT")
                rest = list(scene.statements)
                rest[i] = joined
                del rest[j]
                yield ir.Scene(tuple(rest)), recipe


def plainer_statements(scene: ir.Scene, recipe: Any) -> Iterator[tuple[ir.Scene, Any]]:
    for i, s in enumerate(scene.statements):
        new: list[Any] = []
        if isinstance(s, ir.Insert) and s.verb != "INSERT":
            new.append(replace(s, verb="INSERT"))
        if isinstance(s, ir.CreateTable):
            for k, c in enumerate(s.columns):
                plain = [replace(c, type="", collate=""), replace(c, type=""), replace(c, collate="")]
                if c.cls != "any":
                    plain = [replace(c, type="INTEGER", cls="int")] if c.type not in ("INTEGER", "BIGINT") and c.cls == "int" else []
                elif c.type not in ("", "INT"):
                    plain.append(replace(c, type="INT"))
                if c.primary:
                    plain.append(replace(c, primary=False, unique=True))
                if c.collate == "RTRIM":
                    plain.append(replace(c, collate="NOCASE"))
                new += [replace(s, columns=(*s.columns[:k], p, *s.columns[k + 1 :])) for p in plain if p != c]
        if isinstance(s, ir.CreateVirtual):
            new.append(ir.CreateTable(s.name, tuple(ir.Column(c) for c in s.columns)))
        if isinstance(s, ir.CreateView):
            new.append(ir.CreateTable(s.name, tuple(ir.Column(c.name, TYPES.get(c.cls, "BIGINT"), c.cls) for c in s.columns)))
        for changed in new:
            yield ir.Scene((*scene.statements[:i], changed, *scene.statements[i + 1 :])), recipe
        if isinstance(s, ir.CreateView):
            for value in SIMPLEST[:3]:
                filled = ir.Insert(s.name, tuple(c.name for c in s.columns), (ir.Values((value,) * len(s.columns)),))
                yield ir.Scene((*scene.statements[:i], new[-1], filled, *scene.statements[i + 1 :])), recipe


def plainer_joins(scene: ir.Scene, recipe: Any) -> Iterator[tuple[ir.Scene, Any]]:
    whole = (scene, recipe)
    for path, node in walk(whole):
        if isinstance(node, ir.Join) and node.kind and node.kind != ",":
            for kind in PLAIN_JOINS:
                if weight(kind) < weight(node.kind):
                    yield put(whole, path, replace(node, kind=kind, on=None if kind == "," else node.on))


def weight(join: str) -> int:
    order = ("", ",", "JOIN", "CROSS JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "NATURAL JOIN")
    return order.index(join) if join in order else len(order)


def size(scene: Any, recipe: Any) -> tuple[int, ...]:
    """Smaller is simpler: statements, then nodes, then what stands in them. Each accepted step makes this smaller, so reduction ends."""
    statements = sum(3 if isinstance(s, (ir.CreateView, ir.CreateVirtual)) else 1 for s in scene.statements)
    ranks = {s.name: 3 if isinstance(s, ir.CreateView) else 2 if isinstance(s, ir.CreateVirtual) else i / 8 for i, s in enumerate(creations(scene))}
    nodes = rows = cost = 0
    for _, node in walk((scene, recipe)):
        if not isinstance(node, Node):
            continue
        nodes += 1
        if isinstance(node, ir.Lit):
            cost += sum(cost_of(node)[:2])
        elif isinstance(node, ir.Op):
            nodes += 1
            cost += 8 + 4 * rank_of(node.op)
        elif isinstance(node, ir.Values):
            rows += 1
        elif isinstance(node, ir.Join):
            cost += weight(node.kind) + int(8 * ranks.get(node.rel, 0))
        elif isinstance(node, ir.Column):
            cost += (len(node.type) + 1 if node.type else 0) + 9 * bool(node.collate) + len(node.collate)
            cost += 5 * (node.unique + 2 * node.primary + node.not_null)
        elif isinstance(node, ir.Insert):
            cost += len(node.verb) + len(node.columns)
        elif isinstance(node, ir.IndexKey):
            cost += 5 * node.desc + 5 * bool(node.collate)
        elif isinstance(node, ir.CreateTable):
            cost += 6 * (node.strict + node.without_rowid + len(node.keys))
        elif isinstance(node, ir.CreateIndex):
            cost += 5 * node.unique
        elif isinstance(node, ir.Select):
            cost += len(node.items) + 3 * node.distinct
        elif isinstance(node, ir.Agg):
            cost += 6 + 2 * node.distinct
        elif hasattr(node, "mode"):
            cost += 12 * (getattr(node, "mode", "") not in ("rows", "where"))
    return statements, nodes + rows, cost


def rank_of(op: str) -> int:
    """How far an operator is from its plainest stand-in."""
    steps = 0
    while op in PLAINER and steps < 6:
        op, steps = PLAINER[op], steps + 1
    return steps


def tidy(scene: ir.Scene, recipe: Any) -> tuple[ir.Scene, Any]:
    """Rename relations, indexes and columns to t0, i0, v0, c0, ... in the order of their creation."""
    names: dict[str, str] = {}
    columns: dict[tuple[str, str], str] = {}
    counts: dict[str, int] = {}
    for s in scene.statements:
        letter = {ir.CreateTable: "t", ir.CreateView: "v", ir.CreateIndex: "i"}.get(s.__class__)
        if letter and isinstance(s, (ir.CreateTable, ir.CreateView, ir.CreateIndex)):
            names[s.name] = f"{letter}{counts.get(letter, 0)}"
            counts[letter] = counts.get(letter, 0) + 1
        if isinstance(s, (ir.CreateTable, ir.CreateView)):
            listed: tuple[Any, ...] = s.columns
            columns |= {(s.name, c.name): f"c{i}" for i, c in enumerate(listed)}
    renamed = Renaming(names, columns)
    aliases = {j.alias: j.rel for _, j in walk(recipe) if isinstance(j, ir.Join) and j.alias}
    return ir.Scene(tuple(renamed.statement(s) for s in scene.statements)), renamed.walk(recipe, aliases)


class Renaming:
    """New names for relations and columns, seen through the aliases of each query."""

    def __init__(self, names: dict[str, str], columns: dict[tuple[str, str], str]) -> None:
        self.names = names
        self.columns = columns

    def column(self, rel: str, name: str) -> str:
        return self.columns.get((rel, name), name)

    def walk(self, node: Any, aliases: dict[str, str], owner: str = "") -> Any:
        if isinstance(node, tuple):
            return tuple(self.walk(n, aliases, owner) for n in node)
        if not isinstance(node, Node):
            return node
        if isinstance(node, ir.Col):
            rel = aliases.get(node.rel, node.rel)
            new = self.column(rel or owner, node.name)
            return ir.Col(self.names.get(node.rel, node.rel) if rel == node.rel else node.rel, new)
        if isinstance(node, ir.Select):
            aliases = {**aliases, **{j.alias: j.rel for j in node.source if j.alias}}
        parts = {f: self.walk(getattr(node, f), aliases, owner) for f in node.__struct_fields__ if isinstance(getattr(node, f), (Node, tuple))}
        if isinstance(node, ir.Join):
            parts["rel"] = self.names.get(node.rel, node.rel)
        if isinstance(node, (ir.Column, ir.ViewColumn)):
            parts["name"] = self.column(owner, node.name)
        return replace(node, **parts)

    def statement(self, s: Any) -> Any:
        owner = getattr(s, "table", "") or (s.name if isinstance(s, (ir.CreateTable, ir.CreateView)) else "")
        new = self.walk(s, {}, owner)
        if isinstance(s, (ir.CreateTable, ir.CreateView, ir.CreateIndex)):
            new = replace(new, name=self.names[s.name])
        if isinstance(s, (ir.CreateIndex, ir.Insert, ir.Update, ir.Delete)):
            new = replace(new, table=self.names.get(s.table, s.table))
        if isinstance(s, ir.Insert):
            new = replace(new, columns=tuple(self.column(owner, c) for c in s.columns))
        if isinstance(s, ir.Update):
            new = replace(new, column=self.column(owner, s.column))
        if isinstance(s, ir.CreateTable):
            new = replace(new, keys=tuple(tuple(self.column(owner, c) for c in k) for k in s.keys))
        return new


def shape(scene: Any, recipe: Any) -> frozenset[str]:
    """The features that a case is made of: equal sets are taken for one cause, a superset for a likely repetition."""
    found: set[str] = set()
    for s in scene.statements:
        if isinstance(s, ir.CreateIndex):
            found |= {"index"} | ({"partial index"} if s.where is not None else set()) | ({"unique index"} if s.unique else set())
            found |= {"index on expression" for k in s.keys if not isinstance(k.expr, ir.Col)}
        elif isinstance(s, ir.CreateTable):
            found |= {"without rowid"} if s.without_rowid else set()
            found |= {"strict"} if s.strict else set()
            for c in s.columns:
                found |= {"collation"} if c.collate and c.collate != "BINARY" else set()
                found |= {"unique"} if c.unique or c.primary else set()
                found |= {"generated column"} if c.generated is not None else set()
        elif isinstance(s, ir.CreateVirtual):
            found.add(s.module)
        elif isinstance(s, ir.CreateView):
            found.add("view")
        elif isinstance(s, ir.Setting):
            found.add(s.text)
    for _, node in walk((scene, recipe)):
        if isinstance(node, ir.Op):
            found.add(GROUPS.get(node.op, node.op))
        elif isinstance(node, ir.SubExpr):
            found.add(f"subquery {node.kind}")
        elif isinstance(node, ir.Agg):
            found.add(f"aggregate {node.fn}")
        elif isinstance(node, ir.Join) and weight(node.kind) > 2:
            found.add(node.kind.lower())
        elif isinstance(node, ir.Select):
            found |= {"distinct"} if node.distinct else set()
            found |= {"group by"} if node.group else set()
            found |= {"with"} if node.ctes else set()
        elif isinstance(node, ir.Compound):
            found.add(node.op.lower())
    return frozenset(found)


GROUPS = {
    **dict.fromkeys(("=", "<", "<=", ">", ">=", "<>", "between", "not between"), "comparison"),
    **dict.fromkeys(("in 1", "in 2", "not in 1", "not in 2", "in 0"), "in"),
    **dict.fromkeys(("is", "is not", "is distinct", "is not distinct"), "is"),
    **dict.fromkeys(("is null", "is not null", "isnull", "notnull"), "null test"),
    **dict.fromkeys(("is true", "is false", "is not true", "is not false"), "truth test"),
    **dict.fromkeys(("and", "or"), "and/or"),
    **dict.fromkeys(("like", "ilike", "glob", "not like", "like escape"), "pattern"),
    **dict.fromkeys(("+", "-", "*", "/", "%", "neg", "&", "|", "~", "<<", ">>"), "arithmetic"),
    **dict.fromkeys(("row =", "row <>", "row <", "row >", "row <=", "row >="), "row value"),
    **dict.fromkeys(("likely", "unlikely", "likelihood"), "likely"),
    **dict.fromkeys(("collate nocase", "collate rtrim", "collate binary"), "collate"),
    **dict.fromkeys(("cast int", "cast real", "cast numeric", "cast text", "cast blob"), "cast"),
    **dict.fromkeys(("case", "case bool", "case of", "iif", "if"), "case"),
}
# Operators as classes of causes: the most telling one of a reduced case is part of its signature.
CLASSES = (
    ("subquery", ("subquery in", "subquery not in", "subquery exists", "subquery scalar")),
    ("row value", ("row value",)),
    ("pattern", ("pattern",)),
    ("in", ("in",)),
    ("conversion", ("cast", "collate")),
    ("condition", ("comparison", "is", "null test", "truth test", "and/or", "not", "case", "case bool", "likely", "+x")),
)
STRUCTURE = frozenset({
    "index", "partial index", "unique index", "index on expression", "without rowid", "strict", "collation", "unique", "generated column",
    "fts5", "rtree", "view", "with", "group by", "left join", "right join", "full join", "natural join", "cross join", "distinct", "union",
    "union all", "except", "intersect", "aggregate min", "aggregate max", "aggregate sum", "aggregate count",
})  # fmt: skip


# Where a smaller known cause is met again with no more than these around it, it is the same cause.
SURROUNDINGS = frozenset({
    "view", "with", "group by", "rtree", "fts5", "unique", "index", "distinct", "cross join", "union all", "aggregate count", "aggregate min",
    "aggregate max", "aggregate sum",
})  # fmt: skip


def absorbs(known: frozenset[str], new: frozenset[str]) -> bool:
    """Whether a new bucket is a known one with mere surroundings."""
    return known == new or (len(known) > 1 and known < new and new - known <= SURROUNDINGS)


def bucket(shape: frozenset[str]) -> frozenset[str]:
    """The part of a reduced shape that names the cause: its structure, and one class of operators."""
    kept = frozenset(f for f in shape if f in STRUCTURE or f.startswith(("PRAGMA", "SET", "ANALYZE")))
    if "partial index" in kept or "index on expression" in kept or "unique index" in kept:
        kept -= {"index"}
    ops = shape - STRUCTURE
    for name, members in CLASSES:
        if ops & set(members):
            return kept | {name}
    return kept | ({"function"} if ops else set())

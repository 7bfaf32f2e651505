"""Changes that go through several statements at once, which a generic reducer can't know: drop a column everywhere, a
whole relation, ..."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from gainsay.core import names
from gainsay.core.tree import put, transform, walk
from gainsay.families.sql.language import ir
from gainsay.families.sql.reducing import narrow
from gainsay.families.sql.reducing.size import SIMPLEST, weight
from gainsay.families.sql.reducing.tidy import aliased

replace = msgspec.structs.replace
PLAIN_MODULES = {"fts4": "fts5", "rtree_i32": "rtree"}
PLAIN_JOINS = ("JOIN", "LEFT JOIN")


def cuts(scene: ir.Scene, recipe: Any) -> Iterator[tuple[ir.Scene, Any]]:
    """Only what the query reads, with all that is about it, without indexes and settings or with them."""
    read = {j.rel for _, j in walk(recipe) if isinstance(j, ir.Join) and not j.is_made}
    read |= {s.table for _, s in walk(recipe) if isinstance(s, (ir.Insert, ir.Update, ir.Delete))}
    for made in reversed(creations(scene)):
        if made.name in read:
            read |= {j.rel for _, j in walk(made) if isinstance(j, ir.Join) and not j.is_made}
            read |= {to.table for _, to in walk(made) if isinstance(to, ir.Target)}
            read |= {
                s.table
                for s in scene.statements
                if isinstance(s, ir.CreateTrigger) and any(b.table == made.name for b in s.body)
            }
    kept = tuple(s for s in scene.statements if s.about in read)
    yield ir.Scene(tuple(s for s in kept if not isinstance(s, ir.CreateIndex))), recipe
    yield (
        ir.Scene(tuple(s for s in scene.statements if s in kept or isinstance(s, (ir.Setting, ir.RawStatement)))),
        recipe,
    )
    yield from smallest_contexts(scene, recipe)


def smallest_contexts(scene: ir.Scene, recipe: Any) -> Iterator[tuple[ir.Scene, Any]]:
    """An expression where nothing else is: SELECT c FROM t WHERE LENGTH('a') > c -> SELECT LENGTH('a') > c FROM t,
    SELECT LENGTH('a')."""
    question = recipe.shared_question or (recipe.subject if recipe.is_one_question else None)
    if not isinstance(question, (ir.Select, ir.Compound)):
        return
    around = question if isinstance(question, ir.Select) else question.arms[0]
    for expr in dict.fromkeys(n for _, n in walk(question) if isinstance(n, (ir.Op, ir.SubExpr))):
        has_columns = any(isinstance(n, ir.Col) for _, n in walk(expr))
        alone = ir.Select((expr,), around.source, ctes=question.ctes) if has_columns else ir.Select((expr,))
        yield scene, recipe.with_subject(alone)


def shrinks(scene: ir.Scene, recipe: Any) -> Iterator[tuple[ir.Scene, Any]]:
    """Coordinated changes: drop a column everywhere, a whole relation, make a row apart, change a join, put a view's
    text in place."""
    yield from without_relation(scene, recipe)
    yield from plainer_sources(scene, recipe)
    yield from narrow.without_column(scene, recipe)
    yield from narrow.unrenamed(scene, recipe)
    yield from join_inserts(scene, recipe)
    yield from plainer_statements(scene, recipe)
    yield from plainer_joins(scene, recipe)
    yield from other_relation(scene, recipe)
    yield from inline(scene, recipe)
    yield from one_arm(scene, recipe)


def one_arm(scene: ir.Scene, recipe: Any) -> Iterator[tuple[ir.Scene, Any]]:
    """A compound query becomes one of its arms, in its order.
    SELECT a FROM t UNION SELECT b FROM t ORDER BY 1 -> SELECT a FROM t ORDER BY 1"""
    for path, node in walk(recipe):
        if isinstance(node, ir.Compound):
            for arm in node.seen():
                yield scene, put(recipe, path, replace(arm, order=node.order, limit=node.limit, offset=node.offset))


def inline(scene: ir.Scene, recipe: Any) -> Iterator[tuple[ir.Scene, Any]]:
    """A query on a plain view or CTE becomes one on what that reads.
    SELECT v.c0 FROM v WHERE p -> SELECT t.c0 + 1 FROM t WHERE q AND p."""
    defined = [s for s in scene.statements if isinstance(s, ir.CreateView)] + [
        n for _, n in walk(recipe) if isinstance(n, ir.Cte)
    ]
    for made in defined:
        inside = {id(n) for _, n in walk(made)}
        joins = [j for _, j in walk(recipe) if isinstance(j, ir.Join) and id(j) not in inside]
        reading = [j for j in joins if j.rel == made.name]
        if len(reading) == 1 and isinstance(made.query, ir.Select) and is_row_by_row(made.query):
            inner = renamed(made.query, {j.alias or j.rel for j in joins if j is not reading[0]})
            meaning: dict[tuple[str, ...], Any] = {
                (reading[0].alias or made.name, c.name): i for c, i in zip(made.columns, inner.items, strict=False)
            }
            yield (
                ir.Scene(tuple(s for s in scene.statements if s is not made)),
                transform(names.inlined(recipe, meaning), in_place(made, reading[0], inner)),
            )


def is_row_by_row(query: ir.Select) -> bool:
    is_whole = query.distinct or query.distinct_on or query.group or query.having or query.ctes or query.limit
    return not is_whole and not any(isinstance(i, (ir.Agg, ir.Over)) for i in query.items)


def renamed(query: ir.Select, taken: set[str]) -> ir.Select:
    """A query with other names for what it reads, where they are taken."""
    new = {j.alias or j.rel: f"b{n}" for n, j in enumerate(query.source) if (j.alias or j.rel) in taken}
    said = transform(query, lambda n: aliased(n) if isinstance(n, ir.Join) and n.rel in new else n)
    changed: ir.Select = names.renamed(said, names.by("source", new))
    return changed


def in_place(made: Any, reading: ir.Join, inner: ir.Select) -> Any:
    """What a view or CTE reads, in the place of the join that reads it."""

    def change(node: Any) -> Any:
        if not isinstance(node, (ir.Select, ir.Compound)):
            return node
        node = replace(node, ctes=tuple(c for c in node.ctes if c.name != made.name))
        place = (
            next((n for n, j in enumerate(node.source) if j.rel == made.name), -1)
            if isinstance(node, ir.Select)
            else -1
        )
        if place < 0:
            return node
        first = tuple(
            replace(j, kind=reading.kind, on=node.source[place].on, using=node.source[place].using)
            for j in inner.source[:1]
        )
        source = (*node.source[:place], *first, *inner.source[1:], *node.source[place + 1 :])
        where = (
            inner.where
            if node.where is None
            else node.where
            if inner.where is None
            else ir.Op("and", (inner.where, node.where))
        )
        return replace(
            node, source=source and (replace(source[0], kind="", on=None, using=()), *source[1:]), where=where
        )

    return change


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
    return replace(node, ctes=()) if isinstance(node, (ir.Select, ir.Compound)) and node.ctes else node


def swap(recipe: Any, old: Any, new: Any) -> Any:
    """A recipe that reads another relation in the place of one, column for column."""
    names = [c if isinstance(c, str) else c.name for c in old.columns]
    others = [c if isinstance(c, str) else c.name for c in new.columns]
    match = {n: others[min(i, len(others) - 1)] for i, n in enumerate(names)}
    joins = [j for _, j in walk(recipe) if isinstance(j, ir.Join)]
    aliases = {j.alias for j in joins if j.rel == old.name and j.alias} | {old.name}
    # Its own name is free where nothing else in the query has it.
    fresh = (
        next(f"a{n}" for n in range(9, 99) if f"a{n}" not in {j.alias for j in joins})
        if any(j.rel == new.name and not j.alias for j in joins)
        else ""
    )

    def change(node: Any) -> Any:
        if isinstance(node, ir.Join) and node.rel == old.name:
            return replace(node, rel=new.name, alias=node.alias or fresh)
        if isinstance(node, ir.Col) and node.rel in aliases:
            rel = node.rel if node.rel != old.name else fresh or new.name
            return ir.Col(rel, match.get(node.name, node.name))
        return node

    return transform(recipe, change)


def creations(scene: ir.Scene) -> list[Any]:
    return [s for s in scene.statements if isinstance(s, (ir.CreateTable, ir.CreateView, ir.CreateVirtual))]


def without_relation(scene: ir.Scene, recipe: Any) -> Iterator[tuple[ir.Scene, Any]]:
    """A relation leaves with all that is about it, in the scene and in the query; what used its columns becomes
    NULL."""
    for gone in reversed(creations(scene)):
        if any(isinstance(n, ir.Select) and {j.rel for j in n.source} == {gone.name} for _, n in walk(recipe)):
            continue  # a query that reads nothing else
        if any(isinstance(n, ir.Stated) and n.about == gone.name for _, n in walk(recipe)):
            continue  # what is asked changes it
        for less in names.less((scene, recipe), names.the("source", gone.name), null_for_columns):
            yield from (transform(left, begun) for left in names.less(less, names.the("relation", gone.name)))


def plainer_sources(scene: ir.Scene, recipe: Any) -> Iterator[tuple[ir.Scene, Any]]:
    """What is made in a FROM list leaves, and its columns become NULL; or it gives way to the relation that its query
    reads, or to that query without what it uses of others. LATERAL (SELECT t.c0 FROM t) AS d -> t AS d."""
    whole = (scene, recipe)
    for path, node in walk(whole):
        if not isinstance(node, ir.Join) or not node.is_made:
            continue
        yield from (transform(left, begun) for left in names.less(whole, names.the("source", node.alias), nothing))
        if node.sub is not None and len(node.sub.source) == 1 and not node.sub.source[0].is_made:
            yield put(whole, path, ir.Join(node.sub.source[0].rel, node.kind, node.on, node.alias))
        if node.is_lateral:
            yield put(whole, path, replace(node, is_lateral=False))


def null_for_columns(node: Any) -> Any:
    return ir.NULL if isinstance(node, ir.Col) else node


def nothing(node: Any) -> Any:
    """In the place of what is joined, and of its columns."""
    return ir.NULL if isinstance(node, ir.Col) else names.GONE


def begun(node: Any) -> Any:
    """The first relation of a FROM list is joined to nothing."""
    if (
        not isinstance(node, ir.Select)
        or not node.source
        or not (node.source[0].kind or node.source[0].on or node.source[0].using)
    ):
        return node
    return replace(node, source=(replace(node.source[0], kind="", on=None, using=()), *node.source[1:]))


def join_inserts(scene: ir.Scene, recipe: Any) -> Iterator[tuple[ir.Scene, Any]]:
    """One INSERT instead of several for the same table and columns."""
    for i, s in enumerate(scene.statements):
        for j in range(i + 1, len(scene.statements)):
            other = scene.statements[j]
            if (
                isinstance(s, ir.Insert)
                and isinstance(other, ir.Insert)
                and (s.table, s.columns) == (other.table, other.columns)
            ):
                joined = replace(s, rows=s.rows + other.rows, verb="INSERT")
                rest = list(scene.statements)
                rest[i] = joined
                del rest[j]
                yield ir.Scene(tuple(rest)), recipe


def plainer_statements(scene: ir.Scene, recipe: Any) -> Iterator[tuple[ir.Scene, Any]]:
    """Statements in a plainer form: INSERT, columns without types and constraints, indexes without extras."""
    for i, s in enumerate(scene.statements):
        new: list[Any] = []
        if isinstance(s, ir.Insert) and s.verb != "INSERT":
            new.append(replace(s, verb="INSERT"))
        if isinstance(s, ir.Update) and s.verb != "UPDATE":
            new.append(replace(s, verb="UPDATE"))
        if isinstance(s, ir.CreateTable):
            new += plainer_tables(s)
        if isinstance(s, ir.CreateVirtual):
            new.append(ir.CreateTable(s.name, tuple(ir.Column(c) for c in s.columns)))
            module = PLAIN_MODULES.get(s.module, s.module)
            fewer = (replace(s, options=()), replace(s, beside=()), replace(s, module=module))
            new += [other for other in fewer if other != s]
        if isinstance(s, ir.CreateView):
            new.append(
                ir.CreateTable(s.name, tuple(ir.Column(c.name, TYPES.get(c.cls, "BIGINT"), c.cls) for c in s.columns))
            )
        for changed in new:
            yield ir.Scene((*scene.statements[:i], changed, *scene.statements[i + 1 :])), recipe
        if isinstance(s, ir.CreateView):
            for value in SIMPLEST[:3]:
                filled = ir.Insert(s.name, tuple(c.name for c in s.columns), (ir.Values((value,) * len(s.columns)),))
                yield ir.Scene((*scene.statements[:i], new[-1], filled, *scene.statements[i + 1 :])), recipe


def plainer_tables(s: ir.CreateTable) -> list[ir.CreateTable]:
    """A table with one column that is plainer, or without what its keys say of conflicts."""
    found = [replace(s, on_conflict="")] if s.on_conflict else []
    for k, c in enumerate(s.columns):
        plain = [replace(c, type="", collate=""), replace(c, type=""), replace(c, collate="")]
        if c.cls != "any":
            # The one that all typed dialects have, and the shortest
            plain = [replace(c, type="BIGINT")] if c.cls == "int" else []
        elif c.type not in ("", "INT"):
            plain.append(replace(c, type="INT"))
        plain += [replace(c, on_conflict=""), replace(c, on_null="")]
        if c.primary:
            plain.append(replace(c, primary=False, unique=True))
        if c.collate == "RTRIM":
            plain.append(replace(c, collate="NOCASE"))
        found += [replace(s, columns=(*s.columns[:k], other, *s.columns[k + 1 :])) for other in plain if other != c]
    return found


def plainer(join: ir.Join, kind: str) -> ir.Join:
    """A join of another kind; a comma has no condition."""
    return replace(join, kind=kind, on=None, using=()) if kind == "," else replace(join, kind=kind)


def plainer_joins(scene: ir.Scene, recipe: Any) -> Iterator[tuple[ir.Scene, Any]]:
    whole = (scene, recipe)
    for path, node in walk(whole):
        if isinstance(node, ir.Join) and node.using:
            yield put(whole, path, replace(node, using=()))
            yield from (put(whole, path, replace(node, using=(name,))) for name in node.using if len(node.using) > 1)
        if isinstance(node, ir.Join) and node.kind and node.kind != ",":
            for kind in PLAIN_JOINS if weight(node.kind) > weight("CROSS JOIN") else (",",):
                if weight(kind) < weight(node.kind):
                    yield put(whole, path, plainer(node, kind))

"""Towards one form for one cause: what a small case can do without, although no part of it can just be dropped."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import msgspec

from gainsay.core.tree import at, narrowed, put, transform, walk
from gainsay.families.sql.language import ir
from gainsay.families.sql.language.schema import relations
from gainsay.families.sql.reducing import narrow
from gainsay.families.sql.reducing.shrink import creations, swap

replace = msgspec.structs.replace
Pair = tuple[ir.Scene, Any]
MOST = 8  # statements: a large case is cut first, there these would be tried in vain
FEW = 3  # columns or rows: of many, pairs would be tried in vain


def normal(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """The same case in forms that are nearer to the one form of its cause."""
    if len(scene.statements) > MOST:
        return
    yield from without_join(scene, recipe)
    yield from one_table(scene, recipe)
    yield from distinct(scene, recipe)
    yield from said_joins(scene, recipe)
    yield from plain_conditions(scene, recipe)
    yield from one_column(scene, recipe)
    yield from fewer_values(scene, recipe)
    yield from updated(scene, recipe)
    yield from constants(scene, recipe)


def without_join(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """A relation leaves a FROM list, and another one's columns stand for its own.
    SELECT a.c FROM t, t AS a -> SELECT t.c FROM t."""
    whole = (scene, recipe)
    for path, node in walk(whole):
        if isinstance(node, ir.Select) and len(node.source) > 1:
            # What a recipe's query reads is looked at beside it as well; what a statement's query reads only there.
            place = (1,) if path[0] == 1 else path
            for gone in node.source:
                rest = tuple(j for j in node.source if j is not gone)
                fewer = put(
                    whole, path, replace(node, source=(replace(rest[0], kind="", on=None, using=()), *rest[1:]))
                )
                yield put(fewer, place, transform(at(fewer, place), other_columns(name_of(gone), name_of(rest[0]))))


def name_of(join: ir.Join) -> str:
    return join.alias or join.rel


def other_columns(old: str, new: str) -> Any:
    return lambda node: replace(node, rel=new) if isinstance(node, ir.Col) and node.rel == old else node


def one_table(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """A table gives way to another one, and leaves; an empty one to a join that finds nothing.
    t1 LEFT JOIN t0 -> t1 LEFT JOIN t1 AS a9 ON NULL."""
    tables = [s for s in creations(scene) if isinstance(s, ir.CreateTable)]
    filled = {s.table for s in scene.statements if isinstance(s, ir.Insert)}
    for old in tables:
        left = ir.Scene(tuple(s for s in scene.statements if s is not old and s.about != old.name))
        vain = transform((left, recipe), lambda n, old=old: replace(n, on=ir.NULL) if is_joined(n, old.name) else n)
        for new in tables:
            if new is not old:
                yield from (
                    swap(whole, old, new)
                    for whole in ([(left, recipe)] if old.name in filled else [vain, (left, recipe)])
                )


def is_joined(node: Any, table: str) -> bool:
    return isinstance(node, ir.Join) and node.rel == table and node.kind.endswith(" JOIN")


def distinct(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """DISTINCT instead of grouping. SELECT c FROM t GROUP BY c -> SELECT DISTINCT c FROM t."""
    whole = (scene, recipe)
    for path, node in walk(whole):
        if (
            isinstance(node, ir.Select)
            and node.group
            and node.having is None
            and not any(isinstance(i, ir.Agg) for i in node.items)
        ):
            scene, changed = put(whole, path, replace(node, group=(), distinct=True))
            is_about = path == (1, recipe.subject_field) and recipe.detours == ("group",)
            yield scene, changed.by("distinct") if is_about else changed


def said_joins(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """A join by the one column that it compares. t NATURAL LEFT JOIN v -> t LEFT JOIN v ON t.c = v.c."""
    whole, known = (scene, recipe), {r.name: [a.name for a in r.attributes] for r in relations(scene)}
    for path, node in walk(whole):
        for place, join in enumerate(node.source if isinstance(node, ir.Select) else ()):
            before = [(name_of(j), c) for j in node.source[:place] for c in known.get(j.rel, ())]
            shared = [(rel, c) for rel, c in before if c in known.get(join.rel, ())]
            if join.using:
                shared = [(rel, c) for rel, c in shared if c in join.using]
            if (join.using or join.kind.startswith("NATURAL")) and len(shared) == 1:
                ((rel, column),) = shared
                on = ir.Op("=", (ir.Col(rel, column), ir.Col(name_of(join), column)))
                yield put(whole, (*path, "source", place), replace(join, kind=join.way, using=(), on=on))


def plain_conditions(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """A condition of which nothing matters but that it is one. WHERE t.c LIKE 'a%' -> WHERE t.c, WHERE t.c IS TRUE."""
    whole = (scene, recipe)
    known = {r.name: [a.name for a in r.attributes] for r in relations(scene)}
    for path, node in walk(whole):
        if not isinstance(node, ir.Select) or not isinstance(node.where, (ir.Op, ir.SubExpr)):
            continue
        shown = [c for _, c in walk(node.where) if isinstance(c, ir.Col)][:1]
        for column in shown or [ir.Col(name_of(j), c) for j in node.source[:1] for c in known.get(j.rel, ())[:1]]:
            yield put(whole, path, replace(node, where=column))
            yield put(whole, path, replace(node, where=ir.Op("is true", (column,))))


def one_column(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """A column stands for another one: everywhere in the query, or for good in its table."""
    used = list(dict.fromkeys(n for _, n in walk(recipe) if isinstance(n, ir.Col)))
    for gone, kept in itertools.permutations(used if len(used) <= FEW else (), 2):
        yield scene, transform(recipe, lambda n, gone=gone, kept=kept: kept if n == gone else n)
    for table in creations(scene):
        if isinstance(table, ir.CreateTable) and len(table.columns) <= FEW:
            for old, new in itertools.permutations(table.columns, 2):
                yield from narrow.dropped(scene, recipe, table.name, old.name, new.name)


def fewer_values(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """A column is left to its default. INSERT INTO t(a, b) VALUES (0, 1) -> INSERT INTO t(a) VALUES (0)."""
    for number, s in enumerate(scene.statements):
        if isinstance(s, ir.Insert) and len(s.columns) > 1:
            for place in range(len(s.columns)):
                yield put(scene, ("statements", number), narrowed(s, place)), recipe


def updated(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """Rows are stored as they are after an UPDATE."""
    for update in scene.statements:
        if isinstance(update, ir.Update):
            rest = ir.Scene(tuple(s for s in scene.statements if s is not update))
            yield transform(rest, lambda n, update=update: stored(n, update)), recipe


def stored(node: Any, update: ir.Update) -> Any:
    if not isinstance(node, ir.Insert) or node.table != update.table:
        return node
    for each in update.sets:
        if each.column in node.columns:
            place = node.columns.index(each.column)
            rows = tuple(ir.Values((*r.values[:place], each.value, *r.values[place + 1 :])) for r in node.rows)
            node = replace(node, rows=rows)
    return node


def constants(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """What is stored stands in the place of its columns: SELECT t.c FROM t WHERE t.c = 1 -> SELECT 0 WHERE 0 = 1."""
    query = recipe.subject
    if not isinstance(query, ir.Select) or not query.source:
        return
    rels = {name_of(j): j.rel for j in query.source}
    inserts = [s for s in scene.statements if isinstance(s, ir.Insert)]
    for row in range(min(FEW, max((len(s.rows) for s in inserts), default=0))):
        values = {
            (s.table, name): value
            for s in inserts
            if row < len(s.rows)
            for name, value in zip(s.columns, s.rows[row].values, strict=False)
        }
        bare = recipe.with_subject(replace(query, source=()))
        yield (
            scene,
            transform(
                bare,
                lambda n, values=values: (
                    values.get((rels.get(n.rel, ""), n.name), ir.NULL) if isinstance(n, ir.Col) else n
                ),
            ),
        )

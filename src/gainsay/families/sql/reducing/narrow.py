"""What nothing needs leaves everywhere at once: a column that a view or a CTE shows, and a new name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from gainsay.core import names
from gainsay.core.tree import put, transform, walk
from gainsay.families.sql.language import ir

replace = msgspec.structs.replace
Parts = tuple[ir.Scene, Any]


def narrower(scene: ir.Scene, recipe: Any) -> Iterator[Parts]:
    """A view or CTE shows a column less, in all arms of its query; what used it becomes NULL.
    WITH w(a, b) AS (SELECT 0, 1 UNION SELECT 2, 3) SELECT w.a FROM w -> WITH w(a) AS (SELECT 0 UNION SELECT 2) ..."""
    for path, node in walk((scene, recipe)):
        if not isinstance(node, (ir.Cte, ir.CreateView)) or len(node.columns) < 2:
            continue
        for place in range(len(node.columns)):
            query = shorter(node.query, place)
            if query is not None:
                fewer = replace(node, columns=without(node.columns, place), query=query)
                whole = put((scene, recipe), path, fewer)
                yield forgotten(whole, node.name, node.columns[place].name)


def without(parts: tuple[Any, ...], place: int) -> tuple[Any, ...]:
    return (*parts[:place], *parts[place + 1 :])


def shorter(query: Any, place: int) -> Any:
    """A query that shows a column less; None where it is text."""
    if isinstance(query, ir.Select):
        return replace(query, items=without(query.items, place))
    if isinstance(query, ir.RowList):
        return replace(query, rows=tuple(replace(row, values=without(row.values, place)) for row in query.rows))
    if isinstance(query, ir.Compound):
        return replace(query, arms=tuple(shorter(arm, place) for arm in query.arms))
    return None


def forgotten(whole: Parts, relation: str, column: str) -> Parts:
    """NULL in the place of a column that a relation has no more."""
    reading = {j.alias or j.rel for _, j in walk(whole) if isinstance(j, ir.Join) and j.rel == relation}

    def change(node: Any) -> Any:
        return ir.NULL if isinstance(node, ir.Col) and node.rel in reading and node.name == column else node

    scene, recipe = transform(whole, change)
    return scene, recipe


def unrenamed(scene: ir.Scene, recipe: Any) -> Iterator[Parts]:
    """A table or column keeps its first name.
    CREATE TABLE t0(c); ALTER TABLE t0 RENAME TO r0; SELECT r0.c FROM r0 -> CREATE TABLE t0(c); SELECT t0.c FROM t0"""
    for place, made in enumerate(scene.statements):
        kinds: tuple[str, ...]
        if isinstance(made, ir.RenameTable):
            kinds, old = ("relation", "source"), made.table
        elif isinstance(made, ir.RenameColumn):
            kinds, old = ("column",), made.column
        else:
            continue
        new = made.name

        def earlier(name: names.Name, kinds: tuple[str, ...] = kinds, new: str = new, old: str = old) -> str:
            return old if name.kind in kinds and name.text == new else name.text

        later, asked = names.renamed((scene.statements[place + 1 :], recipe), earlier)
        yield ir.Scene((*scene.statements[:place], *later)), asked

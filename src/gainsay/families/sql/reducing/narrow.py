"""What nothing needs leaves everywhere at once: a column, and a new name."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from gainsay.core import names
from gainsay.core.tree import at, holder, put, walk
from gainsay.families.sql.language import ir
from gainsay.families.sql.reducing import tidy

replace = msgspec.structs.replace
Parts = tuple[ir.Scene, Any]


def without_column(scene: ir.Scene, recipe: Any) -> Iterator[Parts]:
    """A column of a table, a view or a CTE leaves. What a query shows of it leaves too, or becomes NULL.
    CREATE VIEW v(a, b) AS SELECT 0, 1; SELECT v.a, v.b FROM v -> CREATE VIEW v(a) AS SELECT 0; SELECT v.a FROM v"""
    for _, made in walk((scene, recipe)):
        if isinstance(made, (ir.CreateTable, ir.CreateView, ir.Cte)) and len(made.columns) > 1:
            for column in made.columns:
                shorter = unlisted(recipe, made.name, column.name)
                for asked in (shorter, recipe) if shorter != recipe else (recipe,):
                    yield from dropped(scene, asked, made.name, column.name)


def dropped(scene: ir.Scene, recipe: Any, relation: str, column: str, other: str = "") -> Iterator[Parts]:
    """A case in which a relation has a column less. What used it becomes NULL, or uses another one of the relation.
    None where nothing would be left to ask."""

    def instead(node: Any) -> Any:
        return names.GONE if not isinstance(node, ir.Col) else ir.Col(node.rel, other) if other else ir.NULL

    def less(tree: Any, aliases: Mapping[str, str]) -> Iterator[Any]:
        is_it = names.the("column", column)
        return names.less((tree,), lambda name: is_it(name) and tidy.owner(name, aliases) == relation, instead)

    for (small,), (asked,) in itertools.product(less(scene, {}), less(recipe, tidy.aliases(recipe))):
        yield small, asked


def unlisted(recipe: Any, relation: str, column: str) -> Any:
    """A column that stands by itself in a select list leaves the list, as long as something stays. The lists of CTEs
    and of arms are as long as others, and stay."""
    gone = {ir.Col(n.alias or n.rel, column) for _, n in walk(recipe) if isinstance(n, ir.Join) and n.rel == relation}
    for path in [path for path, node in walk(recipe) if isinstance(node, ir.Select)][::-1]:
        around, field = holder(recipe, path)
        kept = tuple(item for item in at(recipe, path).items if item not in gone)
        if kept and (around is None or field not in around.places):
            recipe = put(recipe, (*path, "items"), kept)
    return recipe


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

"""Readable names for a reduced case."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Set
from types import MappingProxyType
from typing import Any

import msgspec

from gainsay.core import names as core_names
from gainsay.core.oracle import Recipe
from gainsay.core.tree import transform, walk
from gainsay.families.sql.language import ir

replace = msgspec.structs.replace


def tidy(scene: ir.Scene, recipe: Any) -> tuple[ir.Scene, Any]:
    """Rename relations, CTEs, indexes and columns to t0, w0, i0, v0, c0, ...
    in the order of their creation; an alias only where a name is taken."""
    scene, recipe = fewer_aliases(scene), fewer_aliases(recipe)
    if any(isinstance(s, (ir.RenameTable, ir.RenameColumn, ir.DropColumn)) for s in scene.statements):
        return scene, recipe  # a name means another thing behind such a statement
    names: dict[str, str] = {}
    columns: dict[tuple[str, str], str] = {}
    counts: dict[str, int] = {}
    joins = [n for _, n in walk((scene, recipe)) if isinstance(n, ir.Join)]
    is_by_names = any(j.using or j.kind.startswith("NATURAL") for j in joins)  # columns of one name keep it
    for s in scene.statements:
        letter = {ir.CreateTable: "t", ir.CreateView: "v", ir.CreateIndex: "i", ir.CreateTrigger: "g"}.get(s.__class__)
        if letter and isinstance(s, (ir.CreateTable, ir.CreateView, ir.CreateIndex, ir.CreateTrigger)):
            names[s.name] = f"{letter}{counts.get(letter, 0)}"
            counts[letter] = counts.get(letter, 0) + 1
        if isinstance(s, (ir.CreateTable, ir.CreateView)) and not is_by_names:
            listed: tuple[Any, ...] = s.columns
            columns |= {(s.name, c.name): f"c{i}" for i, c in enumerate(listed)}
    for number, made in enumerate(ctes(scene, recipe)):
        names[made.name] = f"w{number}"
        columns |= {} if is_by_names else {(made.name, c.name): f"c{i}" for i, c in enumerate(made.columns)}
    renamed = Renaming(names, columns)
    return ir.Scene(tuple(in_order(renamed.of(s)) for s in scene.statements)), renamed.of(recipe, aliases(recipe))


def ctes(scene: ir.Scene, recipe: Any) -> list[ir.Cte]:
    """The CTEs, if each name is that of one relation only."""
    found = [n for _, n in walk((scene, recipe)) if isinstance(n, ir.Cte)]
    others = [n.name for _, n in walk(scene) if isinstance(n, (ir.CreateTable, ir.CreateView))]
    return found if len({*others, *(c.name for c in found)}) == len(others) + len(found) else []


def in_order(s: Any) -> Any:
    """An INSERT names its columns in their order. (c1, c0) VALUES (0, 1) -> (c0, c1) VALUES (1, 0)."""
    if not isinstance(s, ir.Insert) or s.query is not None or any(len(r.values) != len(s.columns) for r in s.rows):
        return s
    order = sorted(range(len(s.columns)), key=lambda n: s.columns[n])
    rows = tuple(ir.Values(tuple(r.values[n] for n in order)) for r in s.rows)
    return replace(s, columns=tuple(s.columns[n] for n in order), rows=rows)


def fewer_aliases(tree: Any) -> Any:
    """Aliases a1, a2, ... for what has a name that is taken, here or in a query around, and for nothing else."""

    def new(name: core_names.Name) -> str:
        return visible(name).get(name.text, name.text) if name.kind == "source" else name.text

    return transform(core_names.renamed(transform(tree, aliased), new), unaliased)


def aliased(node: Any) -> Any:
    """What a query reads has an alias, be it its own name."""
    return replace(node, alias=node.alias or node.rel) if isinstance(node, ir.Join) and not node.is_made else node


def unaliased(node: Any) -> Any:
    """The opposite: an alias only where it is another name."""
    is_vain = isinstance(node, ir.Join) and not node.is_made and node.alias == node.rel
    return replace(node, alias="") if is_vain else node


def visible(name: core_names.Name) -> Mapping[str, str]:
    """The new names of what can be read where a name stands, by their old ones."""
    found: Mapping[str, str] = {}
    for node, part in itertools.pairwise((*name.around, name.node)):
        # A condition that stands beside a query sees what the query reads; a CTE does not.
        query = node.subject if isinstance(node, Recipe) else node
        if isinstance(query, ir.Select) and part is not query and not isinstance(part, ir.Cte):
            found = named(query, found)
    return found


def named(query: ir.Select, around: Mapping[str, str]) -> dict[str, str]:
    """The new name of everything that a query reads, by its old one."""
    names = dict(around)
    taken = set(around.values())
    for place, each in enumerate(query.source):
        old = each.alias or each.rel
        names[old] = old if each.is_made else each.rel if each.rel not in taken else free(taken, place)
        taken.add(names[old])
    return names


def free(taken: Set[str], place: int) -> str:
    return next(name for name in (f"a{n}" for n in itertools.count(max(place, 1))) if name not in taken)


class Renaming:
    """New names for relations, indexes and columns, seen through the aliases of each query."""

    def __init__(self, names: Mapping[str, str], columns: Mapping[tuple[str, str], str]) -> None:
        self.names = names
        self.columns = columns

    def of(self, tree: Any, aliases: Mapping[str, str] = MappingProxyType({})) -> Any:
        """A tree with the new names; `aliases` are those of a query beside it."""
        return core_names.renamed(tree, lambda name: self.new(name, aliases))

    def new(self, name: core_names.Name, aliases: Mapping[str, str]) -> str:
        if name.kind == "column":
            return self.columns.get((owner(name, aliases), name.text), name.text)
        if name.kind == "source":
            is_alias = (
                isinstance(name.node, ir.Join) or stands_for(name, aliases).get(name.text, name.text) != name.text
            )
            return name.text if is_alias else self.names.get(name.text, name.text)
        return self.names.get(name.text, name.text)


def owner(name: core_names.Name, aliases: Mapping[str, str]) -> str:
    """The relation whose column it is: the one it is said of, else that of the statement or CTE around."""
    if isinstance(name.node, ir.Col) and name.node.rel:
        around = next((n for n in name.around if isinstance(n, ir.CreateTrigger)), None)
        if around is not None and name.node.rel in ("old", "new"):
            return around.table
        return stands_for(name, aliases).get(name.node.rel, name.node.rel)
    if isinstance(name.node, ir.Target):
        return name.node.table
    if isinstance(name.node, ir.ViewColumn) and name.around and isinstance(name.around[-1], ir.Join):
        return name.around[-1].alias
    around_it = (
        n.name if isinstance(n, ir.Cte) else n.about
        for n in reversed((*name.around, name.node))
        if isinstance(n, (ir.Stated, ir.Cte))
    )
    return next(filter(None, around_it), "")


def stands_for(name: core_names.Name, aliases: Mapping[str, str]) -> dict[str, str]:
    """What the aliases stand for, at a place."""
    queries = (n for n in (*name.around, name.node) if isinstance(n, (ir.Select, ir.Update)))
    return {**aliases, **{j.alias: j.rel for q in queries for j in q.source if j.alias}}


def aliases(tree: Any) -> dict[str, str]:
    """What the aliases of a recipe's queries stand for, for what stands beside them."""
    return {j.alias: j.rel for _, j in walk(tree) if isinstance(j, ir.Join) and j.alias}

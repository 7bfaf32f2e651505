"""Readable names for a reduced case."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Set
from typing import Any

import msgspec

from gainsay.core.tree import Node, walk
from gainsay.families.sql.language import ir

replace = msgspec.structs.replace


def tidy(scene: ir.Scene, recipe: Any) -> tuple[ir.Scene, Any]:
    """Rename relations, indexes and columns to t0, i0, v0, c0, ...
    in the order of their creation; an alias only where a name is taken."""
    scene, recipe = fewer_aliases(scene), fewer_aliases(recipe)
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
    return ir.Scene(tuple(in_order(renamed.statement(s)) for s in scene.statements)), renamed.walk(recipe, aliases)


def in_order(s: Any) -> Any:
    """An INSERT names its columns in their order. (c1, c0) VALUES (0, 1) -> (c0, c1) VALUES (1, 0)."""
    if not isinstance(s, ir.Insert) or any(len(r.values) != len(s.columns) for r in s.rows):
        return s
    order = sorted(range(len(s.columns)), key=lambda n: s.columns[n])
    rows = tuple(ir.Values(tuple(r.values[n] for n in order)) for r in s.rows)
    return replace(s, columns=tuple(s.columns[n] for n in order), rows=rows)


def fewer_aliases(node: Any, around: Mapping[str, str] | None = None) -> Any:
    """Aliases a1, a2, ... for what has a name that is taken, here or in a query around, and for nothing else."""
    around = around or {}
    if isinstance(node, tuple):
        return tuple(fewer_aliases(n, around) for n in node)
    if not isinstance(node, Node):
        return node
    if isinstance(node, ir.Col):
        return replace(node, rel=around.get(node.rel, node.rel))
    query = node if isinstance(node, ir.Select) else getattr(node, "query", None)
    # A condition that stands beside a query sees what the query reads.
    names = (
        around
        if not isinstance(query, ir.Select) or isinstance(node, (ir.SubExpr, ir.Cte, ir.CreateView))
        else named(query, around)
    )
    changed = {}
    for field in node.__struct_fields__:
        value = getattr(node, field)
        if isinstance(value, (Node, tuple)):
            changed[field] = fewer_aliases(value, around if value is query or field == "ctes" else names)
    if isinstance(node, ir.Join) and node.sub is None and (node.alias or node.rel) in names:
        name = names[node.alias or node.rel]
        changed["alias"] = "" if name == node.rel else name
    return replace(node, **changed)


def named(query: ir.Select, around: Mapping[str, str]) -> dict[str, str]:
    """The new name of everything that a query reads, by its old one."""
    names = dict(around)
    taken = set(around.values())
    for place, each in enumerate(query.source):
        old = each.alias or each.rel
        names[old] = old if each.sub is not None else each.rel if each.rel not in taken else free(taken, place)
        taken.add(names[old])
    return names


def free(taken: Set[str], place: int) -> str:
    return next(name for name in (f"a{n}" for n in itertools.count(max(place, 1))) if name not in taken)


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
        parts = {
            f: self.walk(getattr(node, f), aliases, owner)
            for f in node.__struct_fields__
            if isinstance(getattr(node, f), (Node, tuple))
        }
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

"""What a reduced case must be: a graph that can be made, and queries that could have been drawn and have one answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gainsay.core.tree import walk
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.meaning import proof, types
from gainsay.families.cypher.meaning.scene_cache import Profile, SceneCache
from gainsay.families.cypher.meaning.semantics import has_unordered_lists


def is_sound(scene: ir.Scene) -> bool:
    """Whether a graph is one that can be made: edges between nodes that are there, labels and keys of the schema."""
    schema = scene.schema
    ids = [v.id for v in scene.vertices]
    known = set(ids)
    kinds, edge_kinds = {k.name: k.type for k in schema.node_keys}, {k.name: k.type for k in schema.edge_keys}
    keys, edge_keys = set(kinds), set(edge_kinds)
    labels, edge_types = set(schema.labels), set(schema.types)
    edges = {e.id for e in scene.edges}
    return (
        len(known) == len(ids)
        and all(
            set(v.labels) <= labels and {p.key for p in v.props} <= keys and len(set(v.labels)) == len(v.labels)
            for v in scene.vertices
        )
        and all(
            e.source in known and e.target in known and e.type in edge_types and {p.key for p in e.props} <= edge_keys
            for e in scene.edges
        )
        and all((c.id in edges if c.is_edge else c.id in known) for c in scene.changes)
        and all(c.key in (edge_keys if c.is_edge else keys) for c in scene.changes if isinstance(c, ir.SetKey))
        and all(i.label in labels and i.key in keys for i in scene.indexes)
        and all(has_kind(p, kinds) for v in scene.vertices for p in v.props)
        and all(has_kind(p, edge_kinds) for e in scene.edges for p in e.props)
    )


def has_kind(prop: ir.Kept, kinds: Mapping[str, str]) -> bool:
    """Whether a value is of its property's type."""
    if isinstance(prop.value, ir.Lit):
        return prop.value.kind == kinds[prop.key]
    return kinds[prop.key].endswith("s") and all(
        isinstance(i, ir.Lit) and f"{i.kind}s" == kinds[prop.key] for i in prop.value.items
    )


def has_tables(scene: ir.Scene, recipe: Any) -> bool:
    """Whether a graph fits into tables, each node in one, and there are tables for what is asked: a catalogue without
    any is a case of its own."""
    has_edges = any(isinstance(n, ir.RelPat) for _, n in walk(recipe))
    has_nodes = any(isinstance(n, ir.NodePat) for _, n in walk(recipe))
    return (
        all(len(v.labels) == 1 for v in scene.vertices)
        and bool(scene.schema.labels or scene.raw or not has_nodes)
        and bool(scene.schema.types or not has_edges)
    )


def queries(recipe: Any) -> list[ir.Query]:
    """The queries that a recipe names."""
    query = recipe.subject
    return [ir.Query((query,))] if isinstance(query, ir.Single) else [query] if isinstance(query, ir.Query) else []


def is_legal(scene: ir.Scene, recipe: Any, profiles: Sequence[Profile]) -> bool:
    """Whether a shrunk case is one that could have been drawn: well typed, determined, and true by our own
    semantics."""
    if not is_sound(scene):
        return False
    asked = queries(recipe)
    if not all(types.is_typed(scene.schema, q) for q in asked):
        return False
    cache = SceneCache(scene)
    words, again = recipe.conversation(), recipe.conversation()
    if words is not None and again is not None:
        if not all(types.is_typed(scene.schema, q) for q in proof.asked(words).values()):
            return False
        return proof.holds(again, cache, profiles[0])
    return all(proof.agreed(cache, q, profiles, "graph bags" if has_unordered_lists(q) else "graph") for q in asked)

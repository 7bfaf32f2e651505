"""A property graph in memory: what a scene's statements make, laid out for matching."""

from __future__ import annotations

from typing import Any

from gainsay.families.cypher.language import ir


class NodeV:
    """A node. Two are the same if they are one object."""

    __slots__ = ("id", "labels", "props")

    def __init__(self, number: int, labels: frozenset[str], props: dict[str, Any]) -> None:
        self.id = number
        self.labels = labels
        self.props = props

    def __repr__(self) -> str:
        return f"NodeV({self.id})"


class RelV:
    """A relationship. Two are the same if they are one object."""

    __slots__ = ("id", "props", "source", "target", "type")

    def __init__(self, number: int, source: NodeV, target: NodeV, kind: str, props: dict[str, Any]) -> None:
        self.id = number
        self.source = source
        self.target = target
        self.type = kind
        self.props = props

    def __repr__(self) -> str:
        return f"RelV({self.id})"


class PathV:
    """A walk through the graph: one node more than relationships."""

    __slots__ = ("nodes", "rels")

    def __init__(self, nodes: tuple[NodeV, ...], rels: tuple[RelV, ...]) -> None:
        self.nodes = nodes
        self.rels = rels

    def __repr__(self) -> str:
        return f"PathV({self.nodes}, {self.rels})"


class Graph:
    """Nodes, relationships, and who leads where. `keys`: the type of each property that the schema names."""

    __slots__ = ("into", "keys", "nodes", "out", "rels")

    def __init__(self, nodes: list[NodeV], rels: list[RelV], keys: dict[str, str] | None = None) -> None:
        self.nodes = nodes
        self.rels = rels
        self.keys = keys or {}
        self.out: dict[int, list[RelV]] = {node.id: [] for node in nodes}
        self.into: dict[int, list[RelV]] = {node.id: [] for node in nodes}
        for rel in rels:
            self.out[rel.source.id].append(rel)
            self.into[rel.target.id].append(rel)


def stored(value: ir.Lit | ir.ListOf) -> Any:
    """The value that a literal, or a list of literals, stands for."""
    if isinstance(value, ir.Lit):
        return value.value
    return [item.value for item in value.items if isinstance(item, ir.Lit)]


def properties(number: int, kept: tuple[ir.Kept, ...]) -> dict[str, Any]:
    pairs = {"id": number}
    for each in kept:
        value = stored(each.value)
        if value is not None:
            pairs[each.key] = value
    return pairs


def graph_of(scene: ir.Scene) -> Graph:
    """What was created, then the changes in their order."""
    nodes = {v.id: NodeV(v.id, frozenset(v.labels), properties(v.id, v.props)) for v in scene.vertices}
    rels = {
        e.id: RelV(e.id, nodes[e.source], nodes[e.target], e.type, properties(e.id, e.props))
        for e in scene.edges
        if e.source in nodes and e.target in nodes
    }
    for change in scene.changes:
        apply(change, nodes, rels)
    keys = {key.name: key.type for key in (*scene.schema.node_keys, *scene.schema.edge_keys)}
    return Graph(list(nodes.values()), list(rels.values()), keys)


def apply(change: ir.Change, nodes: dict[int, NodeV], rels: dict[int, RelV]) -> None:
    """A change of an element that is not there changes nothing, as a MATCH that finds nothing does."""
    if isinstance(change, ir.SetKey):
        element = (rels if change.is_edge else nodes).get(change.id)
        if element is None:
            return
        value = stored(change.value)
        if value is None:
            element.props.pop(change.key, None)
        else:
            element.props[change.key] = value
    elif change.is_edge:
        rels.pop(change.id, None)
    elif nodes.pop(change.id, None) is not None:
        for number in [r.id for r in rels.values() if change.id in (r.source.id, r.target.id)]:
            del rels[number]

"""Random graphs: labels, types, typed properties, some missing; loops, parallel edges, isolated nodes, boundary values,
indexes, later changes."""

from __future__ import annotations

import msgspec

from gainsay.core.draw import Draw
from gainsay.families.cypher.drawing.lexicon import FAR, POOLS, Lexicon
from gainsay.families.cypher.language import ir

LABELS = ("A", "B", "C")
TYPES = ("T", "S", "U")
NODE_KEYS = (("k", "int"), ("s", "str"), ("b", "bool"), ("f", "float"), ("m", "int"), ("l", "ints"), ("q", "strs"))
EDGE_KEYS = (("w", "int"), ("t", "str"), ("v", "float"))
ELEMENT = {"ints": "int", "strs": "str"}


def value(draw: Draw, kind: str) -> ir.Lit | ir.ListOf:
    """A value from a tiny pool, so that values meet; now and then one from far out."""
    if kind in ELEMENT:
        element = ELEMENT[kind]
        return ir.ListOf(tuple(ir.Lit(element, draw.pick(POOLS[element])) for _ in range(draw.between(0, 3))))
    return ir.Lit(kind, draw.pick(FAR[kind] if draw.coin(0.06) else POOLS[kind]))


def keys(draw: Draw, lexicon: Lexicon, known: tuple[tuple[str, str], ...], most: int) -> tuple[ir.Key, ...]:
    usable = [k for k in known if lexicon.has(f"graph:{k[1]} property")]
    chosen = draw.sample(usable, draw.between(1, min(most, len(usable))))
    return tuple(ir.Key(name, kind) for name, kind in sorted(chosen))


def props(draw: Draw, listed: tuple[ir.Key, ...]) -> tuple[ir.Kept, ...]:
    return tuple(ir.Kept(k.name, value(draw, k.type)) for k in listed if draw.coin(0.75))


def labels(draw: Draw, lexicon: Lexicon, listed: tuple[str, ...]) -> tuple[str, ...]:
    unit = draw.unit()
    if unit < 0.12 and lexicon.has("graph:labels none"):
        return ()
    if unit < 0.4 and lexicon.has("graph:labels many"):
        return tuple(sorted(draw.sample(listed, draw.between(1, len(listed)))))
    return (draw.pick(listed),)


def grow(draw: Draw, lexicon: Lexicon) -> ir.Scene:
    """Draw a graph: schema, nodes, relationships, indexes and changes."""
    many = lexicon.has("graph:pairs")
    schema = ir.Schema(
        LABELS[: draw.between(1, 3) if many else 1],
        TYPES[: draw.between(1, 3) if draw.coin(0.3) else draw.between(1, 2)],
        keys(draw, lexicon, NODE_KEYS, 5),
        keys(draw, lexicon, EDGE_KEYS, 2),
    )
    size = draw.between(1, min(lexicon.nodes, 3) if draw.coin(0.25) else lexicon.nodes)
    vertices = tuple(
        ir.Vertex(i, labels(draw, lexicon, schema.labels), props(draw, schema.node_keys)) for i in range(size)
    )
    edges: list[ir.Edge] = []
    for number in range(size, size + draw.between(0, size + size // 2 + 1)):
        source = draw.below(size)
        target = source if draw.coin(0.08) else draw.below(size)
        if edges and draw.coin(0.1):  # a parallel edge
            source, target = edges[-1].source, edges[-1].target
        edges.append(ir.Edge(number, source, target, draw.pick(schema.types), props(draw, schema.edge_keys)))
    return ir.Scene(
        schema,
        vertices,
        tuple(edges),
        indexes(draw, lexicon, schema),
        changes(draw, lexicon, schema, vertices, edges) if draw.coin(0.35) else (),
    )


def indexes(draw: Draw, lexicon: Lexicon, schema: ir.Schema) -> tuple[ir.Index, ...]:
    if not lexicon.has("graph:index") or draw.coin(0.55):
        return ()
    plain = [k.name for k in schema.node_keys if k.type in POOLS]
    found = [
        ir.Index(draw.pick(schema.labels), draw.pick(plain), draw.coin()) for _ in range(draw.between(1, 2)) if plain
    ]
    return tuple({(i.label, i.key): i for i in found}.values())


def changes(
    draw: Draw, lexicon: Lexicon, schema: ir.Schema, vertices: tuple[ir.Vertex, ...], edges: list[ir.Edge]
) -> tuple[ir.Change, ...]:
    """What happens to the graph after it was made: values are set or removed, elements deleted."""
    found: list[ir.Change] = []
    gone: set[int] = set()
    for _ in range(draw.between(1, 3)):
        is_edge = bool(edges) and draw.coin(0.4)
        element = draw.pick(edges) if is_edge else draw.pick(vertices)
        label = element.type if isinstance(element, ir.Edge) else element.labels[0] if element.labels else ""
        if element.id in gone or (isinstance(element, ir.Edge) and {element.source, element.target} & gone):
            continue
        if draw.coin(0.3) and lexicon.has("graph:drop") and (is_edge or len(vertices) > 2):
            found.append(ir.Drop(element.id, is_edge, label))
            gone.add(element.id)
        elif lexicon.has("graph:set"):
            key = draw.pick(schema.edge_keys if is_edge else schema.node_keys)
            is_removal = draw.coin(0.3) and lexicon.has("graph:set null")
            found.append(
                ir.SetKey(element.id, key.name, ir.NULL if is_removal else value(draw, key.type), is_edge, label)
            )
    return tuple(found)


def script(scene: ir.Scene) -> tuple[ir.Statement, ...]:
    """The statements that make a graph."""
    schema = scene.schema
    tables: list[ir.Statement] = [ir.NodeTable(label, schema.node_keys) for label in schema.labels]
    tables += [ir.EdgeTable(t, schema.labels, schema.edge_keys) for t in schema.types if schema.labels]
    made: list[ir.Statement] = [ir.Create(scene.vertices, scene.edges)] if scene.vertices else []
    early = [i for i in scene.indexes if not i.is_late]
    late = [i for i in scene.indexes if i.is_late]
    return (*tables, *(ir.RawStatement(t) for t in scene.raw), *early, *made, *late, *scene.changes)


def keep(scene: ir.Scene, accepted: set[int]) -> ir.Scene:
    """What stands of a scene if only some of its statements were accepted; without its CREATE there is nothing."""
    listed = script(scene)
    refused = [s for i, s in enumerate(listed) if i not in accepted]
    if any(isinstance(s, (ir.Create, ir.NodeTable, ir.EdgeTable, ir.RawStatement)) for s in refused):
        return msgspec.structs.replace(scene, vertices=(), edges=(), changes=(), indexes=())
    return msgspec.structs.replace(
        scene,
        indexes=tuple(i for i in scene.indexes if i not in refused),
        changes=tuple(c for c in scene.changes if c not in refused),
    )


def stored(scene: ir.Scene) -> tuple[ir.Query, ...]:
    """Queries that show all that is stored."""
    node, edge = ir.Var("n"), ir.Var("r")
    nodes = [
        ir.Item(ir.Prop(node, k), f"c{i}") for i, k in enumerate(("id", *(k.name for k in scene.schema.node_keys)))
    ]
    edges = [
        ir.Item(ir.Prop(edge, k), f"c{i}") for i, k in enumerate(("id", *(k.name for k in scene.schema.edge_keys)))
    ]
    ends = [ir.Item(ir.Prop(ir.Var(v), "id"), v) for v in ("a", "b")]
    path = ir.Path(ir.NodePat("a"), (ir.Hop(ir.RelPat("r"), ir.NodePat("b")),))
    shown = [(ir.Match((ir.Path(ir.NodePat("n")),)), ir.Return(tuple(nodes)))]
    if scene.schema.types:
        shown.append((ir.Match((path,)), ir.Return((*ends, *edges))))
    return tuple(ir.Query((ir.Single(clauses),)) for clauses in shown)

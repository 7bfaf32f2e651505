"""Large cuts, and coordinated shrinks of graph and query."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from gainsay.core import names
from gainsay.core.tree import put, transform, walk
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.ops import AGGREGATES, OPS, plainer
from gainsay.families.cypher.language.scopes import free, has_aggregate
from gainsay.families.cypher.meaning.graph import graph_of
from gainsay.families.cypher.meaning.scene_cache import Profile
from gainsay.families.cypher.reducing import contexts, forms, normal
from gainsay.families.cypher.reducing.contexts import bound_by, stored

replace = msgspec.structs.replace
Pair = tuple[ir.Scene, Any]
ONE = ir.Lit("int", 1)
FEW = 4  # nodes whose order is tried
FILLERS = (ir.Lit("int", 0), ir.Lit("str", ""), ir.TRUE)
FILLER = {
    "int": ir.Lit("int", 0),
    "str": ir.Lit("str", ""),
    "bool": ir.TRUE,
    "float": ir.Lit("float", 0.0),
    "ints": ir.ListOf(),
    "strs": ir.ListOf(),
}


# --- shrinks of the graph ---------------------------------------------------------------------------------------------


def without_elements(scene: ir.Scene, gone: set[int]) -> ir.Scene:
    """Some nodes and edges leave with all that is about them."""
    edges = tuple(e for e in scene.edges if e.id not in gone and e.source not in gone and e.target not in gone)
    vertices = tuple(v for v in scene.vertices if v.id not in gone)
    left = {e.id for e in edges} | {v.id for v in vertices}
    return replace(scene, vertices=vertices, edges=edges, changes=tuple(c for c in scene.changes if c.id in left))


def cuts(scene: ir.Scene, recipe: Any, profile: Profile) -> Iterator[Pair]:
    """Large cuts: no changes, no indexes, parts of the graph, fewer clauses."""
    if scene.changes:
        yield replace(scene, changes=()), recipe
        yield settled(scene), recipe
    if scene.indexes:
        yield replace(scene, indexes=()), recipe
    for listed in ([v.id for v in scene.vertices], [e.id for e in scene.edges]):
        size = max(1, (len(listed) + 1) // 2)
        while size:
            for start in range(0, len(listed), size):
                yield without_elements(scene, set(listed[start : start + size])), recipe
            size //= 2
    if 1 < len(scene.vertices) <= FEW:
        # Which node comes first may matter: then fewer do, in another order.
        turned = replace(scene, vertices=scene.vertices[::-1])
        yield from ((without_elements(turned, {x.id}), recipe) for some in (scene.vertices, scene.edges) for x in some)
    yield from contexts.smallest_contexts(scene, recipe)
    yield from contexts.lifted(scene, recipe)
    yield from contexts.first_clauses(scene, recipe)
    yield from fewer_clauses(scene, recipe)
    yield from contexts.comparisons(scene, recipe, profile)
    yield from contexts.on_nodes(scene, recipe, profile)


def settled(scene: ir.Scene) -> ir.Scene:
    """The graph as it is after its changes, made at once."""
    graph = graph_of(scene)
    nodes, rels = {n.id: n for n in graph.nodes}, {r.id: r for r in graph.rels}

    def kept(props: dict[str, Any], keys: tuple[ir.Key, ...]) -> tuple[ir.Kept, ...]:
        return tuple(ir.Kept(k.name, stored(props[k.name], k.type)) for k in keys if props.get(k.name) is not None)

    schema = scene.schema
    return replace(
        scene,
        vertices=tuple(
            replace(v, props=kept(nodes[v.id].props, schema.node_keys)) for v in scene.vertices if v.id in nodes
        ),
        edges=tuple(replace(e, props=kept(rels[e.id].props, schema.edge_keys)) for e in scene.edges if e.id in rels),
        changes=(),
    )


def graph_shrinks(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """Smaller graphs: without a label, a type or a key, or with another one in its place."""
    schema = scene.schema
    for label in schema.labels:
        yield from without_label(scene, recipe, label)
        yield from (instead_of(scene, recipe, "label", label, other) for other in schema.labels if other < label)
    for kind in schema.types:
        rest = tuple(t for t in schema.types if t != kind)
        fewer = without_elements(scene, {e.id for e in scene.edges if e.type == kind})
        left = replace(fewer, schema=replace(schema, types=rest))
        yield from ((left, asked) for (asked,) in names.less((recipe,), names.the("type", kind)))
        yield from (instead_of(scene, recipe, "type", kind, other) for other in rest if other < kind)
    for is_edge in (False, True):
        for key in schema.keys(is_edge):
            yield from without_key(scene, recipe, is_edge, key)
    for v, vertex in enumerate(scene.vertices):
        for p, prop in enumerate(vertex.props):
            yield put(scene, ("vertices", v, "props"), (*vertex.props[:p], *vertex.props[p + 1 :])), recipe
            yield from (
                (put(scene, ("vertices", v, "props", p, "value"), s), recipe) for s in plainer_value(prop.value)
            )
        if len(vertex.labels) > 1:
            yield from (
                (put(scene, ("vertices", v, "labels"), tuple(x for x in vertex.labels if x != y)), recipe)
                for y in vertex.labels
            )
    for e, edge in enumerate(scene.edges):
        for p, prop in enumerate(edge.props):
            yield put(scene, ("edges", e, "props"), (*edge.props[:p], *edge.props[p + 1 :])), recipe
            yield from ((put(scene, ("edges", e, "props", p, "value"), s), recipe) for s in plainer_value(prop.value))
        if edge.source == edge.target:
            # A loop is odder than another node.
            ends = next(v for v in scene.vertices if v.id == edge.source)
            free = 1 + max([*(v.id for v in scene.vertices), *(x.id for x in scene.edges)])
            yield (
                replace(put(scene, ("edges", e, "target"), free), vertices=(*scene.vertices, replace(ends, id=free))),
                recipe,
            )


def plainer_value(value: ir.Lit | ir.ListOf) -> list[ir.Lit | ir.ListOf]:
    if isinstance(value, ir.ListOf):
        return [ir.ListOf(value.items[:i] + value.items[i + 1 :]) for i in range(len(value.items))]
    plain: dict[str, tuple[Any, ...]] = {"int": (0, 1, 2), "str": ("", "a"), "float": (0.0, 1.0), "bool": (True,)}
    return [ir.Lit(value.kind, v) for v in plain.get(value.kind, ())]


def without_label(scene: ir.Scene, recipe: Any, label: str) -> Iterator[Pair]:
    """A label leaves; what asks for it is true."""

    def instead(node: Any) -> Any:
        return ir.TRUE if isinstance(node, ir.HasLabel) else names.GONE

    for less in names.less((scene, recipe), names.the("label", label), instead):
        yield called(transform(less, plain_labels), "label", label, "")


def instead_of(scene: ir.Scene, recipe: Any, kind: str, old: str, new: str) -> Pair:
    """A label or a type becomes another one."""
    less = names.renamed((scene, recipe), names.by(kind, {old: new}))
    return called(transform(less, plain_labels), kind, old, new)


def plain_labels(node: Any) -> Any:
    """One label of any is that label."""
    return replace(node, is_any=False) if isinstance(node, ir.NodePat) and len(node.labels) < 2 else node


def called(pair: Pair, kind: str, old: str, new: str) -> Pair:
    """Changes name the label of their node, or the type of their relationship."""
    scene, recipe = pair
    is_type = kind == "type"
    said = (replace(c, label=new) if c.label == old and c.is_edge == is_type else c for c in scene.changes)
    return replace(scene, changes=tuple(said)), recipe


# Whose properties those in a node are: a relationship's, or a node's; a map's own are nobody's
OWNERS: Mapping[type, bool | None] = {
    ir.Vertex: False, ir.NodePat: False, ir.Index: False, ir.Edge: True, ir.RelPat: True, ir.MapOf: None,
}  # fmt: skip


def without_key(scene: ir.Scene, recipe: Any, is_edge: bool, key: ir.Key) -> Iterator[Pair]:
    """A property leaves with all its values; what used it becomes a constant."""

    def is_gone(name: names.Name) -> bool:
        node = name.node
        if name.kind != "property" or name.text != key.name:
            return False
        if isinstance(node, ir.Key):
            return any(node is each for each in scene.schema.keys(is_edge))
        if isinstance(node, ir.SetKey):
            return node.is_edge == is_edge
        owners = (OWNERS[n.__class__] for n in (node, *reversed(name.around)) if n.__class__ in OWNERS)
        return isinstance(node, ir.Prop) or next(owners, None) == is_edge

    def instead(node: Any) -> Any:
        return FILLER[key.type] if isinstance(node, ir.Prop) else names.GONE

    return names.less((scene, recipe), is_gone, instead)


# --- shrinks of the query ---------------------------------------------------------------------------------------------


def singles(recipe: Any) -> Iterator[tuple[tuple[int | str, ...], ir.Single]]:
    for path, node in walk(recipe):
        if isinstance(node, ir.Single):
            yield path, node


def fewer_clauses(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """A clause leaves, or a pattern; what only it bound becomes a constant, or leaves the lists it stands in."""
    kinds = kinds_of(scene)
    for at, single in singles(recipe):
        for i in range(len(single.clauses) - 1):
            rest = (*single.clauses[:i], *single.clauses[i + 1 :])
            shifted = recipe.without_clause(i)
            clause = single.clauses[i]
            if isinstance(clause, ir.With):
                # The values it computed move to where they are used.
                inline = {item.name: item.expr for item in clause.items if not isinstance(item.expr, ir.Agg)}
                moved = (*single.clauses[:i], *(substituted(c, inline) for c in single.clauses[i + 1 :]))
                yield scene, put(shifted, at, ir.Single(moved))
                if clause.where is not None and i and isinstance(single.clauses[i - 1], ir.Match):
                    before = replace(single.clauses[i - 1], where=substituted(clause.where, inline))
                    yield scene, put(shifted, at, ir.Single((*single.clauses[: i - 1], before, *moved[i:])))
            if isinstance(clause, ir.Unwind) and isinstance(clause.expr, ir.ListOf):
                for value in clause.expr.items:
                    yield scene, put(shifted, at, ir.Single(tuple(substituted(c, {clause.var: value}) for c in rest)))
            yield scene, put(shifted, at, ir.Single(rest))
            yield from ((scene, new) for new in bound_by_less(shifted, at, single.clauses, rest, kinds))
            if isinstance(clause, ir.Match) and len(clause.patterns) > 1:
                for j in range(len(clause.patterns)):
                    fewer = replace(clause, patterns=(*clause.patterns[:j], *clause.patterns[j + 1 :]))
                    less = (*single.clauses[:i], fewer, *single.clauses[i + 1 :])
                    yield from ((scene, new) for new in bound_by_less(recipe, at, single.clauses, less, kinds))
                    yield from ((scene, put(recipe, at, ir.Single(new))) for new in rebound(single.clauses, less))


def rebound(clauses: tuple[Any, ...], less: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """What is left of some clauses, with a node that they still bind in the place of one that they do not: MATCH (n),
    (m) RETURN m.k -> MATCH (n) RETURN n.k"""
    before, after = (
        dict.fromkeys(n.var for _, n in walk(some) if isinstance(n, ir.NodePat) and n.var) for some in (clauses, less)
    )
    for gone in sorted(before.keys() - after.keys()):
        for other in after:
            yield substituted(less, {gone: ir.Var(other)})


def bound_by_less(
    recipe: Any, at: tuple[int | str, ...], clauses: tuple[Any, ...], rest: tuple[Any, ...], kinds: Mapping[str, str]
) -> Iterator[Any]:
    """A recipe with the rest of its clauses; what the others bound becomes a constant."""
    gone = {name for c in clauses for name in bound_by(c)} - {name for c in rest for name in bound_by(c)}
    for filler in FILLERS:
        forgotten = tuple(forget(c, gone, filler, kinds) for c in rest)
        if all(c is not None for c in forgotten):
            new = put(recipe, at, ir.Single(forgotten))
            if new.condition_field:
                new = new.with_tested(filled(new.tested, gone, filler, kinds))
            yield new


def substituted(node: Any, values: Mapping[str, Any]) -> Any:
    return names.inlined(node, {(name,): value for name, value in values.items()})


def filled(node: Any, gone: set[str], filler: ir.Lit, kinds: Mapping[str, str]) -> Any:
    """What refers to variables that are gone becomes a constant; a property one of its own type."""

    def change(n: Any) -> Any:
        if isinstance(n, ir.Var) and n.name in gone:
            return filler
        if isinstance(n, ir.Prop) and isinstance(n.base, ir.Lit):
            return FILLER.get(kinds.get(n.key, ""), filler)
        if isinstance(n, ir.HasLabel) and isinstance(n.base, ir.Lit):
            return filler
        return n

    return transform(node, change)


def kinds_of(scene: ir.Scene) -> dict[str, str]:
    """The type of each property."""
    return {"id": "int", **{k.name: k.type for k in (*scene.schema.edge_keys, *scene.schema.node_keys)}}


def forget(clause: Any, gone: set[str], filler: ir.Lit, kinds: Mapping[str, str]) -> Any:
    """A clause without some variables; None if nothing is left of it."""
    if isinstance(clause, (ir.With, ir.Return)):
        kept = tuple(i for i in clause.items if not (isinstance(i.expr, ir.Var) and i.expr.name in gone))
        if not kept and not (isinstance(clause, ir.With) and clause.star):
            return None
        clause = replace(clause, items=kept)
    return filled(clause, gone, filler, kinds)


def query_shrinks(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """Smaller nodes in the place of each node, and plainer conditions."""
    for path, node in walk(recipe):
        for new in smaller(node):
            yield scene, put(recipe, path, new)
        if isinstance(node, (ir.NodePat, ir.RelPat, ir.Path)) and node.var:
            yield scene, put(recipe, path, replace(node, var=""))
        if isinstance(node, (ir.Match, ir.With)) and node.where is not None:
            # If any condition on the same variable will do, then one that says nothing of its own.
            for name in sorted(free(node.where)):
                yield scene, put(recipe, (*path, "where"), ir.Op("=", (ir.Prop(ir.Var(name), "id"), ir.Lit("int", 0))))
                yield scene, put(recipe, (*path, "where"), ir.Op("=", (ir.Var(name), ir.Lit("int", 0))))
                yield scene, put(recipe, (*path, "where"), ir.Op("IS NULL", (ir.Var(name),)))
            for prop in dict.fromkeys(n for _, n in walk(node.where) if isinstance(n, ir.Prop)):
                yield scene, put(recipe, (*path, "where"), ir.Op("IS NULL", (prop,)))
    for at, single in singles(recipe):
        for name in sorted({n for c in single.clauses for n in bound_by(c)}):
            # A variable that nothing needs is not named; an item that nothing needs is not kept.
            yield scene, put(recipe, at, unnamed(single, name))
            yield from ((scene, put(recipe, at, dropped(single, name, filler, kinds_of(scene)))) for filler in FILLERS)
        yield from ((scene, put(recipe, at, new)) for new in ungrouped(single, kinds_of(scene)))
    for path, node in walk(recipe):
        if isinstance(node, ir.Query) and len(node.parts) > 1:
            for part in node.parts:
                yield scene, put(recipe, path, ir.Query((part,)))


def unnamed(single: ir.Single, name: str) -> ir.Single:
    def change(n: Any) -> Any:
        return replace(n, var="") if isinstance(n, (ir.NodePat, ir.RelPat, ir.Path)) and n.var == name else n

    return transform(single, change)  # type: ignore[no-any-return] # a Single stays one


def dropped(single: ir.Single, name: str, filler: ir.Lit, kinds: Mapping[str, str]) -> ir.Single:
    """A query without a variable: what used it has a literal instead."""
    clauses = [
        forget(c, {name}, filler, kinds) or filled(c, {name}, filler, kinds)
        if isinstance(c, (ir.With, ir.Return))
        else filled(c, {name}, filler, kinds)
        for c in single.clauses
    ]
    kept = [
        replace(c, items=tuple(i for i in c.items if i.name != name))
        if isinstance(c, ir.With) and len(c.items) > 1
        else c
        for c in clauses
    ]
    return ir.Single(tuple(kept))


def ungrouped(single: ir.Single, kinds: Mapping[str, str]) -> Iterator[ir.Single]:
    """Without what is counted in each group: WITH r, count(*) AS x RETURN x AS y -> WITH DISTINCT r RETURN 0 AS y"""
    for i, clause in enumerate(single.clauses):
        items = clause.items if isinstance(clause, ir.With) else ()
        counts = [item.name for item in items if has_aggregate(item.expr)]
        if 0 < len(counts) < len(items):
            new = single
            for name in counts:
                new = dropped(new, name, FILLERS[0], kinds)
            yield put(new, ("clauses", i, "distinct"), True)


def smaller(node: Any) -> Iterator[Any]:
    """Smaller things of the same kind, where the generic passes know none."""
    if node.__class__ in SMALLER:
        yield from SMALLER[node.__class__](node)


def smaller_path(node: ir.Path) -> Iterator[Any]:
    if node.hops:
        yield replace(node, hops=node.hops[:-1])
        yield ir.Path(node.hops[0].node, node.hops[1:], node.var)
        yield ir.Path(node.hops[-1].node)


def smaller_relationship(node: ir.RelPat) -> Iterator[Any]:
    if node.length:
        yield replace(node, length=())
        yield from (replace(node, length=new) for new in ((1, 1), (1, 2), (0, 1), (1,), (2, 2)) if node.length != new)
    yield from (replace(node, direction=new) for new in ("->", "<-") if node.direction not in ("->", new))


def smaller_match(node: ir.Match) -> Iterator[Any]:
    if node.optional:
        yield replace(node, optional=False)


def smaller_case(node: ir.Case) -> Iterator[Any]:
    """A value, a test, a single test; and the form without an operand."""
    yield from (w.value for w in node.whens)
    yield from (w.test for w in node.whens)
    if node.operand is None:
        yield from (ir.Case((ir.When(w.test, ONE),)) for w in node.whens)
    else:
        tests = tuple(replace(w, test=ir.Op("=", (node.operand, w.test))) for w in node.whens)
        yield replace(node, operand=None, whens=tests)


def one_element(node: ir.Quantified | ir.Comprehension) -> Iterator[Any]:
    """What is said of the elements of a list, of one of them."""
    inner = node.condition if isinstance(node, ir.Quantified) else node.result
    if isinstance(node.source, ir.ListOf) and inner is not None:
        yield from (substituted(inner, {node.var: value}) for value in node.source.items)


def smaller_item(node: ir.Item) -> Iterator[Any]:
    """If what is there at all is wrong, no more is said of it; and of all constants one is said."""
    if isinstance(node.expr, ir.Lit) and node.expr != ONE:
        yield replace(node, expr=ONE)
    if contexts.is_part(node.expr):
        for name in sorted(free(node.expr)):
            yield replace(node, expr=ir.Prop(ir.Var(name), "id"))
            yield replace(node, expr=ir.Op("IS NULL", (ir.Var(name),)))


def smaller_return(node: ir.Return) -> Iterator[Any]:
    ones = [(i, item) for i, item in enumerate(node.items) if item.expr != ONE]
    for i, item in ones:
        yield replace(node, items=(*node.items[:i], replace(item, expr=ONE), *node.items[i + 1 :]))
    yield from fewer_items(node)


def fewer_items(node: ir.With | ir.Return) -> Iterator[Any]:
    if len(node.items) > 1:
        yield from (replace(node, items=(*node.items[:i], *node.items[i + 1 :])) for i in range(len(node.items)))


def smaller_aggregate(node: ir.Agg) -> Iterator[Any]:
    if node.arg is not None:
        yield ir.Agg("count")
        yield node.arg
    yield from (replace(node, fn=other) for other in reversed(plainer(node.fn, AGGREGATES)))


def looked_up(node: ir.Prop) -> Iterator[Any]:
    """{x: n.k}.x -> n.k"""
    if isinstance(node.base, ir.MapOf):
        yield from (entry.value for entry in node.base.entries if entry.key == node.key)


def smaller_operation(node: ir.Op) -> Iterator[Any]:
    """NOT NOT x -> x; size(nodes(p)) -> length(p); size(l) < 1 -> l = []"""
    inner = node.args[0] if node.args else None
    if OPS[node.op].group == "comparison" and isinstance(inner, ir.Op):
        yield from (ir.Op("=", (part, plain)) for part in inner.args for plain in (*FILLERS, ir.ListOf()))
    if not isinstance(inner, ir.Op):
        return
    if node.op == "NOT" and inner.op == "NOT":
        yield inner.args[0]
    elif node.op == "size" and inner.op in ("nodes", "relationships"):
        yield replace(inner, op="length")


def smaller_literal(node: ir.Lit) -> Iterator[Any]:
    """A number with fewer digits, a text with a letter less."""
    if node.kind == "int" and isinstance(node.value, int) and abs(node.value) > 9:
        sign = node.value > 0 or -1
        yield from (ir.Lit("int", sign * 5 * 10**digits) for digits in range(len(str(abs(node.value))) - 1))
    elif node.kind == "str" and isinstance(node.value, str) and len(node.value) > 1:
        yield from (ir.Lit("str", node.value[:i] + node.value[i + 1 :]) for i in range(len(node.value)))


SMALLER: Mapping[type, Callable[[Any], Iterator[Any]]] = {
    ir.Path: smaller_path,
    ir.RelPat: smaller_relationship,
    ir.Match: smaller_match,
    ir.Case: smaller_case,
    ir.Quantified: one_element,
    ir.Comprehension: one_element,
    ir.Item: smaller_item,
    ir.Return: smaller_return,
    ir.With: fewer_items,
    ir.Agg: smaller_aggregate,
    ir.Prop: looked_up,
    ir.Op: smaller_operation,
    ir.Lit: smaller_literal,
}


def shrinks(scene: ir.Scene, recipe: Any, profile: Profile) -> Iterator[Pair]:
    yield from query_shrinks(scene, recipe)
    yield from graph_shrinks(scene, recipe)
    yield from normal.normal_forms(scene, recipe)
    yield from normal.plainer_cases(scene, recipe)
    yield from forms.forms(scene, recipe)
    yield from normal.plain_conditions(scene, recipe)
    yield from contexts.as_values(scene, recipe, profile)
    yield from contexts.as_tests(scene, recipe, profile)
    yield from contexts.as_properties(scene, recipe, profile)

"""What a title names: a case with one thing exchanged for another of its kind. Where that is as wrong, the thing is not
the cause; where it is right, the thing belongs to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from gainsay.core import names
from gainsay.core.family import EVERYWHERE
from gainsay.core.tree import Path, put, transform, walk
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.ops import AGGREGATES, OPS, plainer
from gainsay.families.cypher.language.scopes import free, has_aggregate
from gainsay.families.cypher.meaning import types
from gainsay.families.cypher.meaning.scene_cache import Profile, SceneCache
from gainsay.families.cypher.reducing import details, elsewise, normal, shape
from gainsay.families.cypher.reducing.contexts import bound_by

replace = msgspec.structs.replace
Pair = tuple[ir.Scene, Any]
PLAINEST = sorted(AGGREGATES, key=lambda name: len(plainer(name, AGGREGATES)))  # first: those that are tried
FEW = 4  # operators that are tried in an operator's place
ONE, ZERO, LETTER = ir.Lit("int", 1), ir.Lit("int", 0), ir.Lit("str", "a")
# What an element gets that lacks a value
VALUES: Mapping[str, tuple[Any, ...]] = {
    "int": (ir.Lit("int", 0), ONE),
    "str": (ir.Lit("str", "b"), LETTER),
    "bool": (ir.TRUE, ir.FALSE),
    "float": (ir.Lit("float", 0.0), ir.Lit("float", 1.0)),
    "ints": (ir.ListOf((ONE,)),),
    "strs": (ir.ListOf((LETTER,)),),
}
CONSTANT = "constant"
BOOLEAN = "boolean"
NO_STEP = "walk of no step"
PARTS = "several patterns"
NULL, MAP, KEYED, WHERE = "null", "map lookup", "property in a pattern", "where"
LABEL, TYPE = "label", "relationship type"
MISSING, EMPTY_LIST, FIXED = "missing value", "empty list", "constant condition"
LATER = "another match"
KEYS = {"ints": "list property", "strs": "list property", "bool": "boolean property"}
TESTS = frozenset({"test", "where", "condition"})  # fields that want a truth value
BESIDE, GROUPED, COLUMNS = "several aggregates", "grouping", "several columns"
# What stands around nearly everything, and what a title that names the second need not name
MERE = frozenset({"match", "comparison", "and/or/not"})
IMPLIED = {
    "bound node": {"label on a bound node", "bound edge", shape.CYCLE},
    "case": {"case in a case"},
    "edge": {
        details.LONG, shape.CYCLE, shape.LOOP, shape.PARALLEL, "variable length", "undirected", "bound edge",
        "pattern comprehension", "subquery pattern", "subquery exists", "subquery count",
    },
    WHERE: {shape.TWO, shape.OUTER, FIXED},
    elsewise.CONDITION: {WHERE, KEYED, shape.TWO, shape.OUTER, FIXED, "case"},
    shape.LOOP: {shape.CYCLE},  # which is a cycle of one edge
    LABEL: {"label on a bound node", "several labels", details.EITHER, "label test", "index"},
    "several labels": {details.EITHER},
    details.NOTHING: {details.EMPTY_GRAPH},
    details.LONG: {shape.CYCLE},
    "order and cut": {details.LIMIT, details.SKIP},
    GROUPED: {CONSTANT},
    NULL: {shape.NULL_ITEM},
    LATER: {"label on a bound node", "bound edge", shape.CYCLE, shape.TWO, shape.OUTER, PARTS},
    "comparison": {"index"},
}  # fmt: skip
COMPARED = "comparison"
# Of values: a title that names nothing else says what is done with them
ODD = frozenset({
    NULL, MISSING, EMPTY_LIST, BOOLEAN, WHERE, elsewise.CONDITION, details.ZERO, details.NEGATIVE, shape.NULL_ITEM,
    shape.REAL, shape.EMPTY, shape.LARGE,
})  # fmt: skip
FRAME = frozenset({"optional match", "variable length"})  # what a clause with several patterns is named with


def exchanges(scene: ir.Scene, recipe: Any, profile: Profile) -> Iterator[tuple[str, Any, Pair]]:
    """The exchanges after which something is still to be answered: that nothing is wrong else says nothing. A few for
    each thing in its place."""

    def rows(graph: ir.Scene, asked: Any) -> Any:
        return SceneCache(graph).rows(asked.subject, profile) if is_asked(graph, asked) else None

    right = rows(scene, recipe)
    tried: Counter[tuple[str, Any]] = Counter()
    less = [*candidates(scene, recipe), *details.details(scene, recipe)]
    for listed in (less, elsewise.elsewise(scene, recipe)):
        tried.clear()
        for name, place, new in listed:
            found = rows(*new) if tried[name, place] < FEW else None
            # Of no values, most aggregates are null: that is what they say
            if found is not None and (says_as_much(found, right) or (found and name.startswith("aggregate "))):
                tried[name, place] += 1
                yield name, place, new
    for name, place, new in plainly_tested(scene, recipe):
        if tried[name, place] < 2 * FEW and rows(*new) == right is not None:
            tried[name, place] += 1
            yield name, place, new


def says_as_much(found: Any, right: Any) -> bool:
    """Whether an answer has rows if another one has, and anything but null if that has: over nothing little is
    wrong."""

    def has_more(rows: Any) -> bool:
        return any(value is not None for row in rows for value in row)

    return not right or (bool(found) and (has_more(found) or not has_more(right)))


def is_asked(scene: ir.Scene, recipe: Any) -> bool:
    """Whether a recipe has a query, and one that is well typed."""
    return isinstance(recipe.subject, ir.Query) and types.is_typed(scene.schema, recipe.subject)


def candidates(scene: ir.Scene, recipe: Any) -> Iterator[tuple[str, Any, Pair]]:
    """What could be named, where it stands, and a case without it."""
    yield from ((MISSING, place, pair) for place, pair in given(scene, recipe))
    yield from ((name, EVERYWHERE, pair) for name, pair in everywhere(scene, recipe))
    odd: dict[str, str] = {}
    for is_edge in (False, True):  # what some lack is odd for that
        keys = scene.schema.keys(is_edge)
        odd |= {k.name: KEYS[k.type] for k in keys if k.type in KEYS and not lacking(scene, is_edge, k)}
    for path, node in walk(recipe):
        for name, new in (*exchanged(node), *fewer(node)):
            yield name, path, (scene, put(recipe, path, new))
        if node == ir.NULL and path[-1] == "where":
            yield NULL, path, (scene, put(recipe, path, ir.FALSE))
        if isinstance(node, ir.Prop) and node.key in odd:
            yield odd[node.key], path, (scene, put(recipe, path, replace(node, key="id")))
        if isinstance(node, ir.Query) and len(node.parts) > 1:
            name = "union all" if node.is_all else "union"
            yield from ((name, path, (scene, put(recipe, path, ir.Query((part,))))) for part in node.parts)
            yield from ((COLUMNS, path, (scene, put(recipe, path, new))) for new in details.narrower(node))
        if isinstance(node, ir.Single):
            yield from ((shape.CYCLE, i, (scene, put(recipe, path, new))) for i, new in enumerate(opened(node)))
            yield from ((CONSTANT, path, (scene, put(recipe, path, new))) for new in varied(node))
            yield from ((PARTS, (path, i), (scene, put(recipe, path, new))) for i, new in split(node))
            yield from ((COLUMNS, (*path, "clauses", i), (scene, put(recipe, path, new))) for i, new in inlined(node))
            yield from ((LATER, (path, i), (scene, put(recipe, path, new))) for i, new in unmatched(node))
    yield from ((BOOLEAN, EVERYWHERE, (scene, new)) for new in unbooleaned(recipe))
    for number, edge in enumerate(scene.edges):
        twins = [n for n, e in enumerate(scene.edges) if (e.source, e.target) == (edge.source, edge.target)]
        name, moved = (shape.LOOP, [number]) if edge.source == edge.target else (shape.PARALLEL, twins[1:])
        if moved and (name == shape.LOOP or number == twins[0]):
            yield from ((name, number, (elsewhere(scene, moved, is_target), recipe)) for is_target in (True, False))


def exchanged(node: Any) -> Iterator[tuple[str, Any]]:
    """Another operator, aggregate, literal or length in a node's place."""
    if isinstance(node, ir.Op):
        name = shape.group(node.op)
        yield from ((name, ir.Op(other, node.args)) for other in alike(node.op, len(node.args)))
    elif isinstance(node, ir.Agg):
        others = [fn for fn in PLAINEST if fn != node.fn]
        yield from ((f"aggregate {node.fn}", replace(node, fn=fn, arg=node.arg or ONE)) for fn in others)
    elif isinstance(node, ir.Lit):
        yield from usual(node)
    elif isinstance(node, ir.ListOf) and not node.items:
        yield from ((EMPTY_LIST, ir.ListOf((item,))) for item in (ONE, LETTER))
    elif isinstance(node, ir.RelPat) and node.length[:1] == (0,):
        yield NO_STEP, replace(node, length=(1, *node.length[1:]))
    elif isinstance(node, ir.Prop) and isinstance(node.base, ir.MapOf):
        yield from ((MAP, entry.value) for entry in node.base.entries if entry.key == node.key)


def fewer(node: Any) -> Iterator[tuple[str, Any]]:
    """A node with less in it: no condition, no property or label, a column less."""
    if isinstance(node, (ir.Match, ir.With)) and node.where is not None:
        yield from ((name, replace(node, where=None)) for name in (WHERE, elsewise.CONDITION))
    if isinstance(node, (ir.NodePat, ir.RelPat)) and node.props:
        yield from ((name, replace(node, props=())) for name in (KEYED, elsewise.CONDITION))
    if isinstance(node, ir.NodePat) and node.labels:
        yield LABEL, replace(node, labels=(), is_any=False)
    if isinstance(node, ir.RelPat) and node.types:
        yield TYPE, replace(node, types=())
    if isinstance(node, (ir.With, ir.Return)) and len(node.items) > 1:
        aggregates = [has_aggregate(item.expr) for item in node.items]
        for i, is_aggregate in enumerate(aggregates):
            name = COLUMNS if not any(aggregates) else BESIDE if is_aggregate and sum(aggregates) > 1 else GROUPED
            if not is_aggregate or sum(aggregates) > 1:
                yield name, replace(node, items=(*node.items[:i], *node.items[i + 1 :]))


def everywhere(scene: ir.Scene, recipe: Any) -> Iterator[tuple[str, Pair]]:
    """A usual literal in the place of an odd one, in graph and question alike: one may look for the other."""
    for name in (shape.EMPTY, shape.LARGE):

        def change(node: Any, name: str = name) -> Any:
            return (
                next((new for other, new in usual(node) if other == name), node) if isinstance(node, ir.Lit) else node
            )

        new = transform(scene, change), transform(recipe, change)
        if new != (scene, recipe):
            yield name, new
    for number in (2, -1):  # of which one is in the order of 0 and 1 what 0 is

        def other(node: Any, number: int = number) -> Any:
            return ir.Lit("int", number) if node == ZERO else node

        if any(details.zeros(recipe)):
            yield details.ZERO, (transform(scene, other), transform(recipe, other))


def given(scene: ir.Scene, recipe: Any) -> Iterator[tuple[Any, Pair]]:
    """A graph in which no value is missing that is asked for: each property by itself, and all at once. What asks
    whether one is missing, asks for the value instead."""
    read = {node.key for _, node in walk(recipe) if isinstance(node, ir.Prop)}
    keys = [
        (is_edge, key)
        for is_edge in (False, True)
        for key in scene.schema.keys(is_edge)
        if key.name in read and key.type in VALUES and lacking(scene, is_edge, key) and not scene.changes
    ]
    for some in (*([one] for one in keys), *([keys] if len(keys) > 1 else [])):
        for number in range(2):
            graph, asked = scene, recipe
            for is_edge, key in some:
                values = VALUES[key.type]
                graph, asked = filled(graph, asked, is_edge, key, values[number % len(values)])
            place = tuple((is_edge, key.name) for is_edge, key in some)
            yield place, (graph, recipe)
            yield from ((place, (graph, asked)) for _ in range(asked != recipe))


def filled(scene: ir.Scene, recipe: Any, is_edge: bool, key: ir.Key, value: Any) -> Pair:
    """A value for all that lack one, and n.k = 1 for n.k IS NULL."""
    without = lacking(scene, is_edge, key)
    new = (
        replace(x, props=(*x.props, ir.Kept(key.name, value))) if x.id in without else x
        for x in scene.elements(is_edge)
    )

    def change(node: Any) -> Any:
        if isinstance(node, ir.Op) and node.op == "IS NULL" and isinstance(node.args[0], ir.Prop):
            return ir.Op("=", (node.args[0], value)) if node.args[0].key == key.name else node
        return node

    return scene.stored(is_edge, scene.schema.keys(is_edge), new), transform(recipe, change)


def lacking(scene: ir.Scene, is_edge: bool, key: ir.Key) -> list[int]:
    """The nodes or relationships that do not have a property."""
    return [x.id for x in scene.elements(is_edge) if all(p.key != key.name for p in x.props)]


def split(single: ir.Single) -> Iterator[tuple[int, ir.Single]]:
    """Each pattern in a clause of its own: MATCH p, q WHERE c -> MATCH p MATCH q WHERE c"""
    for i, clause in enumerate(single.clauses):
        if isinstance(clause, ir.Match) and len(clause.patterns) > 1:
            ones = [replace(clause, patterns=(path,), where=None) for path in clause.patterns]
            ones[-1] = replace(ones[-1], where=clause.where)
            yield i, ir.Single((*single.clauses[:i], *ones, *single.clauses[i + 1 :]))


def inlined(single: ir.Single) -> Iterator[tuple[int, ir.Single]]:
    """What a WITH gives, where it is used: WITH 1 AS x, 2 AS y RETURN x -> WITH 2 AS y RETURN 1 AS x"""
    for i, clause in enumerate(single.clauses):
        if isinstance(clause, ir.With) and len(clause.items) > 1 and not is_grouping(clause):
            for j, item in enumerate(clause.items):
                fewer = replace(clause, items=(*clause.items[:j], *clause.items[j + 1 :]))
                rest = names.inlined(single.clauses[i + 1 :], {(item.name,): item.expr})
                yield i, ir.Single((*single.clauses[:i], fewer, *rest))


def unmatched(single: ir.Single) -> Iterator[tuple[int, ir.Single]]:
    """Without a MATCH that follows another clause: MATCH p MATCH () RETURN 1 -> MATCH p RETURN 1"""
    for i, clause in enumerate(single.clauses):
        if i and isinstance(clause, ir.Match) and not clause.optional:
            yield i, ir.Single((*single.clauses[:i], *single.clauses[i + 1 :]))


def plainly_tested(scene: ir.Scene, recipe: Any) -> Iterator[tuple[str, Any, Pair]]:
    """A plain test of a property in the place of a condition, for each operator in it: where that says the same and is
    as wrong, it does not matter how it is said. Nor does it then that a condition has two variables, or none."""
    for path, node in walk(recipe):
        if isinstance(node, (ir.Match, ir.With)) and node.where is not None:
            tested = sorted(free(node.where) or bound_by(node))
            plain = [put(recipe, (*path, "where"), t) for t in normal.tests(scene, recipe, tested)]
            told: list[tuple[str, Path]] = [
                (shape.group(part.op), below)
                for below, part in walk(node.where)
                if isinstance(part, ir.Op) and part.op != "="
            ]
            if node.where == ir.NULL:
                told.append((NULL, ()))
            if len(tested) > 1 or isinstance(node.where, ir.Lit):
                told.append((FIXED if isinstance(node.where, ir.Lit) else shape.TWO, ()))
            yield from ((name, (*path, "where", *below), (scene, new)) for name, below in told for new in plain)


def alike(op: str, arity: int) -> list[str]:
    """Operators of other groups that take and give the same."""
    taken = set(OPS[op].signatures)
    listed = [other for other, row in OPS.items() if row.weight and shape.group(other) != shape.group(op)]
    return [other for other in listed if taken & {s for s in OPS[other].signatures if len(s[0]) == arity}]


def usual(node: ir.Lit) -> Iterator[tuple[str, ir.Lit | ir.ListOf]]:
    """Another literal in the place of an odd one."""
    if is_boolean(node):
        yield from ((BOOLEAN, value) for value in (ONE, ZERO))
    elif node.kind == "str" and node.value == "":
        yield shape.EMPTY, LETTER
    elif node.value is None:
        yield from ((NULL, value) for value in (ONE, LETTER, ir.TRUE, ir.ListOf((ONE,))))
    elif node.kind == "float":
        yield shape.REAL, ONE
    elif shape.LARGE in shape.odd_literal(node):
        yield shape.LARGE, ir.Lit("int", -5 if str(node.value).startswith("-") else 5)


def unbooleaned(recipe: Any) -> Iterator[Any]:
    """Numbers in the place of all truth values, or of those that are no tests: of two that are compared, one can't be
    exchanged alone, nor what stands beside a null of their type."""
    booleans = [(path, node) for path, node in walk(recipe) if isinstance(node, ir.Lit) and node.kind == "bool"]
    shown = [(path, node) for path, node in booleans if not TESTS & {*path}]
    for some in (booleans, shown) if len(booleans) > 1 else ():
        new = recipe
        for path, node in some:
            new = put(new, path, ir.Lit("int", None if node.value is None else int(bool(node.value))))
        yield new


def is_boolean(node: Any) -> bool:
    return isinstance(node, ir.Lit) and node.kind == "bool" and node.value is not None


def opened(single: ir.Single) -> Iterator[ir.Single]:
    """Patterns that close no cycle: MATCH (n)-[]->(n) -> MATCH (n)-[]->(), or MATCH (n)-[]->(m) MATCH (n)-[]->(m) ->
    MATCH (n)-[]->(m) MATCH (n)-[]->()"""
    if any(map(shape.is_closed, shape.in_a_row(single))):
        for path, node in walk(single):
            if isinstance(node, ir.NodePat) and node.var:
                yield put(single, path, replace(node, var=""))


def varied(single: ir.Single) -> Iterator[ir.Single]:
    """What differs from row to row in the place of a constant that tells rows apart: MATCH () WITH DISTINCT 1 AS x ->
    MATCH (n) WITH DISTINCT n.id AS x, MATCH () RETURN 1 AS x, count(*) AS y -> MATCH (n) RETURN n.id AS x, count(*) AS
    y"""
    first = single.clauses[0]
    node = first.patterns[0].start if isinstance(first, ir.Match) else None
    if node is None:
        return
    named = put(first, ("patterns", 0, "start"), replace(node, var=node.var or "other"))
    for i, clause in enumerate(single.clauses):
        if isinstance(clause, (ir.With, ir.Return)) and is_grouping(clause):
            for j, item in enumerate(clause.items):
                if isinstance(item.expr, ir.Lit):
                    shown = replace(item, expr=ir.Prop(ir.Var(node.var or "other"), "id"))
                    new = replace(clause, items=(*clause.items[:j], shown, *clause.items[j + 1 :]))
                    yield ir.Single((named, *single.clauses[1:i], new, *single.clauses[i + 1 :]))


def is_grouping(clause: ir.With | ir.Return) -> bool:
    """Whether a clause makes one row of several."""
    return clause.distinct or any(has_aggregate(item.expr) for item in clause.items)


def elsewhere(scene: ir.Scene, numbers: list[int], is_target: bool) -> ir.Scene:
    """Some edges go each to a node of its own, or come from one."""
    for number in numbers:
        edge = scene.edges[number]
        node = next(v for v in scene.vertices if v.id == (edge.target if is_target else edge.source))
        free = 1 + max([*(v.id for v in scene.vertices), *(e.id for e in scene.edges)])
        turned = replace(edge, target=free) if is_target else replace(edge, source=free)
        edges = (*scene.edges[:number], turned, *scene.edges[number + 1 :])
        scene = replace(scene, edges=edges, vertices=(*scene.vertices, replace(node, id=free, props=())))
    return scene


def titled(recipe: Any, named: frozenset[str], spared: frozenset[str], needed: frozenset[str]) -> frozenset[str]:
    """What a title names: of the bucket or the shape what can't be exchanged, and what else is needed; of aggregates
    that can be exchanged that they are some."""
    left = named - spared - {"match"}
    left = (left - MERE or left) | (needed - shape.COMMON)
    left = frozenset(f for f in left if not f.startswith("rewrite: "))
    if any(name.startswith("aggregate ") for name in named & spared - left):
        left |= {"aggregate"} if not any(name.startswith("aggregate ") for name in left) else set()
    left -= {name for name, others in IMPLIED.items() if left & others}
    if left <= ODD and any(isinstance(n, ir.Op) and shape.group(n.op) == COMPARED for _, n in walk(recipe)):
        left |= {COMPARED} - spared  # what is done with odd values
    if left <= FRAME | {"edge", "bound node", KEYED, WHERE, elsewise.CONDITION, details.LONG} and any(
        isinstance(n, ir.Match) and len(n.patterns) > 1 for _, n in walk(recipe)
    ):
        left = left & (FRAME | {details.LONG}) | {PARTS}
    return left or named

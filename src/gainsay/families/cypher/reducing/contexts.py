"""Smaller contexts: an expression where nothing else is, or on values that are stored.
One cause is then told in one way, whatever it was met in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from gainsay.core.tree import Node, put, walk
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.ops import OPS
from gainsay.families.cypher.language.scopes import free, has_aggregate
from gainsay.families.cypher.meaning.graph import NodeV, RelV
from gainsay.families.cypher.meaning.scene_cache import OPEN, Profile, SceneCache
from gainsay.families.cypher.meaning.semantics import Evaluator

replace = msgspec.structs.replace
Pair = tuple[ir.Scene, Any]
Table = list[dict[str, Any]]
LETTERS = {"int": "k", "str": "s", "bool": "b", "float": "f", "ints": "l", "strs": "q"}
KINDS: Mapping[type, str] = {bool: "bool", int: "int", str: "str", float: "float"}
MOST_ROWS = 4
MINIMA = ("min", "max")
NODE = "n"
OTHERS = ("y", *(f"y{n}" for n in range(2, 200)))  # of a node that had no name: the first that is not used
ALIASES = ("x", *(f"x{n}" for n in range(2, 200)))  # of a column: the first that is not bound within it


def asked(recipe: Any) -> ir.Query | None:
    """The query that a recipe is about."""
    return recipe.subject if isinstance(recipe.subject, ir.Query) else None


def is_part(node: Any) -> bool:
    """Whether a node is an expression that is made of something."""
    return isinstance(node, Node) and node.sort == "expr" and not isinstance(node, (ir.Lit, ir.Var, ir.Agg))


def bound_by(clause: Any) -> set[str]:
    if isinstance(clause, ir.Match):
        return {n.var for _, n in walk(clause.patterns) if isinstance(n, (ir.NodePat, ir.RelPat, ir.Path)) and n.var}
    return {clause.var} if isinstance(clause, ir.Unwind) else {i.name for i in clause.items}


def smallest_contexts(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """An expression where nothing else is: MATCH (n) WHERE size('a') > n.k ...
    -> RETURN size('a') AS x, or MATCH (n) RETURN size('a') > n.k AS x. From conditions, lists, quantifiers and cases
    alike, so that one cause is told in one way."""
    query = asked(recipe)
    if query is None:
        return
    seen = set()
    for path, expr in walk(query):
        if not is_part(expr) or expr in seen:
            continue
        seen.add(expr)
        needed = free(expr)
        before = (
            tuple(c for c in query.parts[0].clauses[:-1] if isinstance(c, ir.Match) and path[:2] == ("parts", 0))[:1]
            if needed
            else ()
        )
        if needed <= {name for c in before for name in bound_by(c)}:
            taken = {n.var for _, n in walk(expr) if isinstance(n, (ir.Comprehension, ir.Quantified, ir.Reduce))}
            alone = ir.Return((ir.Item(expr, next(letter for letter in ALIASES if letter not in taken)),))
            yield (
                scene,
                recipe.with_subject(ir.Query((ir.Single((*(replace(c, where=None) for c in before), alone)),))),
            )


def lifted(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """What a subquery asks, asked by itself: MATCH () WHERE EXISTS { MATCH (n) WHERE n.b } ... -> MATCH (n) WHERE n.b
    RETURN 1 AS x; and behind what binds its variables. A condition on these is told in one form: MATCH (n) RETURN
    EXISTS { MATCH () WHERE n.b } AS x -> MATCH (n) OPTIONAL MATCH (y) WHERE n.b RETURN y.id AS x"""
    query = asked(recipe)
    if query is None:
        return
    before = [replace(c, where=None) for c in query.parts[0].clauses if isinstance(c, ir.Match)][:1]
    for path, node in walk(query):
        if path[:2] != ("parts", 0) or not isinstance(node, (ir.SubQuery, ir.PatternList)):
            continue
        patterns = node.patterns if isinstance(node, ir.SubQuery) else (node.pattern,)
        shown = node.result if isinstance(node, ir.PatternList) else ir.Lit("int", 1)
        inner, last = ir.Match(patterns, node.where), ir.Return((ir.Item(shown, "x"),))
        yield scene, recipe.with_subject(single(inner, last))
        yield scene, recipe.with_subject(single(*before, inner, last))
        if before and node.where is not None and free(node.where) - bound_by(inner):
            yield scene, recipe.with_subject(single(*before, *shown_if_there(inner, bound_by(before[0]))))


def shown_if_there(match: ir.Match, bound: set[str]) -> tuple[ir.Match, ir.Return]:
    """MATCH () WHERE n.b -> OPTIONAL MATCH (y) WHERE n.b RETURN y.id AS x"""
    taken = bound | bound_by(match)
    name = match.patterns[0].start.var or next(letter for letter in OTHERS if letter not in taken)
    named = put(match, ("patterns", 0, "start", "var"), name)
    return replace(named, optional=True), ir.Return((ir.Item(ir.Prop(ir.Var(name), "id"), "x"),))


def first_clauses(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """What the first clauses give, where that is wrong already: MATCH (n) WITH DISTINCT n RETURN 1 AS x -> MATCH (n)
    RETURN n.id AS x, or MATCH (n) RETURN DISTINCT n. All variables at once, and each by itself."""
    query = asked(recipe)
    if query is None or len(query.parts) > 1:
        return
    clauses = query.parts[0].clauses
    for i in range(len(clauses) - 1):
        for last in (*variables(clauses[:i]), *returned(clauses[i], elements_of(clauses[:i]))):
            # Without a MATCH some engines take another way.
            for before in (clauses[:i], (ir.Match((ir.Path(ir.NodePat()),)),)) if i == 0 else (clauses[:i],):
                yield scene, recipe.with_subject(single(*before, last))


def variables(clauses: tuple[Any, ...]) -> Iterator[ir.Return]:
    """RETURN of all that some clauses bind, and of each: of a node or relationship its number."""
    shown = dict.fromkeys(v for c in clauses for v in sorted(bound_by(c)))
    elements = elements_of(clauses)
    items = tuple(
        ir.Item(ir.Prop(ir.Var(v), "id") if v in elements else ir.Var(v), f"x{i}") for i, v in enumerate(shown)
    )
    if items:
        yield ir.Return(items)
        yield from (ir.Return((item,)) for item in items if len(items) > 1)


def elements_of(clauses: tuple[Any, ...]) -> set[str]:
    """The names of nodes and relationships that patterns give."""
    return {n.var for _, n in walk(clauses) if isinstance(n, (ir.NodePat, ir.RelPat))}


def returned(clause: Any, elements: set[str]) -> Iterator[ir.Return]:
    """WITH e AS x, as the last clause; of a node or relationship its number, too."""
    if isinstance(clause, ir.With) and clause.items and not clause.star:
        yield ir.Return(clause.items, clause.distinct, clause.order, clause.skip, clause.limit)
        numbers: dict[Any, Any] = {ir.Var(name): ir.Prop(ir.Var(name), "id") for name in elements}
        items = tuple(replace(item, expr=numbers.get(item.expr, item.expr)) for item in clause.items)
        if items != clause.items and not clause.order:
            yield ir.Return(items, clause.distinct, (), clause.skip, clause.limit)


# --- expressions on stored values -------------------------------------------------------------------------------------


def on_nodes(scene: ir.Scene, recipe: Any, profile: Profile) -> Iterator[Pair]:
    """An expression on nodes that have the values it was met on: UNWIND ['a'] AS y ...
    RETURN trim(y) AS x -> MATCH (n) RETURN trim(n.s) AS x. A part of it may become such a value, too: what matters is
    then the value, and not where it came from."""
    query = asked(recipe)
    if query is None:
        return
    evaluator = SceneCache(scene).evaluator(profile)
    for expr, is_condition, table in places(query.parts[0], evaluator):
        for part in (None, *parts_of(expr)):
            made = told(scene, expr, part, table[:MOST_ROWS], evaluator)
            if made is None:
                continue
            graph, new = made
            yield from ((graph, recipe.with_subject(alone)) for alone in on_constants(graph, new))
            match = ir.Match((ir.Path(ir.NodePat(NODE)),))
            yield graph, recipe.with_subject(single(match, ir.Return((ir.Item(new, "x"),))))
            if is_condition:
                one = ir.Return((ir.Item(ir.Lit("int", 1), "x"),))
                yield graph, recipe.with_subject(single(replace(match, where=new), one))


def on_constants(graph: ir.Scene, expr: ir.Expr) -> Iterator[ir.Query]:
    """An expression of a node's properties with the values that some node has: MATCH (n) RETURN n.k < 1 AS x ->
    RETURN 5 < 1 AS x"""
    for vertex in graph.vertices:
        kept = {p.key: p.value for p in vertex.props}
        props = {n: kept.get(n.key, ir.NULL) for _, n in walk(expr) if isinstance(n, ir.Prop) and is_stored(n)}
        if any(value != ir.NULL for value in props.values()):
            yield single(ir.Return((ir.Item(put_in(expr, props), "x"),)))


def single(*clauses: ir.Clause) -> ir.Query:
    return ir.Query((ir.Single(clauses),))


def parts_of(expr: ir.Expr) -> list[ir.Expr]:
    """What an expression is made of, but for its leaves and itself; each once, the largest first."""
    return list(
        dict.fromkeys(
            node
            for path, node in walk(expr)
            if path and is_part(node) and not isinstance(node, (ir.Prop, ir.ListOf, ir.MapOf))
        )
    )


def places(part: ir.Single, evaluator: Evaluator) -> Iterator[tuple[ir.Expr, bool, Table]]:
    """Each whole expression of a query, whether it is a condition, and the rows that it is worked out for."""
    rows: Table = [{}]
    for clause in part.clauses:
        try:
            where = clause.where if isinstance(clause, (ir.Match, ir.With)) else None
            after = evaluator.clause(replace(clause, where=None) if where is not None else clause, rows)
            listed = (
                [i.expr for i in clause.items if not has_aggregate(i.expr)]
                if isinstance(clause, (ir.With, ir.Return))
                else []
            )
            listed += [clause.expr] if isinstance(clause, ir.Unwind) else []
            yield from ((expr, False, rows) for expr in listed if is_part(expr))
            if where is not None:
                yield where, True, after
            rows = evaluator.clause(clause, rows) if where is not None else after
        except OPEN:
            return


def comparisons(scene: ir.Scene, recipe: Any, profile: Profile) -> Iterator[Pair]:
    """Two values that are compared, and nothing else: MATCH (n) RETURN min(n.k) AS x, or ... ORDER BY n.k -> RETURN 1 <
    2 AS x; ... RETURN count(DISTINCT n.k) AS x -> RETURN 1 = 2 AS x"""
    query = asked(recipe)
    if query is None:
        return
    evaluator = SceneCache(scene).evaluator(profile)
    for expr, op, table in implied(query.parts[0], evaluator):
        column = values(expr, table, evaluator) or []
        kind = kind_of(column)
        present = [stored(v, kind) for v in column if v is not None and v != []] if kind else []
        for one in list(dict.fromkeys(present))[:MOST_ROWS]:
            for two in list(dict.fromkeys(present))[:MOST_ROWS]:
                test = ir.Op(op, (one, two))
                yield scene, recipe.with_subject(single(ir.Return((ir.Item(test, "x"),))))


def implied(part: ir.Single, evaluator: Evaluator) -> Iterator[tuple[ir.Expr, str, Table]]:
    """What aggregates, DISTINCT and ORDER BY compare, how, and the rows that it is worked out for."""
    rows: Table = [{}]
    for clause in part.clauses:
        try:
            if isinstance(clause, (ir.With, ir.Return)):
                for _, node in walk(clause.items):
                    if isinstance(node, ir.Agg) and node.arg is not None and (node.distinct or node.fn in MINIMA):
                        yield node.arg, "<" if node.fn in MINIMA else "=", rows
                if clause.distinct:
                    yield from ((item.expr, "=", rows) for item in clause.items)
                after = evaluator.clause(replace(clause, order=(), skip=None, limit=None), rows) if clause.order else []
                yield from ((key.expr, "<", after) for key in clause.order)
            rows = evaluator.clause(clause, rows)
        except OPEN:
            return


def told(
    scene: ir.Scene, expr: ir.Expr, part: ir.Expr | None, table: Table, evaluator: Evaluator
) -> tuple[ir.Scene, ir.Expr] | None:
    """A graph with a node for each row, and the expression over it. None where a value can't be stored."""
    if not table:
        return None
    names = frozenset(table[0])
    keys: list[ir.Key] = []
    columns: list[list[Any]] = []
    new: dict[Any, ir.Expr] = {}
    for leaf in dict.fromkeys(leaves(expr, names, part)):
        column = values(leaf, table, evaluator)
        kind = kind_of(column) or (kind_of_null(scene, leaf) if is_null(column) else "")
        if column is None or not kind:
            return None
        key = free_key(kind, {k.name for k in keys})
        keys.append(ir.Key(key, kind))
        columns.append(column)
        new[leaf] = ir.Prop(ir.Var(NODE), key)
    if not new or free(put_in(expr, dict.fromkeys(new, ir.NULL))):
        return None  # a pattern of it needs an element, and not a value
    labels = scene.schema.labels[:1]
    vertices = tuple(
        ir.Vertex(
            i,
            labels,
            tuple(
                ir.Kept(k.name, stored(column[i], k.type))
                for k, column in zip(keys, columns, strict=True)
                if column[i] is not None
            ),
        )
        for i in range(len(table))
    )
    return ir.Scene(ir.Schema(labels, (), tuple(keys)), vertices), put_in(expr, new)


def leaves(expr: Any, names: frozenset[str], part: ir.Expr | None) -> Iterator[ir.Expr]:
    """The parts of an expression that get a value from a row."""
    if (part is not None and expr == part) or (is_stored(expr) and free(expr) and free(expr) <= names):
        yield expr
    elif isinstance(expr, Node):
        for name in expr.__struct_fields__:
            yield from leaves(getattr(expr, name), names, part)
    elif isinstance(expr, tuple):
        for child in expr:
            yield from leaves(child, names, part)


def is_stored(expr: Any) -> bool:
    """Whether an expression is a variable, or a property of one: not {x: n.k}.x"""
    return isinstance(expr, ir.Var) or (isinstance(expr, ir.Prop) and isinstance(expr.base, ir.Var))


def put_in(value: Any, new: Mapping[Any, Any]) -> Any:
    """A copy with something else in the place of some parts, from the top."""
    if isinstance(value, tuple):
        return tuple(put_in(v, new) for v in value)
    if not isinstance(value, Node):
        return value
    if value in new:
        return new[value]
    return replace(
        value,
        **{
            f: put_in(getattr(value, f), new)
            for f in value.__struct_fields__
            if isinstance(getattr(value, f), (Node, tuple))
        },
    )


def values(expr: ir.Expr, rows: Sequence[dict[str, Any]], evaluator: Evaluator) -> list[Any] | None:
    try:
        return [evaluator.value(expr, row) for row in rows]
    except (*OPEN, KeyError):  # a variable of a quantifier has no value in a row
        return None


def kind_of(column: Sequence[Any] | None) -> str:
    """The one type of some values that can be stored, or nothing."""
    present = [v for v in column or () if v is not None]
    if present and all(v == [] for v in present):
        return "ints"
    found = {KINDS.get(type(v), "") if not isinstance(v, list) else kind_of(v) + "s" for v in present if v != []}
    return found.pop() if len(found) == 1 and found <= LETTERS.keys() else ""


def is_null(column: Sequence[Any] | None) -> bool:
    return column is not None and all(value is None for value in column)


def kind_of_null(scene: ir.Scene, expr: ir.Expr) -> str:
    """The type of a property, or of what an operator yields, where no value tells it."""
    if isinstance(expr, ir.Op):
        return next((result for _, result in OPS[expr.op].signatures if result in LETTERS), "")
    keys = {k.name: k.type for k in (*scene.schema.edge_keys, *scene.schema.node_keys)}
    return keys.get(expr.key, "") if isinstance(expr, ir.Prop) else ""


def free_key(kind: str, taken: set[str]) -> str:
    return next(name for name in (LETTERS[kind], *(f"{LETTERS[kind]}{i}" for i in range(2, 200))) if name not in taken)


def stored(value: Any, kind: str) -> ir.Lit | ir.ListOf:
    return ir.ListOf(tuple(ir.Lit(kind[:-1], v) for v in value)) if isinstance(value, list) else ir.Lit(kind, value)


def as_values(scene: ir.Scene, recipe: Any, profile: Profile) -> Iterator[Pair]:
    """The value of a constant part in its place: round(-0.5 + -1) -> round(-1.5)"""
    evaluator = SceneCache(scene).evaluator(profile)
    for path, part in walk(recipe):
        if isinstance(part, ir.Op) and not free(part) and not has_aggregate(part):
            found = values(part, [{}], evaluator)
            kind = kind_of(found)
            if found is not None and (kind or is_null(found)):
                yield scene, put(recipe, path, stored(found[0], kind) if kind else ir.NULL)


def as_tests(scene: ir.Scene, recipe: Any, profile: Profile) -> Iterator[Pair]:
    """A constant part compared with its value, in the place of what reads it: where any reader is told something wrong,
    a plain one. RETURN toString(CASE WHEN true THEN true END) AS x -> RETURN CASE WHEN true THEN true END = true AS
    x"""
    evaluator = SceneCache(scene).evaluator(profile)
    for path, item in walk(recipe):
        if not isinstance(item, ir.Item):
            continue
        for below, part in walk(item.expr):
            if below and is_part(part) and not free(part) and not has_aggregate(part):
                found = values(part, [{}], evaluator)
                kind = kind_of(found)
                if found is not None and kind in ("int", "str", "bool"):
                    yield scene, put(recipe, (*path, "expr"), ir.Op("=", (part, stored(found[0], kind))))


def as_properties(scene: ir.Scene, recipe: Any, profile: Profile) -> Iterator[Pair]:
    """A property in the place of a part, with the values that the part has: ...
    WHERE coalesce(n.k, 0) > 0 -> ... WHERE n.b"""
    if scene.changes:
        return
    cache = SceneCache(scene)
    evaluator = cache.evaluator(profile)
    elements: dict[str, tuple[bool, list[Any]]] = {}
    for _, node in walk(recipe):
        if isinstance(node, ir.NodePat) and node.var:
            elements[node.var] = (False, cache.graph.nodes)
        elif isinstance(node, ir.RelPat) and node.var and not node.length:
            elements[node.var] = (True, cache.graph.rels)
    for path, part in walk(recipe):
        names = free(part) if is_part(part) and not isinstance(part, ir.Prop) else frozenset()
        if len(names) == 1 and names <= elements.keys() and not has_aggregate(part):
            (name,) = names
            is_edge, listed = elements[name]
            column = values(part, [{name: element} for element in listed], evaluator)
            kind = kind_of(column) or (kind_of_null(scene, part) if is_null(column) else "")
            if column is not None and kind:
                key = free_key(kind, {k.name for k in scene.schema.keys(is_edge)})
                yield (
                    with_key(scene, is_edge, ir.Key(key, kind), dict(zip(map(number, listed), column, strict=True))),
                    put(recipe, path, ir.Prop(ir.Var(name), key)),
                )


def number(element: NodeV | RelV) -> int:
    return element.id


def with_key(scene: ir.Scene, is_edge: bool, key: ir.Key, given: Mapping[int, Any]) -> ir.Scene:
    """A new property with a value for each element."""

    def more(element: Any) -> Any:
        value = given.get(element.id)
        return (
            element
            if value is None
            else replace(element, props=(*element.props, ir.Kept(key.name, stored(value, key.type))))
        )

    return scene.stored(is_edge, (*scene.schema.keys(is_edge), key), map(more, scene.elements(is_edge)))

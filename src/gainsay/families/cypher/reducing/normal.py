"""A normal form: of several ways to say the same, one.
Each is a proposal to the reducer, so what is taken still shows the contradiction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from gainsay.core.tree import put, transform, walk
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.scopes import free, has_aggregate
from gainsay.families.cypher.meaning.matching import reversed_path
from gainsay.families.cypher.reducing.contexts import bound_by, elements_of, put_in

replace = msgspec.structs.replace
Pair = tuple[ir.Scene, Any]


def place(item: ir.Item) -> int:
    """Where a column stands: keys, then constants, then aggregates."""
    return 2 if has_aggregate(item.expr) else 0 if free(item.expr) else 1


def disorder(items: tuple[ir.Item, ...]) -> int:
    """How many pairs of columns stand the wrong way round."""
    places = [place(item) for item in items]
    return sum(one > two for i, one in enumerate(places) for two in places[i + 1 :])


def skeleton(query: ir.Query) -> ir.Query:
    """A query with its columns and patterns in order, each once, one literal, one property, and no matter what it shows
    of a variable, or asks of a node: WITH n.s AS x RETURN count(*) AS y, 'a' AS z, x AS w -> WITH n.k AS x RETURN 0 AS
    c0, count(*) AS c1; count(n) -> count(n.k)"""
    elements = elements_of(query.parts)

    def change(node: Any) -> Any:
        if isinstance(node, ir.Lit):
            return ir.Lit("int", 0)
        if isinstance(node, ir.Prop) and isinstance(node.base, ir.Var):
            return replace(node, key="k")
        if isinstance(node, ir.Match):
            return replace(node, patterns=tuple(sorted(node.patterns, key=form)))
        if isinstance(node, ir.Item) and not isinstance(node.expr, ir.Var):
            read = {n: ir.Prop(n, "k") for _, n in walk(node.expr) if isinstance(n, ir.Var) and n.name in elements}
            kept = {n: n for _, n in walk(node.expr) if isinstance(n, ir.Prop)}
            return replace(node, expr=put_in(node.expr, read | kept))
        if isinstance(node, (ir.With, ir.Return)):
            is_last = isinstance(node, ir.Return)
            shown = [
                replace(i, expr=ir.Lit("int", 0)) if is_last and isinstance(i.expr, ir.Var) else i for i in node.items
            ]
            items = sorted({item.expr: item for item in shown}.values(), key=place)
            named = [replace(item, name=f"c{n}") if is_last else item for n, item in enumerate(items)]
            return replace(node, items=tuple(named))
        return node

    return transform(query, change)  # type: ignore[no-any-return] # a Query stays one


def form(path: ir.Path) -> tuple[int, str]:
    """What a pattern is, whatever its variables are called: how long, then what is in it."""
    bare = transform(path, lambda n: replace(n, var=n.var and "v") if isinstance(n, (ir.NodePat, ir.RelPat)) else n)
    return len(path.hops), repr(bare)


def normal_forms(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    for path, node in walk(recipe):
        yield from ((scene, put(recipe, path, new)) for new in normal(node))
        if isinstance(node, ir.Single):
            yield from ((graph, put(recipe, path, new)) for graph, new in matched(scene, node))


def plainer_cases(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """Cases that ask something else of the same kind: of one node instead of two, of nodes alone, of numbers alone."""
    for path, node in walk(recipe):
        if isinstance(node, ir.Single):
            yield from ((scene, put(recipe, path, new)) for new in unified(node))
            yield from ((scene, put(recipe, path, new)) for new in moved(node))
    yield from on_two_nodes(scene, recipe)
    yield from edges_as_nodes(scene, recipe)
    yield from looped(scene, recipe)
    yield from ((scene, new) for new in over_null(recipe))
    yield from ((scene, new) for new in counted(recipe))


def unified(single: ir.Single) -> Iterator[ir.Single]:
    """One node in the place of two, named once less: (n)-[]->(m)-[]->(n) -> ()-[]->(n)-[]->(n)"""
    named = [(path, node.var) for path, node in walk(single) if isinstance(node, ir.NodePat) and node.var]
    used = {node.name for _, node in walk(single) if isinstance(node, ir.Var)}
    free_names = dict.fromkeys(var for _, var in named if var not in used)
    for one in free_names if len(named) <= MOST_NAMED else ():
        for two in free_names:
            if one != two:
                same = transform(single, lambda n, a=one, b=two: replace(n, var=a) if is_node(n, b) else n)
                for path, var in named:
                    if var in (one, two):
                        yield put(same, (*path, "var"), "")


def moved(single: ir.Single) -> Iterator[ir.Single]:
    """A node at another place of its path, where nothing is tested: MATCH (n)-[*0..1]->(m) WHERE m.b ... -> MATCH
    ()-[*0..1]->(n) ..."""
    for i, clause in enumerate(single.clauses):
        for path in clause.patterns if isinstance(clause, ir.Match) and not clause.optional else ():
            nodes = (path.start, *(hop.node for hop in path.hops))
            for var in dict.fromkeys(node.var for node in nodes if node.var):
                for at in range(len(nodes)):
                    new = [ir.NodePat(var if place == at else "") for place in range(len(nodes))]
                    hops = tuple(ir.Hop(hop.rel, node) for hop, node in zip(path.hops, new[1:], strict=True))
                    yield ir.Single((*single.clauses[:i], ir.Match((ir.Path(new[0], hops),)), *single.clauses[i + 1 :]))


def is_node(node: Any, var: str) -> bool:
    return isinstance(node, ir.NodePat) and node.var == var


def on_two_nodes(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """Patterns without relationships, on two nodes alike: MATCH ()-[]->(n) OPTIONAL MATCH ()-[]->() WHERE n.b -> MATCH
    (n) OPTIONAL MATCH () WHERE n.b"""
    if not any(isinstance(node, ir.Path) and node.hops for _, node in walk(recipe)) or scene.changes:
        return
    used = {node.name for _, node in walk(recipe) if isinstance(node, ir.Var)}

    def change(node: Any) -> Any:
        if not isinstance(node, ir.Match):
            return node
        every = [n for p in node.patterns for n in ([p.start] + [hop.node for hop in p.hops])]
        named = list({n.var: n for n in every if n.var in used}.values())
        return replace(node, patterns=tuple(map(ir.Path, named or every[:1])))

    bare = transform(recipe, change)
    for vertex in {(v.labels, v.props): v for v in scene.vertices}.values():
        two = (replace(vertex, id=0), replace(vertex, id=1))
        yield replace(scene, vertices=two, edges=()), bare


def edges_as_nodes(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """Nodes in the place of relationships, where nothing is said of their ends, and with their properties: MATCH
    ()-[r]->() RETURN r.s -> MATCH (r) RETURN r.s"""

    def change(node: Any) -> Any:
        if isinstance(node, ir.Path) and len(node.hops) == 1 and not node.var:
            rel = node.hops[0].rel
            if rel.var and not rel.length and (node.start, node.hops[0].node) == (ir.NodePat(), ir.NodePat()):
                return ir.Path(ir.NodePat(rel.var, props=rel.props))
        return node

    new, schema = transform(recipe, change), scene.schema
    if new != recipe and not scene.changes:
        known = {key.name for key in schema.node_keys}
        keys = (*schema.node_keys, *(key for key in schema.edge_keys if key.name not in known))
        labels = schema.labels[:1]
        nodes = tuple(ir.Vertex(edge.id, labels, edge.props) for edge in scene.edges)
        yield ir.Scene(ir.Schema(labels, (), keys), nodes), new


def looped(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """An edge in the place of a walk that may stay where it is, on a graph with a loop: (n)-[*0..1]->(n) ->
    (n)-[]->(n)"""
    for path, node in walk(recipe):
        if isinstance(node, ir.RelPat) and node.length[:1] == (0,) and scene.schema.types:
            kind = (*node.types, *scene.schema.types)[0]
            free = 1 + max((x.id for some in (scene.vertices, scene.edges) for x in some), default=0)
            for vertex in scene.vertices:
                loop = ir.Edge(free, vertex.id, vertex.id, kind)
                yield replace(scene, edges=(*scene.edges, loop)), put(recipe, path, replace(node, length=()))


def over_null(recipe: Any) -> Iterator[Any]:
    """An aggregate of null alone, in the place of one over no rows: MATCH () RETURN sum(0) AS x -> RETURN sum(null) AS
    x"""
    for fn in dict.fromkeys(n.fn for _, n in walk(recipe) if isinstance(n, ir.Agg) and n.arg is not None):
        if isinstance(recipe.subject, ir.Query):
            shown = ir.Return((ir.Item(ir.Agg(fn, ir.NULL), "x"),))
            yield recipe.with_subject(ir.Query((ir.Single((shown,)),)))


def counted(recipe: Any) -> Iterator[Any]:
    """Numbers in the place of texts, reals or truth values: ['b', ''] = ['b', null] -> [0, 1] = [0, null]"""
    for kind in ("str", "float", "bool"):
        values = dict.fromkeys(n.value for _, n in walk(recipe) if is_value(n, kind))
        numbers = {value: ir.Lit("int", i) for i, value in enumerate(values)}
        if numbers:

            def change(node: Any, kind: str = kind, numbers: Any = numbers) -> Any:
                if isinstance(node, ir.Lit) and node.kind == kind and node.value is None:
                    return replace(node, kind="int")
                return numbers[node.value] if is_value(node, kind) else node

            yield transform(recipe, change)


def is_value(node: Any, kind: str) -> bool:
    return isinstance(node, ir.Lit) and node.kind == kind and node.value is not None


def looked_for(clauses: tuple[ir.Clause, ...]) -> Iterator[tuple[ir.Clause, ...]]:
    """Whether a pattern is there, instead of the rows with it or without: both may be wrong for one cause. One with a
    condition stays: conditions on earlier variables have a form of their own.
    MATCH (n) OPTIONAL MATCH (n:C) RETURN 0 AS x -> MATCH (n) RETURN EXISTS { MATCH (n:C) } AS x"""
    for last, end in zip(clauses[-2:-1], clauses[-1:], strict=False):
        if isinstance(last, ir.Match) and last.optional and last.where is None and isinstance(end, ir.Return):
            yield (*clauses[:-2], ir.Return((ir.Item(ir.SubQuery("exists", last.patterns), end.items[0].name),)))


def normal(node: Any) -> Iterator[Any]:
    """Nodes that say the same as this one in the order or form that is preferred, or less in a plainer one."""
    if isinstance(node, (ir.With, ir.Return)):
        if disorder(node.items):
            yield replace(node, items=tuple(sorted(node.items, key=place)))
        keys = tuple(i for i in node.items if not has_aggregate(i.expr))
        if keys and len(keys) < len(node.items):
            # WITH r, count(*) AS x -> WITH DISTINCT r
            yield replace(node, items=keys, distinct=True)
    elif isinstance(node, ir.Match):
        yield from (replace(node, patterns=patterns) for patterns in joined(node.patterns))
        yield from (replace(node, patterns=patterns) for patterns in without_hop(node.patterns))
        yield from (replace(node, patterns=patterns) for patterns in with_node(node.patterns))
        said = said_at_once(node.patterns)
        if said != node.patterns:
            yield replace(node, patterns=said)
    elif isinstance(node, ir.Path):
        yield from (replace(node, hops=hops) for hops in unrolled(node.hops))
    elif isinstance(node, ir.Single):
        yield from map(ir.Single, merged(node.clauses))
        yield from map(ir.Single, unwound(node.clauses))
        yield from map(ir.Single, looked_for(node.clauses))
    elif isinstance(node, ir.SubQuery) and node.kind == "count":
        yield replace(node, kind="exists")
    elif isinstance(node, ir.Op) and node.op == "IN" and isinstance(node.args[1], ir.ListOf):
        # a IN [b, c] -> a = b, or a = c
        yield from (ir.Op("=", (node.args[0], item)) for item in node.args[1].items)
    elif isinstance(node, ir.Quantified):
        # any(y IN l WHERE c) -> [y IN l WHERE c]
        yield ir.Comprehension(node.var, node.source, node.condition)
    elif isinstance(node, ir.Reduce):
        # reduce(z = 1, y IN l | e) -> [y IN l | e]
        yield ir.Comprehension(node.var, node.source, None, node.step)


def joined(patterns: tuple[ir.Path, ...]) -> Iterator[tuple[ir.Path, ...]]:
    """(a)-[r]->(n), (n)-[s]->(b) -> (a)-[r]->(n)-[s]->(b)"""
    for i, one in enumerate(patterns):
        for j, two in enumerate(patterns):
            if i == j or one.var or two.var:
                continue
            rest = tuple(p for k, p in enumerate(patterns) if k not in (i, j))
            for left in (one, reversed_path(one)):
                for right in (two, reversed_path(two)):
                    end = left.hops[-1].node if left.hops else left.start
                    if end.var and end.var == right.start.var and (right.start in (end, ir.NodePat(end.var))):
                        yield (ir.Path(left.start, (*left.hops, *right.hops)), *rest)


def without_hop(patterns: tuple[ir.Path, ...]) -> Iterator[tuple[ir.Path, ...]]:
    """A hop leaves, its ends stay: (a)-[r]->(n)-[s]->(b) -> (a), (n)-[s]->(b), or (a)-[r]->(n), (b)"""
    for i, path in enumerate(patterns):
        for j, hop in enumerate(path.hops if not path.var else ()):
            ends = (ir.Path(path.start, path.hops[:j]), ir.Path(hop.node, path.hops[j + 1 :]))
            yield (*patterns[:i], *ends, *patterns[i + 1 :])


def with_node(patterns: tuple[ir.Path, ...]) -> Iterator[tuple[ir.Path, ...]]:
    """A node in the place of a relationship, where nothing is said of its ends: ()-[r]->() -> (r)"""
    for i, path in enumerate(patterns):
        if len(path.hops) == 1 and not path.var and not path.hops[0].rel.length:
            rel, ends = path.hops[0].rel, (path.start, path.hops[0].node)
            if rel.var and ends == (ir.NodePat(), ir.NodePat()):
                yield (*patterns[:i], ir.Path(ir.NodePat(rel.var)), *patterns[i + 1 :])


def unrolled(hops: tuple[ir.Hop, ...]) -> Iterator[tuple[ir.Hop, ...]]:
    """-[:T*2..2]->(n) -> -[:T]->()-[:T]->(n)"""
    for i, hop in enumerate(hops):
        length = hop.rel.length
        if len(length) == 2 and length[0] == length[1] >= 1 and not hop.rel.var:
            step = replace(hop.rel, length=())
            steps = (*(ir.Hop(step, ir.NodePat()),) * (length[0] - 1), ir.Hop(step, hop.node))
            yield (*hops[:i], *steps, *hops[i + 1 :])


def said_at_once(patterns: tuple[ir.Path, ...]) -> tuple[ir.Path, ...]:
    """What is said of a node stands where it is first named: (n)-[]->(n:A) -> (n:A)-[]->(n)"""
    labels: dict[str, tuple[str, ...]] = {}
    for _, node in walk(patterns):
        if isinstance(node, ir.NodePat) and node.var and not node.is_any:
            labels[node.var] = tuple(dict.fromkeys((*labels.get(node.var, ()), *node.labels)))

    def change(node: Any) -> Any:
        if isinstance(node, ir.NodePat) and node.var and not node.is_any:
            return replace(node, labels=labels.pop(node.var, ()))
        return node

    return tuple(
        ir.Path(change(p.start), tuple(replace(h, node=change(h.node)) for h in p.hops), p.var) for p in patterns
    )


def merged(clauses: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """MATCH p WHERE c MATCH q WHERE d -> MATCH p, q WHERE c AND d"""
    for i in range(len(clauses) - 1):
        one, two = clauses[i : i + 2]
        if isinstance(one, ir.Match) and isinstance(two, ir.Match) and not (one.optional or two.optional):
            where = ir.Op("AND", (one.where, two.where)) if one.where and two.where else one.where or two.where
            yield (*clauses[:i], ir.Match((*one.patterns, *two.patterns), where), *clauses[i + 2 :])
        elif isinstance(one, ir.Match) and isinstance(two, ir.Match) and one.where is None and not one.optional:
            # MATCH p OPTIONAL MATCH q -> OPTIONAL MATCH q, p
            yield (*clauses[:i], replace(two, patterns=(*two.patterns, *one.patterns)), *clauses[i + 2 :])
        elif isinstance(one, ir.Match) and isinstance(two, ir.Match) and two.where is None and not two.optional:
            # OPTIONAL MATCH p MATCH q -> OPTIONAL MATCH q, p
            yield (*clauses[:i], replace(one, patterns=(*two.patterns, *one.patterns)), *clauses[i + 2 :])


def unwound(clauses: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """UNWIND [e] AS x -> WITH e AS x, or WITH *, e AS x; and where only the rows are needed, UNWIND ... AS x or WITH 1
    AS x -> MATCH ()"""
    first, rest = clauses[0], clauses[1:]
    if isinstance(first, ir.Unwind) and isinstance(first.expr, ir.ListOf) and len(first.expr.items) == 1:
        yield (ir.With((ir.Item(first.expr.items[0], first.var),)), *rest)
    for i, clause in enumerate(clauses[1:], 1):
        if isinstance(clause, ir.Unwind) and isinstance(clause.expr, ir.ListOf) and len(clause.expr.items) == 1:
            one = ir.With((ir.Item(clause.expr.items[0], clause.var),), star=True)
            yield (*clauses[:i], one, *clauses[i + 1 :])
    yield from (with_match(clauses, i) for i in mere_rows(clauses))


def mere_rows(clauses: tuple[Any, ...]) -> Iterator[int]:
    """The clauses of which nothing but the number of their rows is needed."""
    used = {n.name for _, n in walk(clauses) if isinstance(n, ir.Var)}
    for i, clause in enumerate(clauses[:-1]):
        if (isinstance(clause, ir.Unwind) and clause.var not in used) or (
            i == 0 and isinstance(clause, ir.With) and not bound_by(clause) & used
        ):
            yield i


def with_match(clauses: tuple[Any, ...], i: int) -> tuple[Any, ...]:
    """MATCH () in a clause's place"""
    return (*clauses[:i], ir.Match((ir.Path(ir.NodePat()),)), *clauses[i + 1 :])


def matched(scene: ir.Scene, single: ir.Single) -> Iterator[tuple[ir.Scene, ir.Single]]:
    """UNWIND [1, 2] AS x ... -> MATCH () ..., on a graph of as many nodes as the list is long"""
    for i in mere_rows(single.clauses):
        clause = single.clauses[i]
        rows = clause.expr.items if isinstance(clause, ir.Unwind) and isinstance(clause.expr, ir.ListOf) else (None,)
        for labels in ((), scene.schema.labels[:1] or ("A",)):  # where there are tables, a node is in one
            nodes = tuple(ir.Vertex(n, labels) for n in range(len(rows)))
            yield ir.Scene(ir.Schema(labels), nodes), ir.Single(with_match(single.clauses, i))


MOST_NAMED = 8  # nodes of which two may become one
FEW = 3  # stored values of a key that a plain condition is tried with
SIMPLEST = {"int": ir.Lit("int", 0), "str": ir.Lit("str", ""), "bool": ir.Lit("bool", True)}


def plain_conditions(scene: ir.Scene, recipe: Any) -> Iterator[Pair]:
    """Where a clause is wrong whatever it tests, the plainest test: WHERE (n.b XOR m.b) -> WHERE n.id = 0, or n.b IS
    NULL."""
    for path, node in walk(recipe):
        if isinstance(node, (ir.Match, ir.With)) and node.where is not None and not is_plain_condition(node.where):
            for test in tests(scene, recipe, sorted(free(node.where))):
                yield scene, put(recipe, path, replace(node, where=test))


def is_plain_condition(condition: ir.Expr) -> bool:
    """Whether a condition compares one property or variable with a constant."""
    if not isinstance(condition, ir.Op) or condition.op != "=":
        return False
    tested, *others = condition.args
    return isinstance(tested, (ir.Var, ir.Prop)) and all(isinstance(a, ir.Lit) for a in others)


def tests(scene: ir.Scene, recipe: Any, names: list[str]) -> Iterator[ir.Expr]:
    """Plain tests of some variables: of their properties, if they are nodes or relationships, else of themselves."""
    nodes = {n.var for _, n in walk(recipe) if isinstance(n, ir.NodePat)}
    edges = {n.var for _, n in walk(recipe) if isinstance(n, ir.RelPat) and not n.length}
    for name in names:
        if name not in nodes | edges:
            yield from (ir.Op("=", (ir.Var(name), plain)) for plain in (SIMPLEST["int"], SIMPLEST["str"]))
            yield ir.Op("IS NULL", (ir.Var(name),))
            continue
        elements: tuple[Any, ...] = scene.vertices if name in nodes else scene.edges
        keys = scene.schema.node_keys if name in nodes else scene.schema.edge_keys
        ids = [e.id for e in elements]
        numbers = dict.fromkeys((0, max(ids, default=0) + 1, *ids))  # one of them is nobody's
        stored: dict[str, list[Any]] = {"id": [ir.Lit("int", number) for number in numbers]}
        for key in keys:
            plain = [SIMPLEST[key.type]] if key.type in SIMPLEST else []
            stored[key.name] = plain + [p.value for e in elements for p in e.props if p.key == key.name]
        for key_name, values in stored.items():
            tested = ir.Prop(ir.Var(name), key_name)
            yield from (ir.Op("=", (tested, v)) for v in list(dict.fromkeys(values))[:FEW] if isinstance(v, ir.Lit))
            yield ir.Op("IS NULL", (tested,))

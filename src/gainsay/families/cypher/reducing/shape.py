"""What a case is made of, for telling causes apart: its shape, the bucket of a reduced shape, and when one bucket
absorbs another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gainsay.core.tree import walk
from gainsay.families.cypher.language import ir, ops
from gainsay.families.cypher.language.ops import AGGREGATES, OPS
from gainsay.families.cypher.language.scopes import free


def group(name: str) -> str:
    """What an operator is called in a shape."""
    return (OPS[name].group or name) if name in OPS else name


def shape(scene: Any, recipe: Any) -> frozenset[str]:
    """The features that a case is made of: equal sets are taken for one cause, a superset for a likely repetition."""
    found: set[str] = set()
    if scene.indexes:
        found.add("index")
    for _, node in walk((scene.vertices, scene.edges, scene.changes)):
        found |= odd_literal(node) & {LARGE} if isinstance(node, ir.Lit) else set()
    if scene.changes:
        found.add("changed graph")
    if any(e.source == e.target for e in scene.edges):
        found.add(LOOP)
    if len({(e.source, e.target) for e in scene.edges}) < len(scene.edges):
        found.add(PARALLEL)
    bound: set[str] = set()
    for _, node in walk(recipe):
        found |= features(node, bound)
    return frozenset(found | recipe.features)


def features(node: Any, bound: set[str]) -> set[str]:
    """What a node adds to the shape of a case; `bound`: the variables of earlier clauses."""
    if isinstance(node, ir.Op):
        return {group(node.op)}
    if isinstance(node, (ir.Lit, ir.ListOf)):
        return odd_literal(node)
    if isinstance(node, ir.Match):
        two = {TWO} if node.where is not None and len(free(node.where)) > 1 else set()
        outer = {OUTER} if node.optional and tests_others(node, bound) else set()
        return two | outer | ({"optional match"} if node.optional else {"match"})
    if isinstance(node, ir.Single):
        return {CYCLE} if any(is_closed(patterns) for patterns in in_a_row(node)) else set()
    if isinstance(node, ir.Unwind):
        return {"unwind"}
    if isinstance(node, (ir.With, ir.Return)):
        found = {"with"} if isinstance(node, ir.With) else set()
        found |= {"distinct"} if node.distinct else set()
        return found | ({"order and cut"} if node.order or node.skip is not None or node.limit is not None else set())
    if isinstance(node, ir.RelPat):
        found = {"variable length"} if node.length else {"edge"}
        found |= {"undirected"} if node.direction == "-" else set()
        found |= {"bound edge"} if node.var and node.var in bound else set()
        bound.add(node.var)
        return found
    if isinstance(node, ir.NodePat):
        found = {"several labels"} if len(node.labels) > 1 else set()
        found |= {"label on a bound node"} if node.labels and node.var and node.var in bound else set()
        found |= {"bound node"} if node.var and node.var in bound else set()
        bound.add(node.var)
        return found
    if isinstance(node, ir.Path):
        return {"named path"} if node.var else set()
    if isinstance(node, ir.Agg):
        return {f"aggregate {node.fn}"} | ({DISTINCT} if node.distinct else set())
    if isinstance(node, ir.SubQuery):
        return {f"subquery {node.kind}"} | ({OUTER} if tests_others(node, bound) else set())
    if isinstance(node, ir.Quantified):
        return {"quantifier"}
    if isinstance(node, ir.Case):
        inner = any(isinstance(n, ir.Case) for w in node.whens for _, n in walk(w.test))
        return {"case", "case in a case"} if inner else {"case"}
    named = {
        ir.HasLabel: "label test",
        ir.Comprehension: "list comprehension",
        ir.Reduce: "reduce",
        ir.PatternList: "pattern comprehension",
    }
    if isinstance(node, ir.Query) and len(node.parts) > 1:
        return {"union all" if node.is_all else "union"}
    return {named[node.__class__]} if node.__class__ in named else set()


def tests_others(match: ir.Match | ir.SubQuery, bound: set[str]) -> bool:
    """Whether a clause's condition is about earlier clauses' variables, and none of its own."""
    if match.where is None:
        return False
    patterns = [n for _, n in walk(match.patterns) if isinstance(n, (ir.NodePat, ir.RelPat, ir.Path))]
    tested = free(match.where)
    return bool(tested) and not tested & ({n.var for n in patterns} - bound)


def is_closed(patterns: tuple[ir.Path, ...]) -> bool:
    """Whether the edges of some patterns close a cycle: (n)-[]->()-[]->(n)"""
    groups: dict[Any, Any] = {}

    def group(name: Any) -> Any:
        while name in groups:
            name = groups[name]
        return name

    for i, path in enumerate(patterns):
        at = path.start.var or (i, -1)
        for j, hop in enumerate(path.hops):
            to = hop.node.var or (i, j)
            one, two = group(at), group(to)
            if one == two:
                return True
            groups[one], at = two, to
    return False


def in_a_row(single: ir.Single) -> Iterator[tuple[ir.Path, ...]]:
    """The patterns of MATCH clauses in a row, which engines plan as one; those of an OPTIONAL MATCH by themselves."""
    row: tuple[ir.Path, ...] = ()
    for clause in single.clauses:
        if isinstance(clause, ir.Match) and not clause.optional:
            row = (*row, *clause.patterns)
            continue
        yield row
        yield clause.patterns if isinstance(clause, ir.Match) else ()
        row = ()
    yield row


def odd_literal(node: ir.Lit | ir.ListOf) -> set[str]:
    """What is odd about a literal."""
    if isinstance(node, ir.ListOf):
        return {NULL_ITEM} if any(isinstance(i, ir.Lit) and i.value is None for i in node.items) else set()
    if node.kind == "int" and isinstance(node.value, int) and abs(node.value) >= 1 << 31:
        return {LARGE}
    return {REAL} if node.kind == "float" else {EMPTY} if node.value == "" and node.kind == "str" else set()


def with_role(*roles: str) -> frozenset[str]:
    """The operators and aggregates of which their rows say this."""
    named = (f"aggregate {name}" for name, row in AGGREGATES.items() if row.role in roles)
    return frozenset({*(group(name) for name, row in OPS.items() if row.role in roles), *named})


TWO = "condition on two variables"
CYCLE = "cycle in pattern"
OUTER = "condition on earlier variables"
NULL_ITEM = "null in a list"
DISTINCT = "distinct aggregate"
# Of the graph and not of the query: one cause is met on several graphs
LOOP, PARALLEL = "loop in graph", "parallel edges"
GRAPH = frozenset({LOOP, PARALLEL})
LOST = frozenset({CYCLE, PARALLEL})  # edges that some cycles lose, and others do not, whatever closes the cycle
REAL, EMPTY, LARGE = "real number", "empty string", "large integer"
LITERALS = frozenset({LARGE, REAL, EMPTY})  # named where nothing else is
UNIONS = frozenset({"union", "union all"})
# Clauses that only change which rows there are, or in which order: a function that is wrong behind one is wrong alone
ROWS = UNIONS | {"order and cut"}

# What surrounds a cause more often than it is one
COMMON = with_role(ops.COMMON) | {"match", "edge", "bound node"}
# Where a smaller known cause is met again with no more than these around it, it is the same cause
SURROUNDINGS = COMMON | with_role(ops.AROUND) | ROWS | GRAPH | {
    "with", "unwind", "distinct", "optional match", "case", "index", "changed graph", "undirected", REAL, EMPTY,
}  # fmt: skip
# What says little beside a function or a form that is named
WEAK = SURROUNDINGS | with_role(ops.WEAK) | {"label test"}
# Forms that are named beside a function
STRONG = ROWS | {
    "variable length", DISTINCT, "label on a bound node", "several labels", "named path", "bound edge",
    "optional match", "index",
}  # fmt: skip
# Clauses, and forms of patterns
FRAME = STRONG | {"with", "where", "unwind", "distinct", "several patterns", "another match", "property in a pattern"}


def bucket(features: frozenset[str]) -> frozenset[str]:
    """The part of a reduced shape that names the cause: functions and forms, else the structure around them."""
    return cause(features) | (LOST if features >= LOST else frozenset())


def cause(features: frozenset[str]) -> frozenset[str]:
    """The bucket, but for edges that a cycle loses."""
    kept = frozenset(f for f in features if not f.startswith("rewrite: "))
    kept = kept - GRAPH or kept
    if is_mere_cycle(kept):
        return frozenset({CYCLE})
    kept = without_implied(kept - {CYCLE})
    if TWO in kept:
        return frozenset({TWO}) | (kept & STRONG)
    functions = kept - WEAK - STRONG - LITERALS
    if functions:
        return functions | (kept & STRONG - ROWS)
    return kept - COMMON - LITERALS or kept - COMMON or kept


def is_mere_cycle(kept: frozenset[str]) -> bool:
    """Whether nothing tells more than that a pattern is closed, which is then a matter of its own."""
    return CYCLE in kept and kept - {CYCLE} <= SURROUNDINGS and TWO not in kept


def without_implied(kept: frozenset[str]) -> frozenset[str]:
    """Without what something else in the bucket says already."""
    if DISTINCT in kept:
        kept = frozenset(f for f in kept if not f.startswith("aggregate "))
    return kept - {"unwind"} if kept & STRONG else kept  # the rows must come from somewhere


def framed(features: frozenset[str]) -> frozenset[str]:
    """The clauses and forms of patterns, without what is worked out in them."""
    return frozenset(f for f in features if f in FRAME or f.startswith("subquery ")) or features


def absorbs(known: frozenset[str], new: frozenset[str]) -> bool:
    """Whether a new bucket is a known one with mere surroundings."""
    more, around = new - known, SURROUNDINGS | {"variable length"} if known == LOST else SURROUNDINGS
    if not known < new or not more <= around or (new >= LOST and not known >= LOST):
        return known == new
    # A CASE is a cause as often as it surrounds one: it takes in less than what names a cause for sure.
    return bool(known - SURROUNDINGS) or ("case" in known and not more & STRONG)

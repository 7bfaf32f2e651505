"""Rewrites that keep the meaning of a query. Each gives all queries that it can make of one; which is taken is data.

The idea is GRev's (Mang et al., ICSE 2024: other walks over the same pattern) and that of equivalence-preserving
mutations in general. What a profile makes unequal after all (an edge that is referenced or not, say) is not asked: see
proof.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import msgspec

from gainsay.core.tree import Node, put, walk
from gainsay.core.tree import at as part_at
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.ops import SCALARS
from gainsay.families.cypher.language.scopes import free, has_aggregate, has_bare

replace = msgspec.structs.replace
FLIP = {"->": "<-", "<-": "->", "-": "-"}


class Rewrite(Node, frozen=True):
    """A rewrite by name, and which of its results."""

    keep = frozenset({"name"})
    name: str
    choice: int = 0


def matches(query: ir.Query) -> Iterator[tuple[tuple[int | str, ...], ir.Match]]:
    for path, node in walk(query):
        if isinstance(node, ir.Match):
            yield path, node


def paths(query: ir.Query) -> Iterator[tuple[tuple[int | str, ...], ir.Path]]:
    """The patterns of MATCH clauses (not those in expressions)."""
    for at, clause in matches(query):
        for i, pattern in enumerate(clause.patterns):
            yield (*at, "patterns", i), pattern


def names(query: ir.Query) -> set[str]:
    found: set[str] = set()
    for _, node in walk(query):
        if isinstance(node, (ir.NodePat, ir.RelPat, ir.Path, ir.Unwind, ir.Comprehension, ir.Quantified, ir.Reduce)):
            found.add(node.var)
        elif isinstance(node, ir.Item):
            found.add(node.name)
    return found


def unused(query: ir.Query) -> str:
    taken = names(query)
    return next(n for i in range(1000) if (n := f"y{i}") not in taken)


def conjoined(where: ir.Expr | None, condition: ir.Expr) -> ir.Expr:
    return condition if where is None else ir.Op("AND", (where, condition))


def reverse_path(query: ir.Query) -> Iterator[ir.Query]:
    """(a)-[r]->(b) -> (b)<-[r]-(a)"""
    for at, path in paths(query):
        if path.hops and not path.var:
            nodes = [path.start, *(h.node for h in path.hops)][::-1]
            rels = [replace(h.rel, direction=FLIP[h.rel.direction]) for h in path.hops][::-1]
            yield put(query, at, ir.Path(nodes[0], tuple(ir.Hop(r, n) for r, n in zip(rels, nodes[1:], strict=True))))


def split_path(query: ir.Query) -> Iterator[ir.Query]:
    """(a)-[r]->(b)-[s]->(c) -> (a)-[r]->(b), (b)-[s]->(c)"""
    for at, path in paths(query):
        for i in range(1, len(path.hops)):
            middle = path.hops[i - 1].node
            name = middle.var or unused(query)
            if path.var:
                continue
            first = ir.Path(path.start, (*path.hops[: i - 1], ir.Hop(path.hops[i - 1].rel, replace(middle, var=name))))
            second = ir.Path(ir.NodePat(name), path.hops[i:])
            position = int(at[-1])
            whole = at[:-1]
            patterns = part_at(query, whole)
            yield put(query, whole, (*patterns[:position], first, second, *patterns[position + 1 :]))


def name_edge(query: ir.Query) -> Iterator[ir.Query]:
    """-[:T]-> -> -[y0:T]->"""
    for at, path in paths(query):
        for i, hop in enumerate(path.hops):
            if not hop.rel.var and not hop.rel.length:
                yield put(query, (*at, "hops", i, "rel"), replace(hop.rel, var=unused(query)))


def name_node(query: ir.Query) -> Iterator[ir.Query]:
    """() -> (y0)"""
    for at, path in paths(query):
        for where, node in [
            ((*at, "start"), path.start),
            *(((*at, "hops", i, "node"), h.node) for i, h in enumerate(path.hops)),
        ]:
            if not node.var:
                yield put(query, where, replace(node, var=unused(query)))


def insert_with(query: ir.Query) -> Iterator[ir.Query]:
    """MATCH ... RETURN ... -> MATCH ... WITH * RETURN ..."""
    for p, part in enumerate(query.parts):
        for i in range(1, len(part.clauses)):
            if names(ir.Query((ir.Single(part.clauses[:i]),))) - {""}:
                yield put(query, ("parts", p, "clauses"), (*part.clauses[:i], ir.With((), True), *part.clauses[i:]))


def one_to_one(query: ir.Query) -> Iterator[ir.Query]:
    """-[:T]-> -> -[:T*1..1]-> where nothing refers to it."""
    for at, path in paths(query):
        for i, hop in enumerate(path.hops):
            if not hop.rel.var and not hop.rel.length and not hop.rel.props and not path.var:
                yield put(query, (*at, "hops", i, "rel"), replace(hop.rel, length=(1, 1)))


def label_as_condition(query: ir.Query) -> Iterator[ir.Query]:
    """MATCH (n:A) -> MATCH (n) WHERE (n:A)"""
    for at, clause in matches(query):
        for below, node in walk(clause.patterns):
            if isinstance(node, ir.NodePat) and node.var and node.labels and not node.is_any:
                bare = put(clause, ("patterns", *below), replace(node, labels=()))
                condition: ir.Expr = ir.HasLabel(ir.Var(node.var), node.labels[0])
                for label in node.labels[1:]:
                    condition = ir.Op("AND", (condition, ir.HasLabel(ir.Var(node.var), label)))
                yield put(query, at, replace(bare, where=conjoined(clause.where, condition)))


def property_as_condition(query: ir.Query) -> Iterator[ir.Query]:
    """MATCH (n {k: 1}) -> MATCH (n) WHERE (n.k = 1)"""
    for at, clause in matches(query):
        for below, node in walk(clause.patterns):
            if isinstance(node, (ir.NodePat, ir.RelPat)) and node.var and node.props:
                bare = put(clause, ("patterns", *below), replace(node, props=()))
                where = clause.where
                for entry in node.props:
                    where = conjoined(where, ir.Op("=", (ir.Prop(ir.Var(node.var), entry.key), entry.value)))
                yield put(query, at, replace(bare, where=where))


def swap_patterns(query: ir.Query) -> Iterator[ir.Query]:
    """MATCH p, q -> MATCH q, p"""
    for at, clause in matches(query):
        if len(clause.patterns) > 1:
            yield put(query, at, replace(clause, patterns=(*clause.patterns[1:], clause.patterns[0])))


def binds(clause: ir.Match) -> set[str]:
    return {n.var for _, n in walk(clause.patterns) if isinstance(n, (ir.NodePat, ir.RelPat, ir.Path)) and n.var}


def swap_clauses(query: ir.Query) -> Iterator[ir.Query]:
    """MATCH p MATCH q -> MATCH q MATCH p, where neither refers to what the other binds."""
    for p, part in enumerate(query.parts):
        for i in range(len(part.clauses) - 1):
            one, two = part.clauses[i : i + 2]
            if isinstance(one, ir.Match) and isinstance(two, ir.Match) and not one.optional and not two.optional:
                bound = {name for c in part.clauses[:i] if isinstance(c, (ir.Match,)) for name in binds(c)}
                if not (binds(one) - bound) & (binds(two) | free(two.where)) and not (binds(two) - bound) & free(
                    one.where
                ):
                    yield put(query, ("parts", p, "clauses"), (*part.clauses[:i], two, one, *part.clauses[i + 2 :]))


def wheres(query: ir.Query) -> Iterator[tuple[tuple[int | str, ...], ir.Expr]]:
    for path, node in walk(query):
        if isinstance(node, (ir.Match, ir.With)) and node.where is not None:
            yield (*path, "where"), node.where


def case_condition(query: ir.Query) -> Iterator[ir.Query]:
    """WHERE c -> WHERE CASE WHEN c THEN true ELSE false END"""
    for at, where in wheres(query):
        if not has_bare(where):
            yield put(query, at, ir.Case((ir.When(where, ir.TRUE),), ir.FALSE))


def negate_twice(query: ir.Query) -> Iterator[ir.Query]:
    """WHERE c -> WHERE NOT (NOT c)"""
    for at, where in wheres(query):
        yield put(query, at, ir.Op("NOT", (ir.Op("NOT", (where,)),)))


def commute(query: ir.Query) -> Iterator[ir.Query]:
    """(a AND b) -> (b AND a), and likewise OR, XOR, = and <>"""
    for at, node in walk(query):
        if isinstance(node, ir.Op) and node.op in ("AND", "OR", "XOR", "=", "<>"):
            yield put(query, at, replace(node, args=node.args[::-1]))


def hide_property(query: ir.Query) -> Iterator[ir.Query]:
    """WHERE ... n.k ... -> WHERE ... CASE WHEN true THEN n.k ELSE n.k END ...: an index can't be used for it"""
    for at, where in wheres(query):
        for below, node in walk(where):
            if isinstance(node, ir.Prop) and isinstance(node.base, ir.Var):
                yield put(query, (*at, *below), ir.Case((ir.When(ir.TRUE, node),), node))


def coalesce(query: ir.Query) -> Iterator[ir.Query]:
    """n.k -> coalesce(n.k, n.k), in RETURN"""
    for at, node in walk(query):
        if isinstance(node, ir.Return):
            for i, item in enumerate(node.items):
                for below, part in walk(item.expr):
                    if isinstance(part, ir.Prop):
                        yield put(query, (*at, "items", i, "expr", *below), ir.Op("coalesce", (part, part)))


def pass_on(query: ir.Query) -> Iterator[ir.Query]:
    """... RETURN e AS c -> ... WITH e AS c RETURN c AS c"""
    if len(query.parts) == 1:
        *before, last = query.parts[0].clauses
        if isinstance(last, ir.Return) and not last.order and last.skip is None and last.limit is None:
            if not last.distinct and (before or not any(has_aggregate(i.expr) for i in last.items)):
                passed = tuple(ir.Item(ir.Var(i.name), i.name) for i in last.items)
                yield ir.Query((ir.Single((*before, ir.With(last.items), ir.Return(passed))),))


def add_true(query: ir.Query) -> Iterator[ir.Query]:
    """WHERE c -> WHERE (c AND true); none -> WHERE true"""
    for at, node in walk(query):
        if isinstance(node, ir.Match):
            yield put(query, (*at, "where"), conjoined(node.where, ir.TRUE))


REWRITES: Mapping[str, Callable[[ir.Query], Iterator[ir.Query]]] = {
    "reverse a path": reverse_path,
    "split a path": split_path,
    "name an edge": name_edge,
    "name a node": name_node,
    "insert WITH *": insert_with,
    "an edge as *1..1": one_to_one,
    "a label as condition": label_as_condition,
    "a property as condition": property_as_condition,
    "other order of patterns": swap_patterns,
    "other order of clauses": swap_clauses,
    "CASE around a condition": case_condition,
    "NOT twice": negate_twice,
    "operands exchanged": commute,
    "CASE around a property": hide_property,
    "coalesce around a property": coalesce,
    "values passed on by WITH": pass_on,
    "AND true": add_true,
}
NEEDS: Mapping[str, tuple[str, ...]] = {
    "an edge as *1..1": ("pattern:var length",),
    "insert WITH *": ("clause:with star", "clause:with path"),
    "a label as condition": ("expr:label",),
    "split a path": ("pattern:comma",),
    "coalesce around a property": tuple(f"op:coalesce/{kind},{kind}" for kind in SCALARS),
    "CASE around a property": tuple(f"expr:case {kind}" for kind in SCALARS),
    "CASE around a condition": ("expr:case bool",),
}


def apply(query: ir.Query, rewrites: tuple[Rewrite, ...]) -> ir.Query | None:
    """A query after some rewrites; None where one does not apply."""
    for rewrite in rewrites:
        found = list(REWRITES[rewrite.name](query))
        if not found:
            return None
        query = found[rewrite.choice % len(found)]
    return query

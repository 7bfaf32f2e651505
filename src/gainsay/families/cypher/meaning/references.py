"""What is left of a query's patterns for an engine that only tests whether a relationship exists, where nothing refers
to it.

Such an engine multiplies boolean matrices: (a)-[r]->(m)-[s]->(b) is one row for each pair of a and b, unless something
refers to r, m or s, or asks for a property of theirs, or the path has a name. MATCH clauses in a row are one to it.
Here names that nothing refers to are taken away;
`matching` does the rest.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import msgspec

from gainsay.core.tree import walk
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.scopes import free
from gainsay.families.cypher.meaning.matching import pattern_variables, reversed_path
from gainsay.families.cypher.meaning.values import Undetermined


def without_unreferenced(part: ir.Single) -> ir.Single:
    """MATCH (a)-[r]->(m)-[s]->(b) RETURN a.id, b.id  ->  MATCH (a)-[]->()-[]->(b) RETURN a.id, b.id"""
    found: list[ir.Clause] = []
    scope: list[ir.Clause] = []
    bound: frozenset[str] = frozenset()
    for clause in merged(part.clauses):
        scope.append(clause)
        if isinstance(clause, (ir.With, ir.Return)) and not (isinstance(clause, ir.With) and clause.star):
            kept = bound | referenced(scope)  # a name that is not projected may mean something else from here on
            found += [anonymous(c, kept) if isinstance(c, ir.Match) else c for c in scope]
            scope, bound = [], frozenset(item.name for item in clause.items)
    return ir.Single((*found, *scope))


def merged(clauses: tuple[ir.Clause, ...]) -> list[ir.Clause]:
    """MATCH p WHERE c MATCH q WHERE d  ->  MATCH p, q WHERE c AND d.
    Only for engines that let relationships be the same."""
    found: list[ir.Clause] = []
    for clause in clauses:
        before = found[-1] if found else None
        if isinstance(clause, ir.Match) and isinstance(before, ir.Match) and not (clause.optional or before.optional):
            where = (
                ir.Op("AND", (before.where, clause.where))
                if before.where and clause.where
                else before.where or clause.where
            )
            found[-1] = ir.Match((*before.patterns, *clause.patterns), where)
        else:
            found.append(clause)
    return found


def referenced(clauses: list[ir.Clause]) -> frozenset[str]:
    """The names that expressions use, that WITH * carries on, or that patterns of two clauses share."""
    names: set[str] = set()
    in_patterns: Counter[str] = Counter()
    for clause in clauses:
        if isinstance(clause, ir.Match):
            in_patterns.update(pattern_variables(clause.patterns))
            names |= free(clause.where)
            for path in clause.patterns:
                for pattern in (path.start, *(p for hop in path.hops for p in (hop.rel, hop.node))):
                    names.update(*(free(entry.value) for entry in pattern.props))
        elif isinstance(clause, ir.Unwind):
            names |= free(clause.expr)
        else:
            names.update(*(free(item.expr) for item in clause.items))
            if any(isinstance(n, ir.Agg) and n.arg is None for item in clause.items for _, n in walk(item.expr)):
                names |= in_patterns.keys()  # count(*) counts what is named
            later = free(clause.where) if isinstance(clause, ir.With) else frozenset()
            later = later.union(*(free(order.expr) for order in clause.order))
            names |= later - {item.name for item in clause.items}
            if isinstance(clause, ir.With) and clause.star:
                names |= in_patterns.keys()
    return frozenset(names | {name for name, count in in_patterns.items() if count > 1})


def anonymous(clause: ir.Match, kept: frozenset[str]) -> ir.Match:
    """Without the names of relationships, and of nodes between two relationships, that nothing refers to."""
    paths = gathered(clause.patterns)
    loose = {name: count for name, count in degrees(paths).items() if name and name not in kept}
    paths = joined(paths, frozenset(name for name, count in loose.items() if count == 2))
    seen = Counter(name for path in paths for name in pattern_names(path))
    paths = tuple(stripped(path, kept, seen) for path in paths)
    if has_cycle(paths) and has_loose(paths, kept):
        raise Undetermined("which nodes of a cycle an engine counts, where nothing refers to some")
    return msgspec.structs.replace(clause, patterns=paths)


def has_loose(paths: tuple[ir.Path, ...], kept: frozenset[str]) -> bool:
    """Whether nothing but patterns refers to some node between two relationships, be it named or not."""
    is_nameless = any(not hop.node.var and not path.var for path in paths for hop in path.hops[:-1])
    tested = {n.var for _, n in walk(paths) if isinstance(n, ir.NodePat) and n.props}  # a filter refers to it
    loose = degrees(paths).keys() - kept - tested - {""}
    return is_nameless or any(count > 1 for name, count in degrees(paths).items() if name in loose)


def degrees(paths: tuple[ir.Path, ...]) -> Counter[str]:
    """How many relationships each name's node is at the end of; a loop counts once."""
    found: Counter[str] = Counter()
    for path in paths:
        for before, after in pairwise([path.start, *(hop.node for hop in path.hops)]):
            found.update({before.var, after.var})
    return found


def has_cycle(paths: tuple[ir.Path, ...]) -> bool:
    """Whether relationships lead from a node back to it, in whatever direction."""
    group: dict[str, str] = {}

    def leader(name: str) -> str:
        while group.get(name, name) != name:
            name = group[name]
        return name

    for number, path in enumerate(paths):
        nodes = [path.start.var, *(hop.node.var for hop in path.hops)]
        for before, after in pairwise([leader(name or f"{number} {place}") for place, name in enumerate(nodes)]):
            if leader(before) == leader(after):
                return True
            group[leader(before)] = leader(after)
    return False


def gathered(paths: tuple[ir.Path, ...]) -> tuple[ir.Path, ...]:
    """(n:A), (n)-[]->(m)  ->  (n:A)-[]->(m)"""
    alone: dict[str, ir.NodePat] = {}
    for path in paths:
        if is_alone(path):
            alone[path.start.var] = both_of(path.start, alone.get(path.start.var))
    found = [
        ir.Path(node) for name, node in alone.items() if not any(p.hops and name in pattern_names(p) for p in paths)
    ]
    for path in paths:
        if is_alone(path):
            continue
        if path.hops and not alone.keys().isdisjoint(pattern_names(path)):
            start = both_of(path.start, alone.pop(path.start.var, None))
            path = ir.Path(
                start, tuple(ir.Hop(h.rel, both_of(h.node, alone.pop(h.node.var, None))) for h in path.hops), path.var
            )
        found.append(path)
    return tuple(found)


def is_alone(path: ir.Path) -> bool:
    return bool(path.start.var) and not (path.hops or path.var or path.start.is_any)


def both_of(one: ir.NodePat, two: ir.NodePat | None) -> ir.NodePat:
    """One pattern that says what two say of a node."""
    if two is None:
        return one
    return ir.NodePat(one.var, tuple(dict.fromkeys((*one.labels, *two.labels))), (*one.props, *two.props))


def pattern_names(path: ir.Path) -> list[str]:
    return [path.start.var, *(name for hop in path.hops for name in (hop.rel.var, hop.node.var))]


def joined(paths: tuple[ir.Path, ...], loose: frozenset[str]) -> tuple[ir.Path, ...]:
    """(a)-[]->(m), (m)-[]->(b)  ->  (a)-[]->(m)-[]->(b), for an m that nothing refers to."""
    found: list[ir.Path] = []
    for path in paths:
        for place, other in enumerate(found):
            both = joint(other, path, loose)
            if both is not None:
                found[place] = both
                break
        else:
            found.append(path)
    return tuple(found) if len(found) == len(paths) else joined(tuple(found), loose)


def joint(one: ir.Path, two: ir.Path, loose: frozenset[str]) -> ir.Path | None:
    """Two paths as one, where an end of one is an end of the other and nothing else refers to it; None elsewhere."""
    if one.var or two.var or not one.hops or not two.hops:
        return None
    for left in (one, reversed_path(one)):
        for right in (two, reversed_path(two)):
            end = left.hops[-1].node
            # Two ways between the same ends are two paths
            is_round = bool(left.start.var) and left.start.var == right.hops[-1].node.var
            if end.var in loose and end.var == right.start.var and not is_round:
                node = both_of(end, right.start)
                return ir.Path(left.start, (*left.hops[:-1], ir.Hop(left.hops[-1].rel, node), *right.hops))
    return None


def stripped(path: ir.Path, kept: frozenset[str], seen: Counter[str]) -> ir.Path:
    """A path without the names that nothing refers to."""
    if path.var:
        return path
    hops = []
    for place, hop in enumerate(path.hops):
        rel, node = hop.rel, hop.node
        if rel.var not in kept and seen[rel.var] == 1 and not rel.length:
            rel = msgspec.structs.replace(rel, var="")
        is_between = place + 1 < len(path.hops)
        if is_between and node.var not in kept and seen[node.var] == 1:
            node = msgspec.structs.replace(node, var="")
        hops.append(ir.Hop(rel, node))
    return ir.Path(path.start, tuple(hops))

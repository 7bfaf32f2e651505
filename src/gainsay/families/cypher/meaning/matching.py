"""Patterns as chains of closures over one mutable row: each step binds an element and calls the next; the last one gets
every match.

A step returns True to end the search. Which variables are bound before is known when a plan is made, so a plan serves
all rows of a clause."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.scopes import free
from gainsay.families.cypher.meaning.graph import Graph, NodeV, PathV, RelV
from gainsay.families.cypher.meaning.values import Failed, TooBig, Undetermined, equal

Row = dict[str, Any]
Fn = Callable[[Row], Any]
Step = Callable[[Row, Any], bool]
Maker = Callable[[Step], Step]
Table = dict[int, list[tuple[RelV, NodeV]]]
Tests = tuple[tuple[str, Fn], ...]

LONGEST_WALK = 40  # where a relationship may be used again, and no limit is documented


def pattern_variables(paths: Iterable[ir.Path]) -> tuple[str, ...]:
    """The variables that patterns name, in their order."""
    names: dict[str, None] = {}
    for path in paths:
        for name in (path.var, path.start.var, *(n for h in path.hops for n in (h.rel.var, h.node.var))):
            if name:
                names[name] = None
    return tuple(names)


def reversed_path(path: ir.Path) -> ir.Path:
    """(a)-[r]->(b)  ->  (b)<-[r]-(a)"""
    nodes = [path.start, *(hop.node for hop in path.hops)]
    turned = {"->": "<-", "<-": "->", "-": "-"}
    hops = [
        ir.Hop(ir.RelPat(h.rel.var, h.rel.types, turned[h.rel.direction], h.rel.props, h.rel.length), node)
        for h, node in zip(path.hops, nodes, strict=False)
    ]
    return ir.Path(nodes[-1], tuple(reversed(hops)))


def arranged(paths: tuple[ir.Path, ...], bound: set[str]) -> list[ir.Path]:
    """An order of paths, and of each path's ends, that starts from what is bound: the matches are the same, and found
    sooner."""
    waiting, order, known = list(paths), [], set(bound)
    while waiting:
        path = next(
            (p for p in waiting if p.start.var in known or (p.hops and p.hops[-1].node.var in known)), waiting[0]
        )
        waiting.remove(path)
        is_fixed = bool(path.var) or any(h.rel.var and h.rel.length for h in path.hops)
        if path.hops and not is_fixed and path.start.var not in known and path.hops[-1].node.var in known:
            path = reversed_path(path)
        known.update(pattern_variables((path,)))
        order.append(path)
    return order


class Matching:
    """Makes plans for patterns on one graph under one profile. `spent` counts steps, for the limit."""

    def __init__(
        self, graph: Graph, profile: Mapping[str, str], compiled: Callable[[ir.Expr], Fn], budget: int
    ) -> None:
        self.graph = graph
        self.compiled = compiled
        self.budget = budget
        self.spent = [0]
        self.is_unique = profile["relationship-uniqueness"] == "different"
        limit = profile.get("variable-length-limit", "none")
        self.longest = None if limit == "none" else int(limit)
        self.is_trail = profile["variable-length"] == "trail"
        self.is_loop_twice = profile["undirected-loop"] == "twice"
        self.is_any_label = profile["labels"] == "any"
        self.is_existence = profile["unreferenced-edge"] == "exists"

    def plan(
        self, paths: tuple[ir.Path, ...], bound: frozenset[str], emit: Step, hidden: list[str], is_clause: bool
    ) -> Callable[[Row], bool]:
        """A search that calls `emit` with each match. `hidden` gets the names that matches carry for the search only.

        Where relationships that nothing refers to are only tested for existence, that is so in clauses, not in pattern
        comprehensions."""
        return Planner(self, bound, hidden, self.is_existence and is_clause).search(paths, emit)


class Planner:
    """One plan in the making."""

    def __init__(self, matching: Matching, bound: frozenset[str], hidden: list[str], is_existence: bool) -> None:
        self.m = matching
        self.is_existence = is_existence
        self.outer = bound
        self.bound = set(bound)
        self.hidden = hidden
        self.used: set[int] = set()
        self.rel_variables: set[str] = set()
        self.late: list[tuple[str, str, Fn]] = []

    def search(self, paths: tuple[ir.Path, ...], emit: Step) -> Callable[[Row], bool]:
        """All matches of some paths, each handed to `emit`; a match ends where that says so."""
        makers: list[Maker] = []
        for path in arranged(paths, self.bound):
            makers += self.path(path)
        if self.late:
            makers.append(self.late_tests())
        step = emit
        for maker in reversed(makers):
            step = maker(step)
        used = self.used

        def run(row: Row) -> bool:
            used.clear()
            return step(row, None)

        return run

    def path(self, path: ir.Path) -> list[Maker]:
        """The steps that match one path, in order."""
        names = [self.name(path.start.var, path, path.start)]
        makers = [self.start(names[0], path.start)]
        tested: list[ir.Hop] = []  # that are passed in one step, from pair to pair; not on a round trip
        is_round = len({n for n in pattern_nodes(path) if n}) < len([n for n in pattern_nodes(path) if n])
        for place, hop in enumerate(path.hops):
            if self.is_existence and not path.var and is_bare(hop.rel):
                tested.append(hop)
                after = path.hops[place + 1].rel if place + 1 < len(path.hops) else None
                if after is not None and is_bare(after) and not (hop.node.var or hop.node.props or is_round):
                    continue
                makers.append(self.exists(tested, self.name(hop.node.var, path, hop.node)))
                tested = []
                continue
            rel, node = self.name(hop.rel.var, path, hop.rel), self.name(hop.node.var, path, hop.node)
            if hop.rel.length:
                makers.append(self.reach(rel, hop.rel, node, hop.node))
            else:
                makers.append(self.hop(rel, hop.rel, node, hop.node))
            names += [rel, node]
        if path.var:
            makers.append(self.named(path.var, names))
        return makers

    def name(self, var: str, path: ir.Path, pattern: ir.NodePat | ir.RelPat) -> str:
        """The variable; for an anonymous element a hidden one, where it is needed later: by a named path, or by tests
        that must wait."""
        if var or not (path.var or any(free(e.value) - self.outer for e in pattern.props)):
            return var
        hidden = f"\0{len(self.hidden)}"
        self.hidden.append(hidden)
        return hidden

    # --- tests of elements --------------------------------------------------------------------------------------------

    def tests(self, name: str, props: tuple[ir.Entry, ...]) -> Tests:
        """What is not a literal is tested for each row; what refers to the same pattern's variables, when all are
        bound."""
        now: list[tuple[str, Fn]] = []
        for entry in props:
            if isinstance(entry.value, ir.Lit):
                continue
            if free(entry.value) - self.outer:
                self.late.append((name, entry.key, self.m.compiled(entry.value)))
            else:
                now.append((entry.key, self.m.compiled(entry.value)))
        return tuple(now)

    def late_tests(self) -> Maker:
        """A step for properties that depend on what the same MATCH binds only later."""
        late = tuple(self.late)

        def maker(after: Step) -> Step:
            def step(row: Row, v: Any) -> bool:
                for name, key, fn in late:
                    element = row[name]
                    for each in element if isinstance(element, list) else (element,):
                        if not equal(each.props.get(key), fn(row)):
                            return False
                return after(row, v)

            return step

        return maker

    def takes_node(self, pattern: ir.NodePat) -> Callable[[NodeV], bool]:
        """Whether a node has the labels of a pattern, and the properties that are literals there."""
        wanted = frozenset(pattern.labels)
        is_any = pattern.is_any or self.m.is_any_label
        fixed = literals(pattern.props)

        def takes(node: NodeV) -> bool:
            if wanted and (node.labels.isdisjoint(wanted) if is_any else not wanted <= node.labels):
                return False
            return all(equal(node.props.get(key), value) for key, value in fixed)

        return takes

    def table(self, pattern: ir.RelPat, target: ir.NodePat | None) -> Table:
        """From each node: the relationships that the pattern may take, and where they lead; with a target, only to
        nodes that it takes."""
        graph, fixed, direction = self.m.graph, literals(pattern.props), pattern.direction
        table: Table = {node.id: [] for node in graph.nodes}
        takes = None if target is None else self.takes_node(target)
        taken = None if takes is None else {n.id for n in graph.nodes if takes(n)}
        for rel in graph.rels:
            if (pattern.types and rel.type not in pattern.types) or not all(
                equal(rel.props.get(k), v) for k, v in fixed
            ):
                continue
            source, end = rel.source, rel.target
            if direction != "<-" and (taken is None or end.id in taken):
                table[source.id].append((rel, end))
            if direction != "->" and (taken is None or source.id in taken):
                if direction == "<-" or source is not end or self.m.is_loop_twice:
                    table[end.id].append((rel, source))
        return table

    # --- steps --------------------------------------------------------------------------------------------------------

    def start(self, var: str, pattern: ir.NodePat) -> Maker:
        """A step that binds the first node of a path, or tests the one that is bound."""
        tests, takes = self.tests(var, pattern.props), self.takes_node(pattern)
        if var and var in self.bound:
            return bound_node(var, {n.id for n in self.m.graph.nodes if takes(n)}, tests)
        self.bound.add(var)
        candidates = [n for n in self.m.graph.nodes if takes(n)]
        spent, budget = self.m.spent, self.m.budget

        def maker(after: Step) -> Step:
            def step(row: Row, _: Any) -> bool:
                spent[0] += len(candidates)
                if spent[0] > budget:
                    raise TooBig("too many steps")
                for node in candidates:
                    if tests and not passes(row, node, tests):
                        continue
                    row[var] = node
                    if after(row, node):
                        return True
                return False

            return step

        def anonymous(after: Step) -> Step:
            def step(row: Row, _: Any) -> bool:
                spent[0] += len(candidates)
                if spent[0] > budget:
                    raise TooBig("too many steps")
                return any(after(row, node) for node in candidates if not tests or passes(row, node, tests))

            return step

        return maker if var else anonymous

    def exists(self, hops: list[ir.Hop], node_var: str) -> Maker:
        """From a node to each node that these relationships lead to, once; which relationships, nobody asks."""
        ends: dict[int, dict[int, NodeV]] = {node.id: {node.id: node} for node in self.m.graph.nodes}
        for hop in hops:
            table = self.table(hop.rel, hop.node)
            ends = {number: {w.id: w for v in found for _, w in table[v]} for number, found in ends.items()}
        arrive, nodes = (
            self.arrival(node_var, hops[-1].node),
            {number: list(found.values()) for number, found in ends.items()},
        )
        spent, budget = self.m.spent, self.m.budget

        def maker(after: Step) -> Step:
            end = arrive(after)

            def step(row: Row, v: Any) -> bool:
                found = nodes[v.id]
                spent[0] += len(found)
                if spent[0] > budget:
                    raise TooBig("too many steps")
                return any(end(row, w) for w in found)

            return step

        return maker

    def hop(self, rel_var: str, rel: ir.RelPat, node_var: str, node: ir.NodePat) -> Maker:
        """A step from one node over a relationship to the next."""
        self.claim(rel_var)
        rel_tests, node_tests = self.tests(rel_var, rel.props), self.tests(node_var, node.props)
        is_bound_rel, is_bound_node = bool(rel_var) and rel_var in self.bound, bool(node_var) and node_var in self.bound
        self.bound.update(name for name in (rel_var, node_var) if name)
        table = self.table(rel, node)
        is_unique = self.m.is_unique
        used, spent, budget = self.used, self.m.spent, self.m.budget
        has_tests = bool(rel_tests or node_tests or is_bound_rel)

        def is_taken(row: Row, r: RelV, w: NodeV) -> bool:
            """The uncommon tests."""
            if is_bound_rel and row[rel_var] is not r:
                return False
            return not (rel_tests and not passes(row, r, rel_tests)) and not (
                node_tests and not passes(row, w, node_tests)
            )

        def maker(after: Step) -> Step:
            def step(row: Row, v: Any) -> bool:
                found = table[v.id]
                spent[0] += len(found)
                if spent[0] > budget:
                    raise TooBig("too many steps")
                for r, w in found:
                    if is_unique and r.id in used:
                        continue
                    if is_bound_node and row[node_var] is not w:
                        continue
                    if has_tests and not is_taken(row, r, w):
                        continue
                    if rel_var:
                        row[rel_var] = r
                    if node_var:
                        row[node_var] = w
                    if is_unique:
                        used.add(r.id)
                        if after(row, w):
                            return True
                        used.discard(r.id)
                    elif after(row, w):
                        return True
                return False

            return step

        return maker

    def reach(self, rel_var: str, rel: ir.RelPat, node_var: str, node: ir.NodePat) -> Maker:
        """A path of variable length."""
        self.claim(rel_var)
        if rel_var in self.bound and rel_var:
            raise Undetermined("a list of relationships used as a pattern")
        rel_tests = self.tests(rel_var, rel.props)
        arrive = self.arrival(node_var, node)
        self.bound.add(rel_var)
        low, high = rel.length[0], rel.length[1] if len(rel.length) > 1 else self.m.longest
        return self.walking(rel_var, low, high, self.table(rel, None), rel_tests, arrive)

    def walking(
        self, rel_var: str, low: int, high: int | None, table: Any, rel_tests: Any, arrive: Callable[[Step], Step]
    ) -> Maker:
        """Walks of a length within bounds, each handed on where it arrives."""
        is_trail = self.m.is_trail
        shared = self.used if self.m.is_unique else None
        spent, budget = self.m.spent, self.m.budget

        def maker(after: Step) -> Step:
            end = arrive(after)

            def step(row: Row, v: Any) -> bool:
                used: set[int] = set() if shared is None else shared
                trail: list[RelV] = []

                def walk(v: NodeV) -> bool:
                    depth = len(trail)
                    if depth >= low:
                        if rel_var:
                            row[rel_var] = list(trail)
                        if end(row, v):
                            return True
                    if high is None and depth >= LONGEST_WALK and not is_trail:
                        raise Undetermined("where an unbounded walk ends")
                    if high is not None and depth >= high:
                        return False
                    found = table[v.id]
                    spent[0] += len(found)
                    if spent[0] > budget:
                        raise TooBig("too many steps")
                    for r, w in found:
                        is_used = r.id in used
                        if (is_trail and is_used) or (rel_tests and not passes(row, r, rel_tests)):
                            continue
                        used.add(r.id)
                        trail.append(r)
                        if walk(w):
                            return True
                        trail.pop()
                        if not is_used:
                            used.discard(r.id)
                    return False

                return walk(v)

            return step

        return maker

    def arrival(self, var: str, pattern: ir.NodePat) -> Maker:
        """The node at the end of a path of variable length."""
        tests, takes = self.tests(var, pattern.props), self.takes_node(pattern)
        taken = {n.id for n in self.m.graph.nodes if takes(n)}
        is_bound = bool(var) and var in self.bound
        self.bound.add(var)

        def maker(after: Step) -> Step:
            def step(row: Row, v: Any) -> bool:
                if v.id not in taken or (is_bound and row[var] is not v) or (tests and not passes(row, v, tests)):
                    return False
                if var:
                    row[var] = v
                return after(row, v)

            return step

        return maker

    def claim(self, rel_var: str) -> None:
        if rel_var and rel_var in self.rel_variables:
            raise Undetermined("one relationship variable twice in a clause")
        self.rel_variables.add(rel_var)

    def named(self, var: str, names: list[str]) -> Maker:
        """A step that binds a path's own name to the path."""
        if var and var in self.bound:
            raise Undetermined("a path variable bound twice")
        self.bound.add(var)

        def maker(after: Step) -> Step:
            def step(row: Row, v: Any) -> bool:
                row[var] = path_of([row[name] for name in names])
                return after(row, v)

            return step

        return maker


def pattern_nodes(path: ir.Path) -> list[str]:
    return [path.start.var, *(hop.node.var for hop in path.hops)]


def is_bare(rel: ir.RelPat) -> bool:
    """Whether nothing is said of a relationship but its types; *1..1 says nothing more."""
    return not (rel.var or rel.props) and rel.length in ((), (1, 1))


def literals(props: tuple[ir.Entry, ...]) -> list[tuple[str, Any]]:
    return [(entry.key, entry.value.value) for entry in props if isinstance(entry.value, ir.Lit)]


def passes(row: Row, element: NodeV | RelV, tests: Tests) -> bool:
    return all(equal(element.props.get(key), fn(row)) for key, fn in tests)


def bound_node(var: str, taken: set[int], tests: Tests) -> Maker:
    """The start of a path at a node that is known; null matches nothing."""

    def maker(after: Step) -> Step:
        def step(row: Row, _: Any) -> bool:
            node = row[var]
            if node is None:
                return False
            if node.__class__ is not NodeV:
                raise Failed("a pattern on a variable that is no node")
            if node.id not in taken or (tests and not passes(row, node, tests)):
                return False
            return after(row, node)

        return step

    return maker


def path_of(parts: list[Any]) -> PathV:
    """Nodes and relationships in turn; in place of a relationship a list of them, where the length is variable."""
    nodes, rels = [parts[0]], []
    for part in parts[1::2]:
        for rel in part if isinstance(part, list) else (part,):
            rels.append(rel)
            nodes.append(rel.target if rel.source is nodes[-1] else rel.source)
    return PathV(tuple(nodes), tuple(rels))

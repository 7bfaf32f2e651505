"""Our own evaluator of SQL: a query is compiled to functions of rows, and run over small tables.

The rows it gives are those that any plan must give, as a bag. What the standard or the manual leaves to an engine is
`Undetermined`, never guessed: which of several equal values stands for a group, a column beside an aggregate whose
values differ, an error that only some plans would meet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gainsay.core.tree import walk
from gainsay.families.sql.language import ir
from gainsay.families.sql.meaning import nested, ordering, sets
from gainsay.families.sql.meaning.grouping import Grouping
from gainsay.families.sql.meaning.rows import (
    INNER,
    Fetch,
    Relation,
    Rows,
    Used,
    kept,
    lateral,
    of_groups,
    of_rows,
    once,
    product,
    step,
)
from gainsay.families.sql.meaning.scope import NO_TOTALS, NOTHING, NOWHERE, Known, Scope, Totals
from gainsay.families.sql.meaning.storage import Undetermined
from gainsay.families.sql.meaning.system import Attribute, TypeSystem
from gainsay.families.sql.meaning.term import Row, Term
from gainsay.families.sql.meaning.windows import Window

UNIONS = ("UNION", "UNION ALL")
ANYTHING = Term(len)  # a value of which nothing is known before


class Plan(NamedTuple):
    """A query that was compiled: what its columns are, and its rows for a row of the query around it."""

    columns: tuple[Term, ...]
    run: Fetch
    is_correlated: bool


class Compiler:
    """Compiles expressions and queries over some relations."""

    def __init__(self, system: TypeSystem, relations: Mapping[str, Relation]) -> None:
        self.system = system
        self.relations = relations
        self._meanings = system.meanings
        # Expressions that were compiled before their query, with what they read and which columns they use of it
        self._ready: dict[int, tuple[Any, Any, Term, list[int]]] = {}

    # --- expressions --------------------------------------------------------------------------------------------------

    def term(self, node: Any, scope: Scope, known: Known = NOTHING, totals: Totals = NO_TOTALS) -> Term:
        """An expression, over the columns of a scope. `totals`: where the values of aggregates stand."""
        cls = node.__class__
        if totals and node in totals:
            slot = totals[node]
            scope.used.append(slot.place)
            return slot.term
        if self._ready and not totals:
            ready = self._ready.get(id(node))
            if ready is not None and ready[1] == (scope.read, scope.width) and scope.around is NOWHERE and not known:
                scope.used += ready[3]
                return ready[2]
        if cls is ir.Op:
            meaning = self._meanings.get(node.op)
            if meaning is None:
                raise Undetermined(f"the operator {node.op}")
            return meaning([self.term(a, scope, known, totals) for a in node.args])
        if cls is ir.Col:
            return scope.find(node.rel, node.name)
        if cls is ir.Lit:
            return self.system.literal(node)
        if cls is ir.SubExpr:
            return self._nested(node, scope, known, totals)
        if cls is ir.As:
            return self.term(node.expr, scope, known, totals)
        raise Undetermined(f"a {cls.__name__} as an expression")

    def prepared(self, node: Any, scope: Scope, known: Known) -> Term:
        """An expression, kept for the query that it will stand in, if that reads the same."""
        before = len(scope.used)
        term = self.term(node, scope, known)
        if scope.around is NOWHERE and not known:
            self._ready[id(node)] = node, (scope.read, scope.width), term, scope.used[before:]
        return term

    def forget(self) -> None:
        """Another query begins: what was kept for the last one is of no use."""
        self._ready.clear()

    def _nested(self, node: ir.SubExpr, scope: Scope, known: Known, totals: Totals) -> Term:
        system, plan = self.system, self.plan(node.query, scope, known)
        rows = plan.run if plan.is_correlated else once(plan.run)
        if node.kind == "exists":
            return nested.exists(system, rows)
        if node.kind == "scalar":
            return nested.scalar(plan.columns, rows)
        left = [self.term(a, scope, known, totals) for a in node.args]
        if len(left) != len(plan.columns):
            raise Undetermined("an IN of rows of other sizes")
        if node.kind in ("in", "not in"):
            return nested.among(system, left, plan.columns, rows, node.kind == "in")
        return nested.quantified(system, node.kind, left, rows)

    # --- queries ------------------------------------------------------------------------------------------------------

    def plan(self, query: ir.Query, around: Scope = NOWHERE, known: Known = NOTHING) -> Plan:
        """Compile a query that stands where the columns of `around` are in reach."""
        known = self.with_ctes(query.ctes, known)
        if isinstance(query, ir.Compound):
            return self._compound(query, around, known)
        if isinstance(query, ir.RowList):
            return self._listed(query, around, known)
        if not isinstance(query, ir.Select):
            raise Undetermined("a query that is text")
        return self._select(query, around, known)

    def with_ctes(self, ctes: tuple[ir.Cte, ...], known: Known) -> Known:
        """What is known by name, and what these CTEs name."""
        for cte in ctes:
            names = [c.name for c in cte.columns]
            made = self._repeated(cte, names, known) if cte.is_recursive else self.plan(cte.query, NOWHERE, known)
            known = {**known, cte.name: apart(made, names, self.system.unsaid)}
        return known

    def _repeated(self, cte: ir.Cte, names: Sequence[str], known: Known) -> Plan:
        """A recursive CTE: its first arm, then its second on the rows of the step before, as long as it gives new
        ones."""
        if not isinstance(cte.query, ir.Compound) or len(cte.query.arms) != 2 or cte.query.op not in UNIONS:
            raise Undetermined("a recursive CTE that is no UNION")
        if cte.query.order or cte.query.limit is not None:
            raise Undetermined("an order of a recursive CTE")
        first, second = cte.query.arms
        begun = self.plan(first, NOWHERE, known)
        step: list[Rows] = [[]]
        shown = named(begun, names)
        again = self.plan(second, NOWHERE, {**known, cte.name: Relation(shown.columns, lambda row: step[0])})
        if any(sees_more_than_rows(second, cte.name)):
            raise Undetermined("a recursive CTE of more than rows")
        if [(c.affinity, c.collation) for c in again.columns] != [(c.affinity, c.collation) for c in begun.columns]:
            raise Undetermined("a recursive CTE whose columns change")
        system, columns = self.system, tuple(map(self.system.joined, begun.columns, again.columns))

        def following(rows: Rows) -> Rows:
            step[0] = rows
            return again.run(())

        is_distinct = cte.query.op == "UNION"
        return Plan(columns, lambda row: sets.repeated(system, begun.run(()), following, columns, is_distinct), False)

    def _listed(self, query: ir.RowList, around: Scope, known: Known) -> Plan:
        """VALUES: its columns are those of a compound of its rows."""
        scope = Scope(around)
        rows = [[self.term(v, scope, known) for v in row.values] for row in query.rows]
        if len({len(row) for row in rows}) != 1:
            raise Undetermined("rows of other sizes")
        columns = tuple(rows[0])
        for row in rows[1:]:
            columns = tuple(map(self.system.joined, columns, row))
        return Plan(columns, lambda around: [tuple([t.of(around) for t in row]) for row in rows], scope.is_correlated)

    def _relation(self, join: ir.Join, around: Scope, known: Known) -> Relation:
        if join.call is not None:
            raise Undetermined("a function that gives rows")
        if join.sub is not None:
            plan = self.plan(join.sub, around, known)
            names = [i.name if isinstance(i, (ir.As, ir.Col)) else "" for i in join.sub.items]
            return named(plan, [c.name for c in join.columns] or names, self.system.unsaid)
        found = known.get(join.rel) or self.relations.get(join.rel)
        if found is None:
            raise Undetermined(f"the relation {join.rel}")
        return found

    def _from(self, query: ir.Select, around: Scope, known: Known) -> tuple[Scope, Fetch]:
        """The columns that a query's clauses see, and its joined rows."""
        parts = self._parts(query.source)
        if len(parts) == 1:
            return self._chain(parts[0], around, known)
        whole = Scope(around)
        chains: list[Fetch] = []
        for part in parts:
            scope, fetch = self._chain(part, around, known)
            whole.take(scope)
            chains.append(fetch)
        return whole, product(chains, whole.start)

    def _parts(self, source: tuple[ir.Join, ...]) -> list[tuple[ir.Join, ...]]:
        """The chains of joins of a FROM list: commas part them, where a comma binds weaker than JOIN."""
        found: list[list[ir.Join]] = [[]]
        for join in source:
            if join.kind == "," and self.system.is_comma_weak and found[-1]:
                found.append([])
            found[-1].append(join)
        return [tuple(part) for part in found]

    def _chain(self, source: tuple[ir.Join, ...], around: Scope, known: Known) -> tuple[Scope, Fetch]:
        """Relations that are joined from left to right."""
        scope = Scope(around)
        steps: list[Callable[[Rows, Row], Rows]] = []
        for join in source:
            relation = self._relation(join, scope if join.is_lateral else around, known)
            scope.is_correlated |= relation.is_correlated
            before = scope.width - scope.start
            shared = self.shared(join, scope, relation)
            scope.add(join.alias or join.rel, relation.columns, relation.number)
            on = self._condition(join, scope, known, shared)
            made = lateral if join.is_lateral else step
            steps.append(made(join.way if steps else "", relation, on, before, scope.start))
            self.merge(join, scope, shared)

        def fetch(row: Row) -> Rows:
            rows: Rows = [row]
            for each in steps:
                rows = each(rows, row)
            return rows

        return scope, fetch

    @staticmethod
    def shared(join: ir.Join, scope: Scope, relation: Relation) -> list[tuple[Term, str]]:
        """What a join by names compares: a column before it, and the name of the new one."""
        is_natural = join.kind.startswith("NATURAL")
        names = [c.name for c in relation.columns]
        if not {*join.using} <= {*names}:
            raise Undetermined("USING of a column that is not there")
        found = [(scope.own(name), name) for name in (names if is_natural else join.using)]
        if any(len(terms) > 1 or (join.using and not terms) for terms, _ in found):
            raise Undetermined("which column a join by names compares")
        return [(terms[0], name) for terms, name in found if terms]

    def merge(self, join: ir.Join, scope: Scope, shared: list[tuple[Term, str]]) -> None:
        """The columns that a join by names makes one: without a relation's name, that of the side that has rows."""
        for one, name in shared:
            places = tuple(place for _, read in scope.named(name) for place in read)
            other = scope.find(join.alias or join.rel, name)
            scope.merge(name, self.system.merged(join.way, one, other), places)

    def _used(self, node: Any, scope: Scope, known: Known, totals: Totals = NO_TOTALS) -> tuple[Term, Used]:
        """An expression over the columns of a scope, with those that it uses."""
        before = len(scope.used)
        term = self.term(node, scope, known, totals)
        places = scope.used[before:]
        return term, Used(term.of, tuple(dict.fromkeys(places) if len(places) > 1 else places))

    def _test(self, node: Any, scope: Scope, known: Known) -> Used:
        """Whether a condition is true."""
        (of, places), truth = self._used(node, scope, known)[1], self.system.truth
        return Used(lambda row: truth(of(row)), places)

    def _condition(self, join: ir.Join, scope: Scope, known: Known, shared: list[tuple[Term, str]]) -> Used | None:
        """Whether two rows are joined; None where all are."""
        if join.on is not None:
            return self._test(join.on, scope, known)
        if not shared:
            return None
        truth, equal = self.system.truth, self._meanings["="]
        tests = [equal((one, scope.find(join.alias or join.rel, name))).of for one, name in shared]
        return Used(lambda row: all(truth(test(row)) for test in tests), tuple(range(scope.start, scope.width)))

    def _select(self, query: ir.Select, around: Scope, known: Known) -> Plan:
        scope, fetch = self._from(query, around, known)
        if query.where is not None:
            fetch = kept(fetch, self._test(query.where, scope, known))
        parts = (*query.items, query.having, *query.distinct_on, *(o.expr for o in query.order))
        aggregates, windows = found_in(parts)
        if query.group or aggregates:
            if windows or query.distinct_on:
                raise Undetermined("windows over groups")
            totals, grouping = self._grouped(query, scope, known, fetch, aggregates)
            groups, only = grouping.groups, grouping.only
            return self._shown(query, scope, known, totals, lambda values: of_groups(groups, values, only))
        if query.having is not None:
            raise Undetermined("HAVING without groups")
        totals, run = self._windowed(windows, scope, known, fetch) if windows else ({}, fetch)
        return self._shown(query, scope, known, totals, lambda values: of_rows(run, values))

    def _shown(
        self, query: ir.Select, scope: Scope, known: Known, totals: Totals, valued: Callable[[list[Used]], Fetch]
    ) -> Plan:
        """What a query shows of its rows or groups, without doubles, in order, and cut."""
        shown = [self._used(i, scope, known, totals) for i in query.items]
        columns = tuple([term for term, _ in shown])
        width = len(columns)
        keys: list[ordering.SortKey] = []
        more: list[Used] = []
        for node in query.order if query.limit is not None or query.distinct_on else ():
            place = ordering.place_of(node, query.items)
            term, used = shown[place] if place is not None else self._used(node.expr, scope, known, totals)
            place = width + len(more) if place is None else place
            more += [used] if place >= width else []
            keys.append(ordering.sort_key(self.system, node, term.at(place)))
        places = [ordering.place_of(ir.Order(e), query.items) for e in query.distinct_on]
        firsts = [(place, columns[place]) for place in places if place is not None]
        if len(firsts) < len(places):
            raise Undetermined("DISTINCT ON what is not shown")
        if query.distinct and more:
            raise Undetermined("an order of distinct rows by what is not shown")
        fetch = valued([*(used for _, used in shown), *more])
        if query.distinct:
            fetch = sets.distinct(self.system, fetch, columns)
        if firsts:
            fetch = sets.first_of(self.system, fetch, keys, firsts)
        return Plan(columns, self._cut(query, fetch, keys, width), scope.is_correlated)

    def _cut(self, query: ir.Select | ir.Compound, fetch: Fetch, keys: list[ordering.SortKey], width: int) -> Fetch:
        """The rows that LIMIT and OFFSET leave."""
        most, start = ordering.number(query.limit), ordering.number(query.offset) or 0
        if most is None:
            return fetch if len(keys) == 0 else lambda row: [each[:width] for each in fetch(row)]
        system = self.system
        return lambda row: [
            each[:width] for each in ordering.cut(system, ordering.groups(system, fetch(row), keys), start, most, width)
        ]

    def _windowed(self, nodes: Sequence[ir.Over], scope: Scope, known: Known, fetch: Fetch) -> tuple[Totals, Fetch]:
        """Rows, each with the values of the window functions behind its columns."""
        if any(isinstance(n, ir.SubExpr) for node in nodes for _, n in walk(node)):
            raise Undetermined("a subquery in a window")
        windows = [Window(self.system, node, lambda part: self.term(part, scope, known)) for node in nodes]
        by_row = [window for window in windows if window.is_by_row()]
        are_several = len({(window.node.partition, window.node.order) for window in by_row}) > 1
        for window in by_row:
            window.is_one_of_several = are_several
        totals = scope.reserve([(node, Term(len, type=w.type)) for node, w in zip(nodes, windows, strict=True)])

        def run(row: Row) -> Rows:
            rows = fetch(row)
            values = zip(*[w.run(rows) for w in windows], strict=True)
            return [one + more for one, more in zip(rows, values, strict=True)]

        return totals, run

    def _grouped(
        self, query: ir.Select, scope: Scope, known: Known, fetch: Fetch, aggregates: Sequence[ir.Agg]
    ) -> tuple[Totals, Grouping]:
        """The groups of a query, and where the values of its aggregates and keys stand."""
        if any(isinstance(g, ir.Lit) for g in query.group):
            raise Undetermined("a group by a constant, which may be the place of an item")
        missing = (None,) * (scope.width - scope.start)
        keys = [self.term(g, scope, known) for g in query.group]
        computed = [self._total(node, scope, known) for node in aggregates]
        totals = scope.reserve([(node, ANYTHING) for node in aggregates])
        if query.grouping:
            totals = {**totals, **scope.reserve(list(zip(query.group, keys, strict=True)))}
        having = self.term(query.having, scope, known, totals).of if query.having is not None else None
        extreme = self._extreme(aggregates, scope, known)
        return totals, Grouping(self.system, fetch, keys, query.grouping, missing, computed, extreme, having)

    def _total(self, node: ir.Agg, scope: Scope, known: Known) -> Callable[[Rows], Any]:
        """An aggregate of the rows of a group."""
        before = len(scope.used)
        arg = self.term(node.arg, scope, known) if node.arg is not None else None
        if scope.is_correlated and len(scope.used) == before and not isinstance(node.arg, (ir.Lit, type(None))):
            raise Undetermined("an aggregate that may be of the query around")
        function = self.system.aggregate(node, arg)
        of, truth = arg.of if arg is not None else None, self.system.truth
        where = self.term(node.where, scope, known).of if node.where is not None else None

        def total(rows: Rows) -> Any:
            if where is not None:
                rows = [each for each in rows if truth(where(each))]
            return function(list(rows) if of is None else [of(each) for each in rows])

        return total

    def _extreme(self, nodes: Sequence[ir.Agg], scope: Scope, known: Known) -> Callable[[Rows, Row], Rows] | None:
        """The rows of which columns beside one MIN or MAX are, where an engine says so: those that have it."""
        found = [n for n, node in enumerate(nodes) if self.system.aggregates[node.fn].is_extreme]
        if len(found) != 1 or not self.system.has_row_of_extreme:
            return None
        node, place = nodes[found[0]], found[0]
        if node.where is not None or node.arg is None:
            return None
        of, is_identical = self.term(node.arg, scope, known).of, self.system.is_identical
        return lambda rows, values: [r for r in rows if is_identical(of(r), values[place])] or rows

    def _compound(self, query: ir.Compound, around: Scope, known: Known) -> Plan:
        """UNION, INTERSECT, EXCEPT, from left to right."""
        plans = [self.plan(arm, around, known) for arm in query.arms]
        if len({len(p.columns) for p in plans}) > 1:
            raise Undetermined("arms of other sizes")
        columns, run = plans[0].columns, plans[0].run
        for plan in plans[1:]:
            columns = tuple(map(self.system.joined, columns, plan.columns))
            run = sets.combined(self.system, query.op, run, plan.run, columns)
        if query.limit is not None:
            run = self._cut(query, run, self._ranked(query, columns), len(columns))
        return Plan(columns, run, any(p.is_correlated for p in plans))

    def _ranked(self, query: ir.Compound, columns: Sequence[Term]) -> list[ordering.SortKey]:
        """The order of a compound query, by the places of its columns."""
        found = []
        for node in query.order:
            place = ordering.place_of(node, query.arms[0].items)
            if place is None:
                raise Undetermined("an order of a compound query by what is not shown")
            found.append(ordering.sort_key(self.system, node, columns[place].at(place)))
        return found


def named(plan: Plan, names: Sequence[str], unsaid: str = "") -> Relation:
    """A query as a relation whose columns have names. `unsaid`: the collating sequence of those that are no columns
    themselves. A COLLATE in a column's expression is not said to be seen from outside, so that its collating sequence
    is nobody's."""
    if len(names) != len(plan.columns):
        raise Undetermined("other columns than their names")
    columns = [
        Attribute(name, c.affinity, "?" if c.explicit else c.collation or unsaid, c.type)
        for name, c in zip(names, plan.columns, strict=True)
    ]
    return Relation(tuple(columns), plan.run if plan.is_correlated else once(plan.run), plan.is_correlated)


def apart(plan: Plan, names: Sequence[str], unsaid: str = "") -> Relation:
    """A query that sees no columns around it, as a relation: a CTE, a view."""
    fetch = once(lambda row: plan.run(()))
    return Relation(named(plan, names, unsaid).columns, fetch)


def found_in(parts: Iterable[Any]) -> tuple[list[ir.Agg], list[ir.Over]]:
    """The aggregates and window functions of a query's clauses, each once, without those of queries in it."""
    found: dict[Any, None] = {}
    waiting = list(parts)
    while waiting:
        node = waiting.pop()
        cls = node.__class__
        if cls is ir.Op or cls is ir.SubExpr:
            waiting += node.args
        elif cls is ir.Agg or cls is ir.Over:
            found[node] = None
            if any(isinstance(n, (ir.Agg, ir.Over)) for _, n in walk(node) if n is not node):
                raise Undetermined("an aggregate of an aggregate")
        elif cls is ir.As:
            waiting.append(node.expr)
    return [n for n in found if isinstance(n, ir.Agg)], [n for n in found if isinstance(n, ir.Over)]


def sees_more_than_rows(query: ir.Select, name: str) -> Iterator[bool]:
    """Whether a step of a recursive CTE sees more than one row of the step before at a time."""
    yield query.distinct or bool(query.group) or query.limit is not None or bool(query.distinct_on)
    yield any(isinstance(n, (ir.Agg, ir.Over)) for _, n in walk(query))
    yield [j.rel for j in query.source].count(name) != 1 or any(j.kind not in INNER for j in query.source)
    yield sum(isinstance(n, ir.Join) and n.rel == name for _, n in walk(query)) > 1

"""Our own evaluator of SQL: a query is compiled to functions of rows, and run over small tables.

The rows it gives are those that any plan must give, as a bag. What the standard or the manual leaves to an engine is
`Undetermined`, never guessed: which of several equal values stands for a group, a column beside an aggregate whose
values differ, an error that only some plans would meet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from gainsay.core.tree import walk
from gainsay.families.sql.language import ir
from gainsay.families.sql.meaning.storage import TooBig, Undetermined
from gainsay.families.sql.meaning.system import UNKNOWN, Attribute, TypeSystem
from gainsay.families.sql.meaning.term import Row, Term, Value

MOST = 3000  # rows that are made before a join's condition is asked
Rows = list[Row]
Fetch = Callable[[Row], Rows]
OUTER = frozenset({"LEFT JOIN", "RIGHT JOIN", "FULL JOIN"})
INNER = frozenset({"", ",", "JOIN", "CROSS JOIN", "NATURAL JOIN", "STRAIGHT_JOIN"})


class Relation(NamedTuple):
    """Columns, and the rows for a row of the query around it."""

    columns: tuple[Attribute, ...]
    fetch: Fetch
    is_correlated: bool = False


class Scope:
    """The columns in reach: those of the query itself behind those of the queries around it, in one row."""

    def __init__(self, around: Scope | None = None) -> None:
        self.around = around
        self.start: int = around.width if around is not None else 0
        self.width: int = self.start
        self.is_correlated = False  # whether anything of the queries around was used
        self._places: dict[tuple[str, str], Term] = {}
        self._names: dict[str, list[Term]] = {}
        self._listed: list[tuple[str, Attribute]] = []

    def add(self, name: str, columns: Iterable[Attribute]) -> None:
        for column in columns:
            term = Term(itemgetter(self.width), column.affinity, column.collation, "", column.type)
            self._places[name, column.name] = term
            self._names.setdefault(column.name, []).append(term)
            self._listed.append((name, column))
            self.width += 1

    def take(self, other: Scope) -> None:
        """Put the columns of another scope of the same query behind the own ones."""
        self.is_correlated |= other.is_correlated
        for name, column in other._listed:
            self.add(name, (column,))

    def find(self, rel: str, name: str) -> Term:
        found = [self._places[rel, name]] if (rel, name) in self._places else [] if rel else self._names.get(name, [])
        if len(found) == 1:
            if found[0].type == UNKNOWN:
                raise Undetermined("a column of a type without meaning")
            return found[0]
        if found or self.around is None:
            raise Undetermined(f"the column {rel}.{name}")
        self.is_correlated = True
        return self.around.find(rel, name)

    def own(self, name: str) -> list[Term]:
        """The columns of that name of the query itself."""
        return self._names.get(name, [])


NOWHERE = Scope()
Known = Mapping[str, Relation]  # what CTEs name
NOTHING: Known = MappingProxyType({})


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

    # --- expressions --------------------------------------------------------------------------------------------------

    def term(self, node: Any, scope: Scope, known: Known = NOTHING, totals: Mapping[ir.Agg, Term] = {}) -> Term:
        """An expression, over the columns of a scope. `totals`: where the values of aggregates stand."""
        cls = node.__class__
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
        if cls is ir.Agg and node in totals:
            return totals[node]
        if cls is ir.As:
            return self.term(node.expr, scope, known, totals)
        raise Undetermined(f"a {cls.__name__} as an expression")

    def _nested(self, node: ir.SubExpr, scope: Scope, known: Known, totals: Mapping[ir.Agg, Term]) -> Term:
        plan = self.plan(node.query, scope, known)
        rows = plan.run if plan.is_correlated else once(plan.run)
        if node.kind == "exists":
            return Term(lambda row: self.true if rows(row) else self.false)
        if node.kind == "scalar":
            if len(plan.columns) != 1:
                raise Undetermined("a scalar subquery of several columns")
            return self._scalar(plan, rows)
        left = [self.term(a, scope, known, totals) for a in node.args]
        if len(left) != len(plan.columns):
            raise Undetermined("an IN of rows of other sizes")
        test, is_in, true, false = (
            self.system.in_rows(left, plan.columns),
            "not" not in node.kind,
            self.true,
            self.false,
        )

        def of(row: Row) -> Any:
            is_open = False
            for other in rows(row):
                found = test(row, other)
                if found:
                    return true if is_in else false
                is_open |= found is None
            return None if is_open else false if is_in else true

        return Term(of, type="bool")

    @staticmethod
    def _scalar(plan: Plan, rows: Fetch) -> Term:
        def of(row: Row) -> Any:
            found = rows(row)
            if len(found) > 1:
                raise Undetermined("which row of a scalar subquery")
            return found[0][0] if found else None

        (only,) = plan.columns
        if only.affinity or only.collation or only.explicit:
            raise Undetermined("the affinity of a scalar subquery")
        return Term(of, type=only.type)

    @property
    def true(self) -> Any:
        return self.system.literal(ir.TRUE).of(())

    @property
    def false(self) -> Any:
        return self.system.literal(ir.FALSE).of(())

    # --- queries ------------------------------------------------------------------------------------------------------

    def plan(self, query: ir.Query, around: Scope = NOWHERE, known: Known = NOTHING) -> Plan:
        """Compile a query that stands where the columns of `around` are in reach."""
        known = self.with_ctes(query.ctes, known)
        if isinstance(query, ir.Compound):
            return self._compound(query, around, known)
        if not isinstance(query, ir.Select):
            raise Undetermined("a query that is text")
        return self._select(query, around, known)

    def with_ctes(self, ctes: tuple[ir.Cte, ...], known: Known) -> Known:
        """What is known by name, and what these CTEs name."""
        for cte in ctes:
            known = {**known, cte.name: apart(self.plan(cte.query, NOWHERE, known), [c.name for c in cte.columns])}
        return known

    def _relation(self, join: ir.Join, around: Scope, known: Known) -> Relation:
        if join.call is not None or join.is_lateral:
            raise Undetermined("what depends on the relation before it")
        if join.sub is not None:
            plan = self.plan(join.sub, around, known)
            names = [i.name if isinstance(i, (ir.As, ir.Col)) else "" for i in join.sub.items]
            return named(plan, names)
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
            relation = self._relation(join, around, known)
            scope.is_correlated |= relation.is_correlated
            before = scope.width - scope.start
            shared = self._shared(join, scope, relation)
            scope.add(join.alias or join.rel, relation.columns)
            on = self._condition(join, scope, known, shared)
            steps.append(step(join.kind if steps else "", relation, on, before, scope.start))

        def fetch(row: Row) -> Rows:
            rows: Rows = [row]
            for each in steps:
                rows = each(rows, row)
            return rows

        return scope, fetch

    @staticmethod
    def _shared(join: ir.Join, scope: Scope, relation: Relation) -> list[tuple[Term, str]]:
        """What a NATURAL JOIN compares: a column before it, and the name of the new one."""
        if not join.kind.startswith("NATURAL"):
            return []
        found = [(scope.own(c.name), c.name) for c in relation.columns]
        if any(len(terms) > 1 for terms, _ in found):
            raise Undetermined("which column a NATURAL JOIN compares")
        return [(terms[0], name) for terms, name in found if terms]

    def _condition(self, join: ir.Join, scope: Scope, known: Known, shared: list[tuple[Term, str]]) -> Value | None:
        """Whether two rows are joined; None where all are."""
        truth = self.system.truth
        if join.on is not None:
            on = self.term(join.on, scope, known).of
            return lambda row: truth(on(row))
        if not shared:
            return None
        equal = self._meanings["="]
        tests = [equal((one, scope.find(join.alias or join.rel, name))).of for one, name in shared]
        return lambda row: all(truth(test(row)) for test in tests)

    def _select(self, query: ir.Select, around: Scope, known: Known) -> Plan:
        if query.distinct_on:
            raise Undetermined("DISTINCT ON")
        scope, fetch = self._from(query, around, known)
        if query.where is not None:
            fetch = kept(fetch, self.term(query.where, scope, known).of, self.system.truth)
        aggregates = found_in((*query.items, query.having, *(o.expr for o in query.order)))
        if query.group or aggregates:
            columns, run = self._grouped(query, scope, known, fetch, aggregates)
        else:
            if query.having is not None:
                raise Undetermined("HAVING without groups")
            columns = tuple(self.term(i, scope, known) for i in query.items)
            run = shown(fetch, [c.of for c in columns])
        if query.distinct:
            run = self._distinct(run, columns)
        return Plan(columns, run, scope.is_correlated)

    def _grouped(
        self, query: ir.Select, scope: Scope, known: Known, fetch: Fetch, aggregates: Sequence[ir.Agg]
    ) -> tuple[tuple[Term, ...], Fetch]:
        """A grouped query. What is no aggregate must have one value for all rows of a group."""
        system, truth, start = self.system, self.system.truth, scope.start
        keys = [self.term(g, scope, known) for g in query.group]
        totals: dict[ir.Agg, Term] = {}
        parts: list[tuple[Value | None, Callable[[list[Any]], Any]]] = []
        for place, node in enumerate(aggregates):
            arg = self.term(node.arg, scope, known) if node.arg is not None else None
            function, term = system.aggregate(node, arg)
            totals[node] = Term(itemgetter(scope.width + place), term.affinity, term.collation, "", term.type)
            parts.append((arg.of if arg is not None else None, function))
        columns = tuple(self.term(i, scope, known, totals) for i in query.items)
        having = self.term(query.having, scope, known, totals).of if query.having is not None else None
        nothing = (None,) * (scope.width - start)

        def groups(row: Row) -> list[Rows]:
            rows = fetch(row)
            if not keys:
                return [rows]
            found: dict[Any, Rows] = {}
            for each in rows:
                found.setdefault(tuple([system.key(k.of(each), k) for k in keys]), []).append(each)
            return list(found.values())

        def run(row: Row) -> Rows:
            result = []
            for rows in groups(row):
                values = tuple([f(rows) if of is None else f([of(each) for each in rows]) for of, f in parts])
                wide = [each + values for each in rows] or [row + nothing + values]
                if having is not None and not truth(self._only([having(w) for w in wide])):
                    continue
                result.append(tuple([self._only([c.of(w) for w in wide]) for c in columns]))
            return result

        return columns, run

    def _only(self, values: list[Any]) -> Any:
        """The one value that all rows of a group have."""
        first = values[0]
        for other in values:
            if not self.system.is_identical(first, other):
                raise Undetermined("which row of a group is shown")
        return first

    def _distinct(self, run: Fetch, columns: Sequence[Term]) -> Fetch:
        def distinct(row: Row) -> Rows:
            found: dict[Any, Row] = {}
            for each in run(row):
                self._alike(found.setdefault(self._key(each, columns), each), each)
            return list(found.values())

        return distinct

    def _key(self, row: Row, columns: Sequence[Term]) -> Any:
        return tuple([self.system.key(value, column) for value, column in zip(row, columns, strict=True)])

    def _alike(self, one: Row, other: Row) -> None:
        """Of two equal rows either may be shown; where they differ to the eye, nobody can tell."""
        if one is not other and not all(map(self.system.is_identical, one, other)):
            raise Undetermined("which of two equal rows is shown")

    def _compound(self, query: ir.Compound, around: Scope, known: Known) -> Plan:
        """UNION, INTERSECT, EXCEPT, from left to right."""
        plans = [self.plan(arm, around, known) for arm in query.arms]
        if len({len(p.columns) for p in plans}) > 1:
            raise Undetermined("arms of other sizes")
        columns, run = plans[0].columns, plans[0].run
        for plan in plans[1:]:
            columns = tuple(map(self.system.joined, columns, plan.columns))
            run = self._combined(query.op, run, plan.run, columns)
        return Plan(columns, run, any(p.is_correlated for p in plans))

    def _combined(self, op: str, one: Fetch, other: Fetch, columns: Sequence[Term]) -> Fetch:
        if op == "UNION ALL":
            return lambda row: one(row) + other(row)
        if op not in ("UNION", "INTERSECT", "EXCEPT"):
            raise Undetermined(op)

        def run(row: Row) -> Rows:
            left, right = one(row), other(row)
            found: dict[Any, Row] = {}
            ours = left + right if op == "UNION" else left
            for each in ours:
                self._alike(found.setdefault(self._key(each, columns), each), each)
            if op == "UNION":
                return list(found.values())
            theirs = {self._key(each, columns): each for each in right}
            for key in found.keys() & theirs.keys():
                self._alike(found[key], theirs[key])
            return [each for key, each in found.items() if (key in theirs) == (op == "INTERSECT")]

        return run


def named(plan: Plan, names: Sequence[str]) -> Relation:
    """A query as a relation whose columns have names. A COLLATE in a column's expression is not said to be seen from
    outside, so that its collating sequence is nobody's."""
    if len(names) != len(plan.columns):
        raise Undetermined("other columns than their names")
    columns = [
        Attribute(name, c.affinity, "?" if c.explicit else c.collation, c.type)
        for name, c in zip(names, plan.columns, strict=True)
    ]
    return Relation(tuple(columns), plan.run if plan.is_correlated else once(plan.run), plan.is_correlated)


def once(run: Fetch) -> Fetch:
    """The same rows whatever the row around is: made when they are first asked for."""
    made: list[Rows] = []

    def fetch(row: Row) -> Rows:
        if not made:
            made.append(run(row))
        return made[0]

    return fetch


def apart(plan: Plan, names: Sequence[str]) -> Relation:
    """A query that sees no columns around it, as a relation: a CTE, a view."""
    fetch = once(lambda row: plan.run(()))
    return Relation(named(plan, names).columns, fetch)


def kept(fetch: Fetch, condition: Value, truth: Callable[[Any], bool | None]) -> Fetch:
    return lambda row: [each for each in fetch(row) if truth(condition(each))]


def shown(fetch: Fetch, values: Sequence[Value]) -> Fetch:
    return lambda row: [tuple([of(each) for of in values]) for each in fetch(row)]


def found_in(parts: Iterable[Any]) -> list[ir.Agg]:
    """The aggregates of a query's clauses, each once, without those of queries in it."""
    found: dict[ir.Agg, None] = {}
    waiting = [p for p in parts if p is not None]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ir.Agg):
            found[node] = None
            if any(isinstance(n, ir.Agg) for _, n in walk(node.arg)):
                raise Undetermined("an aggregate of an aggregate")
        elif isinstance(node, ir.Op):
            waiting += node.args
        elif isinstance(node, ir.As):
            waiting.append(node.expr)
        elif isinstance(node, ir.SubExpr):
            waiting += node.args
    return list(found)


def product(chains: Sequence[Fetch], start: int) -> Fetch:
    """Every row of one chain with every row of the others."""

    def fetch(row: Row) -> Rows:
        rows = chains[0](row)
        for chain in chains[1:]:
            others = chain(row)
            if len(rows) * len(others) > MOST:
                raise TooBig
            rows = [one + other[start:] for one in rows for other in others]
        return rows

    return fetch


def step(kind: str, relation: Relation, on: Value | None, before: int, start: int) -> Callable[[Rows, Row], Rows]:
    """How one more relation is joined. `before`: how many columns stand before it."""
    if kind not in INNER and kind not in OUTER:
        raise Undetermined(kind)
    fetch, is_left, is_right = relation.fetch, kind in ("LEFT JOIN", "FULL JOIN"), kind in ("RIGHT JOIN", "FULL JOIN")
    missing = (None,) * len(relation.columns)

    def joined(rows: Rows, around: Row) -> Rows:
        others = fetch(around)
        if len(rows) * len(others) > MOST:
            raise TooBig
        if not is_left and not is_right:
            pairs = [one + other for one in rows for other in others]
            return pairs if on is None else [pair for pair in pairs if on(pair)]
        result: Rows = []
        used: set[int] = set()
        for one in rows:
            is_alone = True
            for place, other in enumerate(others):
                pair = one + other
                if on is None or on(pair):
                    result.append(pair)
                    used.add(place)
                    is_alone = False
            if is_alone and is_left:
                result.append(one + missing)
        if is_right:
            alone = around[:start] + (None,) * before
            result += [alone + other for place, other in enumerate(others) if place not in used]
        return result

    return joined

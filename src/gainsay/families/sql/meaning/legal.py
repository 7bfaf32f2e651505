"""Whether a database and its queries have one possible answer.
The generator builds them so; a reducer must not lose it.

The paper's corner cases (NoREC, section 3.4, Listings 5 to 7): DISTINCT and GROUP BY choose among values that are equal
but not identical (0 and 0.0, 'a' and 'A' under NOCASE), and a column that is neither grouped nor aggregated shows any
row's value."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from gainsay.core.model import Seats
from gainsay.core.tree import Node, walk
from gainsay.families.sql.language import dialects, ir
from gainsay.families.sql.language.dialect import SqlDialect
from gainsay.families.sql.language.schema import Attribute, Relation, after
from gainsay.families.sql.meaning.ordering import place_of
from gainsay.families.sql.meaning.storage import Undetermined

ONE = ir.Lit("int", "1")
BESIDE = frozenset({"trailing-space", "real-digits", "collation-rules"})  # facts on which literals and columns depend
Known = Mapping[str, Relation]


def disputed(seats: Seats, spoken: Collection[SqlDialect]) -> frozenset[str]:
    """What seats can't be compared on: facts on which their manuals differ, and between several engines also those of
    which one of the manuals says nothing."""
    if len({seat.target.engine for seat in seats}) < 2:
        return seats.disputed
    needed = BESIDE.union(*(operator.facts for dialect in spoken for operator in dialect.operators.values()))
    return seats.disputed | {fact for fact in needed if any(fact not in dict(seat.facts) for seat in seats)}


def is_choosing(scene: ir.Scene) -> bool:
    """Whether an UPDATE takes values from a row of another relation: of several such rows, an engine may take any."""
    return any(
        isinstance(node, ir.Col) and node.rel in {j.alias or j.rel for j in s.source}
        for s in scene.statements
        if isinstance(s, ir.Update)
        for each in s.sets
        for _, node in walk(each)
    )


def is_legal(scene: ir.Scene, recipe: Any) -> bool:
    """True if nothing in the scene or the recipe's queries is left to the engine's choice.
    Text that was not parsed is trusted."""
    known: dict[str, Relation] = {}
    for statement in scene.statements:
        if isinstance(statement, ir.CreateView):
            if not is_determined(statement.query, known) or not keeps_marks(statement, known):
                return False
        if isinstance(statement, ir.Insert) and statement.query is not None:
            if not is_determined(statement.query, known):
                return False
        after(known, statement)
    if not all(is_well_joined(node) for _, node in walk(recipe) if isinstance(node, ir.Select)):
        return False
    if recipe.is_self_checked:
        return True
    if recipe.condition_field and isinstance(recipe.subject, ir.Select):
        if not fits(recipe.tested, known, scope_of(recipe.subject, known)):
            return False
    if recipe.shared_question is not None and not has_exact_rows(recipe.shared_question, known):
        return False
    return all(is_determined(q, known) for q in outermost(recipe))


def has_exact_rows(question: Any, known: Known) -> bool:
    """Whether no row of an answer is one of several equal ones: DISTINCT, GROUP BY and set operators see identical
    values only."""
    if isinstance(question, ir.Compound):
        return question.op == "UNION ALL" or has_exact_arms(question, known)
    if not isinstance(question, ir.Select):
        return True
    scope = scope_of(question, known)
    chosen = question.items if question.distinct or question.distinct_on else question.group
    return all(is_exact(i, scope) for i in chosen)


def scope_of(query: ir.Select, known: Known) -> Known:
    named = {**known, **{c.name: Relation(c.name, tuple(map(described, c.columns)), "view") for c in query.ctes}}
    return {
        j.alias or j.rel: made_here(j) if j.is_made else named[j.rel]
        for j in query.source
        if j.is_made or j.rel in named
    }


def made_here(join: ir.Join) -> Relation:
    """What a query or a function in a FROM list gives."""
    return Relation(join.alias, tuple(map(described, join.columns)), "view")


def described(column: ir.ViewColumn) -> Attribute:
    return Attribute(column.name, column.cls, column.clean, column.exact)


def outermost(value: Any) -> Iterator[ir.Select]:
    """The selects of a tree that are not inside another one."""
    if isinstance(value, ir.Select):
        yield value
    elif isinstance(value, Node):
        for name in value.__struct_fields__:
            yield from outermost(getattr(value, name))
    elif isinstance(value, tuple):
        for part in value:
            yield from outermost(part)


def is_determined(query: Any, known: Known, outer: Known | None = None) -> bool:
    """Whether a query has one possible answer, on relations that are known."""
    if isinstance(query, ir.RowList):
        return True
    if isinstance(query, ir.Compound):
        is_cut = query.limit is not None
        is_known = not is_cut or (is_by_all(query.order, query.arms[0].items) and has_exact_arms(query, known))
        return is_known and all(is_determined(a, known, outer) for a in query.seen())
    names = [j.alias or j.rel for j in query.source]
    if len(set(names)) < len(names):
        return False  # which of the two a column is of
    if not is_well_joined(query):
        return False
    scope = dict(outer or {})
    local = dict(known)
    if not with_ctes(query, local):
        return False
    before: list[Attribute] = []
    for each in query.source:
        if not is_well_made(each, local, scope, outer or {}):
            return False
        relation = made_here(each) if each.is_made else local.get(each.rel)
        if relation is not None:
            scope[each.alias or each.rel] = relation
            if not is_joinable(each, before, relation):
                return False
            before += relation.attributes
    if not is_choice_known(query, scope):
        return False
    if is_aggregated(query) and not all(is_grouped(i, query.group) for i in query.items):
        return False
    return all(fits(part, local, scope) for part in parts(query))


def is_well_joined(query: ir.Select) -> bool:
    """Whether the first relation is joined to nothing, and each other one to those before it: anything else has a
    meaning and is not written."""
    first, others = query.source[:1], query.source[1:]
    return not any(j.kind or j.on or j.using for j in first) and all(j.kind for j in others)


def with_ctes(query: ir.Select, known: dict[str, Relation]) -> bool:
    """Add what a query's CTEs name to what is known; false where one of them has several outcomes."""
    for cte in query.ctes:
        if cte.is_recursive:
            if not is_bounded(cte):
                return False
            known[cte.name] = Relation(cte.name, tuple(map(described, cte.columns)), "view")
        if not is_determined(cte.query, known) or not marks_hold(cte.columns, cte.query, known, cte.is_recursive):
            return False
        known[cte.name] = Relation(cte.name, tuple(map(described, cte.columns)), "view")
    return True


def is_choice_known(query: ir.Select, scope: Known) -> bool:
    """Whether it is known which rows DISTINCT ON and LIMIT choose, and which row a window function sees first."""
    if query.distinct_on and not is_first_known(query, scope):
        return False
    if query.limit is not None and not (
        is_by_all(query.order, query.items) and all(is_exact(i, scope) for i in query.items)
    ):
        return False
    return all(is_window_known(n, scope) for i in query.items for _, n in walk(i) if isinstance(n, ir.Over))


def is_by_all(order: tuple[ir.Order, ...], items: tuple[ir.Item, ...]) -> bool:
    """Whether an order is by all that is shown."""
    try:
        by = {place_of(o, items) for o in order}
        return {*items} <= {items[place] for place in by if place is not None}
    except Undetermined:
        return False


def is_window_known(node: ir.Over, scope: Known) -> bool:
    """Whether a window function has one possible value for each row: peers are not told apart, or can't be."""
    frame, row = node.frame, dialects.aggregate(node.fn)
    by = {*node.partition, *(o.expr for o in node.order)}
    listed = [(ir.Col(name, a.name), a) for name, relation in scope.items() for a in relation.attributes]
    if all(a.clean and a.exact and c in by for c, a in listed):
        return True
    if row.is_extreme and not all(is_exact(a, scope) for a in node.args):
        return False
    return row.is_alike and (frame is None or frame.unit != "ROWS")


def is_bounded(cte: ir.Cte) -> bool:
    """Whether a recursive CTE ends: it counts its steps in its last column, and stops at a number."""
    if not isinstance(cte.query, ir.Compound) or len(cte.query.arms) != 2:
        return False
    step = ir.Col(cte.name, cte.columns[-1].name)
    first, second = cte.query.arms
    tests: list[Any] = [second.where]
    for test in tests:
        tests += test.args if isinstance(test, ir.Op) and test.op == "and" else ()
    return (
        is_small(first.items[-1])
        and second.items[-1] == ir.Op("+", (step, ir.Lit("int", "1")))
        and any(isinstance(t, ir.Op) and t.op == "<" and t.args[0] == step and is_small(t.args[1]) for t in tests)
    )


def is_small(expr: Any) -> bool:
    return isinstance(expr, ir.Lit) and expr.kind == "int" and 0 <= expr.number < 9


def has_exact_arms(query: ir.Compound, known: Known) -> bool:
    return all(is_exact(i, scope_of(a, known)) for a in query.seen() for i in a.items)


def is_well_made(join: ir.Join, known: Known, before: Known, outer: Known) -> bool:
    """Whether what is made in a FROM list has one possible outcome. It sees what stands before it: a function always,
    a query if it is lateral."""
    if join.call is not None:
        return all(fits(a, known, before) for a in join.call.args)
    if join.sub is None:
        return True
    return is_determined(join.sub, known, before if join.is_lateral else outer) and (
        not join.columns or marks_hold(join.columns, join.sub, known)
    )


def is_first_known(query: ir.Select, scope: Known) -> bool:
    """Whether DISTINCT ON shows one possible row for each key: what is shown is all in the order, keys first, and rows
    that are equal in it are identical."""
    order = [o.expr for o in query.order]
    keys = order[: len(set(query.distinct_on))]
    return (
        set(keys) == set(query.distinct_on)
        and all(item in order for item in query.items)
        and all(is_exact(e, scope) for e in order)
    )


def is_joinable(join: ir.Join, before: list[Attribute], relation: Relation) -> bool:
    """Whether a join by names compares clean columns only: those of one name on both sides, of one class."""
    shared = {*join.using}
    if join.kind.startswith("NATURAL"):
        shared |= {a.name for a in before} & {a.name for a in relation.attributes}
    both = [a for a in (*before, *relation.attributes) if a.name in shared]
    return all(a.clean for a in both) and len({(a.name, a.cls) for a in both}) <= len(shared)


def parts(query: ir.Select) -> list[Any]:
    return [
        *query.items,
        *(j.on for j in query.source),
        *query.distinct_on,
        query.where,
        *query.group,
        query.having,
        *(o.expr for o in query.order),
    ]


def is_aggregated(query: ir.Select) -> bool:
    return bool(query.group) or any(isinstance(i, ir.Agg) for i in query.items)


def is_grouped(item: Any, group: tuple[ir.Expr, ...]) -> bool:
    return isinstance(item, (ir.Agg, ir.Lit)) or item in group


def fits(expr: Any, known: Known, scope: Known, tested: bool = False) -> bool:
    """No ambiguous column is looked at, but for being NULL; every subquery is determined."""
    if isinstance(expr, ir.Col):
        found = attribute(expr, scope)
        return tested or found is None or found.clean
    if isinstance(expr, ir.Op):
        operator = dialects.row(expr.op)
        return all(fits(a, known, scope, operator is not None and operator.exact) for a in expr.args)
    if isinstance(expr, ir.Agg):
        found, row = attribute(expr.arg, scope) if isinstance(expr.arg, ir.Col) else None, dialects.aggregate(expr.fn)
        if row.is_extreme and found is not None and not found.exact:
            return False
        if row.is_joined and (found is None or not found.exact or [o.expr for o in expr.order] != [expr.arg]):
            return False
        is_known = expr.where is None or fits(expr.where, known, scope)
        return is_known and (expr.arg is None or fits(expr.arg, known, scope, row.exact))
    if isinstance(expr, ir.Over):
        return all(fits(p, known, scope) for p in (*expr.args, *expr.partition, *(o.expr for o in expr.order)))
    if isinstance(expr, ir.SubExpr):
        single = expr.kind != "scalar" or (
            len(expr.query.items) == 1
            and ((isinstance(expr.query.items[0], ir.Agg) and not expr.query.group) or expr.query.limit == ONE)
        )
        return single and all(fits(a, known, scope) for a in expr.args) and is_determined(expr.query, known, scope)
    if isinstance(expr, ir.As):
        return fits(expr.expr, known, scope)
    return True


def attribute(column: Any, scope: Known) -> Attribute | None:
    relation = scope.get(column.rel) if isinstance(column, ir.Col) else None
    return None if relation is None else next((a for a in relation.attributes if a.name == column.name), None)


def keeps_marks(view: ir.CreateView, known: Known) -> bool:
    return marks_hold(view.columns, view.query, known)


def marks_hold(columns: tuple[ir.ViewColumn, ...], query: ir.Query, known: Known, is_recursive: bool = False) -> bool:
    """A column that is called clean or exact must still be so. The last one of a recursive CTE counts its steps."""
    if isinstance(query, ir.RowList):
        return all(not c.exact or has_one_kind(query, place) for place, c in enumerate(columns))
    if isinstance(query, ir.Compound):
        return all(len(columns) == len(a.items) for a in query.arms) and all(
            (query.op == "UNION ALL" or not c.clean) and not c.exact
            if not all(is_exact(a.items[place], scope_of(a, known)) for a in query.seen())
            else True
            for place, c in enumerate(columns[: len(columns) - is_recursive])
        )
    if len(columns) != len(query.items):
        return False
    scope = scope_of(query, known)
    for column, item in zip(columns, query.items, strict=True):
        exact = is_exact(item, scope)
        if (column.exact and not exact) or (column.clean and query.distinct and not exact):
            return False
        if column.clean and query.group and not isinstance(item, ir.Agg) and not exact:
            return False
    return True


def is_exact(item: Any, scope: Known) -> bool:
    """Whether equal values of this term are identical."""
    if isinstance(item, ir.Col):
        found = attribute(item, scope)
        return found is not None and found.exact
    if isinstance(item, ir.Over):
        return dialects.aggregate(item.fn).result == "int"
    if isinstance(item, ir.Op):
        row = dialects.row(item.op)
        return row is not None and row.is_key
    return isinstance(item, ir.Lit) or (isinstance(item, ir.Agg) and not dialects.aggregate(item.fn).is_sum)


def has_one_kind(query: ir.RowList, place: int) -> bool:
    """Whether equal values of a column of VALUES are identical: they are all whole numbers, or all text."""
    values = [row.values[place] for row in query.rows]
    kinds = {v.kind if isinstance(v, ir.Lit) else "" for v in values} - {"null"}
    return kinds <= {"int"} or kinds <= {"text"}

"""WITH and RETURN: columns, groups, DISTINCT, order and cuts, as a function from rows to rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gainsay.core.tree import Node, transform
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.ops import aggregates
from gainsay.families.cypher.language.scopes import free, has_aggregate
from gainsay.families.cypher.meaning.aggregates import Meaning, applied
from gainsay.families.cypher.meaning.expressions import Expressions
from gainsay.families.cypher.meaning.matching import Fn, Row
from gainsay.families.cypher.meaning.values import Failed, Undetermined, check_one_kind, key, rank

Pair = tuple[Row, Row]  # what an ORDER BY sees; the row itself
Keyed = tuple[list[Any], Pair]


class Projecting:
    """What WITH and RETURN make of rows: columns, groups, an order, a part of them."""

    def __init__(self, expressions: Expressions, profile: Mapping[str, str]) -> None:
        self.compiled = expressions.compiled
        self.condition = expressions.condition
        self.aggregates = aggregates(profile)

    def projection(self, clause: ir.With | ir.Return) -> Callable[[list[Row]], list[Row]]:
        """A function from the rows before a clause to those behind it."""
        is_star = isinstance(clause, ir.With) and clause.star
        is_grouping = any(has_aggregate(item.expr) for item in clause.items)
        columns = self.grouped(clause.items, is_star) if is_grouping else self.row_by_row(clause.items, is_star)
        is_narrow = is_grouping or clause.distinct
        sort = self.sorting(clause, is_grouping)
        where = self.condition(clause.where) if isinstance(clause, ir.With) and clause.where is not None else None
        # A WHERE that looks back at what is not projected tells rows apart that are alike.
        is_wide = isinstance(clause, ir.With) and not free(clause.where) <= {item.name for item in clause.items}
        first = clause.skip or 0
        last = None if clause.limit is None else first + clause.limit
        is_sorted = bool(clause.order) and (isinstance(clause, ir.Return) or first or last is not None)

        def project(rows: list[Row]) -> list[Row]:
            pairs = columns(rows)
            if clause.distinct:
                pairs = distinct_rows(pairs)
            if is_narrow:
                pairs = [(row, row) for _, row in pairs]
            if is_sorted or first or last is not None:
                pairs = cut(sort(pairs), first, last, is_wide)
            if where is not None:
                pairs = [pair for pair in pairs if where({**pair[0], **pair[1]}) is True]
            return [row for _, row in pairs]

        return project

    def row_by_row(self, items: tuple[ir.Item, ...], is_star: bool) -> Callable[[list[Row]], list[Pair]]:
        fns = [(item.name, self.compiled(item.expr)) for item in items]
        if is_star:
            return lambda rows: [(row, {**row, **{name: fn(row) for name, fn in fns}}) for row in rows]
        return lambda rows: [(row, {name: fn(row) for name, fn in fns}) for row in rows]

    # --- groups -------------------------------------------------------------------------------------------------------

    def grouped(self, items: tuple[ir.Item, ...], is_star: bool) -> Callable[[list[Row]], list[Pair]]:
        """A function from rows to one for each group, with its aggregates."""
        if is_star:
            raise Undetermined("WITH *, and an aggregate")
        keys = [item for item in items if not has_aggregate(item.expr)]
        key_fns = [(item.name, self.compiled(item.expr)) for item in keys]
        slots: dict[str, tuple[Meaning, Fn | None, bool]] = {}
        results = [(item.name, self.result(item, keys, slots)) for item in items]

        def group(rows: list[Row]) -> list[Pair]:
            groups: dict[Any, tuple[Row, list[Row]]] = {} if keys else {(): ({}, rows)}
            if keys:
                for row in rows:
                    values = {name: fn(row) for name, fn in key_fns}
                    place = tuple([key(v) for v in values.values()])
                    found = groups.setdefault(place, (values, []))
                    check_same(found[0], values)
                    found[1].append(row)
            made = []
            for values, members in groups.values():
                for slot, (meaning, fn, is_distinct) in slots.items():
                    values[slot] = (
                        len(members) if fn is None else applied(meaning, [fn(row) for row in members], is_distinct)
                    )
                made.append((values, {name: fn(values) for name, fn in results}))
            return made

        return group

    def result(self, item: ir.Item, keys: list[ir.Item], slots: dict[str, tuple[Meaning, Fn | None, bool]]) -> Fn:
        """An item as a function of the group's keys, by their names, and of its aggregates, by their slots."""
        if item in keys:
            return self.compiled(ir.Var(item.name))

        def put_slots(node: Node) -> Node:
            if not isinstance(node, ir.Agg):
                return node
            if node.fn not in self.aggregates:
                raise Undetermined(f"the aggregate {node.fn}")
            if node.arg is not None and has_aggregate(node.arg):
                raise Failed("an aggregate of an aggregate")
            slot = f"\0agg{len(slots)}"
            slots[slot] = (
                self.aggregates[node.fn],
                None if node.arg is None else self.compiled(node.arg),
                node.distinct,
            )
            return ir.Var(slot)

        expr = renamed(transform(item.expr, put_slots), keys)
        known = {k.name for k in keys}
        if any(name not in known and name not in slots for name in free(expr)):
            raise Undetermined("a variable beside an aggregate, by which rows are not grouped")
        return self.compiled(expr)

    # --- order --------------------------------------------------------------------------------------------------------

    def sorting(self, clause: ir.With | ir.Return, is_grouping: bool) -> Callable[[list[Pair]], list[Keyed]]:
        """A function that sorts rows and keeps the keys by which it did."""
        exprs = [(renamed(order.expr, clause.items), order.desc) for order in clause.order]
        if any(has_aggregate(expr) for expr, _ in exprs):
            raise Undetermined("ORDER BY an aggregate that is not returned")
        fns = [(self.compiled(expr), desc) for expr, desc in exprs]

        def sort(pairs: list[Pair]) -> list[Keyed]:
            keyed: list[Keyed] = []
            for pair in pairs:
                scope = {**pair[0], **pair[1]}
                keyed.append(([fn(scope) for fn, _ in fns], pair))
            for place in range(len(fns)):
                check_one_kind([values[place] for values, _ in keyed], "the order of values of different kinds")
            ranked = [([rank(v) for v in values], pair) for values, pair in keyed]
            for place, (_, desc) in reversed(list(enumerate(fns))):
                ranked.sort(key=lambda entry: entry[0][place], reverse=desc)
            return ranked

        return sort


def renamed(expr: ir.Expr, items: tuple[ir.Item, ...] | list[ir.Item]) -> ir.Expr:
    """With the name of a column in place of what it stands for."""
    names = {item.name for item in items}

    def rename(node: Node) -> Node:
        if isinstance(node, ir.Var) and node.name in names:
            return node
        return next((ir.Var(item.name) for item in items if item.expr == node), node)

    for item in items:
        if item.expr == expr:
            return ir.Var(item.name)
    return transform(expr, rename)  # type: ignore[no-any-return]  # an expression stays one


def distinct_rows(pairs: list[Pair]) -> list[Pair]:
    seen: dict[Any, Pair] = {}
    names = tuple(pairs[0][1]) if pairs else ()  # rows of WITH * may have their columns in different orders
    for pair in pairs:
        found = seen.setdefault(identity(pair[1], names), pair)
        check_same(found[1], pair[1])
    return list(seen.values())


def identity(row: Row, names: tuple[str, ...]) -> tuple[Any, ...]:
    return tuple([key(row[name]) for name in names])


def check_same(kept: Row, other: Row) -> None:
    """1 and 1.0 are one value here; which of them is kept is the engine's choice."""
    if kept is other:
        return
    for name, value in other.items():
        cls = value.__class__
        if (cls is float or cls is int) and kept[name].__class__ is not cls:
            raise Undetermined("which of two equal numbers is kept")


def cut(keyed: list[Keyed], first: int, last: int | None, is_wide: bool) -> list[Pair]:
    """SKIP and LIMIT. Rows that the order does not tell apart must be alike, where a border runs between them."""
    for border in (first, last):
        if border is not None and 0 < border < len(keyed) and keyed[border - 1][0] == keyed[border][0]:
            tied = [
                {**pair[0], **pair[1]} if is_wide else pair[1] for ranks, pair in keyed if ranks == keyed[border][0]
            ]
            if len({identity(row, tuple(tied[0])) for row in tied}) > 1:
                raise Undetermined("which of several rows a SKIP or LIMIT cuts off")
    return [pair for _, pair in keyed[first:last]]

"""The executable semantics of openCypher's reading clauses, under a profile: what a query must answer, or that no
single answer is right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.scopes import has_labels_twice, has_unordered_lists
from gainsay.families.cypher.meaning.expressions import Expressions, items_of
from gainsay.families.cypher.meaning.graph import Graph
from gainsay.families.cypher.meaning.matching import Row, pattern_variables
from gainsay.families.cypher.meaning.projecting import Projecting
from gainsay.families.cypher.meaning.references import without_unreferenced
from gainsay.families.cypher.meaning.values import Bag, Failed, TooBig, Undetermined, key

__all__ = ["Bag", "Evaluator", "Failed", "Row", "TooBig", "Undetermined", "columns", "has_unordered_lists"]

Apply = Callable[[list[Row]], list[Row]]
KEPT = 2000  # clauses whose closures are kept


class Evaluator:
    """Evaluates queries on one graph. It keeps closures by clause and expression: ask it again and again."""

    def __init__(self, graph: Graph, profile: Mapping[str, str], cap: int = 2000) -> None:
        self.cap = cap
        self._is_joined = profile["label-on-bound-node"] == "joined"
        self._is_any = profile["labels"] == "any" or self._is_joined
        self._is_existence = profile["unreferenced-edge"] == "exists"
        self._expressions = Expressions(graph, profile, cap)
        self._projecting = Projecting(self._expressions, profile)
        # What operators and aggregates do, by name. A stand-in that must be wrong changes one before it is asked.
        self.meanings = self._expressions.meanings
        self.aggregates = self._projecting.aggregates
        self._made: dict[int, tuple[ir.Clause, Apply]] = {}

    def rows(self, query: ir.Query) -> list[tuple[Any, ...]]:
        """The answer: a bag of rows, in the order of an ORDER BY."""
        if self._is_any and has_labels_twice(query, self._is_joined):
            raise Undetermined("which labels a node may have that is given several")
        names = columns(query)
        found: list[tuple[Any, ...]] = []
        for part in query.parts:
            if part is not query.parts[0] and set(columns(ir.Query((part,)))) != set(names):
                raise Failed("UNION of different columns")
            rows: list[Row] = [{}]
            for clause in (without_unreferenced(part) if self._is_existence else part).clauses:
                rows = self.clause(clause, rows)
            found += [tuple([row[name] for name in names]) for row in rows]
        if len(query.parts) > 1 and not query.is_all:
            found = list({tuple([key(v) for v in row]): row for row in found}.values())
        return [tuple([as_lists(v) for v in row]) for row in found]

    def clause(self, clause: ir.Clause, rows: list[Row]) -> list[Row]:
        """The rows after one clause."""
        self._expressions.matching.spent[0] = 0
        made = self._made.get(id(clause))
        if made is None:
            if len(self._made) > KEPT:
                self._made.clear()
            made = self._made[id(clause)] = (clause, self._apply(clause))
        found = made[1](rows)
        if len(found) > self.cap:
            raise TooBig("too many rows")
        return found

    def value(self, expr: ir.Expr, row: Row) -> Any:
        self._expressions.matching.spent[0] = 0
        return self._expressions.compiled(expr)(row)

    def _apply(self, clause: ir.Clause) -> Apply:
        if isinstance(clause, ir.Match):
            return self._match(clause)
        if isinstance(clause, ir.Unwind):
            return self._unwind(clause)
        return self._projecting.projection(clause)

    def _match(self, clause: ir.Match) -> Apply:
        names = pattern_variables(clause.patterns)
        where = None if clause.where is None else self._expressions.condition(clause.where)
        found: list[Row] = []
        hidden: list[str] = []
        cap, is_optional = self.cap, clause.optional

        def emit(row: Row, _: Any) -> bool:
            if where is None or where(row) is True:
                kept = dict(row)
                for name in hidden:
                    kept.pop(name, None)
                found.append(kept)
                if len(found) > cap:
                    raise TooBig("too many rows")
            return False

        search = self._expressions.search(clause.patterns, emit, hidden, is_clause=True)

        def apply(rows: list[Row]) -> list[Row]:
            found.clear()
            for row in rows:
                before = len(found)
                search(row)
                if is_optional and len(found) == before:
                    found.append({**dict.fromkeys(names), **row})
            return found.copy()

        return apply

    def _unwind(self, clause: ir.Unwind) -> Apply:
        fn, var = self._expressions.compiled(clause.expr), clause.var

        def apply(rows: list[Row]) -> list[Row]:
            found: list[Row] = []
            for row in rows:
                found += [{**row, var: value} for value in items_of(fn(row)) or ()]
                if len(found) > self.cap:
                    raise TooBig("too many rows")
            return found

        return apply


def columns(query: ir.Query) -> tuple[str, ...]:
    """The names of the columns that a query returns."""
    last = query.parts[0].clauses[-1]
    return tuple(item.name for item in last.items) if isinstance(last, ir.Return) else ()


def as_lists(value: Any) -> Any:
    """Lists are lists, also where an engine may order them as it likes."""
    if isinstance(value, list):
        return [as_lists(v) for v in value]
    if value.__class__ is dict:
        return {name: as_lists(v) for name, v in value.items()}
    return value

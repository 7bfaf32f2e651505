"""Whether a scene and its queries are well typed: where engines convert silently, and each in its own way, answers
can't be compared."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from gainsay.core.oracle import Recipe
from gainsay.families.sql.drawing.rows import apart
from gainsay.families.sql.language import ir, ops
from gainsay.families.sql.language.aggregates import LETTERS, UNKNOWN
from gainsay.families.sql.language.dialect import SqlDialect
from gainsay.families.sql.language.schema import Attribute, Relation, after

Classes = Mapping[tuple[str, str], str]
ANY = ""  # an untyped NULL, or text that was not parsed: fits everywhere


class IllTyped(Exception):
    """An operand of a class that its operator does not have."""


@functools.cache
def signatures(dialect: SqlDialect) -> Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]:
    classes = tuple(dict.fromkeys((*dialect.classes, "bool")))
    return {name: tuple(ops.expansions(operator, classes)) for name, operator in dialect.operators.items()}


def is_typed(scene: ir.Scene, recipe: Any, dialect: SqlDialect, is_mixed: bool) -> bool:
    """True if every expression is well typed and, between dialects, spelled so that all of them read it alike."""
    known: dict[str, Relation] = {}
    checker = Checker(dialect, known, is_mixed)
    try:
        for statement in scene.statements:
            checker.statement(statement)
            after(known, statement)
        checker.any_query(recipe)
    except IllTyped:
        return False
    return True


class Checker:
    """Checks that statements and queries are well typed in a dialect; raises IllTyped."""

    def __init__(self, dialect: SqlDialect, known: dict[str, Relation], is_mixed: bool) -> None:
        self.signatures = signatures(dialect)
        self.functions = dialect.table_functions
        self.aggregates = dialect.aggregates
        self.known = known
        self.is_mixed = is_mixed
        self.tables: dict[str, ir.CreateTable] = {}

    def statement(self, s: Any) -> None:
        """Check a statement of a scene."""
        if isinstance(s, ir.CreateTable):
            self.tables[s.name] = s
            own = {("", c.name): c.cls for c in s.columns}
            for c in s.columns:
                for expr, wanted in ((c.default, c.cls), (c.generated, c.cls), (c.check, "bool")):
                    if expr is not None:
                        self.expect(expr, wanted, own)
                if not c.type:
                    raise IllTyped
            for test in s.checks:
                self.expect(test, "bool", own)
        elif isinstance(s, ir.CreateView):
            self.query(s.query, {})
        elif isinstance(s, ir.AddColumn) and s.column.default is not None:
            self.expect(s.column.default, s.column.cls, {})
        elif isinstance(s, (ir.Insert, ir.Update, ir.Delete, ir.CreateIndex)) and s.table in self.known:
            own = {("", a.name): a.cls for a in self.known[s.table].attributes}
            self.change(s, own)

    def change(self, s: Any, own: Classes) -> None:
        """Check what a statement does to a table with these columns."""
        if isinstance(s, ir.Insert):
            made = self.tables.get(s.table)
            if made is not None and s.verb != "INSERT":
                used = [c for name in s.columns for c in made.columns if c.name == name]
                if len(used) == len(s.columns) and len(apart(made, used, s.rows)) < len(s.rows):
                    raise IllTyped  # which of two conflicting rows stays is not the same everywhere
            for row in s.rows:
                for name, value in zip(s.columns, row.values, strict=False):
                    self.expect(value, own.get(("", name), ANY), own)
            if s.query is not None:
                scope = self.query(s.query, {})
                for name, item in zip(s.columns, s.query.items, strict=False):
                    self.expect(item, own.get(("", name), ANY), scope)
            if s.upsert is not None:
                self.upsert(s.table, s.upsert, own)
        elif isinstance(s, ir.CreateIndex):
            for key in s.keys:
                self.classify(key.expr, own)
        elif isinstance(s, ir.Update):
            own = self.updated(s, own)
        if getattr(s, "where", None) is not None:
            self.expect(s.where, "bool", own)

    def updated(self, s: ir.Update, own: Classes) -> Classes:
        """Check what an UPDATE sets; the classes of the columns in its reach."""
        if not s.source:
            scope = own
        else:
            named = {(s.table, name): cls for (_, name), cls in own.items()}
            scope = {**own, **self.query(ir.Select((), s.source), named)}
        for each in s.sets:
            self.expect(each.value, own.get(("", each.column), ANY), scope)
        return scope

    def upsert(self, table: str, s: ir.Upsert, own: Classes) -> None:
        """Check what is done instead of inserting a row."""
        scope = {(rel, name): cls for (_, name), cls in own.items() for rel in ("", table, "excluded")}
        for each in s.sets:
            self.expect(each.value, own.get(("", each.column), ANY), scope)
        if s.where is not None:
            self.expect(s.where, "bool", scope)

    def any_query(self, recipe: Recipe) -> None:
        """Every query of a recipe, and conditions that stand beside one."""
        if isinstance(recipe.subject, (ir.Select, ir.Compound)):
            scope = self.query(recipe.subject, {})
            if recipe.condition_field:
                self.expect(recipe.tested, "bool", scope)

    def query(self, q: Any, outer: Classes) -> Classes:
        """Check a query; the classes of the columns that stand in it."""
        if not isinstance(q, ir.Select):
            self.several(q, outer)
            return outer
        scope = dict(outer)
        local = dict(self.known)
        for cte in q.ctes:
            self.query(cte.query, {})
            local[cte.name] = Relation(cte.name, tuple(Attribute(c.name, c.cls, c.clean, c.exact) for c in cte.columns))
        for join in q.source:
            if self.is_mixed and join.kind == ",":
                raise IllTyped  # engines differ on whether a comma binds weaker than JOIN
            if join.sub is not None:
                self.query(join.sub, scope if join.is_lateral else outer)
            if join.call is not None:
                self.called(join.call, scope)
            relation = local.get(join.rel)
            for a in join.columns if join.is_made else relation.attributes if relation is not None else ():
                scope[join.alias or join.rel, a.name] = a.cls
            if join.on is not None:
                self.expect(join.on, "bool", scope)
        for condition in (q.where, q.having):
            if condition is not None:
                self.expect(condition, "bool", scope)
        for item in (*q.items, *q.group, *q.distinct_on, *(o.expr for o in q.order)):
            self.classify(item, scope)
        return scope

    def several(self, q: Any, outer: Classes) -> None:
        """Check that the columns of rows or of arms have the same classes."""
        if isinstance(q, ir.RowList):
            listed = [[self.classify(v, outer) for v in row.values] for row in q.rows]
        elif isinstance(q, ir.Compound):
            listed = [[self.classify(i, self.query(a, outer)) for i in a.items] for a in q.seen()]
        else:
            return
        for other in listed[1:]:
            if len(other) != len(listed[0]) or any(
                a != b and ANY not in (a, b) for a, b in zip(listed[0], other, strict=True)
            ):
                raise IllTyped

    def called(self, call: ir.Call, scope: Classes) -> None:
        """Check a function of a FROM list."""
        row = self.functions.get(call.row)
        if row is None or len(row.args) != len(call.args):
            raise IllTyped
        for argument, cls in zip(call.args, row.args, strict=True):
            self.expect(argument, cls, scope)

    def expect(self, expr: Any, wanted: str, scope: Classes) -> None:
        if self.classify(expr, scope) not in (wanted, ANY) and wanted != ANY:
            raise IllTyped

    def classify(self, expr: Any, scope: Classes) -> str:
        """The class of an expression."""
        if isinstance(expr, ir.Lit):
            return ANY if expr.kind == "null" else expr.kind
        if isinstance(expr, ir.Col):
            return scope.get((expr.rel, expr.name), ANY)
        if isinstance(expr, ir.As):
            return self.classify(expr.expr, scope)
        if isinstance(expr, ir.Agg):
            inner = ANY if expr.arg is None else self.classify(expr.arg, scope)
            if expr.where is not None:
                self.expect(expr.where, "bool", scope)
            return self.aggregates.get(expr.fn, UNKNOWN).result_of(inner)
        if isinstance(expr, ir.Over):
            return self.windowed(expr, scope)
        if isinstance(expr, ir.SubExpr):
            return self.nested(expr, scope)
        if isinstance(expr, ir.Op):
            found = tuple(self.classify(a, scope) for a in expr.args)
            for args, result in self.signatures.get(expr.op, ()):
                if len(args) == len(found) and all(f in (a, ANY) for f, a in zip(found, args, strict=True)):
                    return result
            raise IllTyped
        return ANY

    def windowed(self, expr: ir.Over, scope: Classes) -> str:
        """The class of a window function."""
        found = [self.classify(a, scope) for a in expr.args]
        for part in (*expr.partition, *(o.expr for o in expr.order)):
            self.classify(part, scope)
        if expr.where is not None:
            self.expect(expr.where, "bool", scope)
        row = self.aggregates.get(expr.fn, UNKNOWN)
        alike = {f for f, letter in zip(found, row.args, strict=False) if letter in LETTERS and f != ANY}
        if len(alike) > 1:
            raise IllTyped
        return row.result_of(found[0] if found else ANY)

    def nested(self, expr: ir.SubExpr, scope: Classes) -> str:
        inner = self.query(expr.query, scope)
        right = [self.classify(i, inner) for i in expr.query.items]
        if expr.kind == "scalar":
            return right[0]
        left = [self.classify(a, scope) for a in expr.args]
        if expr.kind != "exists" and any(a != b and ANY not in (a, b) for a, b in zip(left, right, strict=False)):
            raise IllTyped
        return "bool"

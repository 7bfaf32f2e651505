"""Reads SQL that others wrote into our IR: queries over relations that are known.

An operator is known by its spelling in the dialect's table. An expression that is none of ours stays text (RawExpr),
and `Reader.unread` names it; a query or statement with a clause of its own raises Unread."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from msgspec.structs import replace

from gainsay.families.sql.language import clauses, ir, syntax
from gainsay.families.sql.language.dialect import SqlDialect
from gainsay.families.sql.language.syntax import Cursor, Pattern, Syntax, bare
from gainsay.families.sql.language.tokens import Unread, tokens

AGGREGATES = ("COUNT", "SUM", "MIN", "MAX", "AVG", "TOTAL", "GROUP_CONCAT")
ANY = "any"
Names = tuple[str, ...]
Known = Mapping[str, tuple[str, Names]]  # relations by name in small letters: as it is written, with its columns
NOTHING: Known = MappingProxyType({})


@functools.cache
def known_literals(dialect: SqlDialect) -> Mapping[Names, ir.Lit]:
    """Literals that have a form of their own, such as CAST(NULL AS INTEGER), by their tokens."""
    found: dict[Names, ir.Lit] = {}
    for each in (literal for listed in dialect.literals.values() for literal in listed):
        for text in (each.text, dialect.text(each)):
            found.setdefault(keys_of(text), each)
    return found


def keys_of(text: str) -> Names:
    return tuple(token.key for token in tokens(text))[:-1]


@functools.cache
def patterns(dialect: SqlDialect) -> Mapping[str, list[Pattern]]:
    return syntax.patterns(dialect.operators, rules_of(dialect))


def rules_of(dialect: SqlDialect) -> syntax.Precedence:
    return syntax.RULES[dialect.precedence]


class Scope:
    """The relations that a name may be of: those of the query, then those of the queries around it."""

    def __init__(self, around: Scope | None = None) -> None:
        self.around = around
        self.relations: list[tuple[str, Names]] = []
        self.shared: frozenset[str] = frozenset()  # columns that a join made one
        self.items: dict[str, ir.Expr] = {}  # what the select list names

    def column(self, rel: str, name: str) -> ir.Expr:
        """The column that a name stands for."""
        low, of = name.lower(), rel.lower()
        if not rel and low in self.shared:
            return ir.Col("", name)
        found = [
            ir.Col(alias, column)
            for alias, columns in self.relations
            for column in columns
            if column.lower() == low and of in ("", alias.lower())
        ]
        if found:
            return found[0] if len(found) == 1 else ir.Col(rel, name)
        if not rel and low in self.items:
            return self.items[low]
        return self.around.column(rel, name) if self.around is not None else ir.Col(rel, name)


class Reader:
    """Reads expressions and queries of one dialect, over relations that are known by name."""

    def __init__(self, dialect: SqlDialect) -> None:
        self.dialect = dialect
        self.relations: dict[str, tuple[str, Names]] = {}
        self.unread: list[str] = []
        self.text = ""

    def cursor(self, text: str) -> Cursor:
        self.text = text
        return Cursor(text, rules_of(self.dialect), clauses.query)

    def query(self, text: str) -> ir.Query:
        """A whole query."""
        cursor = self.cursor(text)
        written = clauses.query(cursor)
        cursor.take(";")
        if cursor.now.kind != "end":
            raise Unread(f"{cursor.now.text!r} behind the query")
        return self.queried(written, None, {})

    # --- expressions --------------------------------------------------------------------------------------------------

    def expr(self, written: Syntax, scope: Scope, known: Known = NOTHING) -> ir.Expr:
        """An expression; text where it is none of ours."""
        try:
            return self._expr(written, scope, known)
        except Unread as why:
            self.unread.append(str(why))
            text = self.text[written.start : written.end]
            return ir.RawExpr(text if written.head in (*syntax.LITERALS, "name", "()") else f"({text})")

    def _expr(self, written: Syntax, scope: Scope, known: Known) -> ir.Expr:
        found = bare(written)
        literal = self._literal(found)
        if literal is not None:
            return literal
        if found.head == "name":
            return scope.column(*found.value)
        if found.head.endswith("query"):
            return self._nested(found, scope, known)
        aggregate = self._aggregate(found, scope, known)
        if aggregate is not None:
            return aggregate
        operation = syntax.operation(patterns(self.dialect), found)
        if operation is None:
            raise Unread(f"{found.head} in {self.text[found.start : found.end]!r}")
        name, args = operation
        return ir.Op(name, tuple(self.expr(each, scope, known) for each in args))

    def _literal(self, found: Syntax) -> ir.Lit | None:
        if found.head in syntax.LITERALS:
            text = str(found.value)
            special = known_literals(self.dialect).get(keys_of(text))
            kind = text.partition(" ")[0].lower() if found.head == "typed" else found.head
            return special or ir.Lit(kind, text)
        if found.head.startswith(("CAST ", "[", "{", "ARRAY")) or found.head.endswith("()"):
            return known_literals(self.dialect).get(keys_of(self.text[found.start : found.end]))
        return None

    def _aggregate(self, found: Syntax, scope: Scope, known: Known) -> ir.Agg | None:
        is_distinct = found.head.startswith("DISTINCT ")
        name = found.head.removeprefix("DISTINCT ").removesuffix("()")
        if name not in AGGREGATES or not found.head.endswith("()") or len(found.parts) != 1:
            return None
        (part,) = found.parts
        if part.head == "*":
            return ir.Agg("count")
        return ir.Agg(name.lower(), self.expr(part, scope, known), is_distinct)

    def _nested(self, found: Syntax, scope: Scope, known: Known) -> ir.SubExpr:
        query = self.queried(found.value, scope, known)
        if not isinstance(query, ir.Select):
            raise Unread("a compound query in an expression")
        if found.head == "query":
            return ir.SubExpr("scalar", (), query)
        if found.head == "EXISTS query":
            return ir.SubExpr("exists", (), query)
        if found.head not in ("IN query", "NOT IN query"):
            raise Unread(found.head)
        left = bare(found.parts[0])
        kind = found.head.removesuffix(" query").lower()
        if left.head == "row":
            return ir.SubExpr(f"row {kind}", tuple(self.expr(p, scope, known) for p in left.parts), query)
        return ir.SubExpr(kind, (self.expr(left, scope, known),), query)

    # --- queries ------------------------------------------------------------------------------------------------------

    def queried(self, written: clauses.Written, around: Scope | None, known: Known) -> ir.Query:
        """A query, in reach of the columns around it and of what a WITH names."""
        if written.is_recursive and written.ctes:
            raise Unread("WITH RECURSIVE")
        if written.limit is not None or written.offset is not None:
            raise Unread("LIMIT")
        ctes: list[ir.Cte] = []
        for each in written.ctes:
            inner = self.queried(each.query, None, known)
            columns = each.columns or names_of(inner)
            ctes.append(ir.Cte(each.name, described(columns), inner))
            known = {**known, each.name.lower(): (each.name, columns)}
        if len(written.arms) > 1:
            if len(set(written.ops)) > 1 or written.order:
                raise Unread("a compound query of several kinds, or in an order")
            arms = tuple(self._select(arm, (), around, known) for arm in written.arms)
            return ir.Compound(written.ops[0], arms, tuple(ctes))
        return replace(self._select(written.arms[0], written.order, around, known), ctes=tuple(ctes))

    def _select(
        self,
        written: clauses.Selected | clauses.Listed,
        order: Sequence[clauses.Key],
        around: Scope | None,
        known: Known,
    ) -> ir.Select:
        if isinstance(written, clauses.Listed):
            raise Unread("VALUES as a query")
        scope = Scope(around)
        source = tuple(self._join(each, scope, known) for each in written.source)
        items: list[ir.Item] = []
        for each in written.items:
            items += self._items(each, scope, known)
        bodies = [item.expr if isinstance(item, ir.As) else item for item in items]
        scope.items = {i.name.lower(): i.expr for i in items if isinstance(i, ir.As)}

        def placed(part: Syntax) -> ir.Expr:
            number = bare(part)
            if number.head == "int" and 0 < int(number.value) <= len(bodies):
                return bodies[int(number.value) - 1]
            return self.expr(part, scope, known)

        if any(key.nulls for key in order):
            raise Unread("NULLS FIRST or LAST")
        return ir.Select(
            tuple(items),
            source,
            None if written.where is None else self.expr(written.where, scope, known),
            written.is_distinct,
            tuple(placed(g) for g in written.group),
            None if written.having is None else self.expr(written.having, scope, known),
            tuple(ir.Order(placed(k.expr), k.is_descending) for k in order),
            distinct_on=tuple(placed(e) for e in written.distinct_on),
        )

    def _items(self, item: clauses.Item, scope: Scope, known: Known) -> list[ir.Item]:
        """An item of the select list; a star becomes the columns that it stands for."""
        if item.expr.head != "*":
            expr = self.expr(item.expr, scope, known)
            return [ir.As(expr, item.name) if item.name else expr]
        of = item.expr.value.lower()
        found = [(alias, columns) for alias, columns in scope.relations if of in ("", alias.lower())]
        if not found or scope.shared or not all(columns for _, columns in found):
            raise Unread("* of relations whose columns are not known")
        return [ir.Col(alias, column) for alias, columns in found for column in columns]

    def _join(self, written: clauses.Source, scope: Scope, known: Known) -> ir.Join:
        if written.using or written.call is not None:
            raise Unread("USING" if written.using else "a function in FROM")
        if written.sub is not None:
            sub = self.queried(written.sub, scope if written.is_lateral else scope.around, known)
            if not isinstance(sub, ir.Select):
                raise Unread("a compound query in FROM")
            columns = written.columns or names_of(sub)
            shown = described(columns) if written.columns or written.is_lateral else ()
            alias = written.alias or f"q{len(scope.relations)}"
            made = ir.Join("", written.kind, alias=alias, sub=sub, columns=shown, is_lateral=written.is_lateral)
        else:
            name, columns = known.get(written.rel.lower()) or self.relations.get(written.rel.lower(), (written.rel, ()))
            if written.columns:
                raise Unread("other names for columns")
            made = ir.Join(name, written.kind, alias=written.alias, hint=written.hint)
        if written.kind.startswith("NATURAL"):
            before = {c.lower() for _, listed in scope.relations for c in listed}
            scope.shared |= before & {c.lower() for c in columns}
        scope.relations.append((made.alias or made.rel, columns))
        return made if written.on is None else replace(made, on=self.expr(written.on, scope, known))


def names_of(query: ir.Query) -> Names:
    """What the columns of a query are called."""
    items = query.arms[0].items if isinstance(query, ir.Compound) else query.items
    return tuple(i.name if isinstance(i, (ir.As, ir.Col)) else f"column{n}" for n, i in enumerate(items, 1))


def described(names: Names) -> tuple[ir.ViewColumn, ...]:
    return tuple(ir.ViewColumn(name, ANY) for name in names)

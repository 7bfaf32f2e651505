"""Reads SQL that others wrote into our IR: queries over relations that are known.

An operator is known by its spelling in the dialect's table. An expression that is none of ours stays text (RawExpr),
and `Reader.unread` names it; a query or statement with a clause of its own raises Unread."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from msgspec.structs import replace

from gainsay.core.tree import walk
from gainsay.families.sql.language import clauses, ir, syntax
from gainsay.families.sql.language.dialect import SqlDialect
from gainsay.families.sql.language.syntax import Behind, Cursor, Pattern, Syntax, bare
from gainsay.families.sql.language.tokens import Unread, tokens

QUANTIFIED = ("=", "<>", "<", "<=", ">", ">=")  # what may stand before ANY and ALL
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
        if found.head in QUANTIFIED and bare(found.parts[1]).head in ("ANY query", "ALL query", "SOME query"):
            return self._quantified(found, scope, known)
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
            if kind == "real" and "dec" in self.dialect.literals and "e" not in text.lower():
                kind = "dec"
            return special or ir.Lit(kind, text)
        if found.head.startswith(("CAST ", "[", "{", "ARRAY")) or found.head.endswith("()"):
            return known_literals(self.dialect).get(keys_of(self.text[found.start : found.end]))
        return None

    def _aggregate(self, found: Syntax, scope: Scope, known: Known) -> ir.Agg | ir.Over | None:
        """An aggregate, or a window function."""
        behind: Behind = found.value if isinstance(found.value, Behind) else Behind(None, None)
        is_distinct = found.head.startswith("DISTINCT ")
        word = found.head.removeprefix("DISTINCT ").removesuffix("()")
        name = self.dialect.named.get(word, word.lower())
        row = self.dialect.aggregates.get(name)
        is_one = row is not None and row.is_aggregate and 1 <= len(found.parts) <= 1 + row.is_joined
        if not found.head.endswith("()") or (not behind.window and not is_one):
            return None
        args = tuple(self.expr(part, scope, known) for part in found.parts if part.head != "*" or part.parts)
        where = None if behind.where is None else self.expr(behind.where, scope, known)
        if behind.window is None:
            order = tuple(ir.Order(self.expr(k.expr, scope, known), k.is_descending, k.nulls) for k in behind.order)
            first, between = args[0] if args else None, args[1] if len(args) > 1 else None
            if between is not None and not isinstance(between, ir.Lit):
                raise Unread(f"what stands between texts in {word}()")
            return ir.Agg(name, first, is_distinct, where, between, order)
        if behind.order:
            raise Unread(f"ORDER BY in {word}() OVER")
        if is_distinct:
            raise Unread(f"DISTINCT in {word}() OVER")
        window = behind.window
        partition = tuple(self.expr(part, scope, known) for part in window.partition)
        order = tuple(ir.Order(self.expr(k.expr, scope, known), k.is_descending, k.nulls) for k in window.order)
        frame = None if window.frame is None else ir.Frame(*window.frame)
        return ir.Over(name, args, partition, order, frame, where)

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
            return ir.SubExpr(kind, tuple(self.expr(p, scope, known) for p in left.parts), query)
        return ir.SubExpr(kind, (self.expr(left, scope, known),), query)

    def _quantified(self, found: Syntax, scope: Scope, known: Known) -> ir.SubExpr:
        """x < ALL (query)"""
        left, right = found.parts[0], bare(found.parts[1])
        query = self.queried(right.value, scope, known)
        if not isinstance(query, ir.Select):
            raise Unread("a compound query in an expression")
        word = right.head.removesuffix(" query").lower().replace("some", "any")
        return ir.SubExpr(f"{found.head} {word}", (self.expr(left, scope, known),), query)

    # --- queries ------------------------------------------------------------------------------------------------------

    def queried(self, written: clauses.Written, around: Scope | None, known: Known) -> ir.Query:
        """A query, in reach of the columns around it and of what a WITH names."""
        ctes: list[ir.Cte] = []
        for each in written.ctes:
            own = {**known, each.name.lower(): (each.name, each.columns)} if written.is_recursive else known
            inner = self.queried(each.query, None, own)
            columns = each.columns or names_of(inner)
            is_recursive = written.is_recursive and reads(inner, each.name)
            ctes.append(ir.Cte(each.name, described(columns), inner, is_recursive))
            known = {**known, each.name.lower(): (each.name, columns)}
        limit, offset = (
            None if part is None else self.expr(part, Scope(around), known) for part in (written.limit, written.offset)
        )
        if len(written.arms) == 1 and isinstance(written.arms[0], clauses.Listed):
            if ctes or written.order or limit is not None:
                raise Unread("VALUES with more around it")
            rows = written.arms[0].rows
            return ir.RowList(tuple(ir.Values(tuple(self.expr(v, Scope(around), known) for v in r)) for r in rows))
        if len(written.arms) == 1:
            made = self._select(written.arms[0], written.order, around, known)
            return replace(made, ctes=tuple(ctes), limit=limit, offset=offset)
        if len(set(written.ops)) > 1:
            raise Unread("a compound query of several kinds")
        arms = tuple(self._select(arm, (), around, known) for arm in written.arms)
        order = tuple(ir.Order(placed(k.expr, arms[0]), k.is_descending, k.nulls) for k in written.order)
        return ir.Compound(written.ops[0], arms, tuple(ctes), order, limit, offset)

    def _select(
        self,
        written: clauses.Selected | clauses.Listed,
        order: Sequence[syntax.Key],
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

        def item_of(part: Syntax) -> ir.Expr:
            number = bare(part)
            if number.head == "int" and 0 < ir.whole(number.value) <= len(bodies):
                named = bodies[ir.whole(number.value) - 1]
                if not (isinstance(named, ir.Lit) and named.kind == "int"):
                    return named
                # A number that stands for a number: by itself it would be another place, and both are constants
            return self.expr(part, scope, known)

        return ir.Select(
            tuple(items),
            source,
            None if written.where is None else self.expr(written.where, scope, known),
            written.is_distinct,
            tuple(item_of(g) for g in written.group),
            None if written.having is None else self.expr(written.having, scope, known),
            tuple(ir.Order(item_of(k.expr), k.is_descending, k.nulls) for k in order),
            distinct_on=tuple(item_of(e) for e in written.distinct_on),
            grouping=written.grouping,
            is_all=written.is_all,
        )

    def _items(self, item: clauses.Item, scope: Scope, known: Known) -> list[ir.Item]:
        """An item of the select list; a star becomes the columns that it stands for."""
        if item.expr.head != "*" or item.expr.parts:  # a product has the same head, and operands
            expr = self.expr(item.expr, scope, known)
            return [ir.As(expr, item.name) if item.name else expr]
        of = item.expr.value.lower()
        found = [(alias, columns) for alias, columns in scope.relations if of in ("", alias.lower())]
        if not found or scope.shared or not all(columns for _, columns in found):
            raise Unread("* of relations whose columns are not known")
        return [ir.Col(alias, column) for alias, columns in found for column in columns]

    def _join(self, written: clauses.Source, scope: Scope, known: Known) -> ir.Join:
        if written.call is not None:
            raise Unread("a function in FROM")
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
        scope.shared |= {name.lower() for name in written.using}
        made = replace(made, using=written.using)
        scope.relations.append((made.alias or made.rel, columns))
        return made if written.on is None else replace(made, on=self.expr(written.on, scope, known))


def placed(written: Syntax, arm: ir.Select) -> ir.Lit:
    """A key of a compound query's order: the place of an item."""
    found = bare(written)
    names = [name.lower() for name in names_of(arm)]
    if found.head == "int":
        return ir.Lit("int", found.value)
    if found.head != "name" or found.value[1].lower() not in names:
        raise Unread("a compound query in the order of an expression")
    return ir.Lit("int", str(names.index(found.value[1].lower()) + 1))


def reads(query: ir.Query, name: str) -> bool:
    """Whether a query reads a relation of this name."""
    return any(isinstance(node, ir.Join) and node.rel == name for _, node in walk(query))


def names_of(query: ir.Query) -> Names:
    """What the columns of a query are called."""
    if isinstance(query, ir.RowList):
        return tuple(f"column{number}" for number, _ in enumerate(query.rows[0].values, 1))
    items = query.arms[0].items if isinstance(query, ir.Compound) else query.items
    return tuple(i.name if isinstance(i, (ir.As, ir.Col)) else f"column{n}" for n, i in enumerate(items, 1))


def described(names: Names) -> tuple[ir.ViewColumn, ...]:
    return tuple(ir.ViewColumn(name, ANY) for name in names)

"""Random queries, clause by clause.
After each clause our own semantics gives the real table; any of its rows is the next witness.

So conditions are true for some row at any depth, also behind aggregation, DISTINCT and OPTIONAL MATCH, and a query
without an answer that could be compared (an open order, an overflow) is not drawn at all."""

from __future__ import annotations

from typing import Any

from gainsay.core.draw import Draw
from gainsay.families.cypher.drawing.conditions import Conditions
from gainsay.families.cypher.drawing.expressions import LIST_OF, Expressions, Scope, kinds
from gainsay.families.cypher.drawing.lexicon import LISTS, SCALARS, Lexicon
from gainsay.families.cypher.drawing.patterns import Row, Weaver
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.ops import AGGREGATES
from gainsay.families.cypher.language.scopes import has_aggregate
from gainsay.families.cypher.meaning.graph import NodeV, PathV, RelV
from gainsay.families.cypher.meaning.scene_cache import OPEN, Profile, SceneCache
from gainsay.families.cypher.meaning.semantics import as_lists

TRIES = 6
DRAWN = tuple(name for name, row in AGGREGATES.items() for _ in range(row.weight))
KIND_OF = {NodeV: "node", RelV: "rel", PathV: "path"}


class Composer:
    """One query in the making."""

    def __init__(self, draw: Draw, cache: SceneCache, lexicon: Lexicon, profile: Profile) -> None:
        self.draw = draw
        self.lexicon = lexicon
        self.cache = cache
        self.schema = cache.scene.schema
        self.evaluator = cache.evaluator(profile)
        self.expressions = Expressions(draw, lexicon)
        self.conditions = Conditions(draw, self.expressions, self.evaluator)
        self.weaver = Weaver(draw, lexicon, cache.graph, self.schema, self.expressions)
        self.guidance = lexicon.guidance
        self._scope = Scope({}, self.schema)
        self._rows: tuple[ir.Clause, list[Row]] | None = None  # of a clause that was evaluated while it was drawn
        self.types: dict[str, str] = {}
        self.rows: list[Row] = [{}]
        self.row: Row = {}
        self.clauses: list[ir.Clause] = []
        # Behind each clause: the variables' types, and the rows
        self.trail: list[tuple[dict[str, str], list[Row]]] = []
        self.is_row_by_row = False  # no RETURN that groups, cuts or drops duplicates

    # --- a whole query ------------------------------------------------------------------------------------------------

    def single(self, columns: tuple[tuple[str, str], ...] = ()) -> tuple[ir.Single, list[Row]]:
        """Clauses up to a RETURN; with the columns of another part of a UNION, if there is one."""
        self.types, self.rows, self.row, self.clauses, self.trail = {}, [{}], {}, [], []
        for _ in range(self.draw.between(0 if self.draw.coin(0.05) else 1, max(1, self.lexicon.clauses - 1))):
            self.grown()
        last = self.tried(lambda: self.returned(columns))
        if last is None:
            last = ir.Return(
                tuple(ir.Item(self.expressions.literal(k), n) for n, k in columns) or (ir.Item(ir.Lit("int", 1), "c0"),)
            )
            rows = self.evaluator.clause(last, self.rows)
        else:
            rows = self.rows
        return ir.Single((*self.clauses, last)), rows

    def grown(self) -> None:
        """Add a clause, if one can be found that leaves something."""
        is_first = not self.clauses
        before = self.clauses[-1] if self.clauses else None
        choices = ["match"] * 4 + ["optional"] * 2 + ["unwind"]
        if not is_first:
            choices += ["with"] * 3
            if isinstance(before, ir.Match) and before.optional and not self.lexicon.has("clause:match after optional"):
                choices = ["optional"] * 2 + ["with"] * 3
        elif not self.lexicon.has("clause:optional first"):
            choices = ["match"] * 5 + ["unwind"]
        if not self.cache.graph.nodes:
            choices = ["unwind"]
        kind = self.draw.pick(choices)
        makers = {
            "match": self.match,
            "optional": lambda: self.match(True),
            "unwind": self.unwind,
            "with": self.projected,
        }
        made = self.tried(makers[kind])
        if made is not None:
            self.clauses.append(made)
            self.trail.append((self.types, self.rows))

    def tried(self, make: Any) -> Any:
        """Draw a clause until it has a determined, not empty result; takes its rows and variables over.
        None: it never had."""
        for _ in range(TRIES):
            made, types = make()
            if made is None:
                continue
            try:
                rows = (
                    self._rows[1]
                    if self._rows is not None and self._rows[0] is made
                    else self.evaluator.clause(made, self.rows)
                )
            except OPEN:
                continue
            if not rows and self.guidance == "full":
                continue
            self.rows = rows
            self.row = self.draw.pick(rows) if rows else dict.fromkeys(types)
            self.types = types
            return made
        return None

    # --- clauses ------------------------------------------------------------------------------------------------------

    def scope(self, types: dict[str, str] | None = None) -> Scope:
        """What can be said with these variables; asked for many times in a clause, so the last answer is kept."""
        wanted = self.types if types is None else types
        if self._scope.types is not wanted:
            self._scope = Scope(wanted, self.schema)
        return self._scope

    def condition(self, scope: Scope, row: Row, depth: int) -> ir.Expr | None:
        self.expressions.is_condition = True
        try:
            if self.guidance in ("none", "patterns"):
                return self.expressions.expr("bool", scope, depth)
            return self.conditions.true_for(scope, row, depth, self.guidance == "full")
        finally:
            self.expressions.is_condition = False

    def match(self, optional: bool = False) -> tuple[ir.Match, dict[str, str]]:
        """A MATCH that takes a witness row, with a condition that is mostly true for it; the types behind it."""
        draw = self.draw
        if self.guidance == "none":
            paths, witness = self.weaver.blind(self.row, self.types)
        else:
            paths, witness = self.weaver.clause(self.row, optional)
        types = {**self.types, **{n: KIND_OF[v.__class__] for n, v in witness.items() if n not in self.types}}
        where = None
        if draw.coin(0.6):
            where = self.condition(self.scope(types), witness, draw.between(1, 3))
            if where is not None and optional and draw.coin(0.25):
                where = ir.Op("NOT", (where,))
        return ir.Match(paths, where, optional), types

    def unwind(self) -> tuple[ir.Unwind, dict[str, str]]:
        """An UNWIND of a list that is not empty; the types behind it."""
        draw = self.draw
        kind = draw.pick(("int", "str"))
        name = self.expressions.fresh("u")
        known = self.scope().atoms.get(LIST_OF[kind], [])
        listed: ir.Expr = (
            draw.pick(known)
            if known and draw.coin(0.6) and self.lexicon.has("clause:unwind value")
            else self.expressions.literal(LIST_OF[kind])
        )
        if isinstance(listed, ir.ListOf) and not listed.items:
            listed = ir.ListOf((self.expressions.literal(kind),))
        return ir.Unwind(listed, name), {**self.types, name: kind}

    def projected(self) -> tuple[ir.With | None, dict[str, str]]:
        """WITH: some variables, some values, perhaps aggregates; then perhaps an order, a cut, a condition."""
        draw, has = self.draw, self.lexicon.has
        if (
            self.types
            and draw.coin(0.12)
            and has("clause:with star")
            and (has("clause:with path") or "path" not in self.types.values())
        ):
            star = ir.With((), True)
            return self.filtered(star, dict(self.types))
        is_grouped = draw.coin(0.3)
        has_paths = not is_grouped and has("clause:with path")
        kept = [
            n for n in self.types if draw.coin(0.45 if is_grouped else 0.75) and (has_paths or self.types[n] != "path")
        ]
        if is_grouped:
            kept = [n for n in kept if self.types[n] not in LISTS]
        items = [ir.Item(ir.Var(n), n) for n in kept]
        types = {n: self.types[n] for n in kept}
        for name, kind, expr in self.computed(is_grouped, draw.between(0 if items else 1, 2)):
            items.append(ir.Item(expr, name))
            types[name] = kind
        is_plain = all(t in SCALARS or t in ("node", "rel") for t in types.values())
        distinct = not is_grouped and is_plain and draw.coin(0.2)
        made = ir.With(tuple(items), False, distinct)
        if draw.coin(0.12) and has("clause:with order") and all(t in SCALARS for t in types.values()):
            made = ir.With(made.items, False, distinct, *self.cut(made.items))
        return self.filtered(made, types)

    def computed(self, is_grouped: bool, number: int) -> list[tuple[str, str, ir.Expr]]:
        """Columns to project: name, type and expression of each; at least one aggregate where rows are grouped."""
        draw = self.draw
        found: list[tuple[str, str, ir.Expr]] = []
        for index in range(max(number, 1) if is_grouped else number):
            name = self.expressions.fresh("x")
            if is_grouped and (index == 0 or draw.coin(0.6)):
                kind, expr = self.aggregate()
            else:
                kind = draw.pick(kinds(self.lexicon, True))
                expr = self.expressions.expr(kind, self.scope(), draw.between(0, 2))
                if is_grouped and kind not in SCALARS:
                    kind, expr = "int", self.expressions.expr("int", self.scope(), 1)
            found.append((name, kind, expr))
        return found

    def aggregate(self) -> tuple[str, ir.Expr]:
        """An aggregate that the engine has, and its type."""
        draw, has = self.draw, self.lexicon.has
        fn = draw.pick(DRAWN)
        over = draw.pick(AGGREGATES[fn].draws)
        if not has(f"agg:{fn} {over}"):
            fn, over = "count", "int"
        row = AGGREGATES[fn]
        if row.counts_rows and draw.coin(0.4):
            return row.result, ir.Agg(fn)
        distinct = draw.coin(0.25) and has(f"agg:{fn} distinct")
        if row.counts_rows and draw.coin(0.2) and self.scope().of("node") and has(f"agg:{fn} node"):
            made = ir.Agg(fn, ir.Var(draw.pick(self.scope().of("node"))), distinct)
        else:
            made = ir.Agg(fn, self.expressions.expr(over, self.scope(), draw.between(0, 2)), distinct)
        kind = {"same": over, "list": LIST_OF.get(over, "ints")}.get(row.result, row.result)
        if kind == "int" and draw.coin(0.1) and has("agg:inside"):
            return "int", ir.Op("+", (made, ir.Lit("int", 1)))
        return kind, made

    def cut(self, items: tuple[ir.Item, ...]) -> tuple[tuple[ir.Order, ...], int | None, int | None]:
        """An order by all columns, so that a cut leaves nothing open."""
        draw = self.draw
        order = tuple(ir.Order(ir.Var(i.name), draw.coin(0.4)) for i in draw.sample(items, len(items)))
        skip = draw.between(0, 2) if draw.coin(0.4) else None
        return order, skip, draw.between(1, 4) if skip is None or draw.coin(0.6) else None

    def filtered(self, made: ir.With, types: dict[str, str]) -> tuple[ir.With | None, dict[str, str]]:
        """The same with a condition that is true for some row of its result."""
        if not self.draw.coin(0.5):
            return made, types
        try:
            rows = self.evaluator.clause(made, self.rows)
        except OPEN:
            return None, types
        if not rows:
            return made, types
        where = self.condition(self.scope(types), self.draw.pick(rows), self.draw.between(1, 2))
        found = ir.With(made.items, made.star, made.distinct, made.order, made.skip, made.limit, where)
        try:
            self._rows = (
                found,
                rows if where is None else [row for row in rows if self.evaluator.value(where, row) is True],
            )
        except OPEN:
            return None, types
        return found, types

    def returned(self, columns: tuple[tuple[str, str], ...] = ()) -> tuple[ir.Return, dict[str, str]]:
        """The RETURN at the end, with these columns or with drawn ones; the types of what it gives."""
        draw = self.draw
        if columns:
            items = tuple(
                ir.Item(self.expressions.expr(kind, self.scope(), draw.between(0, 1)), name) for name, kind in columns
            )
            return ir.Return(items), dict(columns)
        if self.is_row_by_row:
            found = self.computed(False, draw.between(1, 3))
            return ir.Return(tuple(ir.Item(e, f"c{i}") for i, (_, _, e) in enumerate(found))), {
                f"c{i}": k for i, (_, k, _) in enumerate(found)
            }
        is_grouped = draw.coin(0.35)
        found = self.computed(is_grouped, draw.between(1, 3))
        if is_grouped and draw.coin(0.3):
            kind = draw.pick(SCALARS)
            found.insert(0, ("", kind, self.expressions.expr(kind, self.scope(), 1)))
        items = tuple(ir.Item(expr, f"c{i}") for i, (_, _, expr) in enumerate(found))
        types = {f"c{i}": kind for i, (_, kind, _) in enumerate(found)}
        is_plain = all(t in SCALARS for t in types.values())
        made = ir.Return(items, not is_grouped and is_plain and draw.coin(0.2))
        if is_plain and draw.coin(0.15) and self.lexicon.has("clause:order"):
            made = ir.Return(items, made.distinct, *self.cut(items))
        return made, types


def query(draw: Draw, scene: ir.Scene, lexicon: Lexicon) -> ir.Query:
    """A query that has one answer, the same under the profiles of all seats."""
    cache = lexicon.scene_cache(scene)
    profile, *others = lexicon.profiles
    for _ in range(TRIES):
        made = finished(Composer(draw, cache, lexicon, profile), cache, profile)
        rows = cache.rows(made, profile)
        if rows is not None and all(same(rows, cache.rows(made, other)) for other in others):
            return made
    return ir.Query((ir.Single((ir.Return((ir.Item(ir.Lit("int", 1), "c0"),)),)),))


def same(rows: Any, others: Any) -> bool:
    return others is not None and sorted(map(repr, rows)) == sorted(map(repr, others))


def finished(composer: Composer, cache: SceneCache, profile: Profile) -> ir.Query:
    """A query in the making, finished; what it gives is remembered, so that nobody need evaluate it again."""
    draw = composer.draw
    first, rows = composer.single()
    last = first.clauses[-1]
    if draw.coin(0.06) and composer.lexicon.has("clause:union") and isinstance(last, ir.Return) and last.order == ():
        columns = tuple((i.name, composer.types.get(i.name, "int")) for i in last.items)
        # Sums have types of their own
        if all(kind in SCALARS for _, kind in columns) and not any(has_aggregate(i.expr) for i in last.items):
            second, _ = composer.single(columns)
            return ir.Query((first, second), draw.coin() and composer.lexicon.has("clause:union all"))
    made = ir.Query((first,))
    names = [i.name for i in last.items] if isinstance(last, ir.Return) else []
    if dict(profile)["unreferenced-edge"] != "exists":  # then it depends on the whole query what a clause gives
        cache.learn(made, profile, [tuple([as_lists(row[n]) for n in names]) for row in rows])
    return made


def row_by_row(draw: Draw, scene: ir.Scene, lexicon: Lexicon) -> tuple[Composer, ir.Single] | None:
    """A query whose RETURN shows rows as they are, with what was known on the way: for oracles that change it."""
    composer = Composer(draw, lexicon.scene_cache(scene), lexicon, lexicon.profiles[0])
    composer.is_row_by_row = True
    made, _ = composer.single()
    return (composer, made) if composer.clauses else None

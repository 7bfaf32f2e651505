"""TLP: a condition, its negation and its being NULL split every query's rows into three parts.

Rigger and Su, "Finding Bugs in Database Systems via Query Partitioning", OOPSLA 2020: WHERE, DISTINCT, GROUP BY, HAVING
and aggregates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self

import msgspec

from gainsay.core import oracle as port
from gainsay.core import values
from gainsay.core.claim import Claim, Fold, Relation, Side
from gainsay.core.draw import Draw
from gainsay.core.model import Restated, Seats, Step
from gainsay.core.oracle import Conversation, Oracle
from gainsay.families.sql.drawing import queries
from gainsay.families.sql.drawing.lexicon import Lexicon
from gainsay.families.sql.language import ir
from gainsay.oracles import sql_norec
from gainsay.oracles.sql_reference import Question, settled

WHY = (
    "A condition is true, false or NULL for each {}, so the three parts together must give what the query gives "
    "without it."
)
PARTS = ("is true", "is false", "is null")
WHOLE = Side(("whole",))
LABEL = "partitions"  # one for all modes: a reducer may end in a plainer one


def claim(relation: Relation, what: str, rule: str = values.EXACT, fold: Fold = Fold.ROWS) -> Claim:
    return Claim(LABEL, WHOLE, relation, Side(PARTS, fold), WHY.format(what), rule, believed="left")


CLAIMS = {
    "where": claim(Relation.SAME_BAG, "row"),
    "distinct": claim(Relation.SAME_SET, "row", values.GROUP),
    "group": claim(Relation.SAME_SET, "row", values.GROUP),
    "having": claim(Relation.SAME_BAG, "group", values.CLOSE),
    "min": claim(Relation.SAME_BAG, "row", values.EXACT, Fold.MIN),
    "max": claim(Relation.SAME_BAG, "row", values.EXACT, Fold.MAX),
    "sum": claim(Relation.SAME_BAG, "row", values.CLOSE, Fold.SUM),
    "count": claim(Relation.SAME_BAG, "row", values.EXACT, Fold.TOTAL),
}


class Recipe(port.Recipe, frozen=True):
    """The query without the condition, and the condition.
    `mode`: where, distinct, group, having, or an aggregate's name."""

    subject_field: ClassVar[str] = "query"
    condition_field: ClassVar[str] = "condition"
    query: ir.Select
    condition: ir.Expr
    mode: str = "where"

    @property
    def detours(self) -> tuple[str, ...]:
        return () if self.mode == "where" else (self.mode,)

    def by(self, detour: str) -> Self:
        return msgspec.structs.replace(self, mode=detour) if detour in CLAIMS else self


class Tlp(Oracle):
    """Compares a query with the union of its three parts."""

    name: ClassVar[str] = "tlp"
    family = "sql"
    recipe_type = Recipe
    turns: ClassVar[int] = 4
    about: ClassVar[str] = "a query against its three partitions by a condition (Rigger and Su, OOPSLA 2020)"

    def draw(self, draw: Draw, scene: ir.Scene, seats: Seats) -> Recipe:
        lexicon: Lexicon = seats.lexicon
        known = lexicon.relations(scene)
        found = queries.whole(draw, lexicon, known)
        listed = found.listed or queries.determined(found.columns)
        plain = ir.Select(listed, found.source, ctes=found.ctes)
        unit = draw.unit()
        if unit < 0.55 or lexicon.mix.is_small:
            return Recipe(plain, queries.unled(draw, lexicon, known, found.scope))
        if unit < 0.8:
            return self._aggregate(draw, lexicon, scene, found, plain)
        if unit < 0.87:
            distinct = msgspec.structs.replace(plain, distinct=True)
            return Recipe(distinct, queries.unled(draw, lexicon, known, found.scope), "distinct")
        if unit < 0.93:
            grouped = msgspec.structs.replace(
                plain, items=listed[:2], group=listed[:2] if listed != (queries.ONE,) else ()
            )
            return Recipe(
                grouped, queries.unled(draw, lexicon, known, found.scope), "group" if grouped.group else "where"
            )
        keys = queries.grouping(draw, lexicon, found)
        totals = queries.aggregates(draw, lexicon, found, lexicon.has_extremes(scene))
        if not keys:
            return Recipe(plain, queries.unled(draw, lexicon, known, found.scope))
        columns = tuple(c for c, _ in keys)
        grouped = ir.Select((*columns, *(e for e, _ in totals)), found.source, group=columns, ctes=found.ctes)
        return Recipe(grouped, lexicon.predicate(draw, 2, queries.having_scope(keys, totals)), "having")

    def _aggregate(
        self, draw: Draw, lexicon: Lexicon, scene: ir.Scene, found: queries.Base, plain: ir.Select
    ) -> Recipe:
        known = lexicon.relations(scene)
        (total, _), *_rest = queries.aggregates(draw, lexicon, found, lexicon.has_extremes(scene))
        # DISTINCT counts do not add up over parts; nor do means and joined texts, whose rows are counted instead
        total = msgspec.structs.replace(total, distinct=False) if total.fn in CLAIMS else ir.Agg("count", total.arg)
        query = msgspec.structs.replace(plain, items=(total,))
        return Recipe(query, queries.unled(draw, lexicon, known, found.scope), total.fn)

    def converse(self, scene: ir.Scene, recipe: Recipe, seats: Seats) -> Conversation:
        query, condition, mode = recipe.query, recipe.condition, recipe.mode
        if mode == "where" and not is_legal(query, mode):
            # Shrunk from another mode: the plain query under it.
            shown = tuple(i for i in query.items if not isinstance(i, ir.Agg))
            query = msgspec.structs.replace(query, items=shown or (queries.ONE,), distinct=False, group=())
        if not is_legal(query, mode):
            return
        yield Step("whole", query, 0, True)
        for label, part in zip(PARTS, parts(condition), strict=True):
            where, having = (None, part) if mode == "having" else (part, None)
            yield Step(
                label, ir.Select(query.items, query.source, where, query.distinct, query.group, having, (), query.ctes)
            )
        yield CLAIMS[mode]

    def restated(self, scene: ir.Scene, recipe: Recipe, seats: Seats, asked: Any, answers: Any) -> Iterator[Restated]:
        """The whole or a part, where our own semantics calls it wrong; a part by itself, where NoREC tells that it is
        wrong: two questions instead of four."""
        yield from settled(scene, seats, asked, answers)
        if recipe.mode == "having":
            return
        shown = tuple(i for i in recipe.query.items if not isinstance(i, ir.Agg)) or (queries.ONE,)
        plain = msgspec.structs.replace(recipe.query, items=shown, distinct=False, group=())
        has_is_true = sql_norec.has_is_true(seats)
        for part in parts(recipe.condition):
            filtered = msgspec.structs.replace(plain, where=part)
            yield Restated(
                sql_norec.Norec.name, scene, sql_norec.Recipe(filtered, "rows", has_is_true), sql_norec.ROWS.label
            )

    def variants(self, scene: ir.Scene, question: Question, seats: Seats) -> list[Recipe]:
        """A question that somebody else wrote, in every mode that applies to it."""
        plain = self.recall(question)
        if plain is None or not isinstance(question, ir.Select):
            return []
        replace, condition = msgspec.structs.replace, plain.condition
        bare = replace(question, where=None, order=(), grouping="", limit=None, offset=None)
        found = [plain]
        for mode in CLAIMS:
            for query in (
                bare,
                replace(bare, distinct=mode == "distinct", group=bare.group if mode in ("group", "having") else ()),
            ):
                items = query.group if mode == "group" else query.items
                made = replace(query, items=items)
                found += [Recipe(made, condition, mode)] if is_legal(made, mode) else []
        return list(dict.fromkeys(found))

    def recall(self, question: Question) -> Recipe | None:
        """Partition by the WHERE condition; a query without one by what it computes."""
        if not isinstance(question, ir.Select):
            return None
        whole = ir.Select((ir.RawExpr("*"),) if question.source else question.items, question.source)
        shown = question.items[0]
        condition = question.where or (
            ir.RawExpr(f"({shown.text})") if isinstance(shown, ir.RawExpr) and shown.text != "*" else None
        )
        return None if condition is None else Recipe(whole, condition)


def parts(condition: ir.Expr) -> tuple[ir.Expr, ...]:
    return condition, ir.Op("not", (condition,)), ir.Op("is null", (condition,))


def is_legal(query: ir.Select, mode: str) -> bool:
    """A shrunk query must still be one to which this partitioning applies."""
    if query.where is not None or query.having is not None or sql_norec.looks_at_all(query):
        return False
    if mode == "where":
        return not query.group and not query.distinct and ir.Agg not in [i.__class__ for i in query.items]
    aggregated = [i for i in query.items if isinstance(i, ir.Agg)]
    if mode in ("where", "distinct", "group"):
        grouped = bool(query.group) == (mode == "group") and (mode != "group" or query.items == query.group)
        return not aggregated and grouped and query.distinct == (mode == "distinct")
    if mode == "having":
        return bool(query.group) and set(query.items) - set(aggregated) <= set(query.group)
    return (
        not query.group
        and len(query.items) == 1
        and bool(aggregated)
        and aggregated[0].fn == mode
        and not aggregated[0].distinct
    )

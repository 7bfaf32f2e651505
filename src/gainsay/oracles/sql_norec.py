"""NoREC: a filter keeps exactly the rows for which its condition is true when it is merely computed.

Rigger and Su, "Detecting Optimization Bugs in Database Engines via Non-Optimizing Reference Engine Construction",
ESEC/FSE 2020, sections 3.1 to 3.4: several tables and joins are copied; for inner joins ON may move into the condition;
ORDER BY is dropped; GROUP BY is kept and its counts are summed; the count comes from the rows or from an aggregate. Row
contents are compared, not only counts. Not applied to DISTINCT and aggregate queries. An error on one side is
undecidable: SQL does not say whether AND and OR short-circuit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

import msgspec

from gainsay.core import oracle as port
from gainsay.core.answer import Answer
from gainsay.core.claim import Claim, Fold, Relation, Side
from gainsay.core.draw import Draw
from gainsay.core.model import Restated, Seats, Step
from gainsay.core.oracle import Conversation, Oracle
from gainsay.families.sql.drawing import queries
from gainsay.families.sql.drawing.lexicon import Lexicon
from gainsay.families.sql.language import ir
from gainsay.oracles.sql_reference import Question, settled

WHY = (
    "A WHERE clause keeps exactly the rows for which its condition is true, so filtering by it and computing it for "
    "every row must agree."
)
ROWS = Claim("filtered rows", Side(("optimized",)), Relation.SAME_BAG, Side(("unoptimized",), Fold.TRUE_ROWS), WHY)
COUNT = Claim(
    "filtered rows", Side(("optimized",), Fold.TOTAL), Relation.SAME_BAG, Side(("unoptimized",), Fold.TOTAL), WHY
)
COUNT_STAR = (ir.Agg("count"),)


class Recipe(port.Recipe, frozen=True):
    """`mode`: rows, count, group (counts summed over groups), on (inner joins' conditions move into the predicate)."""

    keep: ClassVar[frozenset[str]] = frozenset({"has_is_true"})
    subject_field: ClassVar[str] = "query"
    query: ir.Select
    mode: str = "rows"
    has_is_true: bool = True  # whether the target takes IS TRUE

    @property
    def tested(self) -> ir.Expr | None:
        return self.query.where

    def with_tested(self, condition: ir.Expr) -> Self:
        return self.with_subject(msgspec.structs.replace(self.query, where=condition))

    @property
    def detours(self) -> tuple[str, ...]:
        return () if self.mode == "rows" else (self.mode,)

    def truth(self, condition: ir.Expr) -> ir.Expr:
        """Whether a condition is true, never NULL, in words that the target takes."""
        return (
            ir.Op("is true", (condition,))
            if self.has_is_true
            else ir.Op("and", (ir.Op("is not null", (condition,)), condition))
        )

    def number(self, condition: ir.Expr) -> ir.Expr:
        """The same as 1 or 0."""
        return ir.Op("truth" if self.has_is_true else "case truth", (condition,))


class Norec(Oracle):
    """Compares a filter with its condition computed row by row."""

    name: ClassVar[str] = "norec"
    family = "sql"
    recipe_type = Recipe
    turns: ClassVar[int] = 4  # a conversation of plans or twin asks ten times as much
    about: ClassVar[str] = "a filter against its condition computed row by row (Rigger and Su, ESEC/FSE 2020)"

    def draw(self, draw: Draw, scene: ir.Scene, seats: Seats) -> Recipe:
        lexicon: Lexicon = seats.lexicon
        known = lexicon.relations(scene)
        found = queries.read(draw, lexicon, known)
        where = queries.condition(draw, lexicon, known, found)
        unit = draw.unit()
        mode = "rows" if unit < 0.5 else "count"
        group: tuple[ir.Expr, ...] = ()
        if not lexicon.mix.is_small and unit > 0.9:
            group = tuple(c for c, _ in queries.grouping(draw, lexicon, found))
            mode = "group" if group else "count"
        elif unit > 0.75 and movable(found.source):
            mode = "on"
        order = queries.order(draw, lexicon, found) if mode == "rows" and draw.unit() < 0.1 else ()
        listed = queries.items(draw, lexicon, found) if mode in ("rows", "on") else COUNT_STAR
        takes = lexicon.has("op:is true") and lexicon.has("op:is true/bool")  # what has_is_true says, for many draws
        return Recipe(ir.Select(listed, found.source, where, group=group, order=order, ctes=found.ctes), mode, takes)

    def converse(self, scene: ir.Scene, recipe: Recipe, seats: Seats) -> Conversation:
        query, mode = recipe.query, recipe.mode
        condition = query.where
        if condition is None or query.distinct or query.having is not None or looks_at_all(query):
            return
        if mode == "rows" and query.items == COUNT_STAR:
            query = msgspec.structs.replace(query, items=(queries.ONE,))
        if mode == "count" and query.items == COUNT_STAR and not query.group:
            yield Step("optimized", query)
            counted = ir.Select((ir.As(recipe.number(condition), "x"),), query.source)
            total = ir.Select(
                (ir.Agg("sum", ir.Col("", "x")),), (ir.Join("", sub=counted, alias="s"),), ctes=query.ctes
            )
            yield Step("unoptimized", total)
            yield COUNT
        elif mode == "group" and query.items == COUNT_STAR:
            yield Step("optimized", query)
            yield Step(
                "unoptimized",
                ir.Select((ir.Agg("sum", recipe.number(condition)),), query.source, group=query.group, ctes=query.ctes),
            )
            yield COUNT
        elif mode in ("rows", "on") and not query.group and not any(isinstance(i, ir.Agg) for i in query.items):
            source = query.source
            if mode == "on":
                if not movable(source):
                    return
                for each in source:
                    condition = condition if each.on is None else ir.Op("and", (condition, each.on))
                source = tuple(msgspec.structs.replace(j, kind="," if j.kind else "", on=None) for j in source)
            yield Step("optimized", query)
            yield Step("unoptimized", ir.Select((recipe.truth(condition), *query.items), source, ctes=query.ctes))
            yield ROWS

    def restated(
        self, scene: ir.Scene, recipe: Recipe, seats: Seats, asked: Mapping[str, Any], answers: Mapping[str, Answer]
    ) -> Iterator[Restated]:
        """A question whose answer our own semantics calls wrong."""
        return settled(scene, seats, asked, answers)

    def variants(self, scene: ir.Scene, question: Question, seats: Seats) -> list[Recipe]:
        """A question that somebody else wrote, in every mode that applies to it: NoREC knows no DISTINCT and no
        aggregates."""
        if not isinstance(question, ir.Select) or question.where is None:
            return []
        replace, is_aggregated = msgspec.structs.replace, any(isinstance(i, ir.Agg) for i in question.items)
        bare = replace(question, distinct=False, group=(), order=(), grouping="", limit=None, offset=None)
        found = [Recipe(replace(bare, items=COUNT_STAR), "count")]
        found += [] if is_aggregated else [Recipe(bare), Recipe(replace(bare, order=question.order))]
        found += [Recipe(replace(bare, items=COUNT_STAR, group=question.group), "group")] if question.group else []
        found += [Recipe(bare, "on")] if movable(question.source) and not is_aggregated else []
        return list(dict.fromkeys(found))

    def recall(self, question: Question) -> Recipe | None:
        if not isinstance(question, ir.Select) or question.where is None:
            return None
        return Recipe(question, "count" if question.items == COUNT_STAR else "rows")


def has_is_true(seats: Seats) -> bool:
    return not seats.refused & {"op:is true", "op:is true/bool"}


def movable(source: tuple[ir.Join, ...]) -> bool:
    return all(j.kind in queries.INNER and not j.using for j in source) and any(j.on is not None for j in source)


def looks_at_all(query: ir.Select) -> bool:
    """Whether what a query shows of a row depends on others: LIMIT, window functions."""
    return query.limit is not None or bool(query.grouping) or any(isinstance(i, ir.Over) for i in query.items)

"""Partition: a condition, its negation and its being null split the rows of a query into three parts, at whichever
clause it stands.

Ternary logic partitioning (Rigger and Su, OOPSLA 2020), which GDBMeter (Kamm et al., ISSTA 2023) brought to Cypher for
the count of one node's matches; here for rows, distinct rows and aggregates, at any MATCH or WITH behind which all
clauses work row by row."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import msgspec

from gainsay.core import oracle as port
from gainsay.core import values
from gainsay.core.claim import Claim, Fold, Relation, Side
from gainsay.core.draw import Draw
from gainsay.core.model import Seats, Step
from gainsay.core.oracle import Conversation
from gainsay.families.cypher.drawing import queries
from gainsay.families.cypher.drawing.lexicon import SCALARS
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.scopes import free, has_aggregate, has_bare
from gainsay.families.cypher.meaning import proof
from gainsay.families.cypher.meaning.scene_cache import OPEN, cache_of, profile_of
from gainsay.oracles.cypher_reference import SelfComparing

WHY = (
    "A condition is true, false or null for each row, so the three parts together must give what the query gives "
    "without it."
)
PARTS = ("is true", "is false", "is null")
FOLDS = {"rows": Fold.ROWS, "distinct": Fold.ROWS, "count": Fold.TOTAL, "min": Fold.MIN, "max": Fold.MAX}
TRIES = 3
SPLITS = 6  # conditions that are drawn to find one that parts the rows


class Recipe(port.Recipe, frozen=True):
    """A query and a condition for the clause at `position`.
    `mode`: rows, distinct, or the aggregate that is returned."""

    keep: ClassVar[frozenset[str]] = frozenset({"position"})
    subject_field: ClassVar[str] = "query"
    condition_field: ClassVar[str] = "condition"
    query: ir.Single
    condition: ir.Expr
    position: int
    mode: str = "rows"

    @property
    def detours(self) -> tuple[str, ...]:
        return () if self.mode == "rows" else (self.mode,)

    def without_clause(self, index: int) -> Self:
        return msgspec.structs.replace(self, position=self.position - 1) if self.position > index else self

    def part(self, condition: ir.Expr | None) -> ir.Query | None:
        """The query with a further condition at the chosen clause; None where it can't stand there."""
        clauses = list(self.query.clauses)
        here = clauses[self.position] if self.position < len(clauses) else None
        if (
            not isinstance(here, (ir.Match, ir.With))
            or (isinstance(here, ir.Match) and here.optional)
            or not self.is_row_by_row()
        ):
            return None
        if condition is not None:
            where = condition if here.where is None else ir.Op("AND", (here.where, condition))
            clauses[self.position] = msgspec.structs.replace(here, where=where)
        return ir.Query((ir.Single(tuple(clauses)),))

    def is_row_by_row(self) -> bool:
        """Whether all that follows works row by row, and the RETURN is what the mode says."""
        for clause in self.query.clauses[self.position + 1 : -1]:
            if isinstance(clause, ir.With) and (
                clause.distinct
                or clause.skip is not None
                or clause.limit is not None
                or any(has_aggregate(i.expr) for i in clause.items)
            ):
                return False
        last = self.query.clauses[-1]
        if not isinstance(last, ir.Return) or last.skip is not None or last.limit is not None:
            return False
        grouped = [i.expr for i in last.items if has_aggregate(i.expr)]
        if self.mode in ("rows", "distinct"):
            return not grouped and last.distinct == (self.mode == "distinct")
        only = last.items[0].expr
        return (
            len(last.items) == 1
            and isinstance(only, ir.Agg)
            and only.fn == self.mode
            and not only.distinct
            and not last.distinct
        )

    def conversation(self) -> Conversation:
        condition = self.condition
        asked = [self.part(c) for c in (None, condition, ir.Op("NOT", (condition,)), ir.Op("IS NULL", (condition,)))]
        for label, query in zip(("whole", *PARTS), asked, strict=True):
            if query is None:
                return
            yield Step(label, query, 0, label == "whole")
        relation = Relation.SAME_SET if self.mode == "distinct" else Relation.SAME_BAG
        fold = FOLDS[self.mode]
        yield Claim(
            "partitions", Side(("whole",)), relation, Side(PARTS, fold), WHY, values.GRAPH_BAGS, believed="left"
        )


class Partition(SelfComparing):
    """Compares a query with the union of its three parts."""

    name: ClassVar[str] = "partition"
    family = "cypher"
    recipe_type = Recipe
    about: ClassVar[str] = (
        "a query against its three partitions by a condition (Rigger and Su, OOPSLA 2020; GDBMeter, ISSTA 2023)"
    )

    def draw(self, draw: Draw, scene: ir.Scene, seats: Seats) -> Recipe | None:
        for _ in range(TRIES):
            found = self._drawn(draw, scene, seats)
            if found is not None and proof.holds(found.conversation(), cache_of(seats, scene), profile_of(seats)):
                return found
        return None

    def _drawn(self, draw: Draw, scene: ir.Scene, seats: Seats) -> Recipe | None:
        made = queries.row_by_row(draw, scene, seats.lexicon)
        if made is None:
            return None
        composer, single = made
        unit = draw.unit()
        mode = "rows"
        if unit > 0.6:
            single, mode = self._other(draw, composer, single)
        places = [i for i, c in enumerate(composer.clauses) if isinstance(c, (ir.Match, ir.With))]
        for place in reversed(places):
            condition = self._condition(draw, composer, *composer.trail[place])
            if condition is not None:
                recipe = Recipe(single, condition, place, mode)
                if recipe.part(None) is not None:
                    return recipe
        return None

    @staticmethod
    def _condition(
        draw: Draw, composer: queries.Composer, types: dict[str, str], rows: list[dict[str, Any]]
    ) -> ir.Expr | None:
        """A condition on some variable, and one that parts the rows if such a one is found soon."""
        found = None
        for _ in range(SPLITS if rows else 0):
            drawn = composer.condition(composer.scope(types), draw.pick(rows), draw.between(1, 3))
            if drawn is None or has_bare(drawn) or not free(drawn):
                continue
            found = drawn
            try:
                if len({composer.evaluator.value(drawn, row) for row in rows}) > 1:
                    break
            except OPEN:
                continue
        return found

    @staticmethod
    def _other(draw: Draw, composer: queries.Composer, single: ir.Single) -> tuple[ir.Single, str]:
        """The same with DISTINCT, or with an aggregate whose parts add up."""
        last = single.clauses[-1]
        items = last.items  # type: ignore[union-attr] # a Return
        if draw.coin(0.4) and all(composer.types.get(i.name) in SCALARS for i in items):
            return ir.Single((*single.clauses[:-1], msgspec.structs.replace(last, distinct=True))), "distinct"
        fn = draw.pick(("count", "min", "max"))
        types = composer.trail[-1][0]
        arg = composer.expressions.expr(draw.pick(("int", "str")), composer.scope(types), 1)
        over = ir.Agg(fn, None if fn == "count" and draw.coin() else arg)
        return ir.Single((*single.clauses[:-1], ir.Return((ir.Item(over, "c0"),)))), fn

    def recall(self, question: ir.Query | ir.RawQuery) -> Recipe | None:
        """Partition by the last WHERE."""
        if not isinstance(question, ir.Query) or len(question.parts) > 1:
            return None
        clauses = question.parts[0].clauses
        for place in range(len(clauses) - 2, -1, -1):
            clause = clauses[place]
            if isinstance(clause, (ir.Match, ir.With)) and clause.where is not None:
                rest = ir.Single((*clauses[:place], msgspec.structs.replace(clause, where=None), *clauses[place + 1 :]))
                last = clauses[-1]
                only = last.items[0].expr if isinstance(last, ir.Return) else None
                mode = only.fn if isinstance(only, ir.Agg) and only.fn in FOLDS else "rows"
                return Recipe(rest, clause.where, place, mode)
        return None

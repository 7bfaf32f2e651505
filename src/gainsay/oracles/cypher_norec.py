"""NoREC on WHERE: what a condition filters must be the rows for which the same condition, as a value, is true.

Rigger and Su, "Detecting Optimization Bugs in Database Engines via Non-optimizing Reference Engine Construction",
ESEC/FSE 2020, for Cypher: an engine may turn a condition into a label scan, an index lookup or a join; it can do
nothing with one that is returned."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from gainsay.core import oracle as port
from gainsay.core import values
from gainsay.core.claim import Claim, Fold, Relation, Side
from gainsay.core.draw import Draw
from gainsay.core.model import Seats, Step
from gainsay.core.oracle import Conversation
from gainsay.families.cypher.drawing import queries
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.scopes import has_aggregate, has_bare
from gainsay.families.cypher.meaning import proof
from gainsay.families.cypher.meaning.scene_cache import cache_of, profile_of
from gainsay.oracles.cypher_reference import SelfComparing

WHY = (
    "WHERE keeps exactly the rows for which its condition is true, so the condition as a value must be true as often, "
    "for the same rows."
)
TRIES = 3


class Recipe(port.Recipe, frozen=True):
    """A query without aggregates whose last MATCH or WITH, just before RETURN, has the condition."""

    subject_field: ClassVar[str] = "query"
    condition_field: ClassVar[str] = "condition"
    query: ir.Single
    condition: ir.Expr

    def conversation(self) -> Conversation:
        *before, here, last = self.query.clauses if len(self.query.clauses) > 1 else (None, None)
        if not isinstance(here, (ir.Match, ir.With)) or not isinstance(last, ir.Return) or here.where is not None:
            return
        if (
            (isinstance(here, ir.Match) and here.optional)
            or last.distinct
            or last.order
            or last.skip is not None
            or last.limit is not None
        ):
            return
        if any(has_aggregate(i.expr) for i in last.items):
            return
        filtered = (*before, msgspec.structs.replace(here, where=self.condition), last)
        shown = (*before, here, ir.Return((ir.Item(self.condition, "is_true"), *last.items)))
        yield Step("filtered", ir.Query((ir.Single(filtered),)))
        yield Step("shown", ir.Query((ir.Single(shown),)))
        yield Claim(
            "as often as true",
            Side(("filtered",)),
            Relation.SAME_BAG,
            Side(("shown",), Fold.TRUE_ROWS),
            WHY,
            values.GRAPH_BAGS,
        )


class Norec(SelfComparing):
    """Compares a filter with the same condition returned as a value."""

    name: ClassVar[str] = "norec"
    family = "cypher"
    recipe_type = Recipe
    about: ClassVar[str] = (
        "rows that WHERE keeps against rows for which its condition is true (Rigger and Su, ESEC/FSE 2020)"
    )

    def draw(self, draw: Draw, scene: ir.Scene, seats: Seats) -> Recipe | None:
        for _ in range(TRIES):
            made = queries.row_by_row(draw, scene, seats.lexicon)
            if made is None:
                continue
            composer, single = made
            here = composer.clauses[-1]
            types, rows = composer.trail[-1]
            if not isinstance(here, (ir.Match, ir.With)) or not rows:
                continue
            condition = here.where or composer.condition(composer.scope(types), draw.pick(rows), draw.between(1, 3))
            if condition is None or has_bare(condition):
                continue
            bare = ir.Single((*single.clauses[:-2], msgspec.structs.replace(here, where=None), single.clauses[-1]))
            recipe = Recipe(bare, condition)
            if proof.holds(recipe.conversation(), cache_of(seats, scene), profile_of(seats)):
                return recipe
        return None

    def recall(self, question: ir.Query | ir.RawQuery) -> Recipe | None:
        if not isinstance(question, ir.Query) or len(question.parts) > 1 or len(question.parts[0].clauses) < 2:
            return None
        *before, here, last = question.parts[0].clauses
        if not isinstance(here, (ir.Match, ir.With)) or here.where is None:
            return None
        shown = last
        if isinstance(last, ir.Return) and any(has_aggregate(i.expr) for i in last.items):
            shown = ir.Return((ir.Item(ir.Lit("int", 1), "c0"),))
        return Recipe(ir.Single((*before, msgspec.structs.replace(here, where=None), shown)), here.where)

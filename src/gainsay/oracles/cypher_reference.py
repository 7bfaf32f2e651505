"""The reference oracle: an engine's rows against our own semantics of openCypher, under the engine's documented
profile.

One engine is enough, and nothing it does is taken for right because it does it twice. Where the last clause orders by
all columns, the order counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from gainsay.core import oracle as port
from gainsay.core.answer import Answer, Rows
from gainsay.core.claim import Claim, Relation, Side
from gainsay.core.draw import Draw
from gainsay.core.model import Restated, Seats, Step
from gainsay.core.oracle import Conversation, Oracle
from gainsay.core.values import same_bag
from gainsay.families.cypher.drawing import fixed_questions, queries
from gainsay.families.cypher.family import rule_for
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.meaning import explain, proof
from gainsay.families.cypher.meaning.profile import FACTS
from gainsay.families.cypher.meaning.scene_cache import Profile, SceneCache, cache_of, profile_of

WHY = "openCypher, with the differences that this engine documents, gives exactly these rows."


CLAIM = "as evaluated"


class Recipe(port.Recipe, frozen=True):
    """A query that our own evaluator answers too."""

    subject_field: ClassVar[str] = "query"
    query: ir.Query | ir.RawQuery


class SelfComparing(Oracle):
    """What oracles share that compare an engine with itself: the recipe holds the conversation, and `reference` tells
    which answer was wrong."""

    def converse(self, scene: ir.Scene, recipe: Any, seats: Seats) -> Conversation:
        return recipe.conversation() if recipe is not None else nothing()

    def restated(
        self, scene: ir.Scene, recipe: Any, seats: Seats, asked: Mapping[str, Any], answers: Mapping[str, Answer]
    ) -> Iterator[Restated]:
        """The questions whose answers our own semantics calls wrong, each as a claim of `reference`."""
        cache, profile = cache_of(seats, scene), profile_of(seats)
        for label, query in asked.items():
            answer, right = answers.get(label), cache.rows(query, profile) if isinstance(query, ir.Query) else None
            if isinstance(answer, Rows) and right is not None and not same_bag(answer.rows, right, rule_for(query)):
                yield Restated(Reference.name, scene, Recipe(query), CLAIM)


def nothing() -> Conversation:
    """A conversation in which nothing is said."""
    return
    yield


class Reference(Oracle):
    """Compares an engine's rows with those of our own evaluator."""

    name: ClassVar[str] = "reference"
    family = "cypher"
    recipe_type = Recipe
    turns: ClassVar[int] = 4
    is_by_meaning: ClassVar[bool] = True
    about: ClassVar[str] = "the rows by our own semantics of openCypher, under the engine's documented profile"

    def draw(self, draw: Draw, scene: ir.Scene, seats: Seats) -> Recipe:
        return Recipe(queries.query(draw, scene, seats.lexicon))

    def fixed_recipes(self, scene: ir.Scene, seats: Seats) -> Sequence[Recipe]:
        """Questions about what is known to differ between engines come first: an answer that is neither standard nor
        documented is a finding."""
        return [Recipe(q) for q in fixed_questions.questions(scene)]

    def converse(self, scene: ir.Scene, recipe: Recipe, seats: Seats) -> Conversation:
        query = recipe.query
        rows = cache_of(seats, scene).rows(query, profile_of(seats)) if isinstance(query, ir.Query) else None
        if rows is None or not isinstance(query, ir.Query):
            return
        answer = yield Step("query", query)
        rule, cache, profile = rule_for(query), cache_of(seats, scene), profile_of(seats)
        relation = Relation.SAME_LIST if is_ordered(query) else Relation.SAME_BAG
        if isinstance(answer, Rows):
            is_same = same_bag(answer.rows, rows, rule)
            if (is_same and relation is Relation.SAME_BAG) or (not is_same and is_open(cache, query, profile, answer)):
                rows = answer.rows  # compared already: the judge need not do it again
            elif not is_same and proof.depends_on_plan(cache, query, profile, rows):
                relation = Relation.SAME_SET  # a plan decides how often a row comes, not whether it does
        yield Claim(CLAIM, Side(("query",)), relation, Side(value=tuple(rows)), WHY, rule)

    def explain(self, scene: ir.Scene, recipe: Recipe, seats: Seats) -> str:
        """How many rows each clause leaves, and which documented differences play a part."""
        return f"{WHY} {explain.sentence(scene, recipe.query, seats)}" if isinstance(recipe.query, ir.Query) else WHY

    def recall(self, question: ir.Query | ir.RawQuery) -> Recipe:
        return Recipe(question)


def is_open(cache: SceneCache, query: ir.Query, profile: Profile, answer: Answer) -> bool:
    """Whether an answer that the profile does not give is in order all the same: it is openCypher's own, or what is
    documented depends on a plan."""
    if not isinstance(answer, Rows):
        return False
    standard = tuple((name, fact.standard) for name, fact in FACTS.items())
    right = cache.rows(query, standard) if standard != profile else None
    if right is not None and same_bag(answer.rows, right, rule_for(query)):
        return True
    return proof.counts_rows(query) and proof.depends_on_plan(cache, query, profile, cache.rows(query, profile) or [])


def is_ordered(query: ir.Query) -> bool:
    """Whether the order of the rows is determined: by all columns."""
    last = query.parts[0].clauses[-1]
    if len(query.parts) > 1 or not isinstance(last, ir.Return) or not last.order:
        return False
    return {i.name for i in last.items} <= {o.expr.name for o in last.order if isinstance(o.expr, ir.Var)}

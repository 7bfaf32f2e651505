"""The reference oracle: an engine's rows against our own semantics of SQL, under the engine's documented profile.

One engine is enough, and nothing it does is taken for right because it does it twice. Pivoted query synthesis (Rigger
and Su, "Testing Database Engines via Pivoted Query Synthesis", OSDI 2020) is its special case: there one row is chosen,
a condition is made true for it, and the answer must hold it. Here all rows of the answer are known. What the tables
hold is asked first: a wrong write is a finding of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Self

from gainsay.core import oracle as port
from gainsay.core import registry, values
from gainsay.core.answer import Answer, Rows
from gainsay.core.claim import Claim, Relation, Side
from gainsay.core.draw import Draw
from gainsay.core.model import Restated, Seat, Seats, Step
from gainsay.core.oracle import Conversation, Oracle
from gainsay.core.tree import Path, at, put
from gainsay.core.values import same_bag
from gainsay.families.sql.drawing import forms, meant, queries
from gainsay.families.sql.family import sums
from gainsay.families.sql.language import dialects, ir
from gainsay.families.sql.meaning import types
from gainsay.families.sql.meaning.scene_cache import SceneCache, cache_of

WHY = "The meaning of the statements, by the engine's own manual, gives exactly these rows."
CLAIM, STORED = "as evaluated", "stored"
NO_NUMBERS: Mapping[str, int] = MappingProxyType({})
EMPTY = 0.2  # share of the checks that are made on a scene without rows
OWN = 0.2  # share of queries that get a column beside an extreme, or `rowid`, where they can
REDRAWN = 2  # how often a query is drawn anew of which nobody can tell the answer
Question = ir.Select | ir.Compound | ir.RawQuery


class Recipe(port.Recipe, frozen=True):
    """A query that our own evaluator answers too. `claim`: about a query, or about what a table holds. `seat`: of the
    target that is asked, where there are several."""

    keep: ClassVar[frozenset[str]] = frozenset({"rule", "claim", "seat"})
    subject_field: ClassVar[str] = "query"
    is_one_question: ClassVar[bool] = True
    query: Question
    rule: str = values.EXACT
    claim: str = CLAIM
    seat: int = 0
    forms: tuple[forms.Form, ...] = ()  # in which it is asked once more

    @property
    def is_self_checked(self) -> bool:
        return True

    @property
    def tested(self) -> ir.Expr | None:
        """What is wrong in a small query: its condition, what it computes, or what it joins by."""
        path = place_of(self.query)
        return at(self.query, path) if path else None

    def with_tested(self, condition: ir.Expr) -> Self:
        return self.with_subject(put(self.query, place_of(self.query), condition))


def place_of(query: Question) -> Path:
    """Where a query has its one condition or expression; nowhere, where it has none."""
    if not isinstance(query, ir.Select):
        return ()
    places: list[Path] = [("where",)] if query.where is not None else []
    places += [("items", n) for n, item in enumerate(query.items) if isinstance(item, (ir.Op, ir.SubExpr))]
    places += [("source", n, "on") for n, join in enumerate(query.source) if isinstance(join.on, (ir.Op, ir.SubExpr))]
    return places[0] if places else ()


class Reference(Oracle):
    """Compares an engine's rows with those of our own evaluator."""

    name: ClassVar[str] = "reference"
    family = "sql"
    recipe_type = Recipe
    turns: ClassVar[int] = 4
    is_by_meaning: ClassVar[bool] = True
    about: ClassVar[str] = "the rows by our own semantics of SQL, under the engine's documented profile"

    def applies(self, seat: Seat) -> bool:
        """Only where we have a semantics of what the target speaks."""
        return dialects.find(seat.dialect).system is not None

    def draw(self, draw: Draw, scene: ir.Scene, seats: Seats) -> Recipe | None:
        cache = cache_of(seats, scene)
        if cache is None:
            return None
        lexicon = meant.lexicon(seats)
        known = lexicon.relations(scene)
        if not known or (not lexicon.filled(()) and draw.unit() >= EMPTY):
            return None  # what is asked must be about what we know, and rarely about nothing
        query = queries.with_rows(draw, lexicon, scene, known)
        for _ in range(REDRAWN):
            if cache.rows(query) is not None:
                break
            query = queries.with_rows(draw, lexicon, scene, known)
        if draw.unit() < OWN:
            query = self._own(draw, query, cache)
        rule = values.CLOSE if sums(query) else values.EXACT
        return Recipe(query, rule, forms=forms.drawn(draw, lexicon, query))

    @staticmethod
    def _own(draw: Draw, query: queries.Question, cache: SceneCache) -> queries.Question:
        """The query in a form that only our semantics can tell of, where the engine's manual has it."""
        database = cache.database
        if database is None or not database.system.has_row_of_extreme:
            return query
        numbered = {
            name: t.names[t.number] for name, t in database.tables.items() if t.number is not None and not t.virtual
        }
        found = queries.by_number(draw, queries.beside_extreme(draw, query), numbered)
        return found if cache.rows(found) is not None else query

    def fixed_recipes(self, scene: ir.Scene, seats: Seats) -> Sequence[Recipe]:
        """What the tables hold comes first."""
        if cache_of(seats, scene) is None:
            return []
        return [Recipe(query, claim=STORED) for query in registry.family(self.family).stored(scene)]

    def converse(self, scene: ir.Scene, recipe: Recipe, seats: Seats) -> Conversation:
        cache = cache_of(seats, scene, recipe.seat)
        if cache is None or not is_fit(scene, recipe, seats):
            return
        rows = cache.rows(recipe.query)
        if rows is None:
            return
        answer = yield Step("query", recipe.query, recipe.seat)
        relation = Relation.SAME_BAG
        ordered = cache.in_order(recipe.query)
        if ordered is not None:
            relation, rows = Relation.SAME_LIST, ordered
        elif isinstance(answer, Rows) and same_bag(answer.rows, rows, recipe.rule):
            rows = answer.rows  # compared already: the judge need not do it again
        yield Claim(recipe.claim, Side(("query",)), relation, Side(value=tuple(rows)), WHY, recipe.rule)
        if isinstance(recipe.query, ir.RawQuery) or not isinstance(answer, Rows):
            return
        for form in recipe.forms:
            wanted = tuple(forms.rows(list(rows), form))
            yield Step(form.kind, forms.said(recipe.query, form), recipe.seat)
            yield Claim(form.kind, Side((form.kind,)), Relation.SAME_BAG, Side(value=wanted), WHY, recipe.rule)

    def restated(self, scene: ir.Scene, recipe: Recipe, seats: Seats, asked: Any, answers: Any) -> Iterator[Restated]:
        """A form that is wrong, as the query that it is."""
        if recipe.forms:
            yield from settled(scene, seats, {k: v for k, v in asked.items() if k != "query"}, answers)

    def recall(self, question: Question) -> Recipe | None:
        return None if isinstance(question, ir.RawQuery) else Recipe(question)


def is_fit(scene: ir.Scene, recipe: Recipe, seats: Seats) -> bool:
    """Whether a case is well typed, where values have types. What was drawn is; what a reducer made may not be."""
    dialect = dialects.find(seats.seats[recipe.seat].dialect)
    return seats.lexicon is not None or dialect.loose or types.is_typed(scene, recipe, dialect, False)


def settled(
    scene: ir.Scene,
    seats: Seats,
    asked: Mapping[str, Any],
    answers: Mapping[str, Answer],
    numbers: Mapping[str, int] = NO_NUMBERS,
) -> Iterator[Restated]:
    """Of questions that were asked, those whose answers our own semantics calls wrong, each as a claim of `reference`.
    `numbers`: the seats that were asked, by label, where there are several."""
    for label, query in asked.items():
        answer, number = answers.get(label), numbers.get(label, 0)
        if not isinstance(query, (ir.Select, ir.Compound)) or not isinstance(answer, Rows):
            continue
        cache = cache_of(seats, scene, number)
        right = cache.rows(query) if cache is not None else None
        rule = values.CLOSE if sums(query) else values.EXACT
        if right is not None and not same_bag(answer.rows, right, rule):
            yield Restated(Reference.name, scene, Recipe(query, rule, seat=number), CLAIM)

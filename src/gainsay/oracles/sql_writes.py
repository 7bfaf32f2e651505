"""A statement that changes rows tells of the right ones, and leaves the right ones: by our own semantics of SQL.

The statement is asked inside of a transaction that is taken back, so that the tables stay as they are for others. A
reduced case is held by itself, and does without, where the answer is as wrong."""

from __future__ import annotations

from typing import ClassVar

from gainsay.core import oracle as port
from gainsay.core.answer import Rows
from gainsay.core.claim import Claim, Relation, Side
from gainsay.core.draw import Draw
from gainsay.core.model import Seat, Seats, Step
from gainsay.core.oracle import Conversation, Oracle
from gainsay.core.values import same_bag
from gainsay.families.sql.drawing import written
from gainsay.families.sql.language import dialects, ir
from gainsay.families.sql.meaning import returning, types
from gainsay.families.sql.meaning.scene_cache import cache_of

WHY = "The meaning of the statement, by the engine's own manual, changes exactly these rows."
WHY_RETURNED = "RETURNING tells of each row that the statement makes, changes or removes, once, as the manual says."
EMPTY = 0.05  # share of the statements that may be about a table without rows
RETURNED, STORED = "returned", "left behind"


class Recipe(port.Recipe, frozen=True):
    """A statement that changes a table, and what it is asked to tell of each row. `is_undone`: it is taken back, and
    the table is looked at before it."""

    statement: ir.Insert | ir.Update | ir.Delete
    items: tuple[ir.Expr, ...] = ()
    is_undone: bool = False

    @property
    def detours(self) -> tuple[str, ...]:
        return ("undone",) if self.is_undone else ()

    @property
    def is_self_checked(self) -> bool:
        return True

    @property
    def is_alone(self) -> bool:
        return True

    @property
    def features(self) -> frozenset[str]:
        """One name for what any statement tells: UPDATE and INSERT are often wrong in the same way."""
        return frozenset({"returning" if self.items else type(self.statement).__name__.lower()})

    @property
    def title_words(self) -> frozenset[str]:
        if isinstance(self.statement, ir.Insert) and self.statement.upsert:
            return frozenset({"on conflict"})
        if isinstance(self.statement, ir.Update) and self.statement.source:
            return frozenset({"update from"})
        return frozenset({type(self.statement).__name__.lower()})


class Writes(Oracle):
    """Compares what a statement does to a table with what our own evaluator says."""

    name: ClassVar[str] = "writes"
    family = "sql"
    recipe_type = Recipe
    about: ClassVar[str] = "what INSERT, UPDATE and DELETE tell by RETURNING and leave, by our own semantics of SQL"

    def applies(self, seat: Seat) -> bool:
        """Only where we have a semantics of what the target speaks."""
        return dialects.find(seat.dialect).system is not None

    def draw(self, draw: Draw, scene: ir.Scene, seats: Seats) -> Recipe | None:
        cache = cache_of(seats, scene)
        if cache is None or cache.database is None or not seats.lexicon.has("stmt:transaction"):
            return None
        tables = [t for t in cache.database.tables.values() if t.is_known and t.virtual is None]
        filled = [t for t in tables if t.rows]
        statement = written.statement(draw, seats.lexicon, filled if filled and draw.unit() >= EMPTY else tables)
        if statement is None:
            return None
        made = cache.database.tables[statement.table]
        return Recipe(statement, written.items(draw, seats.lexicon, made, statement), is_undone=True)

    def converse(self, scene: ir.Scene, recipe: Recipe, seats: Seats) -> Conversation:
        cache = cache_of(seats, scene)
        if cache is None or cache.database is None or not is_fit(scene, recipe, seats):
            return
        wanted = returning.wanted(cache.database, recipe.statement, recipe.items)
        if wanted is None:
            return
        columns = tuple(ir.Col(recipe.statement.table, name) for name in wanted.names)
        whole = ir.Select(columns, (ir.Join(recipe.statement.table),))
        asked = ir.Returning(recipe.statement, recipe.items) if recipe.items else recipe.statement
        if recipe.is_undone:
            before = yield Step("before", whole)
            if not isinstance(before, Rows) or not same_bag(before.rows, wanted.before):
                return  # what went wrong before is told by `reference`
            begun = yield Step("begin", ir.Mark("BEGIN"))
            if not isinstance(begun, Rows):
                return
        told = yield Step("statement", asked)
        if recipe.is_undone or not recipe.items:
            yield Step("table", whole)
        if recipe.is_undone:
            yield Step("undo", ir.Mark("ROLLBACK"))
        if not isinstance(told, Rows):
            return  # it was refused: nothing was changed
        if recipe.items:
            told_of = Side(value=tuple(wanted.returned))
            yield Claim(RETURNED, Side(("statement",)), Relation.SAME_BAG, told_of, WHY_RETURNED)
        if recipe.is_undone or not recipe.items:
            yield Claim(STORED, Side(("table",)), Relation.SAME_BAG, Side(value=tuple(wanted.stored)), WHY)


def is_fit(scene: ir.Scene, recipe: Recipe, seats: Seats) -> bool:
    """Whether a case is well typed, where values have types. What was drawn is; what a reducer made may not be."""
    dialect = dialects.find(seats.seats[0].dialect)
    whole = ir.Scene((*scene.statements, recipe.statement))
    return seats.lexicon is not None or dialect.loose or types.is_typed(whole, recipe, dialect, False)

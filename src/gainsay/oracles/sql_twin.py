"""The same data stored otherwise: without indexes, keys and statistics, and in another order of insertion.

A copy of each table that a query reads is made beside it, with the same columns and rows and nothing else, and views on
the copies. Whatever an index, a key, a partition or a statistic lets an engine do, rows must agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from gainsay.core import names, registry, values
from gainsay.core import oracle as port
from gainsay.core.answer import Answer, Rows
from gainsay.core.claim import Claim, Relation, Side
from gainsay.core.draw import Draw
from gainsay.core.model import Restated, Seats, Step
from gainsay.core.oracle import Conversation, Oracle
from gainsay.families.sql.language import ir
from gainsay.oracles.sql_reference import settled

WHY = (
    "Indexes, keys, statistics, storage and the order of insertion change how rows are found, never which rows these "
    "are, so a query and the same query on a plain copy of the tables must agree."
)
Question = ir.Select | ir.Compound | ir.RawQuery
MARK, REVERSED = "_twin", "_back"  # behind the names of copies, and of those whose rows were inserted in another order
ALTERED = (ir.RenameTable, ir.RenameColumn, ir.AddColumn, ir.DropColumn)
replace = msgspec.structs.replace


class Recipe(port.Recipe, frozen=True):
    """A query that is asked on the tables and on copies of them."""

    keep: ClassVar[frozenset[str]] = frozenset({"rule"})
    subject_field: ClassVar[str] = "query"
    query: ir.Select | ir.Compound
    is_reversed: bool = False  # the copies' rows are inserted in another order
    rule: str = values.EXACT

    @property
    def detours(self) -> tuple[str, ...]:
        return ("another order",) if self.is_reversed else ()

    @property
    def shared_question(self) -> Any:
        return self.query

    @property
    def is_alone(self) -> bool:
        return True

    @property
    def mark(self) -> str:
        return REVERSED if self.is_reversed else MARK


class Twin(Oracle):
    """Compares a query with itself on plain copies of its tables."""

    name: ClassVar[str] = "twin"
    family = "sql"
    recipe_type = Recipe
    turns: ClassVar[int] = 2
    about: ClassVar[str] = "a query on the same data without indexes, keys and statistics"

    def draw(self, draw: Draw, scene: ir.Scene, seats: Seats) -> Recipe | None:
        query, rule = registry.family(self.family).question(draw, scene, seats)
        if not isinstance(query, (ir.Select, ir.Compound)) or copied(query, scene) is None:
            return None
        return Recipe(query, draw.coin(), rule)

    def converse(self, scene: ir.Scene, recipe: Recipe, seats: Seats) -> Conversation:
        needed = copied(recipe.query, scene)
        if needed is None:
            return
        yield Step("query", recipe.query)
        # The copies stay until the scene goes: the first question that needs one makes it, for all of an episode
        for number, statement in enumerate(copies(scene, needed, recipe)):
            answer = yield Step(f"copy {number + 1}", statement, again=True)
            if not isinstance(answer, Rows):
                return
        yield Step("on the copy", renamed(recipe.query, needed, recipe.mark))
        yield Claim("same rows", Side(("query",)), Relation.SAME_BAG, Side(("on the copy",)), WHY, recipe.rule)

    def restated(
        self, scene: ir.Scene, recipe: Recipe, seats: Seats, asked: Mapping[str, Any], answers: Mapping[str, Answer]
    ) -> Iterator[Restated]:
        """A question whose answer our own semantics calls wrong."""
        return settled(scene, seats, asked, answers)

    def recall(self, question: Question) -> Recipe | None:
        return None if isinstance(question, ir.RawQuery) else Recipe(question)

    def variants(self, scene: ir.Scene, question: Question, seats: Seats) -> list[Recipe]:
        if isinstance(question, ir.RawQuery):
            return []
        return [Recipe(question, is_reversed) for is_reversed in (False, True)]

    def evidence(self, labels: Sequence[str], claim: Claim) -> Sequence[str]:
        shown = {*claim.left.steps, *claim.right.steps}
        return [label for label in labels if label in shown or label.startswith("copy ")]


def relations_of(scene: ir.Scene) -> dict[str, ir.CreateTable | ir.CreateView]:
    return {s.name: s for s in scene.statements if isinstance(s, (ir.CreateTable, ir.CreateView))}


def copied(query: Any, scene: ir.Scene) -> list[str] | None:
    """The tables and views that a query reads, in the order of their creation. None where one can't be copied: a
    virtual table, a table that was altered, a stored view, whose rows are of an earlier time."""
    known = relations_of(scene)
    own = {c.name for c in getattr(query, "ctes", ())}
    read = {name for name in names.met(query, "relation") if name not in own}
    if not read or not read <= known.keys():
        return None
    wanted = set(read)
    for name in reversed(known):
        made = known[name]
        if name in wanted and isinstance(made, ir.CreateView):
            if made.is_stored:
                return None
            wanted |= {n for n in names.met(made.query, "relation") if n in known}
    is_altered = any(isinstance(s, ALTERED) and s.table in wanted for s in scene.statements)
    return None if is_altered else [name for name in known if name in wanted]


def copies(scene: ir.Scene, needed: Sequence[str], recipe: Recipe) -> Iterator[ir.Statement]:
    """Plain tables with the same rows, and the same views on them."""
    known, mark = relations_of(scene), recipe.mark
    for name in needed:
        made = known[name]
        if isinstance(made, ir.CreateView):
            yield replace(made, name=name + mark, query=renamed(made.query, needed, mark))
            continue
        yield ir.CreateTable(name + mark, tuple(bare_column(c) for c in made.columns), strict=made.strict)
        listed = [c.name for c in made.columns if c.generated is None]
        order = f" ORDER BY {len(listed)} DESC" if recipe.is_reversed else ""
        if listed:
            shown = ", ".join(listed)
            yield ir.Setting(f"INSERT INTO {name}{mark}({shown}) SELECT {shown} FROM {name}{order}")


def bare_column(column: ir.Column) -> ir.Column:
    """A column without what an index or a rule could be made of. What it computes is computed anew."""
    return replace(column, primary=False, unique=False, not_null=False, default=None, check=None)


def renamed(query: Any, needed: Sequence[str], mark: str) -> Any:
    """A query on the copies."""
    return names.renamed(
        query, lambda n: n.text + mark if n.kind in ("relation", "source") and n.text in needed else n.text
    )

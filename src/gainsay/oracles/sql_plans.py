"""The same query under other plans: an optimizer's switch, a hint or a setting changes how rows are found, never which.

The engine's dialect lists them (`switches`). The one that changes the answer is the guilty pass, or its repair, and is
a part of the finding's name. Engines' own tests use such switches in this way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from gainsay.core import oracle as port
from gainsay.core import registry, values
from gainsay.core.answer import Answer, Rows
from gainsay.core.claim import Claim, Relation, Side
from gainsay.core.draw import Draw
from gainsay.core.model import Restated, Seat, Seats, Step
from gainsay.core.oracle import Conversation, Oracle
from gainsay.families.sql.language import dialects, ir
from gainsay.families.sql.language.dialect import SqlDialect, Switch
from gainsay.oracles.sql_reference import settled

WHY = (
    "A switch of the optimizer changes how the rows of a query are found, never which rows these are, so the answers "
    "must agree."
)
PLAIN = "as it is"
SWITCHES = 4  # for most queries, broad ones first: many queries under few switches meet more than few under many
ALL = 1 / 16  # of the queries are asked under every switch
Question = ir.Select | ir.Compound | ir.RawQuery


class Recipe(port.Recipe, frozen=True):
    """A query, and the names of the switches under which it is asked again.
    A broad one says little of the cause: it counts twice, so that a reducer takes another instead where one will do."""

    keep: ClassVar[frozenset[str]] = frozenset({"rule"})
    subject_field: ClassVar[str] = "query"
    query: Question
    switches: tuple[str, ...]
    rule: str = values.EXACT
    broad: tuple[str, ...] = ()

    @property
    def shared_question(self) -> Question:
        return self.query

    @property
    def detours(self) -> tuple[str, ...]:
        return (*self.switches, *self.broad, *self.broad)

    def by(self, detour: str) -> Recipe:
        return msgspec.structs.replace(self, switches=(detour,), broad=())

    @property
    def features(self) -> frozenset[str]:
        asked = (*self.switches, *self.broad)
        return frozenset({f"switch: {asked[0]}"} if len(asked) == 1 else ())

    @property
    def is_alone(self) -> bool:
        return True


class Plans(Oracle):
    """Compares a query with itself under switches of the optimizer."""

    name: ClassVar[str] = "plans"
    family = "sql"
    recipe_type = Recipe
    about: ClassVar[str] = "a query under each switch, hint and setting of the engine's optimizer"

    def applies(self, seat: Seat) -> bool:
        """Only where something can be switched."""
        return bool(dialects.find(seat.dialect).switches)

    def draw(self, draw: Draw, scene: ir.Scene, seats: Seats) -> Recipe | None:
        names = usable(seats)
        if not names:
            return None
        query, rule = registry.family(self.family).question(draw, scene, seats)
        known = spoken(seats).switches
        broad = tuple(name for name in names if known[name].is_broad)
        narrow = [name for name in names if not known[name].is_broad]
        asked = narrow if draw.coin(ALL) else draw.sample(narrow, min(SWITCHES - len(broad), len(narrow)))
        return Recipe(query, tuple(asked), rule, broad)

    def converse(self, scene: ir.Scene, recipe: Recipe, seats: Seats) -> Conversation:
        known = spoken(seats).switches
        yield Step(PLAIN, recipe.query)
        for name in (*recipe.switches, *recipe.broad):
            if name not in known:
                continue
            switch, label = known[name], f"with {name}"
            if not switch.turn:
                hinted = with_hint(recipe.query, scene, switch)
                if hinted == recipe.query:
                    continue
                yield Step(label, hinted)
            else:
                turned = yield Step(f"turn {name}", ir.Setting(switch.turn))
                yield Step(label, recipe.query)
                yield Step(f"turn back {name}", ir.Setting(switch.back))
                if not isinstance(turned, Rows):
                    continue
            yield Claim("same rows", Side((PLAIN,)), Relation.SAME_BAG, Side((label,)), WHY, recipe.rule)

    def restated(
        self, scene: ir.Scene, recipe: Recipe, seats: Seats, asked: Mapping[str, Any], answers: Mapping[str, Answer]
    ) -> Iterator[Restated]:
        """A question whose answer our own semantics calls wrong."""
        return settled(scene, seats, asked, answers)

    def variants(self, scene: ir.Scene, question: Question, seats: Seats) -> list[Recipe]:
        return [Recipe(question, (name,)) for name in usable(seats)]

    def evidence(self, labels: Sequence[str], claim: Claim) -> Sequence[str]:
        (guilty,) = claim.right.steps
        name = guilty.removeprefix("with ")
        return [label for label in labels if label in (PLAIN, f"turn {name}", guilty)]


def spoken(seats: Seats) -> SqlDialect:
    return dialects.find(seats.seats[0].dialect)


def usable(seats: Seats) -> list[str]:
    """The switches that the target takes."""
    return [name for name in spoken(seats).switches if f"switch:{name}" not in seats.refused]


def with_hint(query: Question, scene: ir.Scene, switch: Switch) -> Question:
    """A query whose tables all have the hint; views and subqueries have none."""
    hints = {} if switch.comment else hints_of(scene, switch)

    def hinted(select: ir.Select) -> ir.Select:
        return commented(select, switch.comment) if switch.comment else of_select(select, hints)

    if isinstance(query, ir.Compound):
        return msgspec.structs.replace(query, arms=tuple(map(hinted, query.arms)))
    return hinted(query) if isinstance(query, ir.Select) else query


def commented(query: ir.Select, comment: str) -> ir.Select:
    """A query with a comment behind SELECT, about what it reads."""
    tables = ", ".join(j.alias or j.rel for j in query.source)
    if "{tables}" in comment and len(query.source) < 2:
        return query  # such a comment is about joins
    return msgspec.structs.replace(query, hint=comment.format(tables=tables))


def hints_of(scene: ir.Scene, switch: Switch) -> dict[str, str]:
    """What stands behind each table. A partial index can't be asked for where a query does not imply its condition."""
    if "{index}" not in switch.hint:
        return {s.name: switch.hint for s in scene.statements if isinstance(s, ir.CreateTable)}
    made = [s for s in scene.statements if isinstance(s, ir.CreateIndex) and s.where is None]
    chosen = {s.table: s.name for s in (made if switch.is_last else reversed(made))}
    return {table: switch.hint.format(index=index) for table, index in chosen.items()}


def of_select(query: ir.Select, hints: Mapping[str, str]) -> ir.Select:
    hidden = {c.name for c in query.ctes}
    source = tuple(
        msgspec.structs.replace(j, hint=hints[j.rel]) if j.rel in hints and j.rel not in hidden else j
        for j in query.source
    )
    return msgspec.structs.replace(query, source=source)

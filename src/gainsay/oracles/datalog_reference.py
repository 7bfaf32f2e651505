"""The reference oracle: an engine's tuples against those of our own naive, stratified evaluator.

It also sees bugs inside a single rule, which comparing an engine with itself can't (queryFuzz and DLSmith transform, DEOPT splits; both halves
may be wrong alike).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from gainsay.core.claim import Claim, Relation, Side
from gainsay.core.draw import Draw
from gainsay.core.model import Seats, Step
from gainsay.core.ports import Conversation
from gainsay.core.tree import Node
from gainsay.families.datalog import gen, ir, legal, seeded

WHY = (
    "The program is stratified and every value in it is well defined, so it has exactly one result; "
    "it was computed by applying its rules until nothing new follows."
)


class Recipe(Node, frozen=True):
    rules: ir.Rules
    unsure: bool = False  # drawn from values on which engines may legally differ: then only what compares an engine with itself may ask


class Reference:
    name: ClassVar[str] = "reference"
    family: ClassVar[str] = "datalog"
    scene_kind: ClassVar[str] = "program"
    min_seats: ClassVar[int] = 1
    recipe_type: ClassVar[Any] = Recipe
    turns: ClassVar[int] = 6
    about: ClassVar[str] = "the program's result by our own naive stratified evaluator"

    def draw(self, draw: Draw, scene: ir.Scene, seats: Seats) -> Recipe:
        rules = gen.rules(draw, scene, seats.lexicon)
        return Recipe(rules, seats.lexicon.extremes and gen.has_extremes(scene, rules))

    def converse(self, scene: ir.Scene, recipe: Recipe, seats: Seats) -> Conversation:
        if recipe.unsure:
            return
        program = ir.program(scene, recipe.rules)
        given: Sequence[ir.Fact] | None = ()
        if scene.seed:
            given = yield from seeded.contents(program)
        tables = legal.evaluated(program, given) if given is not None else None
        if tables is None:
            return
        expected = tuple(sorted(tables[program.output], key=repr))
        yield Step("program", program)
        yield Claim("as evaluated", Side(("program",)), Relation.SAME_SET, Side(value=expected), WHY)

    def recall(self, question: Any) -> Recipe | None:
        return Recipe(question) if isinstance(question, ir.Rules) else None

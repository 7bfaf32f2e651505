"""The reference oracle: an engine's tuples against those of our own naive, stratified evaluator.

It also sees bugs inside a single rule, which comparing an engine with itself can't (queryFuzz and DLSmith transform,
DEOPT splits; both halves may be wrong alike)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from gainsay.core import oracle as port
from gainsay.core.answer import Answer, Rows
from gainsay.core.claim import Claim, Relation, Side
from gainsay.core.draw import Draw
from gainsay.core.model import Restated, Seats, Step
from gainsay.core.oracle import Conversation, Oracle
from gainsay.core.values import bag
from gainsay.families.datalog.drawing import queries, seeded
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.meaning import legal
from gainsay.families.datalog.meaning.semantics import parted

WHY = (
    "The program is stratified and every value in it is well defined, so it has exactly one result; "
    "it was computed by applying its rules until nothing new follows."
)


CLAIM = "as evaluated"


class Recipe(port.Recipe, frozen=True):
    """A program that our own evaluator answers too."""

    subject_field: ClassVar[str] = "rules"
    rules: ir.Rules
    # Drawn from values on which engines may legally differ: then only what compares an engine with itself may ask
    unsure: bool = False


class SelfComparing(Oracle):
    """What oracles share that compare an engine with itself: our own evaluator tells which answer was wrong."""

    def restated(
        self, scene: ir.Scene, recipe: Any, seats: Seats, asked: Mapping[str, Any], answers: Mapping[str, Answer]
    ) -> Iterator[Restated]:
        """The programs whose results our own evaluator calls wrong, each as a claim of `reference`."""
        for label, program in asked.items():
            answer = answers.get(label)
            tables = legal.evaluated(program, scene.known) if isinstance(program, ir.Program) else None
            if (
                isinstance(answer, Rows)
                and tables is not None
                and bag(answer.rows).keys() != bag(tables[program.output]).keys()
            ):
                base, rules = parted(program, scene)
                yield Restated(Reference.name, base, Recipe(rules), CLAIM)


class Reference(Oracle):
    """Compares an engine's tuples with those of our own evaluator."""

    name: ClassVar[str] = "reference"
    family = "datalog"
    recipe_type = Recipe
    turns: ClassVar[int] = 6
    is_by_meaning: ClassVar[bool] = True
    about: ClassVar[str] = "the program's result by our own naive stratified evaluator"

    def draw(self, draw: Draw, scene: ir.Scene, seats: Seats) -> Recipe:
        rules = queries.query(draw, scene, seats.lexicon)
        return Recipe(rules, seats.lexicon.extremes and queries.has_extremes(scene, rules))

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
        yield Claim(CLAIM, Side(("program",)), Relation.SAME_SET, Side(value=expected), WHY)

    def recall(self, question: Any) -> Recipe | None:
        return Recipe(question) if isinstance(question, ir.Rules) else None

"""Metamorphic oracles: a program and its rewrite, whose results are equal, or one contains the other.

`cq` is queryFuzz (Mansur, Christakis, Wüstholz, ESEC/FSE 2021): transformations of conjunctive queries, applied to a
rule above which everything is monotone. `apg` is DLSmith (the same and others, ISSTA 2023): transformations of the
annotated precedence graph, in any stratum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from gainsay.core import oracle as port
from gainsay.core.answer import Rows
from gainsay.core.claim import Claim, Relation, Side
from gainsay.core.draw import Draw
from gainsay.core.model import Seats, Step
from gainsay.core.oracle import Conversation
from gainsay.core.tree import Node
from gainsay.families.datalog.drawing import propose, queries, rewrites, rewritten, seeded
from gainsay.families.datalog.language import dialects, ir
from gainsay.families.datalog.language.writer import Dialect
from gainsay.families.datalog.meaning import apg, legal
from gainsay.families.datalog.meaning.semantics import head_of
from gainsay.oracles.datalog_reference import SelfComparing

RELATIONS = {apg.EQU: Relation.SAME_SET, apg.CON: Relation.SUBSET, apg.EXP: Relation.CONTAINS}
WHY = {
    apg.EQU: "Each rewrite keeps what the program means, so both programs must have the same result.",
    apg.CON: "Each rewrite can only remove results, and all between it and the output is monotone, so the rewritten "
    "program must not have more.",
    apg.EXP: "Each rewrite can only add results, and all between it and the output is monotone, so the rewritten "
    "program must not have less.",
}


class Recipe(port.Recipe, frozen=True):
    """A program, and the rewrites that are applied to it one after the other."""

    subject_field: ClassVar[str] = "rules"
    rules: ir.Rules
    oracle: str
    steps: tuple[rewrites.Any_, ...]


def told_of(step: rewrites.Any_, dialect: Dialect, heads: Mapping[int, str], types: Mapping[str, Sequence[str]]) -> str:
    """A rewrite in words. A rule that an earlier rewrite added has no head of its own here."""
    spelled = {name: spelling(part, dialect, types) for name, part in msgspec.structs.asdict(step).items()}
    changed = heads.get(step.rule) if isinstance(step, rewrites.OfRule) else None
    return step.words.format(head=changed or "a new relation", **spelled)


def spelling(part: Any, dialect: Dialect, types: Mapping[str, Sequence[str]]) -> Any:
    """A part of a rewrite as its words have it: a relation by its name, what else is of a program in the dialect."""
    if isinstance(part, ir.Rel):
        return part.name
    if isinstance(part, ir.Fact):
        return dialect.fact(part, types.get(part.rel, ("",) * len(part.values)))
    return dialect.term(part) if isinstance(part, Node) else part


class Rewriting(SelfComparing):
    """Compares a program with its rewrite; `cq` and `apg` differ in what they draw."""

    family = "datalog"
    recipe_type = Recipe
    name: ClassVar[str]
    is_local: ClassVar[bool]
    most: ClassVar[int]
    turns: ClassVar[int] = 3
    settings: ClassVar[Mapping[str, str]] = {}

    def draw(self, draw: Draw, scene: ir.Scene, seats: Seats) -> Recipe:
        lexicon = seats.lexicon
        rules = queries.rules(draw, scene, lexicon)
        macro, steps = propose.sequence(draw, lexicon, ir.program(scene, rules), scene.known, self.most, self.is_local)
        return Recipe(rules, macro, tuple(steps))

    def converse(self, scene: ir.Scene, recipe: Recipe, seats: Seats) -> Conversation:
        original = program = ir.program(scene, recipe.rules)
        if not recipe.steps:
            return
        for number, step in enumerate(recipe.steps):
            rows: Sequence[tuple[Any, ...]] = ()
            if isinstance(step, rewrites.FactInline):
                if all(r.name != step.rel for r in program.rels):
                    return
                answer = yield Step(
                    f"contents before rewrite {number + 1}", msgspec.structs.replace(program, output=step.rel)
                )
                if not isinstance(answer, Rows):
                    return
                rows = answer.rows
            made = rewritten.apply(program, step, rows, self.is_local)
            if made is None or not rewritten.compatible(recipe.oracle, made[1]):
                return
            program = made[0]
        given: Sequence[ir.Fact] | None = scene.known
        if scene.seed:
            given = yield from seeded.contents(program)
        if given is None or legal.meaning(program, given) is None:
            return
        yield Step("original", original)
        yield Step("rewritten", program)
        yield Claim(
            recipe.oracle, Side(("rewritten",)), RELATIONS[recipe.oracle], Side(("original",)), WHY[recipe.oracle]
        )

    def explain(self, scene: ir.Scene, recipe: Recipe, seats: Seats) -> str:
        """What each rewrite does, in words."""
        dialect = dialects.find(seats.seats[0].dialect)
        heads = {rule.key: head_of(rule) for rule in recipe.rules.rules}
        told = [
            told_of(step, dialect, heads, {r.name: r.types for r in (*scene.rels, *recipe.rules.rels)})
            for step in recipe.steps
        ]
        return f"Rewritten: {'; '.join(t.rstrip('.') for t in told)}. {WHY[recipe.oracle]}"

    def recall(self, question: Any) -> Recipe | None:
        return None

    def variants(self, scene: ir.Scene, question: Any, seats: Seats) -> list[Recipe]:
        """Many rewrites of a program that somebody else wrote."""
        if not isinstance(question, ir.Rules):
            return []
        found: dict[Recipe, None] = {}
        base = ir.program(scene, question)
        for seed in range(400):
            macro, steps = propose.sequence(Draw(seed), seats.lexicon, base, scene.known, 1 + seed % 5, self.is_local)
            if steps:
                found[Recipe(question, macro, tuple(steps))] = None
        return list(found)


class Cq(Rewriting):
    """Rewrites of single rules below monotone ones."""

    name: ClassVar[str] = "cq"
    is_local: ClassVar[bool] = True
    most: ClassVar[int] = 20
    about: ClassVar[str] = "queryFuzz: add, modify, remove or doubly negate subgoals of a rule"


class Apg(Rewriting):
    """Rewrites anywhere in the precedence graph."""

    name: ClassVar[str] = "apg"
    is_local: ClassVar[bool] = False
    most: ClassVar[int] = 100
    about: ClassVar[str] = "DLSmith: rewrite the annotated precedence graph, in any stratum"

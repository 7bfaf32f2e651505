"""Consistency: the same assertions asked in another way must get the same verdict; an unsatisfiable core must be
unsatisfiable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from gainsay.core import names
from gainsay.core import oracle as port
from gainsay.core.answer import Answer, Decision
from gainsay.core.claim import Claim, Fold, Relation, Side
from gainsay.core.draw import Draw
from gainsay.core.model import Restated, Seats, Step
from gainsay.core.oracle import Conversation, Oracle
from gainsay.families.smt.drawing import queries
from gainsay.families.smt.drawing.pool import free_prefix, set_logic
from gainsay.families.smt.language import scripts, writer
from gainsay.families.smt.language.ir import Instance, Scene, Term
from gainsay.families.smt.meaning.scene_cache import SceneCache, cache_of

WHY = "Both scripts state the same assertions, {how}, so one solver must decide them alike."
CORE = (
    "The solver itself names {count} of the assertions as the core of its refutation, so these alone must be "
    "unsatisfiable."
)
OPTIONS = ("(set-option :produce-models true)", "(set-option :random-seed 17)")
TACTIC = "(check-sat-using (then simplify propagate-values solve-eqs smt))"
WAYS = {
    "incremental": "the second one with push, pop and checks between them",
    "assuming": "the second one as assumptions of check-sat-assuming",
    "reordered": "the second one in the reverse order",
    "renamed": "the second one with other names",
    "conjoined": "the second one as a single conjunction",
    "repeated": "the second one twice over",
    "tactic": "the second one by a tactic that keeps satisfiability",
    "options": "the second one with another random seed, and asked to prepare a model",
    "reset": "the second one after a contradiction and reset-assertions",
    "core": "",
}


class Recipe(port.Recipe, frozen=True):
    """Assertions, and the ways in which they are asked besides the plain one."""

    asserts: tuple[Term, ...]
    ways: tuple[str, ...] = ("incremental",)

    @property
    def detours(self) -> tuple[str, ...]:
        return self.ways

    @property
    def features(self) -> frozenset[str]:
        return frozenset(f"mode {way}" for way in self.ways)


class Consistency(Oracle):
    """Compares a solver's verdicts on one set of assertions, asked in several ways."""

    name: ClassVar[str] = "consistency"
    family = "smt"
    recipe_type = Recipe
    about: ClassVar[str] = "one-shot, incremental, assumed, reordered, renamed: one verdict; unsat cores are unsat"

    def draw(self, draw: Draw, scene: Scene, seats: Seats) -> Recipe:
        terms = [t for _ in range(draw.between(1, 2)) for t in queries.query(draw, scene, seats.lexicon).asserts]
        modes = seats.lexicon.modes_of(scene)
        left_out = {w for w in WAYS if f"mode:{w}" in seats.refused}
        left_out |= set() if "incremental" in modes else {"incremental", "assuming"}
        # A tactic may not support cores
        left_out |= set() if scripts.check(seats.seats[0]) == scripts.CHECK else {"core"}
        usable = [w for w in WAYS if w not in left_out]
        return Recipe(tuple(terms), tuple(draw.sample(usable, 2)))

    def converse(self, scene: Scene, recipe: Recipe, seats: Seats) -> Conversation:
        if not recipe.asserts:
            return
        cache = cache_of(seats, scene)
        command = scripts.check(seats.seats[0])
        lines = [scripts.assertion(t) for t in recipe.asserts]
        yield Step("one-shot", scripts.one_shot(cache, lines, recipe.asserts, command))
        for way in recipe.ways:
            if way == "core":
                yield from self._core(cache, recipe, command)
                continue
            yield Step(way, self._asked(cache, recipe.asserts, way, command))
            yield Claim(way, last(way), Relation.SAME_DECISION, last("one-shot"), WHY.format(how=WAYS[way]))

    def _asked(self, cache: SceneCache, terms: Sequence[Term], way: str, command: str) -> str:
        lines = [scripts.assertion(t) for t in terms]
        if way == "incremental":
            # The level that is popped holds what comes back right after: what was learnt there must not stay.
            first = ["(push 1)", *(scripts.assertion(Term("not", (t,))) for t in terms[:1]), command, "(pop 1)"]
            return scripts.one_shot(cache, [*first, *lines[:1], "(push 1)", *lines[1:]], terms, command)
        if way == "assuming":
            own = own_prefix(cache, "l")
            labels = [f"{own}{n}" for n in range(len(terms))]
            defined = [
                f"(declare-fun {n} () Bool)\n(assert (= {n} {writer.text(t)}))"
                for n, t in zip(labels, terms, strict=True)
            ]
            return scripts.one_shot(cache, defined, terms, f"(check-sat-assuming ({' '.join(labels)}))")
        if way == "reordered":
            return scripts.one_shot(cache, lines[::-1], terms, command)
        if way == "renamed":
            scene, changed = renamed(cache.scene, terms)
            return scripts.one_shot(SceneCache(scene), [scripts.assertion(t) for t in changed], changed, command)
        if way == "conjoined":
            one = Term("and", (*terms, Term("true")))
            return scripts.one_shot(cache, [scripts.assertion(one)], (one,), command)
        if way == "reset":
            start = "\n".join(["(reset)", *set_logic(cache.scene.logic)])
            return scripts.one_shot(cache, lines, terms, command).replace(
                start, f"{start}\n(assert false)\n(reset-assertions)", 1
            )
        if way == "options":
            return scripts.one_shot(cache, lines, terms, command, OPTIONS)
        if way == "tactic":
            return scripts.one_shot(cache, lines, terms, TACTIC)
        return scripts.one_shot(cache, lines * 2, terms, command)

    def _core(self, cache: SceneCache, recipe: Recipe, command: str) -> Conversation:
        own = own_prefix(cache, "n")
        named = [f"(assert (! {writer.text(t)} :named {own}{i}))" for i, t in enumerate(recipe.asserts)]
        options = ["(set-option :produce-unsat-cores true)"]
        answer = yield Step(
            "named", scripts.one_shot(cache, named, recipe.asserts, f"{command}\n(get-unsat-core)", options)
        )
        yield Claim(
            "named",
            last("named"),
            Relation.SAME_DECISION,
            last("one-shot"),
            WHY.format(how="the second one with names"),
        )
        if not isinstance(answer, Decision) or answer.verdict != "unsat" or not answer.core:
            return
        kept = sorted({int(n) for n in re.findall(rf"(?<![^\s()|]){own}(\d+)(?![^\s()|])", answer.core)})
        terms = [recipe.asserts[i] for i in kept if i < len(recipe.asserts)]
        if len(terms) < len(recipe.asserts):
            yield Step("core", scripts.one_shot(cache, [scripts.assertion(t) for t in terms], terms, command))
            yield scripts.must_be("unsat", "core", "core", 1, CORE.format(count=len(terms) or "none"))

    def evidence(self, labels: Sequence[str], claim: Claim) -> list[str]:
        """What the claim is about; of a core, the script that gave it last, since that is the one to run."""
        return ["core", "named"] if claim.label == "core" else ["one-shot", claim.label]

    def restated(
        self, scene: Scene, recipe: Recipe, seats: Seats, asked: Mapping[str, Any], answers: Mapping[str, Answer]
    ) -> Iterator[Restated]:
        """The assertions asked once, if that answer is wrong by our own evaluation: under the scene's model, or under
        the solver's."""
        alone = Instance((), recipe.asserts, (), "one-shot", "", True)
        yield Restated("terms", scene, msgspec.structs.replace(alone, is_loose=False), "same values")
        for claim in ("valid model", "ground value"):
            yield Restated("model", scene, alone, claim)

    def recall(self, question: Any) -> Recipe | None:
        return Recipe(question.asserts, tuple(WAYS)) if isinstance(question, Instance) and question.asserts else None


def own_prefix(cache: SceneCache, letter: str) -> str:
    return free_prefix([d.name for d in cache.scene.decls], f"{letter}_")


def renamed(scene: Scene, terms: Sequence[Term]) -> tuple[Scene, tuple[Term, ...]]:
    """A scene and terms over it with new names in the reverse order, so that whatever depends on names or their order
    changes."""
    new = names.by("symbol", {d.name: f"v{len(scene.decls) - n}_" for n, d in enumerate(scene.decls)})
    decls = names.renamed(tuple(reversed(scene.decls)), new)
    changed = msgspec.structs.replace(scene, decls=decls, model=(), defs=(), pool=(), built=())
    return changed, tuple(names.renamed_shared(term, new) for term in terms)


def last(step: str) -> Side:
    return Side((step,), Fold.LAST)

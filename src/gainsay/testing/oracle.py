"""What every oracle must do: draw the same for the same seed, converse as a pure function, and be silent on an engine
that is right."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple
from unittest import SkipTest

import msgspec

from gainsay.campaign import config, describing, events
from gainsay.core import registry
from gainsay.core.answer import Answer, Decision, GaveUp, Refused, Rows
from gainsay.core.claim import Verdict
from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import KINDS, Case, Seat, Seats, Step, Target
from gainsay.core.oracle import Oracle
from gainsay.core.plugins import complaints
from gainsay.core.tree import Node
from gainsay.errors import EnvironmentProblem, UsageError, near
from gainsay.testing.check import Check, want
from gainsay.testing.talk import SEED, Talk, held, staged

CHECKS = 300  # that must be silent
SCENES, RECIPES = 6, 12  # that are looked at closely


class Met(NamedTuple):
    """A recipe that was drawn on a scene, and its conversation with the real engine."""

    number: int
    scene: Any
    recipe: Any
    talk: Talk


class OracleKit:
    """The checks for one oracle on one target. What takes long to find out is found out once."""

    def __init__(self, name: str, on: str) -> None:
        if name not in registry.table("gainsay.oracles"):
            raise UsageError(
                f"There is no oracle {name!r}.{near(name, registry.table('gainsay.oracles'))} Its name is FAMILY/NAME."
            )
        self.family_name, _, self.name = name.partition("/")
        self.oracle = registry.oracle(self.family_name, self.name)
        self.family = registry.family(self.family_name)
        self.on = on
        if on and self.family_name != registry.engine(Target.parse(on).engine).family:
            raise UsageError(f"{on} is not of the family {self.family_name}.")

    @functools.cached_property
    def seats(self) -> list[Seat]:
        """One seat, or as many as the oracle wants: the same engine again in another configuration."""
        first = seated(self.family_name, self.on)
        others = [c for c in registry.engine(first.target.engine).configs if (c,) != first.target.configs]
        more = [
            describing.seated(msgspec.structs.replace(first.target, configs=(c,)), {})
            for c in others[: self.oracle.min_seats - 1]
        ]
        want(
            len(more) == self.oracle.min_seats - 1,
            f"{first.target} has too few configurations for {self.oracle.min_seats} seats. Name another engine.",
        )
        return [msgspec.structs.replace(s, index=i) for i, s in enumerate([first, *more])]

    @functools.cached_property
    def met(self) -> list[Met]:
        """Recipes that were drawn on some scenes, each with its conversation."""
        found = []
        with staged(self.seats, self.family_name, (self.name,)) as (stage, players, _):
            dialects = stage.dialects
            for number in range(SCENES):
                scene = stage.laid(number, stage.grow(number))
                for recipe in self.drawn(number, scene, stage.seats) if scene is not None else ():
                    talk = held(
                        self.oracle,
                        scene,
                        recipe,
                        stage.seats,
                        lambda step: players[step.seat].ask(dialects[step.seat].text(step.node)),
                    )
                    found.append(Met(number, scene, recipe, talk))
                    if recipe.is_alone:
                        stage.prepare(number, scene)
        want(
            found,
            f"draw() gave no recipe on {SCENES} scenes. None means that there is nothing to ask: it must not be all "
            "that it gives.",
        )
        return found

    def drawn(self, number: int, scene: Any, seats: Seats) -> Iterator[Any]:
        """What the oracle draws on a scene. All draws of an episode share a stream, as in a hunt."""
        draw = Draw(seed_for(SEED, self.family_name, self.name, number))
        listed = [self.oracle.draw(draw, scene, seats) for _ in range(RECIPES)]
        return (recipe for recipe in listed if recipe is not None)

    def fresh(self) -> Seats:
        return config.seats_of(config.Group("kit", self.family_name, tuple(self.seats), (self.name,)), {})

    def again(self, met: Met, answers: dict[str, Answer]) -> Talk:
        return held(
            self.oracle,
            met.scene,
            met.recipe,
            self.fresh(),
            lambda step: answers.get(step.label, Refused("kit", "not asked before")),
        )

    # --- the checks ---

    def is_complete(self) -> None:
        wrong = complaints(Oracle, type(self.oracle))
        want(not wrong, f"It {'; it '.join(wrong)}.")
        for name, found, value in (
            ("name", self.oracle.name, self.name),
            ("family", self.oracle.family, self.family_name),
        ):
            want(found == value, f"Its {name} is {found!r}; the entry point is named {self.family_name}/{self.name}.")
        want(self.oracle.min_seats >= 1, "min_seats is how many targets are asked together: 1 at least.")

    def draws_again(self) -> None:
        """The same seed draws the same recipes."""
        seats = self.fresh()
        by_scene: dict[int, list[Met]] = {}
        for met in self.met:
            by_scene.setdefault(met.number, []).append(met)
        for number, listed in by_scene.items():
            again = list(self.drawn(number, listed[0].scene, seats))
            told = (
                "draw() must depend on its arguments only: no random module, no clock, no state of its own, no set in "
                "an order of its own"
            )
            want(again == [m.recipe for m in listed], f"The same seed draws other recipes the second time: {told}.")

    def survives_json(self) -> None:
        """A recipe is the same after it was written down and read."""
        for met in self.met:
            want(
                isinstance(met.recipe, Node),
                f"A recipe must be a Node (gainsay.core.tree), and this is a {type(met.recipe).__name__}.",
            )
            case = Case(self.family_name, self.name, met.scene, met.recipe, tuple(self.seats), "x")
            try:
                read = events.read_case(msgspec.json.decode(msgspec.json.encode(case)))
            except (msgspec.ValidationError, TypeError) as error:
                raise AssertionError(
                    f"A recipe can't be read back with recipe_type: {error}. Its fields must be nodes, tuples and "
                    "plain values."
                ) from None
            want(read.recipe == met.recipe, f"A recipe is another one after JSON: {met.recipe} became {read.recipe}.")

    def is_legal(self) -> None:
        for met in self.met:
            told = "a reducer could never shrink it; draw with the family's own helpers"
            want(
                self.family.is_legal(met.scene, met.recipe, self.fresh()),
                f"A recipe is not legal by the family's own rules, so {told}: {met.recipe}.",
            )

    def is_pure(self) -> None:
        for met in self.met:
            said = [met.talk.said, self.again(met, met.talk.given).said, self.again(met, met.talk.given).said]
            want(
                said[0] == said[1] == said[2],
                f"The same recipe and answers gave other steps or claims another time: {met.recipe}.",
            )

    def takes_any_answer(self) -> None:
        for met in self.met:
            for answer in (Refused("kit", "refused by the kit"), GaveUp("timeout")):
                talk = held(self.oracle, met.scene, met.recipe, self.fresh(), constant(answer))
                want(
                    Verdict.CONTRADICTED not in talk.verdicts,
                    f"Where all is {answer}, a claim must be undecidable: {talk.claims[:1]}.",
                )

    def claims_something(self) -> None:
        """Claims are made, and each is about what was asked."""
        claims = [claim for met in self.met for claim in met.talk.claims]
        want(claims, f"{len(self.met)} conversations made no claim at all.")
        for met in self.met:
            asked = {step.label for step in met.talk.steps}
            for claim in met.talk.claims:
                unasked = {*claim.left.steps, *claim.right.steps} - asked
                want(not unasked, f"The claim {claim.label!r} is about {sorted(unasked)}, which nobody asked.")
                is_free = claim.label and claim.label not in KINDS - {"incomplete"}
                want(is_free, f"A claim may not be called {claim.label!r}: that is a kind of finding, or nothing.")
                want(claim.why, f"The claim {claim.label!r} needs a `why`: one sentence that says why it must hold.")

    def notices(self) -> None:
        """Take a row away from one answer after the other (or turn a verdict round): some claim must then be
        contradicted."""
        tried = 0
        for met in self.met:
            for label, answer in met.talk.given.items():
                for changed in (
                    spoilt(answer, self.family.opposites) if Verdict.CONTRADICTED not in met.talk.verdicts else ()
                ):
                    tried += 1
                    if Verdict.CONTRADICTED in self.again(met, {**met.talk.given, label: changed}).verdicts:
                        return
        if not tried:
            raise SkipTest("no answer had a row to take away, or a verdict to turn round")
        raise AssertionError(f"{tried} answers were spoilt, each by a row or a verdict, and no claim noticed.")

    def is_silent(self) -> None:
        """No claim is contradicted on an engine that is right."""
        if not self.on and self.family.is_noisy:
            raise SkipTest(
                "no engine of this family is known to be right that often: oracle_checks(NAME, on=TARGET) names one"
            )
        most = config.checks_per_episode(self.family_name)
        with staged(self.seats, self.family_name, (self.name,)) as (stage, _, raws):
            counts = stage.counts
            for number in range(4 * -(-CHECKS // most)):
                if counts.checks - counts.undecidable < CHECKS:
                    stage.run(number, most)
        failed = next(iter(stage.troubles.values()), None)
        want(failed is None, f"draw() failed: {failed.traceback.strip() if failed else ''}")
        mine = [raw for raw in raws if raw.name.oracle == self.name]
        names = " and ".join(f"{s.target} ({s.version})" for s in self.seats)
        told = "a wrong claim of the oracle, or a bug of the engine: then name another, oracle_checks(NAME, on=TARGET)"
        want(
            not mine,
            f"{len(mine)} claims are contradicted on {names}: {told}. The first: {mine[0].claim if mine else ''}: "
            f"{mine[0].text if mine else ''}",
        )
        want(counts.checks > counts.undecidable, f"{counts.checks} checks on {names}, and none could be decided.")


def constant(answer: Answer) -> Callable[[Step], Answer]:
    return lambda step: answer


VALUES = {"true": "false", "false": "true", "0": "1", "1": "0"}  # of a model


def spoilt(answer: Answer, opposites: Mapping[str, str]) -> list[Answer]:
    """Answers that are wrong if this one is right: a row less, a verdict turned round, other values in a model."""
    if isinstance(answer, Rows):
        return [Rows(answer.rows[1:])] if answer.rows else []
    if not isinstance(answer, Decision):
        return []
    verdict = " ".join(opposites.get(word, word) for word in answer.verdict.split())
    model = re.sub(r"\b(true|false|0|1)\b", lambda found: VALUES[found.group()], answer.model)
    return [Decision(verdict, answer.model, answer.core), Decision(answer.verdict, model, answer.core)]


def seated(family: str, on: str) -> Seat:
    """A seat on the named target; without one, on the first engine of the family that is installed and known to be
    calm."""
    if on:
        return describing.seated(Target.parse(on), {})
    calm = registry.family(family).trial_engines
    for name in calm:
        try:
            return describing.seated(Target(name), {})
        except EnvironmentProblem:
            continue
    listed = ", ".join(calm) or "none that is known to be calm"
    raise EnvironmentProblem(f"No engine of the family {family} is installed ({listed}). Name a target.")


def oracle_checks(name: str, on: str = "") -> list[Check]:
    """What an oracle must do.
    `name` is FAMILY/NAME; `on` a target of the family that is known to be right, else one that is installed."""
    kit = OracleKit(name, on)
    return [
        Check("the port is complete", kit.is_complete),
        Check("the same seed draws the same recipes", kit.draws_again),
        Check("a recipe survives JSON", kit.survives_json),
        Check("a recipe is legal, so that it can be reduced", kit.is_legal),
        Check("a conversation is pure", kit.is_pure),
        Check("a conversation takes any answer", kit.takes_any_answer),
        Check("claims are made, each about what was asked", kit.claims_something),
        Check("an answer that is spoilt is noticed", kit.notices),
        Check(f"it is silent for {CHECKS} checks on an engine that is right", kit.is_silent),
    ]

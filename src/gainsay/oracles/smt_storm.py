"""STORM: instances that are satisfiable by construction; `unsat` is a refutational soundness bug (Mansur et al.,
ESEC/FSE 2020).

A scene is Algorithm 1's two pools over one model. A recipe is its third phase: which formulas are asserted (negated
where they are false), and how."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from gainsay.core.draw import Draw
from gainsay.core.model import Seats, Step
from gainsay.core.oracle import Conversation, Oracle
from gainsay.families.smt.drawing.fragments import FROM_INITIAL
from gainsay.families.smt.language import scripts
from gainsay.families.smt.language.ir import Instance, Scene
from gainsay.families.smt.meaning.scene_cache import SceneCache, cache_of

TACTICS = (
    "dom-simplify",
    "(then dom-simplify smt)",
    "(then reduce-invertible smt)",
    "horn",
    "(then simplify solve-eqs smt)",
    "(then ctx-simplify smt)",
)
MOVES = ("push", "pop", "check", "", "")


def why(cache: SceneCache) -> str:
    where = f"in the model {cache.witness}" if cache.scene.model else "whatever the model"
    return f"Every assertion is true {where}{scripts.valued_by(cache)}, so the instance is satisfiable."


def asked(scene: Scene, recipe: Instance, seats: Seats, label: str) -> Conversation:
    """Ask an instance whose assertions are true under the scene's model: unsat contradicts it."""
    cache = cache_of(seats, scene)
    if not (recipe.picks or recipe.asserts) or (recipe.asserts and not scripts.holds(cache, recipe.asserts)):
        return
    text = scripts.script(cache, recipe, scripts.check(seats.seats[0], recipe.tactic))
    yield Step("instance", text)
    yield scripts.must_be("sat", label, "instance", scripts.checks_in(text), why(cache))
    # Constant arrays are an extension of the theory: a solver may give up on them.
    if recipe.mode == "one-shot" and "(as const" not in text and scripts.is_decidable(cache, seats, recipe.tactic):
        yield scripts.must_decide("instance")


class Storm(Oracle):
    """Asks for what is satisfiable by construction: formulas of a scene's pools, true under its model."""

    name: ClassVar[str] = "storm"
    family = "smt"
    recipe_type = Instance
    turns: ClassVar[int] = 4
    settings: ClassVar[Mapping[str, str]] = {
        "nc": "NC, formulas in the construction pool (default 200 to 1500, by the initial pool)",
        "nm": "NM, checks on a pool, in steps of 300 (default 300; a large seed is drawn up to three times as often as "
        "a small one)",
        "d_max": "D_max, the greatest depth of a formula (default 64)",
        "a_max": "A_max, the greatest number of assertions (default 64)",
        "mode": "one-shot, resident or incremental (default: all in turn)",
        "tactics": "how often a Z3 tactic is drawn for check-sat-using, from 0 to 1 (default 0)",
    }
    about: ClassVar[str] = "instances that are true under a known model: unsat is wrong (STORM)"

    def draw(self, draw: Draw, scene: Scene, seats: Seats) -> Instance:
        lexicon = seats.lexicon
        pool = lexicon.scene_cache(scene).pool
        unit, initial = draw.unit, pool.initial
        if not initial:
            return Instance()
        built = len(pool.values) - initial
        share = FROM_INITIAL if built else 1.0
        one, two = initial / share, built / (1.0 - share) if built else 0.0
        # One draw decides both the pool and the place in it: this line is most of what generation costs.
        units = [unit() for _ in range(1 + int(unit() * lexicon.a_max))]
        picks = [int(u * one) if u < share else initial + int((u - share) * two) for u in units]
        mode = draw.pick(lexicon.modes_of(scene))
        moves = tuple(draw.pick(MOVES) for _ in picks) if mode == "incremental" else ()
        tactic = draw.pick(TACTICS) if lexicon.tactics and draw.coin(lexicon.tactics) else ""
        return Instance(tuple(picks), (), moves, mode, tactic)

    def converse(self, scene: Scene, recipe: Instance, seats: Seats) -> Conversation:
        return asked(scene, recipe, seats, "sat by construction")

    def recall(self, question: Any) -> Instance | None:
        return question if isinstance(question, Instance) and not question.is_loose else None

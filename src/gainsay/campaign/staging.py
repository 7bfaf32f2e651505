"""A group's seats in a worker, and how a scene comes to stand on them: grown, loaded, and the same for all."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from gainsay.campaign import conversation
from gainsay.campaign.config import Group
from gainsay.campaign.events import Counts, Raw, Sample, slim
from gainsay.campaign.probing import canary_answer
from gainsay.campaign.reasons import masked
from gainsay.campaign.recorder import LOADING, Recorder
from gainsay.campaign.seating import HostedPlayer, Player
from gainsay.core import registry
from gainsay.core.answer import Answer, Died, Refused, Rows
from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import HELPER, Case, CaseName, Seats, Step
from gainsay.core.oracle import NOTHING
from gainsay.core.values import is_well

RELOADS = 4  # of a scene of which one of several targets refuses something
DIFFERENCES = 8  # statements of a scene that may be left out because targets store different things
SAMPLED_SCENES = 8  # the statements of one scene in so many are counted
SAMPLES = 200  # kinds of refusals of which a worker keeps a text
TEXT_KEPT = 200_000  # characters of what was asked before a contradiction


def latest(before: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The last questions, as many as are worth keeping."""
    room = TEXT_KEPT
    for index in range(len(before) - 1, -1, -1):
        room -= len(before[index][1])
        if room < 0:
            return before[index + 1 :]
    return before


class Scenery:
    """A group's seats, set up once in a worker, on which scenes are put one after the other."""

    def __init__(
        self,
        group: Group,
        seats: Seats,
        players: Sequence[Player],
        seed: int,
        recorder: Recorder,
        emit: Callable[[Raw], None],
    ) -> None:
        self.group = group
        self.seats = seats
        self.players = players
        self.seed = seed
        self.recorder = recorder
        self.emit = emit
        self.family = registry.family(group.family)
        self.oracles = [registry.oracle(group.family, name) for name in group.oracles]
        self.dialects = [self.family.dialect(s.dialect) for s in seats]
        self.canaries = [self.family.canary(s.dialect) for s in seats]
        self.stamp = recorder.stamp
        self._is_fresh = False  # whether the sessions are as they were opened, but for the canary
        self.refusals: Counter[str] = Counter()
        self.samples: dict[str, Sample] = {}  # a text for each kind of refusal that is new
        self._sampled: set[str] = set()
        self.drawn: dict[str, tuple[int, int]] = {}  # feature -> in how many sampled texts, and in how many taken ones
        self._helper: HostedPlayer | None = None
        self.counts = Counts()

    def grow(self, number: int) -> Any:
        """The scene of an episode. A family may ask the engine what it needs to know."""
        self.recorder.at(number, 0, LOADING)
        self._reset()
        drawn = self.family.scene_number(number, self.seats)
        fixed = self.family.fixed_scene(number, self.seats)
        if fixed is not None:
            return fixed
        growth = self.family.grow(Draw(seed_for(self.seed, self.group.family, "scene", drawn)), self.seats)
        try:
            step = next(growth)
            while True:
                step = growth.send(self._ask_growing(step))
        except StopIteration as stop:
            return stop.value

    def _reset(self) -> None:
        """Fresh, empty sessions: the engine's work, and its time."""
        started = time.process_time_ns()
        for player in self.players:
            player.reset()
        self.counts.engine_s += (time.process_time_ns() - started) / 1e9
        self._is_fresh = True

    def _ask_growing(self, step: Step) -> Answer:
        """What a family asks while a scene grows: one of the seats, or the helper, whose deaths and refusals are
        nobody's finding."""
        self._is_fresh = False
        if step.seat != HELPER:
            return self._ask_loading(step.seat, self.dialects[step.seat].text(step.node))
        if self._helper is None and self.group.helper is not None:
            self._helper = HostedPlayer(self.group.helper.target, hard_s=20.0)
            self._helper.reset()
        if self._helper is None:
            return Refused("helper", "there is no helper")
        answer = self._helper.ask(
            self.family.dialect(self.group.helper.dialect if self.group.helper else "").text(step.node)
        )
        if isinstance(answer, Died):
            self._helper.reset()
        return answer

    def close(self) -> None:
        if self._helper is not None:
            self._helper.close()
            self._helper = None

    def _ask_loading(self, seat: int, text: str) -> Answer:
        self.stamp(0, text)
        started = time.process_time_ns()
        answer = self.players[seat].ask(text)
        counts = self.counts
        counts.engine_s += (time.process_time_ns() - started) / 1e9
        counts.asks += 1
        if answer.__class__ is Refused:
            counts.refused += 1
            self._refused(text, answer)
        return answer

    def _run_loading(self, texts: list[str]) -> list[Answer]:
        """The statements of a scene at once: they can't end this process, which has no engine in it."""
        run = self.players[0].run_script
        assert run is not None
        self.stamp(0, texts[0] if texts else "")
        started = time.process_time_ns()
        answers = run(texts)
        counts = self.counts
        counts.engine_s += (time.process_time_ns() - started) / 1e9
        counts.asks += len(answers)
        for text, answer in zip(texts, answers, strict=True):
            if answer.__class__ is Refused:
                counts.refused += 1
                self._refused(text, answer)
        return answers

    def sampled(self, node: Any, text: str, answer: Answer) -> None:
        """Count what a statement or question is made of, and whether it was taken. One that broke the engine was."""
        is_taken = answer.__class__ is not Refused or answer.kind == "internal"
        for feature in set(self.family.uses(node, text)):
            drawn, taken = self.drawn.get(feature, (0, 0))
            self.drawn[feature] = (drawn + 1, taken + is_taken)

    def _refused(self, text: str, answer: Any) -> None:
        """Count a refusal by its kind, and keep the first text of each."""
        kind = masked(answer.message)
        self.refusals[kind] += 1
        if kind not in self._sampled and len(self._sampled) < SAMPLES:
            self._sampled.add(kind)
            self.samples[kind] = Sample(self.group.key, text[:TEXT_KEPT], answer.message[:TEXT_KEPT])

    def _is_sane(self, number: int, scene: Any) -> bool:
        """Ask each seat a question whose answer is known: one that gets it wrong is not to be trusted with others."""
        for seat, player in enumerate(self.players):
            text, expected = self.canaries[seat]
            started = time.process_time_ns()
            answer = canary_answer(player.ask, text, expected)
            self.counts.engine_s += (time.process_time_ns() - started) / 1e9
            if not is_well(answer, expected):
                detail = (
                    f"{self.seats.seats[seat].target} no longer gives the known answer to a simple question: {answer}"
                )
                found = conversation.Contradiction(
                    "internal-error", None, {"canary": answer}, {"canary": str(text)}, detail, seat
                )
                self._raw(number, conversation.LOAD, 0, found.label, scene, NOTHING, [], found)
                return False
        return True

    def prepare(self, number: int, scene: Any) -> Any:
        """Load a scene on fresh sessions; what came to stand is returned.
        None: nothing did, or an engine broke over it, which was reported."""
        self.recorder.at(number, 0, LOADING)
        for _ in range(RELOADS):
            if not self._is_fresh:
                self._reset()
            self._is_fresh = False
            run = self._run_loading if len(self.players) == 1 and self.players[0].run_script else None
            loaded = conversation.load(self._ask_loading, conversation.spelled(self.family, scene, self.seats), run)
            if not number % SAMPLED_SCENES:
                self._sample_scene(scene, loaded)
            if loaded.broken is not None:
                upto = self.family.keep(scene, range(len(loaded.accepted) + len(loaded.refused) + 1))
                self._raw(number, conversation.LOAD, 0, loaded.broken.label, upto, NOTHING, [], loaded.broken)
                return None
            if not loaded.refused:
                return scene
            scene = self.family.keep(scene, loaded.accepted)
            if self.family.is_barren(scene):
                return None
            if len(self.players) == 1:
                return scene
            # One seat took what another refused: all start again without it.
        return None

    def _sample_scene(self, scene: Any, loaded: conversation.Loaded) -> None:
        """Count what the statements of a scene are made of."""
        statements, dialect = self.family.script(scene), self.dialects[0]
        tried = len(loaded.accepted) + len(loaded.refused)
        for place, node in enumerate(statements[:tried]):
            answer = Rows([]) if place in loaded.accepted else Refused("", "")
            self.sampled(node, dialect.text(node), answer)

    def _raw(
        self,
        number: int,
        oracle: str,
        check: int,
        label: str,
        scene: Any,
        recipe: Any,
        before: list[tuple[int, str]],
        found: Any,
    ) -> None:
        case = Case(self.group.family, oracle, scene, recipe, slim(self.seats.seats), label)
        shape = tuple(sorted(self.family.shape(scene, recipe)))
        text = "; ".join(found.texts.values())
        name = CaseName(self.group.key, number, oracle, check)
        self.emit(
            Raw(name, label, shape, msgspec.to_builtins(case), tuple(latest(before)), text[:TEXT_KEPT], found.detail)
        )

    def laid(self, number: int, grown: Any) -> Any:
        """The scene that is asked about: loaded, and of several seats only what they store alike.
        None if nothing is left."""
        scene = self.prepare(number, grown)
        return scene if scene is None or len(self.players) == 1 else self.agreed(number, scene)

    def agreed(self, number: int, scene: Any) -> Any:
        """Several seats must hold the same contents before anything else is compared.
        Each difference is a finding of its own, and the statement that made it is left out. None: nothing is left that
        can be compared."""
        for told in range(DIFFERENCES):
            found = self._difference(scene)
            if found is None:
                return scene
            recipe, contradiction = found
            self._raw(number, self.oracles[0].name, -1 - told, contradiction.label, scene, recipe, [], contradiction)
            scene = self._without_culprit(number, scene)
            if scene is None:
                return None
        return None

    def _difference(self, scene: Any) -> tuple[Any, conversation.Contradiction] | None:
        """The first of the stored contents on which the seats differ, as a recipe and what came of it."""
        oracle = self.oracles[0]
        for node in self.family.stored(scene):
            case = Case(self.group.family, oracle.name, scene, oracle.recall(node), self.seats.seats, "")
            found = conversation.talk(case, self.players, self.seats)
            if found:
                return case.recipe, found[0]
        return None

    def _without_culprit(self, number: int, scene: Any) -> Any:
        """The scene without the statement after which the contents differ, loaded; None if there is no such, or no
        scene without it."""
        size = len(self.family.script(scene))
        low, high = 0, size  # they agree after `low` statements and differ after `high`
        while high - low > 1:
            middle = (low + high) // 2
            start = self.family.keep(scene, range(middle))
            is_loaded = self.prepare(number, start) is not None
            low, high = (low, middle) if is_loaded and self._difference(start) is not None else (middle, high)
        rest = self.family.keep(scene, [i for i in range(size) if i != low])
        return None if self.family.is_barren(rest) else self.prepare(number, rest)

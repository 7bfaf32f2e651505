"""The hot loop: one scene, and the many checks made on it."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from gainsay.campaign import conversation
from gainsay.campaign.config import Group
from gainsay.campaign.events import Counts, Raw, slim
from gainsay.campaign.recorder import ASKING, LOADING, Recorder
from gainsay.campaign.seating import Player
from gainsay.core import registry
from gainsay.core.answer import Answer, Refused, Rows
from gainsay.core.claim import CONTRADICTED, HOLDS, judge
from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import Case, CaseName, Seats, Step

RAWS_PER_EPISODE = 5
SAMPLE = 63  # one ask in 64 is timed
EMPTY_COUNT = [(0,)]


def calm() -> None:
    """Let the garbage collector look less often: what the loop makes has no cycles and dies young."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


class Stage:
    """A group's seats and oracles, set up once in a worker."""

    def __init__(self, group: Group, seats: Seats, players: Sequence[Player], seed: int, recorder: Recorder, emit: Callable[[Raw], None]) -> None:
        self.group = group
        self.seats = seats
        self.players = players
        self.seed = seed
        self.recorder = recorder
        self.emit = emit
        self.family = registry.family(group.family)
        self.oracles = [registry.oracle(group.family, name) for name in group.oracles]
        self.dialects = [self.family.dialect(s.dialect) for s in seats]
        self.texts = [d.text for d in self.dialects]
        self.stamp = recorder.stamp
        self.sample = SAMPLE
        self.counts = Counts()

    def grow(self, number: int) -> Any:
        """The scene of an episode."""
        growth = self.family.grow(Draw(seed_for(self.seed, self.group.family, "scene", number)), self.seats, self.oracles[0].scene_kind)
        try:
            step = next(growth)
            while True:
                step = growth.send(self.players[step.seat].ask(self.dialects[step.seat].text(step.node)))
        except StopIteration as stop:
            return stop.value

    def recipes(self, number: int, scene: Any, checks: int) -> list[Any]:
        """What the oracles draw for an episode, in turn; each has a stream of its own."""
        draws = [Draw(seed_for(self.seed, self.group.family, o.name, number)) for o in self.oracles]
        several = len(self.oracles)
        return [self.oracles[i % several].draw(draws[i % several], scene, self.seats) for i in range(checks)]

    def _ask_loading(self, seat: int, text: str) -> Answer:
        self.recorder.stamp(text)
        started = time.process_time_ns()
        answer = self.players[seat].ask(text)
        counts = self.counts
        counts.engine_s += (time.process_time_ns() - started) / 1e9
        counts.asks += 1
        counts.refused += answer.__class__ is Refused
        return answer

    def prepare(self, number: int, scene: Any) -> Any:
        """Load a scene on fresh sessions; what came to stand is returned. None: an engine died or broke over it, which was reported."""
        self.recorder.at(number, 0, LOADING)
        started = time.process_time_ns()
        for player in self.players:
            player.reset()
        self.counts.engine_s += (time.process_time_ns() - started) / 1e9
        loaded = conversation.load(self._ask_loading, conversation.spelled(self.family, scene, self.seats))
        if loaded.broken is not None:
            upto = self.family.keep(scene, range(len(loaded.accepted) + len(loaded.refused) + 1))
            self._raw(number, conversation.LOAD, 0, loaded.broken.label, upto, None, [], loaded.broken)
            return None
        if not loaded.refused:
            return scene
        kept = self.family.keep(scene, loaded.accepted)
        if len(self.players) > 1:
            # One seat took what another refused: all start again without it.
            for player in self.players:
                player.reset()
            again = conversation.load(self._ask_loading, conversation.spelled(self.family, kept, self.seats))
            return kept if again.broken is None and not again.refused else None
        return kept

    def _raw(self, number: int, oracle: str, check: int, label: str, scene: Any, recipe: Any, before: list[tuple[int, str]], found: Any) -> None:
        case = Case(self.group.family, oracle, scene, recipe, slim(self.seats.seats), label)
        shape = tuple(sorted(self.family.shape(scene, recipe)))
        text = "; ".join(found.texts.values())
        name = CaseName(self.group.key, number, oracle, check)
        self.emit(Raw(name, label, shape, msgspec.to_builtins(case), tuple(before), text, found.detail))

    def compare_stored(self, number: int, scene: Any) -> bool:
        """Several seats must hold the same contents before anything else is compared; if not, that is the finding."""
        oracle = self.oracles[0]
        for node in self.family.stored(scene):
            case = Case(self.group.family, oracle.name, scene, oracle.recall(node), self.seats.seats, "")
            found = conversation.talk(case, self.players, self.seats)
            if found:
                self._raw(number, oracle.name, -1, found[0].label, scene, case.recipe, [], found[0])
                return False
        return True

    def run(self, number: int, checks: int, start: int = 0, uncounted: int = 0) -> None:
        """All checks of an episode, from `start` on (after a death: the next one). `uncounted` were made by a worker that died."""
        counts = self.counts
        scene = self.grow(number)
        scene = self.prepare(number, scene)
        counts.scenes += 1
        counts.checks += uncounted
        if scene is None or (len(self.players) > 1 and not start and not self.compare_stored(number, scene)):
            return
        # All recipes first: the engine would push our code out of the processor's cache between two draws.
        recipes = self.recipes(number, scene, checks)
        memo: dict[tuple[int, str], Answer] = {}
        asked: list[tuple[int, str]] = []
        raws = 0
        for check in range(start, checks):
            which = check % len(self.oracles)
            recipe = recipes[check]
            self.recorder.at(number, check, ASKING)
            before = len(asked)
            found = self._check(self.oracles[which], scene, recipe, memo, asked)
            if found is None:
                continue
            counts.contradicted += 1
            raws += 1
            if raws <= RAWS_PER_EPISODE:
                self._raw(number, self.oracles[which].name, check, found.label, scene, recipe, asked[:before], found)
            if found.claim is None:  # a dead or broken engine starts afresh
                memo.clear()
                asked.clear()
                if self.prepare(number, scene) is None:
                    return

    def _texts(self, oracle: Any, scene: Any, recipe: Any, given: dict[str, Answer]) -> dict[str, str]:
        """What was asked in a conversation that went wrong: spelled again, so that nobody pays for it before."""
        talk = oracle.converse(scene, recipe, self.seats)
        texts: dict[str, str] = {}
        item = next(talk, None)
        while item is not None and (item.__class__ is not Step or item.label in given):
            if item.__class__ is Step:
                texts[item.label] = self.dialects[item.seat].text(item.node)
                try:
                    item = talk.send(given[item.label])
                except StopIteration:
                    break
            else:
                item = next(talk, None)
        return texts

    def _check(self, oracle: Any, scene: Any, recipe: Any, memo: dict[Any, Any], asked: list[Any]) -> conversation.Contradiction | None:
        """One conversation; the first contradiction, if any."""
        counts = self.counts
        counts.checks += 1
        given: dict[str, Answer] = {}
        talk = oracle.converse(scene, recipe, self.seats)
        item = next(talk, None)
        while item is not None:
            if item.__class__ is Step:
                seat = item.seat
                text = self.texts[seat](item.node)
                answer = memo.get((seat, text)) if item.again else None
                if answer is None:
                    self.stamp(text)
                    asked.append((seat, text))
                    counts.asks += 1
                    if counts.asks & self.sample:
                        answer = self.players[seat].ask(text)
                    else:
                        started = time.process_time_ns()
                        answer = self.players[seat].ask(text)
                        counts.engine_s += (time.process_time_ns() - started) * (self.sample + 1) * 1e-9
                    if item.again:
                        memo[seat, text] = answer
                    if answer.__class__ is not Rows:
                        counts.refused += answer.__class__ is Refused
                        broken = conversation.trouble(answer, item.label, text, seat)
                        if broken is not None:
                            return broken
                if not given and answer.__class__ is Rows:
                    counts.answered += 1
                    counts.nonempty += bool(answer.rows) and answer.rows != EMPTY_COUNT
                given[item.label] = answer
                try:
                    item = talk.send(answer)
                except StopIteration:
                    return None
            else:
                verdict = judge(item, given)
                if verdict is not HOLDS:
                    if verdict is CONTRADICTED:
                        return conversation.Contradiction(item.label, item, given, self._texts(oracle, scene, recipe, given))
                    counts.undecidable += 1
                item = next(talk, None)
        return None

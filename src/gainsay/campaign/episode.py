"""The hot loop: one scene, and the many checks made on it."""

from __future__ import annotations

import gc
import time
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from gainsay.campaign import conversation
from gainsay.campaign.config import Group, turns
from gainsay.campaign.events import Raw, Trouble
from gainsay.campaign.reasons import why_open
from gainsay.campaign.recorder import ASKING, Recorder
from gainsay.campaign.seating import Player
from gainsay.campaign.staging import Scenery
from gainsay.core import registry
from gainsay.core.answer import Answer, Decision, GaveUp, Refused, Rows
from gainsay.core.claim import CONTRADICTED, HOLDS, judge
from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import Seats, Step
from gainsay.core.oracle import Conversation, Oracle
from gainsay.core.talk import NOT_ASKED, Heard, held
from gainsay.limits import children_s

RAWS_PER_EPISODE = 5
SHUNNED = 8  # of so many checks that look like a known death or internal error, one is made
EVERYWHERE = 0.25  # a shape that so many checks of a scene have tells too little
TRIED = 8  # checks of a shunned shape, after which it is known whether they really break
BLOCK = 16  # conversations that are held side by side
SAMPLE = 63  # one ask in 64 is timed, and what it is made of is counted
EARLY, EARLY_SAMPLE = 1024, 7  # ... of the first 1024 of a worker, one in 8 is counted: a short hunt has few
EMPTY_COUNT = [(0,)]
SOUND = (Rows, Decision)
FAILED = object()  # stands for a recipe that could not be drawn


def calm() -> None:
    """Let the garbage collector look less often: what the loop makes has no cycles and dies young."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


class Talk:
    """A conversation in progress: what it said last, and what it was told."""

    __slots__ = ("answer", "check", "given", "is_judged", "oracle", "recipe", "step", "text", "words")

    def __init__(self, check: int, oracle: Oracle, recipe: Any, words: Conversation) -> None:
        self.check = check
        self.oracle = oracle
        self.recipe = recipe
        self.words = words
        self.step: Any = None
        self.text = ""
        self.answer: Any = None
        self.given: dict[str, Answer] = {}
        self.is_judged = False


class Stage(Scenery):
    """A group's seats and oracles, set up once in a worker: runs episodes."""

    def __init__(
        self,
        group: Group,
        seats: Seats,
        players: Sequence[Player],
        seed: int,
        recorder: Recorder,
        emit: Callable[[Raw], None],
    ) -> None:
        super().__init__(group, seats, players, seed, recorder, emit)
        self.turns = [registry.oracle(group.family, name) for name in turns(group)]
        self.texts = [d.text for d in self.dialects]
        self.sample = SAMPLE
        self._nth, self._watched = 0, EARLY_SAMPLE  # asks, and of how many one is counted by what it is made of
        self.beat: Callable[[], None] = lambda: None  # called between blocks of conversations
        self.reached = (-1, 0)  # the episode, and the check behind the last block
        self._asked: list[tuple[int, str]] = []
        self._memo: dict[tuple[int, str], Answer] = {}
        self._raws = 0
        self._late = 0
        # Deciding is hard: a family may say when a scene has had its share of time-outs and of time.
        self._patience = self.family.patience
        self._scene_s = self.family.scene_s
        self._has_counts = self.family.counts_are_rows
        self._broken: set[int] = set()  # the checks of this episode over which the engine broke
        self._tried: Counter[tuple[str, ...]] = Counter()  # checks of a shunned shape that were made all the same
        self._broke: Counter[tuple[str, ...]] = Counter()  # ... and over which the engine broke indeed
        self.undecided: Counter[str] = Counter()  # why checks were undecidable
        self.troubles: dict[str, Trouble] = {}  # draws that failed, by the line of code that did it
        self.held: Counter[str] = Counter()  # conversations that came to a claim, by oracle
        self.idle: Counter[str] = Counter()  # ... and those that asked or claimed nothing

    def recipes(self, number: int, scene: Any, checks: int) -> list[Any]:
        """What the oracles draw for an episode, in turn; each has a stream of its own."""
        draws = {o.name: Draw(seed_for(self.seed, self.group.family, o.name, number)) for o in self.oracles}
        asked = [self.oracle(i) for i in range(checks)]
        first = {o.name: list(o.fixed_recipes(scene, self.seats)) for o in self.oracles}
        return [first[o.name].pop(0) if first.get(o.name) else self._drawn(o, draws[o.name], scene) for o in asked]

    def _drawn(self, oracle: Oracle, draw: Draw, scene: Any) -> Any:
        """A recipe; None where there is nothing to ask on this scene; FAILED where the draw failed, which costs this
        check and no other."""
        try:
            return oracle.draw(draw, scene, self.seats)
        except Exception:  # the boundary to an oracle, which anybody may have written
            failed = Trouble(
                f"the draw of {oracle.name} failed", traceback.format_exc(), oracle.name, self.group.key, 0
            )
            self.troubles.setdefault(failed.place, failed).times += 1
            return FAILED

    def oracle(self, check: int) -> Oracle:
        """Whose turn it is: all in turn, those with cheap conversations more often."""
        return self.turns[check % len(self.turns)]

    def run(
        self,
        number: int,
        checks: int,
        start: int = 0,
        uncounted: int = 0,
        skip: Collection[int] = (),
        shunned: Sequence[Sequence[str]] = (),
    ) -> None:
        """All checks of an episode, from `start` on, without those that killed a worker.
        `uncounted` were made by one that died. Most of what looks like a shunned shape is drawn and not held."""
        self.counts.scenes += 1
        self.counts.checks += uncounted
        grown = self.grow(number)
        scene = self.laid(number, grown) if self._is_sane(number, grown) else None
        if scene is None:
            # Nothing can be compared on this scene: its conversations are spent, and nothing was checked.
            self.counts.void += checks - start
            return
        # All recipes first: the engine would push our code out of the processor's cache between two draws.
        recipes = self.recipes(number, scene, checks)
        self._asked, self._memo, self._raws, self._late, self._broken = [], {}, 0, 0, set()
        alike = self._alike(scene, recipes, shunned)
        left_out = self._left_out(number, alike)
        self.recorder.at(number, start, ASKING)
        begun = time.monotonic()
        block = checks if self.players[0].ask_block else BLOCK  # the more at once, the fewer processes
        for first in range(start - start % block, checks, block):
            end = min(first + block, checks)
            talks = self._talks(scene, recipes, range(max(first, start), end), skip, left_out)
            if not self._hold(number, scene, talks):
                return
            self._tell(talks)
            self._learn(alike, {talk.check for talk in talks})
            self.reached = (number, end)
            if end == checks:
                # What the last block counted goes with the word that the episode is done: else it might be counted
                # twice
                return
            self.beat()
            if self._late > self._patience or time.monotonic() - begun > self._scene_s:
                # What the engine can't decide in time it will not decide in another arrangement either: on to the next
                # scene.
                self.counts.void += checks - end
                return

    def _talks(
        self, scene: Any, recipes: Sequence[Any], block: range, skip: Collection[int], left_out: Collection[int]
    ) -> list[Talk]:
        """The conversations of a block; those that are not held are counted."""
        talks = []
        for check in block:
            if check in skip:
                self.counts.checks += 1  # what ended a worker was found out
            elif check in left_out:
                self.counts.shunned += 1
            elif recipes[check] is None:
                self.counts.void += 1
                self.idle[self.oracle(check).name] += 1
            elif recipes[check] is not FAILED:
                oracle = self.oracle(check)
                words = oracle.converse(scene, recipes[check], self.seats)
                talks.append(Talk(check, oracle, recipes[check], words))
        return talks

    def _hold(self, number: int, scene: Any, talks: list[Talk]) -> bool:
        """Hold the conversations of a block. False: the engine can't be brought back.
        One that changes what the others are asked about (an index that comes and goes) is held by itself."""
        alone = [[talk] for talk in talks if talk.recipe.is_alone]
        together = [talk for talk in talks if not talk.recipe.is_alone] if alone else talks
        return all(self._converse(number, scene, some) for some in (together, *alone))

    def _alike(
        self, scene: Any, recipes: Sequence[Any], shunned: Sequence[Sequence[str]]
    ) -> dict[tuple[str, ...], list[int]]:
        """The checks that look like a known death or internal error, by its shape.
        A shape that is everywhere is no reason to leave anything out; nor one that most such checks survive, since what
        they would find is hidden with it."""
        if not shunned:
            return {}
        shapes = {
            n: self.family.shape(scene, recipe)
            for n, recipe in enumerate(recipes)
            if recipe is not None and recipe is not FAILED
        }
        found = {tuple(shape): [n for n, has in shapes.items() if has.issuperset(shape)] for shape in shunned}
        return {shape: checks for shape, checks in found.items() if len(checks) <= EVERYWHERE * len(recipes)}

    def _left_out(self, number: int, alike: Mapping[tuple[str, ...], Sequence[int]]) -> set[int]:
        """The checks that are not made: of those that look like a known death or internal error all but one in so
        many."""
        return {
            n
            for shape, checks in alike.items()
            if self._tried[shape] < TRIED or 2 * self._broke[shape] >= self._tried[shape]
            for n in checks
            if (number + n) % SHUNNED
        }

    def _learn(self, alike: Mapping[tuple[str, ...], Sequence[int]], made: set[int]) -> None:
        """Whether the checks of a shunned shape that were made broke the engine."""
        for shape, checks in alike.items():
            tried = made & set(checks)
            self._tried[shape] += len(tried)
            self._broke[shape] += len(tried & self._broken)

    def _tell(self, talks: list[Talk]) -> None:
        """Whose conversations came to a claim: one that asked or claimed nothing is no check."""
        idle = [talk.oracle.name for talk in talks if not talk.is_judged]
        self.held.update([talk.oracle.name for talk in talks if talk.is_judged])
        self.idle.update(idle)
        self.counts.void += len(idle)

    def _converse(self, number: int, scene: Any, talks: list[Talk]) -> bool:
        """Some conversations side by side: all spell their next question, then all ask it.
        False: the engine can't be brought back.

        They know nothing of each other. Side by side because our code then runs several times in a row, warm, between
        two turns of the engine."""
        while talks:
            talks = [talk for talk in talks if self._spell(number, scene, talk)]
            at_once = self.players[0].ask_block if len(self.players) == 1 else None
            if at_once is not None:
                self._ask_block(talks, at_once)
            for talk in talks:
                if at_once is None:
                    self._ask(talk)
                if talk.answer.__class__ not in SOUND and not self._is_well(number, scene, talk):
                    return False
        return True

    def _ask_block(self, talks: list[Talk], at_once: Any) -> None:
        """Ask what all conversations have spelled in one go: for engines whose process costs more than a question."""
        counts = self.counts
        for talk in talks:
            self.stamp(talk.check, talk.text)
        begun = children_s()
        answers = at_once([talk.text for talk in talks])
        counts.engine_s += children_s() - begun
        counts.asks += len(talks)
        for talk, answer in zip(talks, answers, strict=True):
            talk.answer = answer
            self._nth += 1
            if not self._nth & EARLY_SAMPLE:  # a process for a block costs much more than that
                self.sampled(talk.step.node, talk.text, answer)
            if talk.step.again:
                self._memo[talk.step.seat, talk.text] = answer

    def _spell(self, number: int, scene: Any, talk: Talk) -> bool:
        """Take the last answer, judge claims up to the next question, and spell that; False where the conversation has
        ended."""
        words, given = talk.words, talk.given
        item: Any  # a step or a claim: its class is looked at once
        try:
            item = self._hear(talk, talk.answer) if talk.answer is not None else next(words)
            while True:
                if item.__class__ is Step:
                    talk.step = item
                    talk.text = text = self.texts[item.seat](item.node)
                    known = self._memo.get((item.seat, text)) if item.again else None
                    if known is None:
                        return True
                    item = self._hear(talk, known)
                    continue
                if not given:  # a claim about no answer says nothing of an engine
                    item = next(words)
                    continue
                verdict = judge(item, given)
                self.counts.checks += 1  # a conversation may make several claims: each is a check
                talk.is_judged = True
                if verdict is not HOLDS:
                    if verdict is CONTRADICTED:
                        texts = self._texts(talk.oracle, scene, talk.recipe, given)
                        self._contradicted(
                            number, scene, talk, conversation.Contradiction(item.label, item, given, texts)
                        )
                        return False
                    self.counts.undecidable += 1
                    self.undecided[why_open(given)] += 1
                item = next(words)
        except StopIteration:
            return False

    def _hear(self, talk: Talk, answer: Answer) -> Any:
        """Give an answer to a conversation; what it says next."""
        if not talk.given and answer.__class__ in SOUND:
            counts = self.counts
            counts.answered += 1
            counts.nonempty += answer.__class__ is Decision or (
                bool(answer.rows) and (answer.rows != EMPTY_COUNT or self._has_counts)
            )
        elif not talk.given and answer.__class__ is GaveUp:
            self.counts.answered += 1  # and nothing was decided
        talk.given[talk.step.label] = answer
        return talk.words.send(answer)

    def _ask(self, talk: Talk) -> None:
        """Ask what a conversation has spelled. Short: it runs between two turns of the engine."""
        step, text, counts = talk.step, talk.text, self.counts
        seat = step.seat
        self.stamp(talk.check, text)
        self._asked.append((seat, text))
        counts.asks += 1
        self._nth = nth = self._nth + 1  # `counts` begins again with each report
        if nth & self.sample:
            talk.answer = self.players[seat].ask(text)
        else:
            started = time.process_time_ns()
            talk.answer = self.players[seat].ask(text)
            counts.engine_s += (time.process_time_ns() - started) * (self.sample + 1) * 1e-9
        if not nth & self._watched:
            self.sampled(step.node, text, talk.answer)
            self._watched = SAMPLE if nth >= EARLY else EARLY_SAMPLE
        if step.again:
            self._memo[seat, text] = talk.answer

    def _is_well(self, number: int, scene: Any, talk: Talk) -> bool:
        """Look at an answer that is no rows.
        A dead or broken engine is reported and starts afresh; False if it can't."""
        answer = talk.answer
        if answer.__class__ is Refused:
            if answer.kind != "internal":  # that one is a finding
                self.counts.refused += 1
                self._refused(talk.text, answer)
        self._late += answer.__class__ is GaveUp and answer.reason == "timeout"
        broken = conversation.trouble(answer, talk.step.label, talk.text, talk.step.seat)
        if broken is None:
            return True
        self._broken.add(talk.check)
        self._contradicted(number, scene, talk, broken)
        talk.words.close()  # this conversation has ended, and that the engine broke is what it found
        self.counts.checks += not talk.is_judged
        talk.is_judged = True
        self._memo, self._asked = {}, []
        is_back = self.prepare(number, scene) is not None
        self.recorder.at(number, talk.check, ASKING)
        return is_back

    def _contradicted(self, number: int, scene: Any, talk: Talk, found: conversation.Contradiction) -> None:
        self.counts.contradicted += 1
        self._raws += 1
        if self._raws <= RAWS_PER_EPISODE:
            self._raw(number, talk.oracle.name, talk.check, found.label, scene, talk.recipe, self._asked, found)

    def _texts(self, oracle: Oracle, scene: Any, recipe: Any, given: dict[str, Answer]) -> dict[str, str]:
        """What was asked in a conversation that went wrong: spelled again, so that nobody pays for it before."""
        texts: dict[str, str] = {}
        for said in held(oracle.converse(scene, recipe, self.seats), lambda step: given.get(step.label, NOT_ASKED)):
            if isinstance(said, Heard):
                if said.answer is NOT_ASKED:
                    break
                texts[said.step.label] = self.dialects[said.step.seat].text(said.step.node)
        return texts

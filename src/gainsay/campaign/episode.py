"""The hot loop: one scene, and the many checks made on it."""

from __future__ import annotations

import gc
import re
import resource
import time
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import msgspec

from gainsay.campaign import conversation
from gainsay.campaign.config import Group, turns
from gainsay.campaign.events import Counts, Raw, Sample, Trouble, slim
from gainsay.campaign.probing import canary_answer
from gainsay.campaign.recorder import ASKING, LOADING, Recorder
from gainsay.campaign.seating import HostedPlayer, Player
from gainsay.core import registry
from gainsay.core.answer import Answer, Decision, Died, GaveUp, Refused, Rows
from gainsay.core.claim import CONTRADICTED, HOLDS, judge
from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import HELPER, Case, CaseName, Seats, Step
from gainsay.core.oracle import NOTHING
from gainsay.core.talk import Heard, held
from gainsay.core.values import is_well

RAWS_PER_EPISODE = 5
RELOADS = 4  # of a scene of which one of several targets refuses something
SHUNNED = 8  # of so many checks that look like a known death or internal error, one is made
EVERYWHERE = 0.25  # a shape that so many checks of a scene have tells too little
DIFFERENCES = 8  # statements of a scene that may be left out because targets store different things
BLOCK = 16  # conversations that are held side by side
SAMPLE = 63  # one ask in 64 is timed
EMPTY_COUNT = [(0,)]
NUMBERS = re.compile(r"\d+")
SOUND = (Rows, Decision)
NOT_ASKED = Refused("gainsay", "not asked")
FAILED = object()  # stands for a recipe that could not be drawn
SAMPLES = 200  # kinds of refusals of which a worker keeps a text
TEXT_KEPT = 200_000  # characters of what was asked before a contradiction


def calm() -> None:
    """Let the garbage collector look less often: what the loop makes has no cycles and dies young."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def latest(before: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The last questions, as many as are worth keeping."""
    room = TEXT_KEPT
    for index in range(len(before) - 1, -1, -1):
        room -= len(before[index][1])
        if room < 0:
            return before[index + 1 :]
    return before


def children_s() -> float:
    """CPU time of the processes that this one has started and waited for."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def why_open(given: Mapping[str, Answer]) -> str:
    """Why nothing can be claimed of some answers: what the engine said instead of an answer."""
    for answer in given.values():
        if isinstance(answer, Refused):
            return f"refused: {masked(answer.message)}"
        if isinstance(answer, GaveUp):
            return f"gave up: {answer.reason}"
        if isinstance(answer, Died):
            return f"died: {answer.how}"
    return "what must hold depends on what was answered"


def masked(message: str) -> str:
    """The beginning of what an engine said, without numbers."""
    return NUMBERS.sub("_", message[:90].partition("\n")[0])


class Talk:
    """A conversation in progress: what it said last, and what it was told."""

    __slots__ = ("answer", "check", "given", "is_judged", "oracle", "recipe", "step", "text", "words")

    def __init__(self, check: int, oracle: Any, recipe: Any, words: Any) -> None:
        self.check = check
        self.oracle = oracle
        self.recipe = recipe
        self.words = words
        self.step: Any = None
        self.text = ""
        self.answer: Any = None
        self.given: dict[str, Answer] = {}
        self.is_judged = False


class Stage:
    """A group's seats and oracles, set up once in a worker."""

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
        self.turns = [registry.oracle(group.family, name) for name in turns(group)]
        self.dialects = [self.family.dialect(s.dialect) for s in seats]
        self.texts = [d.text for d in self.dialects]
        self.canaries = [self.family.canary(s.dialect) for s in seats]
        self.stamp = recorder.stamp
        self.sample = SAMPLE
        self.beat: Callable[[], None] = lambda: None  # called between blocks of conversations
        self.reached = (-1, 0)  # the episode, and the check behind the last block
        self._asked: list[tuple[int, str]] = []
        self._memo: dict[tuple[int, str], Answer] = {}
        self._raws = 0
        self._late = 0
        self._is_fresh = False  # whether the sessions are as they were opened, but for the canary
        # Deciding is hard: a family may say when a scene has had its share of time-outs and of time.
        self._patience = self.family.patience
        self._scene_s = self.family.scene_s
        self._has_counts = self.family.counts_are_rows
        self.refusals: Counter[str] = Counter()
        self.undecided: Counter[str] = Counter()  # why checks were undecidable
        self.troubles: dict[str, Trouble] = {}  # draws that failed, by the line of code that did it
        self.samples: dict[str, Sample] = {}  # a text for each kind of refusal that is new
        self._sampled: set[str] = set()
        self.held: Counter[str] = Counter()  # conversations that came to a claim, by oracle
        self.idle: Counter[str] = Counter()  # ... and those that asked or claimed nothing
        self._helper: HostedPlayer | None = None
        self.counts = Counts()

    def grow(self, number: int) -> Any:
        """The scene of an episode. A family may ask the engine what it needs to know."""
        self.recorder.at(number, 0, LOADING)
        self._reset()
        drawn = self.family.scene_number(number, self.seats)
        opening = self.family.opening(number, self.seats)
        if opening is not None:
            return opening
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

    def recipes(self, number: int, scene: Any, checks: int) -> list[Any]:
        """What the oracles draw for an episode, in turn; each has a stream of its own."""
        draws = {o.name: Draw(seed_for(self.seed, self.group.family, o.name, number)) for o in self.oracles}
        asked = [self.oracle(i) for i in range(checks)]
        first = {o.name: list(o.opening(scene, self.seats)) for o in self.oracles}
        return [first[o.name].pop(0) if first.get(o.name) else self._drawn(o, draws[o.name], scene) for o in asked]

    def _drawn(self, oracle: Any, draw: Draw, scene: Any) -> Any:
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

    def oracle(self, check: int) -> Any:
        """Whose turn it is: all in turn, those with cheap conversations more often."""
        return self.turns[check % len(self.turns)]

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
            loaded = conversation.load(self._ask_loading, conversation.spelled(self.family, scene, self.seats))
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
        self._asked, self._memo, self._raws, self._late = [], {}, 0, 0
        left_out = self._left_out(number, scene, recipes, shunned)
        self.recorder.at(number, start, ASKING)
        begun = time.monotonic()
        block = checks if self.players[0].ask_block else BLOCK  # the more at once, the fewer processes
        for first in range(start - start % block, checks, block):
            talks = []
            for check in range(max(first, start), min(first + block, checks)):
                if check in skip:
                    self.counts.checks += 1  # what ended a worker was found out
                elif check in left_out:
                    self.counts.shunned += 1
                elif recipes[check] is None:
                    self.counts.void += 1
                    self.idle[self.oracle(check).name] += 1
                elif recipes[check] is not FAILED:
                    oracle = self.oracle(check)
                    talks.append(
                        Talk(check, oracle, recipes[check], oracle.converse(scene, recipes[check], self.seats))
                    )
            # One that changes what the others are asked about (an index that comes and goes) is held by itself.
            alone = [[talk] for talk in talks if talk.recipe.is_alone]
            together = [talk for talk in talks if not talk.recipe.is_alone] if alone else talks
            if not all(self._converse(number, scene, some) for some in (together, *alone)):
                return
            self._tell(talks)
            self.reached = (number, min(first + block, checks))
            if first + block < checks:
                # What the last block counted goes with the word that the episode is done: else it might be counted
                # twice
                self.beat()
            if (self._late > self._patience or time.monotonic() - begun > self._scene_s) and first + block < checks:
                # What the engine can't decide in time it will not decide in another arrangement either: on to the next
                # scene.
                self.counts.void += checks - first - block
                return

    def _left_out(self, number: int, scene: Any, recipes: Sequence[Any], shunned: Sequence[Sequence[str]]) -> set[int]:
        """The checks that look like a known death or internal error, but for one in so many.
        A shape that is everywhere is no reason."""
        found: set[int] = set()
        if not shunned:
            return found
        shapes = {
            n: self.family.shape(scene, recipe)
            for n, recipe in enumerate(recipes)
            if recipe is not None and recipe is not FAILED
        }
        for shape in shunned:
            alike = [n for n, features in shapes.items() if features.issuperset(shape)]
            if len(alike) <= EVERYWHERE * len(recipes):
                found.update(n for n in alike if (number + n) % SHUNNED)
        return found

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
            if talk.step.again:
                self._memo[talk.step.seat, talk.text] = answer

    def _spell(self, number: int, scene: Any, talk: Talk) -> bool:
        """Take the last answer, judge claims up to the next question, and spell that; False where the conversation has
        ended."""
        words, given = talk.words, talk.given
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
        if counts.asks & self.sample:
            talk.answer = self.players[seat].ask(text)
        else:
            started = time.process_time_ns()
            talk.answer = self.players[seat].ask(text)
            counts.engine_s += (time.process_time_ns() - started) * (self.sample + 1) * 1e-9
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

    def _texts(self, oracle: Any, scene: Any, recipe: Any, given: dict[str, Answer]) -> dict[str, str]:
        """What was asked in a conversation that went wrong: spelled again, so that nobody pays for it before."""
        texts: dict[str, str] = {}
        for said in held(oracle.converse(scene, recipe, self.seats), lambda step: given.get(step.label, NOT_ASKED)):
            if isinstance(said, Heard):
                if said.answer is NOT_ASKED:
                    break
                texts[said.step.label] = self.dialects[said.step.seat].text(said.step.node)
        return texts

"""The one driver of conversations: asks what an oracle wants to know, judges what it claims, and tells both as they
happen.

A conversation ends with the oracle's last word, or with an answer over which the engine broke: what it says after that
is worth nothing. Whoever listens may end it earlier. The hot loop in `campaign/episode` holds many conversations side
by side and has a driver of its own; a law ties it to this one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from gainsay.core.answer import Answer, Died, Refused
from gainsay.core.claim import Claim, Verdict, judge
from gainsay.core.model import Step
from gainsay.core.oracle import Conversation

Given = dict[str, Answer]
NOT_ASKED = Refused("gainsay", "not asked")


class Heard(NamedTuple):
    """A question and its answer; `given`: all answers so far, by label."""

    step: Step
    answer: Answer
    given: Given


class Judged(NamedTuple):
    """A claim, and what it comes to by the answers so far."""

    claim: Claim
    verdict: Verdict
    given: Given


def is_broken(answer: Answer) -> bool:
    """Whether an answer is the end of an engine, or tells of an error inside it."""
    return isinstance(answer, Died) or (isinstance(answer, Refused) and answer.kind == "internal")


def held(words: Conversation, ask: Callable[[Step], Answer]) -> Iterator[Heard | Judged]:
    """Hold a conversation: each exchange and each claim, in order."""
    given: Given = {}
    item = next(words, None)
    while item is not None:
        if isinstance(item, Claim):
            if given:  # a claim about no answer says nothing of an engine
                yield Judged(item, judge(item, given), given)
            item = next(words, None)
            continue
        answer = given[item.label] = ask(item)
        yield Heard(item, answer, given)
        if is_broken(answer):
            words.close()
            return
        try:
            item = words.send(answer)
        except StopIteration:
            return


def opening(words: Conversation) -> Step:
    """The first question of a conversation that is not held further."""
    asked: list[Step] = []

    def ask(step: Step) -> Answer:
        asked.append(step)
        return NOT_ASKED

    next(held(words, ask), None)
    words.close()
    return asked[0]

"""Why nothing came of a question, in words that can be counted."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gainsay.core.answer import Answer, Died, GaveUp, Refused

NUMBERS = re.compile(r"\d+")


def masked(message: str) -> str:
    """The beginning of what an engine said, without numbers."""
    return NUMBERS.sub("_", message[:90].partition("\n")[0])


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

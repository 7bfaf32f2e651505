"""Why nothing came of a question, in words that can be counted."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence

from gainsay.core.answer import Answer, Died, GaveUp, Refused

NUMBERS = re.compile(r"\d+")
QUOTED = re.compile(r'"[^"]*"')
NAMED = re.compile(r"\b[A-Za-z]+_?\d+(?:\.\w+)*\b")  # t0.c1, n1
VALUES = re.compile(r'"(?!(?:[A-Z]{2,}|\W{1,2})")[^"]*"')  # a keyword or a sign is where a parser stumbled
BRACKETS = re.compile(r"\[[^\[\]]*\]")
ORDINALS = re.compile(r"\d+(st|nd|rd|th)\b")
DRAWN = re.compile(r"\b(?:[A-Za-z]\d*|id)(?:\.\w+)*\b")  # n1.k, n1._ID: names that questions have, and parts of it
# A keyword or a sign in double quotes is where a parser stumbled; anything else in quotes is a literal or a name.
LITERALS = re.compile(r"""0x[0-9a-f]+|\d+|(?<!`)'[^'`]*'|"(?!(?:[A-Z]{2,}|\W{1,2})")[^"]*\"""")
# What C libraries say of memory that something overwrote
BROKEN_MEMORY = re.compile(r"double free|corrupt|munmap_chunk|malloc\(\)|(?:free|realloc)\(\): invalid")
# A list of what was masked, whose length is the question's: [_._ _._ _._], (_, _), {#[_._], #[_._]}
LISTED = re.compile(r"(#\[_[._]*\]|(?<![\w.])_[._]*(?![\w.]))(?:,? \1(?![\w.]))+")


def masked(message: str) -> str:
    """The beginning of what an engine said, without numbers, values in double quotes, lists and names that questions
    have: two refusals of one kind have it in common."""
    line = message[:400].partition("\n")[0]  # an engine may say very much, and this is asked for each refusal
    for pattern in (VALUES, BRACKETS, BRACKETS, NAMED, NUMBERS):  # a list may be in a list
        line = pattern.sub("_", line)
    return line[:90]


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


@functools.lru_cache(4096)
def words_of(detail: str, name_marks: Sequence[str] = ()) -> str:
    """The part of an error text that names the bug: no numbers, no addresses, no literals, nor names of the question
    that follow a mark of the engine's. What the engine itself calls something stays: `no such column: n_8.id` is
    another bug than `no such column: _with_0.n1.id`."""
    line = ORDINALS.sub("_", next((text for text in detail.splitlines() if text.strip()), ""))
    if name_marks:
        marks = "|".join(map(re.escape, name_marks))
        line = re.sub(rf"\b({marks}) (\[.*\]|[\w.]+)", lambda found: f"{found[1]} {unnamed(found[2])}", line)
    return LISTED.sub(r"\1", LITERALS.sub("_", line))[:120]


@functools.lru_cache(4096)
def loosely(detail: str, name_marks: Sequence[str] = ()) -> str:
    """The same without what the engine calls something, nor where its parser stumbled."""
    words = words_of(detail, name_marks)
    if name_marks:
        words = re.sub(rf"\b({'|'.join(map(re.escape, name_marks))}) [\w.]+", r"\1 _", words)
    return QUOTED.sub("_", words)


def unnamed(name: str) -> str:
    """What an engine calls something, without the names that the question has for it."""
    return "_" if name.startswith("[") else DRAWN.sub("_", name)


def is_by_chance(kind: str, detail: str) -> bool:
    """Whether an engine died because it noticed that its memory is broken: what breaks it was done earlier."""
    return kind == "crash" and bool(BROKEN_MEMORY.search(detail))

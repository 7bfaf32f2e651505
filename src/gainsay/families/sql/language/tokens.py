"""SQL text cut into words, names, literals and signs, and a script cut into statements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

TOKEN = re.compile(
    r"""(?P<blob>[xXbB]'[0-9a-fA-F]*')
    |(?P<text>'(?:[^']|'')*')
    |(?P<quoted>"(?:[^"]|"")*"|`[^`]*`)
    |(?P<real>\d+(?:_\d+)*\.(?:\d+(?:_\d+)*)?(?:[eE][+-]?\d+(?:_\d+)*)?|\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)
    |(?P<int>0[xX][0-9a-fA-F]+|\d+(?:_\d+)*)
    |(?P<word>[^\W\d]\w*)
    |(?P<sign><=>|->>|!~|-\|-|@>|<@|\^@|@\?|@@|&<|&>|\?\||\?&|\|\||<<|>>|<=|>=|<>|!=|==|::|->|&&
        |[-+*/%&|~=<>(){}\[\],.;:?!@\#^$])""",
    re.VERBOSE,
)
SKIPPED = re.compile(r"(?:\s+|--[^\n]*|/\*.*?(?:\*/|\Z))+", re.DOTALL)
SAME = {"==": "=", "!=": "<>"}  # two signs for one thing
BODY = ("BEGIN", "CASE")  # what an END closes


class Unread(Exception):
    """Something that this reader does not know."""


class Token(NamedTuple):
    """A piece of text, with where it stands. A word is in capitals in `key`."""

    kind: str
    text: str
    key: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """The tokens of a text, and one at its end."""
    found: list[Token] = []
    at = 0
    while True:
        skipped = SKIPPED.match(text, at)
        at = skipped.end() if skipped else at
        if at >= len(text):
            return [*found, Token("end", "", "", len(text), len(text))]
        match = TOKEN.match(text, at)
        if match is None:
            raise Unread(f"{text[at : at + 20]!r}")
        kind, said = str(match.lastgroup), match.group()
        key = said.upper() if kind == "word" else SAME.get(said, said)
        found.append(Token(kind, said, key, at, match.end()))
        at = match.end()


def statements(script: str) -> Iterator[str]:
    """The statements of a script. A trigger's body is a part of its statement."""
    begun, depth, start, is_trigger = False, 0, 0, False
    words: list[str] = []
    for token in tokens(script):
        if token.kind == "end" or (token.key == ";" and depth == 0):
            if begun:
                yield script[start : token.start].rstrip()
            begun, words, is_trigger = False, [], False
            continue
        if not begun:
            begun, start = True, token.start
        if token.kind == "word":
            words = [*words, token.key][-4:]
            is_trigger |= token.key == "TRIGGER" and "CREATE" in words
            depth += (token.key in BODY) if is_trigger else 0
            depth -= 1 if is_trigger and token.key == "END" and depth else 0


def unquoted(token: Token) -> str:
    """The name that a word or a quoted name stands for."""
    return token.text[1:-1].replace('""', '"') if token.kind == "quoted" else token.text

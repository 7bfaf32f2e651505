"""Cypher text cut into words, signs and literals."""

from __future__ import annotations

import re

TOKEN = re.compile(
    r"\s*(?:(?P<float>\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)|(?P<int>\d+)"
    r"|(?P<str>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<name>`[^`]+`|[A-Za-z_][A-Za-z_0-9]*)|(?P<sign>->|<-|<=|>=|<>|=~|\.\.|[-+*/%^=<>(){}\[\],:;|.]))"
)
ESCAPE = {"n": "\n", "t": "\t", "r": "\r"}


class Unread(Exception):
    """Something that this reader does not know."""


def tokens(text: str) -> list[tuple[str, str]]:
    """The tokens of a text: the kind and the text of each."""
    found, at = [], 0
    text = text.rstrip().rstrip(";")
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            if not text[at:].strip():
                break
            raise Unread(f"at {text[at : at + 20]!r}")
        kind = str(match.lastgroup)
        found.append((kind, match.group(kind)))
        at = match.end()
    return [*found, ("end", "")]


def unquoted(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: ESCAPE.get(m.group(1), m.group(1)), text[1:-1])

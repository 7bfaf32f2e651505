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


CUT = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|//[^\n]*|/\*.*?\*/|;|.""", re.DOTALL)
ASKS = re.compile(r"\s*(MATCH|OPTIONAL|RETURN|UNWIND|WITH|CALL)\b", re.IGNORECASE)


def statements(script: str) -> list[str]:
    """The statements of a script, without their semicolons and comments."""
    found = [""]
    for piece in CUT.findall(script):
        if piece == ";":
            found.append("")
        elif not piece.startswith(("//", "/*")):
            found[-1] += piece
    return [text.strip() for text in found if text.strip()]


def is_question(text: str) -> bool:
    """Whether a statement asks something, and changes nothing before."""
    return ASKS.match(text) is not None

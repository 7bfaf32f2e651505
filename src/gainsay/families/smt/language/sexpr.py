"""S-expressions of SMT-LIB as nested tuples of strings: read from text, and written again.
Nesting may be of any depth."""

from __future__ import annotations

import re
from typing import NoReturn, TypeAlias

Expr: TypeAlias = "str | tuple[Expr, ...]"

TOKEN = re.compile(r'[^\s()"|;]+|[()]|"[^"]*"(?:"[^"]*")*|\|[^|]*\||;[^\n]*|["|]')
SIMPLE = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/-][0-9A-Za-z~!@$%^&*_+=<>.?/-]*")
WORDS = """
_ ! as let forall exists match par BINARY DECIMAL HEXADECIMAL NUMERAL STRING
assert check-sat check-sat-assuming declare-const declare-datatype declare-datatypes declare-fun declare-sort
define-const define-fun define-fun-rec define-funs-rec define-sort echo exit
get-assertions get-assignment get-info get-model get-option get-proof get-unsat-assumptions get-unsat-core get-value
pop push reset reset-assertions set-info set-logic set-option
"""
RESERVED = frozenset(WORDS.split())  # no symbols, unless they are quoted


class SmtError(ValueError):
    """Text that is no SMT-LIB, or SMT-LIB that is not read here."""


# What taking apart a command of the wrong form raises
MALFORMED = (ValueError, IndexError, KeyError, TypeError, AttributeError)


def malformed(error: Exception, command: Expr) -> SmtError:
    """An error as one that tells where it is."""
    return error if isinstance(error, SmtError) else SmtError(f"malformed command: {show(command)[:80]}")


def parse(text: str) -> list[Expr]:
    """All expressions of a text. |x| and x are the same symbol, and are read as x."""
    current: list[Expr] = []
    stack: list[list[Expr]] = []
    for token in TOKEN.findall(text):
        if token == "(":
            stack.append(current)
            current = []
        elif token == ")":
            if not stack:
                _refuse(text)
            closed = tuple(current)
            current = stack.pop()
            current.append(closed)
        else:
            first = token[0]
            if first == ";":
                continue
            if first == "|":
                token = symbol(token)
            if token == "|" or token == '"':
                _refuse(text)
            current.append(token)
    if stack:
        _refuse(text)
    return current


def parse_one(text: str) -> Expr:
    """The only expression of a text."""
    found = parse(text)
    if len(found) != 1:
        raise SmtError(f"one expression was expected, there are {len(found)}: {text[:60]!r}")
    return found[0]


def symbol(quoted: str) -> str:
    """|x| without its bars, if it needs none."""
    inner = quoted[1:-1]
    return inner if SIMPLE.fullmatch(inner) and inner not in RESERVED else quoted


def show(expr: Expr) -> str:
    """An expression as text, with single blanks."""
    out: list[str] = []
    stack: list[Expr] = [expr]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            out.append(item)
        else:
            stack.append(")")
            stack.extend(reversed(item))
            stack.append("(")
    return " ".join(out).replace("( ", "(").replace(" )", ")") if not _has_blanks(out) else _joined(out)


def _has_blanks(tokens: list[str]) -> bool:
    return any(token[0] in '"|' for token in tokens)


def _joined(tokens: list[str]) -> str:
    """Strings and quoted symbols may hold parentheses and blanks, so that the text can't be mended after joining."""
    out: list[str] = []
    last = "("
    for token in tokens:
        if last != "(" and token != ")":
            out.append(" ")
        out.append(token)
        last = token
    return "".join(out)


def _refuse(text: str) -> NoReturn:
    """Say where the text stops to be balanced. The place is looked for only now, so that reading is fast."""
    opened: list[int] = []
    for match in TOKEN.finditer(text):
        token = match.group()
        if token == "(":
            opened.append(match.start())
        elif token == ")":
            if not opened:
                raise SmtError(f"line {_line(text, match.start())}: there is a ) too many")
            opened.pop()
        elif token == "|" or token == '"':
            raise SmtError(f"line {_line(text, match.start())}: what begins with {token} never ends")
    raise SmtError(f"line {_line(text, opened[0] if opened else 0)}: what begins with ( never ends")


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1

"""Exact semantics of the SMT-LIB theory of Unicode strings and regular expressions, over Python strings and tuple
trees.

Strings hold code points up to 0x2FFFF. A regular expression is a hashable tuple made by the functions below, which
simplify a little. Matching is polynomial for every operator, complement and intersection included, and raises
Undetermined beyond a fixed amount of work."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from gainsay.families.smt.meaning.values import Undetermined

MAX_CODE = 0x2FFFF
MAX_STEPS = 20_000
MAX_DIGITS = 4_000  # Python refuses to convert between str and int beyond 4300 digits

RegLan = tuple[Any, ...]  # ("str", s) | ("range", low, high) | (kind, *parts) | ("loop", part, low, high)

# Literals

_ESCAPE = re.compile(r"\\u(?:([0-9a-fA-F]{4})|\{([0-9a-fA-F]{1,4}|[0-2][0-9a-fA-F]{4})\})")
_CHAR = re.compile(r"\(\s*_\s+char\s+#x([0-9a-fA-F]{1,4}|[0-2][0-9a-fA-F]{4})\s*\)")


def read_literal(text: str) -> str:
    r"""Read a string literal, quotes included, or (_ char #x41): "a""b\u{41}\n" is the six characters a " b A \ n."""
    if char := _CHAR.fullmatch(text):
        return chr(int(char[1], 16))
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        raise ValueError(f"not a string literal: {text}")
    return _ESCAPE.sub(lambda escape: chr(int(escape[1] or escape[2], 16)), text[1:-1].replace('""', '"'))


def literal(value: str) -> str:
    r"""Write a string as a literal in printable ASCII; a backslash is written \u{5c}, so that it never starts an
    escape."""
    return f'"{"".join(map(_written, value))}"'


def _written(char: str) -> str:
    if char == '"':
        return '""'
    return char if " " <= char <= "~" and char != "\\" else f"\\u{{{ord(char):x}}}"


# Strings


def concat(*parts: str) -> str:
    """str.++"""
    return "".join(parts)


def length(s: str) -> int:
    """str.len"""
    return len(s)


def less(*words: str) -> bool:
    """str.<, by code points; a chain of more than two holds if each step does."""
    return all(s < t for s, t in pairwise(words))


def less_eq(*words: str) -> bool:
    """str.<=, chained as str.< is."""
    return all(s <= t for s, t in pairwise(words))


def at(s: str, i: int) -> str:
    """str.at: empty when out of range."""
    return substr(s, i, 1)


def substr(s: str, i: int, n: int) -> str:
    """str.substr: empty unless 0 <= i < |s| and n > 0."""
    return s[i : i + n] if 0 <= i < len(s) and n > 0 else ""


def prefixof(s: str, t: str) -> bool:
    """str.prefixof: s is a prefix of t."""
    return t.startswith(s)


def suffixof(s: str, t: str) -> bool:
    """str.suffixof: s is a suffix of t."""
    return t.endswith(s)


def contains(s: str, t: str) -> bool:
    """str.contains: t occurs in s."""
    return t in s


def indexof(s: str, t: str, i: int) -> int:
    """str.indexof: where t first occurs in s at i or later, else -1; an empty t is found at i itself if 0 <= i <=
    |s|."""
    return s.find(t, i) if 0 <= i <= len(s) else -1


def replace(s: str, t: str, new: str) -> str:
    """str.replace: the first occurrence only; before s if t is empty."""
    return s.replace(t, new, 1)


def replace_all(s: str, t: str, new: str) -> str:
    """str.replace_all: s itself if t is empty."""
    return s.replace(t, new) if t else s


def is_digit(s: str) -> bool:
    """str.is_digit: one of the ten ASCII digits."""
    return len(s) == 1 and "0" <= s <= "9"


def to_code(s: str) -> int:
    """str.to_code: -1 unless s is one character."""
    return ord(s) if len(s) == 1 else -1


def from_code(n: int) -> str:
    """str.from_code: empty when n is no code point."""
    return chr(n) if 0 <= n <= MAX_CODE else ""


def to_int(s: str) -> int:
    """str.to_int: -1 when s is empty or has anything but digits."""
    if not s or not all(map(is_digit, s)):
        return -1
    if len(s) > MAX_DIGITS:
        raise Undetermined(f"str.to_int of {len(s)} digits")
    return int(s)


def from_int(n: int) -> str:
    """str.from_int: empty when n is negative."""
    if n.bit_length() > 3 * MAX_DIGITS:
        raise Undetermined(f"str.from_int of {n.bit_length()} bits")
    return str(n) if n >= 0 else ""


# Regular expressions

RE_NONE: RegLan = ("none",)
RE_ALL: RegLan = ("all",)
RE_ALLCHAR: RegLan = ("range", 0, MAX_CODE)
RE_EMPTY: RegLan = ("str", "")


def to_re(s: str) -> RegLan:
    """str.to_re"""
    return ("str", s)


def re_range(s: str, t: str) -> RegLan:
    """re.range: none unless both bounds are one character."""
    if len(s) != 1 or len(t) != 1 or s > t:
        return RE_NONE
    return ("range", ord(s), ord(t))


def re_concat(*parts: RegLan) -> RegLan:
    """re.++"""
    flat: list[RegLan] = []
    for part in _flat("cat", parts):
        if part[0] == "str" and flat and flat[-1][0] == "str":
            flat[-1] = ("str", flat[-1][1] + part[1])
        elif part != RE_EMPTY:
            flat.append(part)
    return RE_NONE if RE_NONE in flat else _joined("cat", flat, RE_EMPTY)


def re_union(*parts: RegLan) -> RegLan:
    """re.union"""
    flat = [part for part in dict.fromkeys(_flat("or", parts)) if part != RE_NONE]
    return RE_ALL if RE_ALL in flat else _joined("or", flat, RE_NONE)


def re_inter(*parts: RegLan) -> RegLan:
    """re.inter"""
    flat = [part for part in dict.fromkeys(_flat("and", parts)) if part != RE_ALL]
    return RE_NONE if RE_NONE in flat else _joined("and", flat, RE_ALL)


def _flat(kind: str, parts: tuple[RegLan, ...]) -> list[RegLan]:
    """Open nested applications of an associative operator."""
    return [inner for part in parts for inner in (part[1:] if part[0] == kind else (part,))]


def _joined(kind: str, parts: list[RegLan], unit: RegLan) -> RegLan:
    """Apply an operator, which of no parts is its unit and of one part is that part."""
    if len(parts) < 2:
        return parts[0] if parts else unit
    return (kind, *parts)


def re_star(part: RegLan) -> RegLan:
    """re.*"""
    if part in (RE_NONE, RE_EMPTY):
        return RE_EMPTY
    if part in (RE_ALL, RE_ALLCHAR):
        return RE_ALL
    return part if part[0] == "star" else ("star", part)


def re_comp(part: RegLan) -> RegLan:
    """re.comp"""
    if part in (RE_NONE, RE_ALL):
        return RE_ALL if part == RE_NONE else RE_NONE
    return part[1] if part[0] == "comp" else ("comp", part)


def re_diff(first: RegLan, *others: RegLan) -> RegLan:
    """re.diff"""
    return re_inter(first, re_comp(re_union(*others)))


def re_plus(part: RegLan) -> RegLan:
    """re.+"""
    return re_concat(part, re_star(part))


def re_opt(part: RegLan) -> RegLan:
    """re.opt"""
    return re_union(part, RE_EMPTY)


def re_power(n: int, part: RegLan) -> RegLan:
    """(_ re.^ n)"""
    return re_loop(n, n, part)


def re_loop(low: int, high: int, part: RegLan) -> RegLan:
    """(_ re.loop low high): none when low > high."""
    if low > high:
        return RE_NONE
    if high == 0:
        return RE_EMPTY
    return part if low == high == 1 else ("loop", part, low, high)


# Matching


class Matcher:
    """All matches of regular expressions in one text.
    A set of positions is an int: bit i stands for the place before character i."""

    def __init__(self, text: str, max_steps: int = MAX_STEPS) -> None:
        self._text = text
        self._whole = (1 << (len(text) + 1)) - 1
        self._steps_left = max_steps
        self._known: dict[tuple[RegLan, int], int] = {}

    def ends(self, regex: RegLan, start: int) -> int:
        """Give the positions where a match that begins at `start` may end."""
        key = (regex, start)
        if key not in self._known:
            self._spend()
            self._known[key] = self._ends(regex, start)
        return self._known[key]

    def first(self, regex: RegLan, start: int, least: int) -> tuple[int, int] | None:
        """Find the leftmost match from `start` on, and of those the shortest, of at least `least` characters."""
        for begin in range(start, len(self._text) + 1):
            if ends := self.ends(regex, begin) >> (begin + least):
                return begin, begin + least + _lowest(ends)
        return None

    def _ends(self, regex: RegLan, start: int) -> int:
        match regex:
            case ("none",):
                return 0
            case ("all",):
                return self._from(start)
            case ("str", word):
                return 1 << (start + len(word)) if self._text.startswith(word, start) else 0
            case ("range", low, high):
                return 1 << (start + 1) if start < len(self._text) and low <= ord(self._text[start]) <= high else 0
            case ("comp", part):
                return self._from(start) & ~self.ends(part, start)
            case ("cat" | "or" | "and", *parts):
                return self._combined(regex[0], parts, start)
            case ("star", part):
                return self._repeated(part, start, 0, len(self._text))
            case ("loop", part, low, high):
                return self._repeated(part, start, low, high)
        raise ValueError(f"not a regular expression: {regex}")

    def _combined(self, kind: str, parts: list[RegLan], start: int) -> int:
        places = {"cat": 1 << start, "or": 0, "and": self._from(start)}[kind]
        for part in parts:
            if kind == "cat":
                places = self._advanced(part, places)
            elif kind == "or":
                places |= self.ends(part, start)
            else:
                places &= self.ends(part, start)
        return places

    def _repeated(self, part: RegLan, start: int, low: int, high: int) -> int:
        """Follow low to high matches in a row.
        A round that changes nothing ends it: all later rounds would be the same."""
        places = 1 << start
        for _ in range(low):
            before, places = places, self._advanced(part, places)
            if places == before:
                break
        for _ in range(high - low):
            before, places = places, places | self._advanced(part, places)
            if places == before:
                break
        return places

    def _advanced(self, part: RegLan, places: int) -> int:
        """Give the positions that one match of `part` from any of `places` leads to."""
        result = 0
        while places:
            self._spend()
            result |= self.ends(part, _lowest(places))
            places &= places - 1
        return result

    def _from(self, start: int) -> int:
        return self._whole >> start << start

    def _spend(self) -> None:
        self._steps_left -= 1
        if self._steps_left < 0:
            raise Undetermined("matching takes too many steps")


def _lowest(places: int) -> int:
    return (places & -places).bit_length() - 1


def in_re(s: str, regex: RegLan) -> bool:
    """str.in_re"""
    return bool(Matcher(s).ends(regex, 0) >> len(s))


def replace_re(s: str, regex: RegLan, new: str) -> str:
    """str.replace_re: the shortest leftmost match, which may be empty."""
    found = Matcher(s).first(regex, 0, 0)
    return s if found is None else s[: found[0]] + new + s[found[1] :]


def replace_re_all(s: str, regex: RegLan, new: str) -> str:
    """str.replace_re_all: from left to right, each shortest leftmost match that is not empty."""
    matcher, done, parts = Matcher(s), 0, []
    while found := matcher.first(regex, done, 1):
        parts += [s[done : found[0]], new]
        done = found[1]
    return "".join([*parts, s[done:]])

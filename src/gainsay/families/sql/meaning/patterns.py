"""LIKE and GLOB, as regular expressions that are kept."""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(maxsize=512)
def like_pattern(pattern: str, escape: str, is_cased: bool) -> re.Pattern[str] | None:
    """The expression for a LIKE; None if the pattern ends in its escape character, and so matches nothing."""
    found: list[str] = []
    letters = iter(pattern)
    for letter in letters:
        if escape and letter == escape:
            after = next(letters, None)
            if after is None:
                return None
            found.append(re.escape(after))
        else:
            found.append({"%": ".*", "_": "."}.get(letter) or re.escape(letter))
    return re.compile("".join(found), re.DOTALL | re.ASCII | (0 if is_cased else re.IGNORECASE))


def like(text: str, pattern: str, escape: str = "", is_cased: bool = False) -> int:
    """Whether a text is like a pattern, as 1 or 0. Letters of ASCII match in either case, if case does not count."""
    expression = like_pattern(pattern, escape, is_cased)
    return 1 if expression is not None and expression.fullmatch(text) else 0


@lru_cache(maxsize=512)
def glob_pattern(pattern: str) -> re.Pattern[str]:
    found = "".join({"*": ".*", "?": "."}.get(letter) or re.escape(letter) for letter in pattern)
    return re.compile(found, re.DOTALL)


def glob(text: str, pattern: str) -> int:
    """Whether a text matches a pattern of GLOB without sets, as 1 or 0."""
    if "[" in pattern:
        return glob_with_sets(text, pattern)
    return 1 if glob_pattern(pattern).fullmatch(text) else 0


def glob_with_sets(text: str, pattern: str) -> int:
    """The same with [a-z] and [^a]."""
    import fnmatch

    return 1 if re.fullmatch(fnmatch.translate(pattern.replace("[^", "[!")), text) else 0

"""What in somebody else's text reaches out of an engine: files, code, other machines. Such text is never sent."""

from __future__ import annotations

import re
from collections.abc import Sequence


def words(*patterns: str) -> re.Pattern[str]:
    """Words that reach out, in any case."""
    return re.compile("|".join(rf"(?<!\w){pattern}(?!\w)" for pattern in patterns), re.IGNORECASE)


def found(text: str, patterns: Sequence[re.Pattern[str]]) -> str:
    """The first word in a text that reaches out; empty where there is none."""
    hits = [hit for pattern in patterns if (hit := pattern.search(text))]
    return " ".join(min(hits, key=lambda hit: hit.start()).group().split()) if hits else ""

"""Statements of scripts that others wrote."""

from __future__ import annotations

import re

ASKS = re.compile(r"\s*(MATCH|OPTIONAL|RETURN|UNWIND|WITH|CALL)\b", re.IGNORECASE)


def is_question(text: str) -> bool:
    """Whether a statement asks something, and changes nothing before."""
    return ASKS.match(text) is not None

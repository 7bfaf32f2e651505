"""Pieces of a reproducer as Python text: lists, mappings, rows, one side of a claim."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

WORDS = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\b(?:None|True|False)\b""")


def listing(texts: Any) -> str:
    return "[\n" + "".join(f"    {t!r},\n" for t in texts) + "]"


def mapping(texts: dict[str, str]) -> str:
    return "{\n" + "".join(f"    {k!r}: {quoted(v)},\n" for k, v in texts.items()) + "}"


def quoted(text: str) -> str:
    """A Python literal; a text of several lines as such, where nothing in it needs to be escaped."""
    is_plain = (
        "\n" in text
        and text.replace("\n", "").isprintable()
        and "\\" not in text
        and '"""' not in text
        and not text.endswith('"')
    )
    return f'"""\\\n{text}"""' if is_plain else repr(text)


def rows(shown: list[list[str]]) -> str:
    return "[" + ", ".join("(" + "".join(f"{v}, " for v in row) + ")" for row in shown) + "]"


def side(claim_side: dict[str, Any]) -> str:
    """One side of a claim as Python: rows that are known in advance, or answers folded."""
    if claim_side["value"] is not None:
        return rows(claim_side["value"])
    return f"folded({claim_side['fold']!r}, [answers[label] for label in {tuple(claim_side['steps'])}])"


def spoken(text: str, words: Mapping[str, str]) -> str:
    """Python's text of a value or a row as the family's people write it: (None,) -> (null)"""
    closed = f"{text[:-2]})" if text.startswith("(") and text.endswith(",)") else text
    return WORDS.sub(lambda found: words.get(found[0], found[0]), closed)

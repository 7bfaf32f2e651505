"""Signatures: one cause, one bucket.
Made of the reduced case's shape, so that names, literals and order do not matter."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

SAID = 80  # letters of an engine's words in a title
FOLDERS = re.compile(r"(?:/[\w.+-]+)+/")  # of a file, on the machine where the engine was built


def signature(engine: str, kind: str, shape: Iterable[str], detail: str = "") -> str:
    """A readable text: 'sqlite: logic: condition, partial index'.
    The oracle is no part of it: one cause is seen by several."""
    what = ", ".join(filter(None, (detail, *sorted(shape)))) or "nothing but the query"
    return f"{engine}: {kind}: {what}"


def title(engine: str, kind: str, words: Iterable[str], detail: str) -> str:
    """What people read of what broke an engine: 'kuzu: internal-error: map lookup, where: "bad_function_call"'. First
    over what, then what the engine said of it."""
    line = " ".join(next((text for text in detail.splitlines() if text.strip()), "").split())
    line = FOLDERS.sub("", line)
    said = line if len(line) <= SAID else line[:SAID].rpartition(" ")[0] + " ..."
    mark = "'" if '"' in said else '"'
    quoted = f"{mark}{said}{mark}" if kind == "internal-error" and said else said
    return ": ".join(filter(None, (engine, kind, ", ".join(sorted(words)), quoted)))


def short(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()


def ident(engine: str, oracle: str, text: str) -> str:
    """The finding's name, also that of its folder: sqlite-norec-1f0c22ab."""
    return f"{engine}-{oracle}-{short(text)}"

"""Signatures: one cause, one bucket.
Made of the reduced case's shape, so that names, literals and order do not matter."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def signature(engine: str, kind: str, shape: Iterable[str], detail: str = "") -> str:
    """A readable text: 'sqlite: logic: condition, partial index'.
    The oracle is no part of it: one cause is seen by several."""
    what = ", ".join(filter(None, (detail, *sorted(shape)))) or "nothing but the query"
    return f"{engine}: {kind}: {what}"


def short(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()


def ident(engine: str, oracle: str, text: str) -> str:
    """The finding's name, also that of its folder: sqlite-norec-1f0c22ab."""
    return f"{engine}-{oracle}-{short(text)}"

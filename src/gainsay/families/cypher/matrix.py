"""Fixed questions about what is known to differ between engines: the first thing that a hunt asks."""

from __future__ import annotations

from gainsay.families.cypher import ir
from gainsay.families.cypher.lexicon import Lexicon


def scene(number: int, lexicon: Lexicon) -> ir.Scene | None:
    return None


def questions(scene: ir.Scene, lexicon: Lexicon) -> list[ir.Query]:
    return []

"""Cases that others wrote: statements to a graph, a query to its clauses; what can't be read stays text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gainsay.families.cypher import ir


def known(setup: Sequence[str], query: str) -> tuple[ir.Scene, list[Any]]:
    return ir.Scene(raw=tuple(setup)), [ir.RawQuery(query)]

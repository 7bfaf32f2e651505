"""What the graph engines have in common: the questions that tell a fact's values apart are the same for all."""

from __future__ import annotations

from collections.abc import Sequence

from gainsay.core.engine import Engine, Proofs
from gainsay.families.cypher.meaning.profile import FACTS


def proofs_of(tables: Sequence[str] = ()) -> Proofs:
    """Fact -> what to ask (all but the last makes a graph, in these tables), and the answer that each value gives."""
    found: dict[str, tuple[Sequence[str], dict[str, str]]] = {}
    for name, fact in FACTS.items():
        statements = (*(tables if fact.setup else ()), *fact.setup)
        found[name] = ((*statements, fact.question), dict(fact.answers))
    return found


class GraphEngine(Engine):
    """An engine that speaks Cypher. A fact that it does not list has openCypher's value."""

    family = "cypher"
    proofs = proofs_of()
    name_marks = ("paramName", "alias", "column name:", "column:", "variable")

"""Memgraph over Bolt, by the official Neo4j driver: a server of the user's.

Written by its documentation; no server was at hand to try it on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gainsay.core.engine import Facts
from gainsay.engines.bolt import BoltEngine, Customs

MARK = "GainsayOwner"
DOCS = "https://memgraph.com/docs/querying"


def schema(session: Any) -> list[str]:
    """SHOW INDEX INFO: type, label, property (a list since 3.0), count. Constraints are never made by us."""
    found = []
    for kind, label, key, *_ in session.run("SHOW INDEX INFO"):
        keys = key if isinstance(key, list) else [key] if key else []
        on = f":`{label}`" + (f"({', '.join(f'`{k}`' for k in keys)})" if keys else "")
        found.append(f"DROP {'EDGE ' if str(kind).startswith('edge') else ''}INDEX ON {on}")
    return [text for text in found if MARK not in text]


def is_marked(session: Any) -> bool:
    return any(MARK in str(record[1]) for record in session.run("SHOW INDEX INFO"))


class Memgraph(BoltEngine):
    """In its only database: several are of the enterprise edition."""

    name = "memgraph"
    dialect = "memgraph"
    title = "Memgraph"
    customs = Customs(
        version="SHOW VERSION",
        fresh="",
        drop="",
        schema=schema,
        is_marked=is_marked,
        mark=f"CREATE INDEX ON :{MARK}",
        unmark=f"DROP INDEX ON :{MARK}",
        settle="",
    )

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        return {
            "substring": ("from 0", f"{DOCS}/functions#string-functions"),
            "round-half": ("away from zero", f"{DOCS}/functions#mathematical-functions"),
        }

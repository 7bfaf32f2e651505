"""Neo4j over Bolt, by the official driver: a server of the user's.

neo4j?url=bolt://HOST:PORT&user=NAME, the password in the environment.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gainsay.core.engine import Facts
from gainsay.engines.bolt import BoltEngine, Customs

MARK = "gainsay_owner"
MANUAL = "https://neo4j.com/docs/cypher-manual/5"


def schema(session: Any) -> list[str]:
    constraints = [r[0] for r in session.run("SHOW CONSTRAINTS YIELD name")]
    wanted = "type <> 'LOOKUP' AND owningConstraint IS NULL"
    found = session.run(f"SHOW INDEXES YIELD name, type, owningConstraint WHERE {wanted} RETURN name")
    indexes = [r[0] for r in found]
    return [f"DROP CONSTRAINT `{n}`" for n in constraints] + [f"DROP INDEX `{n}`" for n in indexes if n != MARK]


def is_marked(session: Any) -> bool:
    return bool(session.run(f"SHOW INDEXES YIELD name WHERE name = '{MARK}' RETURN name").single())


class Neo4j(BoltEngine):
    """In a database of its own where the server has several."""

    name = "neo4j"
    dialect = "neo4j"
    title = "Neo4j"
    customs = Customs(
        version="CALL dbms.components() YIELD versions RETURN versions[0]",
        fresh="CREATE DATABASE `%s` WAIT",
        drop="DROP DATABASE `%s` IF EXISTS",
        schema=schema,
        is_marked=is_marked,
        mark=f"CREATE INDEX {MARK} IF NOT EXISTS FOR (n:GainsayOwner) ON (n.gainsay)",
        unmark=f"DROP INDEX {MARK} IF EXISTS",
        settle="CALL db.awaitIndexes(60)",
    )

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        patterns, aggregates = f"{MANUAL}/patterns/reference/", f"{MANUAL}/functions/aggregating/"
        return {
            "relationship-uniqueness": ("different", patterns),
            "variable-length": ("trail", f"{MANUAL}/patterns/variable-length-patterns/"),
            "undirected-loop": ("once", patterns),
            "labels": ("all", patterns),
            "unreferenced-edge": ("counts", patterns),
            "sum-of-nothing": ("zero", aggregates),
            "collect-of-nothing": ("empty", aggregates),
            "concat-null": ("null", f"{MANUAL}/values-and-types/working-with-null/"),
            "list-index": ("from 0", f"{MANUAL}/values-and-types/lists/"),
            "substring": ("from 0", f"{MANUAL}/functions/string/"),
            "float-to-integer": ("to zero", f"{MANUAL}/functions/scalar/#functions-tointeger"),
            "round-half": ("up", f"{MANUAL}/functions/mathematical-numeric/#functions-round"),
            "integer-division": ("integer", f"{MANUAL}/syntax/operators/"),
        }

"""The dialects: what each engine spells otherwise. All else is common."""

from __future__ import annotations

import functools
import importlib
from typing import Any

from gainsay.families.cypher import ir
from gainsay.families.cypher.writer import CypherDialect, Rule


def no_index(d: CypherDialect, s: Any) -> str:
    """An engine that has no indexes that one could ask for: nothing is said."""
    return ""


def drop_on(d: CypherDialect, s: ir.DropIndex) -> str:
    return f"DROP INDEX ON :{s.label}({s.key})"


def create_on(d: CypherDialect, s: ir.Index) -> str:
    return f"CREATE INDEX ON :{s.label}({s.key})"


def named_index(d: CypherDialect, s: ir.Index) -> str:
    return f"CREATE INDEX gainsay_{s.label}_{s.key} FOR (n:{s.label}) ON (n.{s.key})"


def drop_named(d: CypherDialect, s: ir.DropIndex) -> str:
    return f"DROP INDEX gainsay_{s.label}_{s.key}"


KUZU_TEMPLATES = {
    "toInteger": "CAST(%s AS INT64)",
    "toFloat": "CAST(%s AS DOUBLE)",
    "toString": "CAST(%s AS STRING)",
    "toBoolean": "CAST(%s AS BOOLEAN)",
}
NO_INDEX: dict[type, Rule] = {ir.Index: no_index, ir.DropIndex: no_index}


@functools.cache
def table() -> dict[str, CypherDialect]:
    return {
        d.name: d
        for d in (
            CypherDialect("kuzu", KUZU_TEMPLATES, NO_INDEX, has_tables=True),
            CypherDialect("falkordb", {}, {ir.DropIndex: drop_on}),
            CypherDialect("arcadedb"),
            CypherDialect("graphqlite"),
            CypherDialect("neo4j", {}, {ir.Index: named_index, ir.DropIndex: drop_named}),
            CypherDialect("memgraph", {}, {ir.Index: create_on, ir.DropIndex: drop_on}),
        )
    }


def find(name: str) -> CypherDialect:
    """A dialect of ours by name, or anybody's as module:attribute."""
    if ":" in name:
        module, _, attribute = name.partition(":")
        found: CypherDialect = getattr(importlib.import_module(module), attribute)
        return found
    return table()[name]

"""The dialects: what each engine spells otherwise. All else is common."""

from __future__ import annotations

import functools
from typing import Any

from gainsay.core.plugins import among
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.writer import CypherDialect, Rule, columns


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
    "toFloat": "CAST(%s, 'DOUBLE')",
    "toString": "CAST(%s, 'STRING')",
    "round": "round(%s, 0)",
    "isEmpty": "(size(%s) = 0)",
    "type": "label(%s)",
}
# What is spelled alike there but is something else by its documentation: a cast of text that is no number is an error,
# one of a float rounds, one
# of a boolean has a capital letter; reverse() is for text; labels() gives one text; reading past the end of a list is
# an error.
KUZU_LACKS = (
    "graph:labels none",
    *(
        "op:toInteger",
        "op:toFloat/str",
        "op:toBoolean",
        "op:toString/bool",
        "op:reverse/ints",
        "op:reverse/strs",
        "op:labels",
    ),
    *("op:index", "op:head", "op:last", "op:slice", "op:slice from", "op:slice to", "op:split"),
)


def kuzu_edges(d: CypherDialect, s: ir.EdgeTable) -> str:
    """One pair of labels is a table, several are a group: so that old releases take it too."""
    pairs = ", ".join(f"FROM {a} TO {b}" for a in s.labels for b in s.labels)
    return f"CREATE REL TABLE{' GROUP' if len(s.labels) > 1 else ''} {s.type}({pairs}, id INT64{columns(s.keys)})"


NO_INDEX: dict[type, Rule] = {ir.Index: no_index, ir.DropIndex: no_index}
NAMED_INDEX: dict[type, Rule] = {ir.Index: named_index, ir.DropIndex: drop_named}
# Whose queries are spelled as openCypher spells them: what is compared as text is spelled by it
COMMON = "neo4j"


@functools.cache
def table() -> dict[str, CypherDialect]:
    """Our dialects, by name."""
    return {
        d.name: d
        for d in (
            CypherDialect(
                "kuzu", KUZU_TEMPLATES, {**NO_INDEX, ir.EdgeTable: kuzu_edges}, has_tables=True, lacks=KUZU_LACKS
            ),
            CypherDialect("falkordb", {}, {ir.DropIndex: drop_on}),
            CypherDialect("arcadedb", {}, NAMED_INDEX),
            CypherDialect("graphqlite", {}, NAMED_INDEX),
            CypherDialect(COMMON, {}, NAMED_INDEX),
            CypherDialect("memgraph", {}, {ir.Index: create_on, ir.DropIndex: drop_on}),
        )
    }


def find(name: str) -> CypherDialect:
    """A dialect of ours by name, or anybody's as module:attribute."""
    found: CypherDialect = among(table(), name)
    return found

"""Neo4j over Bolt, by the official driver: a server of the user's. neo4j?url=bolt://HOST:PORT&user=NAME, the password in the environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gainsay.engines import bolt
from gainsay.families.cypher.profile import FACTS

NAME = "neo4j"
NEEDS_SERVER = True  # never started by us
FAMILY = "cypher"
DIALECT = "neo4j"
PACKAGE = "neo4j"
OPTIONS: Mapping[str, str] = bolt.OPTIONS
CONFIGS: Mapping[str, Sequence[str]] = {"default": ()}
MARK = "gainsay_owner"
MANUAL = "https://neo4j.com/docs/cypher-manual/5"


def schema(session: Any) -> list[str]:
    constraints = [r[0] for r in session.run("SHOW CONSTRAINTS YIELD name")]
    indexes = [
        r[0] for r in session.run("SHOW INDEXES YIELD name, type, owningConstraint WHERE type <> 'LOOKUP' AND owningConstraint IS NULL RETURN name")
    ]
    return [f"DROP CONSTRAINT `{n}`" for n in constraints] + [f"DROP INDEX `{n}`" for n in indexes if n != MARK]


def is_marked(session: Any) -> bool:
    return bool(session.run(f"SHOW INDEXES YIELD name WHERE name = '{MARK}' RETURN name").single())


CUSTOMS = bolt.Customs(
    version="CALL dbms.components() YIELD versions RETURN versions[0]",
    fresh="CREATE DATABASE `%s` WAIT",
    drop="DROP DATABASE `%s` IF EXISTS",
    schema=schema,
    is_marked=is_marked,
    mark=f"CREATE INDEX {MARK} IF NOT EXISTS FOR (n:GainsayOwner) ON (n.gainsay)",
    unmark=f"DROP INDEX {MARK} IF EXISTS",
    settle="CALL db.awaitIndexes(60)",
)


def open_session(configs: Sequence[str], options: Mapping[str, str]) -> bolt.BoltSession:
    return bolt.BoltSession(bolt.place(NAME, options), CUSTOMS)


def version() -> str:
    return bolt.version(bolt.place(NAME, {}), CUSTOMS)


def build() -> Sequence[str]:
    return ()


def prove(options: Mapping[str, str]) -> None:
    """It answers, lets us in, and has a place for us."""
    open_session((), options).close()


def environment(version: str, options: Mapping[str, str]) -> Mapping[str, str]:
    return bolt.environment(NAME, options)


def facts(version: str, build: Sequence[str]) -> Mapping[str, tuple[str, str]]:
    """Documented meanings on which engines or releases differ: fact -> (value, source)."""
    patterns, lists, aggregates = f"{MANUAL}/patterns/reference/", f"{MANUAL}/values-and-types/lists/", f"{MANUAL}/functions/aggregating/"
    return {
        "relationship-uniqueness": ("different", patterns),
        "variable-length": ("trail", f"{MANUAL}/patterns/variable-length-patterns/"),
        "undirected-loop": ("once", patterns),
        "labels": ("all", patterns),
        "unreferenced-edge": ("counts", patterns),
        "sum-of-nothing": ("zero", aggregates),
        "collect-of-nothing": ("empty", aggregates),
        "concat-null": ("null", f"{MANUAL}/values-and-types/working-with-null/"),
        "list-index": ("from 0", lists),
        "substring": ("from 0", f"{MANUAL}/functions/string/"),
        "float-to-integer": ("to zero", f"{MANUAL}/functions/scalar/#functions-tointeger"),
        "round-half": ("up", f"{MANUAL}/functions/mathematical-numeric/#functions-round"),
        "integer-division": ("integer", f"{MANUAL}/syntax/operators/"),
    }


# Fact -> what to ask (all but the last makes a graph), and the answer by which each value of the fact is known.
PROOFS: Mapping[str, tuple[tuple[str, ...], Mapping[str, str]]] = {name: ((*fact.setup, fact.question), fact.answers) for name, fact in FACTS.items()}


def requirements(version: str) -> Sequence[str]:
    return []  # a driver brings no server


def available() -> Mapping[str, str]:
    return {}


def repro(version: str, options: Mapping[str, str], configs: Sequence[str] = ()) -> str:
    return bolt.repro("Neo4j", NAME, options, CUSTOMS)

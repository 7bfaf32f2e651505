"""Memgraph over Bolt, by the official Neo4j driver: a server of the user's. Written by its documentation; no server was at hand to try it on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gainsay.engines import bolt
from gainsay.families.cypher.profile import FACTS

NAME = "memgraph"
NEEDS_SERVER = True  # never started by us
FAMILY = "cypher"
DIALECT = "memgraph"
PACKAGE = "neo4j"
OPTIONS: Mapping[str, str] = bolt.OPTIONS
CONFIGS: Mapping[str, Sequence[str]] = {"default": ()}
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


CUSTOMS = bolt.Customs(
    version="SHOW VERSION",
    fresh="",  # several databases are of the enterprise edition
    drop="",
    schema=schema,
    is_marked=is_marked,
    mark=f"CREATE INDEX ON :{MARK}",
    unmark=f"DROP INDEX ON :{MARK}",
    settle="",
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
    """Documented meanings on which engines or releases differ: fact -> (value, source). Where it is silent, openCypher's holds."""
    return {
        "substring": ("from 0", f"{DOCS}/functions#string-functions"),
        "round-half": ("away from zero", f"{DOCS}/functions#mathematical-functions"),
    }


# Fact -> what to ask (all but the last makes a graph), and the answer by which each value of the fact is known.
PROOFS: Mapping[str, tuple[tuple[str, ...], Mapping[str, str]]] = {name: ((*fact.setup, fact.question), fact.answers) for name, fact in FACTS.items()}


def requirements(version: str) -> Sequence[str]:
    return []  # a driver brings no server


def available() -> Mapping[str, str]:
    return {}


def repro(version: str, options: Mapping[str, str], configs: Sequence[str] = ()) -> str:
    return bolt.repro("Memgraph", NAME, options, CUSTOMS)

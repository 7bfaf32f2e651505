"""RedisGraph: a server of the user's, by host and port. The project has ended; FalkorDB, its successor, speaks the same protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gainsay.engines import falkordb, redis_graph
from gainsay.engines.redis_graph import GraphSession

NAME = "redisgraph"
NEEDS_SERVER = True  # never started by us
FAMILY = "cypher"
DIALECT = "falkordb"
PACKAGE = ""
OPTIONS: Mapping[str, str] = redis_graph.OPTIONS
CONFIGS: Mapping[str, Sequence[str]] = {"default": ()}
PROOFS = falkordb.PROOFS


def open_session(configs: Sequence[str], options: Mapping[str, str]) -> GraphSession:
    chosen = redis_graph.service(NAME, options)
    if chosen.place is None:
        raise RuntimeError("RedisGraph comes in no package: start a server and name it, as in redisgraph?host=localhost&port=6379.")
    return GraphSession(chosen)


def version() -> str:
    session = open_session((), {})
    try:
        return session.version()
    finally:
        session.close()


def build() -> Sequence[str]:
    return ()


def prove(options: Mapping[str, str]) -> None:
    redis_graph.prove(open_session((), options), options)


def environment(version: str, options: Mapping[str, str]) -> Mapping[str, str]:
    return redis_graph.environment(NAME, options)


def facts(version: str, build: Sequence[str]) -> Mapping[str, tuple[str, str]]:
    """FalkorDB's, which it handed down with its documentation."""
    return falkordb.facts(version, build)


def requirements(version: str) -> Sequence[str]:
    return []


def available() -> Mapping[str, str]:
    return {}


def repro(version: str, options: Mapping[str, str], configs: Sequence[str] = ()) -> str:
    return falkordb.theirs("RedisGraph", "GAINSAY_REDISGRAPH_PASSWORD", options)

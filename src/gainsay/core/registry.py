"""Finds families, engines, oracles and analyzers by name: built-ins and entry points, imported only when asked for."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping
from importlib import metadata
from typing import Any

from gainsay.errors import UsageError, near

BUILT_IN: Mapping[str, Mapping[str, str]] = {
    "gainsay.families": {
        "sql": "gainsay.families.sql.family:SQL",
        "datalog": "gainsay.families.datalog.family:Datalog",
        "smt": "gainsay.families.smt.family:SMT",
        "cypher": "gainsay.families.cypher.family:Cypher",
    },
    "gainsay.engines": {
        "sqlite": "gainsay.engines.sqlite",
        "apsw": "gainsay.engines.apsw",
        "duckdb": "gainsay.engines.duckdb",
        "cozo": "gainsay.engines.cozo",
        "muz": "gainsay.engines.muz",
        "clingo": "gainsay.engines.clingo",
        "nemo": "gainsay.engines.nemo",
        "souffle": "gainsay.engines.souffle",
        "z3": "gainsay.engines.z3",
        "cvc5": "gainsay.engines.cvc5",
        "yices": "gainsay.engines.yices",
        "bitwuzla": "gainsay.engines.bitwuzla",
        "boolector": "gainsay.engines.boolector",
        "cvc4": "gainsay.engines.cvc4",
        "smtlib": "gainsay.engines.smtlib",
        "kuzu": "gainsay.engines.kuzu",
        "ladybug": "gainsay.engines.ladybug",
        "arcadedb": "gainsay.engines.arcadedb",
        "graphqlite": "gainsay.engines.graphqlite",
        "falkordb": "gainsay.engines.falkordb",
        "redisgraph": "gainsay.engines.redisgraph",
        "neo4j": "gainsay.engines.neo4j",
        "memgraph": "gainsay.engines.memgraph",
    },
    "gainsay.oracles": {
        "sql/norec": "gainsay.oracles.sql_norec:Norec",
        "sql/tlp": "gainsay.oracles.sql_tlp:Tlp",
        "sql/differential": "gainsay.oracles.differential:sql",
        "datalog/cq": "gainsay.oracles.datalog_rewrite:Cq",
        "datalog/apg": "gainsay.oracles.datalog_rewrite:Apg",
        "datalog/rules": "gainsay.oracles.datalog_rules:RuleByRule",
        "datalog/reference": "gainsay.oracles.datalog_reference:Reference",
        "datalog/differential": "gainsay.oracles.differential:datalog",
        "smt/storm": "gainsay.oracles.smt_storm:Storm",
        "smt/terms": "gainsay.oracles.smt_terms:Terms",
        "smt/model": "gainsay.oracles.smt_model:Model",
        "smt/unsat-by-construction": "gainsay.oracles.smt_unsat:UnsatByConstruction",
        "smt/consistency": "gainsay.oracles.smt_consistency:Consistency",
        "smt/differential": "gainsay.oracles.differential:smt",
        "cypher/reference": "gainsay.oracles.cypher_reference:Reference",
        "cypher/partition": "gainsay.oracles.cypher_partition:Partition",
        "cypher/norec": "gainsay.oracles.cypher_norec:Norec",
        "cypher/rewrite": "gainsay.oracles.cypher_rewrite:RewriteOracle",
        "cypher/differential": "gainsay.oracles.differential:cypher",
    },
    "gainsay.analyzers": {
        "eva": "gainsay.tailor.analyzers.eva:Eva",
        "clam": "gainsay.tailor.analyzers.clam:Clam",
        "z3": "gainsay.tailor.analyzers.z3:Z3",
    },
    "gainsay.split_analyzers": {
        "bandit": "gainsay.split.analyzers.bandit:Bandit",
        "mypy": "gainsay.split.analyzers.mypy:Mypy",
        "pysa": "gainsay.split.analyzers.pysa:Pysa",
        "semgrep": "gainsay.split.analyzers.semgrep:Semgrep",
        "spotbugs": "gainsay.split.analyzers.spotbugs:SpotBugs",
        "cmd": "gainsay.split.analyzers.command:Command",
    },
}
ALONE = "alone"  # what stands for an oracle where one question by itself did it; no hunt draws it


@functools.cache
def table(group: str) -> Mapping[str, str]:
    """Name -> 'module' or 'module:attribute'. An entry point may add a name, never replace a built-in one."""
    found = {point.name: point.value for point in metadata.entry_points(group=group)}
    return {**found, **BUILT_IN[group]}


def load(group: str, name: str) -> Any:
    module, _, attribute = table(group)[name].partition(":")
    loaded = importlib.import_module(module)
    return getattr(loaded, attribute) if attribute else loaded


@functools.cache
def family(name: str) -> Any:
    return load("gainsay.families", name)()


@functools.cache
def engine(name: str) -> Any:
    if name not in table("gainsay.engines"):
        raise UsageError(f"There is no engine {name!r}.{near(name, table('gainsay.engines'))} 'gainsay engines' lists them.")
    return load("gainsay.engines", name)


@functools.cache
def oracle(family_name: str, name: str) -> Any:
    if name == ALONE:
        return importlib.import_module("gainsay.oracles.alone").Alone(family_name)
    return load("gainsay.oracles", f"{family_name}/{name}")()


@functools.cache
def analyzer(name: str) -> Any:
    """The class of an analyzer that `gainsay tailor` can tune."""
    if name not in table("gainsay.analyzers"):
        raise UsageError(f"There is no analyzer {name!r}.{near(name, table('gainsay.analyzers'))}")
    return load("gainsay.analyzers", name)


@functools.cache
def split_analyzer(name: str) -> Any:
    """The class of an analyzer that `gainsay split` can run."""
    if name not in table("gainsay.split_analyzers"):
        raise UsageError(f"There is no analyzer {name!r}.{near(name, table('gainsay.split_analyzers'))} Any other tool: cmd:'TOOL ARGUMENTS'.")
    return load("gainsay.split_analyzers", name)


def oracles(family_name: str) -> list[str]:
    prefix = f"{family_name}/"
    return [n.removeprefix(prefix) for n in table("gainsay.oracles") if n.startswith(prefix)]


def check_oracle(name: str) -> None:
    """Raise unless some family has an oracle of this name."""
    names = {n.partition("/")[2] for n in table("gainsay.oracles")}
    if name not in names:
        raise UsageError(f"There is no oracle {name!r}.{near(name, names)} 'gainsay oracles' lists them.")

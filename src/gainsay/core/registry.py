"""Finds families, engines, oracles and analyzers by name.
Built-ins are imported when they are asked for, entry points when their group is."""

from __future__ import annotations

import functools
import importlib
import inspect
import traceback
import types
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple, get_args

from gainsay.core.engine import Engine, Session
from gainsay.core.family import Family
from gainsay.core.oracle import Oracle, Recipe
from gainsay.core.plugins import complaints, loaded, misfits, slips
from gainsay.core.split_analyzer import SplitAnalyzer
from gainsay.core.tailor_analyzer import TailorAnalyzer
from gainsay.errors import UsageError, near

BUILT_IN: Mapping[str, Mapping[str, str]] = {
    "gainsay.families": {
        "sql": "gainsay.families.sql.family:SQL",
        "datalog": "gainsay.families.datalog.family:Datalog",
        "smt": "gainsay.families.smt.family:SMT",
        "cypher": "gainsay.families.cypher.family:Cypher",
    },
    "gainsay.engines": {
        "sqlite": "gainsay.engines.sqlite:SQLite",
        "apsw": "gainsay.engines.apsw:APSW",
        "duckdb": "gainsay.engines.duckdb:DuckDB",
        "postgresql": "gainsay.engines.postgresql:PostgreSQL",
        "cockroachdb": "gainsay.engines.postgres_like:CockroachDB",
        "yugabyte": "gainsay.engines.postgres_like:Yugabyte",
        "materialize": "gainsay.engines.postgres_like:Materialize",
        "questdb": "gainsay.engines.postgres_like:QuestDB",
        "cratedb": "gainsay.engines.postgres_like:CrateDB",
        "pgwire": "gainsay.engines.postgres_like:PgWire",
        "mysql": "gainsay.engines.mysql:MySQL",
        "mariadb": "gainsay.engines.mariadb:MariaDB",
        "dolt": "gainsay.engines.dolt:Dolt",
        "tidb": "gainsay.engines.tidb:TiDB",
        "seekdb": "gainsay.engines.seekdb:Seekdb",
        "doltgres": "gainsay.engines.doltgres:Doltgres",
        "h2": "gainsay.engines.h2:H2",
        "hsqldb": "gainsay.engines.hsqldb:HSQLDB",
        "datafusion": "gainsay.engines.datafusion:DataFusion",
        "turso": "gainsay.engines.turso:Turso",
        "doltlite": "gainsay.engines.doltlite:Doltlite",
        "libsql": "gainsay.engines.libsql:LibSQL",
        "chdb": "gainsay.engines.chdb:ChDB",
        "cozo": "gainsay.engines.cozo:Cozo",
        "muz": "gainsay.engines.muz:MuZ",
        "clingo": "gainsay.engines.clingo:Clingo",
        "nemo": "gainsay.engines.nemo:Nemo",
        "souffle": "gainsay.engines.souffle:Souffle",
        "z3": "gainsay.engines.z3:Z3",
        "cvc5": "gainsay.engines.cvc5:CVC5",
        "yices": "gainsay.engines.yices:Yices",
        "bitwuzla": "gainsay.engines.bitwuzla:Bitwuzla",
        "boolector": "gainsay.engines.boolector:Boolector",
        "cvc4": "gainsay.engines.cvc4:CVC4",
        "smtlib": "gainsay.engines.smtlib:SmtLib",
        "kuzu": "gainsay.engines.kuzu:Kuzu",
        "ladybug": "gainsay.engines.ladybug:Ladybug",
        "arcadedb": "gainsay.engines.arcadedb:ArcadeDB",
        "graphqlite": "gainsay.engines.graphqlite:GraphQLite",
        "falkordb": "gainsay.engines.falkordb:FalkorDB",
        "redisgraph": "gainsay.engines.redisgraph:RedisGraph",
        "neo4j": "gainsay.engines.neo4j:Neo4j",
        "memgraph": "gainsay.engines.memgraph:Memgraph",
    },
    "gainsay.oracles": {
        "sql/norec": "gainsay.oracles.sql_norec:Norec",
        "sql/tlp": "gainsay.oracles.sql_tlp:Tlp",
        "sql/plans": "gainsay.oracles.sql_plans:Plans",
        "sql/twin": "gainsay.oracles.sql_twin:Twin",
        "sql/writes": "gainsay.oracles.sql_writes:Writes",
        "sql/reference": "gainsay.oracles.sql_reference:Reference",
        "sql/differential": "gainsay.oracles.differential:OfSQL",
        "datalog/cq": "gainsay.oracles.datalog_rewrite:Cq",
        "datalog/apg": "gainsay.oracles.datalog_rewrite:Apg",
        "datalog/rules": "gainsay.oracles.datalog_rules:RuleByRule",
        "datalog/reference": "gainsay.oracles.datalog_reference:Reference",
        "datalog/differential": "gainsay.oracles.differential:OfDatalog",
        "smt/storm": "gainsay.oracles.smt_storm:Storm",
        "smt/terms": "gainsay.oracles.smt_terms:Terms",
        "smt/model": "gainsay.oracles.smt_model:Model",
        "smt/unsat-by-construction": "gainsay.oracles.smt_unsat:UnsatByConstruction",
        "smt/consistency": "gainsay.oracles.smt_consistency:Consistency",
        "smt/differential": "gainsay.oracles.differential:OfSMT",
        "cypher/reference": "gainsay.oracles.cypher_reference:Reference",
        "cypher/partition": "gainsay.oracles.cypher_partition:Partition",
        "cypher/norec": "gainsay.oracles.cypher_norec:Norec",
        "cypher/rewrite": "gainsay.oracles.cypher_rewrite:RewriteOracle",
        "cypher/differential": "gainsay.oracles.differential:OfCypher",
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


PORTS: Mapping[str, type] = {
    "gainsay.families": Family,
    "gainsay.engines": Engine,
    "gainsay.oracles": Oracle,
    "gainsay.analyzers": TailorAnalyzer,
    "gainsay.split_analyzers": SplitAnalyzer,
}
MADE = ("gainsay.families", "gainsay.engines", "gainsay.oracles")  # one object of each such class serves all


class LeftOut(NamedTuple):
    """A plugin that can't be used: whose it is, and why."""

    group: str
    name: str
    package: str
    why: str

    def __str__(self) -> str:
        kind = {"families": "family"}.get(
            self.group.partition(".")[2], self.group.partition(".")[2].rstrip("s").replace("_", " ")
        )
        return f"The {kind} {self.name!r} of the package {self.package} is left out: {self.why}"


class Found(NamedTuple):
    """What a group of plugins amounts to: name -> 'module' or 'module:attribute', and those that are left out."""

    sound: Mapping[str, str]
    left_out: tuple[LeftOut, ...]


@functools.cache
def found(group: str) -> Found:
    """Built-ins and entry points.
    A plugin is tried when its group is first asked for: what is wrong with one is no harm to the others."""
    sound: dict[str, str] = {}
    left_out = []
    for point in metadata.entry_points(group=group):
        package = point.dist.name if point.dist is not None else "?"
        try:
            why = complaint(group, point.name, point.value)
        except (Exception, SystemExit) as error:  # the boundary to code that others wrote
            why = blamed(error)
        if why:
            left_out.append(LeftOut(group, point.name, package, why))
        else:
            sound[point.name] = point.value
    return Found({**sound, **BUILT_IN[group]}, tuple(left_out))


def complaint(group: str, name: str, value: str) -> str:
    """What is wrong with a plugin, in words; empty if nothing is. Raises what its import raises."""
    if name in BUILT_IN[group]:
        return "gainsay has one of this name. Give it another name."
    if group == "gainsay.oracles" and "/" not in name:
        return "its entry point must be named FAMILY/NAME, such as sql/mine."
    plugin = loaded(value)
    why = unusable(PORTS[group], value, plugin)
    if not why and group in MADE:
        plugin()  # what it raises is said of it
    if why or group == "gainsay.engines":
        return why or unspoken(plugin) or unasked(plugin)
    if group == "gainsay.oracles" and name.partition("/")[0] not in table("gainsay.families"):
        return (
            f"there is no family {name.partition('/')[0]!r}.{near(name.partition('/')[0], table('gainsay.families'))}"
        )
    return unread(plugin) if group == "gainsay.oracles" else ""


def unusable(port: type, value: str, plugin: Any) -> str:
    """What is wrong with a plugin as a class."""
    if isinstance(plugin, types.ModuleType):
        wanted = f"a class in it, derived from {port.__module__}.{port.__name__}"
        return f'its entry point names the module {value}, and must name {wanted}: write "{value}:CLASS".'
    return sentences(f"it {said}." for said in complaints(port, plugin))


def sentences(told: Iterable[str]) -> str:
    """What is said behind a colon, sentence by sentence."""
    first, *others = (*told, "")
    return " ".join([first, *(text[:1].upper() + text[1:] for text in others)]).rstrip()


def unread(oracle: type[Oracle]) -> str:
    """What is wrong with an oracle's recipes: a misspelt hook of theirs would be as silently unused as its own."""
    told = inspect.getattr_static(oracle, "recipe_type")
    kinds = [kind for kind in (told, *get_args(told)) if isinstance(kind, type)]
    return sentences(f"its {kind.__name__} {said}." for kind in kinds for said in complaints(Recipe, kind))


def unasked(engine: type[Engine]) -> str:
    """What is wrong with the sessions that stand beside an engine: hooks of theirs that are misspelt or called in
    another way."""
    beside = vars(importlib.import_module(engine.__module__)).values()
    kinds = [kind for kind in beside if isinstance(kind, type) and issubclass(kind, Session) and kind is not Session]
    wrong = [(kind, said) for kind in kinds for said in (*misfits(Session, kind), *slips(Session, kind))]
    return sentences(f"its {kind.__name__} {said}." for kind, said in wrong)


def unspoken(engine: type[Engine]) -> str:
    """What is wrong with an engine's family or dialect."""
    if engine.family not in table("gainsay.families"):
        return f"its family {engine.family!r} is not known.{near(engine.family, table('gainsay.families'))}"
    try:
        family(engine.family).dialect(engine.dialect)
    except (Exception, SystemExit) as error:  # a dialect may be code that others wrote, too
        return f"its dialect {engine.dialect!r} can't be used: {blamed(error)}"
    return ""


def blamed(error: BaseException) -> str:
    """An exception as one line: what it says, and the first line of code on its way that is neither ours nor the import
    system's."""
    ours = (str(Path(__file__).parent.parent), str(Path(importlib.__file__).parent), "<frozen")
    theirs = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(ours)]
    place = "".join(f" (line {f.lineno} of {Path(f.filename).name}: {f.line})" for f in theirs[:1])
    return f"{type(error).__name__}: {' '.join(str(error).split())}{place}"


def table(group: str) -> Mapping[str, str]:
    """Name -> 'module' or 'module:attribute'. An entry point may add a name, never replace a built-in one."""
    return found(group).sound


def left_out(*groups: str) -> list[LeftOut]:
    """The plugins of these groups that can't be used."""
    return [plugin for group in groups for plugin in found(group).left_out]


def load(group: str, name: str) -> Any:
    # A built-in one is found without a look at the plugins: these may ask for it while they are looked at.
    return loaded(BUILT_IN[group].get(name) or table(group)[name])


def named(group: str, name: str, what: str, remedy: str = "") -> Any:
    """What has this name; an error that says what is wrong with it, or what was probably meant."""
    if name not in BUILT_IN[group] and name not in table(group):
        for plugin in left_out(group):
            if plugin.name == name:
                raise UsageError(str(plugin))
        raise UsageError(f"There is no {what} {name!r}.{near(name, table(group))}{remedy}")
    return load(group, name)


@functools.cache
def family(name: str) -> Family:
    made: Family = load("gainsay.families", name)()
    return made


@functools.cache
def engine(name: str) -> Engine:
    made: Engine = named("gainsay.engines", name, "engine", " 'gainsay engines' lists them.")()
    return made


@functools.cache
def oracle(family_name: str, name: str) -> Oracle:
    made: Oracle = (
        importlib.import_module("gainsay.core.alone").Alone(family_name)
        if name == ALONE
        else load("gainsay.oracles", f"{family_name}/{name}")()
    )
    return made


@functools.cache
def tailor_analyzer(name: str) -> type[TailorAnalyzer]:
    """The class of an analyzer that `gainsay tailor` can tune."""
    found: type[TailorAnalyzer] = named("gainsay.analyzers", name, "analyzer")
    return found


@functools.cache
def split_analyzer(name: str) -> type[SplitAnalyzer]:
    """The class of an analyzer that `gainsay split` can run."""
    found: type[SplitAnalyzer] = named(
        "gainsay.split_analyzers", name, "analyzer", " Any other tool: cmd:'TOOL ARGUMENTS'."
    )
    return found


def oracles(family_name: str) -> list[str]:
    prefix = f"{family_name}/"
    return [n.removeprefix(prefix) for n in table("gainsay.oracles") if n.startswith(prefix)]


def check_oracle(name: str) -> None:
    """Raise unless some family has an oracle of this name."""
    names = {n.partition("/")[2] for n in table("gainsay.oracles")}
    if name not in names:
        for plugin in left_out("gainsay.oracles"):
            if plugin.name.partition("/")[2] == name:
                raise UsageError(str(plugin))
        raise UsageError(f"There is no oracle {name!r}.{near(name, names)} 'gainsay oracles' lists them.")

"""docs/engine-reference.md says what the code says."""

import re
from pathlib import Path

import pytest

from gainsay.core import registry
from gainsay.core.engine import Engine, Session
from gainsay.core.plugins import hooks
from gainsay.families.cypher.meaning.profile import FACTS
from gainsay.families.sql import probe
from gainsay.families.sql.language import ops
from gainsay.families.sql.language.dialect import SqlDialect
from gainsay.families.sql.language.dialects import DIALECTS

TEXT = (Path(__file__).parents[2] / "docs" / "engine-reference.md").read_text()


def section(title):
    return TEXT.partition(f"## {title}\n")[2].partition("\n## ")[0]


def row(title, name):
    (found,) = re.findall(rf"^\| `{re.escape(name)}` \|.*$", section(title), re.M)
    return found


@pytest.mark.parametrize(("title", "port"), [("An engine", Engine), ("A session", Session)])
def test_every_hook_of_a_port_is_listed(title, port):
    listed = set(re.findall(r"`(\w+)(?:\([\w, ]*\))?`", section(title)))
    missing = [hook for hook in hooks(port) if hook not in listed]
    assert not missing


def engines(family):
    return [e for e in map(registry.engine, registry.BUILT_IN["gainsay.engines"]) if e.family == family]


@pytest.mark.parametrize("engine", engines("sql"), ids=lambda e: e.name)
def test_every_fact_of_an_sql_engine_is_listed_with_its_value(engine):
    newest = {"sqlite": "3.54.1"}.get(engine.dialect, "99.0.0")
    for name, (value, _) in engine.facts(newest, ()).items():
        assert f"| {value} |" in row("Facts of SQL", name)


def test_every_fact_on_which_an_operator_depends_is_listed():
    for table in (ops.ANSI, *(d.operators for d in DIALECTS.values())):
        for operator in table.values():
            for fact in operator.facts:
                row("Facts of SQL", fact)


@pytest.mark.parametrize("engine", engines("datalog"), ids=lambda e: e.name)
def test_every_fact_of_a_datalog_engine_is_listed_with_its_value(engine):
    for name, (value, _) in engine.facts("1.0", ()).items():
        assert f"`{value}`" in row("Facts of Datalog", name)


def test_every_fact_of_cypher_is_listed_with_its_values():
    for name, fact in FACTS.items():
        assert all(f"`{value}`" in row("Facts of Cypher", name) for value in fact.answers)


def test_every_operator_that_must_be_there_is_one_or_is_named_as_missing():
    listed = set(
        re.findall(r"`([^`]+)`", section("SQL: a dialect of your own").partition("### Operators that must be there")[2])
    )
    assert {"=", "not", "is null", "is true", "truth"} <= listed
    assert {n for n in listed - {"truth", "tlp", "norec", "ops.ANSI", "bool -> int"} if n not in ops.ANSI} == set()


def test_the_dialect_that_is_worked_out_is_one():
    code = section("SQL: a dialect of your own").partition("```python\n")[2].partition("```")[0]
    made: dict[str, object] = {}
    exec(code, made)
    dialect = made["DIALECT"]
    assert isinstance(dialect, SqlDialect)
    features = [p.feature for p in probe.probes(dialect)]
    assert "op:truth/bool" in features and "type:BOOLEAN" in features

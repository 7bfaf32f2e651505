"""Adding an operator to a family is one line in its table: all the rest is found from there."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gainsay
from gainsay.families.cypher.language import ops as cypher
from gainsay.families.datalog.language import ops as datalog
from gainsay.families.smt.language import ops as smt
from gainsay.families.sql.language import dialects
from gainsay.families.sql.language import ops as sql

# The line, the family and where it goes, and what is then true of the operator: its feature, its spelling, its place in
# a shape.
ROWS = {
    "sql": (
        "sql",
        "ANSI: Table = {\n",
        '    "twice": op("N -> N", "TWICE(%s)", 30, group="arithmetic", plainer="neg"),\n',
        ("norec", "sqlite", "op:twice", "TWICE(", "arithmetic"),
    ),
    "cypher": (
        "cypher",
        "OPS: Mapping[str, Operator] = {\n",
        '    "twice": Operator(NUMERIC, "twice(%s)", lambda a: 2 * a, weight=30, group="arithmetic", plainer="neg"),\n',
        ("reference", "neo4j", "op:twice/int", "twice(", "arithmetic"),
    ),
    "an aggregate of cypher": (
        "cypher",
        "AGGREGATES: Mapping[str, Aggregate] = {\n",
        '    "aMiddle": Aggregate(SOME, LISTED, "same", min, weight=30, plainer="min"),\n',
        ("reference", "neo4j", "agg:aMiddle int", "aMiddle(", "aggregate aMiddle"),
    ),
    "datalog": (
        "datalog",
        "FUNCTORS: dict[str, Functor] = {\n",
        '    "twice": functor("number -> number", lambda a: 2 * a, {S: "twice({})"}, weight=30, group="doubled"),\n',
        ("reference", "souffle", "functor:twice", "twice(", "functor doubled"),
    ),
    "an aggregate of datalog": (
        "datalog",
        "AGGREGATES: Mapping[str, Aggregate] = {\n",
        '    "middle": Aggregate(min, INFIX, (S, L), chooses=True, weight=30),\n',
        ("reference", "souffle", "aggregate:middle", "middle ", "aggregate middle"),
    ),
    "an aggregate in a head of datalog": (
        "datalog",
        "AGGREGATES: Mapping[str, Aggregate] = {\n",
        '    "middle": Aggregate(min, INFIX, (S, L), chooses=True, weight=30),\n',
        ("reference", "cozo", "fold:middle", "middle(", "aggregate middle"),
    ),
    "smt": (
        "smt",
        "OPERATORS: Mapping[str, Operator] = {\n",
        '    "bvtwice": op("B -> B", m.word(lambda a, w: 2 * a), "bv", 30.0, group="twice"),\n',
        ("storm", "z3", "op:bvtwice", "(bvtwice ", "twice"),
    ),
}
# What a shape and a size need to know of an operator, whatever the dialect
TOLD = ("group", "plainer", "turned", "opposite", "exact", "is_key")
USE = """
import json, sys
from gainsay.core import registry
from gainsay.core.claim import Claim
from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import Seat, Seats, Target
from gainsay.core.oracle import Step

family, oracle = registry.family(sys.argv[1]), registry.oracle(sys.argv[1], sys.argv[2])
engine = registry.engine(sys.argv[3])
feature, spelling, group = sys.argv[4:]
seats = Seats((Seat(0, Target(engine.name), "0", engine.dialect),))
seats.lexicon = family.prepare(seats, {})


def scene(number):
    growth = family.grow(Draw(seed_for(number, "scene")), seats)
    try:
        next(growth)
    except StopIteration as end:
        return end.value


def is_read(text):
    reading = family.parse([], text)
    return not reading.unread and not type(reading.questions[0]).__name__.startswith("Raw")


def is_judged(made, recipe):
    # There is something to claim, though nothing is answered: our own evaluation says what is right.
    said = list(oracle.converse(made, recipe, seats))
    return any(isinstance(s, Claim) and s.right.value is not None for s in said) and not getattr(made, "valued_by", "")


drawn = shapes = read = judged = 0
for number in range(600):
    if drawn == 5:
        break
    made = scene(number)
    recipe = made and oracle.draw(Draw(seed_for(number, "recipe")), made, seats)
    if recipe is None:
        continue
    first = next((s for s in oracle.converse(made, recipe, seats) if isinstance(s, Step)), None)
    if first is None:
        continue
    asked = first.node if isinstance(first.node, str) else family.dialect(engine.dialect).text(first.node)
    if spelling not in asked:
        continue
    drawn += 1
    shapes += group in family.shape(made, recipe)
    if family.name != "sql":
        read += is_read(asked)
        judged += is_judged(made, recipe)
probed = [p.feature for p in family.probes(engine.dialect)]
print(json.dumps([feature in probed, drawn, shapes, read, judged]))
"""


# Of SQL, functions of several rows: the row, the feature that it is probed as, and its place in a shape.
SEVERAL = "AGGREGATES: Table = {\n"
SUMMARIES = {
    "aggregate": (
        '    "twice": aggregate("T -> int", (LAST,) * 9, meaning=of_values(lambda values: 2 * len(values))),\n',
        ("agg:twice", "aggregate twice"),
    ),
    "window function": (
        '    "twice": window("T -> int", lambda window, part, place: 2 * place, (LAST,) * 9, looks_at=windows.ROW),\n',
        ("window:twice", "window"),
    ),
}
JUDGE = """
import json, sys
from gainsay.core import registry
from gainsay.core.answer import Rows
from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import Seat, Seats, Target
from gainsay.core.talk import Judged, held
from gainsay.families.sql.meaning.scene_cache import cache_of

family, oracle, engine = registry.family("sql"), registry.oracle("sql", "reference"), registry.engine("sqlite")
feature, place = sys.argv[1:]
facts = tuple((name, told) for name, (told, _) in engine.facts("3.50.0", ()).items())
seats = Seats((Seat(0, Target(engine.name), "0", engine.dialect, facts=facts),))
seats.lexicon = family.prepare(seats, {})
dialect = family.dialect(engine.dialect)


def scene(number):
    growth = family.grow(Draw(seed_for(number, "scene")), seats)
    try:
        next(growth)
    except StopIteration as end:
        return end.value


def verdicts(made, recipe, rows):
    heard = held(oracle.converse(made, recipe, seats), lambda step: Rows(rows))
    return [each.verdict.value for each in heard if isinstance(each, Judged)]


drawn = read = shapes = holds = contradicted = 0
for number in range(2000):
    if drawn == 5:
        break
    made = scene(number)
    recipe = made and oracle.draw(Draw(seed_for(number, "recipe")), made, seats)
    rows = cache_of(seats, made).rows(recipe.query) if recipe else None
    if not rows or "TWICE(" not in (text := dialect.text(recipe.query)) or recipe.forms:
        continue
    drawn += 1
    again = family.parse([dialect.text(s) for s in made.statements], text, dialect.name)
    read += not again.unread and dialect.text(again.questions[0]) == text and "Raw" not in repr(again.questions[0])
    shapes += place in family.shape(made, recipe)
    holds += set(verdicts(made, recipe, rows)) == {"holds"}
    contradicted += "contradicted" in verdicts(made, recipe, rows[1:])
probed = [p.feature for p in family.probes(engine.dialect)]
print(json.dumps([feature in probed, drawn, read, shapes, holds, contradicted]))
"""


@pytest.fixture
def used(tmp_path):
    """Adds a row to a table of a copy of the source, and tells what comes of it."""

    def use(table, before, row, script, *given):
        shutil.copytree(Path(gainsay.__file__).parent, tmp_path / "gainsay", ignore=shutil.ignore_patterns("*.pyc"))
        path = tmp_path / "gainsay/families" / table
        text = path.read_text()
        assert text.count(before) == 1
        path.write_text(text.replace(before, before + row))
        env = {**os.environ, "PYTHONPATH": str(tmp_path)}
        done = subprocess.run(
            [sys.executable, "-c", script, *given], env=env, cwd=tmp_path, capture_output=True, text=True
        )
        assert not done.returncode, done.stderr
        return json.loads(done.stdout)

    return use


@pytest.mark.parametrize("case", ROWS)
def test_one_line_makes_an_operator_that_is_probed_drawn_spelled_read_judged_and_named_in_shapes(case, used):
    family, before, row, facts = ROWS[case]
    given = (f"{family}/language/ops.py", before, row, USE, family, *facts)
    is_probed, drawn, shapes, read, judged = used(*given)
    assert is_probed and drawn == 5 and shapes == drawn
    if case != "sql":  # whose operators have their meaning in a table of each engine's
        assert read == drawn and judged == drawn


@pytest.mark.parametrize("kind", SUMMARIES)
def test_one_line_makes_a_function_of_several_rows_that_is_probed_drawn_read_and_judged(kind, used):
    row, facts = SUMMARIES[kind]
    is_probed, *counts = used("sql/language/aggregates.py", SEVERAL, row, JUDGE, *facts)
    assert is_probed and counts == [5] * 5, dict(zip(("drawn", "read", "shape", "holds", "else"), counts, strict=True))


TABLES = {
    "sql": dialects.ROWS,
    "cypher": cypher.OPS,
    "aggregates of cypher": cypher.AGGREGATES,
    "datalog": datalog.FUNCTORS,
    "smt": smt.OPERATORS,
}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_what_is_plainer_turned_or_opposite_is_an_operator_of_the_table(table):
    for name, row in table.items():
        told = [getattr(row, field, "") for field in ("plainer", "opposite", "turned")]
        assert all(other in table for other in told if other), name
        assert not told[1] or table[told[1]].opposite == name
        seen = {name}
        while row.plainer:
            assert row.plainer not in seen, name
            seen.add(row.plainer)
            row = table[row.plainer]


def test_an_sql_operator_has_the_same_place_in_shapes_in_every_dialect():
    for table in (sql.ANSI, *(d.operators for d in dialects.DIALECTS.values())):
        for name, row in table.items():
            known = dialects.ROWS[name]
            assert [getattr(row, field) for field in TOLD] == [getattr(known, field) for field in TOLD], name


@pytest.mark.parametrize("table", [dialects.ROWS, dialects.AGGREGATES], ids=["operators", "aggregates"])
def test_a_meaning_needs_a_row_and_a_row_one_meaning(table):
    name = next(name for name, row in table.items() if row.meaning is not None)
    with pytest.raises(ValueError, match="no_such"):
        sql.with_meanings(table, {"no_such": len})
    with pytest.raises(ValueError, match=name):
        sql.with_meanings(table, {name: len})


def test_making_a_dialect_changes_no_other_table(monkeypatch):
    before = dict(dialects.ROWS)
    mine = {"mine": sql.op("T -> T", "MINE(%s)", group="of mine", plainer="neg")}
    made = dialects.DIALECTS["sqlite"].extend("mine", operators=mine)
    assert before == dialects.ROWS and dialects.row("mine") is None
    monkeypatch.setattr("gainsay.families.sql.family.MINE", made, raising=False)
    assert dialects.find("gainsay.families.sql.family:MINE") is made
    assert dialects.row("mine") is mine["mine"] and dialects.plainer("mine") == ("neg",)


def test_a_plainer_functor_of_datalog_has_the_same_types_and_is_spelled_wherever_the_other_is():
    for name, row in datalog.FUNCTORS.items():
        for other in map(datalog.FUNCTORS.get, datalog.plainer(name)):
            assert (other.args, other.result, other.by_constants) == (row.args, row.result, row.by_constants), name
            assert row.spelled.keys() <= other.spelled.keys() and not other.is_partial, name


def test_a_plainer_operator_of_smt_takes_two_arguments_as_the_other_does():
    for name, row in smt.OPERATORS.items():
        for other in map(smt.OPERATORS.get, smt.plainer(name)):
            assert other.signature.replace("+", "") == row.signature.replace("+", ""), name
            assert (other.theories, other.indices) == (row.theories, row.indices), name


def test_an_idiom_of_smt_names_an_operator_of_the_table():
    assert all(row.of in smt.OPERATORS for row in smt.OPERATORS.values() if row.of)

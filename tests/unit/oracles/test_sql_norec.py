"""NoREC asks whether a condition is true in words that the target takes."""

import sqlite3

import pytest

from gainsay.core import registry
from gainsay.core.answer import Refused
from gainsay.core.draw import Draw
from gainsay.core.model import Seat, Seats, Target
from gainsay.families.sql.language import ir
from gainsay.oracles.sql_norec import Recipe
from gainsay.testing.talk import held

NOREC, SQL = registry.oracle("sql", "norec"), registry.family("sql")
QUERY = ir.Select((ir.Col("t", "a"),), (ir.Join("t"),), ir.Op(">", (ir.Col("t", "a"), ir.Lit("int", "0"))))
COUNTED = ir.Select((ir.Agg("count"),), (ir.Join("t"),), QUERY.where)


def seats(dialect, *refused):
    made = Seats((Seat(0, Target(dialect), "0", dialect, refused=frozenset(refused)),))
    made.lexicon = SQL.prepare(made, {})
    return made


def texts(recipe, dialect="sqlite"):
    steps = held(NOREC, ir.Scene(()), recipe, None, lambda step: Refused("other", "")).steps
    return {step.label: SQL.dialect(dialect).text(step.node) for step in steps}


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@pytest.mark.parametrize("recipe", [Recipe(QUERY, "rows", False), Recipe(COUNTED, "count", False)])
def test_where_is_true_is_refused_it_is_not_asked(dialect, recipe):
    assert not any("IS TRUE" in text for text in texts(recipe, dialect).values())


@pytest.mark.parametrize("has_is_true", [True, False])
def test_both_ways_tell_true_from_false_and_null(has_is_true):
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE t(a)")
    db.execute("INSERT INTO t VALUES (1), (0), (NULL), (2)")
    rows = db.execute(texts(Recipe(QUERY, "rows", has_is_true))["unoptimized"]).fetchall()
    assert [a for truth, a in rows if truth] == [1, 2]
    assert db.execute(texts(Recipe(COUNTED, "count", has_is_true))["unoptimized"]).fetchall() == [(2,)]


@pytest.mark.parametrize(("dialect", "feature"), [("sqlite", "op:is true"), ("duckdb", "op:is true/bool")])
def test_what_probing_was_refused_is_known_to_what_is_drawn(dialect, feature):
    for refused, is_taken in (((), True), ((feature,), False)):
        seated = seats(dialect, *refused)
        growth = SQL.grow(Draw(1), seated)
        with pytest.raises(StopIteration) as stop:
            next(growth)
        assert {NOREC.draw(Draw(n), stop.value.value, seated).has_is_true for n in range(5)} == {is_taken}

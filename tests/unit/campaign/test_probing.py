"""What probing learns: a type that is refused spoils no other probe, and what is taken must also do something."""

import os
import sqlite3
import subprocess
import sys

import pytest

from gainsay.campaign import probing
from gainsay.core.answer import Died, Refused, Rows
from gainsay.core.draw import Draw
from gainsay.core.model import Seat, Seats, Target
from gainsay.families.sql.drawing import queries, scenes
from gainsay.families.sql.drawing.lexicon import MIXES, NARROW, Lexicon
from gainsay.families.sql.language import dialects, ir
from gainsay.families.sql.language.dialect import ColumnType, SqlDialect

STRICT = dialects.find("duckdb")


class Odd:
    """The standard library's SQLite, for which some words mean nothing and others are refused."""

    def __init__(self, refused=(), ignored=(), deadly=""):
        self.refused, self.ignored, self.deadly = refused, ignored, deadly
        self.reset()

    def reset(self):
        self.is_dead = False
        self.db = sqlite3.connect(":memory:", isolation_level=None)

    def ask(self, text):
        assert not self.is_dead, "who asks has opened a session"
        if self.deadly and self.deadly in text:
            self.is_dead = True
            return Died("crash", "SIGSEGV", "")
        if any(word in text for word in self.refused):
            return Refused("syntax", f"not taken: {text}")
        for word in self.ignored:
            text = text.replace(word, "")
        try:
            return Rows(self.db.execute(text).fetchall())
        except sqlite3.Error as error:
            return Refused("other", str(error))

    def close(self):
        pass


@pytest.fixture
def missing(monkeypatch):
    """The features that an odd engine is found to lack."""

    def asked(dialect="sqlite", **oddities):
        monkeypatch.setattr(probing, "HostedPlayer", lambda target, **_: Odd(**oddities))
        monkeypatch.setattr("gainsay.engines.sqlite.SQLite.dialect", dialect)
        return probing.answers(Target("sqlite"), "sql")

    return asked


def test_a_type_that_is_refused_does_not_spoil_the_probes_of_others(missing):
    without = missing("duckdb", refused=("TIMESTAMP",))
    assert "type:TIMESTAMP" in without
    assert not any(f.startswith(probing.SETUP) for f in without)
    assert "op:=/int,int" not in without and "op:=/text,text" not in without
    assert "op:=/timestamp,timestamp" in without


def test_a_table_that_the_probes_need_and_can_not_have_is_told(missing):
    without = missing(refused=("CREATE TABLE p(",))
    assert any(f.startswith(f"{probing.SETUP}CREATE TABLE p(") for f in without) and "op:=" in without


@pytest.mark.parametrize(
    ("ignored", "feature"),
    [
        (" UNIQUE", "column:unique"),
        (" PRIMARY KEY", "column:primary"),
        (" COLLATE NOCASE", "column:collate"),
        (" INT NOT NULL", "column:not null"),
        (" CHECK (c0 > 0)", "column:check"),
        (" GENERATED ALWAYS AS (c0)", "column:generated"),
    ],
)
def test_what_is_taken_and_ignored_counts_as_missing(missing, ignored, feature):
    assert feature not in missing()
    assert "without effect" in missing(ignored=(ignored,))[feature]


def test_operators_are_probed_with_computed_operands_too(missing):
    assert "op:row =" in missing(refused=("((CASE WHEN k IS NULL THEN k ELSE k END), (CASE",))
    assert "op:row =" not in missing()


def test_an_operand_of_which_not_all_types_will_do_is_a_literal_or_cast():
    seats = Seats((Seat(0, Target("duckdb"), "0", "duckdb", refused=frozenset({"op:left/text,int#1"})),))
    lexicon = Lexicon(seats, MIXES["full"])
    assert f"int{NARROW}" in {a for _, typings in lexicon.by_result["text"] for args in typings for a in args}
    scope = scenes.Scope.of([(ir.Col("t", "huge"), "int", True)])
    operands = [lexicon.expr(Draw(n), f"int{NARROW}", 2, scope) for n in range(60)]
    assert all(isinstance(o, ir.Lit) or (isinstance(o, ir.Op) and o.op == "cast int") for o in operands)
    assert any(isinstance(o, ir.Op) for o in operands)


def test_a_dialect_without_settings_can_be_drawn_from():
    bare = SqlDialect("bare", STRICT.rules, STRICT.operators, STRICT.types, STRICT.literals, (), False, STRICT.spell)
    dialects.DIALECTS["bare"] = bare
    try:
        lexicon = Lexicon(Seats((Seat(0, Target("duckdb"), "0", "bare"),)), MIXES["full"])
        assert all(scenes.grow(Draw(n), lexicon).statements for n in range(40))
    finally:
        del dialects.DIALECTS["bare"]


def test_a_foreign_type_whose_equal_values_may_differ_is_never_chosen_from():
    odd = (ColumnType("MONEY", "int", 1, exact=False),)
    dialects.DIALECTS["odd"] = SqlDialect(
        "odd", STRICT.rules, STRICT.operators, odd, STRICT.literals, (), False, STRICT.spell
    )
    try:
        lexicon = Lexicon(Seats((Seat(0, Target("duckdb"), "0", "odd"),)), MIXES["full"])
        tables = [
            s for n in range(20) for s in scenes.grow(Draw(n), lexicon).statements if isinstance(s, ir.CreateTable)
        ]
        assert not any(a.exact for t in tables for a in scenes.relation_of(t).attributes)
    finally:
        del dialects.DIALECTS["odd"]


def test_a_compound_keeps_the_ctes_of_its_arms():
    seats = Seats((Seat(0, Target("sqlite"), "0", "sqlite"),))
    lexicon = Lexicon(seats, MIXES["full"])
    found = 0
    for n in range(500):
        known = lexicon.relations(scenes.grow(Draw(n), lexicon))
        drawn = [queries.query(Draw(10 * n + k), lexicon, known, False) for k in range(5) if known]
        for query in drawn:
            if isinstance(query, ir.Compound) and query.ctes:
                found += 1
                text = dialects.find("sqlite").text(query)
                assert text.startswith(("WITH w", "WITH RECURSIVE w")) and text.count("WITH ") == 1
    assert found > 3, found


def test_a_death_over_what_shows_an_effect_is_of_that_feature_and_of_no_other(missing):
    """What shows that a CHECK has an effect is a row that it refuses. What comes next has a fresh session."""
    without = missing(deadly="VALUES (-1)")
    assert without["column:check"].startswith("Died(")
    assert without.keys() == {*missing(), "column:check"}


def test_a_question_of_probing_may_take_no_longer_than_any_question():
    """GAINSAY_HARD_S is below probing's own limit here."""
    said = subprocess.run(
        [sys.executable, "-c", "from gainsay.campaign import probing; print(probing.HARD_S)"],
        env={**os.environ, "GAINSAY_HARD_S": "0.5"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert (float(said), probing.HARD_S) == (0.5, 10.0)

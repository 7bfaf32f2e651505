"""Targets are compared where they mean the same by a question, and what is documented otherwise is no difference."""

import pytest

from gainsay.core import registry
from gainsay.core.answer import Rows
from gainsay.core.model import Seat, Seats, Target
from gainsay.families.sql.language import ir
from gainsay.oracles.differential import Recipe
from gainsay.testing.talk import held

DIVIDED = ir.Select((ir.Op("/", (ir.Lit("int", "5"), ir.Lit("int", "2"))),), ())
FIVE = ir.Select((ir.Lit("int", "5"),), ())


def claims(question, *answers):
    """What is claimed of a question that SQLite and DuckDB answered."""
    seats = tuple(
        Seat(
            n,
            Target(name),
            "1",
            name,
            facts=tuple((k, v) for k, (v, _) in registry.engine(name).facts("2.0.0", ()).items()),
        )
        for n, name in enumerate(("sqlite", "duckdb"))
    )
    oracle = registry.oracle("sql", "differential")
    return held(oracle, ir.Scene(()), Recipe(question), Seats(seats), lambda step: Rows(answers[step.seat])).claims


def test_nothing_is_claimed_where_each_may_be_right_by_its_own_manual():
    """5 / 2 is 2 in SQLite and 2.5 in DuckDB."""
    assert claims(DIVIDED, [(2,)], [(2.5,)]) == []


@pytest.mark.parametrize("answers", [([(5,)], [(5,)]), ([(5,)], [(6,)])])
def test_what_means_one_thing_is_compared(answers):
    (claim,) = claims(FIVE, *answers)
    assert claim.label == "same answers"

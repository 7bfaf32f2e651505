"""Who is blamed where targets differ: only independent opinions count, and where none tells, nobody is."""

import pytest

from gainsay.campaign.conversation import Contradiction
from gainsay.campaign.seating import code_base
from gainsay.core import registry
from gainsay.core.answer import Rows
from gainsay.core.claim import Claim, Relation, Side
from gainsay.core.model import Case, Seat, Target
from gainsay.core.values import EXACT
from gainsay.families.sql.language import ir
from gainsay.oracles.differential import Recipe
from gainsay.triage import opinion
from gainsay.triage.opinion import NOBODY, alone

ONE, TWO, THREE = [(1,)], [(2,)], [(3,)]
QUESTION = ir.Select((ir.Lit("int", "1"),), ())
DIALECTS = {"duckdb": "duckdb"}
FEW = ("sqlite", "apsw", "duckdb")


@pytest.fixture(autouse=True)
def few(monkeypatch):
    """Of all engines that may be asked, the ones that these tests are about: all of them are started one by one."""
    known = {name: where for name, where in registry.table("gainsay.engines").items() if name in FEW}
    monkeypatch.setattr(registry, "table", lambda group: known)


def told(engines, *answers, question=QUESTION):
    """What is said of a difference between engines that (it is said) gave these answers."""
    seats = tuple(
        Seat(n, Target(e.partition("@")[0], e.partition("@")[2]), "0", DIALECTS.get(e, "sqlite"))
        for n, e in enumerate(engines)
    )
    labels = [f"on {s.target}" for s in seats]
    claim = Claim("same answers", Side((labels[0],)), Relation.SAME_BAG, Side((labels[1],)), "")
    found = Contradiction("same answers", claim, dict(zip(labels, map(Rows, answers), strict=True)), {})
    case = Case("sql", "differential", ir.Scene(()), Recipe(question), seats, "same answers")
    return opinion.opinion(case, found, seats)


def test_engines_of_one_code_base_are_no_witnesses_for_each_other():
    assert code_base("apsw") == code_base("sqlite") != code_base("duckdb")
    assert code_base("ladybug") == code_base("kuzu")
    assert code_base("falkordb") == code_base("redisgraph")
    assert alone([(TWO, "sqlite", ""), (ONE, "sqlite", ""), (ONE, "sqlite", "")], EXACT) is None
    assert alone([(TWO, "duckdb", ""), (ONE, "sqlite", ""), (ONE, "sqlite", "")], EXACT) is None
    assert alone([(TWO, "duckdb", ""), (ONE, "sqlite", ""), (ONE, "postgres", "")], EXACT) == 0


def test_an_opinion_that_differs_from_all_blames_nobody():
    assert alone([(ONE, "a", ""), (TWO, "b", ""), (THREE, "c", "")], EXACT) is None


def test_opinions_that_differ_from_each_other_blame_nobody():
    assert alone([(ONE, "a", ""), (TWO, "b", ""), (ONE, "c", ""), (TWO, "d", "")], EXACT) is None


def test_apsw_does_not_vote_on_sqlite_against_duckdb():
    seat, words = told(["sqlite", "duckdb"], ONE, TWO)
    assert "apsw" not in words and (seat is not None or words == NOBODY)


def test_duckdb_tells_which_of_two_builds_of_sqlite_is_wrong():
    seat, words = told(["sqlite@3.40.0", "apsw"], TWO, ONE)
    assert seat == 0
    assert words.startswith("duckdb ") and words.endswith(" as apsw 0 does")


def test_duckdb_differs_from_both_builds_of_sqlite():
    seat, words = told(["sqlite", "apsw"], TWO, THREE)
    assert seat is None
    assert words.startswith("duckdb ") and NOBODY in words


def test_an_engine_is_not_asked_about_what_it_documents_to_mean_otherwise():
    """5 / 2 is 2 in SQLite and 2.5 in DuckDB: DuckDB has no opinion on it."""
    division = ir.Select((ir.Op("/", (ir.Lit("int", "5"), ir.Lit("int", "2"))),), ())
    seat, words = told(["sqlite", "apsw"], [(2,)], [(2.5,)], question=division)
    assert seat is None and "duckdb" not in words

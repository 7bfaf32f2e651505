"""A query on plain copies of its tables."""

import talks
from gainsay.core.answer import Refused, Rows
from gainsay.core.claim import CONTRADICTED, HOLDS
from gainsay.core.model import Seat, Seats, Target
from gainsay.families.sql.language import ir
from gainsay.oracles import sql_twin
from sql_cases import T0, op, select, view

SEATS = Seats((Seat(0, Target("sqlite"), "3.40.1", "sqlite"),))
KEYED = ir.CreateTable("t0", (ir.Column("c0", "INT", unique=True, not_null=True), ir.Column("c1")), (("c0", "c1"),))
SCENE = ir.Scene((KEYED, view("v0", select(T0), "c0")))
V0 = ir.Col("v0", "c0")


def held(recipe, ask=lambda text: Rows([])):
    return talks.hold(sql_twin.Twin(), SCENE, recipe, SEATS, lambda _, text: ask(text))


def said(recipe, ask=lambda text: Rows([])):
    found = held(recipe, ask)
    return list(found.texts.values()), found.verdicts


def test_a_copy_has_the_rows_and_no_keys():
    asked, verdicts = said(sql_twin.Recipe(select(T0, where=op("=", T0, T0))))
    assert asked == [
        "SELECT t0.c0 FROM t0 WHERE t0.c0 = t0.c0",
        "CREATE TABLE t0_twin(c0 INT, c1)",
        "INSERT INTO t0_twin(c0, c1) SELECT c0, c1 FROM t0",
        "SELECT t0_twin.c0 FROM t0_twin WHERE t0_twin.c0 = t0_twin.c0",
    ]
    assert verdicts == [HOLDS]


def test_a_view_is_made_again_on_the_copies():
    asked, _ = said(sql_twin.Recipe(select(V0, source=(ir.Join("v0"),)), is_reversed=True))
    assert asked[1:4] == [
        "CREATE TABLE t0_back(c0 INT, c1)",
        "INSERT INTO t0_back(c0, c1) SELECT c0, c1 FROM t0 ORDER BY 2 DESC",
        "CREATE VIEW v0_back(c0) AS SELECT t0_back.c0 FROM t0_back",
    ]
    assert [asked[0], *asked[4:]] == ["SELECT v0.c0 FROM v0", "SELECT v0_back.c0 FROM v0_back"]


def test_the_copies_of_an_episode_are_made_once():
    assert [step.again for step in held(sql_twin.Recipe(select(T0))).talk.steps] == [False, True, True, False]


def test_other_rows_on_the_copy_are_a_contradiction():
    def ask(text):
        return Rows([(1,)] if text.startswith("SELECT t0_twin") else [])

    assert said(sql_twin.Recipe(select(T0)), ask)[1] == [CONTRADICTED]


def test_a_copy_that_is_refused_claims_nothing():
    def ask(text):
        return Refused("constraint", "") if text.startswith("INSERT") else Rows([])

    asked, verdicts = said(sql_twin.Recipe(select(T0)), ask)
    assert verdicts == [] and asked[-1].startswith("INSERT")


def test_what_shows_an_earlier_time_is_not_copied():
    stored = ir.Scene((KEYED, ir.CreateView("v0", (ir.ViewColumn("c0"),), select(T0), is_stored=True)))
    assert sql_twin.copied(select(V0, source=(ir.Join("v0"),)), stored) is None
    assert sql_twin.copied(select(T0), stored) == ["t0"]


def test_a_table_that_was_altered_is_not_copied():
    query = select(T0)
    assert sql_twin.copied(query, SCENE) == ["t0"]
    for change in (ir.RenameColumn("t0", "c1", "n0"), ir.AddColumn("t0", ir.Column("n0")), ir.DropColumn("t0", "c1")):
        assert sql_twin.copied(query, ir.Scene((*SCENE.statements, change))) is None

"""A query under switches of the optimizer, on a real SQLite and on one that is wrong under a switch."""

import pytest

from gainsay.core import registry
from gainsay.core.answer import Refused, Rows
from gainsay.core.claim import CONTRADICTED, HOLDS
from gainsay.core.draw import Draw
from gainsay.core.model import Case, Seat, Seats, Target
from gainsay.core.talk import Judged, held
from gainsay.families.sql.language import dialects, ir
from gainsay.families.sql.language.dialect import Switch
from gainsay.oracles import sql_plans
from sql_cases import ONE, T0, select, table

SEATS = Seats((Seat(0, Target("sqlite"), "3.40.1", "sqlite"),))
SCENE = ir.Scene((table("t0", "c0"),))
ORACLE = sql_plans.Plans()


def said(recipe, ask):
    """The texts that were asked, and the verdicts."""
    asked, verdicts = [], []

    def answer(step):
        asked.append(dialects.find("sqlite").text(step.node))
        return ask(asked[-1])

    for each in held(ORACLE.converse(SCENE, recipe, SEATS), answer):
        if isinstance(each, Judged):
            verdicts.append(each.verdict)
    return asked, verdicts


def test_a_switch_is_turned_back_before_anything_is_claimed():
    asked, verdicts = said(sql_plans.Recipe(select(T0), ("no skip scan", "not indexed")), lambda _: Rows([(1,)]))
    assert asked == [
        "SELECT t0.c0 FROM t0",
        ".testctrl optimizations 0x4000",
        "SELECT t0.c0 FROM t0",
        ".testctrl optimizations 0x0",
        "SELECT t0.c0 FROM t0 NOT INDEXED",
    ]
    assert verdicts == [HOLDS, HOLDS]


def test_some_queries_are_asked_under_every_switch_and_most_under_a_few():
    names = sql_plans.usable(SEATS)
    ready = Seats(SEATS.seats, registry.family("sql").prepare(SEATS, {}))
    drawn = [ORACLE.draw(Draw(n), SCENE, ready) for n in range(160)]
    assert {recipe.broad for recipe in drawn} == {("no all optimizations", "not indexed")}
    narrow, few = set(names) - set(drawn[0].broad), sql_plans.SWITCHES - 2
    assert {len(recipe.switches) for recipe in drawn} == {few, len(narrow)}
    assert 2 <= sum(set(recipe.switches) == narrow for recipe in drawn) <= 30
    assert {name for recipe in drawn if len(recipe.switches) == few for name in recipe.switches} == narrow


def test_the_guilty_pass_stands_in_for_a_broad_switch():
    family = registry.family("sql")
    recipe = sql_plans.Recipe(select(T0), (), broad=("no all optimizations",))
    case = Case("sql", "plans", SCENE, recipe, SEATS.seats, "same rows")
    found = [r for scene, r in family.shrinks(case) if family.size(scene, r) < family.size(SCENE, recipe)]
    named = {r.switches for r in found if r.query == recipe.query and not r.broad}
    assert {("no skip scan",), ("no automatic index",)} <= named


def test_a_switch_that_changes_rows_is_a_contradiction():
    state = []

    def ask(text):
        if text.startswith(".testctrl"):
            state.append(text)
            return Rows([])
        return Rows([(1,)] if state[-1:] == [".testctrl optimizations 0x4000"] else [])

    assert said(sql_plans.Recipe(select(T0), ("no skip scan",)), ask)[1] == [CONTRADICTED]


def test_a_switch_that_is_refused_claims_nothing():
    def ask(text):
        return Refused("missing", "") if text.startswith(".") else Rows([])

    assert said(sql_plans.Recipe(select(T0), ("no skip scan",)), ask)[1] == []


def test_a_hint_stands_behind_tables_only():
    nested = select(T0, source=(ir.Join("t0"), ir.Join("w0", "JOIN", ONE)))
    hinted = sql_plans.with_hint(nested, SCENE, Switch(hint="NOT INDEXED"))
    assert dialects.find("sqlite").text(hinted) == "SELECT t0.c0 FROM t0 NOT INDEXED JOIN w0 ON 1"


def index(name, table, where=None):
    return ir.CreateIndex(name, table, (ir.IndexKey(ir.Col("", "c0")),), where=where)


@pytest.mark.parametrize(("is_last", "index_name"), [(False, "i1"), (True, "i2")])
def test_an_index_is_asked_for_by_name_where_a_table_has_one(is_last, index_name):
    made = (index("i0", "t0", where=ONE), index("i1", "t0"), index("i2", "t0"))
    scene = ir.Scene((table("t0", "c0"), table("t1", "c0"), *made))
    both = select(T0, source=(ir.Join("t0"), ir.Join("t1", ",")))
    hinted = sql_plans.with_hint(both, scene, Switch(hint="INDEXED BY {index}", is_last=is_last))
    assert dialects.find("sqlite").text(hinted) == f"SELECT t0.c0 FROM t0 INDEXED BY {index_name}, t1"


def test_without_an_index_nothing_is_asked_for_by_name():
    assert said(sql_plans.Recipe(select(T0), ("indexed",)), lambda _: Rows([]))[0] == ["SELECT t0.c0 FROM t0"]


def test_the_only_switch_is_in_the_name():
    assert sql_plans.Recipe(select(T0), ("no skip scan",)).features == {"switch: no skip scan"}
    assert not sql_plans.Recipe(select(T0), ("no skip scan", "reverse")).features
    assert not sql_plans.Recipe(select(T0), ("no skip scan",), broad=("not indexed",)).features


def test_what_the_target_refuses_is_not_turned():
    seat = Seat(0, Target("sqlite"), "3.40.1", "sqlite", refused=frozenset({"switch:reverse"}))
    assert "reverse" not in sql_plans.usable(Seats((seat,))) and "not indexed" in sql_plans.usable(Seats((seat,)))


@pytest.mark.parametrize("mask", ["0x1", "0xffffffff", "0x0"])
def test_the_standard_librarys_sqlite_takes_the_shells_control(mask):
    from gainsay.core import registry

    session = registry.engine("sqlite").open_session((), {})
    assert isinstance(session.ask(f".testctrl optimizations {mask}"), Rows)
    session.ask("CREATE TABLE t0(c0)")
    session.ask("CREATE INDEX i0 ON t0(c0)")
    plan = session.ask("EXPLAIN QUERY PLAN SELECT DISTINCT c0 FROM t0").rows
    assert ("USING COVERING INDEX" in str(plan)) == (mask != "0xffffffff")
    session.close()

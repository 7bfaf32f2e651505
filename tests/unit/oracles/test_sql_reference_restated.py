"""A contradiction between several answers is told as a claim about one query, where our semantics can tell which answer
is wrong."""

import pytest

from gainsay.campaign import conversation
from gainsay.core import registry
from gainsay.core.answer import Rows
from gainsay.core.model import Case, Seat, Seats, Target
from gainsay.families.sql.drawing import forms
from gainsay.families.sql.drawing.forms import Form
from gainsay.families.sql.language import ir
from gainsay.oracles import sql_plans, sql_reference, sql_twin
from sql_cases import ONE, T0, ZERO, insert, norec, op, select, table, tlp
from wrong_sqlite import Wrong, losing

SEAT = Seat(0, Target("sqlite"), "3.40.1", "sqlite")
SCENE = ir.Scene((table("t0", "c0"), insert("t0", "c0", (ZERO,), (ONE,))))
BETWEEN = op("between", T0, ZERO, ONE)
QUERY = select(T0, where=BETWEEN)
RECIPES = {
    "norec": norec(BETWEEN, items=(T0,)),
    "tlp": tlp(BETWEEN, items=(T0,)),
    "twin": sql_twin.Recipe(QUERY),
    "plans": sql_plans.Recipe(QUERY, ("no simplify join",)),
}


def is_plain(text, answer, asked):
    """Wrong on the table itself, and right on its copy and with an optimization turned off."""
    is_turned = "twin" in text or any(t.startswith(".testctrl") for t in asked[-1:])
    return answer if is_turned else losing("BETWEEN")(text, answer, asked)


@pytest.mark.parametrize("oracle", RECIPES)
def test_the_wrong_answer_is_told_by_reference(oracle):
    player, seats = Wrong(SEAT, is_plain), Seats((SEAT,))
    case = Case("sql", oracle, SCENE, RECIPES[oracle], (SEAT,), "")
    (found, *_) = conversation.hold(case, [player], seats)
    others = list(registry.oracle("sql", oracle).restated(SCENE, case.recipe, seats, found.asked, found.answers))
    assert {o.oracle for o in others} <= {"reference", "norec"} and others[0].oracle == "reference"
    told = [
        o
        for o in others
        if conversation.hold(Case("sql", o.oracle, o.scene, o.recipe, (SEAT,), o.claim), [player], seats)
    ]
    player.close()
    assert told and told[0].claim == sql_reference.CLAIM
    assert told[0].recipe.query.where is not None and "between" in repr(told[0].recipe.query.where)


def test_a_form_that_is_wrong_becomes_the_query_that_it_is():
    def lies(text, answer, asked):
        """Wrong of a CTE that is counted, and right of the query itself."""
        return Rows([(0,)]) if text.startswith("WITH") and "COUNT(*)" in text else answer

    player, seats = Wrong(SEAT, lies), Seats((SEAT,))
    recipe = sql_reference.Recipe(select(T0), forms=(Form("shown"), Form("counted")))
    case = Case("sql", "reference", SCENE, recipe, (SEAT,), "")
    (found,) = conversation.hold(case, [player], seats)
    assert found.label == "counted"
    (other,) = registry.oracle("sql", "reference").restated(SCENE, recipe, seats, found.asked, found.answers)
    assert other.recipe == sql_reference.Recipe(forms.said(recipe.query, Form("counted")))
    told = Case("sql", "reference", SCENE, other.recipe, (SEAT,), other.claim)
    assert [f.label for f in conversation.hold(told, [player], seats)] == [sql_reference.CLAIM]
    player.close()

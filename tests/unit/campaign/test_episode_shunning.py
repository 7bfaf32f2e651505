"""Most of what looks like a known crash is drawn and not asked; a shape that is everywhere is no reason."""

from collections import Counter

import pytest

from gainsay.campaign.episode import SHUNNED, TRIED, Stage
from gainsay.families.sql.family import SQL
from gainsay.families.sql.language import ir
from gainsay.oracles.sql_norec import Recipe

GREATEST = Recipe(ir.Select((ir.NULL,), (), ir.Op("greatest", (ir.NULL, ir.NULL))))
PLAIN = Recipe(ir.Select((ir.NULL,), (), ir.Op("is null", (ir.NULL,))))


def staged(broken=()):
    stage = Stage.__new__(Stage)
    stage.family, stage._broken, stage._tried, stage._broke = SQL(), set(broken), Counter(), Counter()
    return stage


def left_out(recipes, *shunned, stage=None):
    stage = stage or staged()
    return stage._left_out(0, stage._alike(ir.Scene(()), recipes, shunned))


def test_what_looks_like_a_known_crash_is_left_out_but_for_one_in_some():
    recipes = [GREATEST if n % 5 == 0 else PLAIN for n in range(80)]
    out = left_out(recipes, ("greatest",))
    assert out and all(recipes[n] is GREATEST for n in out)
    assert {n for n in range(0, 80, 5) if n % SHUNNED == 0} == set(range(0, 80, 5)) - out


def test_a_shape_that_is_everywhere_leaves_nothing_out():
    assert left_out([GREATEST] * 80, ("greatest",)) == set()


def test_nothing_is_left_out_where_nothing_is_known():
    assert left_out([GREATEST] * 80) == set()


@pytest.mark.parametrize(("broken", "is_left_out"), [(0, False), (TRIED // 2 - 1, False), (TRIED // 2, True)])
def test_a_shape_that_most_checks_survive_leaves_nothing_out(broken, is_left_out):
    """Otherwise all that they would find is hidden behind one error."""
    recipes = [GREATEST if n % 5 == 0 else PLAIN for n in range(80)]
    stage = staged(range(0, 5 * broken, 5))
    stage._learn(stage._alike(ir.Scene(()), recipes, [("greatest",)]), set(range(0, 5 * TRIED, 5)))
    assert bool(left_out(recipes, ("greatest",), stage=stage)) == is_left_out

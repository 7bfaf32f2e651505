"""What is wrong in a small query of `reference` is known, so that it can be put in another one's place."""

import pytest

from gainsay.families.sql.language import ir
from gainsay.families.sql.reducing import swap
from gainsay.oracles.sql_reference import Recipe
from sql_cases import A1, ONE, T0, ZERO, insert, op, select, table

TEST = op("=", T0, ONE)
JOINED = (ir.Join("t0"), ir.Join("t0", "JOIN", op("<", T0, A1), "a1"))


@pytest.mark.parametrize(
    ("query", "tested"),
    [
        (select(ZERO, where=TEST), TEST),
        (select(TEST), TEST),
        (select(ZERO, source=JOINED), op("<", T0, A1)),
        (select(TEST, where=T0), T0),
        (select(T0), None),
        (ir.Compound("UNION", (select(T0), select(T0))), None),
    ],
)
def test_a_small_query_has_one_condition(query, tested):
    recipe = Recipe(query)
    assert recipe.tested == tested
    if tested is not None:
        assert recipe.with_tested(ir.NULL).tested in (ir.NULL, None) and recipe.with_tested(tested) == recipe


def test_a_condition_is_wrong_in_the_place_of_a_computed_one():
    scene = ir.Scene((table("t0", "c0"), insert("t0", "c0", (ZERO,))))
    one, two = Recipe(select(ZERO, where=TEST)), Recipe(select(op("likely", T0)))
    made = [recipe for _, recipe in swap.swaps(scene, one, scene, two)]
    assert made == [Recipe(select(ZERO, where=op("likely", T0)))]

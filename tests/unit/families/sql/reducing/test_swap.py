"""A case with parts of another in the place of its own."""

import pytest

from gainsay.families.sql.language import ir
from gainsay.families.sql.reducing import swap
from gainsay.oracles.differential import Recipe as Compared
from sql_cases import A1, ONE, T0, insert, norec, op, select, table, text, tlp, view

SCENE = ir.Scene((table("t0", "c0"), insert("t0", "c0", (ONE,))))
JOINED = ir.Scene((*SCENE.statements, table("t1", "c0", "c1")))
OVER = (ir.Join("t0"), ir.Join("t1", "LEFT JOIN", alias="a1"))


def test_the_columns_of_a_query_stand_under_the_names_that_it_has_for_them():
    cte = ir.Cte("w0", (ir.ViewColumn("x"),), select(T0))
    query = select(ONE, source=(*OVER, ir.Join("w0", ","), ir.Join("elsewhere", ",")), ctes=(cte,))
    assert swap.columns(JOINED, query) == [[T0], [A1, ir.Col("a1", "c1")], [ir.Col("w0", "x")], []]


@pytest.mark.parametrize(
    ("condition", "spelled"),
    [
        (op("=", T0, A1), "(t0.c0 = t0.c0)"),  # the one relation stands for both
        (op("is null", ir.Col("a1", "c1")), "(t0.c0 IS NULL)"),  # its last column for those it has not
        (op("is null", ir.Col("z", "c1")), "(z.c1 IS NULL)"),
    ],
)
def test_a_condition_finds_columns_by_their_places(condition, spelled):
    made = swap.swapped(SCENE, norec(T0), JOINED, norec(condition, *OVER))
    assert text(made.tested) == spelled


def test_a_case_without_a_condition_has_none_to_give():
    bare = norec(None)
    assert swap.swapped(SCENE, norec(T0), SCENE, bare) is None
    assert swap.swapped(SCENE, bare, SCENE, norec(T0)) is None
    assert swap.swapped(SCENE, norec(T0), SCENE, Compared(select(T0))) is None
    assert not list(swap.swaps(SCENE, bare, JOINED, norec(T0)))


def test_on_the_same_tables_a_swap_is_made_once():
    made = list(swap.swaps(SCENE, norec(T0), SCENE, tlp(op("is null", T0))))
    assert [(scene, text(recipe.tested)) for scene, recipe in made] == [(SCENE, "(t0.c0 IS NULL)")]


def test_views_and_indexes_stay_and_tables_and_rows_come_from_the_other():
    seen = view("v0", select(T0), "c0")
    index = ir.CreateIndex("i0", "t0", (ir.IndexKey(ir.Col("", "c0")),))
    mine = ir.Scene((*SCENE.statements, seen))
    other = ir.Scene((table("t0", "c0"), insert("t0", "c0", (ir.NULL,)), index))
    assert swap.onto(mine, other) == ir.Scene((*other.statements[:2], seen))


@pytest.mark.parametrize(
    ("one", "two", "is_telling"),
    [
        (norec(T0), norec(op("is null", T0)), False),  # nothing but the condition differs
        (norec(T0), norec(T0), True),
        (norec(T0), norec(op("is null", T0), distinct=True), True),
        (norec(T0), norec(None), True),
    ],
)
def test_a_swap_tells_something_only_where_more_than_the_condition_differs(one, two, is_telling):
    assert swap.is_telling(SCENE, one, SCENE, two) is is_telling


def test_what_a_case_is_made_of_but_for_its_condition():
    assert swap.surroundings(SCENE, norec(op("like", T0, T0), distinct=True)) == {"distinct"}

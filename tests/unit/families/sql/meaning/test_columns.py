"""What PostgreSQL's manual says of sums, arrays, signs and stored views, as our own evaluator has it."""

from decimal import Decimal

import pytest

from gainsay.families.sql.language import ir
from gainsay.families.sql.language.dialects import POSTGRESQL
from gainsay.families.sql.meaning.scene_cache import SceneCache

ONE, NOTHING = ir.Lit("int", "1"), ir.Lit("null", "CAST(NULL AS INTEGER)")
ARRAY = ir.Lit("list", "ARRAY[NULL, 1]")


def scene(type_text, *more):
    made = ir.CreateTable("t0", (ir.Column("c0", type_text, "int"),))
    return ir.Scene((made, ir.Insert("t0", ("c0",), (ir.Values((ONE,)),)), *more))


def rows(query, *statements, type_text="INTEGER"):
    return SceneCache(scene(type_text, *statements), POSTGRESQL, {}).rows(query)


@pytest.mark.parametrize(
    ("type_text", "expected"), [("INTEGER", 1), ("SMALLINT", 1), ("BIGINT", Decimal(1)), ("NUMERIC", Decimal(1))]
)
def test_a_sum_has_the_type_that_the_manual_says(type_text, expected):
    (row,) = rows(ir.Select((ir.Agg("sum", ir.Col("t0", "c0")),), (ir.Join("t0"),)), type_text=type_text)
    assert row == (expected,) and type(row[0]) is type(expected)


def test_the_sum_of_integers_whose_width_is_not_known_is_left_open():
    doubled = ir.Op("+", (ir.Col("t0", "c0"), ONE))
    assert rows(ir.Select((ir.Agg("sum", doubled),), (ir.Join("t0"),))) is None


@pytest.mark.parametrize(("wanted", "expected"), [(ONE, True), (ir.Lit("int", "2"), False), (NOTHING, False)])
def test_an_array_holds_what_equals_an_element_and_nothing_equals_null(wanted, expected):
    assert rows(ir.Select((ir.Op("list contains", (ARRAY, wanted)),), ())) == [(expected,)]


def test_a_sign_is_a_real():
    (row,) = rows(ir.Select((ir.Op("sign", (ir.Lit("real", "'-0.5'"),)),), ()))
    assert row == (-1.0,) and type(row[0]) is float


@pytest.mark.parametrize(("is_stored", "expected"), [(True, [(1,)]), (False, [])])
def test_a_stored_view_shows_what_was_there_when_it_was_made(is_stored, expected):
    query = ir.Select((ir.Col("t0", "c0"),), (ir.Join("t0"),))
    view = ir.CreateView("v0", (ir.ViewColumn("c0", "int"),), query, is_stored)
    shown = ir.Select((ir.Col("v0", "c0"),), (ir.Join("v0"),))
    assert rows(shown, view, ir.Delete("t0", None)) == expected

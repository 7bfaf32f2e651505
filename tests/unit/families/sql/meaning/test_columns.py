"""What PostgreSQL's manual says of sums, arrays, signs and stored views, as our own evaluator has it."""

from decimal import Decimal

import pytest

from gainsay.families.sql.language import ir, parse
from gainsay.families.sql.language.spoken.duckdb import DUCKDB
from gainsay.families.sql.language.spoken.postgresql import POSTGRESQL
from gainsay.families.sql.meaning.scene_cache import SceneCache, told

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


def test_what_is_numeric_has_no_bits():
    total = ir.Agg("sum", ir.Col("t0", "c0"))
    assert rows(ir.Select((ir.Op("xor", (ONE, total)),), (ir.Join("t0"),))) == [(0,)]
    assert rows(ir.Select((ir.Op("xor", (ONE, total)),), (ir.Join("t0"),)), type_text="BIGINT") is None


def test_the_sum_of_integers_whose_width_is_not_known_is_left_open():
    doubled = ir.Op("+", (ir.Col("t0", "c0"), ONE))
    assert rows(ir.Select((ir.Agg("sum", doubled),), (ir.Join("t0"),))) is None


@pytest.mark.parametrize(("wanted", "expected"), [(ONE, True), (ir.Lit("int", "2"), False), (NOTHING, False)])
def test_an_array_holds_what_equals_an_element_and_nothing_equals_null(wanted, expected):
    assert rows(ir.Select((ir.Op("list contains", (ARRAY, wanted)),), ())) == [(expected,)]


def test_a_value_that_cannot_be_shown_is_said_to_be_open():
    found = told(ir.Scene(()), ir.Select((ARRAY,)), POSTGRESQL, {})
    assert found == "not determined: a list as text"


def test_a_sign_is_a_real():
    (row,) = rows(ir.Select((ir.Op("sign", (ir.Lit("real", "'-0.5'"),)),), ()))
    assert row == (-1.0,) and type(row[0]) is float


@pytest.mark.parametrize(("is_stored", "expected"), [(True, [(1,)]), (False, [])])
def test_a_stored_view_shows_what_was_there_when_it_was_made(is_stored, expected):
    query = ir.Select((ir.Col("t0", "c0"),), (ir.Join("t0"),))
    view = ir.CreateView("v0", (ir.ViewColumn("c0", "int"),), query, is_stored)
    shown = ir.Select((ir.Col("v0", "c0"),), (ir.Join("v0"),))
    assert rows(shown, view, ir.Delete("t0", None)) == expected


ROW_AND_EXTREME = [
    # PostgreSQL's manual, "Row Constructor Comparison": a pair that differs decides = and <>, else NULL is unknown
    ("((1, NULL) = (2, NULL))", False),
    ("((NULL, 1) = (NULL, 2))", False),
    ("((1, NULL) = (1, 2))", None),
    ("((NULL, 1) <> (1, 2))", True),
    # <: the first pair that differs or is NULL decides
    ("((1, NULL) < (2, NULL))", True),
    ("((NULL, 1) < (1, 2))", None),
    ("((1, 1) < (1, NULL))", None),
    # "GREATEST and LEAST": NULLs are ignored
    ("GREATEST(1, NULL)", 1),
    ("LEAST(NULL, 1)", 1),
    ("GREATEST(CAST(NULL AS INTEGER), NULL)", None),
]


@pytest.mark.parametrize(("text", "value"), ROW_AND_EXTREME)
def test_nulls_in_rows_and_extremes_are_as_postgresql_says(text, value):
    spoken = POSTGRESQL
    facts = {"row-null": "NULL unless decided", "greatest-null": "ignored"}
    found = parse.known([], f"SELECT {text}", spoken)
    assert told(found.scene, found.questions[0], spoken, facts) == [(value,)]
    if text.startswith("GREATEST(1") or "(1, 2))" in text:
        assert "not determined" in told(found.scene, found.questions[0], spoken, {})


@pytest.mark.parametrize(
    ("factor", "expected"),
    [("0.5", [(Decimal("0.5"),)]), ("0.125", None), ("10000", None)],
    ids=["it fits", "digits behind the point are lost", "too many digits before it"],
)
def test_what_a_decimal_column_can_not_hold_is_left_open(factor, expected):
    product = ir.Op("*", (ir.Col("", "c0"), ir.Lit("dec", factor)))
    changed = ir.Update("t0", (ir.Assign("c0", product),), None)
    asked = ir.Select((ir.Col("t0", "c0"),), (ir.Join("t0"),))
    assert rows(asked, changed, type_text="NUMERIC(6, 2)") == expected


@pytest.mark.parametrize(
    ("text", "facts", "expected"),
    [
        ("SELECT 7 / 2", {"division": "real, by zero is infinite"}, [(3.5,)]),
        ("SELECT 7 / 2", {"division": "integers truncate, by zero is NULL"}, None),  # releases before 0.8
        ("SELECT 7.0E0 / 2", {"division": "integers truncate, by zero is NULL"}, [(3.5,)]),
        ("SELECT GREATEST(1.5, 0.5)", {"greatest-decimal": "decimal"}, [(Decimal("1.5"),)]),
        ("SELECT GREATEST(1.5, 0.5)", {"greatest-decimal": "real"}, None),  # releases before 1.1
        ("SELECT GREATEST(2, 1)", {"greatest-decimal": "real"}, [(2,)]),
    ],
)
def test_what_releases_of_duckdb_document_otherwise_is_left_open_there(text, facts, expected):
    query = parse.known([], text, DUCKDB).questions[0]
    assert SceneCache(ir.Scene(()), DUCKDB, facts).rows(query) == expected

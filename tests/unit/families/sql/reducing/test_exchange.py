"""A title of an SQL finding names what can't be exchanged for another of its kind."""

import pytest

from gainsay.core import registry
from gainsay.core.model import Case, Seat, Target
from gainsay.families.sql.language import ir
from gainsay.oracles.sql_reference import Recipe
from sql_cases import FROM_T0, T0, op, table

FAMILY = registry.family("sql")


def exchanged(item):
    scene = ir.Scene((table("t0", ir.Column("c0", "INT")),))
    recipe = Recipe(ir.Select((item,), FROM_T0))
    seat = Seat(0, Target("sqlite"), "3.40.1", "sqlite")
    made = Case("sql", "reference", scene, recipe, (seat,), "as evaluated")
    return [(name, repr(pair[1])) for name, _, pair in FAMILY.exchanges(made)]


def test_an_aggregate_is_exchanged_for_the_others():
    found = exchanged(ir.Agg("sum", T0))
    assert [name for name, _ in found] == ["aggregate sum"] * 3
    assert all("'sum'" not in text for _, text in found)


def test_an_operator_is_exchanged_for_others_of_its_signature_and_of_another_group():
    found = exchanged(op("is null", T0))
    assert {name for name, _ in found} <= {"null test"}
    assert all("is not null" not in text for _, text in found), "of the same group"


@pytest.mark.parametrize(
    ("named", "spared", "needed", "title"),
    [
        ({"function", "index"}, set(), {"upper"}, {"upper", "index"}),
        ({"function", "index"}, {"upper"}, set(), {"function", "index"}),
        ({"condition", "index"}, set(), {"comparison"}, {"condition", "index"}),
        ({"aggregate sum", "view"}, {"aggregate sum"}, set(), {"aggregate", "view"}),
        ({"comparison", "not", "cast"}, set(), set(), {"cast"}),
        ({"comparison"}, set(), set(), {"comparison"}),
        ({"upper"}, {"upper"}, set(), {"upper"}),
    ],
)
def test_a_title_names_what_is_needed(named, spared, needed, title):
    assert FAMILY.titled(None, frozenset(named), frozenset(spared), frozenset(needed)) == title

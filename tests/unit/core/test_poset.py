from __future__ import annotations

from itertools import combinations

import pytest

from gainsay.core.poset import Poset, subsets
from tailor_standin import FIGURE_5_3

FIGURE = Poset(FIGURE_5_3)


def test_figure_5_3_has_ten_domains_and_its_order() -> None:
    assert len(FIGURE.names) == 10
    assert (
        FIGURE.is_below("int", "pk") and FIGURE.is_below("dis-int", "boxes") and FIGURE.is_below("int", "term-dis-int")
    )
    assert not FIGURE.is_comparable("boxes", "pk") and not FIGURE.is_comparable("term-int", "zones")
    assert all(not FIGURE.is_comparable("bool", name) for name in FIGURE.names if name != "bool")


def test_the_most_precise_recipe_of_the_thesis_has_the_six_greatest_domains() -> None:
    assert FIGURE.greatest == ["bool", "boxes", "pk", "ric", "term-dis-int", "term-int"]


def test_greater_and_less_are_immediate_steps() -> None:
    assert FIGURE.greater("zones") == ("oct",) and FIGURE.less("pk") == ("oct",)
    assert FIGURE.greater("int") == ("dis-int", "ric", "term-int", "zones")


def test_the_least_incomparable_domains_have_no_incomparable_one_below_them() -> None:
    assert FIGURE.least_incomparable(["zones"]) == ["bool", "dis-int", "ric", "term-int"]
    assert FIGURE.least_incomparable(["bool"]) == ["int"]
    assert FIGURE.least_incomparable(["int", "bool"]) == []


def test_a_recipe_is_compatible_if_no_two_domains_are_comparable() -> None:
    assert FIGURE.is_compatible(["pk", "boxes", "bool"])
    assert not FIGURE.is_compatible(["zones", "pk"]) and not FIGURE.is_compatible(["ric", "ric"])


def test_the_domains_that_rq2_replaces_zones_by() -> None:
    assert FIGURE.comparable_to("zones") == ["int", "oct", "pk"]


def test_a_circle_is_no_order() -> None:
    with pytest.raises(ValueError, match="above itself"):
        Poset({"a": ("b",), "b": ("a",)})


def test_subsets_are_ordered_by_inclusion() -> None:
    lattice = subsets(("x", "y", "z"), "base")
    assert len(lattice.names) == 8 and lattice.greatest == ["base+x+y+z"]
    for one, other in combinations(lattice.names, 2):
        a, b = set(one.split("+")), set(other.split("+"))
        assert lattice.is_comparable(one, other) == (a <= b or b <= a)

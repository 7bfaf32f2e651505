import datetime
from decimal import Decimal

import pytest

from gainsay.core import values

NAN = float("nan")


@pytest.mark.parametrize(
    ("left", "right", "rule", "same"),
    [
        ([(1,)], [(1,)], "exact", True),
        ([(1,)], [(1.0,)], "exact", False),
        ([(1,)], [(True,)], "exact", False),
        ([(1,)], [("1",)], "exact", False),
        ([(1,)], [(1.0,)], "number", True),
        ([(1,)], [(True,)], "number", True),
        ([(1,)], [(Decimal("1.00"),)], "number", True),
        ([(0.5,)], [(Decimal("0.5"),)], "number", True),
        ([(0.0,)], [(-0.0,)], "exact", True),
        ([(NAN,)], [(NAN,)], "exact", True),
        ([(1,), (1,), (2,)], [(1,), (2,), (2,)], "exact", False),
        ([(1,), (2,)], [(2,), (1,)], "exact", True),
        ([(b"a",)], [("a",)], "exact", False),
        ([(None,)], [(0,)], "exact", False),
        ([("A ",)], [("a",)], "group", True),
        ([(0.1 + 0.2,)], [(0.3,)], "exact", False),
        ([(0.1 + 0.2,)], [(0.3,)], "close", True),
        ([(1.0,)], [(1.1,)], "close", False),
        ([("a", 0.3), ("b", 1)], [("b", 1), ("a", 0.1 + 0.2)], "close", True),
        ([([1, None],)], [([1, None],)], "exact", True),
        ([({"a": 1},)], [({"a": 1.0},)], "exact", False),
        ([(datetime.date(2000, 1, 1),)], [(datetime.datetime(2000, 1, 1),)], "exact", False),
    ],
)
def test_rows_are_compared_by_the_stated_rules(left, right, rule, same):
    assert values.same_bag(left, right, rule) is same


def test_rank_orders_null_numbers_text_blobs():
    mixed = [b"a", "b", 2, None, 0.5, "B"]
    assert sorted(mixed, key=values.rank) == [None, 0.5, 2, "B", "b", b"a"]


def test_values_without_an_order_of_their_own_can_be_sorted_and_compared():
    mixed = [(datetime.date(2020, 1, 2),), ([1, 2],), ({"a": 1},), (0,), (None,)]
    assert values.same_bag(mixed, mixed[::-1], values.CLOSE)
    assert not values.same_bag(mixed[:2], [(0,), (0,)], values.CLOSE)

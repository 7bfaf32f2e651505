"""Cases that are held again: which earlier texts they need."""

from gainsay.triage.holding import shortest


def test_of_what_came_before_the_least_is_kept():
    before = tuple((0, str(n)) for n in range(9))
    assert shortest(before, lambda b: {"2", "7"} <= {text for _, text in b}) == ((0, "2"), (0, "7"))
    assert shortest(before, lambda b: False) == before

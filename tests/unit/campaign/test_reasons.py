"""What engines say when they die or refuse: which deaths are chance, and which refusals are of one kind."""

import pytest

from gainsay.campaign import reasons
from gainsay.campaign.reasons import is_by_chance


def test_a_death_over_broken_memory_is_told_from_one_over_what_was_asked():
    for said in (
        "double free or corruption (!prev)",
        "malloc(): corrupted top size",
        "munmap_chunk(): invalid pointer",
    ):
        assert is_by_chance("crash", f"SIGABRT\n{said}")
    assert not is_by_chance("crash", "SIGSEGV") and not is_by_chance("crash", "Assertion failed")
    assert not is_by_chance("internal-error", "the index is corrupted")


@pytest.mark.parametrize(
    ("one", "two", "kind"),
    [
        ("alias '[(n)-[]->(:A) | 1]'", "alias '[(a)-[r]->() | a.k]'", "alias '_'"),
        ('Duplicate key "c0: 12" violates', 'Duplicate key "c1: b" violates', "Duplicate key _ violates"),
        ("no such column: t0.c1", "no such column: t12.c0", "no such column: _"),
        ("a value with alias n1 within", "a value with alias n_12 within", "a value with alias _ within"),
    ],
)
def test_refusals_of_one_kind_are_counted_as_one(one, two, kind):
    assert reasons.masked(one) == reasons.masked(two) == kind
    assert reasons.masked('near "AND": syntax error') != reasons.masked('near "FROM": syntax error')

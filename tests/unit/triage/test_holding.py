"""Cases that are held again: which earlier texts they need, and which deaths are chance."""

from gainsay.triage.holding import is_by_chance, shortest


def test_of_what_came_before_the_least_is_kept():
    before = tuple((0, str(n)) for n in range(9))
    assert shortest(before, lambda b: {"2", "7"} <= {text for _, text in b}) == ((0, "2"), (0, "7"))
    assert shortest(before, lambda b: False) == before


def test_a_death_over_broken_memory_is_told_from_one_over_what_was_asked():
    for said in (
        "double free or corruption (!prev)",
        "malloc(): corrupted top size",
        "munmap_chunk(): invalid pointer",
    ):
        assert is_by_chance("crash", f"SIGABRT\n{said}")
    assert not is_by_chance("crash", "SIGSEGV") and not is_by_chance("crash", "Assertion failed")
    assert not is_by_chance("internal-error", "the index is corrupted")

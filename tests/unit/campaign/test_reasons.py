"""What engines say when they die: which deaths are chance."""

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

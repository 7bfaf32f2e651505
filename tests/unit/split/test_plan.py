"""Homes, grades, costs, and parts that did not fit."""

from gainsay.split import plan as planning
from gainsay.split.plan import Part
from gainsay.split.strategies import Bounds, Graph, bits, neighbourhoods

CHAIN = Graph.of({"a": {"b"}, "b": {"c"}, "c": set(), "d": {"b"}, "e": set()})
ONES = [1] * 5


def some(*names: str) -> int:
    return bits(iter(sorted(CHAIN.names.index(name) for name in names)))


def test_a_files_home_holds_its_whole_neighbourhood() -> None:
    plan = planning.make(CHAIN, "overlap", Bounds(3, 2), ONES)
    around = neighbourhoods(CHAIN, 2)
    for part in plan.parts:
        for n in range(5):
            if part.homes >> n & 1:
                assert not around[n] & ~part.files
    assert plan.complete == 0b11111


def test_every_file_has_one_home() -> None:
    for strategy in ("none", "sizelimiting", "splitmerge", "overlap"):
        plan = planning.make(CHAIN, strategy, Bounds(3, 2), ONES)
        assert sum(part.homes.bit_count() for part in plan.parts) == 5
        assert all(not part.homes & ~part.files for part in plan.parts)


def test_a_file_whose_neighbourhood_was_cut_is_at_home_where_most_of_it_is_and_graded_incomplete() -> None:
    homes = planning.homes_of([some("a"), some("a", "b")], neighbourhoods(CHAIN, 2)[:2], neighbourhoods(CHAIN, 3)[:2])
    assert homes == [1, 1]
    plan = planning.make(CHAIN, "sizelimiting", Bounds(2, 2), ONES)  # ab, cd, e
    assert [name for n, name in enumerate(CHAIN.names) if not plan.complete >> n & 1] == ["a", "b", "d"]


def test_of_two_complete_parts_the_one_with_more_beyond_is_home() -> None:
    around, wider = neighbourhoods(CHAIN, 1), neighbourhoods(CHAIN, 2)
    assert planning.homes_of([some("a", "b"), some("a", "b", "c"), some("d", "e", "b")], around, wider)[0] == 1


def test_costs_count_copies_and_dependencies_that_no_part_holds() -> None:
    told = planning.costs(planning.make(CHAIN, "sizelimiting", Bounds(2, 2), ONES), CHAIN, ONES)
    assert (told.parts, told.largest, told.redundancy, told.edges_lost, told.edges) == (3, 2, 1.0, 2, 3)


def test_halves_have_the_same_homes_and_what_these_need() -> None:
    part = Part(some("a", "b", "c", "d", "e"), some("a", "d", "e"))
    one, other = planning.halves(part, CHAIN, Bounds(5, 2), ONES)
    assert (one.homes | other.homes, one.homes & other.homes) == (part.homes, 0)
    assert one.files == some("a", "b", "c")
    assert other.files == some("b", "d", "e") or other.files == some("c", "d", "e")  # at most two thirds of the whole


def test_a_part_with_one_home_is_tried_with_less_around_it() -> None:
    first = planning.halves(Part(some("a", "b", "c"), some("a")), CHAIN, Bounds(5, 2), ONES)
    assert first == [Part(some("a", "b"), some("a"))]
    second = planning.halves(first[0], CHAIN, Bounds(5, 2), ONES)
    assert second == [Part(some("a"), some("a"))]
    assert planning.halves(second[0], CHAIN, Bounds(5, 2), ONES) == []

"""Algorithms 8 to 10 of the thesis on its own example, and what must hold of every cut."""

from hypothesis import given, settings
from hypothesis import strategies as st

from gainsay.split import strategies
from gainsay.split.strategies import (
    STRATEGIES,
    Bounds,
    Graph,
    neighbourhoods,
    next_fit,
    subsets,
    weigh,
    without_subsumed,
)

# Figure 6.2a; its edges follow from the degrees in the text.
EXAMPLE = {"A": {"B"}, "B": {"C"}, "C": set(), "D": {"B", "C"}, "E": {"A", "C", "D", "F"}, "F": set()}
ONES = [1] * 6


def named(graph: Graph, parts: list[int]) -> list[set[str]]:
    return [set(graph.named(part)) for part in parts]


def test_the_running_example_has_the_initial_partitions_of_the_thesis() -> None:
    graph = Graph.of(EXAMPLE)
    assert named(graph, neighbourhoods(graph, 2)) == [
        set("ABC"),
        set("BC"),
        set("C"),
        set("DBC"),
        set("EABCDF"),
        set("F"),
    ]


def test_the_running_example_is_split_as_in_the_thesis() -> None:
    graph = Graph.of(EXAMPLE)
    around = neighbourhoods(graph, 2)
    assert named(graph, subsets(around[4], Bounds(4, 2, 1 / 3), ONES, strategies.Connections(around))) == [
        set("EBAC"),
        set("EBDF"),
    ]


def test_the_running_example_comes_out_exactly() -> None:
    graph = Graph.of(EXAMPLE)
    parts = STRATEGIES["splitmerge"](graph, Bounds(4, 2, 1 / 3), ONES)
    assert sorted(map(sorted, named(graph, parts))) == [list("ABCE"), list("BCD"), list("BDEF")]


def test_sizelimiting_cuts_the_sorted_names() -> None:
    graph = Graph.of({name: set() for name in ("b", "a", "d", "c", "e")})
    assert named(graph, STRATEGIES["sizelimiting"](graph, Bounds(2), ONES)) == [{"a", "b"}, {"c", "d"}, {"e"}]


def test_distance_counts_edges() -> None:
    graph = Graph.of({"a": {"b"}, "b": {"c"}, "c": {"d"}, "d": set()})
    assert [graph.named(neighbourhoods(graph, k)[0]) for k in (0, 1, 2, 3, 9)] == [
        ["a"],
        ["a", "b"],
        list("abc"),
        list("abcd"),
        list("abcd"),
    ]


def test_a_part_inside_another_is_dropped_and_of_two_equal_ones_one_stays() -> None:
    assert without_subsumed([0b11, 0b111, 0b111, 0b1000]) == [0b111, 0b1000]


def test_next_fit_counts_shared_files_twice_and_overlap_does_not() -> None:
    parts = [0b0111, 0b1110]  # two files in common
    assert next_fit(parts, 4, ONES) == [0b0111, 0b1110]
    assert strategies.by_overlap(parts, 4, ONES) == [0b1111]


def test_a_share_that_leaves_no_room_is_taken_of_the_bound_instead() -> None:
    graph = Graph.of({f"f{n:02}": {f"f{m:02}" for m in range(20)} for n in range(20)})
    around = neighbourhoods(graph, 1)
    parts = subsets(
        around[0], Bounds(4, 1, 0.5), [1] * 20, strategies.Connections(around)
    )  # half of 20 files are more than 4
    assert all(part.bit_count() <= 4 for part in parts)
    assert len(set.intersection(*(set(strategies.members(part)) for part in parts))) == 2


def test_an_import_cycle_across_everything_is_cut_all_the_same() -> None:
    graph = Graph.of({f"f{n}": {f"f{(n + 1) % 9}"} for n in range(9)})
    for strategy in ("splitmerge", "overlap"):
        parts = STRATEGIES[strategy](graph, Bounds(3, 9, 0.1), [1] * 9)
        assert max(part.bit_count() for part in parts) <= 3


GRAPHS = st.integers(1, 24).flatmap(
    lambda n: st.tuples(st.just(n), st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=60))
)


@settings(max_examples=150, deadline=None)
@given(GRAPHS, st.integers(1, 12), st.integers(0, 4), st.sampled_from([0.0, 0.1, 1 / 3, 0.9]), st.booleans())
def test_every_part_is_within_the_bound_and_no_file_is_left_out(
    drawn: tuple[int, list[tuple[int, int]]], size: int, k: int, p: float, heavy: bool
) -> None:
    count, edges = drawn
    names = [f"f{n:02}" for n in range(count)]
    graph = Graph.of({name: {names[b] for a, b in edges if names[a] == name} for name in names})
    weights = [1 + n % 3 if heavy else 1 for n in range(count)]
    bounds = Bounds(max(size, *weights) if count > 1 else max(size, weights[0]), k, p)
    for name in ("sizelimiting", "splitmerge", "overlap"):
        parts = STRATEGIES[name](graph, bounds, weights)
        assert parts == STRATEGIES[name](graph, bounds, weights)
        assert all(weigh(part, weights) <= bounds.size for part in parts)
        union = 0
        for part in parts:
            union |= part
        assert union == (1 << count) - 1


@settings(max_examples=100, deadline=None)
@given(GRAPHS, st.integers(1, 3))
def test_no_dependency_is_lost_where_every_neighbourhood_fits(drawn: tuple[int, list[tuple[int, int]]], k: int) -> None:
    count, edges = drawn
    names = [f"f{n:02}" for n in range(count)]
    graph = Graph.of({name: {names[b] for a, b in edges if names[a] == name} for name in names})
    around = neighbourhoods(graph, k)
    bounds = Bounds(max(part.bit_count() for part in around), k, 0.1)
    for name in ("splitmerge", "overlap"):
        parts = STRATEGIES[name](graph, bounds, [1] * count)
        assert all(any(not need & ~part for part in parts) for need in around)

"""Sizes as the user writes them, the fit of cost against size, and what `auto` makes of it."""

from pathlib import Path

import pytest

from gainsay.errors import UsageError
from gainsay.split import auto, sizing
from gainsay.split.auto import Costing
from gainsay.split.code import Code
from gainsay.split.running import Allowed
from gainsay.split.sizing import Fit, Sample, Size
from gainsay.split.strategies import Bounds, Graph

GIB = 1 << 30
LOOSE = Graph.of({f"f{n:03}": set() for n in range(100)})
SIZES = [1000] * 100


def cost(time: Fit, memory: Fit | None = None) -> Costing:
    return Costing(time, memory or Fit(1e8, 0.0, 1.0), (Sample(1, 1.0, 1),))


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("500", Size(500, "files")),
        ("20000lines", Size(20000, "lines")),
        ("60s", Size(60, "seconds")),
        ("2m", Size(120, "seconds")),
        ("1.5s", Size(1.5, "seconds")),
    ],
)
def test_a_size_is_files_lines_or_seconds(text: str, size: Size) -> None:
    assert sizing.parse(text) == size


@pytest.mark.parametrize("text", ["0", "-1", "x", "5parsecs", "", "1.5", "0s"])
def test_another_size_is_told_how_to_write_it(text: str) -> None:
    with pytest.raises(UsageError, match="such as --size 500"):
        sizing.parse(text)


def test_a_fit_finds_a_line_and_a_square() -> None:
    line = sizing.fit([(x, 2 + 3 * x) for x in (1, 2, 4)])
    assert (round(line.base, 6), round(line.slope, 6), line.power) == (2, 3, 1.0)
    square = sizing.fit([(x, 1 + x * x) for x in (1, 2, 4, 8)])
    assert square.power == 2.0
    assert round(square.at(16)) == 257
    assert round(square.most(257)) == 16


def test_a_fit_is_never_negative_and_never_falls() -> None:
    assert sizing.fit([(1, 5.0), (2, 4.0)]).slope == 0
    assert sizing.fit([(1, 0.0), (2, 5.0)]).base == 0


def test_lines_are_weighed_and_a_file_that_is_too_long_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("1\n" * 5)
    (tmp_path / "b.py").write_text("1\n" * 9)
    code = Code(tmp_path, ("a.py", "b.py"))
    assert sizing.weights_of(code, Size(10, "lines"), None) == ([5, 9], 10)
    with pytest.raises(UsageError, match=r"b\.py alone has 9 lines"):
        sizing.weights_of(code, Size(8, "lines"), None)


def test_seconds_are_shared_out_by_bytes_and_leave_room_for_the_start(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"x" * 1000)
    (tmp_path / "b.py").write_bytes(b"x" * 3000)
    code = Code(tmp_path, ("a.py", "b.py"))
    weights, bound = sizing.weights_of(code, Size(5, "seconds"), Fit(1.0, 0.001, 1.0))
    assert (weights, bound) == ([1000, 3000], 4000)
    assert Size(5, "seconds").told(3000, bound) == "4.0 s"  # with the second that the start takes
    assert Size(5, "files").told(3, 5) == "3"


def test_auto_does_not_cut_what_fits_where_a_cut_would_not_be_faster() -> None:
    decision = auto.decide(LOOSE, SIZES, Bounds(50), cost(Fit(50.0, 1e-6, 1.0)), False, 2, Allowed(600, 4 * GIB))
    assert decision.strategy == "none"
    assert "fits" in decision.reason


def test_auto_cuts_what_takes_too_long() -> None:
    decision = auto.decide(LOOSE, SIZES, Bounds(500), cost(Fit(1.0, 0.001, 1.0)), False, 1, Allowed(30, 4 * GIB))
    assert decision.strategy == "overlap"
    assert decision.bounds.size == 23  # 0.8 * 30 s less one to start
    assert "too much" in decision.reason


def test_auto_cuts_what_takes_too_much_memory() -> None:
    decision = auto.decide(
        LOOSE,
        SIZES,
        Bounds(500),
        cost(Fit(1.0, 1e-6, 1.0), Fit(0.0, GIB / 10_000, 1.0)),
        False,
        1,
        Allowed(600, 4 * GIB),
    )
    assert decision.strategy == "overlap"
    assert decision.bounds.size == 32


def test_auto_cuts_plainly_where_each_file_is_looked_at_alone() -> None:
    decision = auto.decide(LOOSE, SIZES, Bounds(500), cost(Fit(0.1, 0.001, 1.0)), True, 2, Allowed(600, 4 * GIB))
    assert (decision.strategy, decision.bounds.size) == ("sizelimiting", 50)


def test_auto_without_figures_goes_by_size_and_says_so() -> None:
    assert auto.decide(LOOSE, SIZES, Bounds(500), None, False, 2, Allowed(600, GIB)).strategy == "none"
    decision = auto.decide(LOOSE, SIZES, Bounds(50), None, False, 2, Allowed(600, GIB))
    assert decision.strategy == "overlap"
    assert "did not finish" in decision.reason


def test_the_longest_part_goes_first_when_the_span_is_foretold() -> None:
    assert auto.makespan([1, 1, 4, 1, 1], 2) == 4
    assert auto.makespan([1, 2, 3], 1) == 6


def test_probes_are_of_three_sizes_and_a_few_files_are_not_probed() -> None:
    assert [part.files.bit_count() for part in auto.probes(LOOSE, Bounds(500), False)] == [4, 6, 12]
    assert auto.probes(Graph.of({"a": set()}), Bounds(500), False) == []


def test_auto_says_whether_probes_failed_or_there_was_too_little_to_try() -> None:
    for is_tried, told in ((True, "did not finish"), (False, "too few files to try")):
        decision = auto.decide(LOOSE, SIZES, Bounds(500), None, False, 2, Allowed(600, 4 * GIB), is_tried)
        assert told in decision.reason

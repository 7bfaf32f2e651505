from __future__ import annotations

from pathlib import Path

import pytest

from gainsay.core.tailor_analyzer import NO_BOUND, Allowance, Code, Ingredient, Outcome
from gainsay.tailor.cache import FILE, Cache, key_of

CODE = Code("c", "digest", (), "")


def test_the_key_is_version_code_ingredient_and_assumptions() -> None:
    base = key_of("eva", "25", {}, CODE, Ingredient("a"), 0)
    others = [
        key_of("eva", "26", {}, CODE, Ingredient("a"), 0),
        key_of("eva", "25", {"main": "f"}, CODE, Ingredient("a"), 0),
        key_of("eva", "25", {}, Code("c", "other", (), ""), Ingredient("a"), 0),
        key_of("eva", "25", {}, CODE, Ingredient("a", (("x", "1"),)), 0),
        key_of("eva", "25", {}, CODE, Ingredient("a"), 5),
    ]
    assert base not in others and len(set(others)) == 5
    assert base == key_of("eva", "25", {}, Code("another name", "digest", (), "elsewhere"), Ingredient("a"), 0)


@pytest.mark.parametrize(
    ("limit", "memory", "status"), [(3, 1000, "ok"), (2, 1000, "ok"), (1.9, 1000, "timeout"), (3, 50, "memory")]
)
def test_a_finished_run_serves_every_limit(tmp_path: Path, limit: float, memory: int, status: str) -> None:
    cache = Cache(tmp_path)
    cache.put("k", "", Allowance(3, 1000), Outcome("ok", 2.0, memory=100, verdicts="P"))
    found = cache.get("k", Allowance(limit, memory))
    assert found is not None and found.status == status and bool(found.verdicts) == (status == "ok")


def test_a_time_out_is_known_up_to_its_limit(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("k", "", Allowance(3, 1000), Outcome("timeout", 3.02))
    assert cache.get("k", Allowance(3, 1000)) is not None
    assert cache.get("k", Allowance(3.01, 1000)) is None


def test_too_much_memory_is_known_up_to_that_much(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("k", "", Allowance(3, 1000), Outcome("memory", 1.0, memory=1001))
    assert cache.get("k", Allowance(9, 1000)) is not None
    assert cache.get("k", Allowance(9, 2000)) is None


def test_a_run_that_was_cut_says_only_how_much_stayed_open(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("k", "", Allowance(3, 1000, open=5), Outcome("cut", 1.0, open=5))
    assert cache.get("k", Allowance(3, 1000, open=4)) is not None
    assert cache.get("k", Allowance(3, 1000, open=6)) is None
    assert cache.get("k", Allowance(3, 1000, NO_BOUND)) is None


def test_a_kill_in_the_middle_of_a_line_loses_that_line_alone(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("a", "", Allowance(3, 1000), Outcome("ok", 1.0, verdicts="P"))
    cache.put("b", "", Allowance(3, 1000), Outcome("ok", 1.0, verdicts="P"))
    cache.close()
    data = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(data[:-10])
    again = Cache(tmp_path)
    assert again.get("a", Allowance(3, 1000)) is not None and again.get("b", Allowance(3, 1000)) is None
    again.put("b", "", Allowance(3, 1000), Outcome("ok", 1.0, verdicts="P"))
    again.close()
    assert Cache(tmp_path).get("b", Allowance(3, 1000)) is not None

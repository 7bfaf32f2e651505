"""A unit test is found where its module is: src/gainsay/a/b.py is tested by tests/unit/a/test_b.py, or
test_b_and_what.py."""

from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1] / "unit"
SOURCE = Path(__file__).parents[2] / "src" / "gainsay"


def modules(folder: Path) -> set[str]:
    return {path.stem for path in (SOURCE / folder).glob("*.py")}


@pytest.mark.parametrize("test", sorted(str(path.relative_to(TESTS)) for path in TESTS.rglob("test_*.py")))
def test_a_unit_test_has_the_place_and_the_name_of_its_module(test):
    name = Path(test).stem.removeprefix("test_")
    assert any(f"{name}_".startswith(f"{module}_") for module in modules(Path(test).parent)), (
        f"src/gainsay/{Path(test).parent} has no module for {test}: move it to where its module is"
    )

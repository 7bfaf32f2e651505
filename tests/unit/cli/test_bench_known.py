"""Known bugs are put to oracles on a release that has them, against one that has not: never a build against itself."""

import msgspec
import pytest

from gainsay.campaign import describing
from gainsay.cli import bench_known
from gainsay.core.model import Seat, Target
from gainsay.errors import EnvironmentProblem

BUG = bench_known.Known("X", "sqlite", "SELECT 1", wrong=["3.26.0", "3.28.0"], right=["3.29.0"])


def seat(version, build=()):
    return Seat(0, Target("sqlite", version), version, "sqlite", build)


@pytest.fixture
def at_hand(monkeypatch):
    """Say which releases can be had; without a version, the installed one."""

    def have(installed, *versions):
        def described(target):
            version = target.version or installed
            if version not in (installed, *versions):
                raise EnvironmentProblem("no wheel")
            return seat(version)

        monkeypatch.setattr(describing, "describe", described)

    return have


def test_a_bug_is_asked_of_the_latest_release_that_has_it(at_hand):
    at_hand("3.40.1", "3.26.0", "3.28.0")
    assert bench_known.at_hand(BUG, [], {}).version == "3.28.0"


def test_it_is_compared_with_the_first_release_in_which_it_is_gone(at_hand):
    at_hand("3.40.1", "3.29.0")
    assert bench_known.reference(BUG, {}, seat("3.28.0")).version == "3.29.0"
    at_hand("3.40.1")
    assert bench_known.reference(BUG, {}, seat("3.28.0")).version == "3.40.1", "else with the installed one"


def test_no_build_is_compared_with_itself_nor_with_one_that_has_the_bug(at_hand):
    at_hand("3.28.0")
    assert bench_known.reference(BUG, {}, seat("3.28.0")) is None
    at_hand("3.27.0")
    assert bench_known.reference(BUG, {}, seat("3.28.0")) is None
    nowhere_right = msgspec.structs.replace(BUG, wrong=[], right=[])
    at_hand("3.40.1")
    assert bench_known.reference(nowhere_right, {}, seat("3.40.1")) is None

"""The conformance kit: what every engine and every oracle must do, as checks that any test runner can call.

In the tests of another package:

    @pytest.mark.parametrize("check", gainsay.testing.engine_checks("mine"), ids=str)
    def test_the_engine_conforms(check):
        check()

A check raises AssertionError with what is wrong and what to do, or unittest.SkipTest where it has nothing to go by.
"""

from gainsay.testing.check import Check, Outcome, outcomes
from gainsay.testing.engine import engine_checks
from gainsay.testing.oracle import oracle_checks

__all__ = ["Check", "Outcome", "engine_checks", "oracle_checks", "outcomes"]

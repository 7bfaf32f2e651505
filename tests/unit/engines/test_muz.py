"""muZ's own time limit."""

from gainsay.core import registry
from gainsay.core.answer import GaveUp
from gainsay.engines import muz


def test_what_its_time_limit_ends_is_given_up_as_too_long_and_not_as_unknown(monkeypatch):
    """It says `unknown` without a reason."""
    monkeypatch.setattr(muz, "SOFT_MS", 50)
    answer = muz.MuzSession(()).ask(registry.family("datalog").long_question("muz"))
    assert isinstance(answer, GaveUp) and answer.reason == "timeout"

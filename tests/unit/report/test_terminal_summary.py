"""The summary of a hunt says what its figures are worth."""

from pathlib import Path

from gainsay.campaign.episode import why_open
from gainsay.core.answer import GaveUp, Refused, Rows
from gainsay.report import terminal

SUMMARY = {
    "targets": ["sqlite"], "wall_s": 1.0, "cpu_s": 1.0, "triage_s": 0.0, "checks": 1000, "scenes": 9, "seed": 1,
    "asks": 2000, "valid": 1.0, "nonempty": 0.5,
    "undecidable": 0, "shunned": 0, "undecided": {}, "refusals": {}, "findings": [], "never_applied": [],
}  # fmt: skip


def told(**changes):
    return "\n".join(terminal.conclude({**SUMMARY, **changes}, 1000, 0, 0, 0, Path("gainsay-out/sqlite-1")))


def test_many_checks_that_decide_nothing_are_told_with_their_reason():
    assert "82.0 % of the checks decide nothing: refused: IS TRUE (820 times)." in told(
        undecidable=820, undecided={"refused: IS TRUE": 820}
    )
    assert "decide nothing" not in told(undecidable=50, undecided={"gave up: timeout": 50})


def test_what_was_drawn_less_often_because_it_looks_like_a_known_crash_is_told():
    line = "104 checks that look like a crash or internal error found before were drawn and not made; one in 8 was."
    assert line in told(shunned=104) and "drawn and not made" not in told()


def test_what_triage_took_is_told_apart_from_the_hunt():
    assert "(8 CPU-seconds, 125 a CPU-second)" in told(cpu_s=20.0, triage_s=12.0)
    assert "Looking at what was found took 12 CPU-seconds more." in told(cpu_s=20.0, triage_s=12.0)
    assert "more." not in told(cpu_s=20.0, triage_s=0.2)


def test_a_hunt_that_asked_nothing_says_why():
    assert "give it more (--for)" in told(asks=0)
    idle = [{"targets": "sqlite", "oracle": "idle", "conversations": 300}]
    assert "no oracle applied" in told(asks=0, never_applied=idle) and "give it more" not in told(
        asks=0, never_applied=idle
    )


def test_the_reason_is_what_the_engine_said_instead_of_an_answer():
    assert (
        why_open({"one": Rows([]), "two": Refused("type", "No function matches 'f(12)'\nmore")})
        == "refused: No function matches 'f(_)'"
    )
    assert why_open({"one": GaveUp("timeout")}) == "gave up: timeout"

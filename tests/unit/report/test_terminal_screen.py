"""The live screen: rates by target and oracle, what workers do, what is looked at and for how long at most."""

import io
import time

import pytest
from rich.console import Console

from gainsay.campaign import events, planning
from gainsay.campaign.journal import Journal
from gainsay.campaign.ledger import Ledger
from gainsay.campaign.supervisor import Limits, Supervisor
from gainsay.core.model import CaseName, Seat, Target
from gainsay.report import terminal


@pytest.fixture
def supervisor(tmp_path):
    campaign = planning.arranged((Seat(0, Target("sqlite"), "3.40.1", "sqlite"),), (), 1, {}, 0)
    made = Supervisor(
        campaign,
        Ledger(),
        Journal(tmp_path / "journal.jsonl"),
        Limits(for_s=60.0),
        tmp_path / ".run",
        lambda what, value: None,
    )
    yield made
    made.close()


def raw(episode):
    return events.Raw(CaseName("sqlite", episode, "tlp", 1), "same", ("a",))


def drawn(screen, console, supervisor):
    """What one look at the screen gives, as lines."""
    with console.capture() as captured:
        for part in screen._parts(supervisor.view):
            console.print(part)
    return captured.get().splitlines()


def test_checks_by_target_and_oracle_survive_a_restart():
    ledger = Ledger()
    for line in (
        events.encode(events.Progress("sqlite", events.Counts(checks=5), held={"norec": 3, "tlp": 2})) for _ in range(2)
    ):
        ledger.take(events.DECODER.decode(line))
    assert ledger.held == {("sqlite", "norec"): 6, ("sqlite", "tlp"): 4}
    ledger.take(
        events.DECODER.decode(b'{"type":"progress","group":"sqlite","counts":{"checks":1}}')
    )  # of a journal from before they were kept


def test_the_screen_shows_rates_by_oracle_and_the_last_new_finding(supervisor):
    console = Console(file=io.StringIO(), width=80, force_terminal=True, color_system=None)
    screen = terminal.Screen(console)
    with screen:
        screen.on("tick", supervisor.view)
        supervisor.ledger.take(events.Progress("sqlite", events.Counts(checks=500), held={"norec": 400, "tlp": 100}))
        screen._worked["sqlite"] = 10.0
        lines = drawn(screen, console, supervisor)
    assert any("norec 40/s  tlp 10/s" in line for line in lines), lines
    assert any("none new for" in line for line in lines)
    assert max(map(len, lines)) <= 80


def test_after_the_hunt_the_screen_says_what_is_looked_at_and_for_how_long_at_most(supervisor):
    out = io.StringIO()
    console = Console(file=out, width=80)
    screen = terminal.Screen(console)
    screen.on("tick", supervisor.view)
    supervisor.ledger.take(raw(1))
    supervisor.ledger.take(raw(2))
    supervisor.jobs.raw, supervisor.jobs.begun = raw(1), time.monotonic() - 4
    supervisor.is_settling, supervisor.patience_s, supervisor.started = True, 30.0, time.monotonic()
    screen.on("tick", supervisor.view)
    assert (
        "The hunt is over: looking at what was found (2 to look at), for 30 s at most. Ctrl-C ends this."
        in out.getvalue().replace("\n", " ")
    )
    lines = " ".join(drawn(screen, console, supervisor))
    assert "looking at tlp on sqlite, episode 1, for 4 s" in lines and "30 s at most" in " ".join(lines.split())
    assert terminal.looking(supervisor.view).endswith("2 wait, 30 s left at most")


def test_an_interrupted_hunt_says_so_and_looks_for_a_while_only(supervisor):
    out = io.StringIO()
    screen = terminal.Screen(Console(file=out, width=80))
    screen.on("tick", supervisor.view)
    supervisor.limits = Limits(checks=1000)
    assert supervisor.is_patient
    supervisor.ledger.take(raw(1))
    supervisor.is_interrupted = supervisor.is_settling = True
    supervisor.patience_s, supervisor.started = 5.0, time.monotonic()
    screen.on("tick", supervisor.view)
    assert not supervisor.is_patient
    assert (
        "Interrupted: looking at what was found (1 to look at), for 5 s at most. Ctrl-C ends this too."
        in out.getvalue().replace("\n", " ")
    )

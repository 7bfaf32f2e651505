"""A screen is handed what it needs of a hunt, and no way to change the hunt."""

import pytest

from gainsay.campaign import planning
from gainsay.campaign.journal import Journal
from gainsay.campaign.leasing import Limits
from gainsay.campaign.ledger import Ledger
from gainsay.campaign.supervisor import Supervisor
from gainsay.campaign.view import View
from gainsay.core.model import Seat, Target


@pytest.fixture
def told():
    return []


@pytest.fixture
def supervisor(tmp_path, told):
    campaign = planning.arranged((Seat(0, Target("sqlite"), "3.40.1", "sqlite"),), ("norec", "tlp"), 1, {}, 0)
    book = Journal(tmp_path / "journal.jsonl")
    limits = Limits(checks=80)
    made = Supervisor(campaign, Ledger(), book, limits, tmp_path / ".run", lambda *event: told.append(event))
    yield made
    made.close()
    book.close()


def test_each_tick_of_a_hunt_hands_out_the_view_and_not_the_supervisor(supervisor, told):
    busy = set()
    supervisor.emit = lambda what, value: (told.append((what, value)), busy.update(value.busy))
    supervisor.hunt()
    assert {what for what, _ in told} == {"tick"}
    assert all(isinstance(value, View) for _, value in told)
    assert busy == {"sqlite"}, "somebody was seen at work"
    assert supervisor.view.counts.checks == 80


def test_nothing_of_a_view_can_be_set(supervisor):
    names = [name for name in vars(View) if not name.startswith("_")]
    assert len(names) > 10
    for name in names:
        with pytest.raises(AttributeError):
            setattr(supervisor.view, name, None)

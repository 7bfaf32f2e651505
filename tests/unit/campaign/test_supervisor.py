"""What becomes of a lease when its worker ends: every check is made, and counted once."""

import pytest

from gainsay.campaign import events, journal
from gainsay.campaign.config import Campaign, Group
from gainsay.campaign.ledger import Ledger
from gainsay.campaign.supervisor import Limits, Supervisor
from gainsay.core.model import Seat, Target

GROUP = Group("sqlite", "sql", (Seat(0, Target("sqlite"), "3", "sqlite"),), ("norec",))


@pytest.fixture
def supervisor(tmp_path):
    campaign = Campaign(1, ("sqlite",), ("norec",), (GROUP,))
    book = journal.Journal(tmp_path / "journal.jsonl")
    made = Supervisor(campaign, Ledger(), book, Limits(checks=800), tmp_path / ".run", lambda *_: None)
    yield made
    made.close()
    book.close()


def left(supervisor, reached, *stints):
    """What is left for another worker after one ended that had told of an episode and a check."""
    slot = supervisor.slots[0]
    slot.group, slot.reached, slot.lease = GROUP, reached, {s.episode: s for s in stints}
    supervisor._give_back(slot)
    return supervisor.leases.spare[GROUP.key]


def test_an_episode_that_was_counted_to_its_end_is_done_though_its_worker_died_before_it_could_say_so(supervisor):
    assert left(supervisor, (3, 80), events.Stint(3, 80), events.Stint(4, 80)) == [events.Stint(4, 80)]
    assert supervisor.ledger.done["sqlite"] == {3}


def test_the_last_and_shorter_episode_of_a_counted_hunt_is_known_to_have_gone_so_far(supervisor):
    assert left(supervisor, (3, 20), events.Stint(3, 20)) == []
    assert supervisor.ledger.partial["sqlite"] == {3: 20} and not supervisor.ledger.done["sqlite"]


def test_of_an_episode_that_was_counted_in_part_only_the_rest_is_left(supervisor):
    assert left(supervisor, (3, 32), events.Stint(3, 80, skip=(7,))) == [events.Stint(3, 80, 32, 0, (7,))]


def test_what_was_never_told_of_is_left_whole(supervisor):
    stints = [events.Stint(3, 80), events.Stint(4, 80, 16, 5)]
    assert left(supervisor, (-1, 0), *stints) == stints

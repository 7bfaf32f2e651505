"""What a worker told before it was gone is counted once."""

from gainsay.campaign.events import Stint
from gainsay.campaign.slot import untold


def test_what_the_last_block_counted_is_told_with_the_end_of_the_episode(stage_of):
    stage = stage_of("sqlite", "norec")
    told = []
    stage.beat = lambda: told.append(stage.reached)
    stage.run(0, 80)
    assert told == [(0, 16), (0, 32), (0, 48), (0, 64)]
    assert stage.reached == (0, 80) and stage.counts.checks == 80 == stage.held["norec"]


def test_an_episode_is_taken_up_behind_what_was_told_of_it():
    stint = Stint(3, 80, 0, 5, (7,))
    assert untold(stint, (3, 48)) == Stint(3, 80, 48, 0, (7,))
    assert untold(stint, (2, 48)) == stint
    assert untold(Stint(3, 80, 64), (3, 48)) == Stint(3, 80, 64)

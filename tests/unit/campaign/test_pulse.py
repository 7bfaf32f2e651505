"""A hunt keeps its pulse: often at first, less often later, and at its end."""

from gainsay.campaign import events
from gainsay.campaign.ledger import Ledger
from gainsay.campaign.pulse import MOST, Pulses


class Book:
    def __init__(self):
        self.ledger, self.noted = Ledger(), []

    def note(self, event):
        self.noted.append(event)
        self.ledger.take(event)


def beaten(seconds, step):
    book, now = Book(), [0.0]
    pulses = Pulses(book, lambda: now[0])
    while now[0] <= seconds:
        pulses.step()
        book.ledger.take(events.Progress("g", events.Counts(checks=10)))
        now[0] += step
    pulses.step(is_last=True)
    return book


def test_a_short_hunt_has_one_each_second_and_one_at_its_end():
    book = beaten(5.0, 0.25)
    assert [p.run_s for p in book.noted] == [0, 1, 2, 3, 4, 5, 5.25]
    assert [p.counts.checks for p in book.noted][:3] == [0, 40, 80]
    assert book.noted[-1].cpu_s > 0


def test_a_long_one_has_not_many_more():
    assert len(beaten(36_000.0, 1.0).noted) < 10 * MOST

"""A real SQLite that is told to be wrong: a player for tests of what becomes of a contradiction."""

from gainsay.campaign.seating import LocalPlayer, Player
from gainsay.core.answer import Rows


class Wrong(Player):
    """SQLite of the standard library. `fault(text, answer)` gives what it says instead; resets are counted."""

    def __init__(self, seat, fault):
        self._player = LocalPlayer(seat)
        self._fault = fault
        self.asked = []

    def reset(self):
        self.asked = []
        self._player.reset()

    def ask(self, text):
        answer = self._fault(text, self._player.ask(text), self.asked)
        self.asked.append(text)
        return answer

    def close(self):
        self._player.close()


def filtered(text):
    return text.partition(" WHERE ")[2]


def losing(word):
    """A filter with a word in it keeps nothing."""
    return lambda text, answer, asked: Rows([]) if word in filtered(text) and text.startswith("SELECT") else answer

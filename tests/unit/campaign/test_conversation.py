"""What is known of a conversation over which an engine broke."""

from gainsay.campaign import conversation
from gainsay.campaign.seating import Player
from gainsay.core.answer import Refused, Rows
from gainsay.core.model import Case, Seat, Seats, Target
from gainsay.families.sql.language import ir
from gainsay.oracles import sql_plans
from sql_cases import ONE, select

SEATS = Seats((Seat(0, Target("sqlite"), "1", "sqlite"),))


class Breaking(Player):
    """Breaks over the first question under a switch."""

    def __init__(self):
        self.asked = []

    def reset(self):
        self.asked = []

    def ask(self, text):
        self.asked.append(text)
        return Refused("internal", "out of order") if len(self.asked) == 3 else Rows([(1,)])


def test_what_changed_the_place_before_an_engine_broke_is_told_with_it():
    case = Case(
        "sql", "plans", ir.Scene(()), sql_plans.Recipe(select(ONE), ("reverse",)), SEATS.seats, "internal-error"
    )
    (broken,) = conversation.talk(case, [Breaking()], SEATS)
    assert broken.label == "internal-error"
    assert broken.before == ((0, "PRAGMA reverse_unordered_selects = 1"),)

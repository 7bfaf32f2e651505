"""What is known of a conversation over which an engine broke."""

from gainsay.campaign import conversation
from gainsay.campaign.seating import Player
from gainsay.core.answer import Refused, Rows
from gainsay.core.model import Case, Seat, Seats, Target
from gainsay.families.sql.language import ir
from gainsay.oracles import differential, sql_plans, sql_reference
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


class Says(Player):
    """Gives one answer to everything."""

    def __init__(self, *rows):
        self.rows = list(rows)

    def reset(self):
        pass

    def ask(self, text):
        return Rows(self.rows)


TWO = Seats((*SEATS.seats, Seat(1, Target("duckdb"), "2", "duckdb")))


def test_a_claim_about_one_of_two_targets_is_of_that_target():
    """The finding is filed under it, and its reproducer runs it."""
    case = Case(
        "sql", "reference", ir.Scene(()), sql_reference.Recipe(ir.Select((ONE,), ()), seat=1), TWO.seats, "as evaluated"
    )
    (found,) = conversation.talk(case, [Says((1,)), Says((2,))], TWO)
    assert found.seat == 1


def test_a_claim_that_compares_targets_is_of_none_of_them_alone():
    case = Case("sql", "differential", ir.Scene(()), differential.Recipe(select(ONE)), TWO.seats, "same answers")
    (found,) = conversation.talk(case, [Says((1,)), Says((2,))], TWO)
    assert found.seat == 0

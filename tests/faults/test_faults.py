"""Planted faults around a real SQLite: a matrix of oracle x fault. A fault that no oracle finds fails the build."""

import pytest

from gainsay.campaign.seating import LocalPlayer, Player
from gainsay.core.answer import Refused, Rows


class Faulty(Player):
    """A player whose engine is wrong in one way."""

    def __init__(self, seat, fault):
        self._player = LocalPlayer(seat)
        self._fault = fault

    def reset(self):
        self._player.reset()

    def ask(self, text):
        answer = self._player.ask(text)
        if text.startswith(("SELECT", "WITH")) and isinstance(answer, Rows):
            return Rows(self._fault(text, list(answer.rows)))
        return answer

    def close(self):
        self._player.close()


def filtered(text):
    return text.partition(" WHERE ")[2]


FAULTS = {
    "OR loses the last row": lambda t, r: r[:-1] if " OR " in filtered(t) and "COUNT" not in t else r,
    "LEFT JOIN with a filter doubles a row": lambda t, r: (
        r + r[:1] if "LEFT JOIN" in t and filtered(t) and "COUNT" not in t else r
    ),
    "BETWEEN keeps nothing": lambda t, r: [] if " BETWEEN " in filtered(t) and "COUNT" not in t else r,
    "COUNT(*) with a filter is off by one": lambda t, r: (
        [(r[0][0] + 1,)] if t.startswith("SELECT COUNT(*)") and filtered(t) and len(r) == 1 else r
    ),
    "a filtered value changes its type": lambda t, r: (
        [tuple(float(v) if type(v) is int else v for v in row) for row in r] if filtered(t) else r
    ),
    "MAX with a filter is NULL": lambda t, r: [(None,)] if t.startswith("SELECT MAX(") and filtered(t) else r,
    "DISTINCT with a filter loses a row": lambda t, r: r[1:] if t.startswith("SELECT DISTINCT") and filtered(t) else r,
    "HAVING keeps nothing": lambda t, r: [] if " HAVING " in t else r,
    "IS NULL of a condition is empty": lambda t, r: [] if t.endswith(" IS NULL") and filtered(t) else r,
}
FINDERS = {
    "OR loses the last row": {"norec", "tlp"},
    "LEFT JOIN with a filter doubles a row": {"norec", "tlp"},
    "BETWEEN keeps nothing": {"norec", "tlp"},
    "COUNT(*) with a filter is off by one": {"norec", "tlp"},
    "a filtered value changes its type": {"norec", "tlp"},
    "MAX with a filter is NULL": {"tlp"},
    "DISTINCT with a filter loses a row": {"tlp"},
    "HAVING keeps nothing": {"tlp"},
    "IS NULL of a condition is empty": {"tlp", "norec"},
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("oracle", ["norec", "tlp"])
def test_each_fault_is_found_by_the_oracles_that_can_see_it(fault, oracle, stage_of, seat_of):
    stage = stage_of("apsw", oracle, player=Faulty(seat_of("apsw"), FAULTS[fault]))
    for number in range(60):
        stage.run(number, 60)
        if stage.raws:
            break
    assert bool(stage.raws) == (oracle in FINDERS[fault])


def test_an_engine_that_is_right_gives_no_finding(stage_of, seat_of):
    stage = stage_of("apsw", "norec", "tlp", player=Faulty(seat_of("apsw"), lambda text, rows: rows))
    for number in range(60):
        stage.run(number, 60)
    assert not stage.raws


def test_a_scene_of_which_nothing_is_accepted_is_passed_over(stage_of, seat_of):
    class Refusing(Faulty):
        def ask(self, text):
            return Refused("other", "no") if text.startswith("CREATE TABLE") else super().ask(text)

    stage = stage_of("apsw", "norec", player=Refusing(seat_of("apsw"), lambda text, rows: rows))
    for number in range(30):
        stage.run(number, 40)
    assert (stage.counts.checks + stage.counts.void, stage.raws) == (1200, [])
    assert stage.counts.void >= 320, "most scenes have no table then"

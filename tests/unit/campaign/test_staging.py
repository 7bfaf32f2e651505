"""Several seats hold the same contents before they are compared: a statement after which they do not is left out."""

import msgspec
import pytest

from gainsay.campaign import config
from gainsay.campaign.episode import Stage
from gainsay.campaign.recorder import Recorder
from gainsay.campaign.seating import LocalPlayer, Player
from gainsay.campaign.staging import DIFFERENCES
from gainsay.core.answer import Rows
from gainsay.families.sql.language import ir
from sql_cases import insert, table


class Forgetful(Player):
    """A real SQLite that says yes to some statements and does nothing."""

    def __init__(self, seat, *words):
        self._player = LocalPlayer(seat)
        self.words = words

    def reset(self):
        self._player.reset()

    def ask(self, text):
        is_skipped = text.startswith("INSERT") and any(word in text for word in self.words)
        return Rows([]) if is_skipped else self._player.ask(text)

    def close(self):
        self._player.close()


def rows(*values):
    return tuple(insert("t0", "c0", (ir.Lit("int", value),)) for value in values)


@pytest.fixture
def laid(seat_of, tmp_path):
    """Lay a scene of some rows on two SQLites, of which one forgets some of them: what is left, and what was told."""
    made = []

    def lay(values, *forgotten):
        seats = tuple(msgspec.structs.replace(seat_of(name), index=i) for i, name in enumerate(("sqlite", "apsw")))
        group = config.Group("sqlite apsw", "sql", seats, ("differential",))
        players = [LocalPlayer(seats[0]), Forgetful(seats[1], *forgotten)]
        made.extend(players)
        raws = []
        stage = Stage(group, config.seats_of(group, {}), players, 1, Recorder(tmp_path / "recorder"), raws.append)
        scene = stage.laid(0, ir.Scene((table("t0", "c0"), *rows(*values))))
        return scene, raws, [p.ask("SELECT * FROM t0") for p in players]

    yield lay
    for each in made:
        each.close()


def test_a_scene_that_is_stored_alike_is_taken_whole(laid):
    scene, raws, _ = laid(["11", "22"])
    assert scene.statements[1:] == rows("11", "22") and raws == []


def test_one_statement_that_is_stored_otherwise_is_a_finding_and_the_rest_is_compared(laid):
    scene, raws, stored = laid(["11", "22", "33", "44"], "33")
    assert scene.statements[1:] == rows("11", "22", "44") and stored[0].rows == stored[1].rows
    assert [raw.name.check for raw in raws] == [-1]


def test_each_such_statement_is_a_finding_of_its_own(laid):
    scene, raws, stored = laid(["11", "22", "33", "44"], "22", "44")
    assert scene.statements[1:] == rows("11", "33") and stored[0].rows == stored[1].rows
    assert [raw.name.check for raw in raws] == [-1, -2]


def test_where_too_much_is_stored_otherwise_nothing_is_compared(laid):
    values = [str(n) for n in range(11, 13 + DIFFERENCES)]
    scene, raws, _ = laid(values, *values)
    assert scene is None and len(raws) == DIFFERENCES

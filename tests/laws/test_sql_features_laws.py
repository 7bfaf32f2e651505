"""What a hunt has drawn goes by the names of what was probed: else the page calls drawn things never drawn."""

import pytest

from gainsay.core import registry
from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import Seats
from gainsay.families.sql.language import features

SCENES, QUERIES = 40, 8


def drawn(family, seats, name):
    """Statements and queries of some scenes."""
    for number in range(SCENES):
        draw = Draw(seed_for("features", name, number))
        growing = family.grow(draw, seats)
        try:
            next(growing)
        except StopIteration as made:
            scene = made.value
        yield from scene.statements
        yield from (family.question(draw, scene, seats)[0] for _ in range(QUERIES))


@pytest.mark.parametrize("name", ["apsw", "duckdb", "postgresql"])
def test_what_is_drawn_of_a_kind_that_is_told_in_full_has_the_name_of_its_probe(name, seat_of):
    family, seats = registry.family("sql"), Seats((seat_of(name),))
    seats.lexicon = family.prepare(seats, {})
    rows = {family.row_of(probe.feature) for probe in family.probes(seats.seats[0].dialect)}
    met = {feature for node in drawn(family, seats, name) for feature in features.uses(node)}
    # A setting may also be what a type or a key needs, which nobody probes by itself
    told = {feature for feature in met if feature.partition(":")[0] in features.COMPLETE - {"setting"}}
    assert len(told) > 100
    assert told - rows == set()

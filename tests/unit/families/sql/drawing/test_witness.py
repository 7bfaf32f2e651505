"""Conditions that are made true for a row: what is wrong is mended where it stands."""

import pytest

from gainsay.core.draw import Draw
from gainsay.families.sql.drawing.witness import Witness
from gainsay.families.sql.language import dialects, ir
from gainsay.families.sql.meaning.scene_cache import SceneCache
from sql_cases import ONE, T0, ZERO, insert, op, table

SCENE = ir.Scene((table("t0", "c0"), insert("t0", "c0", (ONE,))))


@pytest.mark.parametrize(
    ("condition", "mended"),
    [
        (op("=", T0, ONE), op("=", T0, ONE)),
        (op("=", T0, ZERO), op("<>", T0, ZERO)),
        (op("<", T0, ONE), op(">=", T0, ONE)),
        (op("is", T0, ZERO), op("is not", T0, ZERO)),
        (op("is null", T0), op("is not null", T0)),
        (op("and", op("=", T0, ONE), op("in 1", T0, ZERO)), op("and", op("=", T0, ONE), op("not in 1", T0, ZERO))),
        (op("is false", T0), op("not", op("is false", T0))),  # a truth test keeps its form
        (op("glob", T0, ZERO), op("not", op("glob", T0, ZERO))),  # there is no word for the opposite
        (op("=", T0, ir.NULL), op("is null", op("=", T0, ir.NULL))),
    ],
)
def test_a_condition_is_made_true_by_the_opposite_of_what_is_wrong(condition, mended):
    database = SceneCache(SCENE, dialects.find("sqlite"), {}).database
    witness = Witness(database.compiler)
    assert witness.read(Draw(0), ir.Join("t0"))
    found = witness.mended(Draw(0), condition, True, frozenset(dialects.find("sqlite").operators))
    assert found == mended and witness.truth(found)

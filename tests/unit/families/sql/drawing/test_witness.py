"""Conditions that are made true for a row: what is wrong is mended where it stands."""

import pytest

from gainsay.core.draw import Draw
from gainsay.families.sql.drawing.witness import Witness
from gainsay.families.sql.language import dialects, ir
from gainsay.families.sql.meaning.scene_cache import SceneCache
from sql_cases import ONE, T0, ZERO, insert, lexicon, op, table

SCENE = ir.Scene((table("t0", "c0"), insert("t0", "c0", (ONE,))))
OPAQUE = op("of nobody", T0)  # an operator that has no meaning


def witness_of(scene, *source):
    """A row of a FROM list."""
    words = lexicon("sqlite")
    found = {r.name: r for r in words.relations(scene)}
    witness = Witness(SceneCache(scene, dialects.find("sqlite"), {}).database.compiler, words)
    for join in source:
        assert witness.read(Draw(0), join, found[join.rel].columns(join.alias))
    return witness


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
    witness = witness_of(SCENE, ir.Join("t0"))
    found = witness.mended(Draw(0), condition, True)
    assert found == mended and witness.truth(found)


SURE = op("=", T0, ONE)


@pytest.mark.parametrize(
    ("condition", "wanted", "mended"),
    [
        (OPAQUE, True, op("or", OPAQUE, SURE)),
        (OPAQUE, False, op("and", OPAQUE, op("not", SURE))),
        (op("not", OPAQUE), True, op("not", op("and", OPAQUE, op("not", SURE)))),
        (op("and", op("=", T0, ZERO), OPAQUE), True, op("and", op("<>", T0, ZERO), op("or", OPAQUE, SURE))),
        (op("or", op("=", T0, ZERO), OPAQUE), True, op("or", op("<>", T0, ZERO), OPAQUE)),  # one that is told will do
    ],
)
def test_a_part_of_which_nobody_can_tell_gets_a_sure_one_beside_it(condition, wanted, mended, monkeypatch):
    monkeypatch.setattr("gainsay.families.sql.drawing.witness.UNGUARDED", 0)
    found = witness_of(SCENE, ir.Join("t0")).mended(Draw(3), condition, wanted)

    def sorted_pairs(node):  # which of two stands first is drawn
        return frozenset([node.op, *map(sorted_pairs, node.args)]) if isinstance(node, ir.Op) else node

    assert sorted_pairs(found) == sorted_pairs(mended)


def test_a_row_that_has_none_on_its_left_is_one_of_a_right_join():
    scene = ir.Scene((*SCENE.statements, table("t1", "c0"), insert("t1", "c0", (ZERO,))))
    right = ir.Join("t1", "NATURAL RIGHT JOIN")
    witness = witness_of(scene, ir.Join("t0"), right)
    assert witness.truth(op("is null", T0)) and witness.truth(op("=", ir.Col("t1", "c0"), ZERO))


def test_a_table_of_which_nobody_can_tell_has_most_likely_the_row_that_was_put_there_last():
    unsure = ir.Delete("t0", OPAQUE)
    witness = witness_of(ir.Scene((*SCENE.statements, unsure, insert("t0", "c0", (ZERO,)))), ir.Join("t0"))
    assert witness.truth(op("=", T0, ZERO))

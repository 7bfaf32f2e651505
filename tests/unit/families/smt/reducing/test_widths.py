"""Narrower words: terms, declarations and the model change together, and what would be ill-typed is left as it is."""

import pytest

from gainsay.families.smt.language import reader, writer
from gainsay.families.smt.language.ir import Instance, Scene
from gainsay.families.smt.meaning.scene_cache import SceneCache, bound
from gainsay.families.smt.reducing import widths

HEAD = "(set-logic QF_BV)(declare-fun x () (_ BitVec 8))(declare-fun y () (_ BitVec 8))"


def narrowed(formula, head=HEAD):
    script = reader.read(f"{head}(assert {formula})")
    values = {"x": 0b10000001, "y": 0b00000001}
    scene = Scene("QF_BV", script.decls, model=tuple(bound(d, values[d.name], {}) for d in script.decls))
    return [
        (small, [writer.text(t) for t in made.asserts])
        for small, made in widths.narrowed(SceneCache(scene), Instance((), script.asserts))
    ]


def test_all_words_of_a_width_are_cut_together():
    found = {
        small.decls[0].sort: (terms, [b.value for b in small.model])
        for small, terms in narrowed("(bvult (bvadd x #b00000011) y)")
    }
    assert found.keys() == {"(_ BitVec 1)", "(_ BitVec 2)", "(_ BitVec 4)", "(_ BitVec 7)"}
    assert found["(_ BitVec 2)"] == (["(bvult (bvadd x #b11) y)"], ["#b01", "#b01"])


@pytest.mark.parametrize("literal", ["#x03", "(_ bv3 8)"])
def test_literals_are_cut_however_they_are_written(literal):
    assert len(narrowed(f"(bvult (bvadd x {literal}) y)")) == 4


def test_what_would_be_ill_typed_is_not_proposed():
    assert {small.decls[0].sort for small, _ in narrowed("(= ((_ extract 5 0) x) ((_ extract 5 0) y))")} == {
        "(_ BitVec 7)"
    }
    assert narrowed("(= (concat x y) #x0000)") == []


def test_functions_and_arrays_are_left_alone():
    """Their parts would have to change with them."""
    script = reader.read(f"{HEAD}(declare-fun f ((_ BitVec 8)) Bool)(assert (f x))")
    assert list(widths.narrowed(SceneCache(Scene("QF_UFBV", script.decls)), Instance((), script.asserts))) == []
